/*-------------------------------------------------------------------------
 *
 * objectid.c
 *	  Functions for the type "objectid": text and binary form, casts,
 *	  comparison, hashing.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "objectid.h"
#include "objectid_compat.h"

#include "common/hashfn.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "parser/scansup.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"

PG_MODULE_MAGIC_EXT(
					.name = "objectid",
					.version = OBJECTID_VERSION
);

/* an error message shows at most this many bytes of its input, which may be large or private */
#define MAX_SHOWN	100

/* an error message does not show a larger object or array, because that would render all of it */
#define MAX_SHOWN_JSON	10000

/* what an id looks like in JSON */
#define JSON_DETAIL \
	"An ObjectId in JSON is {\"$oid\": \"...\"} or a string: 24 hexadecimal digits or another form."

static char *describe_error(const char *str, bool *is_space);
static char *shown(const char *str, size_t len);
static bool is_time(const char *str);
static bool parse_objectid(const char *str, objectid_t *id);
static const char *parse_digits(const char *s, objectid_t *id);
static const char *parse_literal(const char *s, const char *literal);
static const char *parse_json_space(const char *s);
static Jsonb *parse_json(char *json);
static JsonbValue jsonb_get_root(Jsonb *jb);
static objectid_t *jsonb_get_objectid(Jsonb *jb);
static bool jsonb_value_get_objectid(const JsonbValue *value, objectid_t *id);
static Datum jsonb_get_array(FunctionCallInfo fcinfo, Jsonb *jb);
static char *jsonb_value_shown(const JsonbValue *value);

/*-------------------------------------------------------------------------
 * Text form
 *
 * Input accepts these forms only, all of which programs really produce:
 *
 *	507f1f77bcf86cd799439011		everything
 *	ObjectId("507f...")				MongoDB shells; printed ids in Node.js, Go and
 *									Ruby; without quotes, mongoexport's CSV
 *	ObjectIdHex("507f...")			printed ids of mgo, an older driver for Go
 *	{"$oid": "507f..."}				MongoDB Extended JSON
 *	"507f..."						a JSON string
 *	\x507f...						the text form of bytea
 *
 * Digits may be upper or lower case.  White space is allowed only inside the
 * Extended JSON object.  Output is always 24 lower-case digits.
 *-------------------------------------------------------------------------
 */

/*
 * objectid_in - text to objectid
 *
 * Raises 22P02, as a soft error if the caller supports soft errors.
 */
PG_FUNCTION_INFO_V1(objectid_in);
Datum
objectid_in(PG_FUNCTION_ARGS)
{
	const char *str = PG_GETARG_CSTRING(0);
	objectid_t *id = palloc(sizeof(objectid_t));

	if (!parse_objectid(str, id))
	{
		size_t		len = strlen(str);
		bool		is_space = len > 0 &&
		(scanner_isspace(str[0]) || scanner_isspace(str[len - 1]));
		char	   *detail = describe_error(str, &is_space);
		const char *hint = NULL;

		if (is_space)
			hint = "Remove white space and characters that cannot be seen.";
		else if (is_time(str))
			hint = "Compare ids with times by \"<\", \"<=\", \">=\" or \">\": cast the time, "
				"as timestamptz '...' or $1::timestamptz. "
				"For the bound of a partition, write objectid_from_time('...').";

		ereturn(fcinfo->context, (Datum) 0,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid input syntax for type %s: \"%s\"",
						"objectid", shown(str, len)),
				 errdetail("%s", detail),
				 hint ? errhint("%s", hint) : 0));
	}

	PG_RETURN_OBJECTID_P(id);
}

/*
 * describe_error - what is wrong with an input, for an error message
 *
 * Names the first character that is not part of an id, if that is clear.  Many of them
 * cannot be seen, which sets *is_space, or look like digits.
 */
