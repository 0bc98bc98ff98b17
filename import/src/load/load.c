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

#include "command.h"
#include "load.h"
#include "message.h"
#include "names.h"

#include "insert_row.inc"
#include "insert_waiting.inc"
#include "merge.inc"

/* bytes that are sent to the server at a time */
#define COPY_BYTES (16 * 1024)

/* limit the memory for tiny documents, and for the reasons why the server refuses some */
#define BATCH_DOCUMENTS 100000
#define BATCH_ROWS 10000

/* how many different reasons the dry run prints */
#define MAX_REASONS 50

/* attempts for a batch after a deadlock or a serialization failure */
#define MAX_TRIES 20

/* where documents wait to be merged, or to be inserted row by row */
#define STAGE "pg_temp.objectid_import_batch"
#define ROW_STAGE "pg_temp.objectid_import_rows"

/* how the documents of a batch get into the table */
typedef enum Method
{
	COPY,
	MERGE,						/* --upsert: by way of the first stage */
	ROW_BY_ROW					/* by way of the second */
} Method;

typedef struct Batch
{
	PGconn	   *conn;
	const Collection *collection;
	Part	   *part;
	Part		moved;			/* the part after this batch */
	Rows	   *rows;
	StringInfo	out;			/* of the rows, goes to the server */
	Document   *documents;
	size_t		count;
	Method		method;
	size_t		row_by_row;		/* so many: the server refused one of them */
	bool		reasons_differ; /* those of rejected documents so far */
	char		reason[REASON_SIZE];	/* the first of them */
} Batch;

/* note why a document is rejected, in characters that the database has */
static void
set_reason(Batch *batch, size_t n, const char *reason)
{
	const char *encoding = PQparameterStatus(batch->conn, "server_encoding");
	bool		utf8 = encoding && strcmp(encoding, "UTF8") == 0 && is_utf8(reason);

	/* reasons are the same up to the values in them */
	if (batch->reason[0] == '\0')
		strlcpy(batch->reason, reason, REASON_SIZE);
	if (strncmp(batch->reason, reason, strcspn(batch->reason, "(\"0123456789")) != 0)
		batch->reasons_differ = true;
	batch->documents[n].reason = pg_strdup(reason);
	for (unsigned char *c = (unsigned char *) batch->documents[n].reason; *c && !utf8; c++)
		if (*c >= 0x80)
			*c = '?';
}

