/*-------------------------------------------------------------------------
 *
 * load.c
 *	  From documents to the server, in batches that are transactions.
 *
 * The documents of a batch go by COPY straight into the table.  If the server
 * refuses one of them, or keeps fewer rows than it was sent, the batch is rolled
 * back and goes by way of a temporary table, from which a block of plpgsql
 * inserts row by row: so each document has a result of its own.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "mb/pg_wchar.h"
#include "server.h"

/* bytes that are sent to the server at a time */
#define COPY_BYTES (16 * 1024)

/* limit the memory for batches of tiny documents, and for the reasons why the server refuses some */
#define BATCH_DOCUMENTS 100000
#define BATCH_ROWS 10000

/* attempts for a batch after a deadlock or a serialization failure */
#define MAX_TRIES 20

#define STAGE "pg_temp.objectid_import_batch"

typedef struct Batch
{
	PGconn	   *conn;
	const InputFile *input;
	const Table *table;
	Part	   *part;
	int			part_number;
	Source	   *source;
	Writer		writer;			/* whose output goes to the server */
	Document   *documents;
	size_t		count;
	size_t		row_by_row;		/* how many of the next documents, because the
								 * server refused one */
} Batch;

/*
 * Insert the rows of the temporary table, and store there why some are refused.
 * Constraints are checked at once.  A foreign key may need a row that comes later,
 * so such rows are tried again until a round inserts none.  Text may have
 * characters that the database does not have, so it is converted in the exception
 * block.  The arguments are the type of keys, the key of d, the table, and the
 * schema of the type's operators.
 */
static const char row_by_row[] =
"#variable_conflict use_variable\n"
"DECLARE r record; d jsonb; id %1$s; why text; more text; state text; waiting integer[];"
" failed integer[]; failures text[]; refused integer[] := '{}'; reasons text[] := '{}';"
"BEGIN SET CONSTRAINTS ALL IMMEDIATE;"
" LOOP failed := '{}'; failures := '{}';"
"  FOR r IN SELECT b.* FROM " STAGE " AS b WHERE waiting IS NULL OR b.n IN (SELECT pg_catalog.unnest(waiting)) ORDER BY b.n LOOP"
"   BEGIN why := NULL; state := NULL; d := pg_catalog.convert_from(r.doc, 'UTF8')::jsonb; id := %2$s;"
"    IF EXISTS (SELECT FROM %3$s AS t WHERE t._id OPERATOR(%4$s.=) id) THEN why := 'duplicate: the table has this _id already';"
"    ELSE INSERT INTO %3$s (_id, doc) VALUES (id, d);"
"     IF NOT FOUND THEN why := 'the server did not keep the row: a trigger discarded it'; END IF;"
"    END IF;"
"   EXCEPTION"
"    WHEN transaction_rollback OR insufficient_resources OR operator_intervention OR system_error THEN RAISE;"
"    WHEN assert_failure OR OTHERS THEN GET STACKED DIAGNOSTICS more = PG_EXCEPTION_DETAIL; state := SQLSTATE;"
"     why := SQLERRM || CASE WHEN more <> '' THEN ' (' || more || ')' ELSE '' END;"
"   END;"
"   IF state = '23503' THEN failed := pg_catalog.array_append(failed, r.n); failures := pg_catalog.array_append(failures, why);"
"   ELSIF why IS NOT NULL THEN refused := pg_catalog.array_append(refused, r.n); reasons := pg_catalog.array_append(reasons, why);"
"   END IF;"
"  END LOOP;"
"  EXIT WHEN pg_catalog.cardinality(failed) IN (0, pg_catalog.cardinality(waiting)); waiting := failed;"
" END LOOP;"
" UPDATE " STAGE " AS b SET why = f.why FROM ROWS FROM (pg_catalog.unnest(pg_catalog.array_cat(refused, failed)),"
"  pg_catalog.unnest(pg_catalog.array_cat(reasons, failures))) AS f(n, why) WHERE b.n = f.n;"
"END";

/* Note why a document is rejected, in characters that the database has. */
static void
set_reason(Batch *batch, size_t n, const char *reason)
{
	bool		utf8 = strcmp(PQparameterStatus(batch->conn, "server_encoding"), "UTF8") == 0 &&
	pg_encoding_verifymbstr(PG_UTF8, reason, strlen(reason)) == (int) strlen(reason);

	batch->documents[n].reason = pg_strdup(reason);
	for (unsigned char *c = (unsigned char *) batch->documents[n].reason; *c && !utf8; c++)
		if (*c >= 0x80)
			*c = '?';
}

