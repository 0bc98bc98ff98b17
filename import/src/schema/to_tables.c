/*-------------------------------------------------------------------------
 *
 * to_tables.c
 *	  --to-tables: statements that make columns of documents plain, and their views tables.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "schema.h"

#include "count_values.inc"
#include "element_rights.inc"
#include "lost_views.inc"
#include "old_documents.inc"
#include "only_in_doc.inc"
#include "read_states.inc"
#include "read_table.inc"
#include "replace_views.inc"
#include "tables_state.inc"

/* definitions are printed and compared with the same settings */
static const char settings[] =
"SET LOCAL row_security = off;\n"
"SET LOCAL quote_all_identifiers = off;\n"
"SET LOCAL timezone = 'UTC';\n"
"SET LOCAL datestyle = iso;\n"
"SET LOCAL intervalstyle = postgres;\n"
"SET LOCAL extra_float_digits = 3;\n"
"SET LOCAL bytea_output = hex;\n";

/* what is converted: each table with documents, and then its views, outer arrays first */
static Database *db;
static const DbRelation **relations;
static int	count;
static const char *oids;		/* of these */

/* read the catalogue, and find what is to be converted: all of a schema, or of all, or one table */
static void
find_relations(Database *database)
{
	const Options *options = command.options;
	Table		table = {.schema = unconstify(char *, options->schema)};
	const char *schemas;
	const char *name = NULL;

	db = database;
	if (options->table)
	{
		parse_table_name(options->table, &table.schema, &table.name);
		find_schema(database, &table);
		name = psprintf("%s.%s", quote_name(table.schema), quote_name(table.name));
		if (!has_rows(db->conn, name,
					  "SELECT 1 FROM pg_class AS c JOIN pg_attribute ON attrelid = c.oid "
					  "WHERE c.oid = to_regclass($1) AND relkind IN ('r', 'p') "
					  "AND attname = '_id'"))
			pg_fatal("there is no table %s with a column \"_id\"", options->table);
		name = add_to_array(NULL, table.name);
	}
	schemas = query_value(db->conn, 1, (const char *const *) &table.schema,
						  "SELECT array_agg(nspname) FROM pg_namespace "
						  "WHERE nspname = coalesce($1, nspname) "
						  "AND nspname !~ '^(pg_|information_schema$)'");
	if (schemas == NULL)
		pg_fatal("schema \"%s\" does not exist", table.schema);
	read_relations(db, schemas, name, true);
	for (int i = 0; i < db->relation_count; i++)
		if (db->relations[i].level == 0 || db->relations[i].kind == 'v')
		{
			*add_place(relations, count) = &db->relations[i];
			oids = add_to_array(oids, db->relations[i].oid);
		}
}

/* lock views before tables, as readers do, and then check that all is as it was printed */
static void
emit_locks(void)
{
	static const Placeholder values[] = {{"state", tables_state_sql}, {NULL, NULL}};
	char	   *views = "";
	char	   *tables = "";
	PGresult   *result;

	for (int i = 0; i < count; i++)
	{
		const DbRelation *r = relations[i];

		if (r->level == 0)
			tables = psprintf("%s%s%s", tables, *tables ? ", " : "", r->target);
		/* otherwise, the owner of the view would need the right */
		else if (strcmp(r->owner, r->root->owner) == 0)
			views = psprintf("%s%s, ", views, r->target);
	}
	emit("LOCK TABLE %s%s;\n-- this script is for these tables and views\n", views, tables);
	result = query(db->conn, 1, &oids, render(read_states_sql, values));
	emit("SELECT CASE WHEN count(*) > 0 THEN (string_agg(name, ', ') || ' has changed: print this "
		 "again')::integer END\nFROM (VALUES");
	for (int i = 0; i < PQntuples(result); i++)
		emit("%s\n  (%s, %s)", i > 0 ? "," : "", quote_text(PQgetvalue(result, i, 0)),
			 quote_text(PQgetvalue(result, i, 1)));
	emit("\n) AS r (name, printed), LATERAL (\n%s) AS s WHERE state <> printed;\n",
		 tables_state_sql);
	PQclear(result);
}

/* count what is only in the documents of a table */
static void
emit_losses(const DbRelation *table, const char *converted)
{
	const char *columns[] = {NULL, NULL, NULL};
	const Placeholder values[] = {{"table", table->target}, {"converted", converted}, {NULL, NULL}};

	for (int i = 0; i < count; i++)
	{
		const DbRelation *r = relations[i];

		if (r->root != table)
			continue;
		if (r->level > 0)
			columns[2] = add_to_array(columns[2], r->path);
		for (int j = 0; j < r->count; j++)
			if (r->columns[j].path && (r->level > 0 || r->columns[j].generated))
			{
				columns[0] = add_to_array(columns[0], r->columns[j].path);
				columns[1] = add_to_array(columns[1], r->columns[j].type);
			}
	}
	emit_rows(db->conn, lengthof(columns), columns, render(only_in_doc_sql, values));
}

