/*-------------------------------------------------------------------------
 *
 * metadata.c
 *	  What mongodump writes beside a collection: its whole name, and its
 *	  indexes, which become statements for a person to review.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "command.h"

/* Read metadata.json.  NULL, after a warning, if that fails. */
bson_t *
read_metadata(const char *path)
{
	gzFile		file = gzopen(path, "rb");
	StringInfoData text;
	int			got;
	bson_t	   *metadata;
	bson_error_t error = {.message = "could not read it"};

	initStringInfo(&text);
	do
	{
		enlargeStringInfo(&text, BLCKSZ);
		got = file ? gzread(file, text.data + text.len, BLCKSZ) : -1;
		text.len += Max(got, 0);
	} while (got > 0);
	metadata = got == 0 ? bson_new_from_json((const uint8_t *) text.data, text.len, &error) : NULL;
	if (metadata == NULL)
		pg_log_warning("could not read file \"%s\": %s", path, error.message);
	if (file)
		gzclose(file);
	pfree(text.data);
	return metadata;
}

/*
 * The statements for a collection's indexes: each index is a comment, and a
 * statement, if that means the same.  The arguments are the metadata, the table
 * as it is quoted, and its name.
 */
static const char indexes_sql[] =
"SELECT format(E'-- Collection %s: review before use.  An index on a field that holds arrays would be\\n"
"-- GIN, (doc -> ''field'') jsonb_path_ops, with conditions by @>.\\n', regexp_replace($3::text, E'[\\x01-\\x1f\\x7f]', '?', 'g')) || "
"coalesce((SELECT string_agg(format(E'-- The option \"%s\" of the collection is not translated: %s\\n', "
"regexp_replace(key, E'[\\x01-\\x1f\\x7f]', '?', 'g'), value), '') FROM json_each($1::json->'options')), '') || "
"coalesce(string_agg(format(E'\\n-- %s\\n%s%s\\n', i, comment, statement), '' ORDER BY number), '') "
"FROM json_array_elements($1::json->'indexes') WITH ORDINALITY AS indexes(i, number), "
/* its columns: ascending and descending fields, or one that is hashed */
"LATERAL (SELECT string_agg(expression || CASE WHEN kind ~ '^-' THEN ' DESC' ELSE '' END, ', ' ORDER BY n) AS columns, "
"coalesce(bool_and(path !~ '^$|[$]' AND (kind ~ '^-?[0-9.]+$' OR kind = '\"hashed\"' AND single)), false) "
"AND i->'partialFilterExpression' IS NULL AND i->'collation' IS NULL AS known, "
"CASE WHEN bool_or(kind = '\"hashed\"') THEN 'hash' ELSE 'btree' END AS method "
"FROM (SELECT key, value::text, ordinality, count(*) OVER () = 1 FROM json_each(CASE json_typeof(i->'key') WHEN 'object' THEN i->'key' END) "
"WITH ORDINALITY) AS fields(path, kind, n, single), "
"LATERAL (SELECT CASE path WHEN '_id' THEN path ELSE '(doc' || string_agg(' -> ' || quote_literal(part), '' ORDER BY m) || ')' END "
"AS expression FROM unnest(string_to_array(path, '.')) WITH ORDINALITY AS parts(part, m)) AS field) AS key, "
"LATERAL (SELECT $3::text || '_' || coalesce(i->>'name', 'index') AS name) AS named, "
/* a long name ends in its checksum */
"LATERAL (SELECT CASE WHEN octet_length(name) < 64 THEN name ELSE left(name, max(n)) || '_' || lpad(to_hex(hashtext(name)), 8, '0') END "
"AS identifier FROM generate_series(1, 54) AS n WHERE octet_length(left(name, n)) < 55) AS short, "
"LATERAL (SELECT CASE WHEN i->'expireAfterSeconds' IS NOT NULL THEN E'-- TTL: let a job delete old documents\\n' END AS comment, "
"CASE WHEN known THEN format('CREATE %sINDEX %I ON %s USING %s (%s);', "
"CASE WHEN i->>'unique' NOT IN ('false', '0', '0.0') THEN 'UNIQUE ' END, identifier, $2::text, method, columns) "
"ELSE '-- is not translated' END AS statement) AS written "
"WHERE NOT known OR columns <> '_id'";	/* that is the primary key */

/* Write the indexes of a collection. */
static void
write_collection(PGconn *conn, FILE *file, const Collection *collection)
{
	bson_t	   *metadata = read_metadata(collection->metadata);
	char	   *json = metadata ? bson_as_relaxed_extended_json(metadata, NULL) : NULL;
	const char *const values[] = {json, collection->table.target, collection->table.name};
	PGresult   *result;

	if (json == NULL)
		return;
	begin(conn, "SET LOCAL search_path = pg_catalog, pg_temp");
	result = PQexecParams(conn, indexes_sql, lengthof(values), NULL, values, NULL, NULL, 0);
	if (PQresultStatus(result) == PGRES_TUPLES_OK)
		fprintf(file, "%s%s", ftell(file) > 0 ? "\n" : "", PQgetvalue(result, 0, 0));
	else
		pg_log_warning("the indexes in file \"%s\" are left out: %s", collection->metadata,
					   PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY));
	PQclear(result);
	execute(conn, "ROLLBACK");
	bson_free(json);
	bson_destroy(metadata);
}

/* Write the indexes of all collections that have metadata to a file of that path. */
void
write_indexes(PGconn *conn, const Collection *collections, int count, const char *path)
{
	FILE	   *file = NULL;

	for (int i = 0; i < count; i++)
	{
		if (collections[i].metadata == NULL || collections[i].skip)
			continue;
		if (file == NULL && (file = fopen(path, "wx")) == NULL)
		{
			if (errno == EEXIST)
				pg_log_info("file \"%s\" exists and is left as it is", path);
			else
				pg_log_warning("could not create file \"%s\" for the indexes: %m", path);
			return;
		}
		write_collection(conn, file, &collections[i]);
	}
	if (file != NULL && fclose(file) != 0)
		pg_log_warning("could not write file \"%s\": %m", path);
	else if (file != NULL)
		pg_log_info("the indexes are in file \"%s\", for review", path);
}
