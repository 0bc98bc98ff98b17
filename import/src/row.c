/*-------------------------------------------------------------------------
 *
 * row.c
 *	  From a document to a row of binary COPY.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <math.h>

#include "port/pg_bswap.h"
#include "row.h"

/* all integers up to this are doubles */
#define MAX_EXACT 9007199254740992.0

/* the first byte of jsonb in its binary format */
#define JSONB_VERSION '\1'

/* a domain has the name of the type for which it stands */
const char *const id_type_names[] = {
	[ID_OBJECTID] = "objectid",[ID_TEXT] = "text",[ID_BIGINT] = "bigint",[ID_UUID] = "uuid",
	[ID_JSONB] = "jsonb",[ID_DOMAIN] = "objectid"
};

/* find_id_type - the type of this name, or ID_UNKNOWN */
IdType
find_id_type(const char *name)
{
	for (IdType type = 0; type < ID_TYPES; type++)
		if (strcmp(name, id_type_names[type]) == 0)
			return type;
	return ID_UNKNOWN;
}

/* most_frequent - the type of key that most have, of which "seen" has the numbers, or objectid */
IdType
most_frequent(const int *seen)
{
	IdType		most = ID_OBJECTID;

	for (IdType type = 0; type < ID_TYPES; type++)
		if (seen[type] > seen[most])
			most = type;
	return most;
}

/* append_int - append an integer of so many bytes */
void
append_int(StringInfo out, int size, int64 value)
{
	uint64		big_endian = pg_hton64((uint64) value);

	append(out, (const char *) &big_endian + sizeof(big_endian) - size, size);
}

/* append_field - append a field of a row: its length, and its bytes */
void
append_field(StringInfo out, const void *data, size_t length)
{
	append_int(out, 4, (int32) length);
	append(out, data, length);
}

/* key_type - the type for a key.  MongoDB's shell turns 1 into a double. */
IdType
key_type(const Element *id)
{
	double		number;

	switch (id->type)
	{
		case BSON_TYPE_OID:
			return ID_OBJECTID;
		case BSON_TYPE_UTF8:
			return ID_TEXT;
		case BSON_TYPE_INT32:
		case BSON_TYPE_INT64:
			return ID_BIGINT;
		case BSON_TYPE_DOUBLE:
			number = get_double(id->value);
			return fabs(number) <= MAX_EXACT && number == rint(number) ? ID_BIGINT : ID_JSONB;
		case BSON_TYPE_BINARY:
			return get_length(id->value) == 16 && id->value[4] == BSON_SUBTYPE_UUID ?
				ID_UUID : ID_JSONB;
		default:
			return ID_JSONB;
	}
}

/* what a key is, for a message */
static const char *
name_type(const Element *id)
{
	static const char *const names[] = {
		[BSON_TYPE_DOUBLE] = "a double",[BSON_TYPE_UTF8] = "a string",
		[BSON_TYPE_DOCUMENT] = "a document",[BSON_TYPE_ARRAY] = "an array",
		[BSON_TYPE_BINARY] = "binary data",[BSON_TYPE_OID] = "an ObjectId",
		[BSON_TYPE_BOOL] = "a boolean",[BSON_TYPE_DATE_TIME] = "a date",
		[BSON_TYPE_NULL] = "null",[BSON_TYPE_INT32] = "an integer",
		[BSON_TYPE_INT64] = "an integer",[BSON_TYPE_DECIMAL128] = "a decimal"
	};

	if (id->type == BSON_TYPE_BINARY && id->value[4] == BSON_SUBTYPE_UUID_DEPRECATED)
		return "a UUID of the old subtype 3, whose byte order is unknown";
	if (key_type(id) == ID_UUID)
		return "a UUID";
	return id->type < lengthof(names) && names[id->type] ? names[id->type] : "of another type";
}

