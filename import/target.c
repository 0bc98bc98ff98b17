/*-------------------------------------------------------------------------
 *
 * target.c
 *	  The tables: the one that is loaded, the one for rejected documents, and
 *	  objectid_import, which records what of which file has been loaded.
 *
 *-------------------------------------------------------------------------
 */
#include "objectid-import.h"

#define SIDE_COLUMNS "file text, run bigint, \"position\" bigint, reason text, raw bytea"
#define IMPORT_COLUMNS "run bigint, part integer, target text, source text, size bigint, checksum bigint, " \
	"start_offset bigint, end_offset bigint, first_document bigint, next_offset bigint, documents bigint, " \
	"rejected bigint, last_id text, started timestamp with time zone, finished timestamp with time zone"

/* The connection failed, or the server refused what no document is to blame for: say so, and exit. */
void
lost(PGconn *conn)
{
	bool		bad = PQstatus(conn) == CONNECTION_BAD;

	pg_log_error("%s%s", bad ? "the connection was lost: " : "", PQerrorMessage(conn));
	if (bad)
		hint_resume();
	exit(1);
}

/* Run a statement that is to succeed. */
PGresult *
query(PGconn *conn, int count, const char *const *values, const char *format,...)
{
	char	   *sql;
	va_list		arguments;
	PGresult   *result;

	va_start(arguments, format);
	if (vasprintf(&sql, format, arguments) < 0)
		pg_fatal("out of memory");
	va_end(arguments);
	result = count > 0 ? PQexecParams(conn, sql, count, NULL, values, NULL, NULL, 0) : PQexec(conn, sql);
	if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK)
		lost(conn);
	free(sql);
	return result;
}

/* Run a statement whose result does not matter. */
void
execute(PGconn *conn, const char *sql)
{
	PQclear(query(conn, 0, NULL, "%s", sql));
}

PGconn *
open_connection(void)
{
	PGconn	   *conn = connectDatabase(&options.connection, PROGRAM, false, false, true);

	if (PQsetClientEncoding(conn, "UTF8") != 0)
		lost(conn);

	/*
	 * triggers and defaults of the tables' owner may need the search path
	 * that connectDatabase() has emptied
	 */
	execute(conn, "RESET search_path");

	/* a slow file is no reason to be thrown out */
	execute(conn, "SELECT pg_catalog.set_config(name, '0', false) FROM pg_catalog.pg_settings WHERE name IN "
			"('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout', 'transaction_timeout')");
	execute(conn, "SET client_min_messages = warning");
	return conn;
}

static char *
qualify(const char *schema, const char *name)
{
	if (strlen(name) >= NAMEDATALEN)
	{
		pg_log_error("the name \"%s\" is longer than %d bytes", name, NAMEDATALEN - 1);
		pg_log_error_hint("Choose other names with --table and --side-table.");
		exit(1);
	}
	return pg_strdup(fmtQualifiedId(schema, name));
}

/* Take [SCHEMA.]NAME, written as in SQL, apart. */
static void
parse_name(PGconn *conn, const char *text, char **schema, char **name)
{
	PGresult   *result = query(conn, 1, &text, "SELECT pg_catalog.array_length(p, 1), p[1], p[2] FROM pg_catalog.parse_ident($1) AS p");
	int			parts = atoi(PQgetvalue(result, 0, 0));

	if (parts > 2)
		pg_fatal("\"%s\" is not the name of a table", text);
	if (parts == 2)
		*schema = pg_strdup(PQgetvalue(result, 0, 1));
	*name = pg_strdup(PQgetvalue(result, 0, parts));
	PQclear(result);
}

