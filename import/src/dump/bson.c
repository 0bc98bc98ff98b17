/*-------------------------------------------------------------------------
 *
 * bson.c
 *	  Checks BSON, and writes it as relaxed Extended JSON, version 2, with its fields in the order
 *	  of jsonb.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <math.h>

#include "common/shortest_dec.h"
#include "dump.h"
#include "mb/pg_wchar.h"

/* all integers up to this are doubles */
#define MAX_EXACT 9007199254740992.0

/* the largest object or array of jsonb */
#define MAX_JSON 0x0fffffff

/* 9999-12-31 23:59:59.999 UTC, in milliseconds */
#define LAST_DATE INT64CONST(253402300799999)
#define DAY INT64CONST(86400000)

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

/* reject - store the first reason why a document is rejected */
Verdict
reject(char *reason, const char *format,...)
{
	va_list		arguments;

	va_start(arguments, format);
	if (reason[0] == '\0')
		vsnprintf(reason, REASON_SIZE, format, arguments);
	va_end(arguments);
	return REJECTED;
}

/* Write a string of UTF-8.  "what" names it in the reason if it is rejected. */
static Verdict
write_string(Writer *writer, const char *text, size_t length, const char *what)
{
	unsigned char all = 0;
	char	   *out;

	/* each character may become \u00xx */
	if (unlikely((size_t) (writer->out.maxlen - writer->out.len) <= 6 * length + 2))
		enlargeStringInfo(&writer->out, (int) (6 * length + 2));
	out = writer->out.data + writer->out.len;
	*out++ = '"';
	for (size_t i = 0; i < length; i++)
	{
		unsigned char c = text[i];

		all |= c;
		if (likely(c >= ' ' && c != '"' && c != '\\'))
			*out++ = c;
		else if (c == '\0')
			return reject(writer->reason, "NUL character in %s", what);
		else
		{
			*out++ = '\\';
			if (c < ' ')
			{
				memcpy(out, c < 16 ? "u000" : "u001", 4);
				out += 4;
			}
			*out++ = c < ' ' ? "0123456789abcdef"[c & 15] : c;
		}
	}
	if (all >= 0x80 && pg_encoding_verifymbstr(PG_UTF8, text, (int) length) != (int) length)
		return reject(writer->reason, "invalid UTF-8 in %s", what);
	*out++ = '"';
	writer->out.len = (int) (out - writer->out.data);
	return WRITTEN;
}

/* without a format, which takes 30 % longer for a document of integers */
static void
write_int(Writer *writer, int64 value)
{
	char		text[24];
	char	   *place = text + sizeof(text);
	uint64		rest = value < 0 ? -(uint64) value : (uint64) value;

	do
		*--place = (char) ('0' + rest % 10);
	while ((rest /= 10) > 0);
	if (value < 0)
		*--place = '-';
	append(&writer->out, place, text + sizeof(text) - place);
}

/*
 * Write the shortest decimal number that is read as this double. It always has a decimal point,
 * which distinguishes it from an integer: jsonb keeps "1.0", but turns "1e+20" into an integer.
 */
