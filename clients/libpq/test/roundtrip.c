/* See clients/t/ClientTest.pm. */
#include "objectid_libpq.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 1000
#define MAX_VECTORS 100

static PGconn *conn;

/* of the environment variable VECTORS */
static struct
{
	bson_oid_t	id;
	char		digits[25];
	int64_t		seconds;
}			vectors[MAX_VECTORS];
static int	n_vectors;

static void
check(bool condition, const char *how, const char *what)
{
	printf("%sok - %s%s%s\n", condition ? "" : "not ", how, *how ? ": " : "", what);
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

/* $1 is a string, or not there */
static PGresult *
query(const char *sql, const char *value, int format)
{
	return done(PQexecParams(conn, sql, value ? 1 : 0, NULL, &value, NULL, NULL, format));
}

/* $1 is an id in the specified format, and the result has the same format */
static PGresult *
with_id(const char *sql, const bson_oid_t *id, int format)
{
	char		digits[25];
	const char *value = format == 0 ? digits : (const char *) id->bytes;
	int			length = 12;

	bson_oid_to_string(id, digits);
	return done(PQexecParams(conn, sql, 1, NULL, &value, &length, &format, format));
}

static int
count(PGresult *res)
{
	int			rows = PQntuples(res);

	PQclear(res);
	return rows;
}

/* the rows of a result are these ids */
static bool
equal(PGresult *res, const bson_oid_t *ids, int n)
{
	bool		right = PQntuples(res) == n;
	bson_oid_t	id;

	for (int i = 0; i < n && right; i++)
		right = objectid_get(res, i, 0, &id) && bson_oid_equal(&id, &ids[i]);
	PQclear(res);
	return right;
}

/* the example in docs/clients-others.md */
static void
example(void)
{
	bson_oid_t	id;

	bson_oid_init(&id, NULL);
	const char *values[] = {(const char *) id.bytes, "log in"};
	const int	lengths[] = {12, 0};
	const int	formats[] = {1, 0};
	PGresult   *res = PQexecParams(conn, "INSERT INTO event (id, what) VALUES ($1, $2) RETURNING id",
								   2, NULL, values, lengths, formats, 1);

	if (!equal(done(res), &id, 1))
		fail("the example failed");

	const char *since = "2026-01-01 00:00Z";

	res = PQexecParams(conn, "SELECT id FROM event WHERE id > $1::timestamptz", 1, NULL, &since, NULL, NULL, 1);

	PQclear(done(res));
}

static void
read_vectors(void)
{
	const char *line = getenv("VECTORS");
	int			length;

	while (n_vectors < MAX_VECTORS &&
		   sscanf(line, "%24s %" SCNd64 "%n", vectors[n_vectors].digits, &vectors[n_vectors].seconds, &length) == 2)
	{
		bson_oid_init_from_string(&vectors[n_vectors].id, vectors[n_vectors].digits);
		line += length;
		n_vectors++;
	}
}

static void
check_vectors(const char *how, int format)
{
	char		sql[100];
	bool		right = true;

	snprintf(sql, sizeof(sql), "SELECT id FROM made WHERE how = '%s' AND id = $1", how);
	for (int i = 0; i < n_vectors && right; i++)
	{
		PGresult   *res = with_id(sql, &vectors[i].id, format);
		bson_oid_t	id = {{0}};
		char		digits[25];

		right = PQntuples(res) == 1 && objectid_get(res, 0, 0, &id);
		bson_oid_to_string(&id, digits);
		right = right && strcmp(digits, vectors[i].digits) == 0 && bson_oid_get_time_t(&id) == vectors[i].seconds;
		PQclear(res);
	}
	check(right, how, "vectors");
}

/* 1,000 ids and the vectors, sorted; returns the number */
static int
new_ids(bson_oid_t *ids)
{
	for (int i = 0; i < N; i++)
		bson_oid_init(&ids[i], NULL);
	for (int i = 0; i < n_vectors; i++)
		ids[N + i] = vectors[i].id;
	qsort(ids, (size_t) (N + n_vectors), sizeof(bson_oid_t), (int (*) (const void *, const void *)) bson_oid_compare);
	return N + n_vectors;
}

static void
by_parameters(const char *how, int format)
{
	bson_oid_t	ids[N + MAX_VECTORS];
	bson_oid_t	id;
	int			n = new_ids(ids);

	for (int i = 0; i < n; i++)
	{
		char		sql[100];
		char		digits[25];

		bson_oid_to_string(&ids[i], digits);
		snprintf(sql, sizeof(sql), "INSERT INTO made VALUES ('%s', $1, '%s')", how, digits);
		PQclear(with_id(sql, &ids[i], format));
	}
	check(equal(query("SELECT id FROM made WHERE how = $1 ORDER BY id", how, format), ids, n), how, "1,000 ids come back equal");

	PGresult   *res = query("SELECT NULL::objectid", NULL, format);

	check(!objectid_get(res, 0, 0, &id), how, "NULL");
	PQclear(res);

	/* each column has 12 bytes or characters */
	res = query("SELECT timetz '01:02:03Z', text 'Hello, World', 'Hello, World'::bytea", NULL, format);
	check(!objectid_get(res, 0, 0, &id) && !objectid_get(res, 0, 1, &id) && !objectid_get(res, 0, 2, &id), how, "other types");
	PQclear(res);

	char	   *text = objectid_array(&ids[500], NULL, 10);

	check(equal(with_id("SELECT id FROM made WHERE id = $1", &ids[500], format), &ids[500], 1) &&
		  count(query("SELECT FROM made WHERE id = ANY($1)", text, 0)) == 10, how, "WHERE with an ObjectId");
	free(text);

	/* a date is text here, so it needs a cast */
	check(count(query("SELECT FROM dated WHERE id > $1::timestamptz", "2025-02-20 05:00:00Z", 0)) == 10, how, "id > a date");
	check_vectors(how, format);
}

static void
arrays(void)
{
	bson_oid_t	in[3];
	bson_oid_t	out[3];
	const bool	second_is_null[3] = {false, true, false};
	bool		is_null[3];

	for (int i = 0; i < 3; i++)
		bson_oid_init(&in[i], NULL);
	for (int n = 0; n <= 3; n++)
	{
		char	   *text = objectid_array(in, second_is_null, n);
		PGresult   *res = query("SELECT $1::objectid[]", text, 0);

		check(objectid_get_array(res, 0, 0, out, is_null, 3) == n, "text", "arrays");
		for (int i = 0; i < n; i++)
			check(is_null[i] == second_is_null[i] && (is_null[i] || bson_oid_equal(&in[i], &out[i])), "text", "arrays");
		check(n == 0 || objectid_get_array(res, 0, 0, out, is_null, n - 1) == -1, "text", "arrays");
		PQclear(res);
		free(text);
	}
	PGresult   *res = query("SELECT NULL::objectid[]", NULL, 0);

	check(objectid_get_array(res, 0, 0, out, is_null, 3) == -1, "text", "arrays");
	PQclear(res);
}

/* The fields of a row are text, the 12 bytes, and text; each has its length before it.  The server compares the ids. */
static void
binary_copy(void)
{
	bson_oid_t	ids[N + MAX_VECTORS];
	int			n = new_ids(ids);

	PQclear(PQexec(conn, "COPY made FROM STDIN WITH (FORMAT binary)"));
	PQputCopyData(conn, "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19);
	for (int i = 0; i < n; i++)
	{
		char		row[55] = "\0\3\0\0\0\4copy\0\0\0\14............\0\0\0\30";

		memcpy(row + 14, ids[i].bytes, 12);
		bson_oid_to_string(&ids[i], row + 30);
		PQputCopyData(conn, row, 54);
	}
	PQputCopyData(conn, "\377\377", 2);
	if (PQputCopyEnd(conn, NULL) != 1)
		fail(PQerrorMessage(conn));
	PQclear(done(PQgetResult(conn)));
	PQclear(PQgetResult(conn));
}

int
main(void)
{
	conn = PQconnectdb("");
	if (PQstatus(conn) != CONNECTION_OK)
		fail(PQerrorMessage(conn));

	puts("1..27");
	example();
	read_vectors();
	by_parameters("text", 0);
	by_parameters("binary", 1);
	arrays();
	binary_copy();

	PQfinish(conn);
	return 0;
}
