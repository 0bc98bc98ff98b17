/*-------------------------------------------------------------------------
 *
 * json_read.c
 *	  Converts Extended JSON, canonical or relaxed, to BSON, with core's lexer: its
 *	  wrappers, {"$...": value}, become BSON values.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <math.h>

#include "dump.h"
#include "import_compat.h"
#include "mb/pg_wchar.h"

/* text that is nested deeper is not read as JSON */
#define MAX_NESTING 5000

/* {"$...": value}; LIBBSON: any of those that libbson reads */
typedef enum Wrapper
{
	NO_WRAPPER, OID, INT, LONG, DOUBLE, DECIMAL, DATE, LIBBSON
} Wrapper;

typedef struct Parser
{
	JsonLexContext lex;
	StringInfo	bson;			/* arrays have empty names in it */
	char	   *reason;			/* why the document is rejected, or empty */
	size_t		bad;			/* where it is BROKEN or INCOMPLETE */
} Parser;

/* read an integer; false if the text is anything else */
static bool
parse_integer(const char *text, size_t length, int64 *value)
{
	char	   *rest;

	errno = 0;
	*value = strtoll(text, &rest, 10);
	return errno == 0 && rest == text + length && !isspace((unsigned char) *text) && length > 0;
}

/* the wrapper whose first field has this name */
static Wrapper
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

/* append a value of 8 bytes, and store its type */
static void
append_value(StringInfo bson, int type_at, uint8_t type, uint64 value)
{
	value = BSON_UINT64_TO_LE(value);
	append(bson, &value, 8);
	bson->data[type_at] = type;
}

static void
append_double(StringInfo bson, int type_at, double value)
{
	uint64		bits;

	memcpy(&bits, &value, 8);
	append_value(bson, type_at, BSON_TYPE_DOUBLE, bits);
}

/* append the value that libbson reads from the JSON text */
static Verdict
parse_by_libbson(StringInfo bson, int type_at, const char *text, size_t length, char *reason)
{
	char	   *wrapped = psprintf("{\"\":%.*s}", (int) length, text);
	bson_error_t error = {.message = "no value"};
	bson_t		document;		/* malloc() would align it less */
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

/* read a number of so many digits, up to a limit, behind a character unless that is NUL */
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
 * Read a date.  The forms are those of mongoimport, 2019-01-31T23:59:59.999 and Z, +01:00 or
 * +0100; seconds can be missing, as in libbson.
 */
static bool
read_date(const char *text, int64 *milliseconds)
{
	static const int limits[] = {9999, 12, 31, 23, 59, 59};
	int			values[6] = {0};	/* from year to second */
	int			zone[2] = {0};	/* hour and minute */
	int			fraction = 0;
	int			sign = 0;
	int64		days;

	for (int i = 0; i < 6; i++)
		if ((i < 5 || *text == ':') &&
			!read_digits(&text, "\0--T::"[i], i == 0 ? 4 : 2, limits[i], &values[i]))
			return false;
	if (!date_to_days(values[0], values[1], values[2], &days))
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
		if (!read_digits(&text, '\0', 2, 23, &zone[0]) ||
			!read_digits(&text, *text == ':' ? ':' : '\0', 2, 59, &zone[1]))
			return false;
	}
	else if (*text++ != 'Z')
		return false;
	*milliseconds = (((days * 24 + values[3] - sign * zone[0]) * 60 +
					  values[4] - sign * zone[1]) * 60 + values[5]) * 1000 + fraction;
	return *text == '\0';
}

/* Append the value of a wrapper of a string.  Returns false if the string is not such a value. */
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
 * Replace the document at "at", which is {"$...": value} and the last in "bson", by what it
 * wraps; "json" is its text.  What libbson reads leniently is read here: it accepts any 24
 * characters as an ObjectId, text that is not a number as a decimal, text that begins with a
 * number as a double, and fields that occur twice.
 */
static Verdict
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

static Verdict parse_value(Parser *parser, int type_at, int depth);

/* note where the present token breaks the JSON; INCOMPLETE: the text ends in it, or before it */
static Verdict
note_error(Parser *parser)
{
	const JsonLexContext *lex = &parser->lex;
	const char *end = lex->input + lex->input_length;

	parser->bad = (lex->token_start ? lex->token_start : end) - lex->input;
	return lex->token_terminator >= end ? INCOMPLETE : BROKEN;
}

/* Begin to read JSON.  Buffers are reused. */
static void
start_lexer(JsonLexContext *lex, const char *data, size_t length, bool unescape)
{
	static JsonLexContext *plain;
	static JsonLexContext *unescaping;
	JsonLexContext **context = unescape ? &unescaping : &plain;

	if (*context == NULL)
		*context = make_lexer(unescape);
	*lex = **context;
	lex->input = lex->token_terminator = lex->line_start = unconstify(char *, data);
	lex->input_length = (int) length;
}

static Verdict
next_token(Parser *parser)
{
	return json_lex(&parser->lex) == JSON_SUCCESS ? WRITTEN : note_error(parser);
}

/* read the next token, if the present one is of this type */
static Verdict
skip_token(Parser *parser, JsonTokenType type)
{
	return parser->lex.token_type == type ? next_token(parser) : note_error(parser);
}

/* append the present token, a string, without escapes, and a NUL */
static void
append_string(Parser *parser)
{
	const char *text = parser->lex.token_start + 1;
	size_t		length = parser->lex.token_terminator - 1 - text;
	JsonLexContext lex;
	JsonParseErrorType error;

	if (memchr(text, '\\', length) != NULL)
	{
		start_lexer(&lex, text - 1, length + 2, true);
		if ((error = json_lex(&lex)) != JSON_SUCCESS)
			reject(parser->reason, error == JSON_UNICODE_CODE_POINT_ZERO ?
				   "NUL character in a string" : "Unicode escape without its other half");
		text = ((StringInfo) lex.strval)->data;
		length = ((StringInfo) lex.strval)->len;
	}
	append(parser->bson, text, length);
	appendStringInfoCharMacro(parser->bson, '\0');
}

