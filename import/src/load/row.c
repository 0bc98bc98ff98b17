/*-------------------------------------------------------------------------
 *
 * row.c
 *	  From the documents of a part of a file to rows of binary COPY.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "command.h"
#include "load.h"
#include "port/pg_bswap.h"

/* the first byte of jsonb in its binary format */
#define JSONB_VERSION '\1'

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
append_id(Rows *rows)
{
	const Writer *writer = &rows->writer;
	StringInfo	out = &rows->writer.out;
	const uint8_t *value = writer->id.value;
	uint8_t		bson_type = writer->id.type;
	char		digits[25];

	switch (rows->type)
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
add_id(Rows *rows)
{
	Writer	   *writer = &rows->writer;
	StringInfo	out = &writer->out;
	uint32		time = pg_hton32(rows->ids->time);
	uint64		serial = pg_hton64(rows->ids->serial + (uint64) rows->position);

	memcpy(rows->new_id, &time, 4);
	memcpy(rows->new_id + 4, &serial, 8);
	out->len--;					/* the brace */
	appendStringInfoString(out, out->data[out->len - 1] == '{' ? "\"_id\":" : ",\"_id\":");
	writer->id.type = BSON_TYPE_OID;
	writer->id.value = rows->new_id;
	writer->id_at = out->len;
	write_oid(writer, rows->new_id);
	writer->id_length = out->len - writer->id_at;
	appendStringInfoCharMacro(out, '}');
}

/*
 * write_row - append the binary COPY row of a document, (doc, _id), to the output; or, for a
 * temporary table, (doc as bytea, number), unless that is NO_NUMBER.  If it is not WRITTEN,
 * nothing is appended, and rows->writer.reason says why.
 */
Verdict
write_row(const Document *document, int number, Rows *rows)
{
	static const char *const needed[] = {
		[ID_OBJECTID] = "an ObjectId",[ID_TEXT] = "a string",[ID_BIGINT] = "an integer",
		[ID_UUID] = "a UUID",[ID_DOMAIN] = "an ObjectId"
	};
	IdType		type = rows->type;
	Writer	   *writer = &rows->writer;
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
	if (verdict == WRITTEN && writer->id.value == NULL && rows->ids)
		add_id(rows);
	rows->lacks_id = verdict == WRITTEN && writer->id.value == NULL;
	if (rows->lacks_id)
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
		append_id(rows);
	else
	{
		append_int(out, 4, sizeof(int32));
		append_int(out, 4, number);
	}
	return WRITTEN;
}

/* open_rows - begin to read a part of a file that has been checked.  A process has one. */
Rows *
open_rows(const Collection *collection, const Part *part, IdType type)
{
	static Rows rows;
	const Check *check = &collection->progress->check;

	/* an error has left it open */
	if (rows.source.window)
		close_source(&rows.source);
	open_source(&rows.source, &collection->input);
	seek_source(&rows.source, part->next, part->end, check->layout);
	start_writer(&rows.writer);
	rows.type = type;
	rows.ids = command.options->generate_id ? &check->ids : NULL;
	rows.position = part->first + part->documents;
	return &rows;
}

/*
 * move_on - move the window on, and find out whether it has a document.  Returns false because of
 * damage that the check did not find.
 */
bool
move_on(Rows *rows, Progress *progress, const Part *part, bool *found)
{
	Source	   *source = &rows->source;
	Document	document;

	move_window(source);
	*found = find_document(source, &document, true) == FOUND;
	if (!*found && source->at_end &&
		source->offset + (int64) source->filled < part->end)
		note_damage(source, &source->damage, source->window + source->filled,
					"the file has become shorter");
	source->next = 0;
	return !store_damage(source, progress);
}

/*
 * next_row - find the next document, and append its row: see write_row().  Where it is not BSON is
 * noted.
 */
Finding
next_row(Rows *rows, bool may_read, int number, Document *document)
{
	Source	   *source = &rows->source;
	Finding		finding = find_document(source, document, may_read);

	if (finding != FOUND)
		return finding;
	rows->position++;
	if (write_row(document, number, rows) != BROKEN)
		return FOUND;
	note_damage(source, &source->damage, (const char *) rows->writer.bad, "this is not BSON");
	source->next = document->data - source->window;
	return DAMAGED;
}
