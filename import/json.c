/*-------------------------------------------------------------------------
 *
 * json.c
 *	  Converts Extended JSON, canonical or relaxed, to BSON, with core's lexer.
 *
 *-------------------------------------------------------------------------
 */
#include "objectid-import.h"

#include "common/jsonapi.h"
#include "mb/pg_wchar.h"

typedef struct Parser
{
	JsonLexContext lex;
	StringInfo	bson;			/* arrays have empty names in it */
	char	   *reason;
	size_t		bad;			/* where it is BROKEN or INCOMPLETE */
} Parser;

static Verdict parse_value(Parser *parser, int type_at, int depth);

/* Note where the present token breaks the JSON; INCOMPLETE: the text ends in it, or before it. */
static Verdict
note_error(Parser *parser)
{
	const JsonLexContext *lex = &parser->lex;
	const char *end = lex->input + lex->input_length;

	parser->bad = (lex->token_start ? lex->token_start : end) - lex->input;
	reject(parser->reason, "not JSON at its byte %zu", parser->bad + 1);
	return lex->token_terminator >= end ? INCOMPLETE : BROKEN;
}

/* Begin to read JSON.  Buffers are reused. */
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

/* Read the next token. */
static Verdict
next_token(Parser *parser)
{
	return json_lex(&parser->lex) == JSON_SUCCESS ? WRITTEN : note_error(parser);
}

/* Read the next token, if the present one is of this type. */
static Verdict
skip_token(Parser *parser, JsonTokenType type)
{
	return parser->lex.token_type == type ? next_token(parser) : note_error(parser);
}

/* Append the present token, a string, without escapes, and a NUL. */
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
			return reject(parser->reason, error == JSON_UNICODE_CODE_POINT_ZERO ? "NUL character in a string" :
						  "Unicode escape without its other half");
		text = ((StringInfo) lex.strval)->data;
		length = ((StringInfo) lex.strval)->len;
	}
	append(parser->bson, text, length);
	appendStringInfoCharMacro(parser->bson, '\0');
	return WRITTEN;
}

/* Store the length of the string, document or array that begins at "at". */
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

	if (strspn(text, "-0123456789") < length)
		return append_double(parser->bson, type_at, strtod(text, NULL), false, parser->reason);
	if (!parse_integer(text, length, &integer))
		return reject(parser->reason, "not Extended JSON: an integer of more than 64 bits");
	return append_value(parser->bson, type_at, BSON_TYPE_INT64, integer);
}

/* Append the object or array that begins with the present token, and read the token behind it, unless it is the whole document. */
static Verdict
parse_container(Parser *parser, int type_at, int depth, bool array)
{
	StringInfo	bson = parser->bson;
	Span		source = {parser->lex.token_start, 0};
	int			at = bson->len;
	Wrapper		wrapper = NO_WRAPPER;

	/* wrappers do not count as levels; write_bson() checks the exact limit */
	if (depth > MAX_DEPTH + 3)
		return reject(parser->reason, "nested deeper than %d levels", MAX_DEPTH);
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
			TRY(append_string(parser));
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
	source.length = parser->lex.token_terminator - source.text;
	if (wrapper != NO_WRAPPER)
		TRY(unwrap(bson, type_at, at, wrapper, source, parser->reason));
	return next_token(parser);
}

/* Append the value that begins with the present token, store its type at "type_at", and read the token behind it. */
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
			return note_error(parser);
	}
	return next_token(parser);
}

/* Check the syntax of the value that begins with the present token.  Without recursion, because its depth has no limit. */
static Verdict
check_syntax(Parser *parser)
{
	static StringInfoData ends; /* the brackets that close the open ones */
	JsonTokenType *token = &parser->lex.token_type;
	bool		object;

	if (ends.data == NULL)
		initStringInfo(&ends);
	resetStringInfo(&ends);
	for (;;)
	{
		bool		begins = true;

		/* here a value begins, or an empty object or array ends */
		object = *token == JSON_TOKEN_OBJECT_START;
		if (object || *token == JSON_TOKEN_ARRAY_START)
		{
			appendStringInfoCharMacro(&ends, object ? JSON_TOKEN_OBJECT_END : JSON_TOKEN_ARRAY_END);
			TRY(next_token(parser));
			begins = *token != (JsonTokenType) ends.data[ends.len - 1];
			ends.len -= !begins;
		}
		else if (*token != JSON_TOKEN_STRING && *token != JSON_TOKEN_NUMBER && *token != JSON_TOKEN_TRUE &&
				 *token != JSON_TOKEN_FALSE && *token != JSON_TOKEN_NULL)
			return note_error(parser);
		else
			begins = false;

		/* here it has ended; so may those around it */
		while (!begins && ends.len > 0)
		{
			TRY(next_token(parser));
			begins = *token == JSON_TOKEN_COMMA;
			if (begins)
				TRY(next_token(parser));
			else if (*token != (JsonTokenType) ends.data[--ends.len])
				return note_error(parser);
		}
		if (!begins)
			return WRITTEN;
		if (ends.data[ends.len - 1] == JSON_TOKEN_OBJECT_END)
		{
			TRY(skip_token(parser, JSON_TOKEN_STRING));
			TRY(skip_token(parser, JSON_TOKEN_COLON));
		}
	}
}

/*
 * Convert the JSON document at the beginning of "data" to BSON.  REJECTED: it is a
 * JSON value, but not a document that can be loaded.  *end is the end of the
 * value, or, if it is BROKEN or INCOMPLETE, the token where the error is.
 */
Verdict
json_to_bson(const char *data, size_t length, StringInfo bson, char *reason, size_t *end)
{
	Parser		parser = {.bson = bson,.reason = reason};
	Verdict		verdict;

	resetStringInfo(bson);
	start_lexer(&parser.lex, data, length, false);
	verdict = next_token(&parser);
	if (verdict == WRITTEN)
		verdict = parser.lex.token_type == JSON_TOKEN_OBJECT_START ? parse_container(&parser, -1, 1, false) :
			reject(reason, "not JSON: a document begins with {");
	if (verdict == REJECTED)
	{
		start_lexer(&parser.lex, data, length, false);
		next_token(&parser);
		verdict = check_syntax(&parser);
		verdict = verdict == WRITTEN ? REJECTED : verdict;
	}
	*end = verdict == WRITTEN || verdict == REJECTED ? (size_t) (parser.lex.token_terminator - data) : parser.bad;
	return verdict;
}