/* store the length of the string, document or array that begins at "at" */
static void
set_length(StringInfo bson, int at, int length)
{
	uint32_t	size = BSON_UINT32_TO_LE(length);

	memcpy(bson->data + at, &size, 4);
}

/* append the present token; a double out of range is rejected */
static void
append_number(Parser *parser, int type_at)
{
	const char *text = parser->lex.token_start;
	size_t		length = parser->lex.token_terminator - text;
	double		number;
	int64		integer;

	if (strspn(text, "-0123456789") < length)
	{
		size_t		zeros = strspn(text, "+-0.");

		number = strtod(text, NULL);
		/* also 0 for 1e-400 */
		if (isinf(number) ||
			(number == 0 && zeros < length && isdigit((unsigned char) text[zeros])))
			reject(parser->reason, "not Extended JSON: a double out of range");
		append_double(parser->bson, type_at, number);
		return;
	}
	if (!parse_integer(text, length, &integer))
		reject(parser->reason, "not Extended JSON: an integer of more than 64 bits");
	append_value(parser->bson, type_at, BSON_TYPE_INT64, integer);
}

/*
 * append the object or array that begins with the present token, and read the token behind it,
 * unless it is the whole document
 */
static Verdict
parse_container(Parser *parser, int type_at, int depth, bool array)
{
	StringInfo	bson = parser->bson;
	const char *text = parser->lex.token_start;
	int			at = bson->len;
	Wrapper		wrapper = NO_WRAPPER;

	if (depth > MAX_NESTING)
		return note_error(parser);
	append(bson, "\0\0\0", 4);
	TRY(next_token(parser));
	while (parser->lex.token_type != (array ? JSON_TOKEN_ARRAY_END : JSON_TOKEN_OBJECT_END))
	{
		int			element = bson->len;

		if (element > at + 4)
			TRY(skip_token(parser, JSON_TOKEN_COMMA));
		append(bson, "\0", array ? 2 : 1);
		if (!array)
		{
			if (parser->lex.token_type != JSON_TOKEN_STRING)
				return note_error(parser);
			append_string(parser);
			if (element == at + 4 && depth > 1)
				wrapper = find_wrapper(bson->data + element + 1);
			TRY(next_token(parser));
			TRY(skip_token(parser, JSON_TOKEN_COLON));
		}
		TRY(parse_value(parser, element, depth));
	}
	appendStringInfoCharMacro(bson, '\0');
	set_length(bson, at, bson->len - at);
	if (depth == 1)
		return WRITTEN;
	bson->data[type_at] = array ? BSON_TYPE_ARRAY : BSON_TYPE_DOCUMENT;
	if (wrapper != NO_WRAPPER && parser->reason[0] == '\0')
		unwrap(bson, type_at, at, wrapper, text, parser->lex.token_terminator - text,
			   parser->reason);
	return next_token(parser);
}

/*
 * append the value that begins with the present token, store its type at "type_at", and read
 * the token behind it, unless it is the whole document
 */
static Verdict
parse_value(Parser *parser, int type_at, int depth)
{
	StringInfo	bson = parser->bson;
	int			at = bson->len;

	switch (parser->lex.token_type)
	{
		case JSON_TOKEN_OBJECT_START:
		case JSON_TOKEN_ARRAY_START:
			return parse_container(parser, type_at, depth + 1,
								   parser->lex.token_type == JSON_TOKEN_ARRAY_START);
		case JSON_TOKEN_NUMBER:
			append_number(parser, type_at);
			break;
		case JSON_TOKEN_STRING:
			bson->data[type_at] = BSON_TYPE_UTF8;
			append(bson, "\0\0\0", 4);
			append_string(parser);
			set_length(bson, at, bson->len - at - 4);
			break;
		case JSON_TOKEN_TRUE:
		case JSON_TOKEN_FALSE:
			bson->data[type_at] = BSON_TYPE_BOOL;
			appendStringInfoCharMacro(bson, parser->lex.token_type == JSON_TOKEN_TRUE ? 1 : 0);
			break;
		case JSON_TOKEN_NULL:
			bson->data[type_at] = BSON_TYPE_NULL;
			break;
		default:
			return note_error(parser);
	}
	return depth > 0 ? next_token(parser) : WRITTEN;
}

/*
 * json_to_bson - convert the JSON document at the beginning of "data" to BSON.  REJECTED: it
 * is a JSON value, but not a document that can be loaded.  *end is the end of the value, or,
 * if it is BROKEN or INCOMPLETE, the token where the error is.
 */
Verdict
json_to_bson(const char *data, size_t length, StringInfo bson, char *reason, size_t *end)
{
	Parser		parser = {.bson = bson,.reason = reason};
	Verdict		verdict;

	resetStringInfo(bson);
	reason[0] = '\0';
	start_lexer(&parser.lex, data, length, false);
	verdict = next_token(&parser);
	if (verdict == WRITTEN && parser.lex.token_type != JSON_TOKEN_OBJECT_START)
	{
		reject(reason, "not a document: it does not begin with {");
		appendStringInfoChar(bson, '\0');	/* for the type */
	}
	if (verdict == WRITTEN)
		verdict = parse_value(&parser, 0, 0);
	*end = verdict == WRITTEN ? (size_t) (parser.lex.token_terminator - data) : parser.bad;
	return verdict == WRITTEN && reason[0] ? REJECTED : verdict;
}
