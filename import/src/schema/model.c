/*-------------------------------------------------------------------------
 *
 * model.c
 *	  From the fields of a collection to columns and views of arrays.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "model.h"
#include "names.h"
#include "render.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* PostgreSQL has 1,600 columns at most, among which are those that were dropped */
#define MAX_COLUMNS 1500

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
	[AN_OBJECTID] = {OBJECTID_SQL, "ejson_objectid", 19},
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

static const char *const system_columns[] = {
	"ctid", "xmin", "xmax", "cmin", "cmax", "tableoid"
};

/* where a value is */
typedef struct Place
{
	int			table;
	const char *expression;		/* of the value, as jsonb */
	const char *text;			/* as text */
	const char *name;			/* of a column; "": of what is in the object */
	const char *path;
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

bool
is_column(const Column *column)
{
	return column->type && column->why == NULL;
}

/* add a table, whose columns cannot have some names, and return its number */
static int
add_table(Schema *schema, const Relation *table)
{
	static const char *const own[] = {"_id", "doc", "old_doc"};
	const void *names = table->node;
	Relation   *added = add_place(schema->tables, schema->count);

	*added = *table;
	added->target = psprintf("%s.%s", quote_name(schema->schema), quote_name(table->name));
	add_name(schema->schema, shorten(table->name, "_pkey"));
	for (size_t i = 0; i < lengthof(system_columns); i++)
		add_name(names, system_columns[i]);
	for (size_t i = 0; i < lengthof(own) && table->level == 0; i++)
		add_name(names, own[i]);
	if (table->level > 0)
		add_name(names, schema->owner_name);
	for (int i = 1; i <= table->level; i++)
		add_name(names, i > 1 ? psprintf("position%d", i) : "position");
	return schema->count - 1;
}

static char *
column_name(Schema *schema, const Place *place)
{
	return unique_name(psprintf("%s%s", isdigit((unsigned char) *place->name) ? "_" : "",
								place->name),
					   place->path, schema->tables[place->table].node);
}

/* add a column for the values of a kind, or for arrays of them; without a name, a comment */
static void
add_column(Schema *schema, const Place *place, const Node *node, char *name, Kind kind,
		   bool array, const char *why)
{
	Relation   *table = &schema->tables[place->table];
	Column	   *column = add_place(table->columns, table->count);

	*column = (Column)
	{
		.node = node,.path = pg_strdup(place->path),.name = name,.why = why
	};
	if (name == NULL)
		return;
	column->quoted = quote_name(name);
	column->type = psprintf("%s%s", types[kind].type, array ? "[]" : "");
	column->width = array ? types[ANOTHER].width : types[kind].width;
	if (kind == ANOTHER)
		column->expression = psprintf("nullif(%s, 'null')", place->expression);
	else if (kind == A_STRING && !array)
		column->expression = pg_strdup(place->text);
	else
		column->expression = psprintf(EJSON_SQL "%s%s(%s)", types[kind].function,
									  array ? "s" : "", place->expression);
}

/* columns of which a person has to choose one, because the field has values of several types */
static void
add_choice(Schema *schema, const Place *place, const Node *node, int element_kind)
{
	static const char lossy[] = "other values become NULL";
	Kind		kinds[KINDS];
	int			count = find_kinds(node, kinds);
	char	   *name = column_name(schema, place);

	for (int i = 0; i < count; i++)
		if (kinds[i] != A_STRING)
			add_column(schema, place, node, name, kinds[i], false, lossy);
	add_column(schema, place, node, name, A_STRING, false, "keeps all");
	if (element_kind >= 0)
		add_column(schema, place, node, name, element_kind, true, lossy);
}

/* a view of the elements of an array */
static void
plan_elements(Schema *schema, Node *node, const Place *place)
{
	const Relation *parent = &schema->tables[place->table];
	char	   *path = psprintf("%s[]", place->path);
	const char *prefix = node->name ? place->name : "element";
	Relation	table = {
		.parent = place->table,.level = parent->level + 1,.node = node->element,.path = path,
		.array = pg_strdup(place->expression),
		.name = unique_name(psprintf("%s_%s", parent->name, prefix), path, schema->schema)
	};
	char	   *element = psprintf("a%d.element", table.level);
	Place		inside = {
		.table = add_table(schema, &table),.expression = element,.name = "value",.path = path,
		.text = psprintf("%s #>> '{}'", element)
	};

	plan_value(schema, node->element, &inside);
}

/* the place of a field of the object at a place */
static Place
step_into(const Place *place, const char *field, const char *name)
{
	const char *literal = quote_text(field);
	bool		simple = *field && field[strspn(field, LETTERS "0123456789_$-")] == '\0';
	const char *step = simple ? field : quote_json(field);

	return (Place)
	{
		.table = place->table,
			.expression = psprintf("%s->%s", place->expression, literal),
			.text = psprintf("%s->>%s", place->expression, literal),
			.name = *place->name ? psprintf("%s_%s", place->name, name) : name,
			.path = *place->path ? psprintf("%s.%s", place->path, step) : step
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
	add_column(schema, &inside, id, column_name(schema, &inside), AN_OBJECTID, false, NULL);
	inside = step_into(place, "$ref", "ref");
	if (collection->varies)
		add_column(schema, &inside, collection, column_name(schema, &inside), A_STRING, false,
				   NULL);
}

static int
compare_nodes(const void *a, const void *b)
{
	return strcmp((*(Node *const *) a)->name, (*(Node *const *) b)->name);
}

/* columns for the fields of an object; those get their names first whose names need no change */
static void
plan_object(Schema *schema, Node *node, const Place *place)
{
	Place		object = *place;

	if (node->name == NULL)
		object.name = "";
	if (node->count > 1)
		qsort(node->fields, node->count, sizeof(Node *), compare_nodes);
	for (int exact = 1; exact >= 0; exact--)
		for (int i = 0; i < node->count; i++)
		{
			Node	   *field = node->fields[i];
			char	   *name = snake_case(field->name);
			Place		inside = step_into(&object, field->name, name);

			if ((strcmp(name, field->name) == 0) == exact &&
				(node->parent || strcmp(field->name, "_id") != 0))
				plan_value(schema, field, &inside);
		}
	if (node->full && !node->map)
		add_column(schema, place, node, NULL, A_NULL, false, "it has more fields");
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
	bool		containers = element && element->seen[AN_OBJECT] + element->seen[AN_ARRAY] > 0;
	int			of_elements = element ? find_kinds(element, element_kinds) : 0;
	bool		simple = of_elements == 1 && !containers &&
	element_kinds[0] != AN_OBJECTID && element_kinds[0] != ANOTHER;
	bool		view = !simple && (of_elements > 0 || containers);
	bool		deep = view && schema->tables[place->table].level == MAX_LEVEL;
	bool		choice = count > 0 && count + objects + arrays > 1;

	/* a view has all values */
	if (map || deep || (choice && place->table > 0))
		add_column(schema, place, node, column_name(schema, place), ANOTHER, false, NULL);
	else if (choice)
		add_choice(schema, place, node, simple ? (int) element_kinds[0] : -1);
	else if (count > 0 || simple)
		add_column(schema, place, node, column_name(schema, place),
				   count > 0 ? kinds[0] : element_kinds[0], count == 0, NULL);
	else if (!objects && !view)
		add_column(schema, place, node, NULL, A_NULL, false,
				   arrays ? "no value in an array" : "always null");
	if (objects && !map && !deep)
		(is_reference(node) ? plan_reference : plan_object) (schema, node, place);
	if (view && !deep)
		plan_elements(schema, node, place);
}

/* columns first, then by how many values there are */
static int
compare_frequency(const void *a, const void *b)
{
	const Column *left = a;
	const Column *right = b;
	int64		difference = count_values(right->node) - count_values(left->node);

	if ((left->why == NULL) != (right->why == NULL))
		return left->why ? 1 : -1;
	if (difference != 0)
		return difference > 0 ? 1 : -1;
	return strcmp(left->path, right->path);
}

/* fields without a column first, then those with a choice; all by path */
static int
compare_columns(const void *a, const void *b)
{
	const Column *left = a;
	const Column *right = b;
	int			order = (left->type != NULL) - (right->type != NULL);

	if (order == 0)
		order = is_column(left) - is_column(right);
	if (order == 0)
		order = strcmp(left->path, right->path);
	return order != 0 || left->type == NULL ? order : strcmp(left->type, right->type);
}

/*
 * make comments of the rarest columns, if there are too many, or if the widest row has no place
 * for all
 */
static void
limit_columns(Relation *table)
{
	int			width = 0;

	qsort(table->columns, table->count, sizeof(Column), compare_frequency);
	for (int i = 0; i < table->count && table->columns[i].why == NULL; i++)
	{
		width += table->columns[i].width;
		if (i >= MAX_COLUMNS || (table->node->widest > MAX_WIDTH && width > MAX_WIDTH))
			table->columns[i].why = "no place for more columns";
	}
	qsort(table->columns, table->count, sizeof(Column), compare_columns);
}

/* the column of views that has the key: the name of the table, but singular */
static char *
name_owner(const char *table)
{
	char	   *name = snake_case(table);
	size_t		length = strlen(name);

	if (length > 2 && name[length - 1] == 's' && name[length - 2] != 's')
		name[length - 1] = '\0';
	if (strncmp(name, "position", 8) == 0)
		name = psprintf("_%s", name);
	for (size_t i = 0; i < lengthof(system_columns); i++)
		add_name(name, system_columns[i]);
	return unique_name(name, table, name);
}

/* type_name - the type of keys in the script */
const char *
type_name(IdType type)
{
	return type == ID_OBJECTID ? OBJECTID_SQL : id_type_names[type];
}

/* plan_schema - the columns and views of a collection */
void
plan_schema(Schema *schema)
{
	Place		place = {.expression = "doc",.name = "",.path = ""};
	Relation	own = {.parent = -1,.node = schema->fields->root,.path = ""};

	own.name = pg_strdup(schema->table);
	schema->owner_name = name_owner(schema->table);
	schema->owner = quote_name(schema->owner_name);
	add_table(schema, &own);
	plan_object(schema, schema->fields->root, &place);
	for (int i = 0; i < schema->count; i++)
		if (schema->tables[i].count > 0)
			limit_columns(&schema->tables[i]);
}

/* add_row - add a row to the list of names of a script */
void
add_row(StringInfo rows, const Schema *schema, const char *relation, const char *kind,
		const char *name, const char *type, const char *path)
{
	const char *const values[] = {
		schema->schema, relation, kind, name, type, path
	};

	for (size_t i = 0; i < lengthof(values); i++)
		appendStringInfo(rows, "%s%s", i > 0 ? ", " : rows->len > 0 ? "),\n  (" : "  (",
						 values[i] ? quote_text(values[i]) : "NULL");
}
