/*-------------------------------------------------------------------------
 *
 * bson.c
 *	  BSON: is it well formed, and what is it in JSON?
 *
 *-------------------------------------------------------------------------
 */
#include "objectid-import.h"

/* jsonb takes no more in one object or array */
#define MAX_JSON 0x0fffffff

/*
 * The length of a value of a type, of which there are at most "left" bytes; or
 * -1 if it is none.  What is in documents, arrays and scopes is not looked at.
 */
static int64
value_length(uint8_t type, const uint8_t *value, size_t left)
{
	int64		count = left >= 4 ? (int64) get_length(value) : PG_INT32_MAX;
	int64		length = -1;

	switch (type)
	{
		case BSON_TYPE_NULL:
		case BSON_TYPE_UNDEFINED:
		case BSON_TYPE_MINKEY:
		case BSON_TYPE_MAXKEY:
			return 0;
		case BSON_TYPE_BOOL:
			length = left > 0 && value[0] <= 1 ? 1 : -1;
			break;
		case BSON_TYPE_INT32:
			length = 4;
			break;
		case BSON_TYPE_DOUBLE:
		case BSON_TYPE_DATE_TIME:
		case BSON_TYPE_TIMESTAMP:
		case BSON_TYPE_INT64:
			length = 8;
			break;
		case BSON_TYPE_OID:
			length = 12;
			break;
		case BSON_TYPE_DECIMAL128:
			length = 16;
			break;
		case BSON_TYPE_UTF8:
		case BSON_TYPE_CODE:
		case BSON_TYPE_SYMBOL:
		case BSON_TYPE_DBPOINTER:
			if (count > 0 && 4 + count <= (int64) left && value[3 + count] == '\0')
				length = 4 + count + (type == BSON_TYPE_DBPOINTER ? 12 : 0);
			break;
		case BSON_TYPE_BINARY:
			length = 5 + count;
			break;
		case BSON_TYPE_REGEX:
			length = strnlen((const char *) value, left) + 1;
			if (length < (int64) left)
				length += strnlen((const char *) value + length, left - length) + 1;
			break;
		case BSON_TYPE_DOCUMENT:
		case BSON_TYPE_ARRAY:
			length = count >= 5 ? count : -1;
			break;
		case BSON_TYPE_CODEWSCOPE:
			/* a string and a document fill it */
			if (count >= 14 && count <= (int64) left && (length = value_length(BSON_TYPE_CODE, value + 4, count - 4)) > 0)
				length = value_length(BSON_TYPE_DOCUMENT, value + 4 + length, count - 4 - length) == count - 4 - length ? count : -1;
			break;
	}
	return length <= (int64) left ? length : -1;
}

/* Write a value of a rarer type, as libbson does. */
static Verdict
write_by_libbson(Writer *writer, uint8_t type, const uint8_t *value, size_t length)
{
	static const char before[] = "{ \"\" : ";
	static const char after[] = " }";
	uint32_t	size = BSON_UINT32_TO_LE(length + 7);
	int			code = type == BSON_TYPE_CODEWSCOPE ? 8 : 4;
	bson_t		document;
	char	   *text = NULL;
	size_t		text_length;

	/* libbson ends these at a NUL, and says nothing */
	if ((type == BSON_TYPE_CODE || type == BSON_TYPE_SYMBOL || type == BSON_TYPE_DBPOINTER || type == BSON_TYPE_CODEWSCOPE) &&
		memchr(value + code, '\0', get_length(value + code - 4) - 1) != NULL)
		return reject(writer->reason, "NUL character in a string");
	resetStringInfo(&writer->scratch);
	append(&writer->scratch, &size, 4);
	appendStringInfoChar(&writer->scratch, type);
	appendStringInfoChar(&writer->scratch, '\0');
	append(&writer->scratch, value, length);
	appendStringInfoChar(&writer->scratch, '\0');
	if (bson_init_static(&document, (const uint8_t *) writer->scratch.data, writer->scratch.len))
		text = bson_as_relaxed_extended_json(&document, &text_length);
	if (text == NULL)
		return reject(writer->reason, "a value of BSON type 0x%02x that has no JSON form", type);
	append(&writer->out, text + strlen(before), text_length - strlen(before) - strlen(after));
	bson_free(text);
	return WRITTEN;
}

static int
compare_names(const void *left, const void *right)
{
	const Span *a = left;
	const Span *b = right;

	if (a->length != b->length)
		return a->length < b->length ? -1 : 1;
	return memcmp(a->text, b->text, a->length);
}

