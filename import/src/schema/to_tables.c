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

/* what is converted: each table with documents, and then its views, outer arrays first */
static const Database *db;
static const DbRelation **relations;
static int	count;

static char *
oid_text(Oid oid)
{
	return psprintf("%u", oid);
}

static bool
is_table(const DbRelation *relation)
{
	return relation->level == 0;
}

static const DbRelation *
table_of(const DbRelation *relation)
{
	return relation_by_oid(db, relation->root);
}

static int
compare_relations(const void *a, const void *b)
{
	const DbRelation *left = *(const DbRelation *const *) a;
	const DbRelation *right = *(const DbRelation *const *) b;
	int			order = strcmp(table_of(left)->target, table_of(right)->target);

	if (order == 0)
		order = left->level - right->level;
	return order != 0 ? order : strcmp(left->target, right->target);
}

/* read the catalogue, and find what is to be converted: all of a schema, or of all, or one table */
static void
find_relations(Database *database, const Options *options)
{
	Table		table = {.schema = unconstify(char *, options->schema)};
	const char *schemas;
	PGresult   *all;

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
	for (int i = 0; i < database->relation_count; i++)
	{
		const DbRelation *relation = &database->relations[i];
		const DbRelation *root = table_of(relation);

		if (root->documents && (relation == root || relation->kind == 'v') &&
			(!table.name || strcmp(root->name, table.name) == 0))
			*add_place(relations, count) = relation;
	}
	if (table.name)
	{
		const DbRelation *found = find_relation(database, table.schema, table.name);

		if (found == NULL || !is_table(found))
			pg_fatal("there is no table %s with a column \"_id\"", options->table);
	}
	if (count > 0)
		qsort(relations, count, sizeof(*relations), compare_relations);
}

/* refuse code of roles that are not trusted, and what would be lost.  Returns the OIDs. */
static const char *
check_relations(void)
{
	const char *oids = NULL;
	PGresult   *lost;

	for (int i = 0; i < count; i++)
		oids = add_to_array(oids, oid_text(relations[i]->oid));
	check_trusted(db, oids);
	lost = query(db->conn, 1, &oids,
				 "SELECT oid::regclass FROM pg_class AS c WHERE oid = ANY ($1::oid[]) "
				 "AND relkind = 'v' AND EXISTS (SELECT FROM pg_trigger "
				 "WHERE tgrelid = c.oid UNION ALL SELECT FROM pg_rewrite WHERE ev_class = c.oid "
				 "AND rulename <> '_RETURN')");
	if (PQntuples(lost) > 0)
		pg_fatal_hint("Drop them first.", "view %s has triggers or rules", PQgetvalue(lost, 0, 0));
	PQclear(lost);
	return oids;
}

/* lock views before tables, as readers do, and then check that this is still the script for them */
static void
emit_locks(void)
{
	Placeholder values[] = {{"tables", NULL}, {NULL, NULL}};
	StringInfoData list;
	StringInfoData tables;
	PGresult   *result;
	char	   *state;

	initStringInfo(&list);
	initStringInfo(&tables);
	for (int views = 1; views >= 0; views--)
		for (int i = 0; i < count; i++)
		{
			const DbRelation *r = relations[i];

			/* otherwise, the owner of the view would need the right */
			if (is_table(r) != views && (!views || strcmp(r->owner, table_of(r)->owner) == 0))
				appendStringInfo(&list, "%s%s", list.len > 0 ? ", " : "", r->target);
			if (!views && is_table(r))
				appendStringInfo(&tables, "%s%s", tables.len > 0 ? ", " : "",
								 quote_text(r->target));
		}
	emit("LOCK TABLE %s;\n", list.data);
	values[0].text = tables.data;
	state = render(tables_state_sql, values);
	result = query(db->conn, 0, NULL, state);
	emit("SELECT CASE WHEN state <> '%s'\n"
		 "  THEN (left(state, 0) || 'columns, views or rights have changed: print this again')"
		 "::integer END AS changes\n"
		 "FROM (\n%s) AS s (state);\n", PQgetvalue(result, 0, 0), state);
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
		if (!is_table(r))
			columns[2] = add_to_array(columns[2], r->path);
		for (int j = 0; j < r->count; j++)
			if (r->columns[j].path && (!is_table(r) || r->columns[j].generated))
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
	const char *names = NULL;
	StringInfoData counts;

	initStringInfo(&counts);
	for (int i = 0; i < relation->count; i++)
	{
		const DbColumn *c = &relation->columns[i];
		const char *comment = c->comment ? c->comment : c->generated ? c->path : NULL;

		if (comment && (!c->comment || !is_table(relation)))
			emit("COMMENT ON COLUMN %s.%s IS %s;\n", relation->target, c->quoted,
				 quote_text(comment));
		if (c->not_null || (is_table(relation) ? !c->generated : i <= relation->level))
			continue;
		appendStringInfo(&counts, "%scount(%s)", names ? ", " : "", c->quoted);
		names = add_to_array(names, c->quoted);
	}
	if (names)
	{
		const char *const values[] = {relation->target, names};

		emit_rows(db->conn, lengthof(values), values,
				  psprintf("SELECT concat('-- ALTER TABLE ', $1::text, string_agg(' ALTER ' || "
						   "name || ' SET NOT NULL', ','), ';  -- in all ', k, ' rows') "
						   "FROM (SELECT count(*) AS k, ARRAY[%s] AS counts FROM %s) AS c, "
						   "unnest(counts, $2::text[]) AS u (n, name) "
						   "WHERE k > 0 AND n = k GROUP BY k", counts.data, relation->target));
	}
}