static char *
describe_error(const char *str, bool *is_space)
{
	const char *wrong = str + strspn(str, "0123456789abcdefABCDEF");
	bool		after_digits = wrong > str && strchr(str, '(') == NULL;
	int			encoding = GetDatabaseEncoding();
	int			len;
	StringInfoData name;

	if (*str == '\0')
		return "An empty string is not an ObjectId.";
	if (*wrong == '\0')
		return psprintf("An ObjectId has 24 hexadecimal digits, not %zu.", (size_t) (wrong - str));

	/*
	 * all text forms consist of printable ASCII, and an object of JSON may
	 * have white space
	 */
	while (!after_digits && ((*wrong >= ' ' && *wrong <= '~') ||
							 (*str == '{' && parse_json_space(wrong) > wrong)))
		wrong++;
	if (*wrong == '\0')
		return "An ObjectId is 24 hexadecimal digits, bare or written as "
			"ObjectId(\"...\"), {\"$oid\": \"...\"}, \"...\", or \\x...";

	initStringInfo(&name);
	len = pg_encoding_verifymbchar(encoding, wrong, (int) strnlen(wrong, MAX_MULTIBYTE_CHAR_LEN));
	if (*wrong >= ' ' && *wrong <= '~')
		appendStringInfo(&name, "\"%s\"", shown(wrong, strlen(wrong)));
	else if (!IS_HIGHBIT_SET(*wrong) || (encoding == PG_UTF8 && len > 0))
	{
		pg_wchar	c = utf8_to_unicode((const unsigned char *) wrong);

		appendStringInfo(&name, "U+%04X", c);
		if (c <= 0xa0 || c == 0xad || c == 0x61c || c == 0x1680 || c == 0x180e ||
			(c >= 0x2000 && c <= 0x200f) || (c >= 0x2028 && c <= 0x202f) ||
			(c >= 0x205f && c <= 0x206f) || c == 0x3000 || c == 0x3164 || c == 0xfeff)
			*is_space = true;
	}
	else
		for (int i = 0; i < Max(len, 1); i++)
			appendStringInfo(&name, "\\x%02x", (unsigned char) wrong[i]);

	return psprintf("An ObjectId is 24 hexadecimal digits. At position %zu, this text has %s.",
					(size_t) (wrong - str) + 1, name.data);
}

/*
 * shown - the beginning of an input, for an error message
 */
static char *
shown(const char *str, size_t len)
{
	int			limit = (int) Min(len, MAX_SHOWN + MAX_MULTIBYTE_CHAR_LEN);
	int			clipped = pg_mbcliplen(str, limit, MAX_SHOWN);

	return psprintf("%.*s%s", clipped, str, (size_t) clipped < len ? "..." : "");
}

/*
 * is_time - does this text look like a time?
 */
static bool
is_time(const char *str)
{
	static const char *const words[] = {"now", "today", "yesterday", "tomorrow"};

	for (size_t i = 0; i < lengthof(words); i++)
		if (pg_strcasecmp(str, words[i]) == 0)
			return true;

	return strspn(str, "0123456789") == 4 && str[4] == '-';
}

/*
 * objectid_out - objectid to 24 lower-case hexadecimal digits
 */
PG_FUNCTION_INFO_V1(objectid_out);
Datum
objectid_out(PG_FUNCTION_ARGS)
{
	/* the two digits of each byte */
#define DIGITS_16(high) \
	high "0" high "1" high "2" high "3" high "4" high "5" high "6" high "7" \
	high "8" high "9" high "a" high "b" high "c" high "d" high "e" high "f"
	static const char digits[] =
	DIGITS_16("0") DIGITS_16("1") DIGITS_16("2") DIGITS_16("3")
	DIGITS_16("4") DIGITS_16("5") DIGITS_16("6") DIGITS_16("7")
	DIGITS_16("8") DIGITS_16("9") DIGITS_16("a") DIGITS_16("b")
	DIGITS_16("c") DIGITS_16("d") DIGITS_16("e") DIGITS_16("f");
	const objectid_t *id = PG_GETARG_OBJECTID_P(0);
	char	   *str = palloc(2 * OBJECTID_LEN + 1);

	for (int i = 0; i < OBJECTID_LEN; i++)
		memcpy(str + 2 * i, digits + 2 * id->data[i], 2);
	str[2 * OBJECTID_LEN] = '\0';

	PG_RETURN_CSTRING(str);
}

