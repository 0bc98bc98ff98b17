/*-------------------------------------------------------------------------
 *
 * extjson.c
 *	  The values of Extended JSON that are wrapped in an object, {"$...": value}.
 *
 *-------------------------------------------------------------------------
 */
#include "objectid-import.h"

static const struct
{
	const char *name;
	Wrapper		wrapper;
}			wrappers[] =

{
	{"$oid", OID}, {"$date", DATE}, {"$numberInt", INT}, {"$numberLong", LONG}, {"$numberDouble", DOUBLE},
	{"$numberDecimal", DECIMAL}, {"$binary", LIBBSON}, {"$uuid", LIBBSON}, {"$regularExpression", LIBBSON},
	{"$regex", LIBBSON}, {"$timestamp", LIBBSON}, {"$code", LIBBSON}, {"$symbol", LIBBSON},
	{"$dbPointer", LIBBSON}, {"$minKey", LIBBSON}, {"$maxKey", LIBBSON}, {"$undefined", LIBBSON},
};

/* Write the JSON text by way of BSON. */
Verdict
write_json_by_libbson(Writer *writer, const char *text, size_t length, int depth)
{
	StringInfoData wrapped;
	bson_t		parsed;
	bson_error_t error;
	bson_iter_t iter;
	Verdict		verdict;
	bool		ok;

	initStringInfo(&wrapped);
	appendBinaryStringInfo(&wrapped, "{\"v\":", 5);
	appendBinaryStringInfo(&wrapped, text, length);
	appendStringInfoChar(&wrapped, '}');
	ok = bson_init_from_json(&parsed, wrapped.data, wrapped.len, &error);
	pfree(wrapped.data);
	if (!ok)
		return reject(writer, "not Extended JSON: %s", error.message);
	if (bson_iter_init_find(&iter, &parsed, "v"))
		verdict = write_bson_value(writer, &iter, depth);
	else
		verdict = reject(writer, "not Extended JSON");
	bson_destroy(&parsed);
	return verdict == BROKEN ? reject(writer, "not Extended JSON") : verdict;
}

/* Is it YYYY-MM-DDTHH:MM:SS[.mmm]Z, as bson.c writes it?  All others, and the ends of months, are for libbson. */
bool
date_is_relaxed(const char *text, size_t length)
{
	static const char form[] = "dddd-dd-ddTdd:dd:dd.dddZ";

	for (size_t i = 0; i < length; i++)
		if (i >= strlen(form) || (form[i] == 'd' ? !isdigit((unsigned char) text[i]) :
								  text[i] != (i == 19 && length == 20 ? 'Z' : form[i])))
			return false;
	return (length == 20 || (length == 24 && memcmp(text + 20, "000", 3) != 0)) &&
		memcmp(text, "1970", 4) >= 0 && memcmp(text + 5, "01", 2) >= 0 && memcmp(text + 5, "12", 2) <= 0 &&
		memcmp(text + 8, "01", 2) >= 0 && memcmp(text + 8, "28", 2) <= 0 && memcmp(text + 11, "24", 2) < 0 &&
		text[14] < '6' && text[17] < '6';
}

/* Is it a date of a day that there is not, such as February 30?  libbson would take the next month's. */
bool
date_is_impossible(const char *text, size_t length)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	int			year,
				month,
				day;

	if (length < 10 || sscanf(text, "%4d-%2d-%2d", &year, &month, &day) != 3)
		return false;
	return month < 1 || month > 12 || day < 1 ||
		day > days[month - 1] + (month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
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

/*
 * Write what a wrapper holds, whose value has been noted.  False: it does not
 * hold what it says.  libbson would take any 24 characters for an ObjectId, no
 * number at all for a decimal, and what begins with a number for a double.
 */
bool
write_wrapped(Writer *writer, Wrapper wrapper)
{
	size_t		length = writer->value.length;
	char		text[512];
	char	   *rest;
	int64		integer;
	double		number;
	bson_oid_t	oid;
	bson_decimal128_t decimal;

	if (writer->value.type != ID_TEXT || length >= sizeof(text))
		return false;
	memcpy(text, writer->value.text, length);
	text[length] = '\0';
	writer->value.type = ID_JSONB;
	switch (wrapper)
	{
		case OID:
			if (!bson_oid_is_valid(text, length))
				return false;
			bson_oid_init_from_string(&oid, text);
			write_oid(writer, &oid);
			return true;
		case INT:
		case LONG:
			if (!parse_integer(text, length, &integer) || (wrapper == INT && integer != (int32) integer))
				return false;
			write_int(writer, integer);
			return true;
		case DOUBLE:
			number = strtod(text, &rest);
			if (length == 0 || *rest != '\0' || (strspn(text, "+-.0123456789eE") != length && strcmp(text, "NaN") != 0 &&
												 strcmp(text, "Infinity") != 0 && strcmp(text, "-Infinity") != 0))
				return false;
			write_double(writer, number);
			return true;
		default:
			if (!bson_decimal128_from_string(text, &decimal))
				return false;
			write_decimal(writer, &decimal);
			return true;
	}
}

/* Which wrapper is it that begins with this name?  *what is its name. */
Wrapper
find_wrapper(Span name, const char **what)
{
	if (name.length > 1 && name.text[0] == '$')
		for (size_t i = 0; i < lengthof(wrappers); i++)
			if (strlen(wrappers[i].name) == name.length && memcmp(wrappers[i].name, name.text, name.length) == 0)
			{
				*what = wrappers[i].name;
				return wrappers[i].wrapper;
			}
	return NO_WRAPPER;
}
