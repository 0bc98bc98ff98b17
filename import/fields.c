/*-------------------------------------------------------------------------
 *
 * fields.c
 *	  Collects the fields of all documents of a file, in memory that does not
 *	  depend on how many documents there are.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "fields.h"

/*
 * The names in an object with more fields than the first of these are data if they are
 * rare.  That is tested at each power of two from the second on.  No object has more
 * than the last.
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

/* a row: what the values of an object take in it */
typedef struct Width
{
	Fields	   *fields;			/* of the collection */
	int64		aligned;		/* values of 8 bytes */
	int64		others;
	int64		bytes;			/* of the others */
} Width;

static uint64
mix(uint64 x)
{
	x = (x ^ (x >> 33)) * UINT64CONST(0xff51afd7ed558ccd);
	x = (x ^ (x >> 33)) * UINT64CONST(0xc4ceb9fe1a85ec53);
	return x ^ (x >> 33);
}

/*
 * hash_value - the hash of a value that can be a key, or be equal to one, or 0
 */
static uint64
hash_value(Kind kind, const Element *element)
{
	const uint8_t *data = element->value;
	size_t		length = element->length;
	uint64		hash = kind;
	uint64		word;

	if (kind == AN_INTEGER)
	{
		word = (uint64) (element->type == BSON_TYPE_INT32 ? (int32) get_length(data) :
						 get_int64(data));
		return mix(mix(hash) ^ word);
	}
	if (kind != AN_OBJECTID && kind != A_UUID && (kind != A_STRING || length > MAX_REFERENCE))
		return 0;
	for (; length >= sizeof(word); data += sizeof(word), length -= sizeof(word))
	{
		memcpy(&word, data, sizeof(word));
		hash = mix(hash ^ word);
	}
	word = 0;
	memcpy(&word, data, length);
	return mix(hash ^ word);
}

static uint32
hash_name(const char *name, size_t length)
{
	uint32		hash = 2166136261u;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char) name[i]) * 16777619u;
	return hash;
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

static void
free_node(Node *node)
{
	if (node == NULL)
		return;
	for (int i = 0; i < node->count; i++)
		free_node(node->fields[i]);
	free_node(node->element);
	pg_free(node->fields);
	pg_free(node->slots);
	pg_free(node->sample);
	pg_free(node->first);
	pg_free(node->name);
	pg_free(node);
}

/*
 * is_map - has the object many fields, each of them in few documents?
 */
bool
is_map(const Node *node)
{
	int64		sum = 0;

	if (node->map || node->count <= MANY_FIELDS || node->parent == NULL)
		return node->map;
	for (int i = 0; i < node->count; i++)
		for (Kind kind = 0; kind < KINDS; kind++)
			sum += node->fields[i]->seen[kind];
	return sum < node->count * node->seen[AN_OBJECT] / 10;
}

static bool
has_name(const Node *node, const char *name, size_t length)
{
	return node->name_length == (int) length && memcmp(node->name, name, length) == 0;
}

/*
 * find_field - the field of that name, or NULL
 */
Node *
find_field(const Node *node, const char *name)
{
	for (int i = 0; i < node->count; i++)
		if (has_name(node->fields[i], name, strlen(name)))
			return node->fields[i];
	return NULL;
}

/*
 * is_reference - are all objects of this node DBRefs?
 */
bool
is_reference(const Node *node)
{
	const Node *ref = find_field(node, "$ref");
	const Node *id = find_field(node, "$id");
	const Node *database = find_field(node, "$db");

	return ref && id && ref->seen[A_STRING] == node->seen[AN_OBJECT] &&
		id->seen[AN_OBJECTID] == node->seen[AN_OBJECT] &&
		node->count == (database ? 3 : 2);
}

static void
index_field(Node *node, int i)
{
	uint32		slot = hash_name(node->fields[i]->name, node->fields[i]->name_length);

	while (node->slots[slot &= node->slot_count - 1] != 0)
		slot++;
	node->slots[slot] = i + 1;
}

/*
 * add_field - add a field, unless the names of the object's fields are data,
 * or it is no name that a document in PostgreSQL can have
 */
static Node *
add_field(Fields *fields, Node *node, const char *name, size_t length)
{
	if (node->count >= FIRST_TEST && (node->count & (node->count - 1)) == 0)
	{
		node->map = is_map(node) || (node->count == MAX_FIELDS && node->parent);
		node->full = node->map || node->count == MAX_FIELDS;
	}
	if (node->map)
	{
		for (int i = 0; i < node->count; i++)
			free_node(node->fields[i]);
		node->count = 0;
	}
	if (fields->nodes == MAX_NODES)
		node->full = true;
	if (node->full || !is_utf8(name))
		return NULL;
	fields->nodes++;
	if (node->count == node->allocated)
	{
		node->allocated = Max(8, 2 * node->allocated);
		node->fields = pg_realloc(node->fields, node->allocated * sizeof(Node *));
		if (node->allocated > 8)
		{
			pg_free(node->slots);
			node->slot_count = 4 * node->allocated;
			node->slots = pg_malloc0(node->slot_count * sizeof(int));
			for (int i = 0; i < node->count; i++)
				index_field(node, i);
		}
	}
	node->fields[node->count] = new_node(node, name, length);
	if (node->slots)
		index_field(node, node->count);
	return node->fields[node->count++];
}