/*
 * objectid_is_valid - is this text valid input for objectid_in()?
 */
PG_FUNCTION_INFO_V1(objectid_is_valid);
Datum
objectid_is_valid(PG_FUNCTION_ARGS)
{
	char	   *str = text_to_cstring(PG_GETARG_TEXT_PP(0));
	objectid_t	id;

	PG_RETURN_BOOL(parse_objectid(str, &id));
}

/*
 * parse_objectid - parse any of the text forms above
 *
 * Returns false if str has none of these forms; *id is then undefined.
 */
static bool
parse_objectid(const char *str, objectid_t *id)
{
	static const char *const constructors[] = {
		"ObjectId(", "ObjectID(", "new ObjectId(", "BSON::ObjectId(", "ObjectIdHex("
	};
	const char *s;

	/* try the bare form first: most input has it */
	s = parse_digits(str, id);
	if (s != NULL)
		return *s == '\0';

	switch (*str)
	{
		case '"':
			s = parse_digits(str + 1, id);
			s = parse_literal(s, "\"");
			break;

		case '\\':
			s = parse_literal(str, "\\x");
			s = parse_digits(s, id);
			break;

		case '{':
			s = parse_json_space(str + 1);
			s = parse_literal(s, "\"$oid\"");
			s = parse_json_space(s);
			s = parse_literal(s, ":");
			s = parse_json_space(s);
			s = parse_literal(s, "\"");
			s = parse_digits(s, id);
			s = parse_literal(s, "\"");
			s = parse_json_space(s);
			s = parse_literal(s, "}");
			break;

		default:
			for (size_t i = 0; i < lengthof(constructors) && s == NULL; i++)
				s = parse_literal(str, constructors[i]);
			if (s != NULL && (*s == '"' || *s == '\''))
			{
				const char	quote[] = {*s, '\0'};

				s = parse_digits(s + 1, id);
				s = parse_literal(s, quote);
			}
			else
				s = parse_digits(s, id);
			s = parse_literal(s, ")");
			break;
	}

	return s != NULL && *s == '\0';
}

/*
 * The parse_* functions below return the position after the text that they
 * parse, or NULL if it does not match.  Called with NULL they return NULL, so
 * that a sequence of calls needs only one check, at its end.
 */

/*
 * parse_digits - 24 hexadecimal digits, into *id
 */
static const char *
parse_digits(const char *s, objectid_t *id)
{
	/* value of a hexadecimal digit plus one; 0 for other characters */
	static const uint8 digit_value[256] = {
		['0'] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
		['A'] = 11, 12, 13, 14, 15, 16,
		['a'] = 11, 12, 13, 14, 15, 16,
	};

	if (s == NULL)
		return NULL;

	for (int i = 0; i < OBJECTID_LEN; i++)
	{
		uint8		hi = digit_value[(unsigned char) s[0]];
		uint8		lo;

		/* s[0] may be the terminator: do not read past it */
		if (hi == 0)
			return NULL;
		lo = digit_value[(unsigned char) s[1]];
		if (lo == 0)
			return NULL;

		id->data[i] = (unsigned char) (((hi - 1) << 4) | (lo - 1));
		s += 2;
	}

	return s;
}

/*
 * parse_literal - exactly this text
 */
static const char *
parse_literal(const char *s, const char *literal)
{
	size_t		len = strlen(literal);

	if (s == NULL || strncmp(s, literal, len) != 0)
		return NULL;

	return s + len;
}

/*
 * parse_json_space - white space as defined by RFC 8259, if any
 */
static const char *
parse_json_space(const char *s)
{
	if (s == NULL)
		return NULL;

	return s + strspn(s, " \t\n\r");
}

/*-------------------------------------------------------------------------
 * Binary form: the 12 bytes
 *-------------------------------------------------------------------------
 */

/*
 * objectid_recv - external binary form to objectid
 *
 * Raises 08P01 for any length other than 12.  Core rejects wrong lengths too,
 * but its message does not name the right one.
 */
