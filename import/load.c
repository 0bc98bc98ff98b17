/*-------------------------------------------------------------------------
 *
 * load.c
 *	  From documents to the server, in batches that are transactions.
 *
 * The documents of a batch go by COPY straight into the table.  If the server
 * refuses one of them, or keeps fewer rows than it was sent, the batch is rolled
 * back and goes by way of a temporary table, from which a function inserts row
 * by row: so each document has a result of its own.
 *
 *-------------------------------------------------------------------------
 */
#include "objectid-import.h"

#include "mb/pg_wchar.h"

/* limits the memory for batches of tiny documents */
#define BATCH_DOCUMENTS 100000

/* attempts for a batch after a deadlock or a serialization failure */
#define MAX_TRIES 20

static const char setup[] =
#include <setup.inc>
		   ;

typedef struct Batch
{
	PGconn	   *conn;
	Collection *collection;
	Part	   *part;
	Source	   *source;
	Writer		writer;			/* whose output goes to the server */
	Document   *documents;
	size_t		count;
	bool		row_by_row;		/* the last batch had documents that the
								 * server refused */
} Batch;

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

/* Report that the file differs from the one that was checked, and exit. */
static void
report_changed_file(const Batch *batch)
{
	const Source *source = batch->source;

	pg_log_error("file \"%s\" was changed while it was being loaded", source->path);
	pg_log_error_detail("It is damaged at byte " INT64_FORMAT ".",
						source->damage[0] ? source->damage_at : source->offset + (int64) source->filled);
	exit(1);
}

/*
 * COPY the documents of the window, but for those that are rejected, into the
 * table itself, or with their positions into the temporary one.
 */
static Outcome
copy_documents(Batch *batch)
{
	const Collection *collection = batch->collection;
	Writer	   *writer = &batch->writer;
	uint64		rows = 0;
	Document	document;

	start_copy(batch->conn, &writer->out, batch->row_by_row ? "pg_temp.objectid_import_batch" : collection->table,
			   batch->row_by_row ? "doc, n" : "doc, _id");
	while (batch->count < BATCH_DOCUMENTS && find_document(batch->source, &document, false) == FOUND)
	{
		size_t		n = batch->count++;
		Verdict		verdict = write_row(&document, collection->id_type, batch->row_by_row ? (int) n : -1, writer);

		batch->documents[n] = (Document)
		{
			.data = document.data,.length = document.length
		};
		if (verdict == BROKEN)
		{
			note_broken_bson(batch->source, writer);
			if (!collection->stream)
				report_changed_file(batch);
			break;
		}
		if (verdict == REJECTED)
			set_reason(batch, n, writer->reason);
		else
		{
			rows++;
			send_copy(batch->conn, &writer->out, false);
		}
	}
	return end_copy(batch->conn, &writer->out, collection->table, rows);
}

/* Load the documents into a temporary table, and insert them row by row from there. */
static Outcome
load_row_by_row(Batch *batch)
{
	const Collection *collection = batch->collection;
	const char *const values[] = {collection->table, id_type_names[collection->id_type], collection->rules ? "t" : "f"};
	Outcome		outcome;
	PGresult   *result;

	execute(batch->conn, setup);
	PQclear(query(batch->conn, lengthof(values), values, "SELECT pg_temp.objectid_import_stage($1, $2, $3)"));
	outcome = copy_documents(batch);
	if (outcome != LOADED)
		return outcome;
	result = PQexec(batch->conn, "SELECT refused, why FROM pg_temp.objectid_import_rows()");
	outcome = classify_result(batch->conn, result, collection->table);
	for (int i = 0; i < PQntuples(result); i++)
		set_reason(batch, atoi(PQgetvalue(result, i, 0)), PQgetvalue(result, i, 1));
	if (PQntuples(result) == 0 && outcome == LOADED)
		batch->row_by_row = collection->insert_only;
	PQclear(result);
	return outcome;
}

/* Copy the rejected documents into the side table.  "position" is the place of the first document of the batch.  Returns their number. */
static int64
load_rejected(Batch *batch, int64 position)
{
	StringInfo	out = &batch->writer.out;
	const Collection *collection = batch->collection;
	uint64		rows = 0;

	for (size_t i = 0; i < batch->count; i++)
	{
		const Document *document = &batch->documents[i];

		if (document->reason == NULL)
			continue;
		if (rows++ == 0)
			start_copy(batch->conn, out, collection->side_table, "file, run, \"position\", reason, raw");
		append_int16(out, 5);
		append_field(out, collection->source, strlen(collection->source));
		append_bigint(out, strtoll(collection->run, NULL, 10));
		append_bigint(out, position + i);
		append_field(out, document->reason, strlen(document->reason));
		append_field(out, document->data, document->length);
		send_copy(batch->conn, out, false);
	}
	if (rows > 0 && end_copy(batch->conn, out, collection->side_table, rows) != LOADED)
		pg_fatal("could not write rejected documents to table %s: %s", collection->side_table, PQerrorMessage(batch->conn));
	return rows;
}

