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

/*
 * find_wrapper - the wrapper whose first field has this name
 */
Wrapper
find_wrapper(const char *name)
{
	static const char *const names[] = {
		"$oid", "$numberInt", "$numberLong", "$numberDouble", "$numberDecimal", "$date",
		"$binary", "$uuid", "$regularExpression", "$regex", "$timestamp", "$code", "$symbol",
		"$dbPointer", "$minKey", "$maxKey", "$undefined"
	};

	for (size_t i = 0; i < lengthof(names) && *name == '$'; i++)
		if (strcmp(name, names[i]) == 0)
			return Min(OID + i, LIBBSON);
	return NO_WRAPPER;
}

/*
 * append_value - append a value of 8 bytes, and store its type
 */
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

/*
 * parse_by_libbson - append the value that libbson reads from the JSON text
 */
static Verdict
parse_by_libbson(StringInfo bson, int type_at, const char *text, size_t length, char *reason)
{
	char	   *wrapped = psprintf("{\"\":%.*s}", (int) length, text);
	bson_error_t error = {.message = "no value"};
	bson_t		document;		/* not by malloc(), which aligns it less than
								 * its type asks for */
	bool		read = bson_init_from_json(&document, wrapped, -1, &error);
	bool		found = read && document.len >= 7;

	pfree(wrapped);
	if (found)
	{
		/* its length, a type, no name, the value, an end */
		bson->data[type_at] = bson_get_data(&document)[4];
		append(bson, bson_get_data(&document) + 6, document.len - 7);
	}
	if (read)
		bson_destroy(&document);
	return found ? WRITTEN : reject(reason, "not Extended JSON: %s", error.message);
}

/*
 * read_digits - read a number of so many digits, up to a limit, behind a
 * character unless that is NUL
 */
static bool
read_digits(const char **text, char before, int count, int limit, int *value)
{
	const char *c = *text;

	if (before && *c++ != before)
		return false;
	for (*value = 0; count > 0 && isdigit((unsigned char) *c); count--)
		*value = 10 * *value + *c++ - '0';
	*text = c;
	return count == 0 && *value <= limit;
}

/*
 * read_date - read a date
 *
 * The forms are those of mongoimport, 2019-01-31T23:59:59.999 and Z, +01:00
 * or +0100; seconds can be missing, as in libbson.
 */
static bool
read_date(const char *text, int64 *milliseconds)
{
	int			year;
	int			month;
	int			day;
	int			hour;
	int			minute;
	int			second = 0;
	int			fraction = 0;
	int			sign = 0;
	int			zone_hour = 0;
	int			zone_minute = 0;
	int64		days;

	if (!read_digits(&text, '\0', 4, 9999, &year) || !read_digits(&text, '-', 2, 12, &month) ||
		!read_digits(&text, '-', 2, 31, &day) || !read_digits(&text, 'T', 2, 23, &hour) ||
		!read_digits(&text, ':', 2, 59, &minute) ||
		(*text == ':' && !read_digits(&text, ':', 2, 59, &second)) ||
		!date_to_days(year, month, day, &days))
		return false;
	if (*text == '.')
	{
		if (!isdigit((unsigned char) *++text))
			return false;
		for (int unit = 100; isdigit((unsigned char) *text); unit /= 10)
			fraction += unit * (*text++ - '0');
	}
	if (*text == '+' || *text == '-')
	{
		sign = *text++ == '+' ? 1 : -1;
		if (!read_digits(&text, '\0', 2, 23, &zone_hour) ||
			!read_digits(&text, *text == ':' ? ':' : '\0', 2, 59, &zone_minute))
			return false;
	}
	else if (*text++ != 'Z')
		return false;
	hour -= sign * zone_hour;
	minute -= sign * zone_minute;
	*milliseconds = (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + fraction;
	return *text == '\0';
}

/*
 * append_wrapped - append the value of a wrapper of a string
 *
 * Returns false if the string is not such a value.
 */
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
			if (!parse_integer(text, length, &integer) ||
				(wrapper == INT && integer != (int32) integer))
				return false;
			append_value(bson, type_at, BSON_TYPE_INT64, integer);
			return true;
		case DOUBLE:
			number = strtod(text, &rest);
			if (strcmp(text, "NaN") != 0 && strcmp(text, "Infinity") != 0 &&
				strcmp(text, "-Infinity") != 0 &&
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
 * unwrap - replace the document at "at", which is {"$...": value} and the
 * last in "bson", by what it wraps; "json" is its text
 *
 * What libbson reads leniently is read here: it accepts any 24 characters
 * as an ObjectId, text that is not a number as a decimal, text that begins
 * with a number as a double, and fields that occur twice.
 */
Verdict
unwrap(StringInfo bson, int type_at, int at, Wrapper wrapper, const char *json,
	   size_t json_length, char *reason)
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
		/* write_bson() rejects what PostgreSQL cannot store */
		start_writer(&writer);
		if (write_bson(&writer, (const uint8_t *) bson->data + at) != WRITTEN)
			return reject(reason, "%s", writer.reason);
		return parse_by_libbson(bson, type_at, json, json_length, reason);
	}
	if (wrapper == DATE && alone && type == BSON_TYPE_INT64)
		append_value(bson, type_at, BSON_TYPE_DATE_TIME, get_int64(value));
	else if (type != BSON_TYPE_UTF8 || !alone || strlen(text) != length ||
			 !append_wrapped(bson, type_at, wrapper, text, length))
		return reject(reason, "not Extended JSON: bad value of %s", name);
	return WRITTEN;
}