/* comments with the paths of columns, and which of these could be NOT NULL */
static void
emit_columns(const DbRelation *relation)
{
	const char *values[] = {relation->target, NULL};
	Placeholder templates[] = {{"counts", NULL}, {"table", relation->target}, {NULL, NULL}};
	StringInfoData counts;

	initStringInfo(&counts);
	for (int i = 0; i < relation->count; i++)
	{
		const DbColumn *c = &relation->columns[i];
		const char *comment = c->comment ? c->comment : c->generated ? c->path : NULL;

		if (comment && (!c->comment || relation->level > 0))
			emit("COMMENT ON COLUMN %s.%s IS %s;\n", relation->target, c->quoted,
				 quote_text(comment));
		if (c->not_null || (relation->level == 0 ? !c->generated : i <= relation->level))
			continue;
		appendStringInfo(&counts, "%scount(%s)", counts.len > 0 ? ", " : "", c->quoted);
		values[1] = add_to_array(values[1], c->quoted);
	}
	templates[0].text = counts.data;
	if (counts.len > 0)
		emit_rows(db->conn, lengthof(values), values, render(count_values_sql, templates));
}

/* the first columns of a relation, which are the key of a row in so many arrays */
static char *
key_of(const DbRelation *relation, int level)
{
	char	   *list = relation->level == 0 ? "_id" : relation->columns->quoted;

	for (int i = 1; i <= level; i++)
		list = psprintf("%s, %s", list, relation->columns[i].quoted);
	return list;
}

/* a table in the place of a view */
static void
emit_elements(const DbRelation *view, const char *old, const PGresult *storage)
{
	const DbRelation *table = view->root;
	const DbRelation *above = table;
	const char *const values[] = {
		view->oid, view->target, view->columns->quoted, table->oid,
		table->target
	};

	for (int i = 0; i < count; i++)
		if (relations[i]->root == view->root && relations[i]->level < view->level &&
			strncmp(view->path, relations[i]->path, strlen(relations[i]->path)) == 0)
			above = relations[i];
	emit("ALTER VIEW %s RENAME TO %s;\n", view->target, old);
	emit("CREATE %sTABLE %s%s AS TABLE %s.%s;\n", PQgetvalue(storage, 0, 2), view->target,
		 PQgetvalue(storage, 0, 3), quote_name(view->schema), old);
	emit("ALTER TABLE %s ADD PRIMARY KEY (%s);\n", view->target, key_of(view, view->level));
	emit("ALTER TABLE %s ADD FOREIGN KEY (%s) REFERENCES %s (%s) "
		 "ON UPDATE CASCADE ON DELETE CASCADE;\n",
		 view->target, key_of(view, above->level), above->target, key_of(above, above->level));
	emit_rows(db->conn, lengthof(values), values, element_rights_sql);
	emit("COMMENT ON TABLE %s IS %s;\n", view->target, quote_text(view->path));
	emit_columns(view);
}

/* print_to_tables - print the script for all of a schema, or for one table */
void
print_to_tables(Database *database)
{
	const char *views[] = {NULL, NULL, NULL};
	PGresult   *storage = NULL;
	int			view_count = 0;

	find_relations(database);
	begin_script(database, "Tables that the application writes, instead of documents");
	if (count > 0)
	{
		const char *lost = query_value(db->conn, 1, &oids, lost_views_sql);

		if (lost)
			pg_fatal_hint("Drop them first.", "view %s has triggers or rules", lost);
		execute(db->conn, settings);
		emit("%s", settings);
		emit_locks();
	}
	for (int i = 0; i < count; i++)
	{
		const DbRelation *r = relations[i];
		const char *const values[] = {r->oid, db->trusted};

		if (r->level == 0)
		{
			storage = query(db->conn, lengthof(values), values, read_table_sql);
			emit("\n-- %s\n", printable(r->target));
			emit_losses(r, PQgetvalue(storage, 0, 1));
		}
		else
		{
			const char *old = quote_name(unique_name(psprintf("old_%s", r->name), r->path,
													 r->schema));

			emit_elements(r, old, storage);
			views[0] = add_to_array(views[0], r->oid);
			views[1] = add_to_array(views[1], psprintf("%s.%s", quote_name(r->schema), old));
			views[2] = add_to_array(views[2], r->target);
			view_count++;
		}
		if (i + 1 < count && relations[i + 1]->root == r->root)
			continue;
		emit("ALTER TABLE %s\n  %s;\n", r->root->target, PQgetvalue(storage, 0, 0));
		emit_columns(r->root);
		PQclear(storage);
	}
	if (view_count > 0)
	{
		emit("\n-- views that depend on those of documents\n");
		emit_rows(db->conn, lengthof(views), views, replace_views_sql);
	}
	if (count > 0)
		emit("\n-- the documents\n");
	for (int i = 0; i < count; i++)
		if (relations[i]->level == 0)
		{
			const char *const values[] = {relations[i]->oid, views[0]};

			emit_rows(db->conn, lengthof(values), values, old_documents_sql);
			emit("ALTER TABLE %s RENAME doc TO old_doc;\nCOMMENT ON COLUMN %s.old_doc IS "
				 "'the document before the application wrote columns: nothing writes it';\n",
				 relations[i]->target, relations[i]->target);
		}
	end_script(psprintf("%s, %s", count_of(count - view_count, "table"),
						count_of(view_count, "array")));
}
