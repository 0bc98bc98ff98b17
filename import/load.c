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

/* where documents wait to be merged, or to be inserted row by row */
#define STAGE "pg_temp.objectid_import_batch"
#define ROW_STAGE "pg_temp.objectid_import_rows"
#define DROP_ROW_FUNCTION "DROP FUNCTION pg_temp.objectid_import_row(pg_catalog.bytea, pg_catalog.bool)"

typedef struct Batch
{
	PGconn	   *conn;
	const InputFile *input;
	const Table *table;
	Progress   *progress;
	Part	   *part;
	int			part_number;
	Source	   *source;
	Writer		writer;			/* whose output goes to the server */
	Document   *documents;
	size_t		count;
	size_t		row_by_row;		/* how many of the next documents, because the
								 * server refused one */
	Part		moved;			/* the part after this batch */
	bool		upsert;
	bool		staged;			/* the transaction of a pipe has the first
								 * stage, */
	bool		row_staged;		/* and the second */
	bool		reasons_differ; /* those of rejected documents so far */
	char		reason[REASON_SIZE];	/* the first of them */
} Batch;

static const char row_function[] =
#include "insert_row.inc"
		   ;
static const char merge[] =
#include "merge.inc"
		   ;

/* Insert all rows that wait, and count those that go on waiting: a foreign key (23503) may need a row that comes later. */
static const char insert_rows[] =
"WITH done AS (UPDATE " ROW_STAGE " SET (state, why) = (SELECT r.state, r.why FROM pg_temp.objectid_import_row(doc, $1::pg_catalog.bool) AS r) "
"WHERE state IS NULL OR state OPERATOR(pg_catalog.=) '23503' RETURNING state) "
"SELECT pg_catalog.count(*) FROM done WHERE state OPERATOR(pg_catalog.=) '23503'";

/* Replace each {name} of the table by what it stands for. */
static char *
fill_in(const char *sql, const Table *table)
{
	static const char *const keys[] = {
		"(d OPERATOR(pg_catalog.->) '_id' OPERATOR(pg_catalog.->>) '$oid')::{type}",
		"d OPERATOR(pg_catalog.->>) '_id'",
		"(d OPERATOR(pg_catalog.->>) '_id')::pg_catalog.numeric::pg_catalog.int8",
		"pg_catalog.encode(pg_catalog.decode(d OPERATOR(pg_catalog.->) '_id' OPERATOR(pg_catalog.->) '$binary' OPERATOR(pg_catalog.->>) 'base64', 'base64'), 'hex')::pg_catalog.uuid",
		"d OPERATOR(pg_catalog.->) '_id'",
	"(d OPERATOR(pg_catalog.->) '_id' OPERATOR(pg_catalog.->>) '$oid')::{type}"};
	const char *const pairs[][2] = {{"{key}", keys[table->id_type]}, {"{type}", table->id_type_name},
	{"{operators}", table->operator_schema}, {"{table}", table->target}};
	char	   *text = pg_strdup(sql);

	for (size_t i = 0; i < lengthof(pairs); i++)
	{
		StringInfoData out;
		const char *rest = text;
		const char *at;

		initStringInfo(&out);
		for (; (at = strstr(rest, pairs[i][0])) != NULL; rest = at + strlen(pairs[i][0]))
			appendStringInfo(&out, "%.*s%s", (int) (at - rest), rest, pairs[i][1]);
		appendStringInfoString(&out, rest);
		pg_free(text);
		text = out.data;
	}
	return text;
}

/* Note why a document is rejected, in characters that the database has. */
static void
set_reason(Batch *batch, size_t n, const char *reason)
{
	const char *encoding = PQparameterStatus(batch->conn, "server_encoding");
	bool		utf8 = encoding && strcmp(encoding, "UTF8") == 0 &&
	pg_encoding_verifymbstr(PG_UTF8, reason, strlen(reason)) == (int) strlen(reason);

	/* reasons are the same up to the values in them */
	if (batch->reason[0] == '\0')
		strlcpy(batch->reason, reason, REASON_SIZE);
	batch->reasons_differ |= strncmp(batch->reason, reason, strcspn(batch->reason, "(\"0123456789")) != 0;
	batch->documents[n].reason = pg_strdup(reason);
	for (unsigned char *c = (unsigned char *) batch->documents[n].reason; *c && !utf8; c++)
		if (*c >= 0x80)
			*c = '?';
}