/* Find out the full names: as in SQL if given, exactly the file's if not. */
static void
name_tables(PGconn *conn, Collection *collection)
{
	const char *name;
	PGresult   *result;

	if (options.table)
		parse_name(conn, options.table, &collection->schema, &collection->name);
	name = fmtId(collection->name);
	if (collection->schema == NULL)
	{
		result = query(conn, 1, &name, "SELECT n.nspname FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n "
					   "ON n.oid = c.relnamespace WHERE c.oid = pg_catalog.to_regclass($1) "
					   "UNION ALL SELECT pg_catalog.current_schema() LIMIT 1");
		if (PQgetisnull(result, 0, 0))
			pg_fatal("there is no schema to create tables in");
		collection->schema = pg_strdup(PQgetvalue(result, 0, 0));
		PQclear(result);
	}
	if (options.side_table)
		parse_name(conn, options.side_table, &collection->side_schema, &collection->side_name);
	collection->table = qualify(collection->schema, collection->name);
	collection->side_table = qualify(collection->side_schema ? collection->side_schema : collection->schema,
									 collection->side_name ? collection->side_name : shorten(collection->name, "_rejected"));
	collection->imports = qualify(collection->schema, "objectid_import");
}

/*
 * Name the tables, and lock them against other imports, for as long as this
 * connection lasts.  After a kill -9 the server may still be at work on what the
 * victim sent last: then this waits until it has noticed.  The collections are
 * in order, so that no two imports wait for each other.
 */
void
lock_tables(PGconn *conn, Collection *collections, int count)
{
	for (int i = 0; i < count; i++)
	{
		const char *name;
		PGresult   *result;

		name_tables(conn, &collections[i]);
		name = collections[i].table;
		result = query(conn, 1, &name, "SELECT pg_catalog.pg_try_advisory_lock(pg_catalog.hashtextextended('objectid-import ' || $1, 0))");
		if (strcmp(PQgetvalue(result, 0, 0), "t") != 0)
		{
			pg_log_info("waiting for another import into table %s to end", name);
			PQclear(query(conn, 1, &name, "SELECT pg_catalog.pg_advisory_lock(pg_catalog.hashtextextended('objectid-import ' || $1, 0))"));
		}
		PQclear(result);
	}
}

/*
 * Create a table, unless it is there: whoever may only fill it needs no CREATE
 * on its schema.  One that is there has to have the columns, writable for us.
 */
static bool
prepare_table(PGconn *conn, const char *table, const char *columns, const char *constraints, const char *rights, bool *created)
{
	const char *values[] = {table, columns, rights};
	PGresult   *result = query(conn, 1, values, "SELECT pg_catalog.to_regclass($1)");
	bool		ok;

	*created = PQgetisnull(result, 0, 0);
	if (*created)
		PQclear(query(conn, 0, NULL, "CREATE TABLE %s (%s%s)", table, columns, constraints));
	PQclear(result);
	result = query(conn, 3, values, "SELECT pg_catalog.string_agg(e, ', ') FROM pg_catalog.unnest(pg_catalog.string_to_array($2, ', ')) AS e "
				   "WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_attribute AS a WHERE attrelid = $1::pg_catalog.regclass AND attgenerated = '' "
				   "AND e = pg_catalog.quote_ident(attname) || ' ' || pg_catalog.format_type(atttypid, atttypmod) "
				   "AND NOT EXISTS (SELECT FROM pg_catalog.unnest(pg_catalog.string_to_array($3, ', ')) AS p WHERE NOT CASE p WHEN 'DELETE' "
				   "THEN pg_catalog.has_table_privilege(attrelid, p) ELSE pg_catalog.has_column_privilege(attrelid, attnum, p) END))");
	ok = PQgetisnull(result, 0, 0);
	if (!ok)
	{
		pg_log_error("table %s cannot be used", table);
		pg_log_error_detail("It lacks these columns, or you lack rights to %s them: %s", rights, PQgetvalue(result, 0, 0));
	}
	PQclear(result);
	return ok;
}

/*
 * What is wrong with the table $1 that is to be loaded, if $2 is the name of the
 * type objectid; the type of its keys; does it have row-level
 * security; may rules or triggers take rows away after they are inserted?
 */
