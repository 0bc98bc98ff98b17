/*-------------------------------------------------------------------------
 *
 * json.c
 *	  Converts Extended JSON, canonical or relaxed, to BSON, with core's lexer.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <math.h>

#include "convert.h"
#include "mb/pg_wchar.h"

/* text that is nested deeper is not read as JSON */
#define MAX_NESTING 5000

typedef struct Parser
{
	JsonLexContext lex;
	StringInfo	bson;			/* arrays have empty names in it */
	char	   *reason;			/* why the document is rejected, or empty */
	size_t		bad;			/* where it is BROKEN or INCOMPLETE */
} Parser;

static Verdict parse_value(Parser *parser, int type_at, int depth);

/*
 * note_error - note where the present token breaks the JSON; INCOMPLETE:
 * the text ends in it, or before it
 */
static Verdict
note_error(Parser *parser)
{
	const JsonLexContext *lex = &parser->lex;
	const char *end = lex->input + lex->input_length;

	parser->bad = (lex->token_start ? lex->token_start : end) - lex->input;
	return lex->token_terminator >= end ? INCOMPLETE : BROKEN;
}

/*
 * start_lexer - begin to read JSON
 *
 * Buffers are reused.
 */
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

/*
 * skip_token - read the next token, if the present one is of this type
 */
static Verdict
skip_token(Parser *parser, JsonTokenType type)
{
	return parser->lex.token_type == type ? next_token(parser) : note_error(parser);
}

/*
 * append_string - append the present token, a string, without escapes, and
 * a NUL
 */
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

/*
 * set_length - store the length of the string, document or array that
 * begins at "at"
 */
static void
set_length(StringInfo bson, int at, int length)
{
	uint32_t	size = BSON_UINT32_TO_LE(length);

	memcpy(bson->data + at, &size, 4);
}

/*
 * append_number - append the present token; a double out of range is rejected
 */
static void
append_number(Parser *parser, int type_at)
{
	const char *text = parser->lex.token_start;
	size_t		length = parser->lex.token_terminator - text;
	double		number;
	int64		integer;

	if (strspn(text, "-0123456789") < length)
	{
		number = strtod(text, NULL);
		if (isinf(number))
			reject(parser->reason, "not Extended JSON: a double out of range");
		append_double(parser->bson, type_at, number);
		return;
	}
	if (!parse_integer(text, length, &integer))
		reject(parser->reason, "not Extended JSON: an integer of more than 64 bits");
	append_value(parser->bson, type_at, BSON_TYPE_INT64, integer);
}

/*
 * parse_container - append the object or array that begins with the present
 * token, and read the token behind it, unless it is the whole document
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
 * parse_value - append the value that begins with the present token, store
 * its type at "type_at", and read the token behind it, unless it is the
 * whole document
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
 * json_to_bson - convert the JSON document at the beginning of "data" to
 * BSON
 *
 * REJECTED: it is a JSON value, but not a document that can be loaded.
 * *end is the end of the value, or, if it is BROKEN or INCOMPLETE, the
 * token where the error is.
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
