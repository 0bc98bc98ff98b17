/* See t/ClientTest.pm. */
#include "objectid_libpq.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 1000

static PGconn *conn;

static void
check(bool condition, const char *how, const char *what)
{
	printf("%sok - %s%s\n", condition ? "" : "not ", how, what);
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

/* $1 is an id in the specified format, and the result has the same format */
static PGresult *
with_id(const char *query, const bson_oid_t *id, int format)
{
	char		digits[25];
	const char *value = (const char *) id->bytes;
	int			length = 12;

	if (format == 0)
	{
		bson_oid_to_string(id, digits);
		value = digits;
	}
	return done(PQexecParams(conn, query, 1, NULL, &value, &length, &format, format));
}

static PGresult *
with_text(const char *query, const char *value, int format)
{
	return done(PQexecParams(conn, query, 1, NULL, &value, NULL, NULL, format));
}

static bool
comes_back(const char *how, const bson_oid_t *ids, int format)
{
	PGresult   *res = with_text("SELECT id FROM made WHERE how = $1 ORDER BY id", how, format);
	bool		equal = PQntuples(res) == N;
	bson_oid_t	id;

	for (int i = 0; i < N && equal; i++)
		equal = objectid_get(res, i, 0, &id) && bson_oid_equal(&id, &ids[i]);
	PQclear(res);
	return equal;
}

static void
make_ids(bson_oid_t *ids)
{
	for (int i = 0; i < N; i++)
		bson_oid_init(&ids[i], NULL);

	/* sorted, because libbson's counter may wrap */
	qsort(ids, N, sizeof(bson_oid_t), (int (*) (const void *, const void *)) bson_oid_compare);
}

/* the example in docs/clients-others.md */
static void
example(void)
{
	bson_oid_t	id;
	bson_oid_t	found;

	bson_oid_init(&id, NULL);
	const char *values[] = {(const char *) id.bytes, "log in"};
	PGresult   *res = PQexecParams(conn, "INSERT INTO event (id, what) VALUES ($1, $2) RETURNING id",
								   2, NULL, values, (int[]) {12, 0}, (int[]) {1, 0}, 1);

	if (!objectid_get(done(res), 0, 0, &found) || !bson_oid_equal(&id, &found))
		fail("the example failed");
	PQclear(res);

	const char *since = "2026-01-01 00:00Z";

	res = PQexecParams(conn, "SELECT id FROM event WHERE id > $1::timestamptz", 1, NULL, &since, NULL, NULL, 1);

	PQclear(done(res));
}

static void
by_parameters(int format)
{
	bson_oid_t	ids[N];
	bson_oid_t	id;
	PGresult   *res;
	bool		right;
	char	   *text;
	const char *way = format == 0 ? "text" : "binary";
	const char *how = format == 0 ? "text: " : "binary: ";

	make_ids(ids);
	for (int i = 0; i < N; i++)
	{
		char		query[100];
		char		digits[25];

		bson_oid_to_string(&ids[i], digits);
		snprintf(query, sizeof(query), "INSERT INTO made VALUES ('%s', $1, '%s')", way, digits);
		PQclear(with_id(query, &ids[i], format));
	}
	check(comes_back(way, ids, format), how, "1,000 ids come back equal");

	res = done(PQexecParams(conn, "SELECT id FROM generated ORDER BY id", 0, NULL, NULL, NULL, NULL, format));
	PGresult   *seconds = done(PQexec(conn, "SELECT seconds FROM generated ORDER BY id"));
	right = PQntuples(res) == 1004;
	for (int i = 0; i < PQntuples(res) && right; i++)
		right = objectid_get(res, i, 0, &id) &&
			(int64_t) bson_oid_get_time_t(&id) == strtoll(PQgetvalue(seconds, i, 0), NULL, 10);
	PQclear(seconds);
	PQclear(res);
	check(right, how, "generated ids have the time of objectid_time()");

	res = done(PQexecParams(conn, "SELECT $1::objectid", 1, NULL, &(const char *) {NULL}, NULL, &format, format));
	check(PQgetisnull(res, 0, 0) && !objectid_get(res, 0, 0, &id), how, "NULL");
	PQclear(res);

	res = with_id("SELECT id FROM made WHERE id = $1", &ids[500], format);
	right = PQntuples(res) == 1 && objectid_get(res, 0, 0, &id) && bson_oid_equal(&id, &ids[500]);
	PQclear(res);
	res = with_id("SELECT FROM made WHERE how = (SELECT how FROM made WHERE id = $1) AND id < $1", &ids[500], format);
	right = right && PQntuples(res) == 500;
	PQclear(res);
	text = objectid_array(ids, NULL, 10);
	res = with_text("SELECT FROM made WHERE id = ANY($1)", text, 0);
	check(right && PQntuples(res) == 10, how, "WHERE with an ObjectId");
	PQclear(res);
	free(text);
}

/* a date is text here, so it needs a cast */
static void
by_date(int format)
{
	const char *since = "2025-02-20 05:00:00Z";
	const char *queries[] = {"SELECT n FROM dated WHERE id > $1::timestamptz ORDER BY n",
	"SELECT n FROM dated WHERE $1::timestamptz < id ORDER BY n"};
	bool		right = true;

	for (int i = 0; i < 2; i++)
	{
		PGresult   *res = with_text(queries[i], since, 0);

		right = right && PQntuples(res) == 10;
		for (int row = 0; row < PQntuples(res); row++)
			right = right && atoi(PQgetvalue(res, row, 0)) == 9990 + row;
		PQclear(res);
	}
	check(right, format == 0 ? "text: " : "binary: ", "id > a date");
}

static void
document(int format)
{
	PGresult   *res = done(PQexecParams(conn, "SELECT id, bson FROM document", 0, NULL, NULL, NULL, NULL, format));
	PGresult   *binary = done(PQexecParams(conn, "SELECT bson FROM document", 0, NULL, NULL, NULL, NULL, 1));
	const uint8_t *data = (const uint8_t *) PQgetvalue(binary, 0, 0);
	int			length = PQgetlength(binary, 0, 0);
	bson_oid_t	id;
	bson_t		written = BSON_INITIALIZER;
	bson_t		stored;
	bson_iter_t iter;
	bool		right = objectid_get(res, 0, 0, &id) && BSON_APPEND_OID(&written, "_id", &id) &&
		written.len == (uint32_t) length && memcmp(bson_get_data(&written), data, length) == 0 &&
		bson_init_static(&stored, data, length) && bson_iter_init_find(&iter, &stored, "_id") &&
		BSON_ITER_HOLDS_OID(&iter) && bson_oid_equal(bson_iter_oid(&iter), &id);

	PQclear(res);
	if (right)
	{
		res = with_id("SELECT FROM document WHERE id = $1", bson_iter_oid(&iter), format);
		right = PQntuples(res) == 1;
		PQclear(res);
	}
	PQclear(binary);
	bson_destroy(&written);
	check(right, format == 0 ? "text: " : "binary: ", "BSON");
}

static void
arrays(void)
{
	bson_oid_t	in[3];
	bson_oid_t	out[3];
	const bool	second_is_null[3] = {false, true, false};
	bool		is_null[3];
	bool		right = true;

	for (int i = 0; i < 3; i++)
		bson_oid_init(&in[i], NULL);
	for (int n = 0; n <= 3; n++)
	{
		char	   *text = objectid_array(in, second_is_null, n);
		PGresult   *res = with_text("INSERT INTO list SELECT 1 + coalesce(max(n), 0), $1::objectid[] FROM list RETURNING ids", text, 0);

		right = right && objectid_get_array(res, 0, 0, out, is_null, 3) == n;
		for (int i = 0; i < n; i++)
			right = right && is_null[i] == second_is_null[i] && (is_null[i] || bson_oid_equal(&in[i], &out[i]));
		if (n == 3)
			right = right && objectid_get_array(res, 0, 0, out, is_null, 2) == -1;
		PQclear(res);
		free(text);
	}
	PGresult   *res = with_text("SELECT $1::objectid[]", NULL, 0);

	right = right && objectid_get_array(res, 0, 0, out, is_null, 3) == -1;
	PQclear(res);
	check(right, "text: ", "arrays");
}

static void
put(const void *data, int length)
{
	if (PQputCopyData(conn, data, length) != 1)
		fail(PQerrorMessage(conn));
}

/* a field of binary COPY: its length, then its bytes */
static void
put_field(const void *data, int length)
{
	uint32_t	network = htonl(length);

	put(&network, 4);
	put(data, length);
}

static void
binary_copy(void)
{
	bson_oid_t	ids[N];
	char		digits[25];
	char	   *row;
	int			length;
	int			rows = 0;
	bool		right = true;

	make_ids(ids);
	PQclear(PQexec(conn, "COPY made FROM STDIN WITH (FORMAT binary)"));
	put("PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19);
	for (int i = 0; i < N; i++)
	{
		bson_oid_to_string(&ids[i], digits);
		put("\0\3", 2);
		put_field("copy", 4);
		put_field(ids[i].bytes, 12);
		put_field(digits, 24);
	}
	put("\377\377", 2);
	if (PQputCopyEnd(conn, NULL) != 1)
		fail(PQerrorMessage(conn));
	PQclear(done(PQgetResult(conn)));
	PQclear(PQgetResult(conn));
	check(comes_back("copy", ids, 1), "", "binary COPY: 1,000 ids go in");

	/* each row is a message: a count of fields, a length, the 12 bytes */
	PQclear(PQexec(conn, "COPY (SELECT id FROM made WHERE how = 'copy' ORDER BY id) TO STDOUT WITH (FORMAT binary)"));
	while ((length = PQgetCopyData(conn, &row, 0)) > 0)
	{
		/* the first row comes with the header or after it */
		const char *s = row;

		if (length >= 19 && memcmp(s, "PGCOPY\n", 7) == 0)
			s += 19, length -= 19;
		if (length == 18)
			right = right && rows < N && memcmp(s + 6, ids[rows++].bytes, 12) == 0;
		PQfreemem(row);
	}
	PQclear(done(PQgetResult(conn)));
	PQclear(PQgetResult(conn));
	check(right && rows == N, "", "binary COPY: 1,000 ids come out");
}

int
main(void)
{
	const char *bad = "507f1f77bcf86cd79943901";

	conn = PQconnectdb("");
	if (PQstatus(conn) != CONNECTION_OK)
		fail(PQerrorMessage(conn));

	example();
	for (int format = 0; format <= 1; format++)
	{
		by_parameters(format);
		by_date(format);
		document(format);
	}
	arrays();
	binary_copy();

	PGresult   *res = PQexecParams(conn, "SELECT $1::objectid", 1, NULL, &bad, NULL, NULL, 0);

	check(strcmp(PQresultErrorField(res, PG_DIAG_SQLSTATE), "22P02") == 0, "", "an invalid id is SQLSTATE 22P02");
	PQclear(res);
	PQfinish(conn);
	return 0;
}
