/*-------------------------------------------------------------------------
 *
 * extjson.c
 *	  The values of Extended JSON that are wrapped in an object, {"$...": value}.
 *
 *-------------------------------------------------------------------------
 */
#include "objectid-import.h"

/* Which wrapper is it whose first field has this name? */
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

/* Append 8 bytes of a value. */
Verdict
append_value(StringInfo bson, int type_at, uint8_t type, uint64 value)
{
	value = BSON_UINT64_TO_LE(value);
	append(bson, &value, 8);
	bson->data[type_at] = type;
	return WRITTEN;
}

uint64
double_bits(double value)
{
	uint64		bits;

	memcpy(&bits, &value, 8);
	return bits;
}

/* Read an integer that is all of the text. */
bool
parse_integer(const char *text, size_t length, int64 *value)
{
	char	   *rest;

	errno = 0;
	*value = strtoll(text, &rest, 10);
	return errno == 0 && rest == text + length && !isspace((unsigned char) *text) && length > 0;
}

/* Append the value of the JSON text as libbson reads it. */
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

/*
 * Append a date, whose wrapper is "source".  libbson reads all forms, slowly,
 * and takes a day that there is not, such as February 30, for another.
 */
static Verdict
parse_date(StringInfo bson, int type_at, const char *text, Span source, char *reason)
{
	struct tm	date = {0};
	struct tm	normal;
	time_t		seconds;
	char		form[64];

	if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d", &date.tm_year, &date.tm_mon, &date.tm_mday, &date.tm_hour, &date.tm_min, &date.tm_sec) >= 3)
	{
		date.tm_year -= 1900;
		date.tm_mon--;
		date.tm_sec = Min(date.tm_sec, 59); /* a leap second is for libbson */
		normal = date;
		seconds = timegm(&normal);
		if (normal.tm_mday != date.tm_mday || normal.tm_mon != date.tm_mon)
			return BROKEN;
		strftime(form, sizeof(form), "%Y-%m-%dT%H:%M:%S", &normal);
		if (strncmp(text, form, 19) == 0 && *text != '-' &&
			(strcmp(text + 19, "Z") == 0 || (text[19] == '.' && strspn(text + 20, "0123456789") == 3 && strcmp(text + 23, "Z") == 0)))
			return append_value(bson, type_at, BSON_TYPE_DATE_TIME, seconds * INT64CONST(1000) + (text[19] == '.' ? atoi(text + 20) : 0));
	}
	return parse_by_libbson(bson, type_at, source, reason);
}

/*
 * Replace the document at "at", which {"$...": value} would be, by what it wraps.
 * libbson would take any 24 characters for an ObjectId, no number at all for a
 * decimal, what begins with a number for a double, and the last of the fields
 * that occur twice.
 */
Verdict
unwrap(StringInfo bson, int type_at, int at, Wrapper wrapper, Span source, char *reason)
{
	static Writer writer;
	const char *name = bson->data + at + 5;
	const uint8_t *value = (const uint8_t *) name + strlen(name) + 1;
	bool		string = bson->data[at + 4] == BSON_TYPE_UTF8;
	const char *text = (const char *) value + 4;
	size_t		length = string ? get_length(value) - 1 : 0;
	bool		alone = (const char *) value + (string ? 5 + length : 8) == bson->data + bson->len - 1;
	Verdict		verdict = BROKEN;
	char	   *rest;
	int64		integer;
	double		number;
	bson_oid_t	oid;
	bson_decimal128_t decimal;

	bson->len = at;
	if (wrapper == LIBBSON)
	{
		start_writer(&writer, WRITE_SORTED);
		return write_bson(&writer, (const uint8_t *) bson->data + at) == WRITTEN ?
			parse_by_libbson(bson, type_at, source, reason) : reject(reason, "%s", writer.reason);
	}
	if (wrapper == DATE && alone && bson->data[at + 4] == BSON_TYPE_INT64)
		verdict = append_value(bson, type_at, BSON_TYPE_DATE_TIME, get_int64(value));
	else if (!string || !alone || strlen(text) != length)
		verdict = BROKEN;
	else if (wrapper == DATE)
		verdict = parse_date(bson, type_at, text, source, reason);
	else if (wrapper == OID && bson_oid_is_valid(text, length))
	{
		bson_oid_init_from_string(&oid, text);
		append(bson, (const char *) oid.bytes, 12);
		bson->data[type_at] = BSON_TYPE_OID;
		verdict = WRITTEN;
	}
	else if ((wrapper == INT || wrapper == LONG) && parse_integer(text, length, &integer) &&
			 (wrapper == LONG || integer == (int32) integer))
		verdict = append_value(bson, type_at, BSON_TYPE_INT64, integer);
	else if (wrapper == DOUBLE && length > 0 && (number = strtod(text, &rest), *rest == '\0') &&
			 (strspn(text, "+-.0123456789eE") == length || strcmp(text, "NaN") == 0 ||
			  strcmp(text, "Infinity") == 0 || strcmp(text, "-Infinity") == 0))
		verdict = append_value(bson, type_at, BSON_TYPE_DOUBLE, double_bits(number));
	else if (wrapper == DECIMAL && bson_decimal128_from_string(text, &decimal))
	{
		append_value(bson, type_at, BSON_TYPE_DECIMAL128, decimal.low);
		verdict = append_value(bson, type_at, BSON_TYPE_DECIMAL128, decimal.high);
	}
	return verdict == BROKEN ? reject(reason, "not Extended JSON: bad value of %s", name) : verdict;
}
