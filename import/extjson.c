/*-------------------------------------------------------------------------
 *
 * extjson.c
 *	  Converts the wrappers of Extended JSON, {"$...": value}, to BSON values.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <math.h>

#include "convert.h"

/* Returns the wrapper whose first field has this name. */
Wrapper
find_wrapper(const char *name)
{
	static const char *const names[] = {"$oid", "$numberInt", "$numberLong", "$numberDouble", "$numberDecimal", "$date",
		"$binary", "$uuid", "$regularExpression", "$regex", "$timestamp", "$code", "$symbol", "$dbPointer", "$minKey",
	"$maxKey", "$undefined"};

	for (size_t i = 0; i < lengthof(names) && *name == '$'; i++)
		if (strcmp(name, names[i]) == 0)
			return Min(OID + i, LIBBSON);
	return NO_WRAPPER;
}

/* Append a value of 8 bytes, and store its type. */
void
append_value(StringInfo bson, int type_at, uint8_t type, uint64 value)
{
	value = BSON_UINT64_TO_LE(value);
	append(bson, &value, 8);
	bson->data[type_at] = type;
}

void
append_double(StringInfo bson, int type_at, double value)
{
	uint64		bits;

	memcpy(&bits, &value, 8);
	append_value(bson, type_at, BSON_TYPE_DOUBLE, bits);
}

/* Append the value that libbson reads from the JSON text. */
static Verdict
parse_by_libbson(StringInfo bson, int type_at, const char *text, size_t length, char *reason)
{
	char	   *wrapped = psprintf("{\"\":%.*s}", (int) length, text);
	bson_error_t error;
	bson_t	   *document = bson_new_from_json((uint8_t *) wrapped, -1, &error);

	pfree(wrapped);
	if (document == NULL || document->len < 7)
		return reject(reason, "not Extended JSON: %s", document ? "no value" : error.message);
	/* its length, a type, no name, the value, an end */
	bson->data[type_at] = bson_get_data(document)[4];
	append(bson, bson_get_data(document) + 6, document->len - 7);
	bson_destroy(document);
	return WRITTEN;
}

/*
 * Read a date.  The forms are those of mongoimport, 2019-01-31T23:59:59.999 and Z,
 * +01:00 or +0100; seconds can be missing, as in libbson.
 */
static bool
read_date(const char *text, int64 *milliseconds)
{
	struct tm	date = {0};
	struct tm	zone = {0};
	char		normal[64];
	const char *rest = strptime(text, "%Y-%m-%dT%H:%M", &date);
	int			fraction = 0;

	if (rest && *rest == ':')
		rest = strptime(rest, ":%S", &date);
	if (rest == NULL || strspn(text, "0123456789") != 4)
		return false;
	*milliseconds = timegm(&date) * INT64CONST(1000);
	/* the same date, but for February 30, second 60 or a missing digit */
	strftime(normal, sizeof(normal), "-%m-%dT%H:%M:%S", &date);
	if ((rest - text != 16 && rest - text != 19) || strncmp(text + 4, normal, rest - text - 4) != 0)
		return false;
	if (*rest == '.')
	{
		if (!isdigit((unsigned char) *++rest))
			return false;
		for (int unit = 100; isdigit((unsigned char) *rest); unit /= 10)
			fraction += unit * (*rest++ - '0');
	}
	*milliseconds += fraction;
	if (*rest == '+' || *rest == '-')
	{
		const char *format = strchr(rest, ':') ? "%H:%M" : "%H%M";

		strptime(rest + 1, format, &zone);
		strftime(normal, sizeof(normal), format, &zone);
		*milliseconds -= (*rest == '-' ? -60000 : 60000) * (60 * zone.tm_hour + zone.tm_min);
		return strcmp(rest + 1, normal) == 0;
	}
	return strcmp(rest, "Z") == 0;
}

/* Append the value of a wrapper of a string.  False: the string is not such a value. */
static bool
append_wrapped(StringInfo bson, int type_at, Wrapper wrapper, const char *text, size_t length)
{
	int64		integer;
	double		number;
	char	   *rest;
	bson_oid_t	oid;
	bson_decimal128_t decimal;

	switch (wrapper)
	{
		case OID:
			if (!bson_oid_is_valid(text, length))
				return false;
			bson_oid_init_from_string(&oid, text);
			append(bson, oid.bytes, 12);
			bson->data[type_at] = BSON_TYPE_OID;
			return true;
		case INT:
		case LONG:
			if (!parse_integer(text, length, &integer) || (wrapper == INT && integer != (int32) integer))
				return false;
			append_value(bson, type_at, BSON_TYPE_INT64, integer);
			return true;
		case DOUBLE:
			number = strtod(text, &rest);
			if (strcmp(text, "NaN") != 0 && strcmp(text, "Infinity") != 0 && strcmp(text, "-Infinity") != 0 &&
				(length == 0 || strspn(text, "+-.0123456789eE") < length || *rest || isinf(number)))
				return false;
			append_double(bson, type_at, number);
			return true;
		case DECIMAL:
			if (!bson_decimal128_from_string(text, &decimal))
				return false;
			append_value(bson, type_at, BSON_TYPE_DECIMAL128, decimal.low);
			append_value(bson, type_at, BSON_TYPE_DECIMAL128, decimal.high);
			return true;
		case DATE:
			if (!read_date(text, &integer))
				return false;
			append_value(bson, type_at, BSON_TYPE_DATE_TIME, integer);
			return true;
		default:
			return false;
	}
}

/*
 * Replace the document at "at", which is {"$...": value} and the last in "bson",
 * by what it wraps; "json" is its text.  What libbson reads leniently is read
 * here: it accepts any 24 characters as an ObjectId, text that is not a number as
 * a decimal, text that begins with a number as a double, and fields that occur
 * twice.
 */
Verdict
unwrap(StringInfo bson, int type_at, int at, Wrapper wrapper, const char *json, size_t json_length, char *reason)
{
	static Writer writer;
	const char *name = bson->data + at + 5;
	const uint8_t *value = (const uint8_t *) name + strlen(name) + 1;
	uint8_t		type = bson->data[at + 4];
	const char *text = (const char *) value + 4;
	size_t		length = type == BSON_TYPE_UTF8 ? get_length(value) - 1 : 0;
	const char *end = (const char *) value + (type == BSON_TYPE_UTF8 ? 5 + length : 8);
	bool		alone = end == bson->data + bson->len - 1;

	bson->len = at;
	if (wrapper == LIBBSON)
	{
		start_writer(&writer, false);
		return write_bson(&writer, (const uint8_t *) bson->data + at) == WRITTEN ?
			parse_by_libbson(bson, type_at, json, json_length, reason) : reject(reason, "%s", writer.reason);
	}
	if (wrapper == DATE && alone && type == BSON_TYPE_INT64)
		append_value(bson, type_at, BSON_TYPE_DATE_TIME, get_int64(value));
	else if (type != BSON_TYPE_UTF8 || !alone || strlen(text) != length || !append_wrapped(bson, type_at, wrapper, text, length))
		return reject(reason, "not Extended JSON: bad value of %s", name);
	return WRITTEN;
}
