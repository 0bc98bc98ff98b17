/*-------------------------------------------------------------------------
 *
 * target.c
 *	  The connection, the tables, and the record of a load.
 *
 *-------------------------------------------------------------------------
 */
#include "objectid-import.h"

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
	return conn;
}

/* The value of a field, or NULL */
static const char *
get_value(const PGresult *result, int column)
{
	return PQgetisnull(result, 0, column) ? NULL : PQgetvalue(result, 0, column);
}

/* Exit if the tables of these names cannot be loaded. */
static void
check_names(const char *schema, const char *name, const char *side_name)
{
	const char *longest = strlen(name) >= NAMEDATALEN ? name : side_name;

	if (schema == NULL)
		pg_fatal("there is no schema to create tables in");
	if (strlen(longest) >= NAMEDATALEN)
	{
		pg_log_error("the name \"%s\" is longer than %d bytes", longest, NAMEDATALEN - 1);
		pg_log_error_hint("Choose other names with --table and --side-table.");
		exit(1);
	}
	if (strcmp(name, "objectid_import") == 0 || strcmp(side_name, "objectid_import") == 0)
	{
		pg_log_error("the name \"objectid_import\" is reserved for the table that records the progress");
		pg_log_error_hint("Choose a different name with --table or --side-table. In a dump, leave the collection out with --exclude.");
		exit(1);
	}
	if (strcmp(schema, "information_schema") == 0 || strncmp(schema, "pg_", 3) == 0)
	{
		pg_log_error("schema \"%s\" is reserved for the server", schema);
		pg_log_error_hint("Choose a different one with --schema or --table.");
		exit(1);
	}
}

/*
 * Name the tables, and lock them against other imports until the session ends.
 * The collections are sorted, so that no two imports wait for each other.  After
 * kill -9 the old backend may still run: wait for its lock.
 */
void
lock_target(PGconn *conn, Collection *collection)
{
	static const char name_sql[] =
	"SELECT (pg_catalog.parse_ident($1))[1], (pg_catalog.parse_ident($1))[2], (pg_catalog.parse_ident($1))[3], "
	"(pg_catalog.parse_ident($2))[1], (pg_catalog.parse_ident($2))[2], (pg_catalog.parse_ident($2))[3], "
	"(SELECT nspname FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) relnamespace "
	"WHERE c.oid OPERATOR(pg_catalog.=) pg_catalog.to_regclass(coalesce($1, pg_catalog.quote_ident($3)))), pg_catalog.current_schema()";
	static const char lock_sql[] =
	"SELECT pg_catalog.format('%I.%I', $1::text, $2::text), pg_catalog.format('%I.%I', $3::text, $4::text), "
	"pg_catalog.format('%I.objectid_import', $1::text), "
	"pg_catalog.hashtextextended(pg_catalog.format('objectid-import %I.%I', $1::text, $2::text), 0)";
	const char *names[] = {options.table, options.side_table, collection->name};
	PGresult   *found = query(conn, lengthof(names), names, name_sql);
	bool		qualified = get_value(found, 1) != NULL;
	bool		side_qualified = get_value(found, 4) != NULL;
	const char *schema = collection->schema ? collection->schema : get_value(found, 6) ? get_value(found, 6) : get_value(found, 7);
	const char *name = options.table ? get_value(found, qualified) : collection->name;
	const char *side_name = options.side_table ? get_value(found, 3 + side_qualified) : collection->side_name;
	const char *values[4];
	const char *lock;
	PGresult   *result;

	if (get_value(found, 2) || get_value(found, 5))
		pg_fatal("\"%s\" is not the name of a table", get_value(found, 2) ? options.table : options.side_table);
	if (qualified)
		schema = get_value(found, 0);
	if (side_name == NULL)
		side_name = psprintf("%s_rejected", name);
	check_names(schema, name, side_name);
	values[0] = schema;
	values[1] = name;
	values[2] = side_qualified ? get_value(found, 3) : schema;
	values[3] = side_name;
	result = query(conn, lengthof(values), values, lock_sql);
	collection->schema = pg_strdup(schema);
	collection->name = pg_strdup(name);
	collection->table = pg_strdup(PQgetvalue(result, 0, 0));
	collection->side_table = pg_strdup(PQgetvalue(result, 0, 1));
	collection->imports = pg_strdup(PQgetvalue(result, 0, 2));
	lock = pg_strdup(PQgetvalue(result, 0, 3));
	PQclear(result);
	PQclear(found);
	result = query(conn, 1, &lock, "SELECT pg_catalog.pg_try_advisory_lock($1)");
	if (*PQgetvalue(result, 0, 0) == 'f')
	{
		pg_log_info("waiting for another import into table %s to end", collection->table);
		PQclear(query(conn, 1, &lock, "SELECT pg_catalog.pg_advisory_lock($1)"));
	}
	PQclear(result);
}