#define TABLE_CHECK \
	"SELECT CASE WHEN c.relkind NOT IN ('r', 'p') THEN 'It is not a table.' " \
	"WHEN t.type IS NULL THEN 'It has no column \"_id\" of type objectid, text, bigint, uuid or jsonb.' " \
	"WHEN d.attnum IS NULL THEN 'It has no column \"doc\" of type jsonb.' " \
	"WHEN i.attgenerated <> '' OR i.attidentity = 'a' OR d.attgenerated <> '' THEN 'Its column \"_id\" or \"doc\" is generated.' " \
	"WHEN NOT EXISTS (SELECT FROM pg_catalog.pg_index AS x WHERE x.indrelid = c.oid AND x.indisunique AND x.indisvalid " \
	"AND x.indimmediate AND x.indpred IS NULL AND x.indnkeyatts = 1 AND x.indkey[0] = i.attnum) " \
	"THEN 'Its column \"_id\" has no primary key or unique index, or only one that is deferrable or partial.' " \
	"WHEN NOT pg_catalog.has_column_privilege(c.oid, i.attnum, 'SELECT') OR NOT pg_catalog.has_column_privilege(c.oid, i.attnum, 'INSERT') " \
	"OR NOT pg_catalog.has_column_privilege(c.oid, d.attnum, 'INSERT') THEN 'You need the rights to SELECT and INSERT.' END, t.type - 1, " \
	"pg_catalog.row_security_active(c.oid), EXISTS (SELECT FROM pg_catalog.pg_rewrite AS r WHERE r.ev_class = c.oid AND r.ev_type = '3') " \
	"OR EXISTS (SELECT FROM pg_catalog.pg_trigger AS g WHERE g.tgrelid = c.oid AND NOT g.tgisinternal AND g.tgtype & 4 <> 0 AND g.tgtype & 66 = 0) " \
	"FROM pg_catalog.pg_class AS c " \
	"LEFT JOIN pg_catalog.pg_attribute AS i ON i.attrelid = c.oid AND i.attname = '_id' " \
	"LEFT JOIN pg_catalog.pg_attribute AS d ON d.attrelid = c.oid AND d.attname = 'doc' AND d.atttypid = 'pg_catalog.jsonb'::pg_catalog.regtype, " \
	"pg_catalog.array_position(ARRAY[pg_catalog.to_regtype($2), 'text', 'bigint', 'uuid', 'jsonb']::pg_catalog.regtype[], i.atttypid::pg_catalog.regtype) AS t(type) " \
	"WHERE c.oid = pg_catalog.to_regclass($1)"

/* See that a table can be loaded, by the result of TABLE_CHECK, and of what type its keys are. */
static bool
check_main_table(Collection *collection, PGresult *result)
{
	IdType		type = atoi(PQgetvalue(result, 0, 1));
	char	   *problem = NULL;

	if (!PQgetisnull(result, 0, 0))
		problem = pg_strdup(PQgetvalue(result, 0, 0));
	else if (options.id_type >= 0 && options.id_type != (int) type)
		problem = psprintf("Its column \"_id\" is of type %s.", id_type_names[type]);
	collection->check->id_type = type;
	if (type != ID_OBJECTID)
	{
		collection->key_type = id_type_names[type];
		collection->equals = "OPERATOR(pg_catalog.=)";
	}
	collection->row_security = *PQgetvalue(result, 0, 2) == 't';
	collection->rules = *PQgetvalue(result, 0, 3) == 't';
	collection->staged = collection->rules || collection->row_security;
	PQclear(result);
	if (problem)
	{
		pg_log_error("table %s cannot be loaded", collection->table);
		pg_log_error_detail("%s", problem);
	}
	return problem == NULL;
}

