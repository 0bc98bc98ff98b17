/*-------------------------------------------------------------------------
 *
 * choose_names.c
 *	  The names of what a script makes.  What the database has for a field keeps its name; what is
 *	  new gets one that is free, and of several that want the same, the most frequent has it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "lib/stringinfo.h"
#include "model.h"
#include "names.h"
#include "render.h"

/* a view, and its place among all of its level */
typedef struct View
{
	Schema	   *schema;
	Relation   *relation;
	int			number;
} View;

/* the table has its name already; is something else there? */
static void
find_table(Database *database, Schema *schema)
{
	Relation   *table = schema->tables;
	const DbName *name = find_name(database, schema->schema, schema->name);

	table->name = schema->name;
	table->target = psprintf("%s.%s", schema->quoted, quote_name(schema->name));
	if (name == NULL)
		return;
	if (strcmp(name->kind, "table") != 0)
		pg_fatal_hint("Rename it, choose a different name with --table or --schema, or, in a dump, "
					  "leave the collection out with --exclude.",
					  "%s is there for something else", table->target);
	table->there = find_relation(database, schema->schema, schema->name);
	schema->left_out = table->there == NULL || !table->there->documents;
}

/* the keys of a table with documents have a type already */
static void
check_key(Schema *schema)
{
	const DbRelation *there = schema->tables->there;
	const char *type = id_type_names[schema->key];

	for (int i = 0; i < there->count; i++)
		if (strcmp(there->columns[i].name, "_id") == 0 && !schema->guess &&
			strcmp(there->columns[i].type, type) != 0)
			pg_fatal_hint("If the table is empty, drop it, or use --id-type.",
						  "the keys of table %s are of type %s, and these documents need %s",
						  schema->tables->target, there->columns[i].type, type);
}

/* columns of the same field have the same name, because a person chooses one of them */
static void
name_columns(const Schema *schema, Relation *table)
{
	static const char *const reserved[] = {
		"ctid", "xmin", "xmax", "cmin", "cmax", "tableoid", "_id", "doc", "old_doc"
	};
	const DbRelation *there = table->there;
	Column	  **sorted;

	for (int i = 0; i < table->count; i++)
		table->columns[i].there = there ? column_of_path(there, table->columns[i].path) : NULL;
	limit_columns(table);
	for (int i = 0; i < (int) lengthof(reserved) - (table->level > 0 ? 3 : 0); i++)
		add_name(table->columns, reserved[i]);
	for (int i = 0; there && i < there->count; i++)
		add_name(table->columns, there->columns[i].name);
	if (table->level > 0)
		add_name(table->columns, schema->owner_name);
	for (int i = 1; i <= table->level; i++)
		add_name(table->columns, i > 1 ? psprintf("position%d", i) : "position");
	sorted = sort_columns(table);
	for (int i = 0; i < table->count; i++)
	{
		Column	   *column = sorted[i];
		const Column *same = table->columns;

		if (column->wanted == NULL)
			continue;
		while (same->name == NULL || strcmp(same->path, column->path) != 0)
			if (++same == table->columns + table->count)
				break;
		column->name = column->there ? column->there->name :
			same < table->columns + table->count ? same->name :
			unique_name(column->wanted, column->path, table->columns);
		column->quoted = quote_name(column->name);
	}
	pfree(sorted);
}

/* outer arrays first, because the names of inner ones begin with theirs */
static int
compare_views(const void *a, const void *b)
{
	const View *left = a;
	const View *right = b;
	int64		difference = count_values(right->relation->node) -
	count_values(left->relation->node);

	if (left->relation->level != right->relation->level)
		return left->relation->level - right->relation->level;
	return difference != 0 ? (difference > 0 ? 1 : -1) : left->number - right->number;
}

/* find what the database has for the views, and name the others */
static void
name_views(Database *database, Schema *schemas, int count)
{
	View	   *views = NULL;
	int			view_count = 0;

	for (int i = 0; i < count; i++)
		for (int j = 1; j < schemas[i].count && !schemas[i].left_out; j++)
		{
			const View	view = {&schemas[i], &schemas[i].tables[j], view_count};

			*add_place(views, view_count) = view;
		}
	if (view_count > 1)
		qsort(views, view_count, sizeof(View), compare_views);
	for (int i = 0; i < view_count; i++)
	{
		Schema	   *schema = views[i].schema;
		Relation   *view = views[i].relation;
		const Relation *parent = &schema->tables[view->parent];

		view->there = find_elements(database, schema->tables->there, view->path);
		view->name = view->there ? view->there->name :
			unique_name(psprintf("%s_%s", parent->name, view->field), view->path, schema->schema);
		view->target = view->there ? view->there->target :
			psprintf("%s.%s", schema->quoted, quote_name(view->name));
	}
	pg_free(views);
}

/* choose_names - find what the database has for the schemas, and choose names for the rest */
void
choose_names(Database *database, Schema *schemas, int count)
{
	StringInfoData oids;

	initStringInfo(&oids);

	for (int i = 0; i < count; i++)
		find_table(database, &schemas[i]);
	for (int i = 0; i < count; i++)
	{
		const void *scope = schemas[i].schema;

		/* collections are sorted by schema */
		if (i == 0 || scope != schemas[i - 1].schema)
		{
			add_name(scope, "objectid_import");
			for (int j = 0; j < database->name_count; j++)
				if (database->names[j].name &&
					strcmp(database->names[j].schema, schemas[i].schema) == 0)
					add_name(scope, database->names[j].name);
		}
		add_name(scope, schemas[i].name);
		add_name(scope, schemas[i].side_name);
		add_name(scope, shorten(schemas[i].name, "_pkey"));
		if (schemas[i].tables->there && !schemas[i].left_out)
			check_key(&schemas[i]);
	}
	name_views(database, schemas, count);
	for (int i = 0; i < count; i++)
		for (int j = 0; j < schemas[i].count && !schemas[i].left_out; j++)
		{
			Relation   *table = &schemas[i].tables[j];

			if (table->there)
				appendStringInfo(&oids, "%s%u", oids.len > 0 ? "," : "{", table->there->oid);
			name_columns(&schemas[i], table);
		}
	appendStringInfoChar(&oids, '}');
	if (oids.len > 1)
		check_trusted(database, oids.data);
}
