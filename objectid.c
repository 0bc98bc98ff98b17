/*-------------------------------------------------------------------------
 *
 * objectid.c
 *	  Functions for the type "objectid": text and binary form, casts,
 *	  comparison, hashing, time.
 *
 *-------------------------------------------------------------------------
 */
#include "objectid.h"

#include "common/hashfn.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/jsonb.h"
#include "utils/timestamp.h"

PG_MODULE_MAGIC_EXT(
					.name = "objectid",
					.version = OBJECTID_VERSION
);

/* how many bytes of a JSON value that is no id an error shows */
#define MAX_JSON_SHOWN	100

static bool parse_objectid(const char *str, objectid_t *id);
static const char *parse_digits(const char *s, objectid_t *id);
static const char *parse_literal(const char *s, const char *literal);
static const char *parse_json_space(const char *s);
static objectid_t *jsonb_get_objectid(Jsonb *jb);

/*-------------------------------------------------------------------------
 * Text form
 *
 * Input is a closed set of forms, each of which something real writes:
 *
 *	507f1f77bcf86cd799439011		everything
 *	ObjectId("507f...")				shells; Node.js, Go, Ruby when they print an
 *									id; without quotes, mongoexport's CSV
 *	{"$oid": "507f..."}				MongoDB Extended JSON
 *	"507f..."						a JSON string
 *	\x507f...						the text form of bytea
 *
 * Digits may be of either case everywhere.  White space is allowed only where
 * JSON allows it inside the Extended JSON object.  Output is always the 24
 * digits in lower case.
 *-------------------------------------------------------------------------
 */

/*
 * objectid_in - text to objectid
 *
 * Raises 22P02, as a soft error where the caller asks for it.
 */
PG_FUNCTION_INFO_V1(objectid_in);
Datum
objectid_in(PG_FUNCTION_ARGS)
{
	const char *str = PG_GETARG_CSTRING(0);
	objectid_t *id = palloc(sizeof(objectid_t));

	if (!parse_objectid(str, id))
		ereturn(fcinfo->context, (Datum) 0,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid input syntax for type %s: \"%s\"",
						"objectid", str),
				 errdetail("An ObjectId is 24 hexadecimal digits, bare or written as ObjectId(\"...\"), {\"$oid\": \"...\"}, \"...\", or \\x...")));

	PG_RETURN_OBJECTID_P(id);
}

/*
 * objectid_out - objectid to 24 lower-case hexadecimal digits
 */
PG_FUNCTION_INFO_V1(objectid_out);
Datum
objectid_out(PG_FUNCTION_ARGS)
{
	const objectid_t *id = PG_GETARG_OBJECTID_P(0);
	char	   *str = palloc(2 * OBJECTID_LEN + 1);

	hex_encode((const char *) id->data, OBJECTID_LEN, str);
	str[2 * OBJECTID_LEN] = '\0';

	PG_RETURN_CSTRING(str);
}

/*
 * objectid_is_valid - would objectid_in() take this text?
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
 * parse_objectid - the grammar above
 *
 * Returns false if str is in no accepted form; *id is then undefined.
 */
static bool
parse_objectid(const char *str, objectid_t *id)
{
	static const char *const constructors[] = {
		"ObjectId(", "ObjectID(", "new ObjectId(", "BSON::ObjectId("
	};
	const char *s;

	/* the bare form comes first: it is nearly all input there is */
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
			if (s != NULL)
			{
				const char *closing = ")";

				if (*s == '"')
					closing = "\")";
				else if (*s == '\'')
					closing = "')";

				s = parse_digits(*closing == ')' ? s : s + 1, id);
				s = parse_literal(s, closing);
			}
			break;
	}

	return s != NULL && *s == '\0';
}

/*
 * The parse_* functions below return the position behind what they read, or
 * NULL if it is not there.  They pass NULL on, so that a sequence of them can
 * be checked once at its end.
 */

/*
 * parse_digits - 24 hexadecimal digits, into *id
 */