/* begin a COPY, whose rows are collected in "out" */
static Outcome
start_copy(Batch *batch, const char *table, const char *columns)
{
	const char *sql = psprintf("COPY %s (%s) FROM STDIN (FORMAT binary)", table, columns);
	PGresult   *result = PQexec(batch->conn, sql);
	Outcome		outcome = classify_result(batch->conn, result, table);

	if (outcome == NOT_LOADED)
		fail(batch->conn, result, table, NULL);
	PQclear(result);
	resetStringInfo(batch->out);
	appendBinaryStringInfo(batch->out, "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19);
	return outcome;
}

/* send the rows, if they are many */
static void
send_copy(Batch *batch, bool all)
{
	if (batch->out->len < COPY_BYTES && !all)
		return;
	if (PQputCopyData(batch->conn, batch->out->data, batch->out->len) != 1)
		fail(batch->conn, NULL, NULL, NULL);
	resetStringInfo(batch->out);
}

/* End a COPY.  It is also NOT_LOADED if the server kept fewer rows than it was sent. */
static Outcome
end_copy(Batch *batch, uint64 rows)
{
	Outcome		outcome = LOADED;
	bool		answered = false;
	PGresult   *result;

	append_int(batch->out, 2, -1);
	send_copy(batch, true);
	if (PQputCopyEnd(batch->conn, NULL) != 1)
		fail(batch->conn, NULL, NULL, NULL);
	while ((result = PQgetResult(batch->conn)) != NULL)
	{
		answered = true;
		if (outcome == LOADED)
			outcome = classify_result(batch->conn, result, batch->collection->table.target);
		if (outcome == LOADED && strtoull(PQcmdTuples(result), NULL, 10) != rows)
			outcome = NOT_LOADED;
		PQclear(result);
	}
	if (!answered)
		fail(batch->conn, NULL, NULL, NULL);
	return outcome;
}

/*
 * COPY the documents of the window to where the method wants them, but for those that are
 * rejected.  Rows that go on one by one have their positions.  Stores how many rows.
 */
static Outcome
copy_documents(Batch *batch, uint64 *count)
{
	const Table *table = &batch->collection->table;
	Rows	   *rows = batch->rows;
	Document	document;
	Finding		finding = PARTIAL;
	bool		by_row = batch->method == ROW_BY_ROW;
	bool		nothing_loaded = batch->part->documents == batch->part->rejected;
	size_t		most = by_row || nothing_loaded ? BATCH_ROWS : BATCH_DOCUMENTS;
	Outcome		outcome = lock_checked(batch->conn, table, table->target);

	*count = 0;
	if (outcome == LOADED)
		outcome = by_row ? start_copy(batch, ROW_STAGE, "doc, n") :
			start_copy(batch, batch->method == MERGE ? STAGE : table->target, "doc, _id");
	if (outcome != LOADED)
		return outcome;
	rows->position = batch->part->first + batch->part->documents;
	while (batch->count < most)
	{
		size_t		n = batch->count;

		finding = next_row(rows, false, by_row ? (int) n : NO_NUMBER, &document);
		if (finding != FOUND)
			break;
		batch->count++;
		batch->documents[n] = document;
		batch->documents[n].reason = NULL;
		batch->collection->progress->without_id |= rows->lacks_id;
		if (rows->writer.reason[0])
			set_reason(batch, n, rows->writer.reason);
		else
		{
			*count += 1;
			send_copy(batch, false);
		}
	}
	batch->moved.complete = finding == END &&
		rows->source.offset + (int64) rows->source.filled >= batch->part->end;
	return end_copy(batch, *count);
}

/*
 * make the temporary table of the method: for a merge, whose keys are looked up by the index, as
 * rows are few; or for rows, and the function that inserts one
 */
static void
create_stage(Batch *batch)
{
	const Table *table = &batch->collection->table;

	if (batch->method == MERGE)
		execute(batch->conn, fill_in("SET LOCAL enable_hashjoin = off; "
									 "SET LOCAL enable_mergejoin = off; SET LOCAL jit = off; "
									 "CREATE TEMPORARY TABLE " STAGE " ON COMMIT DROP AS "
									 "SELECT _id, doc FROM {table} WITH NO DATA", table));
	if (batch->method != ROW_BY_ROW)
		return;
	execute(batch->conn, "CREATE TEMPORARY TABLE " ROW_STAGE " (n pg_catalog.int4, "
			"doc pg_catalog.bytea, state pg_catalog.text, why pg_catalog.text) ON COMMIT DROP");
	execute(batch->conn, psprintf("CREATE FUNCTION pg_temp.objectid_import_row("
								  "document pg_catalog.bytea, upsert pg_catalog.bool, "
								  "OUT state pg_catalog.text, OUT why pg_catalog.text) "
								  "LANGUAGE plpgsql AS %s",
								  quote_text(fill_in(insert_row_sql, table))));
}

/* from the temporary table, insert documents that are new, and replace those that differ */
static Outcome
merge_documents(Batch *batch, uint64 rows)
{
	const Table *table = &batch->collection->table;
	int64		numbers[4] = {0};	/* changed, equal, inserted, twice */
	char	   *sql = fill_in(merge_sql, table);
	PGresult   *result = PQexec(batch->conn, sql);
	Outcome		outcome = classify_result(batch->conn, result, table->target);

	for (int i = 0; i < 4 && outcome == LOADED; i++)
		numbers[i] = strtoll(PQgetvalue(result, 0, i), NULL, 10);
	PQclear(result);
	pg_free(sql);
	batch->moved.changed += numbers[0];
	batch->moved.equal += numbers[1];

	/* a trigger has discarded a row, or a key is there twice */
	if (outcome == LOADED &&
		(numbers[3] > 0 || numbers[0] + numbers[1] + numbers[2] != (int64) rows))
		return NOT_LOADED;
	return outcome;
}

/* insert or replace the rows that wait in the temporary table one by one */
static Outcome
insert_row_by_row(Batch *batch, uint64 waiting)
{
	const char *target = batch->collection->table.target;
	const char *upsert = command.options->upsert ? "t" : "f";
	uint64		waited = 0;
	bool		refused = false;
	Outcome		outcome = LOADED;
	PGresult   *result;

	/* until no more of them can be inserted */
	while (outcome == LOADED && waiting > 0 && waiting != waited)
	{
		waited = waiting;
		result = PQexecParams(batch->conn, insert_waiting_sql, 1, NULL, &upsert, NULL, NULL, 0);
		outcome = classify_result(batch->conn, result, target);
		if (outcome == LOADED)
			waiting = strtoull(PQgetvalue(result, 0, 0), NULL, 10);
		PQclear(result);
	}
	if (outcome != LOADED)
		return outcome;
	result = query(batch->conn, 0, NULL, "SELECT n, why, state FROM " ROW_STAGE
				   " WHERE state OPERATOR(pg_catalog.<>) 'inserted' ORDER BY n");
	for (int i = 0; i < PQntuples(result); i++)
	{
		const char *state = PQgetvalue(result, i, 2);

		if (strcmp(state, "changed") == 0)
			batch->moved.changed++;
		else if (strcmp(state, "equal") == 0)
			batch->moved.equal++;
		else if (strcmp(state, "duplicate") == 0)
			batch->collection->progress->duplicate = true;
		if (PQgetisnull(result, i, 1))
			continue;
		set_reason(batch, strtoul(PQgetvalue(result, i, 0), NULL, 10), PQgetvalue(result, i, 1));
		refused = true;
	}
	PQclear(result);

	/* where the server refuses a document, it often refuses more */
	if (refused)
		batch->row_by_row = BATCH_DOCUMENTS;
	else
		batch->row_by_row -= Min(batch->row_by_row, batch->count);
	return LOADED;
}

/* copy the rejected documents into the side table, and count them */
static Outcome
load_rejected(Batch *batch)
{
	const InputFile *input = &batch->collection->input;
	const Table *table = &batch->collection->table;
	StringInfo	out = batch->out;
	int			most = command.options->max_rejected;
	Part	   *moved = &batch->moved;
	int64		first = moved->first + moved->documents + 1;
	uint64		rows = 0;
	Outcome		outcome = LOADED;

	for (size_t i = 0; i < batch->count; i++)
	{
		const Document *document = &batch->documents[i];

		if (document->reason == NULL)
			continue;
		if (rows++ == 0 &&
			(outcome = lock_checked(batch->conn, table, table->side_table)) == LOADED)
			outcome = start_copy(batch, table->side_table,
								 "target, file, run, \"position\", reason, raw");
		if (outcome != LOADED)
			return outcome;
		append_int(out, 2, 6);
		append_field(out, table->target, strlen(table->target));
		append_field(out, input->name, strlen(input->name));
		append_int(out, 4, 8);
		append_int(out, 8, strtoll(table->run.number, NULL, 10));
		append_int(out, 4, 8);
		append_int(out, 8, first + (int64) i);
		append_field(out, document->reason, strlen(document->reason));
		append_field(out, document->data, document->length);
		send_copy(batch, false);
	}
	if (rows > 0 && (outcome = end_copy(batch, rows)) == NOT_LOADED)
		pg_fatal("could not write rejected documents to table %s: %s", table->side_table,
				 error_message(batch->conn, NULL));
	moved->rejected += rows;
	moved->documents += batch->count;
	moved->next = batch->rows->source.offset + batch->rows->source.next;

	/* unless it has to end here, so that it can go on with other options */
	moved->complete &= batch->count == 0 ||
		(most < 0 ? moved->rejected < moved->documents :
		 sum_parts(batch->collection->progress).rejected + (int64) rows <= most);
	return outcome;
}

/* begin an attempt to load a batch, and forget an earlier one */
static void
begin_batch(Batch *batch)
{
	for (; batch->count > 0; batch->count--)
		pg_free(batch->documents[batch->count - 1].reason);
	batch->rows->source.next = 0;
	batch->moved = *batch->part;
	batch->method = batch->row_by_row > 0 ? ROW_BY_ROW : command.options->upsert ? MERGE : COPY;
	begin(batch->conn, psprintf("SET LOCAL synchronous_commit = off; "
								"SELECT pg_catalog.pg_advisory_xact_lock_shared(%s)",
								batch->collection->table.lock));
	create_stage(batch);
}

/* Prepare another attempt.  Gives up if the batch has failed row by row. */
static void
roll_back(Batch *batch, Outcome outcome, int tries)
{
	if (tries == MAX_TRIES || (outcome == NOT_LOADED && batch->row_by_row > 0 && tries > 0))
		fail(batch->conn, NULL, batch->collection->table.target, NULL);
	pg_log_debug("%s: batch after byte " INT64_FORMAT ": %s", batch->collection->input.name,
				 batch->part->next, outcome == AGAIN ? "trying again" :
				 "the server refuses a document; inserting row by row");
	if (outcome == NOT_LOADED)
		batch->row_by_row = BATCH_DOCUMENTS;
	/* a COMMIT that fails ends the transaction */
	if (PQtransactionStatus(batch->conn) != PQTRANS_IDLE)
		execute(batch->conn, "ROLLBACK");
}

/* load a batch, and record that: from batch->part to batch->moved */
static void
load_batch(Batch *batch)
{
	PGconn	   *conn = batch->conn;
	const Collection *collection = batch->collection;
	Outcome		outcome;
	uint64		rows;

	for (int tries = 0;; tries++)
	{
		begin_batch(batch);
		outcome = copy_documents(batch, &rows);
		if (outcome == LOADED && batch->method == MERGE)
			outcome = merge_documents(batch, rows);
		if (outcome == LOADED)
			outcome = try_statement(conn, "SET CONSTRAINTS ALL IMMEDIATE",
									collection->table.target);
		if (outcome == LOADED && batch->method == ROW_BY_ROW)
			outcome = insert_row_by_row(batch, rows);
		if (outcome == LOADED)
			outcome = load_rejected(batch);
		if (outcome == LOADED)
			outcome = move_record(conn, collection, batch->part, &batch->moved);
		if (outcome == LOADED && batch->method == ROW_BY_ROW)
			execute(conn, "DROP FUNCTION pg_temp.objectid_import_row(pg_catalog.bytea, "
					"pg_catalog.bool)");
		if (outcome == LOADED)
			outcome = try_statement(conn, batch->moved.complete ?
									"SET LOCAL synchronous_commit TO DEFAULT; COMMIT" : "COMMIT",
									collection->table.target);
		if (outcome == LOADED)
			break;
		roll_back(batch, outcome, tries);
	}
	*batch->part = batch->moved;
}

/*
 * limit_rejected - stop the load of a file if all processes have rejected more of its documents
 * than they may, or, unless their number is limited, all for one reason
 */
void
limit_rejected(const Collection *collection, bool one_reason)
{
	int			most = command.options->max_rejected;
	Progress   *progress = collection->progress;
	const Part	sum = sum_parts(progress);
	const char *name = collection->input.name;
	char	   *stop = progress->stop;

	if (progress->state != PENDING && progress->state != DONE)
		return;
	if (most >= 0 && sum.rejected > most)
		snprintf(stop, REASON_SIZE, "more than %d documents of \"%s\" are rejected",
				 most, name);
	else if (most < 0 && one_reason && sum.rejected >= BATCH_ROWS && sum.rejected == sum.documents)
		snprintf(stop, REASON_SIZE, "the first %d documents of \"%s\" are all rejected",
				 BATCH_ROWS, name);
	else
		return;
	progress->state = STOPPED;
}

/*
 * load_part - load a part of a file.  Damage that the check did not find is stored in the progress
 * of the collection, as is why the load ends early.
 */
void
load_part(PGconn *conn, const Collection *collection, int part)
{
	static Document *documents;
	Progress   *progress = collection->progress;
	Batch		batch = {
		.conn = conn,.collection = collection,.part = &progress->part[part]
	};
	bool		found;

	batch.rows = open_rows(collection, batch.part, collection->table.key.type);
	batch.out = &batch.rows->writer.out;
	if (documents == NULL)
		documents = pg_malloc(BATCH_DOCUMENTS * sizeof(Document));
	batch.documents = documents;
	do
	{
		if (batch.reason[0])
			strlcpy(progress->reason, batch.reason, REASON_SIZE);
		limit_rejected(collection, batch.reason[0] && !batch.reasons_differ);
		if (interrupted || progress->state == STOPPED ||
			!move_on(batch.rows, progress, batch.part, &found))
			return;

		/* a file whose last batch was not the end has one without documents */
		load_batch(&batch);
	} while (!batch.part->complete);
}

/* why documents are rejected */
typedef struct Reason
{
	char	   *text;
	int64		count;
	int64		first;			/* number of the first of these documents */
} Reason;

/* count one more document that is rejected, if its reason is one of the first MAX_REASONS */
static void
count_reason(Reason *reasons, const char *text, int64 document)
{
	int			i = 0;

	while (i < MAX_REASONS && reasons[i].text && strcmp(reasons[i].text, text) != 0)
		i++;
	if (i == MAX_REASONS)
		return;
	if (reasons[i].count++ == 0)
	{
		reasons[i].text = pg_strdup(text);
		reasons[i].first = document;
	}
}

/* try_part - what load_part() does, without a server */
void
try_part(const Collection *collection, int n)
{
	Progress   *progress = collection->progress;
	Part	   *part = &progress->part[n];
	Reason		reasons[MAX_REASONS] = {0};
	IdType		wanted = command.options->id_type;
	Rows	   *rows = open_rows(collection, part,
								 wanted == ID_UNKNOWN ? progress->check.id_type : wanted);
	Document	document;
	bool		found;

	do
	{
		if (interrupted || !move_on(rows, progress, part, &found))
			return;
		while (next_row(rows, false, NO_NUMBER, &document) == FOUND)
		{
			resetStringInfo(&rows->writer.out);
			part->documents++;
			if (rows->writer.reason[0])
			{
				part->rejected++;
				count_reason(reasons, rows->writer.reason, rows->position);
			}
		}
		part->next = rows->source.offset + (int64) rows->source.next;
	} while (found);
	part->complete = true;
	for (int i = 0; i < MAX_REASONS && reasons[i].text; i++)
		printf("%s: " INT64_FORMAT " rejected, the first as document " INT64_FORMAT ": %s\n",
			   printable(collection->input.path), reasons[i].count, reasons[i].first,
			   printable(reasons[i].text));
}
