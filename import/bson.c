/*-------------------------------------------------------------------------
 *
 * bson.c
 *	  Checks BSON, and writes it as JSON.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "convert.h"

/* the largest object or array of jsonb */
#define MAX_JSON 0x0fffffff

/*
 * value_length - the length of a value of at most "left" bytes, or -1 if
 * it is damaged
 *
 * The contents of documents, arrays and scopes are not checked.
 */
static int64
value_length(uint8_t type, const uint8_t *value, size_t left)
{
	static const uint8_t fixed[] = {
		[BSON_TYPE_DOUBLE] = 8,[BSON_TYPE_OID] = 12,[BSON_TYPE_BOOL] = 1,
		[BSON_TYPE_DATE_TIME] = 8,[BSON_TYPE_INT32] = 4,[BSON_TYPE_TIMESTAMP] = 8,
		[BSON_TYPE_INT64] = 8,[BSON_TYPE_DECIMAL128] = 16
	};
	int64		count = left >= 4 ? (int64) get_length(value) : PG_INT32_MAX;
	int64		length = -1;

	if (type < lengthof(fixed) && fixed[type] > 0)
		length = type == BSON_TYPE_BOOL && left > 0 && value[0] > 1 ? -1 : fixed[type];
	else if (type == BSON_TYPE_DOCUMENT || type == BSON_TYPE_ARRAY)
		length = count >= 5 ? count : -1;
	else if (type == BSON_TYPE_UTF8 || type == BSON_TYPE_CODE || type == BSON_TYPE_SYMBOL ||
			 type == BSON_TYPE_DBPOINTER)
	{
		if (count > 0 && 4 + count <= (int64) left && value[3 + count] == '\0')
			length = 4 + count + (type == BSON_TYPE_DBPOINTER ? 12 : 0);
	}
	else if (type == BSON_TYPE_NULL || type == BSON_TYPE_UNDEFINED ||
			 type == BSON_TYPE_MINKEY || type == BSON_TYPE_MAXKEY)
		length = 0;
	else if (type == BSON_TYPE_BINARY)
		length = 5 + count;
	else if (type == BSON_TYPE_REGEX)
	{
		length = strnlen((const char *) value, left) + 1;
		if (length <= (int64) left)
			length += strnlen((const char *) value + length, left - length) + 1;
	}
	else if (type == BSON_TYPE_CODEWSCOPE && count >= 14 && count <= (int64) left)
	{
		/* a string and a document fill it */
		length = 4 + value_length(BSON_TYPE_CODE, value + 4, count - 4);
		if (length < 4 ||
			value_length(BSON_TYPE_DOCUMENT, value + length, count - length) != count - length)
			return -1;
		length = count;
	}
	return length <= (int64) left ? length : -1;
}

/*
 * read_element - read the element at "at" of a document that ends at "end"
 *
 * Returns false if it is damaged.
 */
bool
read_element(const uint8_t *at, const uint8_t *end, Element *element)
{
	int64		length;

	element->type = *at;
	element->name = (const char *) at + 1;
	element->name_length = strnlen(element->name, end - at - 1);
	element->value = at + element->name_length + 2;
	if (element->value > end)
		return false;
	length = value_length(element->type, element->value, end - element->value);
	element->length = (size_t) length;
	return length >= 0;
}

static inline bool
is_id(const Element *element)
{
	return element->name_length == 3 && memcmp(element->name, "_id", 3) == 0;
}

static inline void
set_key(Key *key, const Element *element)
{
	key->type = element->type;
	key->value = element->value;
}

/*
 * check_container - check a document or an array, whose bytes are all in
 * memory
 *
 * Returns where it is damaged, or NULL.
 */
static const uint8_t *
check_container(const uint8_t *document, int depth)
{
	const uint8_t *end = document + get_length(document) - 1;
	const uint8_t *bad;
	Element		element;

	/* it is rejected, whatever is in it */
	if (depth > MAX_DEPTH)
		return NULL;
	for (const uint8_t *at = document + 4; at < end; at = element.value + element.length)
	{
		const uint8_t *inner = NULL;

		if (!read_element(at, end, &element))
			return at;
		if (element.type == BSON_TYPE_DOCUMENT || element.type == BSON_TYPE_ARRAY)
			inner = element.value;
		else if (element.type == BSON_TYPE_CODEWSCOPE)
			inner = element.value + 8 + get_length(element.value + 4);
		if (inner && (bad = check_container(inner, depth + 1)) != NULL)
			return bad;
	}
	return *end == '\0' ? NULL : end;
}

/*
 * check_bson - where the document is damaged, or NULL
 */
