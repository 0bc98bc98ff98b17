/*-------------------------------------------------------------------------
 *
 * choose_names.c
 *	  The names of what a script makes: each is free, and of several fields that want the same, the
 *	  most frequent has it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "model.h"
#include "names.h"
#include "render.h"

/* PostgreSQL has 1,600 columns at most, among which are those that were dropped */
#define MAX_COLUMNS 1600

/* of a new table or view, which may get more */
#define MAX_NEW_COLUMNS 1500

/* a row of 8 kB without its header and key */
#define MAX_WIDTH 7800

/* owner_name - the column of views that has the key of the document */
char *
owner_name(const Schema *schema)
{
	return shorten(snake_case(schema->table->name), "_id");
}

static bool
is_unchanged(const Column *column)
{
	return column->node->name && strcmp(column->name, column->node->name) == 0;
}

/* by how many values they have; then names that need no change */
static int
compare_columns(const void *a, const void *b)
{
	const Column *left = *(Column *const *) a;
	const Column *right = *(Column *const *) b;
	int64		difference = count_values(right->node) - count_values(left->node);

	if (difference == 0)
		difference = is_unchanged(right) - is_unchanged(left);
	/* those for one field stay together */
	return difference == 0 ? (left < right ? -1 : left > right) : difference > 0 ? 1 : -1;
}

/* note the names that the new columns of a relation cannot have */
static void
reserve_names(const Schema *schema, const Relation *relation)
{
	static const char *const reserved[] = {
		"ctid", "xmin", "xmax", "cmin", "cmax", "tableoid", "_id", "doc", "old_doc"
	};
	const DbRelation *there = relation->there;

	for (int i = 0; i < (int) lengthof(reserved) - (relation->level > 0 ? 3 : 0); i++)
		add_name(relation, reserved[i]);
	for (int i = 0; there && i < there->count; i++)
		add_name(relation, there->columns[i].name);
	if (relation->level > 0)
		add_name(relation, owner_name(schema));
	for (int i = 1; i <= relation->level; i++)
		add_name(relation, i > 1 ? psprintf("position%d", i) : "position");
}

/*
 * Name the new columns of a relation.  The rarest become comments if there are too many, or if the
 * widest row has no place for all.
 */
static void
name_columns(const Schema *schema, Relation *relation)
{
	const DbRelation *there = relation->there;
	int			room = there ? MAX_COLUMNS - there->attributes : MAX_NEW_COLUMNS;
	int			width = relation->width;
	Column	  **sorted = pg_malloc((relation->count + 1) * sizeof(Column *));

	reserve_names(schema, relation);
	for (int i = 0; i < relation->count; i++)
		sorted[i] = &relation->columns[i];
	qsort(sorted, relation->count, sizeof(Column *), compare_columns);
	for (int i = 0; i < relation->count; i++)
	{
		Column	   *column = sorted[i];
		const Column *before = i > 0 ? sorted[i - 1] : NULL;

		/* a person chooses one of those for a field */
		column->quoted = before && strcmp(before->path, column->path) == 0 ? before->quoted :
			quote_name(unique_name(column->name, column->path, relation));
		if (column->why)
			continue;
		width += column->width;
		if (relation->added >= room || (relation->node->widest > MAX_WIDTH && width > MAX_WIDTH))
			column->why = "no place for more columns";
		else
			relation->added++;
	}
	pfree(sorted);
}

/* outer arrays first, because the names of inner ones begin with theirs; then by frequency */
static int
compare_views(const void *a, const void *b)
{
	const Relation *left = *(Relation *const *) a;
	const Relation *right = *(Relation *const *) b;
	int64		difference = count_values(right->node) - count_values(left->node);

	if (left->level != right->level)
		return left->level - right->level;
	return difference == 0 ? strcmp(left->path, right->path) : difference > 0 ? 1 : -1;
}

static void
name_views(const Schema *schema)
{
	int			count = schema->count - 1;
	Relation  **views = pg_malloc((count + 1) * sizeof(Relation *));

	memcpy(views, schema->relations + 1, count * sizeof(Relation *));
	qsort(views, count, sizeof(Relation *), compare_views);
	for (int i = 0; i < count; i++)
	{
		Relation   *view = views[i];
		const DbRelation *there = view->there;

		view->name = there ? there->name :
			unique_name(psprintf("%s_%s", view->parent->name, view->name), view->path,
						schema->table->schema);
		view->target = there ? there->target :
			psprintf("%s.%s", schema->quoted, quote_name(view->name));
	}
	pfree(views);
}

/* choose_names - name what the database lacks for the schemas */
void
choose_names(const Schema *schemas, int count)
{
	for (int i = 0; i < count; i++)
	{
		const Table *table = schemas[i].table;

		add_name(table->schema, "objectid_import");
		add_name(table->schema, table->name);
		add_name(table->schema, table->side_name);
		add_name(table->schema, shorten(table->name, "_pkey"));
	}
	for (int i = 0; i < count; i++)
	{
		name_views(&schemas[i]);
		for (int j = 0; j < schemas[i].count; j++)
			name_columns(&schemas[i], schemas[i].relations[j]);
	}
}
