/*-------------------------------------------------------------------------
 *
 * model.c
 *	  From the fields of a collection to columns and views of arrays.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "lib/stringinfo.h"
#include "model.h"
#include "names.h"
#include "render.h"

/* PostgreSQL has 1,600 columns at most, among which are those that were dropped */
#define MAX_COLUMNS 1600

/* of a new table or view, which may get more */
#define MAX_NEW_COLUMNS 1500

/* a row of 8 kB without its header and key */
#define MAX_WIDTH 7800

/* what is in an object with a longer path stays one value */
#define MAX_PATH 4096

/* an index has 32 columns at most: the key, and positions in so many arrays */
#define MAX_LEVEL 31

/*
 * the types of columns, the functions of ejson.sql, also those for arrays, that make them, and
 * what they take in a row at most, with the bytes that align them
 */
static const struct
{
	const char *type;
	const char *function;
	int			width;
}			types[KINDS] = {
	[AN_OBJECTID] = {"objectid", "ejson_objectid", 19},
	[A_DATE] = {"timestamptz", "ejson_date", 8},
	[AN_INTEGER] = {"bigint", "ejson_integer", 8},
	[A_DOUBLE] = {"double precision", "ejson_double", 8},
	[A_DECIMAL] = {"numeric", "ejson_numeric", 31},
	[A_BOOLEAN] = {"boolean", "ejson_boolean", 8},
	[A_STRING] = {"text", "ejson_text", 31},
	[A_UUID] = {"uuid", "ejson_uuid", 23},
	[A_BINARY] = {"bytea", "ejson_bytea", 31},
	[ANOTHER] = {"jsonb", NULL, 31}
};

