/*-------------------------------------------------------------------------
 *
 * model.c
 *	  From the fields of a collection to the columns and views of arrays that
 *	  a database lacks, and their names: of several fields that want the same,
 *	  the most frequent has it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "schema.h"

/* what is in an object with a longer path stays one value */
#define MAX_PATH 4096

/* an index has 32 columns at most: the key, and positions in so many arrays */
#define MAX_LEVEL 31

/* PostgreSQL has 1,600 columns at most, among which are those that were dropped */
#define MAX_COLUMNS 1600

/* of a new table or view, which may get more */
#define MAX_NEW_COLUMNS 1500

/* a row of 8 kB without its header and key; it is no longer than its document */
#define MAX_WIDTH 7800

/* where a value is */
typedef struct Place
{
	Relation   *relation;
	const char *expression;		/* of the value, as jsonb */
	const char *text;			/* as text */
	const char *name;			/* of a column; "": of what is in the object */
	const char *path;
	const char *why;			/* its columns are comments; NULL: they are
								 * not */
} Place;

static void plan_value(Schema *schema, Node *node, const Place *place);

/*
 * The kinds of a field's values that are neither null, objects nor arrays.  Numbers of several
 * kinds are decimals, UUIDs among other binary values are binary.  Returns how many.
 */
static int
find_kinds(const Node *node, Kind *kinds)
{
	const int64 *seen = node->seen;
	bool		mixed = (seen[AN_INTEGER] > 0) + (seen[A_DOUBLE] > 0) + (seen[A_DECIMAL] > 0) > 1;
	int			count = 0;

	for (Kind kind = AN_OBJECTID; kind < KINDS; kind++)
		if ((seen[kind] > 0 && !(kind == A_UUID && seen[A_BINARY] > 0) &&
			 !(mixed && (kind == AN_INTEGER || kind == A_DOUBLE))) || (mixed && kind == A_DECIMAL))
			kinds[count++] = kind;
	return count;
}

/* type_in_sql - a type, that of ids with its schema, where it has to be */
const char *
type_in_sql(const Schema *schema, const char *type)
{
	const Database *database = schema->database;

	if (strcmp(type, "objectid") != 0)
		return type;
	if (database->ids == NULL)
		pg_fatal_hint("Run CREATE EXTENSION objectid there, or plain/objectid.sql if the server "
					  "does not have the extension.",
					  "database \"%s\" does not have the type objectid", database->name);
	return psprintf("%s%s", database->ids, type);
}

/* the kinds of values of a field, how many there are of each, and what follows from that */
static char *
describe(const Node *node, const char *so)
{
	StringInfoData out;

	initStringInfo(&out);
	for (Kind kind = 0; kind < KINDS; kind++)
		if (node->seen[kind] > 0)
			appendStringInfo(&out, "%s%s", out.len > 0 ? ", " : "",
							 count_of(node->seen[kind], kind_info[kind].name));
	appendStringInfo(&out, ": %s", so);
	return out.data;
}

/* add a comment for a field that gets no column */
static void
add_comment(const Place *place, const Node *node, const char *why)
{
	if (place->relation->there == NULL)
		appendStringInfo(&place->relation->notes, "-- %s: %s\n", printable(place->path),
						 describe(node, why));
}

/* add a column for the values of a kind, or for arrays of them */
static void
add_column(const Schema *schema, const Place *place, const Node *node, Kind kind, bool array,
		   char *why)
{
	const KindInfo *info = &kind_info[kind];
	Relation   *relation = place->relation;
	Column	   *column = add_place(relation->columns, relation->count);

	*column = (Column)
	{
		.node = node,.path = pg_strdup(place->path),
			.name = psprintf("%s%s", isdigit((unsigned char) *place->name) ? "_" : "",
							 place->name),
			.type = psprintf("%s%s", info->type, array ? "[]" : ""),
			.width = kind_info[array ? AN_ARRAY : kind].width,
			.why = place->why ? describe(node, place->why) : why
	};
	if (kind == ANOTHER)
		column->expression = psprintf("nullif(%s, 'null')", place->expression);
	else if (kind == A_STRING && !array)
		column->expression = pg_strdup(place->text);
	else
		column->expression = psprintf("%s.%s%s(%s)", schema->quoted, info->function,
									  array ? "s" : "", place->expression);
}