const uint8_t *
check_bson(const uint8_t *document)
{
	return check_container(document, 1);
}

/*
 * write_by_libbson - write a value of a rare type, by libbson
 */
static Verdict
write_by_libbson(Writer *writer, const Element *element)
{
	static const char before[] = "{ \"\" : ";
	static const char after[] = " }";
	uint8_t		type = element->type;
	uint32_t	size = BSON_UINT32_TO_LE((uint32_t) element->length + 7);
	bson_t		document;
	char	   *text = NULL;
	size_t		text_length;

	/* libbson silently ends these at a NUL */
	if ((type == BSON_TYPE_CODE || type == BSON_TYPE_SYMBOL || type == BSON_TYPE_DBPOINTER) &&
		memchr(element->value + 4, '\0', get_length(element->value) - 1) != NULL)
		return reject(writer->reason, "NUL character in a string");
	resetStringInfo(&writer->scratch);
	append(&writer->scratch, &size, 4);
	appendStringInfoChar(&writer->scratch, type);
	appendStringInfoChar(&writer->scratch, '\0');
	append(&writer->scratch, element->value, element->length);
	appendStringInfoChar(&writer->scratch, '\0');
	if (bson_init_static(&document, (const uint8_t *) writer->scratch.data, writer->scratch.len))
		text = bson_as_relaxed_extended_json(&document, &text_length);
	if (text == NULL)
		return reject(writer->reason, "a value of BSON type 0x%02x that has no JSON form", type);
	append(&writer->out, text + strlen(before), text_length - strlen(before) - strlen(after));
	bson_free(text);
	return WRITTEN;
}

/*
 * compare_fields - in the order of jsonb: shorter names come first
 */
static inline int
compare_fields(const Field *a, const Field *b)
{
	if (a->name_length != b->name_length)
		return a->name_length - b->name_length;
	if (*a->name != *b->name)
		return (unsigned char) *a->name - (unsigned char) *b->name;
	return memcmp(a->name, b->name, a->name_length);
}

#define ST_SORT sort_array
#define ST_ELEMENT_TYPE Field
#define ST_COMPARE(a, b) compare_fields(a, b)
#define ST_SCOPE static
#define ST_DEFINE
#include "lib/sort_template.h"

/*
 * write_field_name - write the name of a field, and remember its place for
 * sort_fields()
 */
static Verdict
write_field_name(Writer *writer, const char *name, size_t name_length)
{
	if (writer->fields_used == writer->fields_allocated)
	{
		writer->fields_allocated = Max(256, 2 * writer->fields_allocated);
		writer->fields = pg_realloc(writer->fields, writer->fields_allocated * sizeof(Field));
	}
	writer->fields[writer->fields_used++] = (Field)
	{
		name, (int) name_length, writer->out.len, 0
	};
	TRY(write_string(writer, name, name_length, "a field name"));
	appendStringInfoCharMacro(&writer->out, ':');
	return WRITTEN;
}

/*
 * sort_fields - sort the fields of the object that begins at "start" as
 * jsonb does, which saves the server more time than it takes here
 *
 * Returns false if a field occurs twice, of which jsonb would silently keep
 * the last.
 */
static bool
sort_fields(Writer *writer, size_t first, int start)
{
	Field	   *fields = writer->fields + first;
	size_t		count = writer->fields_used - first;
	int			id_at = writer->id_at;
	size_t		sorted = 1;

	while (sorted < count && compare_fields(&fields[sorted - 1], &fields[sorted]) < 0)
		sorted++;
	if (sorted >= count)
		return true;
	sort_array(fields, count);
	resetStringInfo(&writer->scratch);
	for (size_t i = 0; i < count; i++)
	{
		if (i > 0 && compare_fields(&fields[i - 1], &fields[i]) == 0)
			return false;
		if (i > 0)
			appendStringInfoCharMacro(&writer->scratch, ',');
		if (fields[i].at < id_at && id_at < fields[i].at + fields[i].length)
			writer->id_at = start + writer->scratch.len + id_at - fields[i].at;
		append(&writer->scratch, writer->out.data + fields[i].at, fields[i].length);
	}
	memcpy(writer->out.data + start, writer->scratch.data, writer->scratch.len);
	return true;
}

static Verdict write_container(Writer *writer, const uint8_t *document, bool array, int depth);

/*
 * write_value - write a value as JSON; BROKEN: writer->bad is the place
 */
