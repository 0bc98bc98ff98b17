/*-------------------------------------------------------------------------
 *
 * copy.c
 *	  From a document to a row of binary COPY, and to the server.
 *
 *-------------------------------------------------------------------------
 */
#include "objectid-import.h"

#include "port/pg_bswap.h"

/* how much goes to the server at once */
#define COPY_BYTES (64 * 1024)

/* jsonb takes no more */
#define MAX_JSON 0x3fffffff

const char *const id_type_names[] = {"objectid", "text", "bigint", "uuid", "jsonb"};

void
append_int16(StringInfo out, int16 value)
{
	uint16		big_endian = pg_hton16((uint16) value);

	appendBinaryStringInfo(out, (char *) &big_endian, sizeof(big_endian));
}

void
append_int32(StringInfo out, int32 value)
{
	uint32		big_endian = pg_hton32((uint32) value);

	appendBinaryStringInfo(out, (char *) &big_endian, sizeof(big_endian));
}

void
append_int64(StringInfo out, int64 value)
{
	uint64		big_endian = pg_hton64((uint64) value);

	appendBinaryStringInfo(out, (char *) &big_endian, sizeof(big_endian));
}

/* Append a jsonb: its length, the version of its binary format, its text; or the text only, for a bytea. */
static void
append_jsonb(StringInfo out, const char *text, int length, bool bytea)
{
	append_int32(out, bytea ? length : length + 1);
	if (!bytea)
		appendStringInfoCharMacro(out, '\1');
	appendBinaryStringInfo(out, text, length);
}

static void
append_id(StringInfo out, const Writer *writer, IdType type, bool bytea)
{
	switch (type)
	{
		case ID_OBJECTID:
			append_int32(out, 12);
			appendBinaryStringInfo(out, (const char *) writer->id.bytes, 12);
			break;
		case ID_UUID:
			append_int32(out, 16);
			appendBinaryStringInfo(out, (const char *) writer->id.bytes, 16);
			break;
		case ID_BIGINT:
			append_int32(out, 8);
			append_int64(out, writer->id.integer);
			break;
		case ID_TEXT:
			append_int32(out, writer->id.length);
			appendBinaryStringInfo(out, writer->id.text, writer->id.length);
			break;
		default:
			append_jsonb(out, writer->out.data + writer->id_at, writer->id_length, bytea);
			break;
	}
}

/*
 * Append the binary COPY row of a document, (_id, doc); or, if "position" is not
 * negative, the row of the temporary table, which begins with its position in
 * the batch and has text as bytea.
 */
Verdict
write_row(bool json, const Document *document, IdType type, int position, Writer *writer, StringInfo out)
{
	static const char *const needed[] = {"an ObjectId", "a string", "an integer", "a UUID"};
	Verdict		verdict;

	if (writer->out.data == NULL)
	{
		initStringInfo(&writer->out);
		initStringInfo(&writer->unescaped);
	}
	writer->out.len = 0;
	writer->id.what = NULL;
	if (!json)
		verdict = bson_to_json(writer, document->data, document->length);
	else if (document->length > 0 && document->data[0] == '{')
		verdict = json_to_json(writer, document->data, document->length);
	else
	{
		writer->bad = 0;
		reject(writer, "not JSON: a document begins with {");
		verdict = BROKEN;
	}

	if (verdict != WRITTEN)
		return verdict;
	if (writer->id.what == NULL)
		return reject(writer, "no _id");
	if (type != ID_JSONB && writer->id.type != type)
		return reject(writer, "_id is %s, not %s", writer->id.what, needed[type]);
	if (writer->out.len > MAX_JSON)
		return reject(writer, "too large");

	append_int16(out, position < 0 ? 2 : 3);
	if (position >= 0)
	{
		append_int32(out, 4);
		append_int32(out, position);
	}
	append_id(out, writer, type, position >= 0);
	append_jsonb(out, writer->out.data, writer->out.len, position >= 0);
	return WRITTEN;
}

/* Print the key as text that its type reads; nothing if there is no room. */
void
print_id(const Writer *writer, IdType type, char *text, size_t size)
{
	size_t		length = type == ID_TEXT ? writer->id.length : (size_t) writer->id_length;

	*text = '\0';
	if (type == ID_BIGINT)
		snprintf(text, size, INT64_FORMAT, writer->id.integer);
	else if (type == ID_OBJECTID || type == ID_UUID)
		for (int i = 0; i < (type == ID_UUID ? 16 : 12); i++)
			snprintf(text + 2 * i, size - 2 * i, "%02x", writer->id.bytes[i]);
	else if (length < size)
	{
		memcpy(text, type == ID_TEXT ? writer->id.text : writer->out.data + writer->id_at, length);
		text[length] = '\0';
	}
}

/*
 * How did it end?  What any other document would meet as well ends the program:
 * lost connections, full disks, shutdown.
 */
Outcome
judge(PGconn *conn, PGresult *result)
{
	const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	ExecStatusType status = PQresultStatus(result);

	if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_COPY_IN)
		return LOADED;
	if (state == NULL || PQstatus(conn) == CONNECTION_BAD || strncmp(state, "53", 2) == 0 ||
		strncmp(state, "57", 2) == 0 || strncmp(state, "58", 2) == 0)
		lost(conn);
	return strncmp(state, "40", 2) == 0 ? AGAIN : REFUSED;
}

/* Run a statement that may fail because of a document. */
Outcome
try_sql(PGconn *conn, const char *sql)
{
	PGresult   *result = PQexec(conn, sql);
	Outcome		outcome = judge(conn, result);

	/* a transaction that cannot be committed is rolled back without an error */
	if (outcome == LOADED && strcmp(sql, "COMMIT") == 0 && strcmp(PQcmdStatus(result), "COMMIT") != 0)
		outcome = REFUSED;
	PQclear(result);
	return outcome;
}

/* Begin a COPY, whose rows are collected in "out". */
void
start_copy(PGconn *conn, StringInfo out, const char *table, const char *columns)
{
	PGresult   *result = PQexec(conn, psprintf("COPY %s (%s) FROM STDIN (FORMAT binary)", table, columns));

	if (PQresultStatus(result) != PGRES_COPY_IN)
		lost(conn);
	PQclear(result);
	if (out->data == NULL)
		initStringInfo(out);
	resetStringInfo(out);
	appendBinaryStringInfo(out, "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19);
}

/* Send the rows, if they are many. */
void
send_copy(PGconn *conn, StringInfo out, bool all)
{
	if (out->len < COPY_BYTES && !all)
		return;
	if (PQputCopyData(conn, out->data, out->len) != 1)
		lost(conn);
	resetStringInfo(out);
}

/* End COPY; it is REFUSED, too, if the server kept fewer rows than it was sent. */
Outcome
end_copy(PGconn *conn, StringInfo out, uint64 rows)
{
	Outcome		outcome = LOADED;
	PGresult   *result;

	append_int16(out, -1);
	send_copy(conn, out, true);
	if (PQputCopyEnd(conn, NULL) != 1)
		lost(conn);
	while ((result = PQgetResult(conn)) != NULL)
	{
		if (outcome == LOADED)
			outcome = judge(conn, result);
		if (outcome == LOADED && strtoull(PQcmdTuples(result), NULL, 10) != rows)
			outcome = REFUSED;
		PQclear(result);
	}
	return outcome;
}