/* append the key that was written last, in the binary format of its column */
static void
append_id(Writer *writer, IdType type)
{
	StringInfo	out = &writer->out;
	const uint8_t *value = writer->id.value;
	uint8_t		bson_type = writer->id.type;
	char		digits[25];

	switch (type)
	{
		case ID_OBJECTID:
			append_field(out, value, 12);
			break;
		case ID_DOMAIN:
			/* the binary format of a domain over text is the text */
			bson_oid_to_string((const bson_oid_t *) value, digits);
			append_field(out, digits, 24);
			break;
		case ID_TEXT:
			append_field(out, value + 4, get_length(value) - 1);
			break;
		case ID_BIGINT:
			append_int(out, 4, 8);
			append_int(out, 8, bson_type == BSON_TYPE_INT32 ? (int32) get_length(value) :
					   bson_type == BSON_TYPE_INT64 ? get_int64(value) :
					   (int64) get_double(value));
			break;
		case ID_UUID:
			append_field(out, value + 5, 16);
			break;
		default:
			append_int(out, 4, writer->id_length + 1);
			appendStringInfoCharMacro(out, JSONB_VERSION);
			enlargeStringInfo(out, writer->id_length);
			append(out, out->data + writer->id_at, writer->id_length);
			break;
	}
}

/* give the document that was written last an _id, with --generate-id */
static void
add_id(Writer *writer)
{
	StringInfo	out = &writer->out;
	uint32		time = pg_hton32(writer->ids->time);
	uint64		serial = pg_hton64(writer->ids->serial + (uint64) writer->position);

	memcpy(writer->new_id, &time, 4);
	memcpy(writer->new_id + 4, &serial, 8);
	out->len--;					/* the brace */
	appendStringInfoString(out, out->data[out->len - 1] == '{' ? "\"_id\":" : ",\"_id\":");
	writer->id.type = BSON_TYPE_OID;
	writer->id.value = writer->new_id;
	writer->id_at = out->len;
	write_oid(writer, writer->new_id);
	writer->id_length = out->len - writer->id_at;
	appendStringInfoCharMacro(out, '}');
}

/*
 * write_row - append the binary COPY row of a document, (doc, _id), to writer->out; or, for a
 * temporary table, (doc as bytea, number), unless that is NO_NUMBER.  If it is not WRITTEN,
 * nothing is appended.
 */
Verdict
write_row(const Document *document, IdType type, int number, Writer *writer)
{
	static const char *const needed[] = {
		[ID_OBJECTID] = "an ObjectId",[ID_TEXT] = "a string",[ID_BIGINT] = "an integer",
		[ID_UUID] = "a UUID",[ID_DOMAIN] = "an ObjectId"
	};
	StringInfo	out = &writer->out;
	int			start = out->len;
	Verdict		verdict;
	uint32		length;

	append_int(out, 2, 2);
	append_int(out, 4, 0);		/* the length of the document */
	if (number == NO_NUMBER)
		appendStringInfoCharMacro(out, JSONB_VERSION);
	writer->reason[0] = '\0';
	if (document->reason)
		verdict = reject(writer->reason, "%s", document->reason);
	else
		verdict = write_bson(writer, document->bson);
	if (verdict == WRITTEN && writer->id.value == NULL && writer->ids)
		add_id(writer);
	writer->lacks_id = verdict == WRITTEN && writer->id.value == NULL;
	if (writer->lacks_id)
		verdict = reject(writer->reason, "no _id");
	else if (verdict == WRITTEN && type != ID_JSONB &&
			 key_type(&writer->id) != (type == ID_DOMAIN ? ID_OBJECTID : type))
		verdict = reject(writer->reason, "_id is %s, not %s", name_type(&writer->id), needed[type]);
	if (verdict != WRITTEN)
	{
		out->len = start;
		return verdict;
	}
	length = pg_hton32((uint32) (out->len - start - 6));
	memcpy(out->data + start + 2, &length, 4);
	if (number == NO_NUMBER)
		append_id(writer, type);
	else
	{
		append_int(out, 4, sizeof(int32));
		append_int(out, 4, number);
	}
	return WRITTEN;
}