/* columns of which a person has to choose one, because the field has values of several types */
static void
add_choice(const Schema *schema, const Place *place, const Node *node, int element_kind)
{
	char	   *lossy = describe(node, "other values become NULL");
	Kind		kinds[KINDS];
	int			count = find_kinds(node, kinds);

	add_column(schema, place, node, A_STRING, false, describe(node, KEEPS_ALL));
	for (int i = 0; i < count; i++)
		if (kinds[i] != A_STRING)
			add_column(schema, place, node, kinds[i], false, lossy);
	if (element_kind >= 0)
		add_column(schema, place, node, element_kind, true, lossy);
}

/* a column for texts; most of them may be values of another type, which a person can choose */
static void
add_text(const Schema *schema, const Place *place, const Node *node)
{
	static const char *const plurals[KINDS] = {
		[AN_OBJECTID] = "ids",[A_DATE] = "times with a zone",[A_DECIMAL] = "numbers"
	};
	const int64 total = node->seen[A_STRING];

	for (Kind kind = 0; kind < KINDS; kind++)
	{
		/* numbers such as 90210 are codes if there is a 01234 */
		int64		needed = kind == A_DECIMAL ? total : total / 2 + 1;

		if (plurals[kind] && node->texts[kind] >= needed &&
			(kind != AN_OBJECTID || schema->database->ids))
			add_column(schema, place, node, kind, false,
					   psprintf(INT64_FORMAT " of " INT64_FORMAT TEXTS_ARE "%s",
								node->texts[kind], total, plurals[kind]));
	}
	add_column(schema, place, node, A_STRING, false, NULL);
}

/* what is there for a field stays, whatever columns from the first of these on are for it */
static void
keep_column(Relation *relation, const char *path, int first)
{
	const Column *column = &relation->columns[first];
	const DbColumn *there;

	if (relation->there == NULL || first == relation->count)
		return;
	there = column_of_path(relation->there, path);
	if (there == NULL)
		return;
	if (relation->count == first + 1 && !column->why && strcmp(there->type, column->type) != 0)
		appendStringInfo(&relation->notes,
						 "-- column %s stays %s; these documents alone would have %s\n",
						 printable(there->quoted), there->type, column->type);
	relation->width += column->width;
	relation->count = first;
}

/*
 * a view of the elements of an array; an object in its place is an element, so that views do not
 * depend on which documents were seen
 */
static void
plan_elements(Schema *schema, Node *node, const Place *place, bool map)
{
	const char *x = place->expression;
	Relation   *view = pg_malloc0(sizeof(Relation));
	int			level = place->relation->level + 1;
	char	   *element = psprintf("a%d.element", level);
	Place		inside = {
		.relation = view,.expression = element,.name = "value",
		.path = psprintf("%s[]", place->path),.text = psprintf("%s #>> '{}'", element)
	};

	*add_place(schema->relations, schema->count) = view;
	*view = (Relation)
	{
		.parent = place->relation,.level = level,.node = node->element,
			.path = pg_strdup(inside.path),.name = node->name ? pg_strdup(place->name) : "element",
			.from = psprintf("%s,\n    jsonb_array_elements(%s)\n"
							 "      WITH ORDINALITY AS a%d (element, position)",
							 place->relation->from, map ?
							 psprintf("CASE jsonb_typeof(%s) WHEN 'array' THEN %s END", x, x) :
							 psprintf("%s.ejson_elements(%s)", schema->quoted, x), level),
			.there = find_elements(schema->database, schema->relations[0]->there, inside.path)
	};
	initStringInfo(&view->notes);
	plan_value(schema, node->element, &inside);
}

/* columns for the fields of an object */
static void
plan_object(Schema *schema, const Node *node, const Place *place)
{
	const Node *object = node->object;

	for (int i = 0; i < object->count; i++)
	{
		Node	   *field = object->fields[i];
		const char *literal = quote_text(field->name);
		const char *name = snake_case(field->name);
		Place		inside = {
			.relation = place->relation,
			.expression = psprintf("%s->%s", place->expression, literal),
			.text = psprintf("%s->>%s", place->expression, literal),
			.name = node->name ? psprintf("%s_%s", place->name, name) : name,
			.path = add_step(place->path, field->name),.why = place->why
		};

		if (node->parent || strcmp(field->name, "_id") != 0)
			plan_value(schema, field, &inside);
		else if (schema->key == ID_JSONB)
			add_comment(&inside, field, "the type of keys is jsonb");
	}
	if (object->full && !object->map)
		add_comment(place, node, "it has more fields");
}

