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
#include "followers.inc"
#include "inspect_table.inc"
#include "name_tables.inc"

#define IMPORT_COLUMNS \
	"run bigint, part integer, target text, source text, size bigint, checksum bigint, " \
	"start_offset bigint, end_offset bigint, first_document bigint, next_offset bigint, " \
	"documents bigint, rejected bigint, changed bigint, equal bigint, key_orders bigint[], " \
	"started timestamp with time zone, finished timestamp with time zone"
#define SIDE_COLUMNS \
	"id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, target text, file text, run bigint, " \
	"\"position\" bigint, reason text, raw bytea"

#define FIND_ONLY_CATALOG "SET LOCAL search_path = pg_catalog, pg_temp"

/*
 * name_tables - name the tables, and find the type objectid
 *
 * Exits, after a message, if there cannot be tables of these names.
 */
void
name_tables(Connection *conn, Table *table, const LoadOptions *options)
{
	const char *const names[] = {options->table, table->name};
	char	  **const texts[] = {
		&table->schema, &table->name, &table->target, &table->side_table, &table->imports,
		&table->lock, &table->objectid, &table->distrusted
	};
	const char *values[8] = {
		options->table, options->side_table, table->schema, table->name, table->side_name
	};
	PGresult   *result;

	begin(conn, "");
	result = query(conn, lengthof(names), names,
				   "SELECT pg_catalog.current_schema(), "
				   "pg_catalog.to_regclass("
				   "coalesce($1, pg_catalog.quote_ident($2)))::pg_catalog.oid, "
				   "pg_catalog.current_schemas(true)");
	for (int i = 0; i < 3; i++)
		values[5 + i] = get_value(result, i);
	PQclear(result);
	execute(conn, FIND_ONLY_CATALOG);
	result = query(conn, lengthof(values), values, name_tables_sql);
	execute(conn, "COMMIT");
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
		pg_log_info("%s: the keys of the first documents are of type %s", collection->input.name,
					type_name);
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
	const char *const values[] = {table->target, table->objectid, options->upsert ? "t" : "f"};
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
	table->operator_schema = get_value(result, 4);
	table->id_type_oid = (Oid) strtoul(PQgetvalue(result, 0, 5), NULL, 10);
	table->collation = pg_strdup(PQgetvalue(result, 0, 6));
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
 * inspect_table - find out the type of the keys of a table, and whether
 * COPY can load it
 *
 * Returns false, after a message, if not.  The last statement checks rights
 * and generated columns.
 */
static bool
inspect_table(Connection *conn, Table *table, const LoadOptions *options)
{
	return read_key_type(conn, table, options, "loaded") &&
		try_execute(conn, psprintf("EXPLAIN INSERT INTO %s (_id, doc) SELECT _id, doc FROM %s",
								   table->target, table->target));
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
 * check_owners - check that no code of a role runs, when these tables are
 * loaded or verified ("what"), that a superuser should not run
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
		pg_log_error("table %s cannot be %s by a superuser", table->target, what);
		pg_log_error_detail("Role \"%s\" owns it, its table of rejected documents, the record of "
							"loads, or a part, the schema, or a trigger's or other function of "
							"these, which would run with your rights.", PQgetvalue(result, 0, 0));
		pg_log_error_hint("Connect as a role that is not a superuser.");
	}
	PQclear(result);
	return ok;
}

/*
 * lock_for_drop - lock the tables that exist, and check them before and
 * after that
 */
static bool
lock_for_drop(Connection *conn, const Table *table, bool side_exists, bool imports_exist)
{
	/* the owner cannot replace a locked table */
	return check_owners(conn, table, "loaded") &&
		(!side_exists || try_execute(conn, psprintf("LOCK TABLE %s", table->side_table))) &&
		(!imports_exist ||
		 try_execute(conn, psprintf("LOCK TABLE %s IN ROW EXCLUSIVE MODE", table->imports))) &&
		check_owners(conn, table, "loaded");
}

