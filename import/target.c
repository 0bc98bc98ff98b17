/*-------------------------------------------------------------------------
 *
 * target.c
 *	  The names of the tables, and the tables.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "server.h"

#define IMPORT_COLUMNS "run bigint, part integer, target text, source text, size bigint, checksum bigint, start_offset bigint, " \
	"end_offset bigint, first_document bigint, next_offset bigint, documents bigint, rejected bigint, " \
	"started timestamp with time zone, finished timestamp with time zone"

/*
 * Name the tables, and find the type objectid.  Exits, after a message, if there
 * cannot be tables of these names.  The first query uses the search path of the
 * role, the second only pg_catalog.
 */
static char *
name_tables(PGconn *conn, Table *table, const LoadOptions *options)
{
	static const char sql[] =
	"SELECT schema, name, format('%I.%I', schema, name), format('%I.%I', side_schema, side_name), "
	"format('%I.objectid_import', schema), "
	"(SELECT format_type(oid, NULL) FROM pg_type WHERE typname = 'objectid' AND (typnamespace = "
	"(SELECT extnamespace FROM pg_extension WHERE extname = 'objectid') OR "
	"oid = $7::oid AND typtype = 'd' AND typbasetype = 'text'::regtype) ORDER BY typtype LIMIT 1), "
	"hashtextextended(format('objectid-import %I.%I', schema, name), 0), "
	"CASE WHEN cardinality(t) > 2 OR cardinality(s) > 2 THEN format('\"%s\" is not the name of a table', coalesce($1, $2)) "
	"WHEN schema IS NULL THEN 'there is no schema to create tables in' "
	"WHEN octet_length(name) > 63 THEN format('the name \"%s\" is longer than 63 bytes', name) "
	"WHEN octet_length(side_name) > 63 THEN format('the name \"%s\" is longer than 63 bytes', side_name) "
	"WHEN 'objectid_import' IN (name, side_name) THEN "
	"'the name \"objectid_import\" is reserved for the table that records the progress' "
	"WHEN schema ~ '^(pg_|information_schema$)' THEN format('schema \"%s\" is reserved for the server', schema) END "
	"FROM (SELECT parse_ident($1) AS t, parse_ident($2) AS s) AS given, "
	"LATERAL (SELECT coalesce(CASE WHEN cardinality(t) > 1 THEN t[1] END, $3, (SELECT nspname::text FROM pg_class AS c "
	"JOIN pg_namespace AS n ON n.oid = relnamespace WHERE c.oid = $6::oid), $5) AS schema, coalesce(t[cardinality(t)], $4) AS name) "
	"AS target, "
	"LATERAL (SELECT coalesce(CASE WHEN cardinality(s) > 1 THEN s[1] END, schema) AS side_schema, "
	"coalesce(s[cardinality(s)], $8, name || '_rejected') AS side_name) AS side";
	const char *const names[] = {options->table, table->name};
	PGresult   *result = query(conn, lengthof(names), names,
							   "SELECT pg_catalog.current_schema(), "
							   "pg_catalog.to_regclass(coalesce($1, pg_catalog.quote_ident($2)))::pg_catalog.oid, "
							   "pg_catalog.to_regtype('objectid')::pg_catalog.oid");
	const char *const values[] = {options->table, options->side_table, table->schema, table->name,
	get_value(result, 0), get_value(result, 1), get_value(result, 2), table->side_name};
	char	  **const texts[] = {&table->schema, &table->name, &table->target, &table->side_table, &table->imports, &table->objectid};
	char	   *lock;

	PQclear(result);
	execute(conn, "BEGIN; SET LOCAL search_path = pg_catalog, pg_temp");
	result = query(conn, lengthof(values), values, sql);
	execute(conn, "COMMIT");
	if (!PQgetisnull(result, 0, 7))
	{
		pg_log_error("%s", PQgetvalue(result, 0, 7));
		pg_log_error_hint("Choose different names with --table, --side-table or --schema. In a dump, leave the collection out with --exclude.");
		exit(1);
	}
	for (size_t i = 0; i < lengthof(texts); i++)
		*texts[i] = get_value(result, i);
	lock = get_value(result, 6);
	PQclear(result);
	return lock;
}

