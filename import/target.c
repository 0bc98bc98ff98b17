/*-------------------------------------------------------------------------
 *
 * target.c
 *	  The connection, and the tables, which the functions of setup.sql prepare.
 *
 *-------------------------------------------------------------------------
 */
#include "objectid-import.h"

static const char setup[] =
#include <setup.inc>
		   ;

static bool from_pipe;

/* Say how to go on after a load that ended early. */
void
hint_resume(void)
{
	if (from_pipe)
		pg_log_error_hint("Nothing has been loaded: run the same command again.");
	else if (options.drop || options.restart)
		pg_log_error_hint("Run the same command again to start over, or without --drop and --restart to resume the load.");
	else
		pg_log_error_hint("Run the same command again to resume the load.");
}

/* Print an error of the server. */
static void
print_error(const PGresult *result, const char *table)
{
	const char *detail = PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);
	const char *hint = PQresultErrorField(result, PG_DIAG_MESSAGE_HINT);

	if (table)
		pg_log_error("could not load table %s: %s", table, PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY));
	else
		pg_log_error("%s", PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY));
	if (detail)
		pg_log_error_detail("%s", detail);
	if (hint)
		pg_log_error_hint("%s", hint);
}

static void
print_notice(void *unused pg_attribute_unused(), const PGresult *result)
{
	if (strcmp(PQresultErrorField(result, PG_DIAG_SEVERITY), "INFO") == 0)
		pg_log_info("%s", PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY));
	else
		pg_log_warning("%s", PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY));
}

/* Report an error that no document causes, and exit.  "table" is the one that could not be loaded, or NULL. */
void
exit_with_error(PGconn *conn, const PGresult *result, const char *table)
{
	if (PQstatus(conn) == CONNECTION_BAD)
	{
		pg_log_error("the connection was lost: %s", PQerrorMessage(conn));
		hint_resume();
	}
	else if (result)
		print_error(result, table);
	else
		pg_log_error("%s", PQerrorMessage(conn));
	exit(1);
}

/* Run a statement, and exit if it fails. */
PGresult *
query(PGconn *conn, int count, const char *const *values, const char *sql)
{
	PGresult   *result = count > 0 ? PQexecParams(conn, sql, count, NULL, values, NULL, NULL, 0) : PQexec(conn, sql);

	if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK)
		exit_with_error(conn, result, NULL);
	return result;
}

/* Run a statement whose result does not matter. */
void
execute(PGconn *conn, const char *sql)
{
	PQclear(query(conn, 0, NULL, sql));
}

/* Connect.  "stream" says whether documents come from a pipe. */
PGconn *
open_connection(bool stream)
{
	PGconn	   *conn = connectDatabase(&options.connection, PROGRAM, false, false, true);

	from_pipe = stream;
	PQsetNoticeReceiver(conn, print_notice, NULL);
	if (PQsetClientEncoding(conn, "UTF8") != 0)
		exit_with_error(conn, NULL, NULL);

	/*
	 * Triggers and defaults of the tables' owner may need the search path
	 * that connectDatabase() has emptied.  Disable timeouts, because reading
	 * a slow file may take long.
	 */
	execute(conn, "RESET search_path; SET client_min_messages = warning; SET quote_all_identifiers = off; "
			"SELECT pg_catalog.set_config(name, '0', false) FROM pg_catalog.pg_settings WHERE name IN "
			"('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout', 'transaction_timeout')");
	execute(conn, setup);
	return conn;
}

/*
 * Name the tables, and lock them against other imports.  The collections are
 * sorted, so that no two imports wait for each other.
 */
void
lock_target(PGconn *conn, Collection *collection)
{
	const char *const values[] = {options.table, collection->schema, collection->name, options.side_table, collection->side_name};
	PGresult   *result = query(conn, lengthof(values), values,
							   "SELECT * FROM pg_temp.objectid_import_lock($1, $2, $3, $4, $5, "
							   "pg_catalog.to_regclass(coalesce($1, pg_catalog.quote_ident($3))), pg_catalog.current_schema())");

	collection->table = pg_strdup(PQgetvalue(result, 0, 0));
	collection->side_table = pg_strdup(PQgetvalue(result, 0, 1));
	collection->imports = pg_strdup(PQgetvalue(result, 0, 2));
	collection->name = pg_strdup(PQgetvalue(result, 0, 3));
	PQclear(result);
}