const char *
int64_text(int64 value)
{
	return psprintf(INT64_FORMAT, value);
}

/* Run a statement of a preparation.  Returns NULL, after a message, if it fails. */
static PGresult *
try_query(PGconn *conn, int count, const char *const *values, const char *sql)
{
	PGresult   *result = count > 0 ? PQexecParams(conn, sql, count, NULL, values, NULL, NULL, 0) : PQexec(conn, sql);

	if (PQresultStatus(result) == PGRES_COMMAND_OK || PQresultStatus(result) == PGRES_TUPLES_OK)
		return result;
	if (PQstatus(conn) == CONNECTION_BAD)
		exit_with_error(conn, result, NULL);
	print_error(result, NULL);
	PQclear(result);
	return NULL;
}

static bool
try_execute(PGconn *conn, int count, const char *const *values, const char *sql)
{
	PGresult   *result = try_query(conn, count, values, sql);

	PQclear(result);
	return result != NULL;
}

static bool
table_exists(PGconn *conn, const char *table)
{
	PGresult   *result = query(conn, 1, &table, "SELECT to_regclass($1) IS NOT NULL");
	bool		exists = *PQgetvalue(result, 0, 0) == 't';

	PQclear(result);
	return exists;
}

/* The type of new keys that are ObjectIds: the extension's, or the domain of the search path.  NULL: there is none. */
static const char *
find_objectid(PGconn *conn, const char *visible)
{
	PGresult   *result = query(conn, 1, &visible,
							   "SELECT format_type(coalesce("
							   "(SELECT t.oid FROM pg_extension JOIN pg_type AS t ON typnamespace = extnamespace "
							   "WHERE extname = 'objectid' AND typname = 'objectid'), "
							   "(SELECT oid FROM pg_type WHERE oid = $1::oid AND typtype = 'd' AND typbasetype = 'text'::regtype)), NULL)");
	const char *type = get_value(result, 0) ? pg_strdup(get_value(result, 0)) : NULL;

	PQclear(result);
	return type;
}

/* Create the table of a collection. */
static bool
create_table(PGconn *conn, const Collection *collection, const char *objectid)
{
	IdType		type = options.id_type >= 0 ? (IdType) options.id_type : collection->id_type;

	if (type == ID_OBJECTID && objectid == NULL)
	{
		pg_log_error("database \"%s\" does not have the type objectid", PQdb(conn));
		pg_log_error_hint("Run CREATE EXTENSION objectid there, or plain/objectid.sql if the server does not have the extension.");
		exit(1);				/* no other table can be created either */
	}
	if (options.id_type < 0 && type != ID_OBJECTID)
		pg_log_info("%s: the keys of the first documents are of type %s", collection->source, id_type_names[type]);
	return try_execute(conn, 0, NULL, psprintf("CREATE TABLE %s (_id %s PRIMARY KEY, doc jsonb NOT NULL)", collection->table,
											   type == ID_OBJECTID ? objectid : id_type_names[type]));
}