/*
 * Name the tables, and lock them against other imports until the session ends.
 * The collections are sorted, so that no two imports wait for each other.  After
 * kill -9 the old backend may still run: wait for its lock.
 */
void
lock_target(PGconn *conn, Table *table, const LoadOptions *options)
{
	const char *const lock = name_tables(conn, table, options);
	PGresult   *result = query(conn, 1, &lock, "SELECT pg_catalog.pg_try_advisory_lock($1)");

	if (*PQgetvalue(result, 0, 0) == 'f')
	{
		pg_log_info("waiting for another import into table %s to end", table->target);
		PQclear(query(conn, 1, &lock, "SELECT pg_catalog.pg_advisory_lock($1)"));
	}
	PQclear(result);
}

static bool
table_exists(PGconn *conn, const char *table)
{
	PGresult   *result = query(conn, 1, &table, "SELECT to_regclass($1)");
	bool		exists = !PQgetisnull(result, 0, 0);

	PQclear(result);
	return exists;
}

/* Create the table of a collection, if it does not exist. */
static bool
create_table(PGconn *conn, const Table *table, const char *file, IdType guess, const LoadOptions *options)
{
	IdType		type = options->id_type >= 0 ? (IdType) options->id_type : guess;

	if (table_exists(conn, table->target))
		return true;
	if (type == ID_OBJECTID && table->objectid == NULL)
	{
		pg_log_error("database \"%s\" does not have the type objectid", PQdb(conn));
		pg_log_error_hint("Run CREATE EXTENSION objectid there, or plain/objectid.sql if the server does not have the extension.");
		exit(1);				/* no other table can be created either */
	}
	if (options->id_type < 0 && type != ID_OBJECTID)
		pg_log_info("%s: the keys of the first documents are of type %s", file, id_type_names[type]);
	return try_execute(conn, psprintf("CREATE TABLE %s (_id %s PRIMARY KEY, doc jsonb NOT NULL)", table->target,
									  type == ID_OBJECTID ? table->objectid : id_type_names[type]));
}

/* Is the table one that COPY can load?  Find out its type of keys.  The last statement checks rights and generated columns. */
static bool
inspect_table(PGconn *conn, Table *table, int id_type)
{
	static const char sql[] =
	"SELECT CASE WHEN relkind NOT IN ('r', 'p') THEN 'It is not a table.' "
	"WHEN type IS NULL THEN 'It has no column \"_id\" of type objectid, text, bigint, uuid or jsonb.' "
	"WHEN NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'doc' AND atttypid = 'jsonb'::regtype) "
	"THEN 'It has no column \"doc\" of type jsonb.' "
	"WHEN NOT EXISTS (SELECT FROM pg_index WHERE indrelid = c.oid AND indisunique AND indisvalid AND indimmediate AND indpred IS NULL "
	"AND indnkeyatts = 1 AND indkey[0] = attnum) "
	"THEN 'Its column \"_id\" has no primary key or unique index, or only one that is deferrable or partial.' "
	"WHEN EXISTS (SELECT FROM pg_rewrite WHERE ev_class = c.oid AND ev_type = '3') THEN 'It has a rule for INSERT.' "
	"WHEN row_security_active(c.oid) THEN 'Row-level security applies to your role.' END, "
	"type - 1, format_type(atttypid, NULL), quote_ident(CASE typtype WHEN 'd' THEN 'pg_catalog' ELSE nspname END) "
	"FROM pg_class AS c LEFT JOIN pg_attribute ON attrelid = c.oid AND attname = '_id' "
	"LEFT JOIN pg_type AS y ON y.oid = atttypid LEFT JOIN pg_namespace AS n ON n.oid = typnamespace, "
	"coalesce(CASE WHEN typname = 'objectid' AND typtype = 'd' AND typbasetype = 'text'::regtype THEN 6 END, "
	"array_position(ARRAY[to_regtype($2), 'text', 'bigint', 'uuid', 'jsonb']::regtype[], atttypid::regtype)) AS type "
	"WHERE c.oid = to_regclass($1)";
	const char *const values[] = {table->target, table->objectid};
	PGresult   *result = try_query(conn, lengthof(values), values, sql);
	const char *problem;

	if (result == NULL)
		return false;
	problem = get_value(result, 0);
	table->id_type = atoi(PQgetvalue(result, 0, 1));
	table->id_type_name = get_value(result, 2);
	table->operator_schema = get_value(result, 3);
	PQclear(result);
	if (problem == NULL && id_type >= 0 && strcmp(id_type_names[table->id_type], id_type_names[id_type]) != 0)
		problem = psprintf("Its column \"_id\" is of type %s.", id_type_names[table->id_type]);
	if (problem)
	{
		pg_log_error("table %s cannot be loaded", table->target);
		pg_log_error_detail("%s", problem);
	}
	return problem == NULL &&
		try_execute(conn, psprintf("EXPLAIN INSERT INTO %s (_id, doc) SELECT _id, doc FROM %s", table->target, table->target));
}

