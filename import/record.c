/*-------------------------------------------------------------------------
 *
 * record.c
 *	  The record of what of which file has been loaded: a row of
 *	  objectid_import for each part of each run.
 *
 *-------------------------------------------------------------------------
 */
#include "objectid-import.h"

static const char *
int64_text(int64 value)
{
	return psprintf(INT64_FORMAT, value);
}

/* Record a new run, none of whose parts has been loaded. */
static void
insert_run(PGconn *conn, Collection *collection)
{
	Check	   *check = collection->check;
	const char *run = "DEFAULT";

	for (int i = 0; i < check->parts; i++)
	{
		const Part *part = &check->part[i];
		const char *const values[] = {int64_text(i), collection->table, collection->source,
			collection->stream ? NULL : int64_text(check->size), collection->stream ? NULL : int64_text(check->checksum),
		int64_text(part->start), int64_text(part->end), int64_text(part->first)};
		PGresult   *result;

		result = query(conn, lengthof(values), values, "INSERT INTO %s (run, part, target, source, size, checksum, start_offset, end_offset, "
					   "first_document, next_offset, documents, rejected, started) VALUES (%s, $1, $2, $3, $4, $5, $6, $7, $8, $6, 0, 0, "
					   "pg_catalog.now()) RETURNING run", collection->imports, run);
		run = pg_strdup(PQgetvalue(result, 0, 0));
		PQclear(result);
	}
	check->run = strtoll(run, NULL, 10);
}

/* Read how far the parts of a run have come. */
static void
read_run(PGconn *conn, Collection *collection, const char *run)
{
	Check	   *check = collection->check;
	PGresult   *result = query(conn, 1, &run, "SELECT start_offset, end_offset, first_document, next_offset, documents, rejected, "
							   "finished IS NOT NULL, last_id FROM %s WHERE run = $1 ORDER BY part", collection->imports);

	check->run = strtoll(run, NULL, 10);
	check->parts = Min(PQntuples(result), MAX_JOBS);
	for (int i = 0; i < check->parts; i++)
	{
		int64	   *const numbers[] = {&check->part[i].start, &check->part[i].end, &check->part[i].first,
		&check->part[i].next, &check->part[i].documents, &check->part[i].rejected};

		for (size_t j = 0; j < lengthof(numbers); j++)
			*numbers[j] = strtoll(PQgetvalue(result, i, j), NULL, 10);
		check->part[i].complete = *PQgetvalue(result, i, 6) == 't';
		strlcpy(check->part[i].last_id, PQgetvalue(result, i, 7), sizeof(check->part[i].last_id));
	}
	PQclear(result);
}

/*
 * Does the table still have what was loaded into it?  It cannot be emptied or
 * dropped between two runs without notice.
 */
static bool
documents_are_there(PGconn *conn, const Collection *collection)
{
	const Check *check = collection->check;
	int64		loaded = 0;
	int64		there;
	bool		missing = false;
	PGresult   *result;

	if (collection->row_security)
		return true;			/* we cannot know */
	for (int i = 0; i < check->parts; i++)
	{
		const char *id = check->part[i].last_id;

		loaded += check->part[i].documents - check->part[i].rejected;
		if (*id == '\0')
			continue;
		result = query(conn, 1, &id, "SELECT FROM %s WHERE _id %s $1", collection->table, collection->equals);
		missing |= PQntuples(result) == 0;
		PQclear(result);
	}
	result = query(conn, 0, NULL, "SELECT pg_catalog.count(*) FROM %s", collection->table);
	there = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
	PQclear(result);
	if (!missing && there >= loaded)
		return true;
	pg_log_error("table %s has lost documents that were loaded from \"%s\"", collection->table, collection->source);
	pg_log_error_detail(INT64_FORMAT " documents were loaded; the table has " INT64_FORMAT " rows%s.", loaded, there,
						missing ? ", and the last document is not among them" : "");
	pg_log_error_hint("Use --restart to load the file from its beginning again.");
	return false;
}

/* A run on this very file: continue it, or say that it is complete. */
static bool
continue_run(PGconn *conn, Collection *collection, const char *run, const char *finished)
{
	Check	   *check = collection->check;
	int64		documents = 0;

	read_run(conn, collection, run);
	if (!documents_are_there(conn, collection))
		return false;
	for (int i = 0; i < check->parts; i++)
		documents += check->part[i].documents;
	if (finished)
		pg_log_info("%s: already loaded on %s (run %s)", collection->source, finished, run);
	else
		pg_log_info("%s: continuing run %s after " INT64_FORMAT " documents", collection->source, run, documents);
	return true;
}