/* Begin a COPY, whose rows are collected in "out". */
static Outcome
start_copy(Batch *batch, const char *table, const char *columns)
{
	PGresult   *result = PQexec(batch->conn, psprintf("COPY %s (%s) FROM STDIN (FORMAT binary)", table, columns));
	Outcome		outcome = classify_result(batch->conn, result, table);

	if (outcome == REFUSED)
		exit_with_error(batch->conn, result, table);
	PQclear(result);
	resetStringInfo(&batch->writer.out);
	appendBinaryStringInfo(&batch->writer.out, "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19);
	return outcome;
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
	bool		answered = false;
	PGresult   *result;

	append_int16(&batch->writer.out, -1);
	send_copy(batch, true);
	if (PQputCopyEnd(batch->conn, NULL) != 1)
		exit_with_error(batch->conn, NULL, NULL);
	while ((result = PQgetResult(batch->conn)) != NULL)
	{
		answered = true;
		if (outcome == LOADED)
			outcome = classify_result(batch->conn, result, batch->table->target);
		if (outcome == LOADED && strtoull(PQcmdTuples(result), NULL, 10) != rows)
			outcome = REFUSED;
		PQclear(result);
	}
	if (!answered)
		exit_with_error(batch->conn, NULL, NULL);
	return outcome;
}

/*
 * COPY the documents of the window, but for those that are rejected, into a table;
 * into the temporary one with their positions, if row by row.  Stores how many.
 */
static Outcome
copy_documents(Batch *batch, const char *table, uint64 *rows)
{
	Document	document;
	bool		by_row = batch->row_by_row > 0;
	bool		nothing_loaded = batch->part->documents == batch->part->rejected;
	size_t		most = by_row || nothing_loaded ? BATCH_ROWS : BATCH_DOCUMENTS;

	Outcome		outcome = start_copy(batch, table, by_row ? "doc, n" : "doc, _id");

	*rows = 0;
	if (outcome != LOADED)
		return outcome;
	while (batch->count < most && find_document(batch->source, &document, false) == FOUND)
	{
		size_t		n = batch->count++;
		int			start = batch->writer.out.len;
		Verdict		verdict = write_row(&document, batch->table->id_type, by_row ? (int) n : -1, &batch->writer);

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
		if (verdict == WRITTEN && batch->table->id_type == ID_JSONB &&
			!note_key(&batch->progress->key_orders, &batch->writer, batch->upsert) && batch->upsert)
		{
			verdict = reject(batch->writer.reason, "the fields of _id are in another order than in other keys, which jsonb may take for equal");
			batch->writer.out.len = start;
		}
		if (verdict == REJECTED)
			set_reason(batch, n, batch->writer.reason);
		else
		{
			*rows += 1;
			send_copy(batch, false);
		}
	}
	return end_copy(batch, *rows);
}

/*
 * Make the temporary tables that the batch needs, empty.  A file has them for each
 * transaction.  A pipe has them once, outside of its savepoints, where TRUNCATE
 * needs no new files: in a long transaction, files and locks would pile up.
 */
static void
prepare_stage(Batch *batch)
{
	bool		by_row = batch->row_by_row > 0;
	bool	   *made = by_row ? &batch->row_staged : &batch->staged;
	char	   *body;
	char	   *literal;

	if (*made)
		execute(batch->conn, by_row ? "TRUNCATE " ROW_STAGE : "TRUNCATE " STAGE);
	else if (by_row)
	{
		body = fill_in(row_function, batch->table);
		literal = PQescapeLiteral(batch->conn, body, strlen(body));
		if (literal == NULL)
			exit_with_error(batch->conn, NULL, batch->table->target);
		execute(batch->conn, "CREATE TEMPORARY TABLE " ROW_STAGE " (n pg_catalog.int4, doc pg_catalog.bytea, state pg_catalog.text, why pg_catalog.text) "
				"ON COMMIT DROP");
		execute(batch->conn, psprintf("CREATE FUNCTION pg_temp.objectid_import_row(document pg_catalog.bytea, upsert pg_catalog.bool, "
									  "OUT state pg_catalog.text, OUT why pg_catalog.text) LANGUAGE plpgsql AS %s", literal));
		PQfreemem(literal);
		pg_free(body);
	}
	else if (batch->upsert)

		/*
		 * an index scan, because the server does not know how few rows there
		 * are
		 */
		execute(batch->conn, fill_in("SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL jit = off; "
									 "CREATE TEMPORARY TABLE " STAGE " ON COMMIT DROP AS SELECT _id, doc FROM {table} WITH NO DATA", batch->table));
	*made = batch->input->stream && (by_row || batch->upsert);
}

/* Copy the documents into a temporary table, and from there insert those that are new, and replace those that differ. */
static Outcome
merge_documents(Batch *batch)
{
	char	   *sql = fill_in(merge, batch->table);
	uint64		rows;
	uint64		inserted = 0;
	bool		twice = false;
	Outcome		outcome = copy_documents(batch, STAGE, &rows);
	PGresult   *result;

	if (outcome == LOADED)
	{
		result = PQexec(batch->conn, sql);
		outcome = classify_result(batch->conn, result, batch->table->target);
		if (outcome == LOADED)
		{
			batch->moved.changed += atoi(PQgetvalue(result, 0, 0));
			batch->moved.equal += atoi(PQgetvalue(result, 0, 1));
			inserted = atoi(PQgetvalue(result, 0, 2));
			twice = strcmp(PQgetvalue(result, 0, 3), "0") != 0;
		}
		PQclear(result);
	}
	pg_free(sql);

	/* a trigger has discarded a row, or a key is there twice */
	if (outcome == LOADED &&
		(twice || inserted + (batch->moved.changed - batch->part->changed) + (batch->moved.equal - batch->part->equal) != rows))
		return REFUSED;
	return outcome;
}

/* Copy the documents into a temporary table, and insert or replace them row by row from there. */
static Outcome
load_row_by_row(Batch *batch)
{
	const char *upsert = batch->upsert ? "t" : "f";
	uint64		waiting;
	uint64		waited = 0;
	int			refused = 0;
	Outcome		outcome = copy_documents(batch, ROW_STAGE, &waiting);
	PGresult   *result;

	if (outcome == LOADED)
		outcome = try_statement(batch->conn, "SET CONSTRAINTS ALL IMMEDIATE", batch->table->target);
	while (outcome == LOADED && waiting > 0 && waiting != waited)
	{
		waited = waiting;
		result = PQexecParams(batch->conn, insert_rows, 1, NULL, &upsert, NULL, NULL, 0);
		outcome = classify_result(batch->conn, result, batch->table->target);
		if (outcome == LOADED)
			waiting = strtoull(PQgetvalue(result, 0, 0), NULL, 10);
		PQclear(result);
	}
	if (outcome != LOADED)
		return outcome;
	result = query(batch->conn, 0, NULL, "SELECT n, why, state FROM " ROW_STAGE " WHERE state OPERATOR(pg_catalog.<>) 'inserted' ORDER BY n");
	for (int i = 0; i < PQntuples(result); i++)
	{
		const char *state = PQgetvalue(result, i, 2);

		batch->moved.changed += strcmp(state, "changed") == 0;
		batch->moved.equal += strcmp(state, "equal") == 0;
		if (PQgetisnull(result, i, 1))
			continue;
		set_reason(batch, atoi(PQgetvalue(result, i, 0)), PQgetvalue(result, i, 1));
		refused++;
	}
	batch->row_by_row = refused > 0 ? BATCH_DOCUMENTS : batch->row_by_row - Min(batch->row_by_row, batch->count);
	PQclear(result);
	return LOADED;
}

/* Copy the rejected documents into the side table, and count them. */
static Outcome
load_rejected(Batch *batch)
{
	StringInfo	out = &batch->writer.out;
	Part	   *moved = &batch->moved;
	int64		first = moved->first + moved->documents + 1;
	uint64		rows = 0;
	Outcome		outcome = LOADED;

	for (size_t i = 0; i < batch->count; i++)
	{
		const Document *document = &batch->documents[i];

		if (document->reason == NULL)
			continue;
		if (rows++ == 0)
			outcome = start_copy(batch, batch->table->side_table, "target, file, run, \"position\", reason, raw");
		if (outcome != LOADED)
			return outcome;
		append_int16(out, 6);
		append_field(out, batch->table->target, strlen(batch->table->target));
		append_field(out, batch->input->name, strlen(batch->input->name));
		append_bigint(out, strtoll(batch->table->run, NULL, 10));
		append_bigint(out, first + i);
		append_field(out, document->reason, strlen(document->reason));
		append_field(out, document->data, document->length);
		send_copy(batch, false);
	}
	if (rows > 0 && (outcome = end_copy(batch, rows)) == REFUSED)
		pg_fatal("could not write rejected documents to table %s: %s", batch->table->side_table, error_message(batch->conn, NULL));
	moved->rejected += rows;
	moved->documents += batch->count;
	moved->next = batch->source->offset + batch->source->next;
	return outcome;
}

/* Try to load a batch, and to record that: from batch->part to batch->moved. */
static Outcome
try_batch(Batch *batch)
{
	PGconn	   *conn = batch->conn;
	const Table *table = batch->table;
	bool		stream = batch->input->stream;
	bool		by_row = batch->row_by_row > 0;
	uint64		rows;
	Outcome		outcome;

	for (; batch->count > 0; batch->count--)
		pg_free(batch->documents[batch->count - 1].reason);
	batch->source->next = 0;
	batch->moved = *batch->part;
	if (!stream)
		begin(conn, psprintf("SET LOCAL synchronous_commit = off; SELECT pg_catalog.pg_advisory_xact_lock_shared(%s)", table->lock));
	prepare_stage(batch);
	if (stream)
		execute(conn, "SAVEPOINT batch");
	outcome = by_row ? load_row_by_row(batch) : batch->upsert ? merge_documents(batch) : copy_documents(batch, table->target, &rows);
	if (outcome == LOADED && !by_row)
		outcome = try_statement(conn, "SET CONSTRAINTS ALL IMMEDIATE", table->target);
	if (outcome == LOADED)
		outcome = load_rejected(batch);
	if (outcome == LOADED)
		outcome = move_record(conn, table, batch->progress, batch->part_number, &batch->moved);
	if (outcome == LOADED && by_row && !stream)
		execute(conn, DROP_ROW_FUNCTION);
	return outcome != LOADED ? outcome : try_statement(conn, stream ? "RELEASE SAVEPOINT batch" : "COMMIT", table->target);
}

static void
load_batch(Batch *batch)
{
	bool		stream = batch->input->stream;
	Outcome		outcome;

	for (int tries = 0; (outcome = try_batch(batch)) != LOADED; tries++)
	{
		if (tries == MAX_TRIES || (outcome == REFUSED && batch->row_by_row && tries > 0))
			pg_fatal("could not load table %s: %s", batch->table->target, error_message(batch->conn, NULL));
		pg_log_debug("%s: batch after byte " INT64_FORMAT ": %s", batch->input->name, batch->part->next,
					 outcome == AGAIN ? "trying again" : "the server refuses a document; inserting row by row");
		if (outcome == REFUSED)
			batch->row_by_row = BATCH_DOCUMENTS;
		/* a COMMIT that fails ends the transaction */
		if (PQtransactionStatus(batch->conn) != PQTRANS_IDLE)
			execute(batch->conn, stream ? "ROLLBACK TO SAVEPOINT batch; RELEASE SAVEPOINT batch" : "ROLLBACK");
	}
	*batch->part = batch->moved;
	pg_log_debug("%s: loaded " INT64_FORMAT " documents up to byte " INT64_FORMAT, batch->input->name, batch->part->documents,
				 batch->part->next);
}

/* Has the load of the file, by all processes, rejected so many documents that it has to end?  Store why. */
static bool
must_stop(const Batch *batch, Progress *progress, int64 max_rejected)
{
	int64		documents = 0;
	int64		rejected = 0;

	for (int i = 0; i < progress->parts; i++)
	{
		documents += progress->part[i].documents;
		rejected += progress->part[i].rejected;
	}
	if (batch->reason[0])
		strlcpy(progress->reason, batch->reason, REASON_SIZE);
	if (max_rejected >= 0 && rejected > max_rejected)
		snprintf(progress->stop, REASON_SIZE, "more than " INT64_FORMAT " documents of \"%s\" are rejected", max_rejected, batch->input->name);
	else if (max_rejected < 0 && rejected >= BATCH_ROWS && rejected == documents && batch->reason[0] && !batch->reasons_differ)
		snprintf(progress->stop, REASON_SIZE, "the first %d documents of \"%s\" are all rejected", BATCH_ROWS, batch->input->name);
	return progress->stop[0] != '\0';
}

/* Record that a part is complete. */
static void
finish_part(Batch *batch, const Part *moved)
{
	Outcome		outcome;

	for (int tries = 0;; tries++)
	{
		begin(batch->conn, "");
		outcome = move_record(batch->conn, batch->table, batch->progress, batch->part_number, moved);
		if (outcome == LOADED)
			outcome = try_statement(batch->conn, "COMMIT", batch->table->target);
		if (outcome == LOADED)
			break;
		if (tries == MAX_TRIES)
			pg_fatal("could not load table %s: %s", batch->table->target, error_message(batch->conn, NULL));
		if (PQtransactionStatus(batch->conn) != PQTRANS_IDLE)
			execute(batch->conn, "ROLLBACK");
	}
	batch->part->complete = 1;
}

/*
 * Record that a pipe is complete, and commit it.  If the connection is lost before
 * the answer comes, the record says whether there was a commit: connect again, for
 * who reads it, when the session that may still be at work has ended.
 */
static void
finish_pipe(Batch *batch, const Part *moved)
{
	PGconn	   *conn = batch->conn;
	PGresult   *result;

	if (move_record(conn, batch->table, batch->progress, batch->part_number, moved) != LOADED)
		pg_fatal("could not load table %s: %s", batch->table->target, error_message(conn, NULL));
	if (batch->row_staged)
		execute(conn, DROP_ROW_FUNCTION);
	result = PQexec(conn, "COMMIT");
	if (!is_lost(conn, result))
	{
		if (PQresultStatus(result) != PGRES_COMMAND_OK || strcmp(PQcmdStatus(result), "COMMIT") != 0)
			exit_with_error(conn, result, batch->table->target);
		batch->part->complete = 1;
	}
	else
	{
		pg_log_warning("the connection was lost during COMMIT: %s", error_message(conn, result));
		resume_hint = psprintf("All has been loaded if table %s has the run %s, else nothing.", batch->table->imports, batch->table->run);
		PQreset(conn);
		if (PQstatus(conn) != CONNECTION_OK)
			exit_with_error(conn, NULL, NULL);
		begin(conn, psprintf("SELECT pg_catalog.pg_advisory_xact_lock(%s)", batch->table->lock));
		execute(conn, "COMMIT");
	}
	PQclear(result);
}

/*
 * Load a part of a file, or a pipe in the transaction that is open.  Damage that
 * the check did not find is stored in "progress".
 */
void
load_part(PGconn *conn, const InputFile *input, Source *pipe, const Table *table, Progress *progress, int part_number,
		  const LoadOptions *options, void (*show_progress) (bool loading))
{
	Part	   *part = &progress->part[part_number];
	Source		file;
	Source	   *source = pipe ? pipe : &file;
	Batch		batch = {.conn = conn,.input = input,.table = table,.progress = progress,.part = part,.part_number = part_number,.source = source,
	.upsert = options->upsert};
	Document	document;
	Part		moved;

	if (!pipe)
	{
		open_source(source, input);
		seek_source(source, part->next, part->end, progress->check.layout);
	}
	start_writer(&batch.writer, false);
	batch.documents = pg_malloc(BATCH_DOCUMENTS * sizeof(Document));
	for (;; load_batch(&batch), show_progress(true))
	{
		if (interrupted || must_stop(&batch, progress, options->max_rejected))
			return;
		move_window(source);
		if (find_document(source, &document, true) != FOUND || source->damage.what[0])
			break;
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
	if (pipe)
		finish_pipe(&batch, &moved);
	else
		finish_part(&batch, &moved);
	close_source(source);
}
