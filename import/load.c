/*-------------------------------------------------------------------------
 *
 * load.c
 *	  From documents to the server, in batches that are transactions.
 *
 * The documents of a batch go by COPY straight into the table.  If the server
 * refuses one of them, or keeps fewer rows than it was sent, the batch is rolled
 * back and goes by way of a temporary table, from which a function inserts row
 * by row: so each document is judged by itself.
 *
 *-------------------------------------------------------------------------
 */
#include "objectid-import.h"

#include "mb/pg_wchar.h"

/* a batch has no more documents, so that tiny ones do not take much memory */
#define BATCH_DOCUMENTS 100000

/* so often a batch is tried that a deadlock or a serialization failure ended */
#define MAX_TRIES 20

typedef struct Batch
{
	Source		source;
	Document   *documents;
	size_t		count;
	size_t		allocated;
	bool		staged;			/* the last batch had documents that the
								 * server refused */
} Batch;

/* Note why the server refuses a document, in characters that the database has. */
static void
set_reason(PGconn *conn, Document *document, const char *message)
{
	bool		utf8 = strcmp(PQparameterStatus(conn, "server_encoding"), "UTF8") == 0;

	document->reason = pg_strdup(message);
	for (unsigned char *c = (unsigned char *) document->reason; *c; c++)
		if (*c >= 0x80 && (!utf8 || pg_encoding_verifymbstr(PG_UTF8, message, strlen(message)) != (int) strlen(message)))
			*c = '?';
}

/* The file is not what it was when it was checked. */
static void
changed(const Batch *batch, int64 offset)
{
	pg_log_error("file \"%s\" was changed while it was being loaded", batch->source.path);
	pg_log_error_detail("It is damaged at byte " INT64_FORMAT ".", offset);
	exit(1);
}

/*
 * COPY the documents, but for those that are rejected, into the table itself,
 * or with their positions into the temporary one.
 */
static Outcome
copy_documents(PGconn *conn, const Collection *collection, Batch *batch, bool staged)
{
	static StringInfoData out;
	static Writer writer;
	const Source *source = &batch->source;
	uint64		rows = 0;

	start_copy(conn, &out, staged ? "pg_temp.objectid_import_batch" : collection->table, staged ? "n, _id, doc" : "_id, doc");
	for (size_t i = 0; i < batch->count; i++)
	{
		Document   *document = &batch->documents[i];

		Verdict		verdict = write_row(source->json, document, collection->check->id_type, staged ? (int) i : -1, &writer, &out);

		if (verdict == BROKEN && (!source->json || source->array))
			changed(batch, source->offset + (document->data - source->window) + writer.bad);
		if (verdict == WRITTEN)
		{
			rows++;
			send_copy(conn, &out, false);
		}
		else
			set_reason(conn, document, writer.reason);
	}
	return end_copy(conn, &out, rows);
}

/*
 * The function that inserts row by row.  What may have characters that the
 * database has not is text only within its exception block.  Constraints are
 * checked at once.  A
 * foreign key may want a row that is still to come, so those go round again,
 * until a round gains nothing.
 */