/* Is the table one that can be loaded?  Find out its type of keys, and how to insert. */
static bool
inspect_table(PGconn *conn, Collection *collection, const char *objectid)
{
	static const char sql[] =
	"SELECT CASE WHEN c.relkind NOT IN ('r', 'p') THEN 'It is not a table.' "
	"WHEN t.type IS NULL THEN 'It has no column \"_id\" of type objectid, text, bigint, uuid or jsonb.' "
	"WHEN d.attnum IS NULL THEN 'It has no column \"doc\" of type jsonb.' "
	"WHEN i.attgenerated <> '' OR i.attidentity = 'a' OR d.attgenerated <> '' THEN 'Its column \"_id\" or \"doc\" is generated.' "
	"WHEN NOT EXISTS (SELECT FROM pg_index WHERE indrelid = c.oid AND indisunique AND indisvalid AND indimmediate AND indpred IS NULL "
	"AND indnkeyatts = 1 AND indkey[0] = i.attnum) "
	"THEN 'Its column \"_id\" has no primary key or unique index, or only one that is deferrable or partial.' "
	"WHEN NOT (has_column_privilege(c.oid, i.attnum, 'SELECT') AND has_column_privilege(c.oid, i.attnum, 'INSERT') "
	"AND has_column_privilege(c.oid, d.attnum, 'INSERT')) THEN 'You need the rights to SELECT and INSERT.' END, "
	"t.type - 1, row_security_active(c.oid), "
	/* rules, or triggers that may take inserted rows away */
	"EXISTS (SELECT FROM pg_rewrite WHERE ev_class = c.oid AND ev_type = '3'), "
	"EXISTS (SELECT FROM pg_trigger WHERE tgrelid IN (SELECT c.oid UNION SELECT relid FROM pg_partition_tree(c.oid)) "
	"AND NOT tgisinternal AND tgtype & 4 <> 0 AND tgtype & 66 = 0) "
	"FROM pg_class AS c LEFT JOIN pg_attribute AS i ON i.attrelid = c.oid AND i.attname = '_id' "
	"LEFT JOIN pg_attribute AS d ON d.attrelid = c.oid AND d.attname = 'doc' AND d.atttypid = 'jsonb'::regtype "
	"LEFT JOIN pg_type AS y ON y.oid = i.atttypid, "
	"coalesce(CASE WHEN y.typname = 'objectid' AND y.typtype = 'd' AND y.typbasetype = 'text'::regtype THEN 6 END, "
	"array_position(ARRAY[to_regtype($2), 'text', 'bigint', 'uuid', 'jsonb']::regtype[], i.atttypid::regtype)) AS t(type) "
	"WHERE c.oid = to_regclass($1)";
	const char *const values[] = {collection->table, objectid};
	PGresult   *result = try_query(conn, lengthof(values), values, sql);
	const char *problem;
	IdType		type;

	if (result == NULL)
		return false;
	problem = get_value(result, 0);
	type = atoi(PQgetvalue(result, 0, 1));
	collection->rules = *PQgetvalue(result, 0, 3) == 't' || *PQgetvalue(result, 0, 4) == 't';
	collection->row_security = *PQgetvalue(result, 0, 2) == 't';
	collection->insert_only = collection->rules || collection->row_security;
	collection->id_type = type;
	if (problem == NULL && options.id_type >= 0 && strcmp(id_type_names[type], id_type_names[options.id_type]) != 0)
		problem = psprintf("Its column \"_id\" is of type %s.", id_type_names[type]);
	if (problem)
	{
		pg_log_error("table %s cannot be loaded", collection->table);
		pg_log_error_detail("%s", problem);
	}
	PQclear(result);
	return problem == NULL;
}

/* See that one of our own tables has these columns, writable for us, or create it. */
static bool
prepare_own_table(PGconn *conn, const char *table, const char *columns, const char *rights, const char *create)
{
	static const char sql[] =
	"SELECT string_agg(e, ', ') FROM unnest(string_to_array($2, ', ')) AS e WHERE NOT EXISTS ("
	"SELECT FROM pg_attribute WHERE attrelid = to_regclass($1) AND attgenerated = '' "
	"AND e = quote_ident(attname) || ' ' || format_type(atttypid, atttypmod) "
	"AND (SELECT bool_and(CASE r WHEN 'DELETE' THEN has_table_privilege(attrelid, r) "
	"ELSE has_column_privilege(attrelid, attnum, r) END) FROM unnest(string_to_array($3, ', ')) AS r))";
	const char *const values[] = {table, columns, rights};
	PGresult   *result;
	const char *missing;

	if (!table_exists(conn, table) && !try_execute(conn, 0, NULL, psprintf(create, table, columns)))
		return false;
	result = try_query(conn, lengthof(values), values, sql);
	if (result == NULL)
		return false;
	missing = get_value(result, 0);
	if (missing)
	{
		pg_log_error("table %s cannot be used", table);
		pg_log_error_detail("It lacks these columns, or you lack rights to %s them: %s", rights, missing);
	}
	PQclear(result);
	return missing == NULL;
}