PG_FUNCTION_INFO_V1(objectid_recv);
Datum
objectid_recv(PG_FUNCTION_ARGS)
{
	StringInfo	buf = (StringInfo) PG_GETARG_POINTER(0);
	int			len = buf->len - buf->cursor;
	objectid_t *id;

	if (len != OBJECTID_LEN)
		ereport(ERROR,
				(errcode(ERRCODE_PROTOCOL_VIOLATION),
				 errmsg("invalid length of binary value for type %s: %d",
						"objectid", len),
				 errdetail("The binary form of an ObjectId is 12 bytes.")));

	id = palloc(sizeof(objectid_t));
	memcpy(id->data, buf->data + buf->cursor, OBJECTID_LEN);
	buf->cursor += OBJECTID_LEN;

	PG_RETURN_OBJECTID_P(id);
}

/*
 * objectid_send - objectid to bytea, for the wire and for the cast
 */
PG_FUNCTION_INFO_V1(objectid_send);
Datum
objectid_send(PG_FUNCTION_ARGS)
{
	const objectid_t *id = PG_GETARG_OBJECTID_P(0);
	bytea	   *bytes = palloc(VARHDRSZ + OBJECTID_LEN);

	SET_VARSIZE(bytes, VARHDRSZ + OBJECTID_LEN);
	memcpy(VARDATA(bytes), id->data, OBJECTID_LEN);

	PG_RETURN_BYTEA_P(bytes);
}

/*-------------------------------------------------------------------------
 * Casts
 *-------------------------------------------------------------------------
 */

/*
 * objectid_from_bytea - the 12 bytes as a value
 *
 * Raises 22P03 for any other length.
 */
PG_FUNCTION_INFO_V1(objectid_from_bytea);
Datum
objectid_from_bytea(PG_FUNCTION_ARGS)
{
	bytea	   *bytes = PG_GETARG_BYTEA_PP(0);
	int			len = (int) VARSIZE_ANY_EXHDR(bytes);
	objectid_t *id;

	if (len != OBJECTID_LEN)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("invalid length of bytea for type %s: %d",
						"objectid", len),
				 errdetail("An ObjectId is 12 bytes.")));

	id = palloc(sizeof(objectid_t));
	memcpy(id->data, VARDATA_ANY(bytes), OBJECTID_LEN);

	PG_RETURN_OBJECTID_P(id);
}

/*
 * objectid_from_jsonb, objectid_from_json - a JSON string, or {"$oid": "..."}
 *
 * JSON null gives NULL. Raises 22P02 for any other value. jsonb_in() raises
 * its own errors for json that jsonb cannot store.
 */
PG_FUNCTION_INFO_V1(objectid_from_jsonb);
Datum
objectid_from_jsonb(PG_FUNCTION_ARGS)
{
	objectid_t *id = jsonb_get_objectid(PG_GETARG_JSONB_P(0));

	if (id == NULL)
		PG_RETURN_NULL();
	PG_RETURN_OBJECTID_P(id);
}

PG_FUNCTION_INFO_V1(objectid_from_json);
Datum
objectid_from_json(PG_FUNCTION_ARGS)
{
	char	   *str = text_to_cstring(PG_GETARG_TEXT_PP(0));
	objectid_t *id = palloc(sizeof(objectid_t));

	/*
	 * JSON as most programs write an id needs no jsonb.  Look at the first
	 * character, because 24 digits alone are a number in JSON.
	 */
	if ((*str == '{' || *str == '"') && parse_objectid(str, id))
		PG_RETURN_OBJECTID_P(id);

	id = jsonb_get_objectid(parse_json(str));

	if (id == NULL)
		PG_RETURN_NULL();
	PG_RETURN_OBJECTID_P(id);
}

/*
 * objectid_array_from_jsonb, objectid_array_from_json - a JSON array of ids
 *
 * JSON null gives NULL, for an element and for the whole value.  Raises 22P02
 * for anything else; the message names the element.
 */
PG_FUNCTION_INFO_V1(objectid_array_from_jsonb);
Datum
objectid_array_from_jsonb(PG_FUNCTION_ARGS)
{
	return jsonb_get_array(fcinfo, PG_GETARG_JSONB_P(0));
}

