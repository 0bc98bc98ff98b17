/*-------------------------------------------------------------------------
 *
 * target.c
 *	  The names of the tables, and the tables.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "command.h"
#include "load.h"
#include "message.h"
#include "names.h"

#include "distrusted.inc"
#include "find_schema.inc"
#include "imports.inc"
#include "inspect_table.inc"
#include "name_tables.inc"
#include "rights.inc"

/* foreign keys connect the table to others, with which it is dropped or truncated */
#define is_cleared_together(table) ((table)->connected && (table)->run.anew)

/*
 * name_tables - name the tables of all collections, and those that belong to them, and find out
 * which there are, and the type objectid.  Gives up, after a message, if there cannot be tables of
 * these names.
 */
void
name_tables(PGconn *conn)
{
	PGresult   *path;

	begin(conn, "");
	path = query(conn, 0, NULL, "SELECT pg_catalog.current_schemas(true), "
				 "coalesce(pg_catalog.current_schema(), '')");
	execute(conn, FIND_ONLY_CATALOG);
	for_each_collection(collection)
	{
		Table	   *table = &collection->table;
		char	  **const texts[] = {
			&table->target, &table->side_table, &table->imports, &table->lock, &table->objectid
		};
		bool	   *const flags[] = {&table->exists, &table->side_exists, &table->side_readable};
		const int	problem = lengthof(texts) + lengthof(flags);
		const char *const names[] = {PQgetvalue(path, 0, 0), table->name, PQgetvalue(path, 0, 1)};
		const char *values[] = {table->schema, table->name, table->side_name, names[0]};
		PGresult   *result;

		if (values[0] == NULL)
			values[0] = table->schema = query_value(conn, lengthof(names), names, find_schema_sql);
		result = query(conn, lengthof(values), values, name_tables_sql);
		if (!PQgetisnull(result, 0, problem))
			pg_fatal_hint("Choose different names with --table or --schema. "
						  "In a dump, leave the collection out with --exclude.",
						  "%s", PQgetvalue(result, 0, problem));
		for (int j = 0; j < problem; j++)
			if (j < (int) lengthof(texts))
				*texts[j] = get_value(result, 0, j);
			else
				*flags[j - lengthof(texts)] = is_true(result, 0, j);
		PQclear(result);
	}
	execute(conn, "COMMIT");
	PQclear(path);
}

/* lock a table or a schema against other imports until the transaction ends */
static void
take_lock(PGconn *conn, const char *mode, const char *kind, const char *name)
{
	static const char sql[] =
	"SELECT pg_catalog.pg_%sadvisory_xact_lock%s(pg_catalog.hashtextextended($1, 0))";
	const char *key = psprintf("objectid-import %s", name);
	PGresult   *result = query(conn, 1, &key, psprintf(sql, "try_", mode));

	if (PQntuples(result) == 1 && *PQgetvalue(result, 0, 0) == 'f')
	{
		pg_log_info("waiting for another import into %s %s to end", kind, name);
		change(conn, 1, &key, psprintf(sql, "", mode));
	}
	PQclear(result);
}

/*
 * lock_target - lock the schema of a dump, or one table, so that files can be loaded side by
 * side.  The locks are those of a transaction, which survives a pooler.  No two imports wait for
 * each other, because the collections of a dump are sorted.
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
	/* with a table, whose lock lets the session know what others have created */
	return has_rows(conn, table, "SELECT 1 FROM pg_class WHERE oid = to_regclass($1)");
}

/*
 * Give up, after a message, if a new table needs the type objectid, and the database does not have
 * it.
 */
static void
require_objectid(PGconn *conn, const Collection *collection)
{
	if (collection->progress->check.id_type != ID_OBJECTID || collection->table.objectid)
		return;
	pg_fatal_hint("Run CREATE EXTENSION objectid there, or plain/objectid.sql if the server "
				  "does not have the extension.",
				  "database \"%s\" does not have the type objectid", PQdb(conn));
}

/* create the table of a collection, if it does not exist */
static void
create_table(PGconn *conn, Collection *collection)
{
	IdType		type = collection->progress->check.id_type;
	const char *type_name = id_type_names[type];
	Table	   *table = &collection->table;

	table->run.created = !table_exists(conn, table->target);
	if (!table->run.created)
		return;
	require_objectid(conn, collection);
	if (command.options->id_type == ID_UNKNOWN && type != ID_OBJECTID)
		pg_log_info("%s: the keys of the first documents%s are of type %s", collection->input.name,
					collection->progress->check.empty ? " of other collections" : "", type_name);
	execute(conn, psprintf("CREATE TABLE %s (_id %s PRIMARY KEY, doc jsonb NOT NULL)",
						   table->target, type == ID_OBJECTID ? table->objectid : type_name));
}

