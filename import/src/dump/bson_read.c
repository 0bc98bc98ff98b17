/*-------------------------------------------------------------------------
 *
 * bson_read.c
 *	  Checks BSON documents, reads their elements, and knows the types of keys.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <math.h>

#include "bson_json.h"

/* all integers up to this are doubles */
#define MAX_EXACT 9007199254740992.0

/*
 * The length of a value of at most "left" bytes, or -1 if it is damaged.  The contents of
 * documents, arrays and scopes are not checked.
 */
static int64
value_length(uint8_t type, const uint8_t *value, size_t left)
{
	/* one more than the length */
	static const uint8_t fixed[256] = {
		[BSON_TYPE_DOUBLE] = 9,[BSON_TYPE_OID] = 13,[BSON_TYPE_BOOL] = 2,
		[BSON_TYPE_DATE_TIME] = 9,[BSON_TYPE_INT32] = 5,[BSON_TYPE_TIMESTAMP] = 9,
		[BSON_TYPE_INT64] = 9,[BSON_TYPE_DECIMAL128] = 17,[BSON_TYPE_NULL] = 1,
		[BSON_TYPE_UNDEFINED] = 1,[BSON_TYPE_MINKEY] = 1,[BSON_TYPE_MAXKEY] = 1
	};
	int64		count = left >= 4 ? (int64) get_length(value) : PG_INT32_MAX;
	int64		length = -1;

	if (fixed[type] > 0)
		length = type == BSON_TYPE_BOOL && left > 0 && value[0] > 1 ? -1 : fixed[type] - 1;
	else if (type == BSON_TYPE_DOCUMENT || type == BSON_TYPE_ARRAY)
		length = count >= 5 ? count : -1;
	else if (type == BSON_TYPE_UTF8 || type == BSON_TYPE_CODE || type == BSON_TYPE_SYMBOL ||
			 type == BSON_TYPE_DBPOINTER)
	{
		if (count > 0 && 4 + count <= (int64) left && value[3 + count] == '\0')
			length = 4 + count + (type == BSON_TYPE_DBPOINTER ? 12 : 0);
	}
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
 * read_element - read the element at "at" of a document that ends at "end".  Returns false if
 * it is damaged.
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

/*
 * check_bson - where a document or an array at this depth is damaged, or NULL.  All its bytes are
 * in memory.
 */
const uint8_t *
check_bson(const uint8_t *document, int depth)
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
		if (inner && (bad = check_bson(inner, depth + 1)) != NULL)
			return bad;
	}
	return *end == '\0' ? NULL : end;
}

/* a domain has the name of the type for which it stands */
const char *const id_type_names[] = {
	[ID_OBJECTID] = "objectid",[ID_TEXT] = "text",[ID_BIGINT] = "bigint",[ID_UUID] = "uuid",
	[ID_JSONB] = "jsonb",[ID_DOMAIN] = "objectid"
};

/* find_id_type - the type of this name, or ID_UNKNOWN */
IdType
find_id_type(const char *name)
{
	for (IdType type = 0; type < ID_TYPES; type++)
		if (strcmp(name, id_type_names[type]) == 0)
			return type;
	return ID_UNKNOWN;
}

/* most_frequent - the type of key that most have, of which "seen" has the numbers, or objectid */
IdType
most_frequent(const int *seen)
{
	IdType		most = ID_OBJECTID;

	for (IdType type = 0; type < ID_TYPES; type++)
		if (seen[type] > seen[most])
			most = type;
	return most;
}

/* key_type - the type for a key.  MongoDB's shell turns 1 into a double. */
IdType
key_type(const Element *id)
{
	double		number;

	switch (id->type)
	{
		case BSON_TYPE_OID:
			return ID_OBJECTID;
		case BSON_TYPE_UTF8:
			return ID_TEXT;
		case BSON_TYPE_INT32:
		case BSON_TYPE_INT64:
			return ID_BIGINT;
		case BSON_TYPE_DOUBLE:
			number = get_double(id->value);
			return fabs(number) <= MAX_EXACT && number == rint(number) ? ID_BIGINT : ID_JSONB;
		case BSON_TYPE_BINARY:
			return get_length(id->value) == 16 && id->value[4] == BSON_SUBTYPE_UUID ?
				ID_UUID : ID_JSONB;
		default:
			return ID_JSONB;
	}
}