/* Create and check the tables. */
static bool
prepare_tables(PGconn *conn, Collection *collection, const char *objectid, bool *created)
{
	const char *schema = collection->schema;
	PGresult   *result = query(conn, 1, &schema, "SELECT to_regnamespace(quote_ident($1)) IS NULL, quote_ident($1)");
	bool		ok = *PQgetvalue(result, 0, 0) == 'f' || try_execute(conn, 0, NULL, psprintf("CREATE SCHEMA %s", PQgetvalue(result, 0, 1)));

	PQclear(result);
	if (ok && options.drop)
		ok = try_execute(conn, 0, NULL, psprintf("DROP TABLE IF EXISTS %s, %s", collection->table, collection->side_table));
	if (!ok)
		return false;
	*created = !table_exists(conn, collection->table) || !table_exists(conn, collection->side_table) || !table_exists(conn, collection->imports);
	if (!table_exists(conn, collection->table) && !create_table(conn, collection, objectid))
		return false;
	return inspect_table(conn, collection, objectid) &&
		prepare_own_table(conn, collection->side_table, "file text, run bigint, \"position\" bigint, reason text, raw bytea", "INSERT",
						  "CREATE TABLE %1$s (%2$s)") &&
		prepare_own_table(conn, collection->imports,
						  "run bigint, part integer, target text, source text, size bigint, checksum bigint, start_offset bigint, "
						  "end_offset bigint, first_document bigint, next_offset bigint, documents bigint, rejected bigint, "
						  "started timestamp with time zone, finished timestamp with time zone", "SELECT, INSERT, UPDATE, DELETE",
						  "CREATE TABLE %1$s (%2$s); "
						  "ALTER TABLE %1$s ADD PRIMARY KEY (run, part), ALTER run ADD GENERATED BY DEFAULT AS IDENTITY");
}

/* Delete the records that this load replaces: all of the table's, those of the file, or those that loaded nothing. */
static bool
forget_runs(PGconn *conn, const Collection *collection)
{
	const char *const values[] = {collection->table, collection->source, options.drop ? "t" : "f", options.restart ? "t" : "f"};

	if (options.restart &&
		!try_execute(conn, 2, values, psprintf("DELETE FROM %s WHERE file = $2 AND run IN (SELECT run FROM %s WHERE target = $1 AND source = $2)",
											   collection->side_table, collection->imports)))
		return false;
	return try_execute(conn, lengthof(values), values,
					   psprintf("DELETE FROM %1$s AS i WHERE target = $1 AND ($3 OR source = $2 AND ($4 OR NOT EXISTS "
								"(SELECT FROM %1$s AS o WHERE o.run = i.run AND (next_offset > start_offset OR finished IS NOT NULL))))",
								collection->imports));
}

/* Record a new run. */
static bool
insert_run(PGconn *conn, Collection *collection)
{
	for (int i = 0; i < collection->parts; i++)
	{
		const Part *part = &collection->part[i];
		const char *const values[] = {collection->table, collection->source, collection->stream ? NULL : int64_text(collection->size),
			int64_text(collection->checksum), int64_text(i), int64_text(part->start), int64_text(part->end), int64_text(part->first),
		collection->run};
		PGresult   *result = try_query(conn, i > 0 ? 9 : 8, values,
									   psprintf("INSERT INTO %s (target, source, size, checksum, part, start_offset, end_offset, "
												"first_document, next_offset, documents, rejected, started%s) "
												"VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $6, 0, 0, now()%s) RETURNING run",
												collection->imports, i > 0 ? ", run" : "", i > 0 ? ", $9" : ""));

		if (result == NULL)
			return false;
		collection->run = pg_strdup(PQgetvalue(result, 0, 0));
		PQclear(result);
	}
	return true;
}

/* Does the table still have what the runs from this one on loaded into it? */
static bool
check_loaded(PGconn *conn, const Collection *collection)
{
	const char *const values[] = {collection->table, collection->run};
	PGresult   *result;
	bool		ok;

	if (collection->row_security)
		return true;			/* policies may hide rows */
	result = try_query(conn, lengthof(values), values,
					   psprintf("SELECT row_count, loaded, row_count >= loaded FROM (SELECT (SELECT count(*) FROM %s) AS row_count, "
								"sum(documents - rejected) AS loaded FROM %s WHERE target = $1 AND run >= $2) AS counts",
								collection->table, collection->imports));
	if (result == NULL)
		return false;
	ok = *PQgetvalue(result, 0, 2) == 't';
	if (!ok)
	{
		pg_log_error("table %s has lost documents that were loaded from \"%s\"", collection->table, collection->source);
		pg_log_error_detail("%s documents were loaded; the table has %s rows.", PQgetvalue(result, 0, 1), PQgetvalue(result, 0, 0));
		pg_log_error_hint("Use --restart to load the file from its beginning again.");
	}
	PQclear(result);
	return ok;
}

