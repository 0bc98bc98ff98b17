/*-------------------------------------------------------------------------
 *
 * target.c
 *	  The names of the tables, and the tables.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "server.h"

#include "distrusted.inc"
#include "inspect_table.inc"
#include "name_tables.inc"

#define IMPORT_COLUMNS \
	"run bigint, part integer, target text, source text, size bigint, checksum bigint, " \
	"start_offset bigint, end_offset bigint, first_document bigint, next_offset bigint, " \
	"documents bigint, rejected bigint, changed bigint, equal bigint, options text, " \
	"started timestamp with time zone, finished timestamp with time zone"
#define SIDE_COLUMNS \
	"id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, target text, file text, run bigint, " \
	"\"position\" bigint, reason text, raw bytea"

#define FIND_ONLY_CATALOG "SET LOCAL search_path = pg_catalog, pg_temp"

/*
 * find_schema - what the search path of the role finds
 */
static void
find_schema(Connection *conn, Table *table)
{
	PGresult   *result = query(conn, 1, (const char *const *) &table->name,
							   "SELECT pg_catalog.current_schema(), pg_catalog.to_regclass("
							   "pg_catalog.quote_ident($1))::pg_catalog.oid, "
							   "pg_catalog.current_schemas(true)");

	for (int i = 0; i < (int) lengthof(table->found); i++)
		table->found[i] = get_value(result, i);
	PQclear(result);
}

/*
 * name_table - name a table and those that belong to it, and find the type
 * objectid
 */
static void
name_table(Connection *conn, Table *table)
{
	char	  **const texts[] = {
		&table->schema, &table->target, &table->side_table, &table->imports,
		&table->lock, &table->objectid, &table->distrusted
	};
	const char *const values[] = {
		table->schema, table->name, table->side_schema, table->side_name,
		table->found[0], table->found[1], table->found[2]
	};
	PGresult   *result = query(conn, lengthof(values), values, name_tables_sql);

	if (!PQgetisnull(result, 0, lengthof(texts)))
	{
		pg_log_error("%s", PQgetvalue(result, 0, lengthof(texts)));
		pg_log_error_hint("Choose different names with --table, --side-table or --schema. "
						  "In a dump, leave the collection out with --exclude.");
		exit(1);
	}
	for (int i = 0; i < (int) lengthof(texts); i++)
		*texts[i] = get_value(result, i);
	PQclear(result);
}

/*
 * name_tables - name the tables of all collections
 *
 * Exits, after a message, if there cannot be tables of these names.
 */
void
name_tables(Connection *conn, Collection *collections, int count)
{
	begin(conn, "");
	for (int i = 0; i < count; i++)
		find_schema(conn, &collections[i].table);
	execute(conn, FIND_ONLY_CATALOG);
	for (int i = 0; i < count; i++)
		name_table(conn, &collections[i].table);
	execute(conn, "COMMIT");
}

/*
 * take_lock - lock a table or a schema against other imports until the
 * transaction ends
 */
static void
take_lock(Connection *conn, const char *mode, const char *kind, const char *name)
{
	static const char sql[] =
	"SELECT pg_catalog.pg_%sadvisory_xact_lock%s(pg_catalog.hashtextextended($1, 0))";
	const char *key = psprintf("objectid-import %s", name);
	PGresult   *result = query(conn, 1, &key, psprintf(sql, "try_", mode));

	if (PQntuples(result) == 1 && *PQgetvalue(result, 0, 0) == 'f')
	{
		pg_log_info("waiting for another import into %s %s to end", kind, name);
		PQclear(query(conn, 1, &key, psprintf(sql, "", mode)));
	}
	PQclear(result);
}

/*
 * lock_target - lock the schema of a dump, or one table, so that files can
 * be loaded side by side
 *
 * The locks are those of a transaction, which survives a pooler.  No two
 * imports wait for each other, because the collections of a dump are
 * sorted.
 */
void
lock_target(Connection *conn, const Table *table, bool whole_schema)
{
	take_lock(conn, whole_schema ? "" : "_shared", "schema", table->schema);
	if (!whole_schema)
		take_lock(conn, "", "table", table->target);
}

static bool
table_exists(Connection *conn, const char *table)
{
	/* with a table, whose lock lets the session know what others have created */
	PGresult   *result = query(conn, 1, &table, "SELECT FROM pg_class WHERE oid = to_regclass($1)");
	bool		exists = PQntuples(result) > 0;

	PQclear(result);
	return exists;
}

/*
 * choose_id_type - the type of the keys of a new table
 */