/* where a value is */
typedef struct Place
{
	int			table;
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

/* the type objectid, or its domain, with its schema */
static char *
objectid_type(const Schema *schema)
{
	return psprintf("%sobjectid", schema->database->ids ? schema->database->ids : "");
}

/* type_of_key - the type of the keys of a collection */
char *
type_of_key(const Schema *schema)
{
	return schema->key == ID_OBJECTID ? objectid_type(schema) :
		pg_strdup(id_type_names[schema->key]);
}

/* add a column for the values of a kind, or for arrays of them */
static Column *
add_column(Schema *schema, const Place *place, const Node *node, Kind kind, bool array,
		   const char *why)
{
	Relation   *table = &schema->tables[place->table];
	Column	   *column = add_place(table->columns, table->count);

	*column = (Column)
	{
		.node = node,.path = pg_strdup(place->path),
			.wanted = psprintf("%s%s", isdigit((unsigned char) *place->name) ? "_" : "",
							   place->name),
			.type = kind == AN_OBJECTID ? objectid_type(schema) :
			psprintf("%s%s", types[kind].type, array ? "[]" : ""),
			.objectid = kind == AN_OBJECTID,
			.width = array ? types[ANOTHER].width : types[kind].width,
			.why = why ? why : place->why
	};
	if (kind == ANOTHER)
		column->expression = psprintf("nullif(%s, 'null')", place->expression);
	else if (kind == A_STRING && !array)
		column->expression = pg_strdup(place->text);
	else
		column->expression = psprintf("%s.%s%s(%s)", schema->quoted, types[kind].function,
									  array ? "s" : "", place->expression);
	return column;
}

/* add a comment for a field that gets no column */
static void
add_comment(Schema *schema, const Place *place, const Node *node, const char *why)
{
	Relation   *table = &schema->tables[place->table];

	*add_place(table->columns, table->count) = (Column)
	{
		.node = node,.path = pg_strdup(place->path),.why = why
	};
}

/* columns of which a person has to choose one, because the field has values of several types */
static void
add_choice(Schema *schema, const Place *place, const Node *node, int element_kind)
{
	static const char lossy[] = "other values become NULL";
	Kind		kinds[KINDS];
	int			count = find_kinds(node, kinds);
	Choice		choice = place->why ? NO_CHOICE : SEVERAL_TYPES;

	for (int i = 0; i < count; i++)
		if (kinds[i] != A_STRING)
			add_column(schema, place, node, kinds[i], false, lossy)->choice = choice;
	if (element_kind >= 0)
		add_column(schema, place, node, element_kind, true, lossy)->choice = choice;
	add_column(schema, place, node, A_STRING, false, "keeps all")->choice = choice;
}

/* a column for texts; most of them may be ids, or times, which a person can choose */
static void
add_text(Schema *schema, const Place *place, const Node *node)
{
	const int64 total = node->seen[A_STRING];
	Choice		choice = place->why ? NO_CHOICE : TEXTS;
	const char *why;

	if (2 * node->ids > total && schema->database->ids)
	{
		why = psprintf(INT64_FORMAT " of " INT64_FORMAT " texts are ids", node->ids, total);
		add_column(schema, place, node, AN_OBJECTID, false, why)->choice = choice;
	}
	if (2 * node->times > total)
	{
		why = psprintf(INT64_FORMAT " of " INT64_FORMAT " texts are times with a zone",
					   node->times, total);
		add_column(schema, place, node, A_DATE, false, why)->choice = choice;
	}
	add_column(schema, place, node, A_STRING, false, NULL);
}

/*
 * a view of the elements of an array; an object in its place is an element, so that views do not
 * depend on which documents were seen
 */
static void
plan_elements(Schema *schema, Node *node, const Place *place, bool map)
{
	const char *x = place->expression;
	const char *object = map ? "" :
	psprintf(" WHEN 'object' THEN jsonb_build_array(%s)", x);
	int			number = schema->count;
	Relation   *table = add_place(schema->tables, schema->count);
	int			level = schema->tables[place->table].level + 1;
	char	   *element = psprintf("a%d.element", level);
	Place		inside = {
		.table = number,.expression = element,.name = "value",
		.path = psprintf("%s[]", place->path),.text = psprintf("%s #>> '{}'", element)
	};

	*table = (Relation)
	{
		.parent = place->table,.level = level,.node = node->element,
			.path = pg_strdup(inside.path),.field = node->name ? pg_strdup(place->name) : "element",
			.elements = psprintf("CASE jsonb_typeof(%s) WHEN 'array' THEN %s%s END", x, x, object)
	};
	plan_value(schema, node->element, &inside);
}

/* the place of a field of the object at a place */
static Place
step_into(const Place *place, const char *field, const char *name)
{
	const char *literal = quote_text(field);

	return (Place)
	{
		.table = place->table,
			.expression = psprintf("%s->%s", place->expression, literal),
			.text = psprintf("%s->>%s", place->expression, literal),
			.name = *place->name ? psprintf("%s_%s", place->name, name) : name,
			.path = add_step(place->path, field),.why = place->why
	};
}

/*
 * a column for the ids of DBRefs, and one for the names of their collections if there are several
 */
static void
plan_reference(Schema *schema, Node *node, const Place *place)
{
	const Node *id = find_field(node, "$id");
	const Node *collection = find_field(node, "$ref");
	Place		inside = step_into(place, "$id", "id");

	inside.name = place->name;
	add_column(schema, &inside, id, AN_OBJECTID, false, NULL);
	inside = step_into(place, "$ref", "ref");
	if (collection->varies)
		add_column(schema, &inside, collection, A_STRING, false, NULL);
}

/* columns for the fields of an object */
static void
plan_object(Schema *schema, Node *node, const Place *place)
{
	Place		object = *place;

	if (node->name == NULL)
		object.name = "";
	for (int i = 0; i < node->count; i++)
	{
		Node	   *field = node->fields[i];
		Place		inside = step_into(&object, field->name, snake_case(field->name));

		if (node->parent || strcmp(field->name, "_id") != 0)
			plan_value(schema, field, &inside);
	}
	if (node->full && !node->map)
		add_comment(schema, place, node, "it has more fields");
}

/* a column for a value, columns for the object in it, a column or a view for the array */
static void
plan_value(Schema *schema, Node *node, const Place *place)
{
	Kind		kinds[KINDS];
	Kind		element_kinds[KINDS];
	int			count = find_kinds(node, kinds);
	bool		objects = node->seen[AN_OBJECT] > 0;
	bool		arrays = node->seen[AN_ARRAY] > 0;
	bool		map = objects && (is_map(node) || strlen(place->path) > MAX_PATH);
	const Node *element = arrays ? node->element : NULL;
	bool		both = objects && element && !map;
	bool		choice = count > 0 && count + objects + arrays > 1;
	Place		object = *place;
	int			of_elements;
	bool		containers;
	bool		simple;
	bool		view;
	bool		deep;

	if (both)
	{
		Node		inside = {.fields = node->fields,.count = node->count};

		inside.seen[AN_OBJECT] = node->seen[AN_OBJECT];
		merge_nodes(node->element, &inside);
	}
	containers = element && element->seen[AN_OBJECT] + element->seen[AN_ARRAY] > 0;
	of_elements = element ? find_kinds(element, element_kinds) : 0;
	simple = of_elements == 1 && !containers && element_kinds[0] != AN_OBJECTID &&
		element_kinds[0] != ANOTHER;
	view = !simple && (of_elements > 0 || containers);
	deep = view && schema->tables[place->table].level == MAX_LEVEL;

	/* a view has all values */
	if (map || deep || (choice && place->table > 0))
		add_column(schema, place, node, ANOTHER, false, NULL);
	else if (choice)
		add_choice(schema, place, node, simple ? (int) element_kinds[0] : -1);
	else if (count > 0 && kinds[0] == A_STRING)
		add_text(schema, place, node);
	else if (count > 0 || simple)
		add_column(schema, place, node, count > 0 ? kinds[0] : element_kinds[0], count == 0, NULL);
	else if (!objects && !view)
		add_comment(schema, place, node, arrays ? "no value in an array" : "always null");
	if (both && object.why == NULL)
		object.why = "the view of its arrays has it, too";
	if (objects && !map && !deep)
		(is_reference(node) ? plan_reference : plan_object) (schema, node, &object);
	if (view && !deep && place->why == NULL)
		plan_elements(schema, node, place, map);
}

static bool
is_unchanged(const Column *column)
{
	return column->wanted && column->node->name && strcmp(column->wanted, column->node->name) == 0;
}

/* those that are there first, then by how many values they have; then names that need no change */
static int
compare_frequency(const void *a, const void *b)
{
	const Column *left = *(Column *const *) a;
	const Column *right = *(Column *const *) b;
	int64		difference = count_values(right->node) - count_values(left->node);

	if ((left->there == NULL) != (right->there == NULL))
		return left->there ? -1 : 1;
	if (difference != 0)
		return difference > 0 ? 1 : -1;
	if (is_unchanged(left) != is_unchanged(right))
		return is_unchanged(left) ? -1 : 1;
	return left < right ? -1 : left > right;
}

/* sort_columns - the columns of a table, the most frequent first */
Column	  **
sort_columns(const Relation *table)
{
	Column	  **sorted = pg_malloc((table->count + 1) * sizeof(Column *));

	for (int i = 0; i < table->count; i++)
		sorted[i] = &table->columns[i];
	qsort(sorted, table->count, sizeof(Column *), compare_frequency);
	return sorted;
}

/*
 * limit_columns - make comments of the rarest columns, if there are too many, or if the widest row
 * has no place for all
 */
void
limit_columns(Relation *table)
{
	Column	  **sorted = sort_columns(table);
	int			room = table->there ? MAX_COLUMNS - table->there->attributes : MAX_NEW_COLUMNS;
	int			width = 0;

	for (int i = 0; i < table->count; i++)
	{
		Column	   *column = sorted[i];

		if (column->why)
			continue;
		width += column->width;
		if (column->there == NULL &&
			(room-- <= 0 || (table->node->widest > MAX_WIDTH && width > MAX_WIDTH)))
			column->why = "no place for more columns";
	}
	pfree(sorted);
}

/* plan_schema - the columns and views of a collection */
void
plan_schema(Schema *schema)
{
	Place		place = {.expression = "doc",.name = "",.path = ""};

	*add_place(schema->tables, schema->count) = (Relation)
	{
		.parent = -1,.node = schema->fields->root,.path = ""
	};
	schema->owner_name = shorten(snake_case(schema->name), "_id");
	schema->owner = quote_name(schema->owner_name);
	plan_object(schema, schema->fields->root, &place);
}