/*
 * Record the progress of the part, in the transaction of its documents.  If the
 * record is not where this process left it, another one has moved it.
 */
static Outcome
move_record(const Batch *batch, const Part *to)
{
	const Collection *collection = batch->collection;
	const char *const values[] = {collection->run, int64_text(batch->part - collection->part), int64_text(batch->part->next),
	int64_text(to->next), int64_text(to->documents), int64_text(to->rejected), int64_text(to->complete)};
	const char *sql = psprintf("UPDATE %s SET next_offset = $4, documents = $5, rejected = $6, "
							   "finished = CASE $7 WHEN '1' THEN pg_catalog.clock_timestamp() END "
							   "WHERE run = $1 AND part = $2 AND next_offset = $3", collection->imports);
	PGresult   *result = PQexecParams(batch->conn, sql, lengthof(values), NULL, values, NULL, NULL, 0);
	Outcome		outcome = classify_result(batch->conn, result, collection->table);

	if (outcome == REFUSED)
		exit_with_error(batch->conn, result, collection->table);
	if (outcome == LOADED && strcmp(PQcmdTuples(result), "1") != 0)
		pg_fatal("another process has continued this load, or its record in table %s is missing", collection->imports);
	PQclear(result);
	return outcome;
}

/* Try to load a batch, and to record that: in "moved", from what was in "part". */
static Outcome
try_batch(Batch *batch, Part *moved)
{
	bool		row_by_row = batch->row_by_row;
	Outcome		outcome;

	for (; batch->count > 0; batch->count--)
		pg_free(batch->documents[batch->count - 1].reason);
	batch->source->next = 0;
	execute(batch->conn, batch->collection->stream ? "SAVEPOINT batch" : "BEGIN; SET LOCAL synchronous_commit = off; SAVEPOINT batch");
	outcome = row_by_row ? load_row_by_row(batch) : copy_documents(batch);
	if (outcome == LOADED && !row_by_row)
		outcome = try_sql(batch->conn, "SET CONSTRAINTS ALL IMMEDIATE; RELEASE SAVEPOINT batch",
						  batch->collection->table);
	if (outcome != LOADED)
		return outcome;
	*moved = *batch->part;
	moved->rejected += load_rejected(batch, moved->first + moved->documents + 1);
	moved->documents += batch->count;
	moved->next = batch->source->offset + batch->source->next;
	outcome = move_record(batch, moved);
	return outcome != LOADED || batch->collection->stream ? outcome : try_sql(batch->conn, "COMMIT", batch->collection->table);
}

static void
load_batch(Batch *batch)
{
	Part		moved;
	Outcome		outcome;

	for (int tries = 0; (outcome = try_batch(batch, &moved)) != LOADED; tries++)
	{
		if (tries == MAX_TRIES || (outcome == REFUSED && batch->row_by_row && tries > 0))
			pg_fatal("could not load table %s: %s", batch->collection->table, PQerrorMessage(batch->conn));
		pg_log_debug("%s: batch after byte " INT64_FORMAT ": %s", batch->collection->source, batch->part->next,
					 outcome == AGAIN ? "trying again" : "the server refuses a document; inserting row by row");
		batch->row_by_row |= outcome == REFUSED;
		execute(batch->conn, batch->collection->stream ? "ROLLBACK TO SAVEPOINT batch" : "ROLLBACK");
	}
	*batch->part = moved;
	pg_log_debug("%s: loaded " INT64_FORMAT " documents up to byte " INT64_FORMAT, batch->collection->source, moved.documents, moved.next);
}

/*
 * Load a part of a file, or a pipe in the transaction that is open.  Damage of
 * a pipe is noted in the collection.
 */
void
load_part(PGconn *conn, Collection *collection, Part *part, void (*progress) (void))
{
	Source		file;
	Batch		batch = {.conn = conn,.collection = collection,.part = part,.row_by_row = collection->insert_only};
	Source	   *source = collection->stream ? collection->pipe : &file;
	Document	document;
	Part		moved;

	if (!collection->stream)
		open_source(source, collection, part);
	start_writer(&batch.writer, WRITE_SORTED);
	batch.source = source;
	batch.documents = pg_malloc(BATCH_DOCUMENTS * sizeof(Document));
	while (move_window(source), find_document(source, &document, true) == FOUND && source->damage[0] == '\0')
	{
		load_batch(&batch);
		progress();
		if (interrupted)
			return;
	}
	if (!collection->stream && (source->damage[0] || (part->end == collection->size && source->offset + (int64) source->filled < part->end)))
		report_changed_file(&batch);
	collection->damage_at = source->damage_at;
	strcpy(collection->damage, source->damage);
	if (collection->damage[0])
		return;
	moved = *part;
	moved.complete = 1;
	while (move_record(&batch, &moved) == AGAIN);
	if (collection->stream)
		execute(conn, "COMMIT");
	part->complete = 1;
	close_source(source);
}