static void
create_function(PGconn *conn, const Collection *collection)
{
	const char *table = collection->table;
	const char *key = collection->key_type;
	const char *equals = collection->equals;
	bool		text = collection->check->id_type == ID_TEXT || collection->check->id_type == ID_JSONB;

	PQclear(query(conn, 0, NULL,
				  "CREATE TEMPORARY TABLE IF NOT EXISTS objectid_import_batch (n integer, _id %s, doc bytea) ON COMMIT DROP;\n"
				  "TRUNCATE pg_temp.objectid_import_batch;\n"
				  "CREATE OR REPLACE FUNCTION pg_temp.objectid_import_rows(OUT refused integer, OUT why text)\n"
				  "RETURNS SETOF record LANGUAGE plpgsql AS $$\n"
				  "#variable_conflict use_variable\n"
				  "DECLARE\n"
				  "  r record; id %s; rows bigint; more text; waiting integer[]; failed integer[]; reasons text[];\n"
				  "BEGIN\n"
				  "  SET CONSTRAINTS ALL IMMEDIATE;\n"
				  "  LOOP\n"
				  "    failed := '{}'; reasons := '{}';\n"
				  "    FOR r IN SELECT b.* FROM pg_temp.objectid_import_batch AS b\n"
				  "             WHERE waiting IS NULL OR b.n IN (SELECT pg_catalog.unnest(waiting)) ORDER BY b.n LOOP\n"
				  "      BEGIN\n"
				  "        why := NULL;\n"
				  "        id := %s;\n"
				  "        IF EXISTS (SELECT FROM %s AS t WHERE t._id %s id) THEN\n"
				  "          why := 'duplicate: the table has this _id already';\n"
				  "        ELSE\n"
				  "          INSERT INTO %s (_id, doc) VALUES (id, pg_catalog.convert_from(r.doc, 'UTF8')::pg_catalog.jsonb);\n"
				  "          GET DIAGNOSTICS rows = ROW_COUNT;\n"
				  "          IF rows = 0 OR %s AND NOT EXISTS (SELECT FROM %s AS t WHERE t._id %s id) THEN\n"
				  "            why := 'the server did not keep the row: a trigger or a rule discarded it';\n"
				  "          END IF;\n"
				  "        END IF;\n"
				  "      EXCEPTION\n"
				  "        WHEN transaction_rollback OR insufficient_resources OR operator_intervention OR system_error THEN RAISE;\n"
				  "        WHEN assert_failure OR OTHERS THEN\n"
				  "          GET STACKED DIAGNOSTICS more = PG_EXCEPTION_DETAIL;\n"
				  "          why := SQLERRM || CASE WHEN more <> '' THEN ' (' || more || ')' ELSE '' END;\n"
				  "          IF SQLSTATE = '23503' THEN\n"
				  "            failed := failed || r.n; reasons := reasons || why; why := NULL;\n"
				  "          END IF;\n"
				  "      END;\n"
				  "      IF why IS NOT NULL THEN refused := r.n; RETURN NEXT; END IF;\n"
				  "    END LOOP;\n"
				  "    EXIT WHEN pg_catalog.cardinality(failed) IN (0, pg_catalog.cardinality(waiting));\n"
				  "    waiting := failed;\n"
				  "  END LOOP;\n"
				  "  RETURN QUERY SELECT * FROM ROWS FROM (pg_catalog.unnest(failed), pg_catalog.unnest(reasons)) AS f;\n"
				  "END$$", text ? "bytea" : key, key,
				  text ? psprintf("pg_catalog.convert_from(r._id, 'UTF8')::%s", key) : "r._id", table, equals, table,
				  collection->rules ? "true" : "false", table, equals));
}

/* Load the documents by way of the temporary table. */
static Outcome
load_staged(PGconn *conn, const Collection *collection, Batch *batch)
{
	Outcome		outcome;
	PGresult   *result;

	create_function(conn, collection);
	outcome = copy_documents(conn, collection, batch, true);
	if (outcome != LOADED)
		return outcome;
	result = PQexec(conn, "SELECT refused, why FROM pg_temp.objectid_import_rows()");
	outcome = judge(conn, result);
	for (int i = 0; i < PQntuples(result); i++)
		set_reason(conn, &batch->documents[atoi(PQgetvalue(result, i, 0))], PQgetvalue(result, i, 1));
	if (PQntuples(result) == 0 && outcome == LOADED)
		batch->staged = collection->staged;
	PQclear(result);
	return outcome;
}

/* Put the rejected documents of the batch, the first of which has the position, into the side table. */
static void
load_rejected(PGconn *conn, const Collection *collection, const Batch *batch, int64 position, Part *part)
{
	static StringInfoData out;
	uint64		rows = 0;

	for (size_t i = 0; i < batch->count; i++)
	{
		const Document *document = &batch->documents[i];
		const char *const texts[] = {collection->source, document->reason};

		if (document->reason == NULL)
			continue;
		if (rows++ == 0)
			start_copy(conn, &out, collection->side_table, "file, reason, run, \"position\", raw");
		append_int16(&out, 5);
		for (int j = 0; j < 2; j++)
		{
			append_int32(&out, strlen(texts[j]));
			appendStringInfoString(&out, texts[j]);
		}
		append_int32(&out, 8);
		append_int64(&out, collection->check->run);
		append_int32(&out, 8);
		append_int64(&out, position + i);
		append_int32(&out, document->length);
		appendBinaryStringInfo(&out, document->data, document->length);
		send_copy(conn, &out, false);
	}
	part->rejected += rows;
	if (rows > 0 && end_copy(conn, &out, rows) != LOADED)
		pg_fatal("could not write rejected documents to table %s: %s", collection->side_table, PQerrorMessage(conn));
}

/* Note the key of the last document that has been loaded. */
static void
note_last_id(const Collection *collection, const Batch *batch, Part *part)
{
	static Writer writer;
	static StringInfoData row;

	for (size_t i = batch->count; i-- > 0;)
	{
		if (batch->documents[i].reason != NULL)
			continue;
		if (row.data == NULL)
			initStringInfo(&row);
		resetStringInfo(&row);
		if (write_row(batch->source.json, &batch->documents[i], collection->check->id_type, -1, &writer, &row) == WRITTEN)
			print_id(&writer, collection->check->id_type, part->last_id, sizeof(part->last_id));
		return;
	}
}