PG_FUNCTION_INFO_V1(objectid_array_from_json);
Datum
objectid_array_from_json(PG_FUNCTION_ARGS)
{
	return jsonb_get_array(fcinfo, parse_json(text_to_cstring(PG_GETARG_TEXT_PP(0))));
}

/*
 * parse_json - json to jsonb, in which escapes are decoded
 */
static Jsonb *
parse_json(char *json)
{
	return DatumGetJsonbP(DirectFunctionCall1(jsonb_in, CStringGetDatum(json)));
}

/*
 * jsonb_get_root - the scalar, object or array that a JSON document consists of
 */
static JsonbValue
jsonb_get_root(Jsonb *jb)
{
	JsonbValue	root = {.type = jbvBinary};

	if (JB_ROOT_IS_SCALAR(jb))
		return *getIthJsonbValueFromContainer(&jb->root, 0);

	root.val.binary.data = &jb->root;
	root.val.binary.len = (int) VARSIZE_ANY_EXHDR(jb);

	return root;
}

/*
 * jsonb_get_objectid - the id in a JSON document, or NULL for JSON null
 */
static objectid_t *
jsonb_get_objectid(Jsonb *jb)
{
	objectid_t *id;
	JsonbValue	value = jsonb_get_root(jb);

	if (value.type == jbvNull)
		return NULL;

	id = palloc(sizeof(objectid_t));
	if (!jsonb_value_get_objectid(&value, id))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid JSON value for type %s: %s",
						"objectid", jsonb_value_shown(&value)),
				 errdetail(JSON_DETAIL)));

	return id;
}

/*
 * jsonb_value_get_objectid - the id in a JSON value
 *
 * A string may contain any text form, such as the Extended JSON in Debezium's keys, so
 * that doc->'_id' and doc->>'_id' give the same id.  An object must be Extended JSON.
 * Returns false for everything else, even for a number of 24 digits.
 */
static bool
jsonb_value_get_objectid(const JsonbValue *value, objectid_t *id)
{
	if (value->type == jbvString)
	{
		char	   *str = pnstrdup(value->val.string.val, value->val.string.len);
		bool		is_id = parse_objectid(str, id);

		pfree(str);
		return is_id;
	}

	if (value->type == jbvBinary &&
		JsonContainerIsObject(value->val.binary.data) &&
		JsonContainerSize(value->val.binary.data) == 1)
	{
		JsonbValue	oid;

		return getKeyJsonValueFromContainer(value->val.binary.data, "$oid", 4, &oid) != NULL &&
			oid.type == jbvString && oid.val.string.len == 2 * OBJECTID_LEN &&
			parse_digits(oid.val.string.val, id) != NULL;
	}

	return false;
}

/*
 * jsonb_get_array - an array of the ids in a JSON array
 */
static Datum
jsonb_get_array(FunctionCallInfo fcinfo, Jsonb *jb)
{
	Oid			type = get_element_type(get_func_rettype(fcinfo->flinfo->fn_oid));
	ArrayBuildState *array = initArrayResult(type, CurrentMemoryContext, false);
	JsonbIterator *iterator = JsonbIteratorInit(&jb->root);
	JsonbValue	value = jsonb_get_root(jb);

	if (value.type == jbvNull)
		PG_RETURN_NULL();
	if (value.type != jbvBinary || !JsonContainerIsArray(&jb->root))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid JSON value for type %s: %s",
						"objectid[]", jsonb_value_shown(&value)),
				 errdetail("Expected a JSON array of ObjectIds.")));

	(void) JsonbIteratorNext(&iterator, &value, true);	/* WJB_BEGIN_ARRAY */
	for (int i = 0; JsonbIteratorNext(&iterator, &value, true) == WJB_ELEM; i++)
	{
		objectid_t	id;
		bool		is_null = (value.type == jbvNull);

		CHECK_FOR_INTERRUPTS();
		if (!is_null && !jsonb_value_get_objectid(&value, &id))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
					 errmsg("invalid JSON value for type %s at $[%d]: %s",
							"objectid", i, jsonb_value_shown(&value)),
					 errdetail(JSON_DETAIL)));
		(void) accumArrayResult(array, ObjectidPGetDatum(&id), is_null, type, CurrentMemoryContext);
	}

	return makeArrayResult(array, CurrentMemoryContext);
}