/* a column for a value, columns for the object in it, a column or a view for the array */
static void
plan_value(Schema *schema, Node *node, const Place *place)
{
	Relation   *relation = place->relation;
	int			first = relation->count;
	Node	   *element = node->element;
	Kind		kinds[KINDS];
	Kind		element_kinds[KINDS] = {A_NULL};
	int			count = find_kinds(node, kinds);
	int			of_elements = 0;
	bool		objects = node->seen[AN_OBJECT] > 0;
	bool		arrays = node->seen[AN_ARRAY] > 0;
	bool		map = objects && (is_map(node->object) || strlen(place->path) > MAX_PATH);
	bool		choice = count > 0 && count + objects + arrays > 1;
	bool		containers = false;
	Place		object = *place;
	bool		simple;
	bool		view;
	bool		deep;

	if (objects && element && !map && place->why == NULL)
	{
		element->seen[AN_OBJECT] += node->seen[AN_OBJECT];
		object.why = "the view of its arrays has it, too";
	}
	if (element)
	{
		containers = element->seen[AN_OBJECT] + element->seen[AN_ARRAY] > 0;
		of_elements = find_kinds(element, element_kinds);
	}
	simple = of_elements == 1 && !containers && element_kinds[0] != AN_OBJECTID &&
		element_kinds[0] != ANOTHER;
	view = !simple && (of_elements > 0 || containers);
	deep = view && relation->level == MAX_LEVEL;

	/* a view has all values */
	if (map || deep || (choice && relation->level > 0))
		add_column(schema, place, node, ANOTHER, false, NULL);
	else if (choice)
		add_choice(schema, place, node, simple ? (int) element_kinds[0] : -1);
	else if (count > 0 && kinds[0] == A_STRING)
		add_text(schema, place, node);
	else if (count > 0 || simple)
		add_column(schema, place, node, count > 0 ? kinds[0] : element_kinds[0], count == 0, NULL);
	else if (!objects && !view)
		add_comment(place, node, arrays ? "no value in an array" : "always null");
	keep_column(relation, place->path, first);
	if (objects && !map && !deep)
		plan_object(schema, node, &object);
	if (view && !deep && place->why == NULL)
		plan_elements(schema, node, place, map);
}

/* plan_schema - the columns and views of a collection, whose table may be there */
void
plan_schema(Schema *schema)
{
	Relation   *table = schema->relations[0];
	Place		place = {.relation = table,.expression = "doc",.path = ""};

	table->node = schema->fields->root;
	initStringInfo(&table->notes);
	plan_object(schema, schema->fields->root, &place);
}

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
		add_name(relation->target, reserved[i]);
	for (int i = 0; there && i < there->count; i++)
		add_name(relation->target, there->columns[i].name);
	if (relation->level > 0)
		add_name(relation->target, owner_name(schema));
	for (int i = 1; i <= relation->level; i++)
		add_name(relation->target, i > 1 ? psprintf("position%d", i) : "position");
}

/*
 * Name the new columns of a relation.  The rarest become comments if there are too many, or if the
 * row of a long document may have no place for all.
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
			quote_name(unique_name(column->name, column->path, relation->target));
		if (column->why)
			continue;
		width += column->width;
		if (relation->added >= room || (relation->node->longest > MAX_WIDTH && width > MAX_WIDTH))
			column->why = "no place for more columns";
		else
			relation->added++;
	}
	pfree(sorted);
}

/* the most frequent of the arrays whose view has no name yet, but what they are in has one */
static Relation *
next_view(const Schema *schema)
{
	Relation   *next = NULL;

	for (int i = 1; i < schema->count; i++)
	{
		Relation   *view = schema->relations[i];

		if (view->target == NULL && view->parent->target &&
			(next == NULL || count_values(view->node) > count_values(next->node)))
			next = view;
	}
	return next;
}

static void
name_view(const Schema *schema, Relation *view)
{
	const DbRelation *there = view->there;
	char	   *name = psprintf("%s_%s", view->parent->name, view->name);

	view->name = there ? there->name : unique_name(name, view->path, schema->table->schema);
	view->target = there ? there->target :
		psprintf("%s.%s", schema->quoted, quote_name(view->name));
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
		for (Relation *view; (view = next_view(&schemas[i])) != NULL;)
			name_view(&schemas[i], view);
		for (int j = 0; j < schemas[i].count; j++)
			name_columns(&schemas[i], schemas[i].relations[j]);
	}
}