/* say why something cannot be done with a table, and give up */
static void
cannot_be(const Table *table, const char *detail, const char *hint)
{
	pg_log_error("table %s cannot be %s", table->target,
				 command.options->action == VERIFY ? "verified" : "loaded");
	pg_log_error_detail("%s", detail);
	if (hint)
		pg_log_error_hint("%s", hint);
	give_up();
}

/* inspect_table - what is known of a table: see inspect_table.sql */
PGresult *
inspect_table(PGconn *conn, const Table *table)
{
	const char *const values[] = {table->target, command.options->upsert ? "t" : "f"};

	return query(conn, lengthof(values), values, inspect_table_sql);
}

/*
 * read_key_type - find out the type of the keys of a table, which COPY must be able to load, and
 * what identifies it
 */
void
read_key_type(PGconn *conn, Table *table)
{
	IdType		wanted = command.options->id_type;
	PGresult   *result = inspect_table(conn, table);

	if (PQntuples(result) == 0)
		pg_fatal("table %s has been dropped", table->target);
	table->key.type = find_id_type(PQgetvalue(result, 0, 1));
	if (is_true(result, 0, 2))
		table->key.type = ID_DOMAIN;
	table->key.type_name = get_value(result, 0, 3);
	table->key.type_oid = (Oid) strtoul(PQgetvalue(result, 0, 4), NULL, 10);
	table->key.collation = pg_strdup(PQgetvalue(result, 0, 5));
	table->key.analyzed = pg_strdup(PQgetvalue(result, 0, 6));
	table->key.identity = pg_strdup(PQgetvalue(result, 0, 7));
	table->key.storage = pg_strdup(PQgetvalue(result, 0, 8));
	if (!PQgetisnull(result, 0, 0))
		cannot_be(table, PQgetvalue(result, 0, 0),
				  strstr(PQgetvalue(result, 0, 0), "\"doc\"") ?
				  "If the application writes it, leave the collection out with --exclude." : NULL);
	if (wanted != ID_UNKNOWN && strcmp(id_type_names[table->key.type], id_type_names[wanted]) != 0)
		cannot_be(table, psprintf("Its column \"_id\" is of type %s.",
								  id_type_names[table->key.type]),
				  command.options->action == LOAD ?
				  "Use --drop to replace the table, or leave --id-type out." : NULL);
	PQclear(result);
}

/* check the owners of up to three tables, of which the last can be NULL */
static void
check_names(PGconn *conn, const Table *table, const char *const *names)
{
	static const Placeholder relations[] = {
		{"relations", "unnest(ARRAY[to_regclass($1), to_regclass($2), to_regclass($3)])"},
		{NULL, NULL}
	};
	char	   *sql = render(distrusted_sql, relations);
	const char *role = query_value(conn, 3, names, sql);

	pg_free(sql);
	if (role)
		cannot_be(table,
				  psprintf("Role \"%s\" owns it, its table of rejected documents, the record of "
						   "loads, or a part, the schema, or a trigger's or other function of "
						   "these, which would run with your rights.", role),
				  "Connect as that role, or give these to the owner of the database.  "
				  "If that role is set by SET ROLE or ALTER ROLE, run "
				  "PGOPTIONS='-c role=none' " PROGRAM " ...");
}

/*
 * check_owners - check that only code of trusted roles runs when these tables are loaded or
 * verified.  Before the tables are locked, this check runs none of that code; afterwards, its
 * result stays true.
 */
void
check_owners(PGconn *conn, const Table *table)
{
	const char *const names[] = {table->target, table->side_table, table->imports};

	check_names(conn, table, names);
}

/*
 * lock_checked - lock one of the tables for a batch, and check its owners again: since the
 * preparation, a role that has the right may have created a trigger
 */
Outcome
lock_checked(PGconn *conn, const Table *table, const char *locked)
{
	const char *const names[] = {locked, NULL, NULL};
	char	   *sql = psprintf("LOCK TABLE %s IN ROW EXCLUSIVE MODE; " FIND_ONLY_CATALOG, locked);
	PGresult   *result = PQexec(conn, sql);
	Outcome		outcome = classify_result(conn, result, table->target);

	if (outcome == NOT_LOADED)
		fail(conn, result, table->target, NULL);
	PQclear(result);
	pg_free(sql);
	if (outcome != LOADED)
		return outcome;
	check_names(conn, table, names);
	execute(conn, "SET LOCAL search_path TO DEFAULT");
	return LOADED;
}