/*
 * drop_compare - drop what compares the columns of --schema-only with the
 * documents, before the table is dropped
 *
 * Returns false, after a message, if child tables follow it, too: they would
 * stay, and be full.
 */
static bool
drop_compare(Connection *conn, const Table *table)
{
	PGresult   *result = query(conn, 1, (const char *const *) &table->target, followers_sql);
	char	   *function = PQntuples(result) > 0 ? get_value(result, 0) : NULL;
	char	   *children = function ? get_value(result, 1) : NULL;

	PQclear(result);
	if (children)
	{
		pg_log_error("table %s has child tables", table->target);
		pg_log_error_detail("They follow it by triggers: %s.", children);
		pg_log_error_hint("TRUNCATE it, and use --restart instead of --drop, which keeps all "
						  "columns and child tables.  Or drop all of them first: "
						  "DROP TABLE %s, %s CASCADE", table->target, children);
		return false;
	}
	return function == NULL || try_execute(conn, psprintf("DROP FUNCTION %s", function));
}

/*
 * drop_tables - drop all of these tables in one statement, with those of
 * rejected documents unless these have documents of other tables, and
 * forget what was loaded
 *
 * Returns false, after a message, if that fails, for example because
 * something else depends on them.
 */
bool
drop_tables(Connection *conn, const Table *const *tables, int count)
{
	StringInfoData sql;
	PGresult   *result;
	bool		ok = true;

	initStringInfo(&sql);
	for (int i = 0; i < count && ok; i++)
	{
		const Table *table = tables[i];
		const char *const target[] = {table->target};
		bool		shared = false;
		bool		side_exists = table_exists(conn, table->side_table);
		bool		imports_exist = table_exists(conn, table->imports);

		ok = lock_for_drop(conn, table, side_exists, imports_exist) &&
			drop_compare(conn, table);
		if (ok && side_exists)
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
		appendStringInfo(&sql, "%s %s", i > 0 ? "," : "DROP TABLE IF EXISTS", table->target);
		if (!shared)
			appendStringInfo(&sql, ", %s", table->side_table);
		if (ok && imports_exist)
			ok = try_change(conn, 1, target, psprintf("DELETE FROM %s WHERE target = $1",
													  table->imports));
	}
	if (ok && count > 0)
	{
		result = PQexec(conn->pg, sql.data);
		ok = PQresultStatus(result) == PGRES_COMMAND_OK;
		if (!ok && is_lost(conn, result))
			exit_with_error(conn, result, NULL);
		if (!ok)
			print_error(conn, result, NULL, !has_state(result, "2BP01") ? NULL :
						"Drop these objects first, or keep them and the tables: TRUNCATE all "
						"tables in one statement, and use --restart instead of --drop.");
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
 * check_rights - check the rights to write to the side table and to the
 * record
 */
static bool
check_rights(Connection *conn, const Table *table)
{
	return try_execute(conn, psprintf("EXPLAIN INSERT INTO %s "
									  "(target, file, run, \"position\", reason, raw) "
									  "VALUES ('', '', 0::bigint, 0::bigint, '', ''::bytea)",
									  table->side_table)) &&
		try_execute(conn, psprintf("EXPLAIN UPDATE %s SET next_offset = 0, documents = 0, "
								   "rejected = 0, changed = 0, equal = 0, finished = now() "
								   "WHERE run = 0", table->imports));
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
	const Table *const tables[] = {table};

	return (!options->drop || drop_tables(conn, tables, 1)) &&
		create_side_table(conn, table) &&
		create_table(conn, collection, options) &&
		check_owners(conn, table, "loaded") &&
		try_execute(conn, psprintf("LOCK TABLE %s, %s, %s IN ROW EXCLUSIVE MODE", table->target,
								   table->side_table, table->imports)) &&
		check_owners(conn, table, "loaded") && inspect_table(conn, table, options) &&
		(!options->upsert ||
		 try_execute(conn, psprintf("EXPLAIN UPDATE %s SET doc = doc", table->target))) &&
		check_rights(conn, table);
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