/* Create the schema and the table of imports, which all loads into the schema share. */
static bool
prepare_schema(PGconn *conn, const Table *table)
{
	const char *schema = table->schema;
	PGresult   *result = query(conn, 1, &schema, "SELECT to_regnamespace(quote_ident($1)), quote_ident($1)");
	bool		ok = !PQgetisnull(result, 0, 0) || try_execute(conn, psprintf("CREATE SCHEMA %s", PQgetvalue(result, 0, 1)));

	PQclear(result);
	if (ok && !table_exists(conn, table->imports))
		ok = try_execute(conn, psprintf("CREATE TABLE %1$s (" IMPORT_COLUMNS "); "
										"ALTER TABLE %1$s ADD PRIMARY KEY (run, part), ALTER run ADD GENERATED BY DEFAULT AS IDENTITY",
										table->imports));
	return ok;
}

/* Create and check the tables of a file. */
static bool
prepare_tables(PGconn *conn, const InputFile *input, Table *table, const Check *check, const LoadOptions *options)
{
	bool		ok = !options->drop || try_execute(conn, psprintf("DROP TABLE IF EXISTS %s, %s", table->target, table->side_table));

	if (ok && !table_exists(conn, table->side_table))
		ok = try_execute(conn, psprintf("CREATE TABLE %s (file text, run bigint, \"position\" bigint, reason text, raw bytea)", table->side_table));
	return ok && create_table(conn, table, input->name, check->id_type, options) && inspect_table(conn, table, options->id_type) &&
		try_execute(conn, psprintf("EXPLAIN INSERT INTO %s (file, run, \"position\", reason, raw) "
								   "VALUES ('', 0::bigint, 0::bigint, '', ''::bytea)", table->side_table)) &&
		try_execute(conn, psprintf("EXPLAIN UPDATE %s SET next_offset = 0, documents = 0, rejected = 0, finished = now() WHERE run = 0",
								   table->imports));
}

/*
 * Make the tables ready for a file, and find or record its run, in a transaction
 * that stays open if it comes from a pipe: then all of it is one, but for what
 * other loads share.  False, after a message: it cannot be loaded.
 */
bool
prepare_target(PGconn *conn, const InputFile *input, Table *table, Progress *progress, const LoadOptions *options)
{
	static const char begin[] = "BEGIN; SET LOCAL search_path = pg_catalog, pg_temp";
	bool		ok;

	/* only one program at a time creates tables, else two may deadlock */
	execute(conn, "SELECT pg_catalog.pg_advisory_lock(pg_catalog.hashtextextended('objectid-import', 0))");
	execute(conn, begin);
	ok = prepare_schema(conn, table);
	if (ok && input->stream)
	{
		execute(conn, "COMMIT");
		execute(conn, begin);
	}
	ok = ok && prepare_tables(conn, input, table, &progress->check, options) && prepare_record(conn, input, table, progress, options);
	execute(conn, !ok ? "ROLLBACK" : input->stream ? "SET LOCAL search_path TO DEFAULT" : "COMMIT");
	execute(conn, "SELECT pg_catalog.pg_advisory_unlock(pg_catalog.hashtextextended('objectid-import', 0))");
	return ok;
}
