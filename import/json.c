/*-------------------------------------------------------------------------
 *
 * json.c
 *	  From Extended JSON, canonical or relaxed, to BSON.  Core's lexer takes it
 *	  apart.
 *
 *-------------------------------------------------------------------------
 */
#include "objectid-import.h"

#include <math.h>

#include "common/jsonapi.h"
#include "mb/pg_wchar.h"

typedef struct Parser
{
	JsonLexContext lex;
	StringInfo	bson;			/* arrays have empty names in it */
	char	   *reason;
	size_t		bad;			/* if BROKEN: where */
} Parser;

static Verdict parse_value(Parser *parser, int type_at, int depth);

/* Note what is wrong with the JSON, and where. */
static Verdict
fail(Parser *parser, JsonParseErrorType error)
{
	const JsonLexContext *lex = &parser->lex;

	if (error == JSON_UNICODE_CODE_POINT_ZERO)
		return reject(parser->reason, "NUL character in a string");
	if (error == JSON_UNICODE_HIGH_ESCAPE || error == JSON_UNICODE_HIGH_SURROGATE || error == JSON_UNICODE_LOW_SURROGATE)
		return reject(parser->reason, "Unicode escape without its other half");
	parser->bad = lex->token_start ? (size_t) (lex->token_start - lex->input) : (size_t) lex->input_length;
	reject(parser->reason, "not JSON at its byte %zu", parser->bad + 1);
	return BROKEN;
}

/* Begin to read JSON; what is made for it is kept for the next. */
static void
start_lexer(JsonLexContext *lex, const char *data, size_t length, bool unescape)
{
	static JsonLexContext *contexts[2];

	if (contexts[unescape] == NULL)
#if PG_VERSION_NUM >= 170000
		contexts[unescape] = makeJsonLexContextCstringLen(NULL, "", 0, PG_UTF8, unescape);
#else
		contexts[unescape] = makeJsonLexContextCstringLen("", 0, PG_UTF8, unescape);
#endif
	*lex = *contexts[unescape];
	lex->input = lex->token_terminator = lex->line_start = unconstify(char *, data);
	lex->input_length = length;
}

/* Go on to the next token. */
static Verdict
advance(Parser *parser)
{
	JsonParseErrorType error = json_lex(&parser->lex);

	return error == JSON_SUCCESS ? WRITTEN : fail(parser, error);
}

/* The token has to be this one: go on behind it. */
static Verdict
pass(Parser *parser, JsonTokenType type)
{
	return parser->lex.token_type == type ? advance(parser) : fail(parser, JSON_INVALID_TOKEN);
}

/* Append the string that is the token, without its escapes, and a NUL. */
static Verdict
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
			return fail(parser, error);
		text = ((StringInfo) lex.strval)->data;
		length = ((StringInfo) lex.strval)->len;
	}
	append(parser->bson, text, length);
	appendStringInfoCharMacro(parser->bson, '\0');
	return WRITTEN;
}

/* Set the length of what begins there. */
static void
set_length(StringInfo bson, int at, int length)
{
	uint32_t	size = BSON_UINT32_TO_LE(length);

	memcpy(bson->data + at, &size, 4);
}

static Verdict
parse_number(Parser *parser, int type_at)
{
	const char *text = parser->lex.token_start;
	size_t		length = parser->lex.token_terminator - text;
	int64		integer;
	double		number;

	if (strspn(text, "-0123456789") < length)
	{
		number = strtod(text, NULL);
		if (isinf(number))
			return reject(parser->reason, "not Extended JSON: a double out of range");
		return append_value(parser->bson, type_at, BSON_TYPE_DOUBLE, double_bits(number));
	}
	if (!parse_integer(text, length, &integer))
		return reject(parser->reason, "not Extended JSON: an integer of more than 64 bits");
	return append_value(parser->bson, type_at, BSON_TYPE_INT64, integer);
}

