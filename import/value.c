/*-------------------------------------------------------------------------
 *
 * value.c
 *	  The JSON of strings, numbers, dates and ObjectIds, and the fields of an
 *	  object, whether they come from BSON or from JSON.
 *
 *-------------------------------------------------------------------------
 */
#include "objectid-import.h"

#include <math.h>

#include "common/shortest_dec.h"
#include "mb/pg_wchar.h"

/* 9999-12-31 23:59:59.999 UTC, in milliseconds */
#define LAST_DATE INT64CONST(253402300799999)

/* all integers up to this are doubles */
#define MAX_EXACT 9007199254740992.0


/* Note why a document is rejected. */
Verdict
reject(Writer *writer, const char *format,...)
{
	va_list		arguments;

	va_start(arguments, format);
	vsnprintf(writer->reason, sizeof(writer->reason), format, arguments);
	va_end(arguments);
	return REJECTED;
}

/*
 * What writes a value notes in writer->value what it is as a key.  The caller
 * has set its type to ID_JSONB.
 */

/* Write a string of UTF-8; "what" names it in a reason to reject it. */
Verdict
write_string(Writer *writer, const char *text, size_t length, const char *what)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *in = (const unsigned char *) text;
	const unsigned char *end = in + length;
	bool		verified = false;
	char	   *out;

	enlargeStringInfo(&writer->out, 6 * length + 2);
	out = writer->out.data + writer->out.len;
	*out++ = '"';
	for (; in < end; in++)
	{
		unsigned char c = *in;

		if (c >= 0x80 && !verified)
		{
			verified = true;
			if (pg_encoding_verifymbstr(PG_UTF8, text, length) != (int) length && memchr(text, '\0', length) == NULL)
				return reject(writer, "invalid UTF-8 in %s", what);
		}
		if (c >= 0x20 && c != '"' && c != '\\')
			*out++ = c;
		else if (c == '\0')
			return reject(writer, "NUL character in %s", what);
		else
		{
			*out++ = '\\';
			if (c == '"' || c == '\\')
				*out++ = c;
			else
			{
				memcpy(out, "u00", 3);
				out[3] = digits[c >> 4];
				out[4] = digits[c & 15];
				out += 5;
			}
		}
	}
	*out++ = '"';
	writer->out.len = out - writer->out.data;
	return WRITTEN;
}

void
write_int(Writer *writer, int64 value)
{
	char		digits[24];
	char	   *place = digits + sizeof(digits);
	uint64		rest = value < 0 ? -(uint64) value : (uint64) value;

	do
		*--place = '0' + rest % 10;
	while ((rest /= 10) > 0);
	if (value < 0)
		*--place = '-';
	appendBinaryStringInfo(&writer->out, place, digits + sizeof(digits) - place);
	writer->value.type = ID_BIGINT;
	writer->value.integer = value;
	writer->value.what = "an integer";
}

/*
 * Write the shortest decimal number that is read back as this one, always with
 * a decimal point, so that it is still seen to be a double.  jsonb keeps the
 * zero of "1.0"; but it has no exponents, and would keep nothing of "1e+20".
 */
void
write_double(Writer *writer, double value)
{
	char		text[DOUBLE_SHORTEST_DECIMAL_LEN];
	int			length;

	writer->value.what = "a double";
	if (fabs(value) <= MAX_EXACT && value == rint(value))
	{
		/* what a shell made of 1 is a key as 1 is */
		writer->value.type = ID_BIGINT;
		writer->value.integer = (int64) value;
	}
	if (isnan(value) || isinf(value))
	{
		appendStringInfo(&writer->out, "{\"$numberDouble\":\"%s\"}",
						 isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
		return;
	}
	length = double_to_shortest_decimal_bufn(value, text);
	if (memchr(text, 'e', length) != NULL && fabs(value) >= 1)
		appendStringInfo(&writer->out, "%.1f", value);
	else
	{
		appendBinaryStringInfo(&writer->out, text, length);
		if (memchr(text, '.', length) == NULL && memchr(text, 'e', length) == NULL)
			appendBinaryStringInfo(&writer->out, ".0", 2);
	}
}

/* Write a date, in milliseconds since 1970.  Relaxed Extended JSON has no form for years past 9999. */
void
write_date(Writer *writer, int64 milliseconds)
{
	time_t		seconds = milliseconds / 1000;
	int			rest = milliseconds % 1000;
	struct tm	date;
	char		text[64];

	writer->value.type = ID_JSONB;
	writer->value.what = "a date";
	if (milliseconds < 0 || milliseconds > LAST_DATE)
	{
		appendStringInfo(&writer->out, "{\"$date\":{\"$numberLong\":\"" INT64_FORMAT "\"}}", milliseconds);
		return;
	}
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &date));
	appendStringInfo(&writer->out, rest == 0 ? "{\"$date\":\"%sZ\"}" : "{\"$date\":\"%s.%03dZ\"}", text, rest);
}

void
write_oid(Writer *writer, const bson_oid_t *oid)
{
	char		hex[25];

	bson_oid_to_string(oid, hex);
	appendBinaryStringInfo(&writer->out, "{\"$oid\":\"", 9);
	appendBinaryStringInfo(&writer->out, hex, 24);
	appendBinaryStringInfo(&writer->out, "\"}", 2);
	writer->value.type = ID_OBJECTID;
	writer->value.what = "an ObjectId";
	memcpy(writer->value.bytes, oid->bytes, 12);
}

void
write_decimal(Writer *writer, const bson_decimal128_t *decimal)
{
	char		text[BSON_DECIMAL128_STRING];

	bson_decimal128_to_string(decimal, text);
	appendStringInfo(&writer->out, "{\"$numberDecimal\":\"%s\"}", text);
	writer->value.what = "a decimal";
}

/* Note a field of the object that is open. */
void
add_name(Writer *writer, const char *text, size_t length)
{
	if (writer->names_used == writer->names_allocated)
	{
		writer->names_allocated = writer->names_allocated ? 2 * writer->names_allocated : 256;
		writer->names = pg_realloc(writer->names, writer->names_allocated * sizeof(Span));
	}
	writer->names[writer->names_used].text = text;
	writer->names[writer->names_used++].length = length;
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

/*
 * Does a name occur twice from there on?  BSON and JSON can have that; jsonb
 * would keep the last only, and say nothing.  Forgets the names.
 */
bool
names_repeat(Writer *writer, size_t from)
{
	Span	   *names = writer->names + from;
	size_t		count = writer->names_used - from;

	writer->names_used = from;
	if (count <= 16)
	{
		for (size_t i = 1; i < count; i++)
			for (size_t j = 0; j < i; j++)
				if (names[i].length == names[j].length && memcmp(names[i].text, names[j].text, names[i].length) == 0)
					return true;
		return false;
	}
	qsort(names, count, sizeof(Span), compare_names);
	for (size_t i = 1; i < count; i++)
		if (compare_names(&names[i - 1], &names[i]) == 0)
			return true;
	return false;
}
