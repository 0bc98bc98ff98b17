/*-------------------------------------------------------------------------
 *
 * fields.c
 *	  Collects the fields of all documents of a file, in memory that does not
 *	  depend on how many documents there are.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "model.h"
#include "import_compat.h"
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

/* a string that is longer is no reference */
#define MAX_REFERENCE 64

/* of the collection that is read */
static name_table_hash *field_table;

/* the hash of a value that can be a key, or be equal to one, or 0 */
static uint64
hash_value(Kind kind, const Element *element)
{
	const uint8_t *data = element->value;
	size_t		length = element->length;
	int64		integer;

	if (kind == AN_INTEGER)
	{
		integer = length == 4 ? (int32) get_length(data) : get_int64(data);
		data = (const uint8_t *) &integer;
		length = sizeof(integer);
	}
	else if (kind != AN_OBJECTID && kind != A_UUID &&
			 (kind != A_STRING || length > MAX_REFERENCE))
		return 0;
	return hash_bytes_extended(data, (int) length, kind);
}

static Node *
new_node(Node *parent, const char *name, size_t length)
{
	Node	   *node = pg_malloc0(sizeof(Node));

	node->parent = parent;
	node->name = name ? pnstrdup(name, length) : NULL;
	node->name_length = (int) length;
	node->target = -1;
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

/* the first hash, of those that are sorted, that is not smaller */
static Sampled *
lower_bound(Sampled *sample, size_t count, uint64 hash)
{
	size_t		low = 0;

	while (low < count)
	{
		size_t		middle = (low + count) / 2;

		if (sample[middle].hash < hash)
			low = middle + 1;
		else
			count = middle;
	}
	return sample + low;
}

/* add a value to the sample, if its hash is one of the smallest */
static void
add_sample(Node *node, uint64 hash)
{
	int			count = node->sampled;
	int			at;

	if (hash == 0 || (count == SAMPLED_VALUES && hash >= node->sample[count - 1].hash))
		return;
	at = (int) (lower_bound(node->sample, count, hash) - node->sample);
	if (at < count && node->sample[at].hash == hash)
		return;
	if (count < SAMPLED_VALUES)
		add_place(node->sample, node->sampled);
	memmove(&node->sample[at + 1], &node->sample[at], (node->sampled - 1 - at) * sizeof(Sampled));
	node->sample[at] = (Sampled)
	{
		hash, node
	};
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
note_value(const Fields *fields, Node *node, Kind kind, const Element *element)
{
	node->seen[kind]++;
	if (fields->hashes)
		add_sample(node, hash_value(kind, element));
	if (kind == A_STRING || kind == A_BINARY || kind == ANOTHER)
		node->longest = Max(node->longest, (int64) element->length - 5);
	if (kind == A_STRING && node->name && strcmp(node->name, "$ref") == 0)
	{
		const char *text = (const char *) element->value + 4;

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

static void
note_key(Fields *fields, Kind kind, const Element *element)
{
	uint64		hash = hash_value(kind, element);

	fields->keys[key_type(element)]++;
	if (fields->hashes && fwrite(&hash, sizeof(hash), 1, fields->hashes) != 1)
		pg_fatal("could not write to a temporary file: %m");
	fields->hash_count++;
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
			note_key(fields, kind, &element);
		if (node && array)
			child = node->element = node->element ? node->element : new_node(node, NULL, 0);
		else if (node && !node->map)
			child = find_or_add(fields, node, element.name, element.name_length,
								&expected);
		if (child)
			note_value(fields, child, kind, &element);
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

/* append the sampled values of a field and of all in it */
static void
gather_samples(StringInfo samples, Node *node)
{
	if (node == NULL)
		return;
	if (node->sampled > 0)
		append(samples, node->sample, node->sampled * sizeof(Sampled));
	for (int i = 0; i < node->count; i++)
		if (node->parent || strcmp(node->fields[i]->name, "_id") != 0)
			gather_samples(samples, node->fields[i]);
	gather_samples(samples, node->element);
}

static int
compare_samples(const void *a, const void *b)
{
	uint64		left = ((const Sampled *) a)->hash;
	uint64		right = ((const Sampled *) b)->hash;

	return (left > right) - (left < right);
}

/* find_targets - find the collection that has most of the sampled values of each field */
void
find_targets(Fields *fields, int count)
{
	StringInfoData samples;
	Sampled    *first;
	Sampled    *end;

	initStringInfo(&samples);
	for (int i = 0; i < count; i++)
		gather_samples(&samples, fields[i].root);
	first = (Sampled *) samples.data;
	end = first + samples.len / sizeof(Sampled);
	qsort(first, end - first, sizeof(Sampled), compare_samples);
	rewind(fields->hashes);
	for (int i = 0; i < count; i++)
	{
		for (int64 j = 0; j < fields[i].hash_count; j++)
		{
			uint64		hash;

			if (fread(&hash, sizeof(hash), 1, fields->hashes) != 1)
				pg_fatal("could not read a temporary file: %m");
			for (Sampled *at = lower_bound(first, end - first, hash);
				 at < end && at->hash == hash; at++)
				at->node->hits++;
		}
		for (Sampled *at = first; at < end; at++)
		{
			Node	   *node = at->node;

			if (2 * node->hits >= node->sampled && node->hits > node->found)
			{
				node->target = i;
				node->found = node->hits;
			}
			node->hits = 0;
		}
	}
	pfree(samples.data);
}