/* Find the run of this file that can be resumed or is finished, or record a new one. */
static bool
prepare_record(PGconn *conn, Collection *collection)
{
	const char *const values[] = {collection->table, collection->source, collection->stream ? NULL : int64_text(collection->size),
	int64_text(collection->checksum)};
	PGresult   *old = NULL;
	bool		ok = forget_runs(conn, collection) &&
	(old = try_query(conn, lengthof(values), values,
					 psprintf("SELECT run, bool_and(size = $3 AND checksum = $4) AS same, bool_and(finished IS NOT NULL), "
							  "max(finished)::timestamptz(0), sum(documents), max(size) "
							  "FROM %s WHERE target = $1 AND source = $2 GROUP BY run "
							  "HAVING NOT bool_and(finished IS NOT NULL) OR bool_and(size = $3 AND checksum = $4) "
							  "ORDER BY same DESC, run DESC LIMIT 1", collection->imports))) != NULL;

	if (!ok)
		return false;
	if (PQntuples(old) == 0)
		ok = insert_run(conn, collection);
	else if (*PQgetvalue(old, 0, 1) != 't')
	{
		pg_log_error("the load of a different file \"%s\" into table %s was interrupted", collection->source, collection->table);
		pg_log_error_detail("That file has %s bytes; %s of its documents have been read.", PQgetvalue(old, 0, 5), PQgetvalue(old, 0, 4));
		pg_log_error_hint("Finish it with that file, or use --restart to forget it.");
		ok = false;
	}
	else
	{
		collection->run = pg_strdup(PQgetvalue(old, 0, 0));
		ok = check_loaded(conn, collection);
		if (ok && *PQgetvalue(old, 0, 2) == 't')
			pg_log_info("%s: already loaded on %s (run %s)", collection->source, PQgetvalue(old, 0, 3), collection->run);
		else if (ok)
			pg_log_info("%s: continuing run %s after %s documents", collection->source, collection->run, PQgetvalue(old, 0, 4));
	}
	PQclear(old);
	return ok;
}

/* Read the parts of the run, and their progress. */
static bool
read_parts(PGconn *conn, Collection *collection)
{
	const char *const run = collection->run;
	PGresult   *result = try_query(conn, 1, &run,
								   psprintf("SELECT start_offset, end_offset, first_document, next_offset, documents, rejected, "
											"(finished IS NOT NULL)::integer FROM %s WHERE run = $1 ORDER BY part", collection->imports));

	if (result == NULL)
		return false;
	collection->parts = Min(PQntuples(result), MAX_JOBS);
	for (int i = 0; i < collection->parts; i++)
	{
		Part	   *part = &collection->part[i];
		int64	   *const numbers[] = {&part->start, &part->end, &part->first, &part->next, &part->documents, &part->rejected, &part->complete};

		for (size_t j = 0; j < lengthof(numbers); j++)
			*numbers[j] = strtoll(PQgetvalue(result, i, j), NULL, 10);
	}
	PQclear(result);
	return true;
}

/*
 * Make the tables ready for a collection, in a transaction that stays open if it
 * comes from a pipe: then all of it is one.  False, after a message: it cannot
 * be loaded.
 */
bool
prepare_target(PGconn *conn, Collection *collection)
{
	PGresult   *result = query(conn, 0, NULL, "SELECT pg_catalog.to_regtype('objectid')::pg_catalog.oid");
	const char *visible = get_value(result, 0) ? pg_strdup(get_value(result, 0)) : NULL;
	bool		created = false;
	bool		ok;

	PQclear(result);
	/* only one program at a time creates tables, else two may deadlock */
	execute(conn, "SELECT pg_catalog.pg_advisory_lock(pg_catalog.hashtextextended('objectid-import', 0))");
	execute(conn, "BEGIN; SET LOCAL search_path = pg_catalog, pg_temp");
	ok = prepare_tables(conn, collection, find_objectid(conn, visible), &created) && prepare_record(conn, collection) &&
		read_parts(conn, collection);
	if (!ok)
		execute(conn, "ROLLBACK");
	else
		execute(conn, collection->stream ? "SET LOCAL search_path TO DEFAULT" : "COMMIT");
	if (!collection->stream || !ok || !created)
		execute(conn, "SELECT pg_catalog.pg_advisory_unlock(pg_catalog.hashtextextended('objectid-import', 0))");
	return ok;
}

/* How many documents of a file have been loaded in unfinished runs, say before it was damaged? */
int64
count_loaded(PGconn *conn, const Collection *collection)
{
	const char *const values[] = {collection->table, collection->source};
	int64		loaded = 0;

	execute(conn, "BEGIN; SET LOCAL search_path = pg_catalog, pg_temp");
	if (table_exists(conn, collection->imports))
	{
		PGresult   *result = query(conn, lengthof(values), values,
								   psprintf("SELECT sum(documents - rejected) FROM %1$s WHERE target = $1 AND source = $2 "
											"AND run IN (SELECT run FROM %1$s WHERE finished IS NULL)", collection->imports));

		loaded = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
		PQclear(result);
	}
	execute(conn, "COMMIT");
	return loaded;
}