/* Append the object or array whose first token is the present one, and go behind it, unless it is all. */
static Verdict
parse_container(Parser *parser, int type_at, int depth, bool array)
{
	StringInfo	bson = parser->bson;
	Span		source = {parser->lex.token_start, 0};
	int			at = bson->len;
	Wrapper		wrapper = NO_WRAPPER;

	/* wrappers are no nesting: write_bson() has the limit itself */
	if (depth > MAX_DEPTH + 3)
		return reject(parser->reason, "nested deeper than %d levels", MAX_DEPTH);
	append(bson, "\0\0\0", 4);
	TRY(advance(parser));
	while (parser->lex.token_type != (array ? JSON_TOKEN_ARRAY_END : JSON_TOKEN_OBJECT_END))
	{
		int			element = bson->len;

		if (element > at + 4)
			TRY(pass(parser, JSON_TOKEN_COMMA));
		append(bson, "\0", array ? 2 : 1);
		if (!array)
		{
			if (parser->lex.token_type != JSON_TOKEN_STRING)
				return fail(parser, JSON_INVALID_TOKEN);
			TRY(append_string(parser));
			if (element == at + 4 && depth > 1)
				wrapper = find_wrapper(bson->data + element + 1);
			TRY(advance(parser));
			TRY(pass(parser, JSON_TOKEN_COLON));
		}
		TRY(parse_value(parser, element, depth));
	}
	appendStringInfoCharMacro(bson, '\0');
	set_length(bson, at, bson->len - at);
	if (depth == 1)
		return WRITTEN;
	bson->data[type_at] = array ? BSON_TYPE_ARRAY : BSON_TYPE_DOCUMENT;
	source.length = parser->lex.token_terminator - source.text;
	if (wrapper != NO_WRAPPER)
		TRY(unwrap(bson, type_at, at, wrapper, source, parser->reason));
	return advance(parser);
}

/* Append the value whose first token is the present one, and its type at "type_at"; and go behind it. */
static Verdict
parse_value(Parser *parser, int type_at, int depth)
{
	StringInfo	bson = parser->bson;
	int			at = bson->len;

	switch (parser->lex.token_type)
	{
		case JSON_TOKEN_OBJECT_START:
		case JSON_TOKEN_ARRAY_START:
			return parse_container(parser, type_at, depth + 1, parser->lex.token_type == JSON_TOKEN_ARRAY_START);
		case JSON_TOKEN_NUMBER:
			TRY(parse_number(parser, type_at));
			break;
		case JSON_TOKEN_STRING:
			bson->data[type_at] = BSON_TYPE_UTF8;
			append(bson, "\0\0\0", 4);
			TRY(append_string(parser));
			set_length(bson, at, bson->len - at - 4);
			break;
		case JSON_TOKEN_TRUE:
		case JSON_TOKEN_FALSE:
			bson->data[type_at] = BSON_TYPE_BOOL;
			appendStringInfoCharMacro(bson, parser->lex.token_type == JSON_TOKEN_TRUE);
			break;
		case JSON_TOKEN_NULL:
			bson->data[type_at] = BSON_TYPE_NULL;
			break;
		default:
			return fail(parser, JSON_INVALID_TOKEN);
	}
	return advance(parser);
}

/*
 * Make BSON of the document that begins with the brace at "data", but may end
 * before "length".  *at is where it ends, or, if it is BROKEN, where it is.
 */
Verdict
json_to_bson(const char *data, size_t length, StringInfo bson, char *reason, size_t *at)
{
	Parser		parser = {.bson = bson,.reason = reason};
	Verdict		verdict;

	resetStringInfo(bson);
	start_lexer(&parser.lex, data, length, false);
	verdict = advance(&parser);
	if (verdict == WRITTEN)
		verdict = parse_container(&parser, -1, 1, false);
	*at = verdict == WRITTEN ? (size_t) (parser.lex.token_terminator - data) : parser.bad;
	return verdict;
}