/*
 * Forget what was loaded into a table.  Adds the table to the list of those to drop or truncate,
 * and that of rejected documents unless it has documents of other tables.  The tables are checked
 * before and after they are locked, when an owner cannot replace them.  Only TRUNCATE runs
 * triggers of the table itself.
 */
static void
clear_record(PGconn *conn, Table *table, StringInfo list)
{
	static const char *const modes[] = {"ACCESS EXCLUSIVE", "ACCESS EXCLUSIVE", "ROW EXCLUSIVE"};
	const char *const names[] = {table->target, table->side_table, table->imports};
	bool		clear[] = {false, false, false};

	check_owners(conn, table);
	for (int i = 0; i < 3; i++)
	{
		clear[i] = table_exists(conn, names[i]);
		if (clear[i] && (i > 0 || command.options->truncate))
			execute(conn, psprintf("LOCK TABLE %s IN %s MODE", names[i], modes[i]));
	}
	check_owners(conn, table);
	for (int i = 0; i < (int) lengthof(names); i++)
		if (clear[i] && (i == 2 ||
						 (i == 1 && has_rows(conn, table->target,
											 psprintf("SELECT 1 FROM %s WHERE target "
													  "IS DISTINCT FROM $1 LIMIT 1",
													  table->side_table)))))
			change(conn, 1, (const char *const *) &table->target,
				   psprintf("DELETE FROM %s WHERE target = $1", names[i]));
		else if (clear[i])
			appendStringInfo(list, "%s%s", list->len > 0 ? ", " : "", names[i]);
}

/*
 * Drop or truncate a table, or all of these that foreign keys connect, in one
 * statement, with those of rejected documents, and forget what was loaded
 */
static void
clear_tables(PGconn *conn, Collection *collections, int count)
{
	bool		truncate = command.options->truncate;
	StringInfoData list;
	PGresult   *result;

	initStringInfo(&list);
	for (int i = 0; i < count; i++)
		if (collections[i].progress->state == PENDING && collections[i].table.run.anew &&
			collections[i].table.connected == (count > 1))
			clear_record(conn, &collections[i].table, &list);
	if (list.len == 0)
		return;
	result = PQexec(conn, psprintf("%s %s", truncate ? "TRUNCATE" : "DROP TABLE", list.data));
	if (PQresultStatus(result) != PGRES_COMMAND_OK)
		fail(conn, result, NULL, has_state(result, "2BP01") ?
			 "Drop these objects first, or use --truncate instead of --drop, which "
			 "keeps them and the tables." :
			 truncate && has_state(result, "0A000") ?
			 "Drop the foreign key, and add it again after the load.  If the application "
			 "writes the table, leave the collection out with --exclude." : NULL);
	PQclear(result);
	pfree(list.data);
}

/*
 * Begin a transaction that prepares tables.  Only one program at a time creates any, else two may
 * deadlock.
 */
static void
begin_preparation(PGconn *conn)
{
	begin(conn, FIND_ONLY_CATALOG "; SET LOCAL synchronous_commit = off"
		  "; SELECT pg_advisory_xact_lock(hashtextextended('objectid-import', 0))");
}

/*
 * Create and check the tables for a file, and find or record its run.  Unless it is connected to
 * others, this is where its table is dropped or truncated.
 */
static void
prepare_target(PGconn *conn, Collection *collection)
{
	Table	   *table = &collection->table;

	/* all loads into the schema share the record */
	if (!has_rows(conn, table->schema, "SELECT 1 FROM pg_namespace WHERE nspname = $1"))
		execute(conn, psprintf("CREATE SCHEMA %s",
							   PQescapeIdentifier(conn, table->schema, strlen(table->schema))));
	if (!table_exists(conn, table->imports))
		execute(conn, fill_in(imports_sql, table));

	/* after kill -9, the old server process may still be at work */
	execute(conn, psprintf("SELECT pg_advisory_xact_lock(%s)", table->lock));
	if (command.options->drop || command.options->truncate)
		clear_tables(conn, collection, 1);
	if (!table_exists(conn, table->side_table))
		execute(conn, fill_in("CREATE TABLE {side} (id bigint GENERATED ALWAYS AS IDENTITY "
							  "PRIMARY KEY, target text, file text, run bigint, "
							  "\"position\" bigint, reason text, raw bytea)", table));
	create_table(conn, collection);
	check_owners(conn, table);
	execute(conn, fill_in("LOCK TABLE {table}, {side}, {imports} IN ROW EXCLUSIVE MODE", table));
	check_owners(conn, table);
	read_key_type(conn, table);
	if (command.options->upsert)
		execute(conn, fill_in("EXPLAIN UPDATE {table} SET doc = doc", table));
	execute(conn, fill_in(rights_sql, table));
	prepare_record(conn, collection);
	table->exists = table->side_exists = true;
}