/*
 * Find out where the load of a file stands, and record it if it is new.  False,
 * after a message: it must not go on.
 */
bool
prepare_record(PGconn *conn, Collection *collection)
{
	const Check *check = collection->check;
	const char *const values[] = {collection->table, collection->source, int64_text(check->size), int64_text(check->checksum)};
	PGresult   *result;
	bool		ok = true;

	if (collection->stream)
	{
		insert_run(conn, collection);
		return true;
	}
	if (options.restart)
	{
		PQclear(query(conn, 2, values, "DELETE FROM %s WHERE file = $2 AND run IN (SELECT run FROM %s WHERE target = $1 AND source = $2)",
					  collection->side_table, collection->imports));
		PQclear(query(conn, 2, values, "DELETE FROM %s WHERE target = $1 AND source = $2", collection->imports));
	}

	/* an unfinished run that has loaded nothing is none */
	PQclear(query(conn, 2, values, "DELETE FROM %s AS i WHERE target = $1 AND source = $2 AND NOT EXISTS "
				  "(SELECT FROM %s AS o WHERE o.run = i.run AND (next_offset > start_offset OR finished IS NOT NULL))",
				  collection->imports, collection->imports));
	result = query(conn, 4, values, "SELECT run, pg_catalog.bool_and(size = $3 AND checksum = $4) AS same, "
				   "CASE WHEN pg_catalog.bool_and(finished IS NOT NULL) THEN pg_catalog.max(finished)::timestamptz(0) END AS finished, "
				   "pg_catalog.sum(documents), pg_catalog.max(size) FROM %s WHERE target = $1 AND source = $2 "
				   "GROUP BY run HAVING NOT pg_catalog.bool_and(finished IS NOT NULL) OR pg_catalog.bool_and(size = $3 AND checksum = $4) "
				   "ORDER BY same DESC, run DESC LIMIT 1", collection->imports);
	if (PQntuples(result) == 0)
		insert_run(conn, collection);
	else if (*PQgetvalue(result, 0, 1) == 't')
		ok = continue_run(conn, collection, PQgetvalue(result, 0, 0), PQgetisnull(result, 0, 2) ? NULL : PQgetvalue(result, 0, 2));
	else
	{
		pg_log_error("the load of another file \"%s\" into table %s was interrupted", collection->source, collection->table);
		pg_log_error_detail("That file has %s bytes; %s of its documents have been read.", PQgetvalue(result, 0, 4), PQgetvalue(result, 0, 3));
		pg_log_error_hint("Finish it with that file, or use --restart to forget it.");
		ok = false;
	}
	PQclear(result);
	return ok;
}

/*
 * Move the record of a part on, in the transaction of its documents.  False if
 * it does not stand where it is said to, because another process has moved it.
 */
bool
move_record(PGconn *conn, const Collection *collection, int part, int64 from, const Part *to)
{
	const char *const values[] = {int64_text(collection->check->run), int64_text(part), int64_text(from), int64_text(to->next),
		int64_text(to->documents), int64_text(to->rejected), to->last_id[0] ? to->last_id : NULL,
	to->complete ? "t" : "f"};
	PGresult   *result = PQexecParams(conn, psprintf("UPDATE %s SET next_offset = $4, documents = $5, rejected = $6, last_id = $7, "
													 "finished = CASE WHEN $8::boolean THEN pg_catalog.clock_timestamp() END "
													 "WHERE run = $1 AND part = $2 AND next_offset = $3", collection->imports),
									  lengthof(values), NULL, values, NULL, NULL, 0);
	bool		moved;

	if (PQresultStatus(result) != PGRES_COMMAND_OK)
		lost(conn);
	moved = strcmp(PQcmdTuples(result), "1") == 0;
	PQclear(result);
	return moved;
}

/* How many documents of this file have been loaded in an unfinished run, say before it was damaged? */
int64
count_loaded(PGconn *conn, const Collection *collection)
{
	const char *const values[] = {collection->imports, collection->table, collection->source};
	PGresult   *result = query(conn, 1, values, "SELECT pg_catalog.to_regclass($1)");
	int64		loaded = 0;

	if (!PQgetisnull(result, 0, 0))
	{
		PQclear(result);
		result = query(conn, 2, values + 1, "SELECT coalesce(pg_catalog.sum(documents - rejected), 0) FROM %s "
					   "WHERE target = $1 AND source = $2 AND run IN (SELECT run FROM %s WHERE finished IS NULL)",
					   collection->imports, collection->imports);
		loaded = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
	}
	PQclear(result);
	return loaded;
}