static Verdict
write_value(Writer *writer, const Element *element, int depth)
{
	const uint8_t *value = element->value;
	bson_decimal128_t decimal;
	char		text[BSON_DECIMAL128_STRING];

	switch (element->type)
	{
		case BSON_TYPE_DOCUMENT:
		case BSON_TYPE_ARRAY:
			return write_container(writer, value, element->type == BSON_TYPE_ARRAY, depth + 1);
		case BSON_TYPE_UTF8:
			return write_string(writer, (const char *) value + 4, element->length - 5, "a string");
		case BSON_TYPE_CODEWSCOPE:
			append(&writer->out, "{\"$code\":", 9);
			TRY(write_string(writer, (const char *) value + 8, get_length(value + 4) - 1,
							 "a string"));
			append(&writer->out, ",\"$scope\":", 10);
			TRY(write_container(writer, value + 8 + get_length(value + 4), false, depth + 1));
			appendStringInfoCharMacro(&writer->out, '}');
			break;
		case BSON_TYPE_INT32:
			write_int(writer, (int32) get_length(value));
			break;
		case BSON_TYPE_INT64:
			write_int(writer, get_int64(value));
			break;
		case BSON_TYPE_DOUBLE:
			write_double(writer, get_double(value));
			break;
		case BSON_TYPE_DATE_TIME:
			write_date(writer, get_int64(value));
			break;
		case BSON_TYPE_OID:
			write_oid(writer, value);
			break;
		case BSON_TYPE_BOOL:
			append(&writer->out, *value ? "true" : "false", *value ? 4 : 5);
			break;
		case BSON_TYPE_NULL:
			append(&writer->out, "null", 4);
			break;
		case BSON_TYPE_DECIMAL128:
			decimal = (bson_decimal128_t)
			{
				.low = get_int64(value),.high = get_int64(value + 8)
			};
			bson_decimal128_to_string(&decimal, text);
			appendStringInfo(&writer->out, "{\"$numberDecimal\":\"%s\"}", text);
			break;
		default:
			return write_by_libbson(writer, element);
	}
	return WRITTEN;
}

/*
 * write_container - write a document or an array, whose bytes are all in
 * memory
 */
static Verdict
write_container(Writer *writer, const uint8_t *document, bool array, int depth)
{
	const uint8_t *end = document + get_length(document) - 1;
	size_t		first = writer->fields_used;
	int			begin = writer->out.len + 1;
	Element		element;

	if (depth > MAX_DEPTH)
		return reject(writer->reason, "nested deeper than %d levels", MAX_DEPTH);
	appendStringInfoCharMacro(&writer->out, array ? '[' : '{');
	for (const uint8_t *at = document + 4; at < end; at = element.value + element.length)
	{
		int			start;

		if (at > document + 4)
			appendStringInfoCharMacro(&writer->out, ',');
		writer->bad = at;
		if (!read_element(at, end, &element))
			return BROKEN;
		if (!array)
			TRY(write_field_name(writer, element.name, element.name_length));
		start = writer->out.len;
		if (depth == 1 && is_id(&element))
			set_key(&writer->id, &element);
		TRY(write_value(writer, &element, depth));
		if (writer->out.len > MAX_JSON)
			return reject(writer->reason, "too large");
		if (!array)
		{
			Field	   *field = &writer->fields[writer->fields_used - 1];

			field->length = writer->out.len - field->at;
		}
		if (writer->id.value == element.value)
		{
			writer->id_at = start;
			writer->id_length = writer->out.len - start;
		}
	}
	writer->bad = end;
	if (*end != '\0')
		return BROKEN;
	appendStringInfoCharMacro(&writer->out, array ? ']' : '}');
	if (!array && !sort_fields(writer, first, begin))
		return reject(writer->reason, "a field occurs twice");
	writer->fields_used = first;
	return WRITTEN;
}

/*
 * start_writer - initialize a writer, or reset one that was used before
 */
void
start_writer(Writer *writer)
{
	if (writer->out.data == NULL)
	{
		initStringInfo(&writer->out);
		initStringInfo(&writer->scratch);
	}
	resetStringInfo(&writer->out);
}

/*
 * write_bson - append the document to writer->out
 *
 * If it is BROKEN, writer->bad is the place.
 */
Verdict
write_bson(Writer *writer, const uint8_t *document)
{
	Verdict		verdict;

	writer->reason[0] = '\0';
	writer->fields_used = 0;
	writer->id.value = NULL;
	writer->id_at = 0;
	verdict = write_container(writer, document, false, 1);

	/* what follows the reason for a rejection may be BROKEN, which is damage */
	if (verdict == REJECTED && (writer->bad = check_bson(document)) != NULL)
		verdict = BROKEN;
	return verdict;
}
