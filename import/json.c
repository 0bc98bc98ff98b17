/*-------------------------------------------------------------------------
 *
 * json.c
 *	  Extended JSON, canonical or relaxed: is it sound, and what is it in the
 *	  relaxed form that bson.c writes?  Core's lexer takes it apart.
 *
 *-------------------------------------------------------------------------
 */
#include "objectid-import.h"

#include <math.h>

#include "common/jsonapi.h"
#include "mb/pg_wchar.h"

typedef struct Parser
{
	Writer	   *writer;
	JsonLexContext lex;
	bool		escapes;		/* there are some, and lex undoes them */
	int			wrapped;		/* levels that are no nesting, as in BSON */
} Parser;

static Verdict write_value(Parser *parser, int depth);

#define TRY(step) do { Verdict verdict_ = (step); if (verdict_ != WRITTEN) return verdict_; } while (0)

/* Note what is wrong with the JSON, and where. */
static Verdict
fail(Parser *parser, JsonParseErrorType error)
{
	Writer	   *writer = parser->writer;

	if (error == JSON_UNICODE_CODE_POINT_ZERO)
		return reject(writer, "NUL character in a string");
	if (error == JSON_UNICODE_HIGH_ESCAPE || error == JSON_UNICODE_HIGH_SURROGATE || error == JSON_UNICODE_LOW_SURROGATE)
		return reject(writer, "Unicode escape without its other half");
	writer->bad = parser->lex.token_start ? (size_t) (parser->lex.token_start - parser->lex.input) : (size_t) parser->lex.input_length;
	reject(writer, "not JSON at its byte %zu", writer->bad + 1);
	return BROKEN;
}

/* Go on to the next token. */
static Verdict
advance(Parser *parser)
{
	JsonParseErrorType error = json_lex(&parser->lex);

	return error == JSON_SUCCESS ? WRITTEN : fail(parser, error);
}

/* Go on to the next token, which has to be this one. */
static Verdict
expect(Parser *parser, JsonTokenType type)
{
	TRY(advance(parser));
	return parser->lex.token_type == type ? WRITTEN : fail(parser, JSON_INVALID_TOKEN);
}

/* The string that is the token, without escapes. */
static Span
string_token(Parser *parser)
{
	const char *start = parser->lex.token_start + 1;
	Span		name = {start, parser->lex.token_terminator - 1 - start};
	StringInfo	unescaped = &parser->writer->unescaped;

	if (parser->escapes && memchr(name.text, '\\', name.length) != NULL)
	{
		/* there is room for it: see json_to_json */
		name.text = unescaped->data + unescaped->len;
		name.length = ((StringInfo) parser->lex.strval)->len;
		appendBinaryStringInfo(unescaped, ((StringInfo) parser->lex.strval)->data, name.length);
	}
	return name;
}

/* Write an object that is a wrapper and begins at "start"; the token is its first name. */
static Verdict
write_wrapper(Parser *parser, Wrapper wrapper, const char *name, const char *start, int depth)
{
	Writer	   *writer = parser->writer;
	int			at = writer->out.len;
	bool		written = true;

	TRY(expect(parser, JSON_TOKEN_COLON));
	TRY(advance(parser));
	parser->wrapped += 2;
	TRY(write_value(parser, depth));
	parser->wrapped -= 2;
	writer->out.len = at;
	if (wrapper != DATE)
		written = write_wrapped(writer, wrapper);
	else if (writer->value.type == ID_BIGINT)
		write_date(writer, writer->value.integer);
	else if (parser->lex.token_type != JSON_TOKEN_OBJECT_END ||
			 (writer->value.type == ID_TEXT && date_is_impossible(writer->value.text, writer->value.length)))
		written = false;
	else if (writer->value.type == ID_TEXT && date_is_relaxed(writer->value.text, writer->value.length))
		appendBinaryStringInfo(&writer->out, start, parser->lex.token_terminator - start);
	else
		TRY(write_json_by_libbson(writer, start, parser->lex.token_terminator - start, depth));
	if (!written || parser->lex.token_type != JSON_TOKEN_OBJECT_END)
		return reject(writer, "not Extended JSON: bad value of %s", name);
	if (wrapper == DATE)
		writer->value = (Key)
	{
		.type = ID_JSONB,.what = "a date"
	};
	return advance(parser);
}

