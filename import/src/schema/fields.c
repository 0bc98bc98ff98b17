/*-------------------------------------------------------------------------
 *
 * fields.c
 *	  Collects the fields of all documents of a file, in memory that does not
 *	  depend on how many documents there are.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <regex.h>

#include "schema.h"

/*
 * The names in an object with more fields than the first of these are data if they are rare.
 * That is tested at each power of two from the second on.  No object has more than the last.
 */
#define MANY_FIELDS 100
#define FIRST_TEST 1024
#define MAX_FIELDS 16384

/* a collection has no more than this, in all objects */
#define MAX_NODES 32768

/* what a value of variable length takes in a row at most: it goes elsewhere if it is longer */
#define MAX_VARIABLE 24

/* what is longer is no value of another type */
#define MAX_SIMPLE_TEXT 102

const KindInfo kind_info[KINDS] = {
	[A_NULL] = {.name = "null"},
	[AN_OBJECT] = {.name = "object"},
	[AN_ARRAY] = {.name = "array",.width = MAX_VARIABLE + 7},
	[AN_OBJECTID] = {"ObjectId", "objectid", "ejson_objectid", 12 + 7},
	[A_DATE] = {"date", "timestamptz", "ejson_date", 8},
	[AN_INTEGER] = {"integer", "bigint", "ejson_integer", 8},
	[A_DOUBLE] = {"double", "double precision", "ejson_double", 8},
	[A_DECIMAL] = {"decimal", "numeric", "ejson_numeric", MAX_VARIABLE + 7},
	[A_BOOLEAN] = {"boolean", "boolean", "ejson_boolean", 8},
	[A_STRING] = {"text", "text", "ejson_text", MAX_VARIABLE + 7},
	[A_UUID] = {"UUID", "uuid", "ejson_uuid", 16 + 7},
	[A_BINARY] = {"binary value", "bytea", "ejson_bytea", MAX_VARIABLE + 7},
	[ANOTHER] = {"value of another type", "jsonb", NULL, MAX_VARIABLE + 7}
};

/* of the collection that is read */
static name_table_hash *field_table;

static Node *
new_node(Node *parent, const char *name)
{
	Node	   *node = pg_malloc0(sizeof(Node));

	node->parent = parent;
	node->name = name ? pg_strdup(name) : NULL;
	node->object = parent && !name ? parent->object : node;
	return node;
}

/* count_values - how many values has a field? */
int64
count_values(const Node *node)
{
	int64		sum = 0;

	for (Kind kind = 0; kind < KINDS; kind++)
		sum += node->seen[kind];
	return sum;
}

/* is_map - has the object many fields, each of them in few documents? */
bool
is_map(const Node *node)
{
	int64		sum = 0;

	if (node->map || node->count <= MANY_FIELDS || node->parent == NULL)
		return node->map;
	for (int i = 0; i < node->count; i++)
		sum += count_values(node->fields[i]);
	return sum < node->count * node->objects / 10;
}

/*
 * The field of that name, or NULL if the names of the object's fields are data, or it is no
 * name that a document in PostgreSQL can have.
 */
static Node *
find_or_add(Fields *fields, Node *node, const char *name, size_t length)
{
	ScopedName	key = {node, name, length};
	NameEntry  *entry = name_table_lookup(field_table, key);
	Node	   *field;
	bool		found;

	if (entry || node->full)
		return entry ? entry->node : NULL;

	/* at powers of two */
	if (node->count >= FIRST_TEST && (node->count & (node->count - 1)) == 0)
		node->map = is_map(node) || (node->count == MAX_FIELDS && node->parent);
	node->full = node->map || node->count == MAX_FIELDS || fields->nodes == MAX_NODES;
	if (node->full || !is_utf8(name))
		return NULL;
	fields->nodes++;
	field = new_node(node, name);
	*add_place(node->fields, node->count) = field;
	key.name = field->name;
	name_table_insert(field_table, key, &found)->node = field;
	return field;
}