static IdType
choose_id_type(const Collection *collection, const LoadOptions *options)
{
	return options->id_type != ID_UNKNOWN ? options->id_type : collection->progress->check.id_type;
}

/*
 * require_objectid - exit, after a message, if a new table needs the type
 * objectid, and the database does not have it
 */
void
require_objectid(Connection *conn, const Collection *collection, const LoadOptions *options)
{
	if (choose_id_type(collection, options) != ID_OBJECTID || collection->table.objectid)
		return;
	pg_log_error("database \"%s\" does not have the type objectid", PQdb(conn->pg));
	if (collection->table.distrusted)
		pg_log_error_detail("%s", collection->table.distrusted);
	pg_log_error_hint("Run CREATE EXTENSION objectid there, or plain/objectid.sql if the server "
					  "does not have the extension.");
	exit(1);
}

/*
 * create_table - create the table of a collection, if it does not exist
 *
 * Returns false, after a message, if that fails.
 */
static bool
create_table(Connection *conn, Collection *collection, const LoadOptions *options)
{
	IdType		type = choose_id_type(collection, options);
	const char *type_name = id_type_names[type];
	Table	   *table = &collection->table;

	if (table_exists(conn, table->target))
		return true;
	require_objectid(conn, collection, options);
	if (options->id_type == ID_UNKNOWN && type != ID_OBJECTID)
		pg_log_info("%s: the keys of the first documents%s are of type %s", collection->input.name,
					collection->progress->check.empty ? " of other collections" : "", type_name);
	table->created = true;
	return try_execute(conn, psprintf("CREATE TABLE %s (_id %s PRIMARY KEY, doc jsonb NOT NULL)",
									  table->target,
									  type == ID_OBJECTID ? table->objectid : type_name));
}

/*
 * read_identity - what distinguishes a table from another of its name, and
 * from itself before TRUNCATE
 */
char *
read_identity(Connection *conn, const Table *table)
{
	PGresult   *result = query(conn, 1, (const char *const *) &table->target,
							   "SELECT pg_catalog.concat(c.oid, ' ', "
							   "pg_catalog.pg_relation_filenode(c.oid), ' ', "
							   "(SELECT pg_catalog.sum("
							   "pg_catalog.pg_relation_filenode(relid)::pg_catalog.int8) "
							   "FROM pg_catalog.pg_partition_tree(c.oid))) "
							   "FROM pg_catalog.pg_class AS c "
							   "WHERE c.oid OPERATOR(pg_catalog.=) pg_catalog.to_regclass($1)");
	char	   *identity = get_value(result, 0);

	PQclear(result);
	return identity ? identity : "";
}

/*
 * read_key_type - find out the type of the keys of a table
 *
 * Returns false, after a message, if it is not a table that COPY can load.
 * "what" is what cannot be done with it then.
 */
bool
read_key_type(Connection *conn, Table *table, const LoadOptions *options, const char *what)
{
	const char *const values[] = {table->target, options->upsert ? "t" : "f"};
	PGresult   *result = try_query(conn, lengthof(values), values, inspect_table_sql);
	const char *problem;

	if (result == NULL)
		return false;
	if (PQntuples(result) == 0)
	{
		pg_log_error("table %s has been dropped", table->target);
		PQclear(result);
		return false;
	}
	problem = get_value(result, 0);
	table->id_type = find_id_type(PQgetvalue(result, 0, 1));
	if (*PQgetvalue(result, 0, 2) == 't')
		table->id_type = ID_DOMAIN;
	table->id_type_name = get_value(result, 3);
	table->id_type_oid = (Oid) strtoul(PQgetvalue(result, 0, 4), NULL, 10);
	table->collation = pg_strdup(PQgetvalue(result, 0, 5));
	table->analyzed = pg_strdup(PQgetvalue(result, 0, 6));
	PQclear(result);
	if (problem == NULL && options->id_type != ID_UNKNOWN &&
		strcmp(id_type_names[table->id_type], id_type_names[options->id_type]) != 0)
		problem = psprintf("Its column \"_id\" is of type %s.", id_type_names[table->id_type]);
	if (problem)
	{
		pg_log_error("table %s cannot be %s", table->target, what);
		pg_log_error_detail("%s", problem);
	}
	return problem == NULL;
}

/*
 * prepare_schema - create the schema and the table of imports, which all
 * loads into the schema share
 */
