/*-------------------------------------------------------------------------
 *
 * to_tables.c
 *	  --to-tables: statements that make columns of documents plain, and their views tables.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "names.h"
#include "schema.h"
#include "script.h"

#include "element_rights.inc"
#include "old_documents.inc"
#include "only_in_doc.inc"
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
static const Database *db;
static const DbRelation **relations;
static int	count;
static const char *oids;		/* of these */

static const DbRelation *
table_of(const DbRelation *relation)
{
	return relation_by_oid(db, relation->root);
}

/* read the catalogue, and find what is to be converted: all of a schema, or of all, or one table */
static void
find_relations(Database *database, const Options *options)
{
	Table		table = {.schema = unconstify(char *, options->schema)};
	const char *schemas;
	PGresult   *all;
	int			deepest = 0;

	if (options->table)
	{
		parse_table_name(options->table, &table.schema, &table.name);
		find_schema(database, &table);
	}
	all = query(database->conn, 1, (const char *const *) &table.schema,
				"SELECT array_agg(nspname) FROM pg_namespace "
				"WHERE nspname = coalesce($1, nspname) "
				"AND nspname !~ '^(pg_|information_schema$)'");
	schemas = PQgetvalue(all, 0, 0);
	if (*schemas == '\0')
		pg_fatal("schema \"%s\" does not exist", table.schema);
	read_relations(database, schemas);
	PQclear(all);
	db = database;
	if (table.name)
	{
		const DbRelation *found = find_relation(database, table.schema, table.name);

		if (found == NULL || found->level > 0)
			pg_fatal("there is no table %s with a column \"_id\"", options->table);
	}
	for (int i = 0; i < db->relation_count; i++)
		deepest = Max(deepest, db->relations[i].level);
	for (const DbRelation *root = db->relations; root < db->relations + db->relation_count; root++)
		for (int level = 0; level <= deepest && root->documents; level++)
			for (int i = 0; i < db->relation_count; i++)
			{
				const DbRelation *relation = &db->relations[i];

				if (relation->root != root->oid || relation->level != level ||
					(level > 0 && relation->kind != 'v') ||
					(table.name && strcmp(root->name, table.name) != 0))
					continue;
				*add_place(relations, count) = relation;
				oids = add_to_array(oids, psprintf("%u", relation->oid));
			}
}

/* refuse code of roles that are not trusted, and what would be lost */
static void
check_relations(void)
{
	PGresult   *lost;

	check_trusted(db, oids);
	lost = query(db->conn, 1, &oids,
				 "SELECT oid::regclass FROM pg_class AS c WHERE oid = ANY ($1::oid[]) "
				 "AND relkind = 'v' AND EXISTS (SELECT FROM pg_trigger "
				 "WHERE tgrelid = c.oid UNION ALL SELECT FROM pg_rewrite WHERE ev_class = c.oid "
				 "AND rulename <> '_RETURN')");
	if (PQntuples(lost) > 0)
		pg_fatal_hint("Drop them first.", "view %s has triggers or rules", PQgetvalue(lost, 0, 0));
	PQclear(lost);
}