static const char *
parse_digits(const char *s, objectid_t *id)
{
	/* value of a hexadecimal digit, plus one; 0 is no such digit */
	static const uint8 digit_value[256] = {
		['0'] = 1,
		['1'] = 2,
		['2'] = 3,
		['3'] = 4,
		['4'] = 5,
		['5'] = 6,
		['6'] = 7,
		['7'] = 8,
		['8'] = 9,
		['9'] = 10,
		['A'] = 11,
		['B'] = 12,
		['C'] = 13,
		['D'] = 14,
		['E'] = 15,
		['F'] = 16,
		['a'] = 11,
		['b'] = 12,
		['c'] = 13,
		['d'] = 14,
		['e'] = 15,
		['f'] = 16,
	};

	if (s == NULL)
		return NULL;

	for (int i = 0; i < OBJECTID_LEN; i++)
	{
		uint8		hi = digit_value[(unsigned char) s[0]];
		uint8		lo;

		/* s[0] may be the terminator: do not look behind it */
		if (hi == 0)
			return NULL;
		lo = digit_value[(unsigned char) s[1]];
		if (lo == 0)
			return NULL;

		id->data[i] = (unsigned char) ((hi - 1) << 4 | (lo - 1));
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
 * parse_json_space - any amount of RFC 8259's white space
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
 * Raises 08P01 for any other length than 12.  Core would refuse it, too, a
 * shorter value as 08P01 and a longer one as 22P03, but say of neither what
 * is expected.
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
 * JSON null gives NULL.  Raises 22P02 for what is no id; and for json that jsonb
 * cannot hold, jsonb_in() raises its own (22P05, 22003).
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
	objectid_t *id;

	/* json is text as it came; jsonb_in() parses it and decodes the escapes */
	id = jsonb_get_objectid(DatumGetJsonbP(DirectFunctionCall1(jsonb_in,
															   CStringGetDatum(str))));

	if (id == NULL)
		PG_RETURN_NULL();
	PG_RETURN_OBJECTID_P(id);
}

/*
 * jsonb_get_objectid - the id in a JSON value, or NULL for JSON null
 *
 * What a string holds is read as objectid_in() reads it, so that doc->'_id'
 * and doc->>'_id' cast alike; an object must be MongoDB's Extended JSON.
 * Everything else is refused, even a number of 24 digits.
 */
static objectid_t *
jsonb_get_objectid(Jsonb *jb)
{
	objectid_t *id = palloc(sizeof(objectid_t));
	JsonbValue	scalar;
	char	   *str = NULL;

	if (JB_ROOT_IS_OBJECT(jb))
		str = JsonbToCString(NULL, &jb->root, VARSIZE(jb));
	else if (JsonbExtractScalar(&jb->root, &scalar))
	{
		if (scalar.type == jbvNull)
			return NULL;
		if (scalar.type == jbvString)
			str = pnstrdup(scalar.val.string.val, scalar.val.string.len);
	}

	if (str == NULL || !parse_objectid(str, id))
	{
		/* a document may be large, and is nobody's business in a log */
		char	   *value = JsonbToCString(NULL, &jb->root, VARSIZE(jb));
		int			len = (int) strlen(value);
		int			shown = pg_mbcliplen(value, len, MAX_JSON_SHOWN);

		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid JSON value for type %s: %.*s%s", "objectid",
						shown, value, shown < len ? "..." : ""),
				 errdetail("An ObjectId in JSON is a string of 24 hexadecimal digits, bare or as {\"$oid\": \"...\"}.")));
	}

	return id;
}

/*-------------------------------------------------------------------------
 * Comparison
 *-------------------------------------------------------------------------
 */

PG_FUNCTION_INFO_V1(objectid_lt);
Datum
objectid_lt(PG_FUNCTION_ARGS)
{
	const objectid_t *a = PG_GETARG_OBJECTID_P(0);
	const objectid_t *b = PG_GETARG_OBJECTID_P(1);

	PG_RETURN_BOOL(objectid_internal_cmp(a, b) < 0);
}