/* Begin a COPY, whose rows are collected in "out". */
static void
start_copy(Batch *batch, const char *table, const char *columns)
{
	PGresult   *result = PQexec(batch->conn, psprintf("COPY %s (%s) FROM STDIN (FORMAT binary)", table, columns));

	if (PQresultStatus(result) != PGRES_COPY_IN)
		exit_with_error(batch->conn, result, table);
	PQclear(result);
	resetStringInfo(&batch->writer.out);
	appendBinaryStringInfo(&batch->writer.out, "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19);
}

/* Send the rows, if they are many. */
static void
send_copy(Batch *batch, bool all)
{
	StringInfo	out = &batch->writer.out;

	if (out->len < COPY_BYTES && !all)
		return;
	if (PQputCopyData(batch->conn, out->data, out->len) != 1)
		exit_with_error(batch->conn, NULL, NULL);
	resetStringInfo(out);
}

/* End a COPY.  It is also REFUSED if the server kept fewer rows than it was sent. */
static Outcome
end_copy(Batch *batch, uint64 rows)
{
	Outcome		outcome = LOADED;
	PGresult   *result;

	append_int16(&batch->writer.out, -1);
	send_copy(batch, true);
	if (PQputCopyEnd(batch->conn, NULL) != 1)
		exit_with_error(batch->conn, NULL, NULL);
	while ((result = PQgetResult(batch->conn)) != NULL)
	{
		if (outcome == LOADED)
			outcome = classify_result(batch->conn, result, batch->table->target);
		if (outcome == LOADED && strtoull(PQcmdTuples(result), NULL, 10) != rows)
			outcome = REFUSED;
		PQclear(result);
	}
	return outcome;
}

/*
 * COPY the documents of the window, but for those that are rejected, into the
 * table itself, or with their positions into the temporary one.
 */
static Outcome
copy_documents(Batch *batch)
{
	uint64		rows = 0;
	Document	document;
	size_t		most = batch->row_by_row ? BATCH_ROWS : BATCH_DOCUMENTS;

	start_copy(batch, batch->row_by_row ? STAGE : batch->table->target, batch->row_by_row ? "doc, n" : "doc, _id");
	while (batch->count < most && find_document(batch->source, &document, false) == FOUND)
	{
		size_t		n = batch->count++;
		Verdict		verdict = write_row(&document, batch->table->id_type, batch->row_by_row ? (int) n : -1, &batch->writer);

		batch->documents[n] = (Document)
		{
			.data = document.data,.length = document.length
		};
		if (verdict == BROKEN)
		{
			note_damage(batch->source, &batch->source->damage, (const char *) batch->writer.bad, "this is not BSON");
			batch->source->next = document.data - batch->source->window;
			batch->count--;
			break;
		}
		if (verdict == REJECTED)
			set_reason(batch, n, batch->writer.reason);
		else
		{
			rows++;
			send_copy(batch, false);
		}
	}
	return end_copy(batch, rows);
}

/* Load the documents into a temporary table, and insert them row by row from there. */
static Outcome
load_row_by_row(Batch *batch)
{
	static const char *const keys[] = {"(d->'_id'->>'$oid')::%s", "d->>'_id'", "(d->>'_id')::numeric::bigint",
		"pg_catalog.encode(pg_catalog.decode(d->'_id'->'$binary'->>'base64', 'base64'), 'hex')::uuid", "d->'_id'",
	"(d->'_id'->>'$oid')::%s"};
	const Table *table = batch->table;
	char	   *block = psprintf(row_by_row, table->id_type_name, psprintf(keys[table->id_type], table->id_type_name), table->target,
								 table->operator_schema);
	char	   *literal = PQescapeLiteral(batch->conn, block, strlen(block));
	Outcome		outcome;
	PGresult   *result;

	if (literal == NULL)
		exit_with_error(batch->conn, NULL, table->target);
	execute(batch->conn, "CREATE TABLE " STAGE " (n integer, doc bytea, why text)");
	outcome = copy_documents(batch);
	if (outcome == LOADED)
		outcome = try_statement(batch->conn, psprintf("DO %s", literal), table->target);
	if (outcome == LOADED)
	{
		result = query(batch->conn, 0, NULL, "SELECT n, why FROM " STAGE " WHERE why IS NOT NULL");
		for (int i = 0; i < PQntuples(result); i++)
			set_reason(batch, atoi(PQgetvalue(result, i, 0)), PQgetvalue(result, i, 1));
		batch->row_by_row = PQntuples(result) > 0 ? BATCH_DOCUMENTS : batch->row_by_row - Min(batch->row_by_row, batch->count);
		PQclear(result);
		execute(batch->conn, "DROP TABLE " STAGE);
	}
	PQfreemem(literal);
	pfree(block);
	return outcome;
}

/* Copy the rejected documents into the side table.  "position" is the place of the first document of the batch.  Returns their number. */
static int64
load_rejected(Batch *batch, int64 position)
{
	StringInfo	out = &batch->writer.out;
	uint64		rows = 0;

	for (size_t i = 0; i < batch->count; i++)
	{
		const Document *document = &batch->documents[i];

		if (document->reason == NULL)
			continue;
		if (rows++ == 0)
			start_copy(batch, batch->table->side_table, "file, run, \"position\", reason, raw");
		append_int16(out, 5);
		append_field(out, batch->input->name, strlen(batch->input->name));
		append_bigint(out, strtoll(batch->table->run, NULL, 10));
		append_bigint(out, position + i);
		append_field(out, document->reason, strlen(document->reason));
		append_field(out, document->data, document->length);
		send_copy(batch, false);
	}
	if (rows > 0 && end_copy(batch, rows) != LOADED)
		pg_fatal("could not write rejected documents to table %s: %s", batch->table->side_table, PQerrorMessage(batch->conn));
	return rows;
}

/* Try to load a batch, and to record that: in "moved", from what was in "part". */
static Outcome
try_batch(Batch *batch, Part *moved)
{
	bool		stream = batch->input->stream;
	bool		by_row = batch->row_by_row > 0;
	Outcome		outcome;

	for (; batch->count > 0; batch->count--)
		pg_free(batch->documents[batch->count - 1].reason);
	batch->source->next = 0;
	execute(batch->conn, stream ? "SAVEPOINT batch" : "BEGIN; SET LOCAL synchronous_commit = off; SAVEPOINT batch");
	outcome = by_row ? load_row_by_row(batch) : copy_documents(batch);
	if (outcome == LOADED && !by_row)
		outcome = try_statement(batch->conn, "SET CONSTRAINTS ALL IMMEDIATE; RELEASE SAVEPOINT batch", batch->table->target);
	if (outcome != LOADED)
		return outcome;
	*moved = *batch->part;
	moved->rejected += load_rejected(batch, moved->first + moved->documents + 1);
	moved->documents += batch->count;
	moved->next = batch->source->offset + batch->source->next;
	outcome = move_record(batch->conn, batch->table, batch->part_number, batch->part, moved);
	return outcome != LOADED || stream ? outcome : try_statement(batch->conn, "COMMIT", batch->table->target);
}

static void
load_batch(Batch *batch)
{
	Part		moved;
	Outcome		outcome;

	for (int tries = 0; (outcome = try_batch(batch, &moved)) != LOADED; tries++)
	{
		if (tries == MAX_TRIES || (outcome == REFUSED && batch->row_by_row && tries > 0))
			pg_fatal("could not load table %s: %s", batch->table->target, PQerrorMessage(batch->conn));
		pg_log_debug("%s: batch after byte " INT64_FORMAT ": %s", batch->input->name, batch->part->next,
					 outcome == AGAIN ? "trying again" : "the server refuses a document; inserting row by row");
		if (outcome == REFUSED)
			batch->row_by_row = BATCH_DOCUMENTS;
		execute(batch->conn, batch->input->stream ? "ROLLBACK TO SAVEPOINT batch" : "ROLLBACK");
	}
	*batch->part = moved;
	pg_log_debug("%s: loaded " INT64_FORMAT " documents up to byte " INT64_FORMAT, batch->input->name, moved.documents, moved.next);
}

/*
 * Load a part of a file, or a pipe in the transaction that is open.  Damage that
 * the check did not find is stored in "progress".
 */
void
load_part(PGconn *conn, const InputFile *input, Source *pipe, const Table *table, Progress *progress, int part_number,
		  void (*after_batch) (void))
{
	Part	   *part = &progress->part[part_number];
	Source		file;
	Source	   *source = pipe ? pipe : &file;
	Batch		batch = {.conn = conn,.input = input,.table = table,.part = part,.part_number = part_number,.source = source};
	Document	document;
	Part		moved;

	if (!pipe)
	{
		open_source(source, input);
		seek_source(source, part->next, part->end, progress->check.layout);
	}
	start_writer(&batch.writer, false);
	batch.documents = pg_malloc(BATCH_DOCUMENTS * sizeof(Document));
	while (move_window(source), find_document(source, &document, true) == FOUND && source->damage.what[0] == '\0')
	{
		load_batch(&batch);
		after_batch();
		if (interrupted)
			return;
	}
	if (!pipe && source->at_end && source->offset + (int64) source->filled < part->end)
		note_damage(source, &source->damage, source->window + source->filled, "the file has become shorter");
	if (source->damage.what[0])
	{
		progress->damage = source->damage;
		return;
	}
	moved = *part;
	moved.complete = 1;
	for (int tries = 0; move_record(conn, table, part_number, part, &moved) == AGAIN; tries++)
		if (tries == MAX_TRIES)
			pg_fatal("could not load table %s: %s", table->target, PQerrorMessage(conn));
	if (pipe)
		execute(conn, "COMMIT");
	part->complete = 1;
	close_source(source);
}
