/* See t/ClientTest.pm.  Ids are strings, in text format. */
#include <libpq-fe.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static PGconn *conn;

static void
check(bool condition, const char *what)
{
	printf("%sok - %s\n", condition ? "" : "not ", what);
}

static void
fail(void)
{
	fprintf(stderr, "%s", PQerrorMessage(conn));
	exit(1);
}

/* $1 is a string */
static PGresult *
query(const char *sql, const char *value)
{
	PGresult   *res = PQexecParams(conn, sql, 1, NULL, &value, NULL, NULL, 0);

	if (PQresultStatus(res) != PGRES_TUPLES_OK)
		fail();
	return res;
}

static bool
copied(const char *line)
{
	return PQresultStatus(PQexec(conn, "COPY list FROM STDIN")) == PGRES_COPY_IN &&
		PQputCopyData(conn, line, (int) strlen(line)) == 1 && PQputCopyEnd(conn, NULL) == 1 &&
		PQresultStatus(PQgetResult(conn)) == PGRES_COMMAND_OK && PQgetResult(conn) == NULL;
}

int
main(void)
{
	conn = PQconnectdb("");
	if (PQstatus(conn) != CONNECTION_OK)
		fail();
	puts("1..4");

	/* the example in README.md */
	const char *values[] = {"507f1f77bcf86cd799439011", "log in"};
	PGresult   *res = PQexecParams(conn, "INSERT INTO event (id, what) VALUES ($1, $2) RETURNING id",
								   2, NULL, values, NULL, NULL, 0);
	const char *found = PQgetvalue(res, 0, 0);

	check(strcmp(found, values[0]) == 0 &&
		  PQntuples(query("SELECT FROM event WHERE id = ANY($1)", "{507f1f77bcf86cd799439011}")) == 1, "the example, and an array");
	check(PQntuples(query("SELECT FROM dated WHERE id > $1::timestamptz", "2025-02-20 05:00Z")) == 10, "id > a date");

	/* the 12 bytes */
	const char *bytes = "0123456789ab";
	const int	length = 12;
	const int	format = 1;

	res = PQexecParams(conn, "SELECT $1::objectid", 1, NULL, &bytes, &length, &format, 1);
	check(PQgetlength(res, 0, 0) == 12 && memcmp(PQgetvalue(res, 0, 0), bytes, 12) == 0, "the 12 bytes in binary format");
	check(copied("1\t{507f1f77bcf86cd799439011}\n") &&
		  PQntuples(query("SELECT FROM list WHERE ids[1] = $1", values[0])) == 1, "COPY");
	PQfinish(conn);
	return 0;
}