/* do a step of the preparation of a collection, as a transaction, or refuse it */
static void
try_to_prepare(PGconn *conn, void (*step) (PGconn *conn, Collection *collection),
			   Collection *collection)
{
	State	   *state = &collection->progress->state;

	if (*state != PENDING)
		return;
	begin_preparation(conn);
	if (!try_step(conn, step, collection))
		*state = REFUSED;
	execute(conn, *state == REFUSED ? "ROLLBACK" : "COMMIT");
}

/* what choose_anew() needs to know */
static void
find_old(PGconn *conn, Collection *collection)
{
	Table	   *table = &collection->table;

	if (table_exists(conn, table->imports))
	{
		/* after the lock, its owner cannot replace it */
		execute(conn, fill_in("LOCK TABLE {imports} IN ROW EXCLUSIVE MODE", table));
		check_owners(conn, table);
		find_begun(conn, collection);
	}
	table->connected = (command.options->drop || command.options->truncate) &&
		has_rows(conn, table->target, "SELECT 1 FROM pg_constraint WHERE contype = 'f' AND "
				 "conrelid <> confrelid AND to_regclass($1) IN (confrelid, conrelid) LIMIT 1");
}

/* was the command that began this load interrupted, in any file of the present one? */
static bool
is_interrupted(const Run *run)
{
	for_each_collection(collection)
	{
		const Run  *other = &collection->table.run;

		if (run->command && other->interrupted && other->command &&
			strcmp(other->command, run->command) == 0)
			return true;
	}
	return false;
}

/*
 * With --drop, --truncate or --restart, choose the files to load anew: all but those that the same
 * command began before it was interrupted.  Tables that foreign keys connect are cleared together.
 */
static void
choose_anew(PGconn *conn)
{
	const char *name = NULL;	/* of this command, or of the interrupted one */
	bool		together = false;

	for_each_collection(collection)
	{
		try_to_prepare(conn, find_old, collection);
	}
	for_each_collection(collection)
	{
		Table	   *table = &collection->table;

		table->run.anew = !is_interrupted(&table->run);
		table->connected &= command.count > 1;
		name = table->run.anew ? name : table->run.command;
		together |= table->run.anew && table->connected;
	}
	if (name == NULL)
		name = new_command(conn);
	for_each_collection(collection)
	{
		collection->table.run.anew |= together && collection->table.connected;
		collection->table.run.command = name;
	}
}

/*
 * prepare_tables - prepare the tables of all files that can be loaded: those that are cleared
 * together in one transaction, and each of the others in one, because all would need many locks
 */
void
prepare_tables(PGconn *conn)
{
	bool		clear = command.options->drop || command.options->truncate;

	for_each_collection(collection)
		if (collection->progress->state == PENDING && (clear || !collection->table.exists))
		require_objectid(conn, collection);
	if (clear || command.options->restart)
		choose_anew(conn);
	begin_preparation(conn);
	if (command.count > 1)
		clear_tables(conn, command.collections, command.count);
	for_each_collection(collection)
		if (collection->progress->state == PENDING && is_cleared_together(&collection->table))
		prepare_target(conn, collection);
	execute(conn, "COMMIT");
	for_each_collection(collection)
		if (!is_cleared_together(&collection->table))
		try_to_prepare(conn, prepare_target, collection);
}

/*
 * analyze - update the statistics of a table; that it fails does not undo the load.  Those of
 * "doc" take long, and serve few queries.  But only without a list of columns are the expressions
 * of indexes analyzed.
 */
void
analyze(PGconn *conn, const Table *table)
{
	const char *sql = psprintf("SET LOCAL client_min_messages = error; "
							   "SET LOCAL synchronous_commit = off; ANALYZE %s%s; COMMIT",
							   table->target, table->key.analyzed);
	PGresult   *result = PQexec(conn, begin_statement(conn, sql));

	if (PQresultStatus(result) != PGRES_COMMAND_OK)
	{
		pg_log_warning("could not analyze table %s: %s", table->target,
					   error_message(conn, result));
		PQclear(PQexec(conn, "ROLLBACK"));
	}
	PQclear(result);
}