/* Write a number as it is, if that is what bson.c would write. */
static Verdict
write_number(Parser *parser)
{
	Writer	   *writer = parser->writer;
	Span		text = {parser->lex.token_start, parser->lex.token_terminator - parser->lex.token_start};
	bool		exponent = memchr(text.text, 'e', text.length) != NULL || memchr(text.text, 'E', text.length) != NULL;
	int64		integer;
	double		value;

	writer->value.what = "a double";
	if (!exponent && memchr(text.text, '.', text.length) == NULL)
	{
		if (!parse_integer(text.text, text.length, &integer))
			return reject(writer, "not Extended JSON: an integer of more than 64 bits");
		write_int(writer, integer);
	}
	else if (exponent || text.length > 16 || text.text[text.length - 1] == '0')
	{
		value = strtod(text.text, NULL);
		if (isinf(value))
			return reject(writer, "not Extended JSON: a double out of range");
		write_double(writer, value);
	}
	else
		appendBinaryStringInfo(&writer->out, text.text, text.length);
	return advance(parser);
}

/* Write a field of an object; the token is its name. */
static Verdict
write_field(Parser *parser, Span name, int depth)
{
	Writer	   *writer = parser->writer;
	int			at;

	add_name(writer, name.text, name.length);
	appendBinaryStringInfo(&writer->out, parser->lex.token_start, parser->lex.token_terminator - parser->lex.token_start);
	TRY(expect(parser, JSON_TOKEN_COLON));
	TRY(advance(parser));
	appendStringInfoCharMacro(&writer->out, ':');
	at = writer->out.len;
	TRY(write_value(parser, depth));
	if (depth == 1 && name.length == 3 && memcmp(name.text, "_id", 3) == 0)
	{
		writer->id = writer->value;
		writer->id_at = at;
		writer->id_length = writer->out.len - at;
	}
	return WRITTEN;
}

/* Write an object.  */
static Verdict
write_object(Parser *parser, int depth)
{
	Writer	   *writer = parser->writer;
	const char *start = parser->lex.token_start;
	int			at = writer->out.len;
	size_t		first_name = writer->names_used;
	Wrapper		wrapper = NO_WRAPPER;
	const char *what;

	appendStringInfoCharMacro(&writer->out, '{');
	TRY(advance(parser));
	while (parser->lex.token_type != JSON_TOKEN_OBJECT_END)
	{
		bool		first = writer->names_used == first_name;
		Span		name;

		if (!first)
		{
			if (parser->lex.token_type != JSON_TOKEN_COMMA)
				return fail(parser, JSON_INVALID_TOKEN);
			appendStringInfoCharMacro(&writer->out, ',');
			TRY(advance(parser));
		}
		if (parser->lex.token_type != JSON_TOKEN_STRING)
			return fail(parser, JSON_INVALID_TOKEN);
		name = string_token(parser);
		if (first && depth > 1 && (wrapper = find_wrapper(name, &what)) != NO_WRAPPER && wrapper != LIBBSON)
		{
			writer->out.len = at;
			return write_wrapper(parser, wrapper, what, start, depth);
		}
		if (first && wrapper == LIBBSON)
			parser->wrapped += 2;
		if (depth - parser->wrapped > MAX_DEPTH)
			break;
		TRY(write_field(parser, name, depth));
	}
	if (depth - parser->wrapped > MAX_DEPTH)
		return reject(writer, "nested deeper than %d levels", MAX_DEPTH);
	appendStringInfoCharMacro(&writer->out, '}');
	if (names_repeat(writer, first_name))
		return reject(writer, "a field occurs twice");
	writer->value.type = ID_JSONB;
	writer->value.what = "a document";
	if (wrapper == LIBBSON)
	{
		/* what is in it has been found to be sound */
		parser->wrapped -= 2;
		writer->out.len = at;
		TRY(write_json_by_libbson(writer, start, parser->lex.token_terminator - start, depth));
	}
	return depth > 1 ? advance(parser) : WRITTEN;
}