PG_FUNCTION_INFO_V1(objectid_le);
Datum
objectid_le(PG_FUNCTION_ARGS)
{
	const objectid_t *a = PG_GETARG_OBJECTID_P(0);
	const objectid_t *b = PG_GETARG_OBJECTID_P(1);

	PG_RETURN_BOOL(objectid_internal_cmp(a, b) <= 0);
}

PG_FUNCTION_INFO_V1(objectid_eq);
Datum
objectid_eq(PG_FUNCTION_ARGS)
{
	const objectid_t *a = PG_GETARG_OBJECTID_P(0);
	const objectid_t *b = PG_GETARG_OBJECTID_P(1);

	PG_RETURN_BOOL(memcmp(a->data, b->data, OBJECTID_LEN) == 0);
}

PG_FUNCTION_INFO_V1(objectid_ge);
Datum
objectid_ge(PG_FUNCTION_ARGS)
{
	const objectid_t *a = PG_GETARG_OBJECTID_P(0);
	const objectid_t *b = PG_GETARG_OBJECTID_P(1);

	PG_RETURN_BOOL(objectid_internal_cmp(a, b) >= 0);
}

PG_FUNCTION_INFO_V1(objectid_gt);
Datum
objectid_gt(PG_FUNCTION_ARGS)
{
	const objectid_t *a = PG_GETARG_OBJECTID_P(0);
	const objectid_t *b = PG_GETARG_OBJECTID_P(1);

	PG_RETURN_BOOL(objectid_internal_cmp(a, b) > 0);
}

PG_FUNCTION_INFO_V1(objectid_ne);
Datum
objectid_ne(PG_FUNCTION_ARGS)
{
	const objectid_t *a = PG_GETARG_OBJECTID_P(0);
	const objectid_t *b = PG_GETARG_OBJECTID_P(1);

	PG_RETURN_BOOL(memcmp(a->data, b->data, OBJECTID_LEN) != 0);
}

/*
 * objectid_cmp - btree's three-way comparison
 */
PG_FUNCTION_INFO_V1(objectid_cmp);
Datum
objectid_cmp(PG_FUNCTION_ARGS)
{
	const objectid_t *a = PG_GETARG_OBJECTID_P(0);
	const objectid_t *b = PG_GETARG_OBJECTID_P(1);

	PG_RETURN_INT32(objectid_internal_cmp(a, b));
}

/*
 * objectid_smaller, objectid_larger - transition functions of min() and max()
 */
PG_FUNCTION_INFO_V1(objectid_smaller);
Datum
objectid_smaller(PG_FUNCTION_ARGS)
{
	objectid_t *a = PG_GETARG_OBJECTID_P(0);
	objectid_t *b = PG_GETARG_OBJECTID_P(1);

	PG_RETURN_OBJECTID_P(objectid_internal_cmp(a, b) < 0 ? a : b);
}