/* the first columns of a relation, which are the key of a row in so many arrays */
static char *
key_of(const DbRelation *relation, int level)
{
	StringInfoData list;

	initStringInfo(&list);
	for (int i = 0; i <= level; i++)
		appendStringInfo(&list, "%s%s", i > 0 ? ", " : "",
						 is_table(relation) ? "_id" : relation->columns[i].quoted);
	return list.data;
}

/* a table in the place of a view */
static void
emit_elements(const DbRelation *view, const char *old, const PGresult *storage)
{
	const DbRelation *table = table_of(view);
	const DbRelation *above = table;
	const char *const values[] = {
		oid_text(view->oid), view->target, view->columns->quoted, oid_text(table->oid),
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
	int			view_count = 0;

	find_relations(database, options);
	begin_script(database, "Tables that the application writes, instead of documents");
	if (count > 0)
	{
		const char *oids = check_relations();
		PGresult   *names = query(database->conn, 1, &oids,
								  "SELECT relname FROM pg_class WHERE relnamespace IN (SELECT "
								  "relnamespace FROM pg_class WHERE oid = ANY ($1::oid[]))");

		for (int i = 0; i < PQntuples(names); i++)
			add_name(&views, PQgetvalue(names, i, 0));
		PQclear(names);
		emit("SET LOCAL row_security = off;\n");
		emit_locks();
	}
	for (int i = 0, next; i < count; i = next)
	{
		const DbRelation *table = relations[i];
		const char *const values[] = {oid_text(table->oid), database->trusted};
		PGresult   *read = query(database->conn, lengthof(values), values, read_table_sql);

		emit("\n-- %s\n", printable(table->target));
		emit_losses(table, PQgetvalue(read, 0, 1));
		for (next = i + 1; next < count && !is_table(relations[next]); next++)
		{
			const DbRelation *view = relations[next];
			const char *old = psprintf("old_%s", view->name);

			old = quote_name(unique_name(old, view->path, &views));
			emit_elements(view, old, read);
			views[0] = add_to_array(views[0], oid_text(view->oid));
			views[1] = add_to_array(views[1], psprintf("%s.%s", quote_name(view->schema), old));
			views[2] = add_to_array(views[2], view->target);
			view_count++;
		}
		emit("ALTER TABLE %s\n  %s;\n", table->target, PQgetvalue(read, 0, 0));
		emit_columns(table);
		PQclear(read);
	}
	if (view_count > 0)
	{
		emit("\n-- views that depend on those of documents\n");
		emit_rows(database->conn, lengthof(views), views, replace_views_sql);
	}
	if (count > 0)
		emit("\n-- the documents\n");
	for (int i = 0; i < count; i++)
		if (is_table(relations[i]))
		{
			const char *const values[] = {oid_text(relations[i]->oid), views[0]};

			emit_rows(database->conn, lengthof(values), values, old_documents_sql);
			emit("ALTER TABLE %s RENAME doc TO old_doc;\nCOMMENT ON COLUMN %s.old_doc IS "
				 "'the document before the application wrote columns: nothing writes it';\n",
				 relations[i]->target, relations[i]->target);
		}
	end_script(options->file, psprintf("%s, %s", count_of(count - view_count, "table"),
									   count_of(view_count, "array")));
}