static bool
prepare_schema(Connection *conn, const Table *table)
{
	const char *schema = table->schema;
	PGresult   *result = query(conn, 1, &schema,
							   "SELECT to_regnamespace(quote_ident($1)), quote_ident($1)");
	bool		ok = !PQgetisnull(result, 0, 0) ||
	try_execute(conn, psprintf("CREATE SCHEMA %s", PQgetvalue(result, 0, 1)));

	PQclear(result);
	if (ok && !table_exists(conn, table->imports))
		ok = try_execute(conn, psprintf("CREATE TABLE %1$s (" IMPORT_COLUMNS "); "
										"ALTER TABLE %1$s ADD PRIMARY KEY (run, part), "
										"ALTER run ADD GENERATED BY DEFAULT AS IDENTITY",
										table->imports));
	return ok;
}

/*
 * check_owners - check that only code of trusted roles runs when these
 * tables are loaded or verified ("what")
 *
 * Returns false, after a message, if some does.  Before the tables are
 * locked, this check runs none of that code; afterwards, its result stays
 * true.
 */
bool
check_owners(Connection *conn, const Table *table, const char *what)
{
	const char *const values[] = {table->target, table->side_table, table->imports};
	PGresult   *result = try_query(conn, lengthof(values), values, distrusted_sql);
	bool		ok = result && PQntuples(result) == 0;

	if (result && !ok)
	{
		pg_log_error("table %s cannot be %s", table->target, what);
		pg_log_error_detail("Role \"%s\" owns it, its table of rejected documents, the record of "
							"loads, or a part, the schema, or a trigger's or other function of "
							"these, which would run with your rights.", PQgetvalue(result, 0, 0));
		pg_log_error_hint("Connect as that role, or give these to the owner of the database.");
	}
	PQclear(result);
	return ok;
}

/*
 * lock_to_clear - lock the tables that exist, and check them before and
 * after that
 *
 * Only TRUNCATE runs triggers of the table itself.
 */
static bool
lock_to_clear(Connection *conn, const Table *table, const bool *exist, bool truncate)
{
	/* the owner cannot replace a locked table */
	return check_owners(conn, table, "loaded") &&
		(!exist[0] || !truncate || try_execute(conn, psprintf("LOCK TABLE %s", table->target))) &&
		(!exist[1] || try_execute(conn, psprintf("LOCK TABLE %s", table->side_table))) &&
		(!exist[2] ||
		 try_execute(conn, psprintf("LOCK TABLE %s IN ROW EXCLUSIVE MODE", table->imports))) &&
		check_owners(conn, table, "loaded");
}

/*
 * clear_tables - drop or truncate all of these tables in one statement, with
 * those of rejected documents unless these have documents of other tables,
 * and forget what was loaded
 *
 * Returns false, after a message, if that fails, for example because
 * something else depends on them.
 */
bool
clear_tables(Connection *conn, Table *const *tables, int count, bool truncate)
{
	StringInfoData sql;
	PGresult   *result;
	bool		ok = true;
	int			used = 0;

	initStringInfo(&sql);
	for (int i = 0; i < count && ok; i++)
	{
		Table	   *table = tables[i];
		const char *const names[] = {table->target, table->side_table, table->imports};
		const char *const target[] = {table->target};
		bool		exist[3];
		bool		shared = false;

		for (int j = 0; j < 3; j++)
			exist[j] = table_exists(conn, names[j]);
		ok = lock_to_clear(conn, table, exist, truncate);
		if (ok && exist[1])
		{
			result = try_query(conn, 1, target,
							   psprintf("SELECT FROM %s WHERE target <> $1 LIMIT 1",
										table->side_table));
			ok = result != NULL;
			shared = PQntuples(result) > 0;
			PQclear(result);
			if (shared)
				ok = try_change(conn, 1, target, psprintf("DELETE FROM %s WHERE target = $1",
														  table->side_table));
		}
		for (int j = 0; j < 2; j++)
			if (exist[j] && !(j == 1 && shared))
				appendStringInfo(&sql, "%s %s", used++ > 0 ? "," : truncate ? "TRUNCATE" :
								 "DROP TABLE", names[j]);
		if (ok && exist[2])
			ok = try_change(conn, 1, target, psprintf("DELETE FROM %s WHERE target = $1",
													  table->imports));
		table->cleared = true;
	}
	if (ok && used > 0)
	{
		result = PQexec(conn->pg, sql.data);
		ok = PQresultStatus(result) == PGRES_COMMAND_OK;
		if (!ok && is_lost(conn, result))
			exit_with_error(conn, result, NULL);
		if (!ok)
			print_error(conn, result, NULL, has_state(result, "2BP01") ?
						"Drop these objects first, or use --truncate instead of --drop, which "
						"keeps them and the tables." :
						truncate && has_state(result, "0A000") ?
						"Drop the foreign key, and add it again after the load." : NULL);
		PQclear(result);
	}
	pfree(sql.data);
	return ok;
}