static void
forget_reasons(Batch *batch)
{
	for (size_t i = 0; i < batch->count; i++)
	{
		pg_free(batch->documents[i].reason);
		batch->documents[i].reason = NULL;
	}
}

/* Try to load a batch, and to record that: in "moved", from what was in "part". */
static Outcome
try_batch(PGconn *conn, Collection *collection, int n, Batch *batch, Part *moved)
{
	const Part *part = &collection->check->part[n];
	bool		staged = batch->staged;
	Outcome		outcome;

	forget_reasons(batch);
	execute(conn, collection->stream ? "SAVEPOINT batch" : "BEGIN; SAVEPOINT batch");
	outcome = staged ? load_staged(conn, collection, batch) : copy_documents(conn, collection, batch, false);
	if (outcome == LOADED && !staged)
		outcome = try_sql(conn, "SET CONSTRAINTS ALL IMMEDIATE; RELEASE SAVEPOINT batch");
	if (outcome != LOADED)
		return outcome;
	*moved = *part;
	load_rejected(conn, collection, batch, part->first + part->documents + 1, moved);
	moved->documents += batch->count;
	moved->next = batch->source.offset + batch->source.next;
	note_last_id(collection, batch, moved);
	if (collection->stream)
		return LOADED;
	if (!move_record(conn, collection, n, part->next, moved))
		pg_fatal("another process has continued this load, or its record in table %s is missing", collection->imports);
	return try_sql(conn, "COMMIT");
}

static void
load_batch(PGconn *conn, Collection *collection, int n, Batch *batch)
{
	Part		moved;
	Outcome		outcome;

	for (int tries = 0; (outcome = try_batch(conn, collection, n, batch, &moved)) != LOADED; tries++)
	{
		if (tries == MAX_TRIES || (outcome == REFUSED && batch->staged && tries > 0))
			lost(conn);
		pg_log_debug("%s: batch after byte " INT64_FORMAT ": %s", collection->source, collection->check->part[n].next,
					 outcome == AGAIN ? "trying again" : "the server refuses a document; inserting row by row");
		batch->staged |= outcome == REFUSED;
		execute(conn, collection->stream ? "ROLLBACK TO SAVEPOINT batch" : "ROLLBACK");
	}
	collection->check->part[n] = moved;
	pg_log_debug("%s: loaded " INT64_FORMAT " documents up to byte " INT64_FORMAT, collection->source, moved.documents, moved.next);
}

/* Fill the batch with what the window holds of whole documents. */
static void
read_batch(Batch *batch, bool checked)
{
	Source	   *source = &batch->source;
	Document	document;
	Finding		finding = FOUND;

	forget_reasons(batch);
	batch->count = 0;
	if (source->next > 0)
		move_window(source);
	while (batch->count < BATCH_DOCUMENTS && (finding = checked ? find_document(source, &document, batch->count == 0) :
											  find_sound_document(source, &document, batch->count == 0)) == FOUND)
	{
		if (batch->count == batch->allocated)
		{
			batch->allocated = batch->allocated ? 2 * batch->allocated : 1024;
			batch->documents = pg_realloc(batch->documents, batch->allocated * sizeof(Document));
		}
		batch->documents[batch->count++] = document;
	}
	if (finding == DAMAGED && checked)
		changed(batch, source->damage_at);
}

/*
 * Load a part of a file, or a pipe in the transaction that is open.  Damage of
 * a pipe is noted in collection->check.
 */
void
load_part(PGconn *conn, Collection *collection, int n)
{
	Check	   *check = collection->check;
	Part	   *part = &check->part[n];
	Batch		batch = {.staged = collection->staged};
	Part		moved;

	if (!collection->stream)
		open_source(&batch.source, collection, part);
	else
		batch.source = *collection->pipe;
	while (read_batch(&batch, !collection->stream), batch.count > 0 && batch.source.damage[0] == '\0')
	{
		load_batch(conn, collection, n, &batch);
		show_progress();		/* of a pipe: else there is a process that
								 * does it */
		if (interrupted)
			return;
	}
	check->damage_at = batch.source.damage_at;
	strcpy(check->damage, batch.source.damage);
	if (check->damage[0] == '\0' && !collection->stream && part->end < 0 &&
		batch.source.offset + (int64) batch.source.filled != check->size)
		changed(&batch, batch.source.offset + batch.source.filled);
	if (check->damage[0] != '\0')
		return;
	moved = *part;
	moved.complete = true;
	if (!move_record(conn, collection, n, collection->stream ? 0 : part->next, &moved))
		pg_fatal("another process has continued this load, or its record in table %s is missing", collection->imports);
	if (collection->stream && try_sql(conn, "COMMIT") != LOADED)
		lost(conn);
	part->complete = true;
	close_source(&batch.source);
}