/*
 * jsonb_value_shown - the beginning of a JSON value, for an error message
 *
 * A large object or array is shown as {...} or [...], without rendering it.
 */
static char *
jsonb_value_shown(const JsonbValue *value)
{
	char	   *str;

	if (value->type == jbvString)
		return psprintf("\"%s\"", shown(value->val.string.val, value->val.string.len));

	if (value->type == jbvBinary)
	{
		JsonbContainer *container = value->val.binary.data;

		if (value->val.binary.len > MAX_SHOWN_JSON)
			return JsonContainerIsObject(container) ? "{...}" : "[...]";
		str = JsonbToCString(NULL, container, value->val.binary.len);
	}
	else
	{
		Jsonb	   *jb = JsonbValueToJsonb(unconstify(JsonbValue *, value));

		str = JsonbToCString(NULL, &jb->root, VARSIZE(jb));
	}

	return shown(str, strlen(str));
}

/*-------------------------------------------------------------------------
 * Comparison
 *-------------------------------------------------------------------------
 */

/*
 * compare_arguments - order of the first two arguments
 */
static inline int
compare_arguments(FunctionCallInfo fcinfo)
{
	return objectid_internal_cmp(PG_GETARG_OBJECTID_P(0), PG_GETARG_OBJECTID_P(1));
}

PG_FUNCTION_INFO_V1(objectid_lt);
Datum
objectid_lt(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_arguments(fcinfo) < 0);
}

PG_FUNCTION_INFO_V1(objectid_le);
Datum
objectid_le(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_arguments(fcinfo) <= 0);
}

PG_FUNCTION_INFO_V1(objectid_eq);
Datum
objectid_eq(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(memcmp(PG_GETARG_OBJECTID_P(0), PG_GETARG_OBJECTID_P(1), OBJECTID_LEN) == 0);
}

PG_FUNCTION_INFO_V1(objectid_ge);
Datum
objectid_ge(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_arguments(fcinfo) >= 0);
}

PG_FUNCTION_INFO_V1(objectid_gt);
Datum
objectid_gt(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(compare_arguments(fcinfo) > 0);
}

PG_FUNCTION_INFO_V1(objectid_ne);
Datum
objectid_ne(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(memcmp(PG_GETARG_OBJECTID_P(0), PG_GETARG_OBJECTID_P(1), OBJECTID_LEN) != 0);
}

/*
 * objectid_cmp - btree's three-way comparison
 */
PG_FUNCTION_INFO_V1(objectid_cmp);
Datum
objectid_cmp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(compare_arguments(fcinfo));
}

/*
 * objectid_smaller, objectid_larger - transition functions of min() and max()
 */
PG_FUNCTION_INFO_V1(objectid_smaller);
Datum
objectid_smaller(PG_FUNCTION_ARGS)
{
	PG_RETURN_DATUM(PG_GETARG_DATUM(compare_arguments(fcinfo) < 0 ? 0 : 1));
}

PG_FUNCTION_INFO_V1(objectid_larger);
Datum
objectid_larger(PG_FUNCTION_ARGS)
{
	PG_RETURN_DATUM(PG_GETARG_DATUM(compare_arguments(fcinfo) > 0 ? 0 : 1));
}

/*-------------------------------------------------------------------------
 * Hashing
 *-------------------------------------------------------------------------
 */

PG_FUNCTION_INFO_V1(objectid_hash);
Datum
objectid_hash(PG_FUNCTION_ARGS)
{
	const objectid_t *id = PG_GETARG_OBJECTID_P(0);

	return hash_any(id->data, OBJECTID_LEN);
}

PG_FUNCTION_INFO_V1(objectid_hash_extended);
Datum
objectid_hash_extended(PG_FUNCTION_ARGS)
{
	const objectid_t *id = PG_GETARG_OBJECTID_P(0);

	return hash_any_extended(id->data, OBJECTID_LEN, (uint64) PG_GETARG_INT64(1));
}
