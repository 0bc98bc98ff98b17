/*-------------------------------------------------------------------------
 *
 * model.c
 *	  From the fields of a collection to the columns and views of arrays that
 *	  a database lacks.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "model.h"
#include "names.h"
#include "script.h"

/* what is in an object with a longer path stays one value */
#define MAX_PATH 4096

/* an index has 32 columns at most: the key, and positions in so many arrays */
#define MAX_LEVEL 31

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
		if (plurals[kind] && 2 * node->texts[kind] > total &&
			(kind != AN_OBJECTID || schema->database->ids))
			add_column(schema, place, node, kind, false,
					   psprintf(INT64_FORMAT " of " INT64_FORMAT TEXTS_ARE "%s",
								node->texts[kind], total, plurals[kind]));
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
	const char *object = map ? "" :
	psprintf(" WHEN 'object' THEN jsonb_build_array(%s)", x);
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
			.elements = psprintf("CASE jsonb_typeof(%s) WHEN 'array' THEN %s%s END", x, x, object),
			.there = find_elements(schema->database, schema->relations[0]->there, inside.path)
	};
	initStringInfo(&view->notes);
	plan_value(schema, node->element, &inside);
}

/* columns for the fields of an object */
static void
plan_object(Schema *schema, Node *node, const Place *place)
{
	for (int i = 0; i < node->count; i++)
	{
		Node	   *field = node->fields[i];
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
	if (node->full && !node->map)
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
	Kind		element_kinds[KINDS];
	int			count = find_kinds(node, kinds);
	int			of_elements = 0;
	bool		objects = node->seen[AN_OBJECT] > 0;
	bool		arrays = node->seen[AN_ARRAY] > 0;
	bool		map = objects && (is_map(node) || strlen(place->path) > MAX_PATH);
	bool		choice = count > 0 && count + objects + arrays > 1;
	bool		containers = false;
	Place		object = *place;
	bool		simple;
	bool		view;
	bool		deep;

	if (objects && element && !map)
	{
		Node		inside = {.fields = node->fields,.count = node->count};

		inside.seen[AN_OBJECT] = node->seen[AN_OBJECT];
		merge_nodes(element, &inside);
		if (object.why == NULL)
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