/*
 * find_or_add - the field of that name, or NULL
 *
 * Fields are often in the same order, so *expected is where the next is.
 */
static Node *
find_or_add(Fields *fields, Node *node, const char *name, size_t length, int *expected)
{
	int			last = node->slots ? Min(node->count, *expected + 3) : node->count;
	int			i;
	Node	   *added;

	for (i = *expected; i < last && !has_name(node->fields[i], name, length); i++)
		;
	if (i == last && node->slots == NULL)
		for (i = 0; i < last && !has_name(node->fields[i], name, length); i++)
			;
	else if (i == last)
	{
		i = node->count;
		for (uint32 slot = hash_name(name, length);
			 node->slots[slot &= node->slot_count - 1] != 0; slot++)
			if (has_name(node->fields[node->slots[slot] - 1], name, length))
			{
				i = node->slots[slot] - 1;
				break;
			}
	}
	*expected = i + 1;
	if (i < node->count)
		return node->fields[i];
	added = node->full ? NULL : add_field(fields, node, name, length);
	*expected = node->count;
	return added;
}

/*
 * add_sample - add a value to the sample, if its hash is one of the smallest
 */
static void
add_sample(Node *node, uint64 hash)
{
	int			low = 0;
	int			high = node->sampled;

	if (hash == 0 || (high == SAMPLED_VALUES && hash >= node->sample[high - 1]))
		return;
	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (node->sample[middle] < hash)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < node->sampled && node->sample[low] == hash)
		return;
	if (node->sampled < SAMPLED_VALUES)
	{
		/* at 0, 1, 2, 4, ... */
		if ((node->sampled & (node->sampled - 1)) == 0)
			node->sample = pg_realloc(node->sample, Max(1, 2 * node->sampled) * sizeof(uint64));
		node->sampled++;
	}
	memmove(&node->sample[low + 1], &node->sample[low],
			(node->sampled - 1 - low) * sizeof(uint64));
	node->sample[low] = hash;
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

/*
 * note_value - note a value of a field, other than what is in it
 */
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

/*
 * add_width - add what a value takes in a row
 */
static void
add_width(Width *width, Kind kind, const Element *element)
{
	static const int bytes[KINDS] = {[AN_OBJECTID] = 12,[A_BOOLEAN] = 1,[A_UUID] = 16};

	if (kind == A_DATE || kind == AN_INTEGER || kind == A_DOUBLE)
		width->aligned++;
	else if (kind != A_NULL && kind != AN_OBJECT)
	{
		width->others++;
		width->bytes += bytes[kind] ? bytes[kind] :
			kind == A_STRING ? Min((int64) element->length - 4, MAX_VARIABLE) : MAX_VARIABLE;
	}
}

/*
 * total_width - with the bytes that align values
 */
static int64
total_width(const Width *width)
{
	return 8 * width->aligned + 7 * Min(width->aligned, width->others + 1) + width->bytes;
}

/*
 * collect_container - note the fields of a document, or the elements of an
 * array, whose bytes are all in memory
 *
 * "node" is NULL if they are not fields of the collection.  Returns where it
 * is damaged, or NULL.
 */
static const uint8_t *
collect_container(Node *node, const uint8_t *document, bool array, int depth, Width *width)
{
	const uint8_t *end = document + get_length(document) - 1;
	const uint8_t *bad = NULL;
	Element		element;
	int			expected = 0;

	for (const uint8_t *at = document + 4; at < end; at = element.value + element.length)
	{
		Node	   *child = NULL;
		Kind		kind;
		Width		row = {.fields = width->fields};

		if (!read_element(at, end, &element))
			return at;
		kind = classify(&element);
		if (node && array)
			child = node->element = node->element ? node->element : new_node(node, NULL, 0);
		else if (node && !node->map)
			child = find_or_add(width->fields, node, element.name, element.name_length,
								&expected);
		if (child)
			note_value(width->fields, child, kind, &element);
		add_width(array ? &row : width, kind, &element);
		if ((kind == AN_OBJECT || kind == AN_ARRAY) && depth < MAX_DEPTH)
			bad = collect_container(child, element.value, kind == AN_ARRAY, depth + 1,
									array ? &row : width);
		else if (element.type == BSON_TYPE_CODEWSCOPE)
			bad = check_bson(element.value + 8 + get_length(element.value + 4));
		if (bad)
			return bad;
		if (array && child)
			child->widest = Max(child->widest, total_width(&row));
	}
	return *end == '\0' ? NULL : end;
}

/*
 * collect_document - note the fields of a document
 *
 * Returns where it is damaged, or NULL.
 */
