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

#include "dump/documents.h"
#include "model.h"
#include "names.h"

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

/* of the collection that is read */
static name_table_hash *field_table;

static Node *
new_node(Node *parent, const char *name, size_t length)
{
	Node	   *node = pg_malloc0(sizeof(Node));

	node->parent = parent;
	node->name = name ? pnstrdup(name, length) : NULL;
	node->name_length = (int) length;
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
	return sum < node->count * node->seen[AN_OBJECT] / 10;
}

static bool
has_name(const Node *node, const char *name, size_t length)
{
	return node->name_length == (int) length && memcmp(node->name, name, length) == 0;
}

/* find_field - the field of that name, or NULL */
Node *
find_field(const Node *node, const char *name)
{
	for (int i = 0; i < node->count; i++)
		if (has_name(node->fields[i], name, strlen(name)))
			return node->fields[i];
	return NULL;
}

/* is_reference - are all objects of this node DBRefs? */
bool
is_reference(const Node *node)
{
	const Node *ref = find_field(node, "$ref");
	const Node *id = find_field(node, "$id");

	return ref && id && ref->seen[A_STRING] == node->seen[AN_OBJECT] &&
		id->seen[AN_OBJECTID] == node->seen[AN_OBJECT] &&
		node->count == (find_field(node, "$db") ? 3 : 2);
}

/*
 * The field of that name, or NULL if the names of the object's fields are data, or it is no
 * name that a document in PostgreSQL can have.  Fields are often in the same order, so
 * *expected is where the next is.
 */
static Node *
find_or_add(Fields *fields, Node *node, const char *name, size_t length, int *expected)
{
	ScopedName	key = {node, name, length};
	NameEntry  *entry;
	Node	   *field;
	bool		found;

	if (*expected < node->count && has_name(node->fields[*expected], name, length))
		return node->fields[(*expected)++];
	entry = name_table_lookup(field_table, key);
	*expected = entry ? entry->node->number + 1 : node->count;
	if (entry || node->full)
		return entry ? entry->node : NULL;

	/* at powers of two */
	if (node->count >= FIRST_TEST && (node->count & (node->count - 1)) == 0)
	{
		node->map = is_map(node) || (node->count == MAX_FIELDS && node->parent);
		node->full = node->map || node->count == MAX_FIELDS;
	}
	if (node->map)
		node->count = 0;
	if (fields->nodes == MAX_NODES)
		node->full = true;
	if (node->full || !is_utf8(name))
		return NULL;
	fields->nodes++;
	field = new_node(node, name, length);
	field->number = node->count;
	*add_place(node->fields, node->count) = field;
	*expected = node->count;
	key.name = field->name;
	name_table_insert(field_table, key, &found)->node = field;
	return field;
}

/*
 * Is a string a time with a zone, as ejson_parse_date() reads it?  Few others have its length and
 * dashes.
 */
static bool
is_time(const char *text)
{
	static regex_t pattern;
	static bool compiled;

	if (!compiled && regcomp(&pattern, "^([1-9][0-9]{3}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])"
							 "|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))"
							 "|([1-9][0-9](0[48]|[2468][048]|[13579][26])"
							 "|([2468][048]|[13579][26])00)-02-29)"
							 "[T ]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]+)?"
							 "(Z|[+-](0[0-9]|1[0-4]):?[0-5][0-9])$", REG_EXTENDED | REG_NOSUB) != 0)
		pg_fatal("out of memory");
	compiled = true;
	return strlen(text) >= 20 && text[4] == '-' && text[7] == '-' &&
		regexec(&pattern, text, 0, NULL, 0) == 0;
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

/* note a value of a field, other than what is in it */
static void
note_value(Node *node, Kind kind, const Element *element)
{
	const char *text = (const char *) element->value + 4;

	node->seen[kind]++;
	if (kind != A_STRING)
		return;
	node->ids += strlen(text) == 24 && text[strspn(text, "0123456789abcdefABCDEF")] == '\0';
	node->times += is_time(text);
	if (node->name && strcmp(node->name, "$ref") == 0)
	{
		if (node->first == NULL)
			node->first = pg_strdup(text);
		node->varies |= strcmp(node->first, text) != 0;
	}
}

/* what a value takes in a row at most, with the bytes that align it and the next */
static int64
value_width(Kind kind, const Element *element)
{
	static const uint8 widths[KINDS] = {
		0, 0, MAX_VARIABLE, 16, 8, 8, 8, MAX_VARIABLE, 8, 0, 16, MAX_VARIABLE, MAX_VARIABLE
	};

	return kind == A_STRING ? TYPEALIGN(8, Min(element->length - 4, MAX_VARIABLE)) : widths[kind];
}

/*
 * Note the fields of a document, or the elements of an array, which has been checked.  "node" is
 * NULL if they are not fields of the collection.
 */
static void
collect_container(Fields *fields, Node *node, const uint8_t *document, bool array, int depth,
				  int64 *width)
{
	const uint8_t *end = document + get_length(document) - 1;
	Element		element;
	int			expected = 0;

	for (const uint8_t *at = document + 4; at < end; at = element.value + element.length)
	{
		Node	   *child = NULL;
		Kind		kind;
		int64		row = 0;

		read_element(at, end, &element);
		kind = classify(&element);
		if (depth == 1 && strcmp(element.name, "_id") == 0)
			fields->keys[key_type(&element)]++;
		if (node && array)
			child = node->element = node->element ? node->element : new_node(node, NULL, 0);
		else if (node && !node->map)
			child = find_or_add(fields, node, element.name, element.name_length,
								&expected);
		if (child)
			note_value(child, kind, &element);
		*(array ? &row : width) += value_width(kind, &element);
		if ((kind == AN_OBJECT || kind == AN_ARRAY) && depth < MAX_DEPTH)
			collect_container(fields, child, element.value, kind == AN_ARRAY, depth + 1,
							  array ? &row : width);
		if (array && child)
			child->widest = Max(child->widest, row);
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
	Node	   *root = fields->root = new_node(NULL, NULL, 0);

	open_source(&source, input);
	field_table = name_table_create(1024, NULL);
	while (find_sound_document(&source, &document) == FOUND)
	{
		int64		row = 0;

		if (document.bson == NULL || document.reason)
			continue;
		fields->documents++;
		root->seen[AN_OBJECT]++;
		collect_container(fields, root, document.bson, false, 1, &row);
		root->widest = Max(root->widest, row);
	}
	name_table_destroy(field_table);
	if (store_damage(&source, &progress->damage))
		progress->state = DAMAGED_FILE;
	close_source(&source);
}

/* merge_nodes - add what another node has to this one */
void
merge_nodes(Node *node, const Node *other)
{
	for (Kind kind = 0; kind < KINDS; kind++)
		node->seen[kind] += other->seen[kind];
	node->ids += other->ids;
	node->times += other->times;
	node->widest = Max(node->widest, other->widest);
	node->varies |= other->varies || (node->first && other->first &&
									  strcmp(node->first, other->first) != 0);
	node->map |= other->map;
	node->full |= other->full;
	for (int i = 0; i < other->count; i++)
	{
		const Node *field = other->fields[i];
		Node	   *same = find_field(node, field->name);

		if (same == NULL)
		{
			same = *add_place(node->fields, node->count) =
				new_node(node, field->name, field->name_length);
			same->first = field->first;
		}
		merge_nodes(same, field);
	}
	if (other->element)
	{
		node->element = node->element ? node->element : new_node(node, NULL, 0);
		merge_nodes(node->element, other->element);
	}
}
