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
	"end_offset bigint, first_document bigint, next_offset bigint, documents bigint, rejected bigint, changed bigint, equal bigint, " \
	"started timestamp with time zone, finished timestamp with time zone"

#define FIND_ONLY_CATALOG "SET LOCAL search_path = pg_catalog, pg_temp"

/* Name the tables, and find the type objectid.  Exits, after a message, if there cannot be tables of these names. */
void
name_tables(PGconn *conn, Table *table, const LoadOptions *options)
{
	static const char sql[] =
#include "name_tables.inc"
			   ;
	const char *const names[] = {options->table, table->name};
	char	  **const texts[] = {&table->schema, &table->name, &table->target, &table->side_table, &table->imports, &table->lock,
	&table->objectid};
	const char *values[8] = {options->table, options->side_table, table->schema, table->name, table->side_name};
	PGresult   *result;

	begin(conn, "");
	result = query(conn, lengthof(names), names,
				   "SELECT pg_catalog.current_schema(), "
				   "pg_catalog.to_regclass(coalesce($1, pg_catalog.quote_ident($2)))::pg_catalog.oid, "
				   "pg_catalog.to_regtype('objectid')::pg_catalog.oid");
	for (int i = 0; i < 3; i++)
		values[5 + i] = get_value(result, i);
	PQclear(result);
	execute(conn, FIND_ONLY_CATALOG);
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
	PQclear(result);
}

/* Lock a table or a schema against other imports until the transaction ends. */
static void
take_lock(PGconn *conn, const char *mode, const char *kind, const char *name)
{
	static const char sql[] = "SELECT pg_catalog.pg_%sadvisory_xact_lock%s(pg_catalog.hashtextextended($1, 0))";
	const char *key = psprintf("objectid-import %s", name);
	PGresult   *result = query(conn, 1, &key, psprintf(sql, "try_", mode));

	if (*PQgetvalue(result, 0, 0) == 'f')
	{
		pg_log_info("waiting for another import into %s %s to end", kind, name);
		PQclear(query(conn, 1, &key, psprintf(sql, "", mode)));
	}
	PQclear(result);
}

/*
 * Lock the schema of a dump, or one table, so that files can be loaded side by side.
 * The locks are those of a transaction, which survives a pooler.  No two imports
 * wait for each other, because the collections of a dump are sorted.
 */
void
lock_target(PGconn *conn, const Table *table, bool whole_schema)
{
	take_lock(conn, whole_schema ? "" : "_shared", "schema", table->schema);
	if (!whole_schema)
		take_lock(conn, "", "table", table->target);
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
#include "inspect_table.inc"
			   ;
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

/*
 * Drop all of these tables, with those of rejected documents, in one statement, and
 * forget what was loaded.  False, after a message: something else depends on them.
 */
bool
drop_tables(PGconn *conn, const Table *const *tables, int count)
{
	StringInfoData sql;
	PGresult   *result;
	bool		ok;

	initStringInfo(&sql);
	for (int i = 0; i < count; i++)
		appendStringInfo(&sql, "%s %s, %s", i > 0 ? "," : "DROP TABLE IF EXISTS", tables[i]->target, tables[i]->side_table);
	result = PQexec(conn, sql.data);
	ok = PQresultStatus(result) == PGRES_COMMAND_OK || PQresultStatus(result) == PGRES_EMPTY_QUERY;
	if (!ok)
		print_error(conn, result, NULL, strcmp(PQresultErrorField(result, PG_DIAG_SQLSTATE), "2BP01") != 0 ? NULL :
					"Drop these objects first, or keep them and the tables: TRUNCATE all tables in one statement, and use --restart instead of --drop.");
	PQclear(result);
	pfree(sql.data);
	for (int i = 0; i < count && ok; i++)
	{
		const char *target = tables[i]->target;

		if (!table_exists(conn, tables[i]->imports))
			continue;
		result = try_query(conn, 1, &target, psprintf("DELETE FROM %s WHERE target = $1", tables[i]->imports));
		ok = result != NULL;
		PQclear(result);
	}
	return ok;
}

/* Create and check the tables of a file. */
static bool
prepare_tables(PGconn *conn, const InputFile *input, Table *table, const Check *check, const LoadOptions *options)
{
	const Table *const tables[] = {table};
	bool		ok = !options->drop || !input->stream || drop_tables(conn, tables, 1);

	if (ok && !table_exists(conn, table->side_table))
		ok = try_execute(conn, psprintf("CREATE TABLE %s (file text, run bigint, \"position\" bigint, reason text, raw bytea)", table->side_table));
	return ok && create_table(conn, table, input->name, check->id_type, options) && inspect_table(conn, table, options->id_type) &&
		(!options->upsert || try_execute(conn, psprintf("EXPLAIN UPDATE %s SET doc = doc", table->target))) &&
		try_execute(conn, psprintf("EXPLAIN INSERT INTO %s (file, run, \"position\", reason, raw) "
								   "VALUES ('', 0::bigint, 0::bigint, '', ''::bytea)", table->side_table)) &&
		try_execute(conn, psprintf("EXPLAIN UPDATE %s SET next_offset = 0, documents = 0, rejected = 0, changed = 0, equal = 0, finished = now() WHERE run = 0",
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
	bool		ok;

	/* only one program at a time creates tables, else two may deadlock */
	begin(conn, FIND_ONLY_CATALOG "; SELECT pg_advisory_xact_lock(hashtextextended('objectid-import', 0))");
	ok = prepare_schema(conn, table);
	if (ok && input->stream)
	{
		execute(conn, "COMMIT");
		begin(conn, FIND_ONLY_CATALOG);
	}

	/* after kill -9, the old server process may still be at work */
	ok = ok && try_execute(conn, psprintf("SELECT pg_advisory_xact_lock(%s)", table->lock)) &&
		prepare_tables(conn, input, table, &progress->check, options) && prepare_record(conn, input, table, progress, options);
	execute(conn, !ok ? "ROLLBACK" : input->stream ? "SET LOCAL search_path TO DEFAULT" : "COMMIT");
	return ok;
}