/* Create the table, or see that the one that is there can be loaded, and of what type its keys are. */
static bool
prepare_main_table(PGconn *conn, Collection *collection)
{
	IdType	   *type = &collection->check->id_type;
	PGresult   *result;
	const char *values[2];

	result = query(conn, 0, NULL, "SELECT pg_catalog.format('%%I.objectid', n.nspname), pg_catalog.format('OPERATOR(%%I.=)', n.nspname) "
				   "FROM pg_catalog.pg_extension AS e JOIN pg_catalog.pg_namespace AS n ON n.oid = e.extnamespace WHERE e.extname = 'objectid'");
	values[0] = collection->table;
	values[1] = PQntuples(result) > 0 ? pg_strdup(PQgetvalue(result, 0, 0)) : NULL;
	collection->key_type = values[1];
	collection->equals = PQntuples(result) > 0 ? pg_strdup(PQgetvalue(result, 0, 1)) : NULL;
	PQclear(result);
	if (options.id_type >= 0)
		*type = options.id_type;

	result = query(conn, 1, values, "SELECT pg_catalog.to_regclass($1)");
	if (PQgetisnull(result, 0, 0))
	{
		if (*type == ID_OBJECTID && values[1] == NULL)
		{
			pg_log_error("database \"%s\" does not have the extension", PQdb(conn));
			pg_log_error_hint("Run CREATE EXTENSION objectid there.");
			exit(1);
		}
		PQclear(query(conn, 0, NULL, "CREATE TABLE %s (_id %s PRIMARY KEY, doc jsonb NOT NULL)", collection->table,
					  *type == ID_OBJECTID ? values[1] : id_type_names[*type]));
		if (options.id_type < 0 && *type != ID_OBJECTID)
			pg_log_info("%s: the keys of the first documents are of type %s", collection->source, id_type_names[*type]);
	}
	PQclear(result);

	return check_main_table(collection, query(conn, 2, values, TABLE_CHECK));
}

/* Drop the tables of a collection, and forget what was loaded into them. */
static void
drop_target(PGconn *conn, const Collection *collection)
{
	const char *const values[] = {collection->imports, collection->table};
	PGresult   *result = query(conn, 1, values, "SELECT pg_catalog.to_regclass($1)");

	PQclear(query(conn, 0, NULL, "DROP TABLE IF EXISTS %s, %s", collection->table, collection->side_table));
	if (!PQgetisnull(result, 0, 0))
		PQclear(query(conn, 1, values + 1, "DELETE FROM %s WHERE target = $1", collection->imports));
	PQclear(result);
}

/*
 * Make the tables ready for a collection, in a transaction that stays open if it
 * comes from a pipe: then all of it is one.  False, after a message: it cannot
 * be loaded.
 */
bool
prepare_target(PGconn *conn, Collection *collection)
{
	const char *schema = collection->schema;
	PGresult   *result;
	bool		created = false;
	bool		ok;

	/* two must not create a table at a time */
	execute(conn, "SELECT pg_catalog.pg_advisory_lock(pg_catalog.hashtextextended('objectid-import', 0))");
	execute(conn, "BEGIN");
	result = query(conn, 1, &schema, "SELECT FROM pg_catalog.pg_namespace WHERE nspname = $1");
	if (PQntuples(result) == 0)
		PQclear(query(conn, 0, NULL, "CREATE SCHEMA %s", fmtId(schema)));
	PQclear(result);
	if (options.drop)
		drop_target(conn, collection);
	ok = prepare_main_table(conn, collection) &&
		prepare_table(conn, collection->side_table, SIDE_COLUMNS, "", "INSERT", &created) &&
		prepare_table(conn, collection->imports, IMPORT_COLUMNS, ", PRIMARY KEY (run, part)", "SELECT, INSERT, UPDATE, DELETE", &created);
	if (ok && created)
		PQclear(query(conn, 0, NULL, "ALTER TABLE %s ALTER run ADD GENERATED BY DEFAULT AS IDENTITY", collection->imports));
	ok = ok && prepare_record(conn, collection);
	if (!collection->stream || !ok)
		execute(conn, ok ? "COMMIT" : "ROLLBACK");

	/* the others wait for a table that is still to be committed */
	if (!collection->stream || !created)
		execute(conn, "SELECT pg_catalog.pg_advisory_unlock(pg_catalog.hashtextextended('objectid-import', 0))");
	return ok;
}