/* Note the name of a field.  "seen" has a bit for each, so that most cannot have occurred before. */
static inline bool
add_name(Writer *writer, uint64 *seen, const char *text, size_t length)
{
	uint64		bit = UINT64CONST(1) << ((length + 7 * text[0] + 31 * text[length / 2]) % 64);
	bool		maybe = *seen & bit;

	if (writer->names_used == writer->names_allocated)
	{
		writer->names_allocated = Max(256, 2 * writer->names_allocated);
		writer->names = pg_realloc(writer->names, writer->names_allocated * sizeof(Span));
	}
	writer->names[writer->names_used++] = (Span) {text, length};
	*seen |= bit;
	return maybe;
}

/* BSON and JSON can have a name twice; jsonb would keep the last only, and say nothing. */
static bool
names_repeat(Span *names, size_t count)
{
	qsort(names, count, sizeof(Span), compare_names);
	for (size_t i = 1; i < count; i++)
		if (compare_names(&names[i - 1], &names[i]) == 0)
			return true;
	return false;
}

static Verdict walk(Writer *writer, const uint8_t *document, bool array, int depth);

static Verdict
write_value(Writer *writer, uint8_t type, const uint8_t *value, size_t length, int depth)
{
	bson_decimal128_t decimal;
	char		text[BSON_DECIMAL128_STRING];

	switch (type)
	{
		case BSON_TYPE_DOCUMENT:
		case BSON_TYPE_ARRAY:
			return walk(writer, value, type == BSON_TYPE_ARRAY, depth + 1);
		case BSON_TYPE_UTF8:
			return write_string(writer, (const char *) value + 4, length - 5, "a string");
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
			decimal = (bson_decimal128_t) {.low = get_int64(value),.high = get_int64(value + 8)};
			bson_decimal128_to_string(&decimal, text);
			appendStringInfo(&writer->out, "{\"$numberDecimal\":\"%s\"}", text);
			break;
		default:
			return write_by_libbson(writer, type, value, length);
	}
	return WRITTEN;
}

/* Write a document or an array, all of whose bytes are there; or only see that it is well formed. */
static Verdict
walk(Writer *writer, const uint8_t *document, bool array, int depth)
{
	const uint8_t *end = document + get_length(document) - 1;
	const uint8_t *at = document + 4;
	size_t		first_name = writer->names_used;
	uint64		seen = 0;
	bool		maybe = false;
	int64		length;

	if (depth > MAX_DEPTH)
		return writer->checking ? WRITTEN : reject(writer->reason, "nested deeper than %d levels", MAX_DEPTH);
	appendStringInfoCharMacro(&writer->out, array ? '[' : '{');
	for (; at < end; at += length)
	{
		uint8_t		type = *at;
		const char *name = (const char *) at + 1;
		size_t		name_length = strnlen(name, end - at - 1);
		int			start;

		if (at > document + 4)
			appendStringInfoCharMacro(&writer->out, ',');
		writer->bad = at;
		at += name_length + 2;
		if (at > end || (length = value_length(type, at, end - at)) < 0)
			return BROKEN;
		if (writer->checking)
		{
			if (type == BSON_TYPE_DOCUMENT || type == BSON_TYPE_ARRAY)
				TRY(walk(writer, at, false, depth + 1));
			else if (type == BSON_TYPE_CODEWSCOPE)
				TRY(walk(writer, at + 8 + get_length(at + 4), false, depth + 1));
			continue;
		}
		if (!array)
		{
			maybe |= add_name(writer, &seen, name, name_length);
			TRY(write_string(writer, name, name_length, "a field name"));
			appendStringInfoCharMacro(&writer->out, ':');
		}
		start = writer->out.len;
		TRY(write_value(writer, type, at, length, depth));
		if (writer->out.len > MAX_JSON)
			return reject(writer->reason, "too large");
		if (depth == 1 && name_length == 3 && memcmp(name, "_id", 3) == 0)
		{
			writer->id_type = type;
			writer->id = at;
			writer->id_at = start;
			writer->id_length = writer->out.len - start;
		}
	}
	writer->bad = end;
	if (*end != '\0')
		return BROKEN;
	appendStringInfoCharMacro(&writer->out, array ? ']' : '}');
	if (maybe && names_repeat(writer->names + first_name, writer->names_used - first_name))
		return reject(writer->reason, "a field occurs twice");
	writer->names_used = first_name;
	return WRITTEN;
}

/*
 * Write the document, or, with writer->checking, only see that it is well
 * formed.  If it is BROKEN, writer->bad is where.
 */
Verdict
write_bson(Writer *writer, const uint8_t *document)
{
	if (writer->out.data == NULL)
	{
		initStringInfo(&writer->out);
		initStringInfo(&writer->scratch);
	}
	resetStringInfo(&writer->out);
	writer->names_used = 0;
	writer->id = NULL;
	return walk(writer, document, false, 1);
}