static void
write_double(Writer *writer, double value)
{
	StringInfo	out = &writer->out;
	char		text[DOUBLE_SHORTEST_DECIMAL_LEN];
	const char *exponent;
	int			left;			/* digits before the point */

	if (isnan(value) || isinf(value))
	{
		appendStringInfo(out, "{\"$numberDouble\":\"%s\"}",
						 isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
		return;
	}
	double_to_shortest_decimal_buf(value, text);
	exponent = strstr(text, "e+");
	if (exponent == NULL)
	{
		append(out, text, strlen(text));
		if (strpbrk(text, ".e") == NULL)
			append(out, ".0", 2);
		return;
	}
	left = 1 + atoi(exponent + 2);
	for (const char *c = text; c < exponent; c++)
	{
		if (*c == '.')
			continue;
		if (*c != '-' && left-- == 0)
			appendStringInfoCharMacro(out, '.');
		appendStringInfoCharMacro(out, *c);
	}
	if (left < 0)
		return;
	while (left-- > 0)
		appendStringInfoCharMacro(out, '0');
	append(out, ".0", 2);
}

/*
 * date_to_days - days from 1970 to a date of a year from 0 on.  Returns false if there is no
 * such date.  The functions of the C library count leap seconds if TZ is one of the time zones
 * that are named right/.
 */
bool
date_to_days(int year, int month, int day, int64 *days)
{
	/* years begin in March, so that a leap day is their last */
	int			march = month < 3 ? year + 399 : year + 400;
	int			days_of_month = month == 2 ? 28 : 30 + (month + month / 8) % 2;

	if (month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0))
		days_of_month++;
	*days = 365 * march + march / 4 - march / 100 + march / 400 +
		(153 * ((month + 9) % 12) + 2) / 5 + day - 1 - 719468 - 146097;
	return month >= 1 && month <= 12 && day >= 1 && day <= days_of_month;
}

/*
 * Write a date, in milliseconds since 1970.  Relaxed Extended JSON has no form for years past
 * 9999.  This is the reverse of date_to_days(), in eras of 400 years that begin in March.
 */
static void
write_date(Writer *writer, int64 milliseconds)
{
	int			rest = (int) (milliseconds % DAY);
	int64		day = milliseconds / DAY + 719468;	/* since March of year 0 */
	int			of_era = (int) (day % 146097);
	int			year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	int			of_year = of_era - (365 * year + year / 4 - year / 100);
	int			month = (5 * of_year + 2) / 153;
	int			values[] = {
		year + 400 * (int) (day / 146097) + month / 10, (month + 2) % 12 + 1,
		of_year - (153 * month + 2) / 5 + 1, rest / 3600000, rest / 60000 % 60, rest / 1000 % 60,
		rest % 1000
	};
	static const uint8 places[] = {13, 16, 19, 22, 25, 28, 32}; /* of last digits */
	char		text[] = "{\"$date\":\"0000-00-00T00:00:00.000Z\"}";
	char	   *end = text + (values[6] > 0 ? 33 : 29);

	if (milliseconds < 0 || milliseconds > LAST_DATE)
	{
		appendStringInfo(&writer->out, "{\"$date\":{\"$numberLong\":\"" INT64_FORMAT "\"}}",
						 milliseconds);
		return;
	}
	for (int i = 0; i < 7; i++)
		for (char *digit = text + places[i]; values[i] > 0; values[i] /= 10)
			*digit-- += (char) (values[i] % 10);
	memcpy(end, "Z\"}", 3);
	append(&writer->out, text, end + 3 - text);
}

void
write_oid(Writer *writer, const uint8_t *bytes)
{
	static const char digits[] = "0123456789abcdef";
	char		text[] = "{\"$oid\":\"000000000000000000000000\"}";

	for (int i = 0; i < 12; i++)
	{
		text[9 + 2 * i] = digits[bytes[i] >> 4];
		text[10 + 2 * i] = digits[bytes[i] & 15];
	}
	append(&writer->out, text, sizeof(text) - 1);
}

/* write a value of a rare type, by libbson */
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

/* in the order of jsonb: shorter names come first */
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

/* write the name of a field, and remember its place for sort_fields() */
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
 * Sort the fields of the object that begins at "start" as jsonb does, which saves the server
 * more time than it takes here.  Returns false if a field occurs twice, of which jsonb would
 * silently keep the last.
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

/* write a value as JSON; BROKEN: writer->bad is the place */
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

/* write a document or an array, whose bytes are all in memory */
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
		if (depth == 1 && element.name_length == 3 && memcmp(element.name, "_id", 3) == 0)
			writer->id = element;
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

/* start_writer - initialize a writer, or reset one that was used before */
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

/* write_bson - append the document to writer->out.  If it is BROKEN, writer->bad is the place. */
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
	if (verdict == REJECTED && (writer->bad = check_bson(document, 1)) != NULL)
		verdict = BROKEN;
	return verdict;
}
