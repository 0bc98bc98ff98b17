/* See clients/t/ClientTest.pm.  Ids are strings, in text format. */
#include <libpq-fe.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define N 1000
#define MAX_IDS (N + 100)

static PGconn *conn;

static void
check(bool condition, const char *what)
{
	printf("%sok - %s\n", condition ? "" : "not ", what);
}

static void
fail(const char *message)
{
	fprintf(stderr, "%s", message);
	exit(1);
}

static PGresult *
done(PGresult *res)
{
	if (PQresultStatus(res) != PGRES_COMMAND_OK && PQresultStatus(res) != PGRES_TUPLES_OK)
		fail(PQresultErrorMessage(res));
	return res;
}

/* $1 is a string, or NULL */
static PGresult *
query(const char *sql, const char *value)
{
	return done(PQexecParams(conn, sql, 1, NULL, &value, NULL, NULL, 0));
}

static void
example(void)
{
	/* the example in README.md */
	const char *values[] = {"507f1f77bcf86cd799439011", "log in"};
	PGresult   *res = PQexecParams(conn, "INSERT INTO event (id, what) VALUES ($1, $2) RETURNING id",
								   2, NULL, values, NULL, NULL, 0);
	const char *found = PQgetvalue(res, 0, 0);

	if (strcmp(found, values[0]) != 0)
		fail("the example failed");

	/* the 12 bytes */
	const char *bytes = "0123456789ab";
	const int	length = 12;
	const int	format = 1;

	res = done(PQexecParams(conn, "SELECT $1::objectid", 1, NULL, &bytes, &length, &format, 1));
	check(PQgetlength(res, 0, 0) == 12 && memcmp(PQgetvalue(res, 0, 0), bytes, 12) == 0, "the 12 bytes in binary format");
}

int
main(void)
{
	static char ids[MAX_IDS][25];
	int			n = 0;
	int			length;
	bool		right;
	char		array[25 * 10 + 2] = "{";
	PGresult   *res;

	conn = PQconnectdb("");
	if (PQstatus(conn) != CONNECTION_OK)
		fail(PQerrorMessage(conn));
	puts("1..6");
	example();

	for (; n < N; n++)
		snprintf(ids[n], sizeof(ids[n]), "%08x%010x%06x", (unsigned) time(NULL), (unsigned) getpid(), (unsigned) n);
	for (const char *line = getenv("VECTORS"); n < MAX_IDS && sscanf(line, "%24s %*d%n", ids[n], &length) == 1; n++)
		line += length;
	qsort(ids, (size_t) n, sizeof(ids[0]), (int (*) (const void *, const void *)) strcmp);
	for (int i = 0; i < n; i++)
		query("INSERT INTO made VALUES ('text', $1::text::objectid, $1)", ids[i]);
	res = query("SELECT id FROM made WHERE how = $1 ORDER BY id", "text");
	right = PQntuples(res) == n;
	for (int i = 0; i < n && right; i++)
		right = strcmp(PQgetvalue(res, i, 0), ids[i]) == 0;
	check(right, "text: 1,000 ids come back equal");
	check(PQgetisnull(query("SELECT $1::objectid", NULL), 0, 0), "text: NULL");

	for (int i = 500; i < 510; i++)
		strcat(strcat(array, i > 500 ? "," : ""), ids[i]);
	check(PQntuples(query("SELECT FROM made WHERE id = $1", ids[500])) == 1 &&
		  PQntuples(query("SELECT FROM made WHERE id = ANY($1)", strcat(array, "}"))) == 10, "text: WHERE with an ObjectId");
	check(PQntuples(query("SELECT FROM dated WHERE id > $1::timestamptz", "2025-02-20 05:00Z")) == 10, "text: id > a date");

	for (int i = 0; i < n && right; i++)
		right = PQntuples(query("SELECT FROM made WHERE id = $1", ids[i])) == 1;
	check(right, "text: vectors");
	PQfinish(conn);
	return 0;
}
