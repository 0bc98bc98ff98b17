/*-------------------------------------------------------------------------
 *
 * extjson.c
 *	  Converts the wrappers of Extended JSON, {"$...": value}, to BSON values.
 *
 *-------------------------------------------------------------------------
 */
#include "objectid-import.h"

#include <math.h>

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
Verdict
append_value(StringInfo bson, int type_at, uint8_t type, uint64 value)
{
	value = BSON_UINT64_TO_LE(value);
	append(bson, &value, 8);
	bson->data[type_at] = type;
	return WRITTEN;
}

/* Append a double, which is infinite only if it is meant to be. */
Verdict
append_double(StringInfo bson, int type_at, double value, bool infinite, char *reason)
{
	uint64		bits;

	if (isinf(value) && !infinite)
		return reject(reason, "not Extended JSON: a double out of range");
	memcpy(&bits, &value, 8);
	return append_value(bson, type_at, BSON_TYPE_DOUBLE, bits);
}

/* Append the value that libbson reads from the JSON text. */
static Verdict
parse_by_libbson(StringInfo bson, int type_at, Span source, char *reason)
{
	StringInfoData wrapped;
	bson_t		document;
	bson_error_t error;
	bool		ok;

	initStringInfo(&wrapped);
	appendStringInfo(&wrapped, "{\"\":%.*s}", (int) source.length, source.text);
	ok = bson_init_from_json(&document, wrapped.data, wrapped.len, &error);
	pfree(wrapped.data);
	if (!ok || document.len < 7)
		return reject(reason, "not Extended JSON: %s", ok ? "no value" : error.message);
	/* its length, a type, no name, the value, an end */
	bson->data[type_at] = bson_get_data(&document)[4];
	append(bson, (const char *) bson_get_data(&document) + 6, document.len - 7);
	bson_destroy(&document);
	return WRITTEN;
}

/* Read two digits, and go on behind them.  False: they are not there, or greater than that. */
static bool
read_two_digits(const char **text, int greatest, int *value)
{
	const char *digits = *text;

	if (!isdigit((unsigned char) digits[0]) || !isdigit((unsigned char) digits[1]))
		return false;
	*value = 10 * (digits[0] - '0') + digits[1] - '0';
	*text += 2;
	return *value <= greatest;
}

/*
 * Read a date.  The forms are those of mongoimport, 2019-01-31T23:59:59.999 and Z,
 * +01:00 or +0100; seconds can be missing, as in libbson.
 */
static bool
read_date(const char *text, int64 *milliseconds)
{
	static const char before[] = "--T::";
	static const int greatest[] = {12, 31, 23, 59, 59};
	int			fields[5] = {0};
	int			fraction = 0;
	int			offset[2] = {0};
	struct tm	date = {0};
	struct tm	normal;
	char		sign;

	if (strspn(text, "0123456789") != 4)
		return false;
	date.tm_year = strtol(text, (char **) &text, 10) - 1900;
	for (int i = 0; i < 5 && (i < 4 || *text == ':'); i++)
		if (*text++ != before[i] || !read_two_digits(&text, greatest[i], &fields[i]))
			return false;
	if (*text == '.' && !isdigit((unsigned char) *++text))
		return false;
	for (int unit = 100; isdigit((unsigned char) *text); unit /= 10)
		fraction += unit * (*text++ - '0');
	sign = *text++;
	if (sign != 'Z' && ((sign != '+' && sign != '-') || !read_two_digits(&text, 23, &offset[0]) ||
						(*text == ':' && !*++text) || !read_two_digits(&text, 59, &offset[1])))
		return false;
	date.tm_mon = fields[0] - 1;
	date.tm_mday = fields[1];
	date.tm_hour = fields[2];
	date.tm_min = fields[3];
	date.tm_sec = fields[4];
	normal = date;
	*milliseconds = (timegm(&normal) - (sign == '-' ? -60 : 60) * (60 * offset[0] + offset[1])) * INT64CONST(1000) + fraction;
	/* February 30 has become a day in March */
	return *text == '\0' && normal.tm_mon == date.tm_mon && normal.tm_mday == date.tm_mday;
}

/* Append the value of a wrapper of a string.  BROKEN: the string is not such a value. */
static Verdict
append_wrapped(StringInfo bson, int type_at, Wrapper wrapper, const char *text, size_t length, char *reason)
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
				return BROKEN;
			bson_oid_init_from_string(&oid, text);
			append(bson, (const char *) oid.bytes, 12);
			bson->data[type_at] = BSON_TYPE_OID;
			return WRITTEN;
		case INT:
		case LONG:
			if (!parse_integer(text, length, &integer) || (wrapper == INT && integer != (int32) integer))
				return BROKEN;
			return append_value(bson, type_at, BSON_TYPE_INT64, integer);
		case DOUBLE:
			if (strcmp(text, "NaN") != 0 && strcmp(text, "Infinity") != 0 && strcmp(text, "-Infinity") != 0 &&
				(length == 0 || strspn(text, "+-.0123456789eE") < length))
				return BROKEN;
			number = strtod(text, &rest);
			return *rest == '\0' ? append_double(bson, type_at, number, strchr(text, 'I') != NULL, reason) : BROKEN;
		case DECIMAL:
			if (!bson_decimal128_from_string(text, &decimal))
				return BROKEN;
			append_value(bson, type_at, BSON_TYPE_DECIMAL128, decimal.low);
			return append_value(bson, type_at, BSON_TYPE_DECIMAL128, decimal.high);
		case DATE:
			return read_date(text, &integer) ? append_value(bson, type_at, BSON_TYPE_DATE_TIME, integer) : BROKEN;
		default:
			return BROKEN;
	}
}

/*
 * Replace the document at "at", which is {"$...": value} and the last in "bson",
 * by what it wraps.  What libbson reads leniently is read here: it accepts any 24
 * characters as an ObjectId, text that is not a number as a decimal, text that
 * begins with a number as a double, and fields that occur twice.
 */
Verdict
unwrap(StringInfo bson, int type_at, int at, Wrapper wrapper, Span source, char *reason)
{
	static Writer writer;
	const char *name = bson->data + at + 5;
	const uint8_t *value = (const uint8_t *) name + strlen(name) + 1;
	uint8_t		type = bson->data[at + 4];
	const char *text = (const char *) value + 4;
	size_t		length = type == BSON_TYPE_UTF8 ? get_length(value) - 1 : 0;
	const char *end = (const char *) value + (type == BSON_TYPE_UTF8 ? 5 + length : 8);
	bool		alone = end == bson->data + bson->len - 1;
	Verdict		verdict = BROKEN;

	bson->len = at;
	if (wrapper == LIBBSON)
	{
		start_writer(&writer, WRITE_SORTED);
		return write_bson(&writer, (const uint8_t *) bson->data + at) == WRITTEN ?
			parse_by_libbson(bson, type_at, source, reason) : reject(reason, "%s", writer.reason);
	}
	if (wrapper == DATE && alone && type == BSON_TYPE_INT64)
		verdict = append_value(bson, type_at, BSON_TYPE_DATE_TIME, get_int64(value));
	else if (type == BSON_TYPE_UTF8 && alone && strlen(text) == length)
		verdict = append_wrapped(bson, type_at, wrapper, text, length, reason);
	return verdict == BROKEN ? reject(reason, "not Extended JSON: bad value of %s", name) : verdict;
}