const char *
int64_text(int64 value)
{
	return psprintf(INT64_FORMAT, value);
}

/* Take the row of a part from what objectid_import_prepare() returns. */
static void
read_part(Part *part, const PGresult *result, int row)
{
	int64	   *const numbers[] = {&part->start, &part->end, &part->first, &part->next, &part->documents, &part->rejected, &part->complete};

	for (size_t i = 0; i < lengthof(numbers); i++)
		*numbers[i] = strtoll(PQgetvalue(result, row, 5 + i), NULL, 10);
}

/*
 * Make the tables ready for a collection, in a transaction that stays open if it
 * comes from a pipe: then all of it is one.  False, after a message: it cannot
 * be loaded.
 */
bool
prepare_target(PGconn *conn, Collection *collection)
{
	const char *parts = "{";
	const char *values[] = {collection->table, collection->side_table, collection->imports, collection->source,
		id_type_names[collection->id_type], options.id_type >= 0 ? id_type_names[options.id_type] : NULL,
		options.drop ? "t" : "f", options.restart ? "t" : "f",
	collection->stream ? NULL : int64_text(collection->size), int64_text(collection->checksum), NULL};
	PGresult   *result;
	bool		ok;

	for (int i = 0; i < collection->parts; i++)
		parts = psprintf("%s%s" INT64_FORMAT "," INT64_FORMAT "," INT64_FORMAT, parts, i > 0 ? "," : "",
						 collection->part[i].start, collection->part[i].end, collection->part[i].first);
	values[10] = psprintf("%s}", parts);

	/* only one program at a time creates tables, else two may deadlock */
	execute(conn, "SELECT pg_catalog.pg_advisory_lock(pg_catalog.hashtextextended('objectid-import', 0))");
	execute(conn, "BEGIN");
	result = PQexecParams(conn, "SELECT * FROM pg_temp.objectid_import_prepare($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, "
						  "pg_catalog.to_regtype('objectid'))",
						  lengthof(values), NULL, values, NULL, NULL, 0);
	ok = PQresultStatus(result) == PGRES_TUPLES_OK;
	if (PQstatus(conn) == CONNECTION_BAD)
		exit_with_error(conn, result, NULL);
	if (ok)
	{
		collection->run = pg_strdup(PQgetvalue(result, 0, 0));
		collection->id_type = atoi(PQgetvalue(result, 0, 1));
		collection->rules = *PQgetvalue(result, 0, 2) == 't';
		collection->insert_only = *PQgetvalue(result, 0, 3) == 't';
		collection->parts = Min(PQntuples(result), MAX_JOBS);
		for (int i = 0; i < collection->parts; i++)
			read_part(&collection->part[i], result, i);
	}
	else
		print_error(result, NULL);
	/* no table can be created without the type */
	if (!ok && strcmp(PQresultErrorField(result, PG_DIAG_SQLSTATE), "42704") == 0)
		exit(1);
	if (!collection->stream || !ok)
		execute(conn, ok ? "COMMIT" : "ROLLBACK");
	if (!collection->stream || !ok || *PQgetvalue(result, 0, 4) == 'f')
		execute(conn, "SELECT pg_catalog.pg_advisory_unlock(pg_catalog.hashtextextended('objectid-import', 0))");
	PQclear(result);
	return ok;
}

/* How many documents of a file have been loaded in unfinished runs, say before it was damaged? */
int64
count_loaded(PGconn *conn, const Collection *collection)
{
	const char *const values[] = {collection->table, collection->source, collection->imports};
	PGresult   *result = query(conn, lengthof(values), values, "SELECT pg_temp.objectid_import_loaded($1, $2, $3)");
	int64		loaded = strtoll(PQgetvalue(result, 0, 0), NULL, 10);

	PQclear(result);
	return loaded;
}