static const uint8_t *
collect_document(Fields *fields, const uint8_t *document)
{
	Node	   *root = fields->root;
	Width		row = {.fields = fields};
	Element		element;
	const uint8_t *end = document + get_length(document) - 1;
	const uint8_t *bad = collect_container(root, document, false, 1, &row);

	root->seen[AN_OBJECT]++;
	root->widest = Max(root->widest, total_width(&row));
	for (const uint8_t *at = document + 4; bad == NULL && at < end;
		 at = element.value + element.length)
	{
		Key			id;
		uint64		hash;

		read_element(at, end, &element);
		if (strcmp(element.name, "_id") != 0)
			continue;
		id = (Key)
		{
			element.type, element.value
		};
		fields->keys[key_type(&id)]++;
		hash = hash_value(classify(&element), &element);
		if (fields->hashes && fwrite(&hash, sizeof(hash), 1, fields->hashes) != 1)
			pg_fatal("could not write to a temporary file: %m");
		fields->hash_count++;
		break;
	}
	return bad;
}

/*
 * read_fields - collect the fields of all documents of a file or a pipe
 *
 * Damage is noted in "progress".
 */
void
read_fields(const InputFile *input, Progress *progress, Fields *fields)
{
	Source		source;
	Document	document;
	const uint8_t *bad;

	open_source(&source, input);
	fields->root = new_node(NULL, NULL, 0);
	while (find_document(&source, &document, true) == FOUND)
	{
		if (document.bson == NULL || document.reason)
			continue;
		fields->documents++;
		if ((bad = collect_document(fields, document.bson)) != NULL)
		{
			note_damage(&source, &source.damage, (const char *) bad, "this is not BSON");
			break;
		}
	}
	progress->damage = source.damage;
	close_source(&source);
}

static int
compare_nodes(const void *a, const void *b)
{
	return strcmp((*(Node *const *) a)->name, (*(Node *const *) b)->name);
}

/*
 * sort_fields_by_name - after all documents were read
 */
void
sort_fields_by_name(Node *node)
{
	if (node->count > 1)
		qsort(node->fields, node->count, sizeof(Node *), compare_nodes);
	pg_free(node->slots);
	node->slots = NULL;
}

/*-------------------------------------------------------------------------
 * References: the sampled values are looked up among the keys of all collections
 *-------------------------------------------------------------------------
 */

typedef struct Sampled
{
	uint64		hash;
	Node	   *node;
} Sampled;

typedef struct Samples
{
	Sampled    *ids;
	uint32		count;
	uint32		allocated;
	uint32	   *slots;			/* a hash table of them; 0 is empty */
	uint32		slot_count;
} Samples;

/*
 * gather_samples - the sampled values of a field and of all in it
 */
static void
gather_samples(Samples *samples, Node *node)
{
	if (node == NULL)
		return;
	if (samples->count + node->sampled > samples->allocated)
	{
		samples->allocated = 2 * samples->allocated + SAMPLED_VALUES;
		samples->ids = pg_realloc(samples->ids, samples->allocated * sizeof(Sampled));
	}
	for (int i = 0; i < node->sampled; i++)
		samples->ids[samples->count++] = (Sampled)
	{
		node->sample[i], node
	};
	for (int i = 0; i < node->count; i++)
		if (node->parent || strcmp(node->fields[i]->name, "_id") != 0)
			gather_samples(samples, node->fields[i]);
	gather_samples(samples, node->element);
}

static void
count_hits(const Samples *samples, uint64 hash)
{
	for (uint32 slot = (uint32) hash; samples->slots[slot &= samples->slot_count - 1] != 0; slot++)
	{
		const Sampled *found = &samples->ids[samples->slots[slot] - 1];

		if (found->hash == hash)
			found->node->hits++;
	}
}

/*
 * find_targets - find the collection that has most of the sampled values of each field
 */
void
find_targets(Fields *fields, int count)
{
	Samples		samples = {.slot_count = 1024};
	FILE	   *hashes = fields->hashes;

	for (int i = 0; i < count; i++)
		gather_samples(&samples, fields[i].root);
	while (samples.slot_count < 4 * samples.count)
		samples.slot_count *= 2;
	samples.slots = pg_malloc0(samples.slot_count * sizeof(uint32));
	for (uint32 i = 0; i < samples.count; i++)
	{
		uint32		slot = (uint32) samples.ids[i].hash;

		while (samples.slots[slot &= samples.slot_count - 1] != 0)
			slot++;
		samples.slots[slot] = i + 1;
	}
	rewind(hashes);
	for (int i = 0; i < count; i++)
	{
		for (int64 j = 0; j < fields[i].hash_count; j++)
		{
			uint64		hash;

			if (fread(&hash, sizeof(hash), 1, hashes) != 1)
				pg_fatal("could not read a temporary file: %m");
			count_hits(&samples, hash);
		}
		for (uint32 j = 0; j < samples.count; j++)
		{
			Node	   *node = samples.ids[j].node;

			if (2 * node->hits >= node->sampled && node->hits > node->found)
			{
				node->target = i;
				node->found = node->hits;
			}
			node->hits = 0;
		}
	}
	pg_free(samples.ids);
	pg_free(samples.slots);
}