static Kind
classify(const Element *element)
{
	static const uint8_t kinds[256] = {
		[BSON_TYPE_DOUBLE] = A_DOUBLE,[BSON_TYPE_UTF8] = A_STRING,
		[BSON_TYPE_DOCUMENT] = AN_OBJECT,[BSON_TYPE_ARRAY] = AN_ARRAY,
		[BSON_TYPE_BINARY] = A_BINARY,[BSON_TYPE_OID] = AN_OBJECTID,
		[BSON_TYPE_BOOL] = A_BOOLEAN,[BSON_TYPE_DATE_TIME] = A_DATE,
		[BSON_TYPE_INT32] = AN_INTEGER,[BSON_TYPE_INT64] = AN_INTEGER,
		[BSON_TYPE_DECIMAL128] = A_DECIMAL
	};
	Kind		kind = kinds[element->type];

	if (kind == A_BINARY && element->length == 21 && element->value[4] == BSON_SUBTYPE_UUID)
		return A_UUID;
	return kind != A_NULL || element->type == BSON_TYPE_NULL ? kind : ANOTHER;
}

/* the kind of value that a text is, as ejson.sql reads it; 007 may be a code */
static Kind
kind_of_text(const char *text)
{
	static const struct
	{
		Kind		kind;
		const char *pattern;
	}			kinds[] = {
		{AN_OBJECTID, "^[0-9a-fA-F]{24}$"},
		{A_DATE, "^([1-9][0-9]{3}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])"
			"|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))"
			"|([1-9][0-9](0[48]|[2468][048]|[13579][26])|([2468][048]|[13579][26])00)-02-29)"
			"[T ]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]+)?"
		"(Z|[+-](0[0-9]|1[0-4]):?[0-5][0-9])$"},
		{A_DECIMAL, "^-?(0|[1-9][0-9]{0,49})([.][0-9]{1,50})?$"}
	};
	static regex_t compiled[lengthof(kinds)];
	static bool ready;
	size_t		length = strspn(text, "0123456789abcdefABCDEF.:+- TZ");

	for (size_t i = 0; i < lengthof(kinds) && !ready; i++)
		if (regcomp(&compiled[i], kinds[i].pattern, REG_EXTENDED | REG_NOSUB) != 0)
			pg_fatal("out of memory");
	ready = true;
	/* most texts are none of these */
	if (length <= MAX_SIMPLE_TEXT && text[length] == '\0')
		for (size_t i = 0; i < lengthof(kinds); i++)
			if (regexec(&compiled[i], text, 0, NULL, 0) == 0)
				return kinds[i].kind;
	return A_STRING;
}

/*
 * Note the fields of a document, or the elements of an array, which has been checked.  "node" is
 * NULL if they are not fields of the collection.
 */
static void
collect_container(Fields *fields, Node *node, const uint8_t *document, bool array, int depth)
{
	const uint8_t *end = document + get_length(document) - 1;
	Element		element;

	for (const uint8_t *at = document + 4; at < end; at = element.value + element.length)
	{
		Node	   *child = NULL;
		Kind		kind;

		read_element(at, end, &element);
		kind = classify(&element);
		if (depth == 1 && strcmp(element.name, "_id") == 0)
			fields->keys[key_type(&element)]++;
		if (node && array)
			child = node->element = node->element ? node->element : new_node(node, NULL);
		else if (node && !node->map)
			child = find_or_add(fields, node, element.name, element.name_length);
		if (child)
		{
			child->seen[kind]++;
			child->object->objects += kind == AN_OBJECT;
			child->longest = Max(child->longest, element.length);
		}
		if (child && kind == A_STRING)
			child->texts[kind_of_text((const char *) element.value + 4)]++;
		if ((kind == AN_OBJECT || kind == AN_ARRAY) && depth < MAX_DEPTH)
			collect_container(fields, child && kind == AN_OBJECT ? child->object : child,
							  element.value, kind == AN_ARRAY, depth + 1);
	}
}

/* choose_key - the type of the keys of a collection, or ID_UNKNOWN */
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
 * read_fields - collect the fields of all documents of a file or a pipe.  Stores what is
 * damaged in it.
 */
void
read_fields(const InputFile *input, Fields *fields, Progress *progress)
{
	Source		source;
	Document	document;
	Node	   *root = fields->root = new_node(NULL, NULL);

	open_source(&source, input);
	field_table = name_table_create(1024, NULL);
	while (find_sound_document(&source, &document) == FOUND)
	{
		if (document.bson == NULL || document.reason)
			continue;
		root->seen[AN_OBJECT]++;
		root->longest = Max(root->longest, get_length(document.bson));
		collect_container(fields, root, document.bson, false, 1);
	}
	name_table_destroy(field_table);
	store_damage(&source, progress);
	close_source(&source);
}