/*
 * is_referenced - does a foreign key of another table depend on this one?
 */
bool
is_referenced(Connection *conn, const Table *table)
{
	PGresult   *result = query(conn, 1, (const char *const *) &table->target,
							   "SELECT FROM pg_constraint WHERE contype = 'f' AND "
							   "confrelid = to_regclass($1) AND conrelid <> confrelid LIMIT 1");
	bool		found = PQntuples(result) > 0;

	PQclear(result);
	return found;
}

/*
 * create_side_table - create the table of rejected documents, if it does
 * not exist
 *
 * A pipe creates it in a long transaction, for whose end another load waits
 * here, to see the table.
 */
static bool
create_side_table(Connection *conn, const Table *table)
{
	if (table_exists(conn, table->side_table))
		return true;
	return try_change(conn, 1, (const char *const *) &table->side_table,
					  "SELECT pg_advisory_xact_lock("
					  "hashtextextended('objectid-import ' || $1, 0))") &&
		(table_exists(conn, table->side_table) ||
		 try_execute(conn, psprintf("CREATE TABLE %s (" SIDE_COLUMNS ")", table->side_table)));
}

/*
 * check_rights - check the rights to write to the tables, and that columns
 * are not generated
 */
static bool
check_rights(Connection *conn, const Table *table, bool upsert)
{
	return try_execute(conn, psprintf("EXPLAIN INSERT INTO %1$s (_id, doc) "
									  "SELECT _id, doc FROM %1$s; %2$s"
									  "EXPLAIN INSERT INTO %3$s "
									  "(target, file, run, \"position\", reason, raw) "
									  "VALUES ('', '', 0::bigint, 0::bigint, '', ''::bytea); "
									  "EXPLAIN UPDATE %4$s SET next_offset = 0, documents = 0, "
									  "rejected = 0, changed = 0, equal = 0, finished = now() "
									  "WHERE run = 0", table->target,
									  upsert ? psprintf("EXPLAIN UPDATE %s SET doc = doc; ",
														table->target) : "",
									  table->side_table, table->imports));
}

/*
 * prepare_tables - create and check the tables of a file
 *
 * Returns false, after a message, if it cannot be loaded.
 */
static bool
prepare_tables(Connection *conn, Collection *collection, const LoadOptions *options)
{
	Table	   *table = &collection->table;
	bool		clear = (options->drop || options->truncate) && !table->cleared;

	return (!clear || clear_tables(conn, &table, 1, options->truncate)) &&
		create_side_table(conn, table) &&
		create_table(conn, collection, options) &&
		check_owners(conn, table, "loaded") &&
		try_execute(conn, psprintf("LOCK TABLE %s, %s, %s IN ROW EXCLUSIVE MODE", table->target,
								   table->side_table, table->imports)) &&
		check_owners(conn, table, "loaded") && read_key_type(conn, table, options, "loaded") &&
		check_rights(conn, table, options->upsert);
}

/*
 * begin_preparation - begin a transaction that prepares tables
 *
 * Only one program at a time creates any, else two may deadlock.
 */
void
begin_preparation(Connection *conn)
{
	begin(conn, FIND_ONLY_CATALOG
		  "; SELECT pg_advisory_xact_lock(hashtextextended('objectid-import', 0))");
}

/*
 * prepare_target - make the tables ready for a file, and find or record its
 * run
 *
 * The transaction of a pipe stays open: then all of it is one, but for what
 * other loads share.  Returns false, after a message, if it cannot be
 * loaded.
 */
bool
prepare_target(Connection *conn, Collection *collection, const LoadOptions *options)
{
	Table	   *table = &collection->table;
	bool		stream = collection->input.stream;
	bool		ok = prepare_schema(conn, table);

	if (ok && stream)
	{
		execute(conn, "COMMIT");
		begin(conn, FIND_ONLY_CATALOG);
	}

	/* after kill -9, the old server process may still be at work */
	ok = ok && try_execute(conn, psprintf("SELECT pg_advisory_xact_lock(%s)", table->lock)) &&
		prepare_tables(conn, collection, options) && prepare_record(conn, collection, options);
	if (ok)
		table->identity = read_identity(conn, table);
	if (ok && stream)
		execute(conn, "SET LOCAL search_path TO DEFAULT");
	return ok;
}