static Verdict
write_array(Parser *parser, int depth)
{
	Writer	   *writer = parser->writer;
	bool		first = true;

	if (depth > MAX_DEPTH)
		return reject(writer, "nested deeper than %d levels", MAX_DEPTH);
	appendStringInfoCharMacro(&writer->out, '[');
	TRY(advance(parser));
	for (; parser->lex.token_type != JSON_TOKEN_ARRAY_END; first = false)
	{
		if (!first)
		{
			if (parser->lex.token_type != JSON_TOKEN_COMMA)
				return fail(parser, JSON_INVALID_TOKEN);
			appendStringInfoCharMacro(&writer->out, ',');
			TRY(advance(parser));
		}
		TRY(write_value(parser, depth));
	}
	appendStringInfoCharMacro(&writer->out, ']');
	writer->value.type = ID_JSONB;
	writer->value.what = "an array";
	return advance(parser);
}

/* Write the value whose first token is the present one, and go behind it. */
static Verdict
write_value(Parser *parser, int depth)
{
	Writer	   *writer = parser->writer;
	Span		text;

	writer->value.type = ID_JSONB;
	switch (parser->lex.token_type)
	{
		case JSON_TOKEN_OBJECT_START:
			return write_object(parser, depth + 1);
		case JSON_TOKEN_ARRAY_START:
			return write_array(parser, depth + 1);
		case JSON_TOKEN_NUMBER:
			return write_number(parser);
		case JSON_TOKEN_STRING:
			text = string_token(parser);
			writer->value = (Key)
			{
				.type = ID_TEXT,.what = "a string",.text = text.text,.length = text.length
			};
			break;
		case JSON_TOKEN_TRUE:
		case JSON_TOKEN_FALSE:
			writer->value.what = "a boolean";
			break;
		case JSON_TOKEN_NULL:
			writer->value.what = "null";
			break;
		default:
			return fail(parser, JSON_INVALID_TOKEN);
	}
	appendBinaryStringInfo(&writer->out, parser->lex.token_start, parser->lex.token_terminator - parser->lex.token_start);
	return advance(parser);
}

/* Begin to read JSON; what is made for it is kept for the next. */
static void
start_parser(Parser *parser, const char *data, size_t length)
{
	static JsonLexContext *contexts[2];

	parser->escapes = memchr(data, '\\', length) != NULL;
	if (contexts[parser->escapes] == NULL)
#if PG_VERSION_NUM >= 170000
		contexts[parser->escapes] = makeJsonLexContextCstringLen(NULL, "", 0, PG_UTF8, parser->escapes);
#else
		contexts[parser->escapes] = makeJsonLexContextCstringLen("", 0, PG_UTF8, parser->escapes);
#endif
	parser->lex = *contexts[parser->escapes];
	parser->lex.input = parser->lex.token_terminator = parser->lex.line_start = unconstify(char *, data);
	parser->lex.input_length = length;
}

/*
 * Write the document, which is known to begin with a brace.  If it is BROKEN,
 * writer->bad says where, and writer->reason why.
 */
Verdict
json_to_json(Writer *writer, const char *data, size_t length)
{
	Parser		parser = {.writer = writer};

	writer->names_used = 0;
	resetStringInfo(&writer->unescaped);
	enlargeStringInfo(&writer->unescaped, length);	/* so that names stay
													 * where they are */
	if (pg_encoding_verifymbstr(PG_UTF8, data, length) != (int) length && memchr(data, '\0', length) == NULL)
		return reject(writer, "invalid UTF-8");
	start_parser(&parser, data, length);
	TRY(advance(&parser));
	return write_object(&parser, 1);
}
