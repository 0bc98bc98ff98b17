/*-------------------------------------------------------------------------
 *
 * rows.c
 *	  From a document to a row of binary COPY.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <math.h>

#include "port/pg_bswap.h"
#include "port/pg_crc32c.h"
#include "rows.h"

/* all integers up to this are doubles */
#define MAX_EXACT 9007199254740992.0

const char *const id_type_names[] = {"objectid", "text", "bigint", "uuid", "jsonb", "objectid"};

void
append_int16(StringInfo out, int16 value)
{
	uint16		big_endian = pg_hton16((uint16) value);

	append(out, &big_endian, sizeof(big_endian));
}

static void
append_int32(StringInfo out, int32 value)
{
	uint32		big_endian = pg_hton32((uint32) value);

	append(out, &big_endian, sizeof(big_endian));
}

/* Append a field of 8 bytes. */
void
append_bigint(StringInfo out, int64 value)
{
	uint64		big_endian = pg_hton64((uint64) value);

	append_field(out, &big_endian, sizeof(big_endian));
}

void
append_field(StringInfo out, const void *data, int length)
{
	append_int32(out, length);
	append(out, data, length);
}

/* The type for the key that was written last.  MongoDB's shell turns 1 into a double. */
IdType
key_type(const Writer *writer)
{
	double		number;

	switch (writer->id_type)
	{
		case BSON_TYPE_OID:
			return ID_OBJECTID;
		case BSON_TYPE_UTF8:
			return ID_TEXT;
		case BSON_TYPE_INT32:
		case BSON_TYPE_INT64:
			return ID_BIGINT;
		case BSON_TYPE_DOUBLE:
			number = get_double(writer->id);
			return fabs(number) <= MAX_EXACT && number == rint(number) ? ID_BIGINT : ID_JSONB;
		case BSON_TYPE_BINARY:
			return get_length(writer->id) == 16 && writer->id[4] == BSON_SUBTYPE_UUID ? ID_UUID : ID_JSONB;
		default:
			return ID_JSONB;
	}
}

/* Compute checksums of the names in a document or array: one for any order of the fields, and one for theirs. */
static void
add_names(bson_iter_t *fields, bool array, uint32 *names, uint32 *order)
{
	INIT_CRC32C(*order);
	*names = array;
	while (bson_iter_next(fields))
	{
		const char *name = array ? "" : bson_iter_key(fields);
		uint32		inner[2] = {0, 0};
		bson_iter_t values;
		pg_crc32c	field;

		if ((BSON_ITER_HOLDS_ARRAY(fields) || BSON_ITER_HOLDS_DOCUMENT(fields)) && bson_iter_recurse(fields, &values))
			add_names(&values, BSON_ITER_HOLDS_ARRAY(fields), &inner[0], &inner[1]);
		else if (array)
			continue;
		COMP_CRC32C(*order, name, strlen(name) + 1);
		COMP_CRC32C(*order, inner, sizeof(inner));
		INIT_CRC32C(field);
		COMP_CRC32C(field, name, strlen(name) + 1);
		COMP_CRC32C(field, inner, sizeof(inner[0]));
		*names = array ? *names * 31 + field : *names + field;
	}
}

/*
 * Note that a table has keys with this order of fields, unless they would replace
 * others.  False: the table may have a key that jsonb takes for equal to one with
 * this order, though MongoDB does not.
 */
bool
note_key_order(KeyOrders * orders, int64 order, bool upsert)
{
	bool		known = false;
	bool		other = false;

	for (int i = 0; i < orders->count; i++)
	{
		known |= orders->order[i] == order;
		other |= orders->order[i] == ALL_KEY_ORDERS || (orders->order[i] != order && orders->order[i] >> 32 == order >> 32);
	}
	if (known || (upsert && other))
		return !other;
	if (orders->count == MAX_KEY_ORDERS)
		orders->order[0] = order = ALL_KEY_ORDERS;
	else
		orders->order[orders->count++] = order;
	return !other && order != ALL_KEY_ORDERS;
}

/*
 * The same for the key that was written or checked last.  MongoDB distinguishes
 * {a: 1, b: 2} and {b: 2, a: 1}, which are equal as jsonb.
 */