/* lock views before tables, as readers do, and then check that all is as it was printed */
static void
emit_locks(void)
{
	char	   *views = "";
	char	   *tables = "";
	PGresult   *result;

	for (int i = 0; i < count; i++)
	{
		const DbRelation *r = relations[i];

		if (r->level == 0)
			tables = psprintf("%s%s%s", tables, *tables ? ", " : "", r->target);
		/* otherwise, the owner of the view would need the right */
		else if (strcmp(r->owner, table_of(r)->owner) == 0)
			views = psprintf("%s%s, ", views, r->target);
	}
	emit("LOCK TABLE %s%s;\n-- this script is for these tables and views\n", views, tables);
	/* also readers' views, which may be replaced */
	result = query(db->conn, 1, &oids,
				   psprintf("SELECT name, state FROM (SELECT oid::regclass::text FROM pg_class "
							"WHERE oid = ANY ($1::oid[]) OR relkind = 'v' AND oid IN ("
							"SELECT ev_class FROM pg_depend JOIN pg_rewrite AS w ON w.oid = objid "
							"WHERE refclassid = 'pg_class'::regclass AND refobjid = ANY ($1::oid[])"
							") AND pg_has_role(relowner, 'USAGE') "
							"AND has_schema_privilege(relnamespace, 'USAGE')) AS r (name), "
							"LATERAL (%s) AS s ORDER BY name", tables_state_sql));
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
	const char *columns[] = {"{}", "{}", "{}"};
	const Placeholder values[] = {{"table", table->target}, {"converted", converted}, {NULL, NULL}};

	for (int i = 0; i < count; i++)
	{
		const DbRelation *r = relations[i];

		if (r->root != table->oid)
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
	const char *values[] = {relation->target, "{}"};
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
	if (counts.len > 0)
		emit_rows(db->conn, lengthof(values), values,
				  psprintf("SELECT concat('-- ALTER TABLE ', $1::text, string_agg(' ALTER ' || "
						   "name || ' SET NOT NULL', ','), ';  -- in all ', k, ' rows') "
						   "FROM (SELECT count(*) AS k, ARRAY[%s] AS counts FROM %s) AS c, "
						   "unnest(counts, $2::text[]) AS u (n, name) "
						   "WHERE k > 0 AND n = k GROUP BY k", counts.data, relation->target));
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
	const DbRelation *table = table_of(view);
	const DbRelation *above = table;
	const char *const values[] = {
		psprintf("%u", view->oid), view->target, view->columns->quoted, psprintf("%u", table->oid),
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
print_to_tables(Database *database, const Options *options)
{
	const char *views[] = {"{}", "{}", "{}"};
	PGresult   *storage = NULL;
	PGresult   *names;
	int			view_count = 0;

	find_relations(database, options);
	begin_script(database, "Tables that the application writes, instead of documents");
	if (count > 0)
	{
		check_relations();
		execute(db->conn, settings);
		emit("%s", settings);
		emit_locks();
	}
	names = query(db->conn, 1, &oids,
				  "SELECT relname FROM pg_class WHERE relnamespace IN (SELECT relnamespace "
				  "FROM pg_class WHERE oid = ANY ($1::oid[]))");
	for (int i = 0; i < PQntuples(names); i++)
		add_name(&views, PQgetvalue(names, i, 0));
	for (int i = 0; i < count; i++)
	{
		const DbRelation *r = relations[i];
		const char *const values[] = {psprintf("%u", r->oid), db->trusted};

		if (r->level == 0)
		{
			storage = query(db->conn, lengthof(values), values, read_table_sql);
			emit("\n-- %s\n", printable(r->target));
			emit_losses(r, PQgetvalue(storage, 0, 1));
		}
		else
		{
			const char *old = quote_name(unique_name(psprintf("old_%s", r->name), r->path, &views));

			emit_elements(r, old, storage);
			views[0] = add_to_array(views[0], psprintf("%u", r->oid));
			views[1] = add_to_array(views[1], psprintf("%s.%s", quote_name(r->schema), old));
			views[2] = add_to_array(views[2], r->target);
			view_count++;
		}
		if (i + 1 < count && relations[i + 1]->root == r->root)
			continue;
		emit("ALTER TABLE %s\n  %s;\n", table_of(r)->target, PQgetvalue(storage, 0, 0));
		emit_columns(table_of(r));
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
			const char *const values[] = {psprintf("%u", relations[i]->oid), views[0]};

			emit_rows(db->conn, lengthof(values), values, old_documents_sql);
			emit("ALTER TABLE %s RENAME doc TO old_doc;\nCOMMENT ON COLUMN %s.old_doc IS "
				 "'the document before the application wrote columns: nothing writes it';\n",
				 relations[i]->target, relations[i]->target);
		}
	end_script(options->file, psprintf("%s, %s", count_of(count - view_count, "table"),
									   count_of(view_count, "array")));
}
