/*-------------------------------------------------------------------------
 *
 * record.c
 *	  The record of a load: which files were loaded into a table, and how far.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "server.h"

/* Forget the runs with this file, with --restart, else those that were interrupted before they loaded anything. */
static bool
forget_runs(PGconn *conn, const InputFile *input, const Table *table, const LoadOptions *options)
{
	const char *const values[] = {table->target, input->name, options->restart ? "t" : "f"};
	PGresult   *runs = try_query(conn, lengthof(values), values,
								 psprintf("SELECT run, sum(rejected) > 0 FROM %s WHERE target = $1 AND source = $2 GROUP BY run "
										  "HAVING $3 OR NOT bool_and(finished IS NOT NULL) AND sum(documents) = sum(rejected)", table->imports));
	bool		ok = runs != NULL;

	for (int i = 0; ok && i < PQntuples(runs); i++)
	{
		const char *run = PQgetvalue(runs, i, 0);

		ok = (*PQgetvalue(runs, i, 1) == 'f' || try_execute(conn, psprintf("DELETE FROM %s WHERE run = %s AND file = %s", table->side_table, run,
																		   PQescapeLiteral(conn, input->name, strlen(input->name))))) &&
			try_execute(conn, psprintf("DELETE FROM %s WHERE run = %s", table->imports, run));
	}
	PQclear(runs);
	return ok;
}

/* Record a new run. */
static bool
insert_run(PGconn *conn, const InputFile *input, Table *table, const Progress *progress)
{
	for (int i = 0; i < progress->parts; i++)
	{
		const Part *part = &progress->part[i];
		const char *const values[] = {table->target, input->name, input->stream ? NULL : int64_text(progress->check.size),
			int64_text(progress->check.checksum), int64_text(i), int64_text(part->start), int64_text(part->end), int64_text(part->first),
		table->run};
		PGresult   *result = try_query(conn, i > 0 ? 9 : 8, values,
									   psprintf("INSERT INTO %s (target, source, size, checksum, part, start_offset, end_offset, "
												"first_document, next_offset, documents, rejected, changed, equal, started%s) "
												"VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $6, 0, 0, 0, 0, now()%s) RETURNING run",
												table->imports, i > 0 ? ", run" : "", i > 0 ? ", $9" : ""));

		if (result == NULL)
			return false;
		table->run = get_value(result, 0);
		PQclear(result);
	}
	return true;
}

/* Does the table still have what the runs from this one on loaded into it? */
static bool
check_loaded(PGconn *conn, const InputFile *input, const Table *table)
{
	const char *const values[] = {table->target, table->run};
	PGresult   *result = try_query(conn, lengthof(values), values,
								   psprintf("SELECT row_count, loaded, row_count >= loaded FROM (SELECT (SELECT count(*) FROM %s) AS row_count, "
											"sum(documents - rejected - changed - equal) AS loaded FROM %s WHERE target = $1 AND run >= $2) AS counts",
											table->target, table->imports));
	bool		ok = result && *PQgetvalue(result, 0, 2) == 't';

	if (result && !ok)
	{
		pg_log_error("table %s has lost documents that were loaded from \"%s\"", table->target, input->name);
		pg_log_error_detail("%s documents were loaded; the table has %s rows.", PQgetvalue(result, 0, 1), PQgetvalue(result, 0, 0));
		pg_log_error_hint("Use --restart to load the file from its beginning again.");
	}
	PQclear(result);
	return ok;
}