PG_FUNCTION_INFO_V1(objectid_larger);
Datum
objectid_larger(PG_FUNCTION_ARGS)
{
	objectid_t *a = PG_GETARG_OBJECTID_P(0);
	objectid_t *b = PG_GETARG_OBJECTID_P(1);

	PG_RETURN_OBJECTID_P(objectid_internal_cmp(a, b) > 0 ? a : b);
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

/*-------------------------------------------------------------------------
 * Time
 *-------------------------------------------------------------------------
 */

/*
 * objectid_time - the second in which an id was made
 *
 * Unsigned, as MongoDB's specification has it: 1970-01-01 00:00:00 UTC to
 * 2106-02-07 06:28:15 UTC.  Every id has one.
 */
PG_FUNCTION_INFO_V1(objectid_time);
Datum
objectid_time(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMPTZ(objectid_get_timestamptz(PG_GETARG_OBJECTID_P(0)));
}

/*
 * objectid_from_time - the smallest id of the second that an instant lies in
 *
 * A boundary to compare ids with, the same at every call; not a new id.
 * Raises 22008 for an instant that no id can hold.
 */
PG_FUNCTION_INFO_V1(objectid_from_time);
Datum
objectid_from_time(PG_FUNCTION_ARGS)
{
	TimestampTz instant = PG_GETARG_TIMESTAMPTZ(0);
	objectid_t *id = palloc(sizeof(objectid_t));

	objectid_set(id, objectid_seconds_from_timestamptz(instant), 0);

	PG_RETURN_OBJECTID_P(id);
}

/*
 * objectid_lower_bound, objectid_upper_bound - the smallest id whose second is
 * not before an instant, or is after it
 *
 * The boundaries that the operators between objectid and timestamptz compare
 * with.  They take every instant and raise nothing: see
 * objectid_set_upper_bound().
 */
PG_FUNCTION_INFO_V1(objectid_lower_bound);
Datum
objectid_lower_bound(PG_FUNCTION_ARGS)
{
	objectid_t *id = palloc(sizeof(objectid_t));

	objectid_set_lower_bound(id, PG_GETARG_TIMESTAMPTZ(0));

	PG_RETURN_OBJECTID_P(id);
}

PG_FUNCTION_INFO_V1(objectid_upper_bound);
Datum
objectid_upper_bound(PG_FUNCTION_ARGS)
{
	objectid_t *id = palloc(sizeof(objectid_t));

	objectid_set_upper_bound(id, PG_GETARG_TIMESTAMPTZ(0));

	PG_RETURN_OBJECTID_P(id);
}

/*
 * Comparison of an id and an instant
 *
 * The planner replaces these calls by comparisons of ids where it can; see
 * objectid_selfuncs.c.  Called as they are, they compare with the same
 * boundaries.  A comparison with the id on the right is the function of the
 * commutator.
 */
static inline bool
is_before_instant(const objectid_t *id, TimestampTz instant)
{
	objectid_t	boundary;

	objectid_set_lower_bound(&boundary, instant);

	return objectid_internal_cmp(id, &boundary) < 0;
}

static inline bool
is_after_instant(const objectid_t *id, TimestampTz instant)
{
	objectid_t	boundary;

	objectid_set_upper_bound(&boundary, instant);

	return objectid_internal_cmp(id, &boundary) >= 0;
}

PG_FUNCTION_INFO_V1(objectid_lt_timestamptz);
Datum
objectid_lt_timestamptz(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(is_before_instant(PG_GETARG_OBJECTID_P(0), PG_GETARG_TIMESTAMPTZ(1)));
}

PG_FUNCTION_INFO_V1(objectid_le_timestamptz);
Datum
objectid_le_timestamptz(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(!is_after_instant(PG_GETARG_OBJECTID_P(0), PG_GETARG_TIMESTAMPTZ(1)));
}

PG_FUNCTION_INFO_V1(objectid_ge_timestamptz);
Datum
objectid_ge_timestamptz(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(!is_before_instant(PG_GETARG_OBJECTID_P(0), PG_GETARG_TIMESTAMPTZ(1)));
}

PG_FUNCTION_INFO_V1(objectid_gt_timestamptz);
Datum
objectid_gt_timestamptz(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(is_after_instant(PG_GETARG_OBJECTID_P(0), PG_GETARG_TIMESTAMPTZ(1)));
}

PG_FUNCTION_INFO_V1(timestamptz_lt_objectid);
Datum
timestamptz_lt_objectid(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(is_after_instant(PG_GETARG_OBJECTID_P(1), PG_GETARG_TIMESTAMPTZ(0)));
}

PG_FUNCTION_INFO_V1(timestamptz_le_objectid);
Datum
timestamptz_le_objectid(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(!is_before_instant(PG_GETARG_OBJECTID_P(1), PG_GETARG_TIMESTAMPTZ(0)));
}

PG_FUNCTION_INFO_V1(timestamptz_ge_objectid);
Datum
timestamptz_ge_objectid(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(!is_after_instant(PG_GETARG_OBJECTID_P(1), PG_GETARG_TIMESTAMPTZ(0)));
}

PG_FUNCTION_INFO_V1(timestamptz_gt_objectid);
Datum
timestamptz_gt_objectid(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(is_before_instant(PG_GETARG_OBJECTID_P(1), PG_GETARG_TIMESTAMPTZ(0)));
}
