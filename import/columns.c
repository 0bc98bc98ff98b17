/*-------------------------------------------------------------------------
 *
 * columns.c
 *	  From the fields of a collection to columns and views of arrays.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "schema.h"

/* PostgreSQL has 1,600 columns at most, among which are those that were dropped */
#define MAX_COLUMNS 1500

/* a row of 8 kB without its header and key */
#define MAX_WIDTH 7800

/* what is in an object with a longer path stays one value */
#define MAX_PATH 4096

/* an index has 32 columns at most: the key, and positions in so many arrays */
#define MAX_LEVEL 31

/* the types of columns, and the functions of ejson.sql, also those for arrays, that make them */
static const struct
{
	const char *type;
	const char *function;
	int			width;
}			types[KINDS] = {
	[AN_OBJECTID] = {OBJECTID_SQL, "ejson_objectid", 12},
	[A_DATE] = {"timestamptz", "ejson_date", 8},
	[AN_INTEGER] = {"bigint", "ejson_integer", 8},
	[A_DOUBLE] = {"double precision", "ejson_double", 8},
	[A_DECIMAL] = {"numeric", "ejson_numeric", 24},
	[A_BOOLEAN] = {"boolean", "ejson_boolean", 1},
	[A_STRING] = {"text", "ejson_text", 24},
	[A_UUID] = {"uuid", "ejson_uuid", 16},
	[A_BINARY] = {"bytea", "ejson_bytea", 24},
	[ANOTHER] = {"jsonb", NULL, 24}
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

/* what the plan of a collection needs until it is made */
typedef struct Plan
{
	Schema	   *schema;
	Names	   *names;			/* of the columns of each table */
} Plan;

static void plan_value(Plan *plan, Node *node, const Place *place);

/*
 * find_kinds - the kinds of a field's values that are neither null, objects
 * nor arrays
 *
 * Numbers of several kinds are decimals, UUIDs among other binary values are
 * binary.  Returns how many.
 */
static int
find_kinds(const Node *node, Kind *kinds)
{
	bool		seen[KINDS];
	int			numbers = 0;
	int			count = 0;

	for (Kind kind = 0; kind < KINDS; kind++)
	{
		seen[kind] = node->seen[kind] > 0;
		if (kind >= AN_INTEGER && kind <= A_DECIMAL)
			numbers += seen[kind];
	}
	if (numbers > 1)
	{
		seen[AN_INTEGER] = seen[A_DOUBLE] = false;
		seen[A_DECIMAL] = true;
	}
	if (seen[A_BINARY])
		seen[A_UUID] = false;
	for (Kind kind = AN_OBJECTID; kind < KINDS; kind++)
		if (seen[kind])
			kinds[count++] = kind;
	return count;
}

/*
 * list_kinds - the kinds of a field's values, for a comment
 */
const char *
list_kinds(const Node *node, bool counts)
{
	static const char *const names[] = {
		"null", "object", "array", "ObjectId", "date", "integer", "double", "decimal", "boolean",
		"string", "UUID", "binary", "other"
	};
	StringInfoData out;

	initStringInfo(&out);
	for (Kind kind = 0; kind < KINDS; kind++)
		if (node->seen[kind] > 0)
		{
			appendStringInfo(&out, "%s%s", out.len > 0 ? ", " : "", names[kind]);
			if (counts)
				appendStringInfo(&out, " " INT64_FORMAT, node->seen[kind]);
		}
	return out.data;
}

bool
is_column(const Column *column)
{
	return column->type && column->why == NULL;
}

/*
 * reserve_names - the names that columns of a table cannot have
 */
static void
reserve_names(Plan *plan, int table)
{
	Names	   *names = &plan->names[table];

	for (size_t i = 0; i < lengthof(system_columns); i++)
		add_name(names, system_columns[i]);
	if (table == 0)
	{
		add_name(names, "_id");
		add_name(names, "doc");
		add_name(names, "old_doc");
		return;
	}
	add_name(names, plan->schema->owner_name);
	for (int i = 1; i <= plan->schema->tables[table].level; i++)
		add_name(names, i > 1 ? psprintf("position%d", i) : "position");
}

/*
 * add_table - add a table, and return its number
 */
static int
add_table(Plan *plan, const Relation *table)
{
	Schema	   *schema = plan->schema;
	int			n = schema->count++;

	schema->tables = pg_realloc(schema->tables, schema->count * sizeof(Relation));
	plan->names = pg_realloc(plan->names, schema->count * sizeof(Names));
	memset(&plan->names[n], 0, sizeof(Names));
	schema->tables[n] = *table;
	schema->tables[n].target = psprintf("%s.%s", schema->name, quote_name(table->name));
	add_name(schema->names, shorten(table->name, "_pkey"));
	reserve_names(plan, n);
	return n;
}

/*
 * column_name - the name of the columns of a field
 */
static char *
column_name(Plan *plan, const Place *place)
{
	const char *name = isdigit((unsigned char) *place->name) ?
	psprintf("_%s", place->name) : place->name;

	return unique_name(name, place->path, &plan->names[place->table]);
}

static Column *
add_column(Plan *plan, const Place *place, const Node *node, char *name)
{
	Relation   *table = &plan->schema->tables[place->table];
	Column	   *column;

	table->columns = pg_realloc(table->columns, (table->count + 1) * sizeof(Column));
	column = &table->columns[table->count++];
	*column = (Column)
	{
		.node = node,.path = pg_strdup(place->path),.name = name,
			.quoted = name ? quote_name(name) : NULL
	};
	return column;
}

/*
 * add_typed_column - add a column for the values of a kind, or for arrays
 * of them
 */
static Column *
add_typed_column(Plan *plan, const Place *place, const Node *node, char *name, Kind kind,
				 bool array)
{
	Column	   *column = add_column(plan, place, node, name);

	column->type = psprintf("%s%s", types[kind].type, array ? "[]" : "");
	if (array)
		column->expression = psprintf(EJSON_SQL "%ss(%s)", types[kind].function,
									  place->expression);
	else if (kind == ANOTHER)
		column->expression = psprintf("nullif(%s, 'null')", place->expression);
	else if (kind == A_STRING)
		column->expression = pg_strdup(place->text);
	else
		column->expression = psprintf(EJSON_SQL "%s(%s)", types[kind].function,
									  place->expression);
	return column;
}

/*
 * add_comment - add a comment that says why a field has no column
 */
static void
add_comment(Plan *plan, const Place *place, const Node *node, const char *why)
{
	add_column(plan, place, node, NULL)->why = why;
}

/*
 * add_choice - columns of which a person has to choose one, because the
 * field has values of several types
 */
static void
add_choice(Plan *plan, const Place *place, const Node *node, int element_kind)
{
	Kind		kinds[KINDS + 2];
	int			count = find_kinds(node, kinds);
	bool		text = false;
	char	   *name = column_name(plan, place);

	if (place->table > 0)
	{
		add_typed_column(plan, place, node, name, ANOTHER, false);
		return;
	}
	for (int i = 0; i < count; i++)
		text |= kinds[i] == A_STRING;
	if (!text)
		kinds[count++] = A_STRING;
	for (int i = 0; i < count; i++)
		add_typed_column(plan, place, node, name, kinds[i], false)->why =
			kinds[i] == A_STRING ? "keeps all" : "other values become NULL";
	if (element_kind >= 0)
		add_typed_column(plan, place, node, name, element_kind, true)->why =
			"other values become NULL";
}

/*
 * plan_elements - a view of the elements of an array
 */
static void
plan_elements(Plan *plan, Node *node, const Place *place)
{
	const Relation *parent = &plan->schema->tables[place->table];
	char	   *path = psprintf("%s[]", place->path);
	const char *prefix = node->name ? place->name : "element";
	Relation	table = {
		.parent = place->table,.level = parent->level + 1,.node = node->element,.path = path,
		.array = pg_strdup(place->expression),
		.name = unique_name(psprintf("%s_%s", parent->name, prefix), path, plan->schema->names)
	};
	char	   *element = psprintf("a%d.element", table.level);
	Place		inside = {
		.table = add_table(plan, &table),.expression = element,.name = "value",.path = path,
		.text = psprintf("%s #>> '{}'", element)
	};

	plan_value(plan, node->element, &inside);
}

/*
 * step_into - the place of a field of the object at a place
 */
static Place
step_into(const Place *place, const char *field, const char *name)
{
	const char *literal = quote_text(field);
	const char *step = show_step(field);

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
 * plan_reference - a column for the ids of DBRefs, and one for the names of
 * their collections if there are several
 */
static void
plan_reference(Plan *plan, const Node *node, const Place *place)
{
	const Node *id = find_field(node, "$id");
	const Node *collection = find_field(node, "$ref");
	Place		inside = step_into(place, "$id", "id");

	inside.name = place->name;
	add_typed_column(plan, &inside, id, column_name(plan, &inside), AN_OBJECTID, false);
	if (!collection->varies)
		return;
	inside = step_into(place, "$ref", "ref");
	add_typed_column(plan, &inside, collection, column_name(plan, &inside), A_STRING, false);
}

/*
 * plan_object - columns for the fields of an object; those get their names
 * first whose names need no change
 */
static void
plan_object(Plan *plan, Node *node, const Place *place)
{
	sort_fields_by_name(node);
	for (int exact = 1; exact >= 0; exact--)
		for (int i = 0; i < node->count; i++)
		{
			Node	   *field = node->fields[i];
			char	   *name = snake_case(field->name);
			Place		inside = step_into(place, field->name, name);

			if ((strcmp(name, field->name) == 0) == exact &&
				(node->parent || strcmp(field->name, "_id") != 0))
				plan_value(plan, field, &inside);
		}
	if (node->full && !node->map)
		add_comment(plan, place, node, "it has more fields");
}

/*
 * plan_value - a column for a value, columns for the object in it, a column
 * or a view for the array
 */
static void
plan_value(Plan *plan, Node *node, const Place *place)
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
	bool		deep = !simple && (of_elements > 0 || containers) &&
	plan->schema->tables[place->table].level == MAX_LEVEL;

	if (map || deep)
		add_typed_column(plan, place, node, column_name(plan, place), ANOTHER, false);
	else if (count > 0 && count + objects + arrays > 1)
		add_choice(plan, place, node, simple ? (int) element_kinds[0] : -1);
	else if (count > 0)
		add_typed_column(plan, place, node, column_name(plan, place), kinds[0], false);
	else if (simple)
		add_typed_column(plan, place, node, column_name(plan, place), element_kinds[0], true);
	else if (!objects && of_elements == 0 && !containers)
		add_comment(plan, place, node, arrays ? "no value in an array" : "always null");
	if (objects && !map && !deep && is_reference(node))
		plan_reference(plan, node, place);
	else if (objects && !map && !deep)
	{
		Place		inside = *place;

		if (node->name == NULL)
			inside.name = "";
		plan_object(plan, node, &inside);
	}
	if (!deep && !simple && (of_elements > 0 || containers))
		plan_elements(plan, node, place);
}

static int64
count_values(const Node *node)
{
	int64		sum = 0;

	for (Kind kind = A_NULL + 1; kind < KINDS; kind++)
		sum += node->seen[kind];
	return sum;
}

/*
 * compare_frequency - columns first, then by how many values there are
 */
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

/*
 * compare_columns - fields without a column first, then those with a choice;
 * all by path
 */
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
 * column_width - what a column of this type takes in a row at most, with the
 * bytes that align it
 */
static int
column_width(const Column *column)
{
	for (Kind kind = AN_OBJECTID; kind < KINDS; kind++)
		if (strcmp(types[kind].type, column->type) == 0)
			return types[kind].width == 8 ? 8 : types[kind].width + 7;
	return 24;
}

/*
 * limit_columns - make comments of the rarest columns, if there are too
 * many, or if the widest row has no place for all
 */
static void
limit_columns(Relation *table)
{
	int			width = 0;

	qsort(table->columns, table->count, sizeof(Column), compare_frequency);
	for (int i = 0; i < table->count && table->columns[i].why == NULL; i++)
	{
		width += column_width(&table->columns[i]);
		if (i >= MAX_COLUMNS || (table->node->widest > MAX_WIDTH && width > MAX_WIDTH))
			table->columns[i].why = "no place for more columns";
	}
	qsort(table->columns, table->count, sizeof(Column), compare_columns);
}

/*
 * choose_key - the type of the keys of a collection, or ID_UNKNOWN
 */
IdType
choose_key(const Fields *fields)
{
	IdType		found = ID_UNKNOWN;

	for (IdType type = 0; type < ID_TYPES; type++)
		if (fields->keys[type] > 0)
			found = found == ID_UNKNOWN ? type : ID_JSONB;
	return found;
}

/*
 * name_owner - the column of views that has the key: the name of the table,
 * but singular
 */
static char *
name_owner(const char *table)
{
	char	   *name = snake_case(table);
	size_t		length = strlen(name);

	if (length > 2 && name[length - 1] == 's' && name[length - 2] != 's')
		name[length - 1] = '\0';
	for (size_t i = 0; i < lengthof(system_columns); i++)
		if (strcmp(name, system_columns[i]) == 0)
			name = psprintf("_%s", name);
	return shorten(strncmp(name, "position", 8) == 0 ? psprintf("_%s", name) : name, "");
}

/*
 * type_name - the type of keys in the script
 */
const char *
type_name(IdType type)
{
	return type == ID_OBJECTID ? OBJECTID_SQL : id_type_names[type];
}

/*
 * plan_schema - the columns and views of a collection
 */
void
plan_schema(Schema *schema)
{
	const Table *table = &schema->collection->table;
	Plan		plan = {.schema = schema};
	Place		place = {.expression = "doc",.name = "",.path = ""};
	Relation	own = {.parent = -1,.node = schema->fields->root,.path = "",.name = table->name};

	schema->name = quote_name(table->schema);
	schema->owner_name = name_owner(table->name);
	schema->owner = quote_name(schema->owner_name);
	add_table(&plan, &own);
	plan_object(&plan, schema->fields->root, &place);
	for (int i = 0; i < schema->count; i++)
		if (schema->tables[i].count > 0)
			limit_columns(&schema->tables[i]);
}

/*
 * add_row - add a row to the list of names of a script
 */
void
add_row(StringInfo rows, const Schema *schema, const char *relation, const char *kind,
		const char *name, const char *type, const char *path)
{
	const char *const values[] = {
		schema->collection->table.schema, relation, kind, name, type, path
	};

	for (size_t i = 0; i < lengthof(values); i++)
		appendStringInfo(rows, "%s%s", i > 0 ? ", " : rows->len > 0 ? "),\n  (" : "  (",
						 values[i] ? quote_text(values[i]) : "NULL");
}