/* Find the run of this file that can be resumed or is finished, or record a new one. */
static bool
find_run(PGconn *conn, const InputFile *input, Table *table, const Progress *progress)
{
	const char *const values[] = {table->target, input->name, input->stream ? NULL : int64_text(progress->check.size),
	int64_text(progress->check.checksum)};
	PGresult   *old = try_query(conn, lengthof(values), values,
								psprintf("SELECT run, bool_and(size = $3 AND checksum = $4) AS same, bool_and(finished IS NOT NULL), "
										 "max(finished)::timestamptz(0), sum(documents), max(size) "
										 "FROM %s WHERE target = $1 AND source = $2 GROUP BY run "
										 "HAVING NOT bool_and(finished IS NOT NULL) OR bool_and(size = $3 AND checksum = $4) "
										 "ORDER BY same DESC, run DESC LIMIT 1", table->imports));
	bool		ok = false;

	if (old == NULL)
		return false;
	if (PQntuples(old) == 0)
		ok = insert_run(conn, input, table, progress);
	else if (*PQgetvalue(old, 0, 1) != 't')
	{
		pg_log_error("the load of a different file \"%s\" into table %s was interrupted", input->name, table->target);
		pg_log_error_detail("That file has %s bytes; %s of its documents have been read.", PQgetvalue(old, 0, 5), PQgetvalue(old, 0, 4));
		pg_log_error_hint("Finish it with that file, or use --restart to forget it.");
	}
	else
	{
		table->run = get_value(old, 0);
		ok = check_loaded(conn, input, table);
		if (ok && *PQgetvalue(old, 0, 2) == 't')
			pg_log_info("%s: already loaded on %s (run %s)", input->name, PQgetvalue(old, 0, 3), table->run);
		else if (ok)
			pg_log_info("%s: continuing run %s after %s documents", input->name, table->run, PQgetvalue(old, 0, 4));
	}
	PQclear(old);
	return ok;
}

/* Find or record the run, and read its parts and their progress.  False, after a message, if that fails. */
bool
prepare_record(PGconn *conn, const InputFile *input, Table *table, Progress *progress, const LoadOptions *options)
{
	const char *run;
	PGresult   *result;

	if (!forget_runs(conn, input, table, options) || !find_run(conn, input, table, progress))
		return false;
	run = table->run;
	result = try_query(conn, 1, &run,
					   psprintf("SELECT start_offset, end_offset, first_document, next_offset, documents, rejected, changed, equal, "
								"(finished IS NOT NULL)::integer FROM %s WHERE run = $1 ORDER BY part", table->imports));
	progress->parts = Min(PQntuples(result), MAX_JOBS);
	for (int i = 0; i < progress->parts; i++)
	{
		Part	   *part = &progress->part[i];
		int64	   *const numbers[] = {&part->start, &part->end, &part->first, &part->next, &part->documents, &part->rejected, &part->changed,
		&part->equal, &part->complete};

		for (size_t j = 0; j < lengthof(numbers); j++)
			*numbers[j] = strtoll(PQgetvalue(result, i, j), NULL, 10);
	}
	PQclear(result);
	return result != NULL;
}

/*
 * Record the progress of a part, in the transaction of its documents.  If the
 * record is not where this process left it, another one has moved it.
 */
Outcome
move_record(PGconn *conn, const Table *table, int part, const Part *from, const Part *to)
{
	const char *const values[] = {table->run, int64_text(part), int64_text(from->next),
		int64_text(to->next), int64_text(to->documents), int64_text(to->rejected), int64_text(to->complete),
	int64_text(to->changed), int64_text(to->equal)};
	const char *sql = psprintf("UPDATE %s SET next_offset = $4, documents = $5, rejected = $6, changed = $8, equal = $9, "
							   "finished = CASE $7 WHEN '1' THEN pg_catalog.clock_timestamp() END "
							   "WHERE run = $1 AND part = $2 AND next_offset = $3", table->imports);
	PGresult   *result = PQexecParams(conn, sql, lengthof(values), NULL, values, NULL, NULL, 0);
	Outcome		outcome = classify_result(conn, result, table->target);

	if (outcome == REFUSED)
		exit_with_error(conn, result, table->target);
	if (outcome == LOADED && strcmp(PQcmdTuples(result), "1") != 0)
		pg_fatal("another process has continued this load, or its record in table %s is missing", table->imports);
	PQclear(result);
	return outcome;
}