bool
note_key(KeyOrders * orders, const Writer *writer, bool upsert)
{
	bson_iter_t fields;
	uint32		names;
	uint32		order;

	if (writer->id == NULL || writer->id_type != BSON_TYPE_DOCUMENT || !bson_iter_init_from_data(&fields, writer->id, get_length(writer->id)))
		return true;
	add_names(&fields, false, &names, &order);
	return note_key_order(orders, (int64) (((uint64) (names >> 1) << 32) | order), upsert);
}

static const char *
name_type(const Writer *writer)
{
	static const char *const names[] = {
		[BSON_TYPE_DOUBLE] = "a double",[BSON_TYPE_UTF8] = "a string",[BSON_TYPE_DOCUMENT] = "a document",
		[BSON_TYPE_ARRAY] = "an array",[BSON_TYPE_BINARY] = "binary data",[BSON_TYPE_OID] = "an ObjectId",
		[BSON_TYPE_BOOL] = "a boolean",[BSON_TYPE_DATE_TIME] = "a date",[BSON_TYPE_NULL] = "null",
		[BSON_TYPE_INT32] = "an integer",[BSON_TYPE_INT64] = "an integer",[BSON_TYPE_DECIMAL128] = "a decimal"
	};

	if (writer->id_type == BSON_TYPE_BINARY && writer->id[4] == BSON_SUBTYPE_UUID_DEPRECATED)
		return "a UUID of the old subtype 3, whose byte order is unknown";
	if (key_type(writer) == ID_UUID)
		return "a UUID";
	return writer->id_type < lengthof(names) && names[writer->id_type] ? names[writer->id_type] : "of another type";
}

static void
append_id(Writer *writer, IdType type)
{
	StringInfo	out = &writer->out;
	char		digits[25];

	switch (type)
	{
		case ID_OBJECTID:
			append_field(out, writer->id, 12);
			break;
		case ID_DOMAIN:
			/* the binary format of a domain over text is the text */
			bson_oid_to_string((const bson_oid_t *) writer->id, digits);
			append_field(out, digits, 24);
			break;
		case ID_TEXT:
			append_field(out, writer->id + 4, get_length(writer->id) - 1);
			break;
		case ID_BIGINT:
			append_bigint(out, writer->id_type == BSON_TYPE_INT32 ? (int32) get_length(writer->id) :
						  writer->id_type == BSON_TYPE_INT64 ? get_int64(writer->id) : (int64) get_double(writer->id));
			break;
		case ID_UUID:
			append_field(out, writer->id + 5, 16);
			break;
		default:
			append_int32(out, writer->id_length + 1);
			appendStringInfoCharMacro(out, '\1');
			enlargeStringInfo(out, writer->id_length);
			append(out, out->data + writer->id_at, writer->id_length);
			break;
	}
}

/*
 * Append the binary COPY row of a document, (doc, _id), to writer->out; or, if
 * "position" is not negative, the row of the temporary table, (doc as bytea,
 * position in the batch).
 */
Verdict
write_row(const Document *document, IdType type, int position, Writer *writer)
{
	static const char *const needed[] = {"an ObjectId", "a string", "an integer", "a UUID"};
	IdType		wanted = type == ID_DOMAIN ? ID_OBJECTID : type;
	StringInfo	out = &writer->out;
	int			start = out->len;
	Verdict		verdict;
	uint32		length;

	writer->reason[0] = '\0';
	if (document->reason)
		return reject(writer->reason, "%s", document->reason);
	append_int16(out, 2);
	append_int32(out, 0);
	if (position < 0)
		appendStringInfoCharMacro(out, '\1');	/* the version of its binary
												 * format */
	verdict = write_bson(writer, document->bson);
	if (verdict == WRITTEN && writer->id == NULL)
		verdict = reject(writer->reason, "no _id");
	else if (verdict == WRITTEN && type != ID_JSONB && key_type(writer) != wanted)
		verdict = reject(writer->reason, "_id is %s, not %s", name_type(writer), needed[wanted]);
	if (verdict != WRITTEN)
	{
		out->len = start;
		return verdict;
	}
	length = pg_hton32(out->len - start - 6);
	memcpy(out->data + start + 2, &length, 4);
	if (position < 0)
		append_id(writer, type);
	else
	{
		append_int32(out, 4);
		append_int32(out, position);
	}
	return WRITTEN;
}
