/*-------------------------------------------------------------------------
 *
 * record.c
 *	  The record of a load: which files were loaded into a table, and how far.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "server.h"

/*
 * options_text - the options that say what a load does with the documents
 */
static const char *
options_text(const LoadOptions *options)
{
	return psprintf("%s%s", options->upsert ? "--upsert" : "",
					options->generate_id ? "--generate-id" : "");
}

/*
 * forget_runs - forget the runs with this file, with --restart, else those
 * that finished with other options, or were interrupted before they loaded
 * anything; with "again", all that were interrupted
 */
static bool
forget_runs(Connection *conn, const Collection *collection, const LoadOptions *options, bool again)
{
	const Table *table = &collection->table;
	const Check *check = &collection->progress->check;
	const char *const values[] = {
		table->target, collection->input.name, options->restart ? "t" : "f", again ? "t" : "f",
		collection->input.stream ? NULL : int64_text(check->size),
		int64_text(check->checksum), options_text(options)
	};
	const char *sql = psprintf("SELECT run, sum(rejected) > 0 FROM %s "
							   "WHERE target = $1 AND source = $2 GROUP BY run "
							   "HAVING $3 OR CASE WHEN bool_and(finished IS NOT NULL) "
							   "THEN bool_and(size = $5 AND checksum = $6 AND options <> $7) "
							   "ELSE $4 OR sum(documents) = sum(rejected) END", table->imports);
	PGresult   *runs = try_query(conn, lengthof(values), values, sql);
	bool		ok = runs != NULL;

	for (int i = 0; ok && i < PQntuples(runs); i++)
	{
		const char *const old[] = {PQgetvalue(runs, i, 0), table->target};

		/*
		 * other schemas have the same runs, and may share the table of
		 * rejected documents
		 */
		if (*PQgetvalue(runs, i, 1) == 't')
			ok = try_change(conn, lengthof(old), old,
							psprintf("DELETE FROM %s WHERE run = $1 AND target = $2",
									 table->side_table));
		ok = ok && try_change(conn, 1, old,
							  psprintf("DELETE FROM %s WHERE run = $1", table->imports));
	}
	PQclear(runs);
	return ok;
}

/*
 * insert_run - insert a row for each part of the load, and set table->run
 *
 * After false, there is no record: the message has said why.
 */
static bool
insert_run(Connection *conn, Collection *collection, const LoadOptions *options)
{
	const Progress *progress = collection->progress;
	const Check *check = &progress->check;
	Table	   *table = &collection->table;

	for (int i = 0; i < progress->parts; i++)
	{
		const Part *part = &progress->part[i];
		bool		first = i == 0;
		const char *const values[] = {
			table->target, collection->input.name,
			collection->input.stream ? NULL : int64_text(check->size),
			int64_text(check->checksum), int64_text(i), int64_text(part->start),
			int64_text(part->end), int64_text(part->first), options_text(options),
			table->run
		};
		PGresult   *result;

		/* the table numbers the run, and all of its parts have this number */
		result = try_query(conn, lengthof(values) - (first ? 1 : 0), values,
						   psprintf("INSERT INTO %s (target, source, size, checksum, part, "
									"start_offset, end_offset, first_document, next_offset, "
									"documents, rejected, changed, equal, options, started%s) "
									"VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $6, "
									"0, 0, 0, 0, $9, now()%s) RETURNING run",
									table->imports, first ? "" : ", run", first ? "" : ", $10"));
		if (result == NULL)
			return false;
		table->run = get_value(result, 0);
		PQclear(result);
	}
	return true;
}

/*
 * report_lost - say that so many documents that were loaded of a file are in
 * the table no more
 */
void
report_lost(const Collection *collection, const char *count)
{
	pg_log_error("table %s has lost documents that were loaded from \"%s\"",
				 collection->table.target, collection->input.name);
	pg_log_error_detail("%s documents of the file are neither in the table nor rejected.", count);
	pg_log_error_hint("Use --restart to load the file from its beginning again.");
}

/*
 * find_run - find the run of this file that can be resumed or is finished,
 * or record a new one
 *
 * Returns false, after a message, if that fails.
 */
static bool
find_run(Connection *conn, Collection *collection, const LoadOptions *options)
{
	const InputFile *input = &collection->input;
	const Check *check = &collection->progress->check;
	Table	   *table = &collection->table;
	const char *const values[] = {
		table->target, input->name, input->stream ? NULL : int64_text(check->size),
		int64_text(check->checksum), options_text(options)
	};
	const char *sql = psprintf("SELECT run, bool_and(size = $3 AND checksum = $4) AS same, "
							   "bool_and(finished IS NOT NULL), "
							   "max(finished)::timestamptz(0), sum(documents), max(size), "
							   "bool_and(options = $5) AS alike, sum(documents - rejected) "
							   "FROM %s WHERE target = $1 AND source = $2 GROUP BY run "
							   "HAVING NOT bool_and(finished IS NOT NULL) "
							   "OR bool_and(size = $3 AND checksum = $4 AND options = $5) "
							   "ORDER BY bool_and(size = $3 AND checksum = $4 AND options = $5) "
							   "DESC, run DESC LIMIT 1",
							   table->imports);
	PGresult   *old = try_query(conn, lengthof(values), values, sql);
	bool		ok = false;

	if (old == NULL)
		return false;
	if (PQntuples(old) == 0)
		ok = insert_run(conn, collection, options);
	else if (*PQgetvalue(old, 0, 1) != 't')
	{
		pg_log_error("the load of a different file \"%s\" into table %s was interrupted",
					 input->name, table->target);
		pg_log_error_detail("That file has %s bytes; %s of its documents have been read.",
							PQgetvalue(old, 0, 5), PQgetvalue(old, 0, 4));
		pg_log_error_hint("Finish it with that file, or use --restart to forget it.");
	}
	else if (*PQgetvalue(old, 0, 6) != 't')
	{
		pg_log_error("the load of \"%s\" into table %s with other options was interrupted",
					 input->name, table->target);
		pg_log_error_hint("Finish it with the same --upsert and --generate-id as before, or use "
						  "--restart to forget it.");
	}
	else if (table->created && strcmp(PQgetvalue(old, 0, 7), "0") != 0)
		report_lost(collection, PQgetvalue(old, 0, 7));
	else
	{
		ok = true;
		table->run = get_value(old, 0);
		if (*PQgetvalue(old, 0, 2) == 't')
			table->history = psprintf("already loaded on %s (run %s)", PQgetvalue(old, 0, 3),
									  table->run);
		else
			table->history = psprintf("continuing run %s after %s documents", table->run,
									  PQgetvalue(old, 0, 4));
	}
	PQclear(old);
	return ok;
}

/*
 * read_record - read the parts of the run, and how far they are
 *
 * Returns false, after a message, if that fails, or if there is no such
 * run.
 */
bool
read_record(Connection *conn, const Collection *collection)
{
	Progress   *progress = collection->progress;
	const char *imports = collection->table.imports;
	const char *run = collection->table.run;
	PGresult   *result = try_query(conn, 1, &run,
								   psprintf("SELECT start_offset, end_offset, first_document, "
											"next_offset, documents, rejected, changed, equal, "
											"finished IS NOT NULL "
											"FROM %s WHERE run OPERATOR(pg_catalog.=) $1 "
											"ORDER BY part", imports));
	int			parts = Min(PQntuples(result), MAX_JOBS);

	if (result && parts == 0)
		pg_log_error("table %s has no run %s", imports, run);
	for (int i = 0; i < parts; i++)
	{
		Part	   *part = &progress->part[i];
		int64	   *const numbers[] = {
			&part->start, &part->end, &part->first, &part->next, &part->documents,
			&part->rejected, &part->changed, &part->equal
		};

		for (int j = 0; j < (int) lengthof(numbers); j++)
			*numbers[j] = strtoll(PQgetvalue(result, i, j), NULL, 10);
		part->complete = *PQgetvalue(result, i, lengthof(numbers)) == 't';
	}
	if (parts > 0)
		progress->parts = parts;
	PQclear(result);
	return parts > 0;
}

/*
 * prepare_record - find or record the run, and read its record
 *
 * Returns false, after a message, if that fails.
 */
bool
prepare_record(Connection *conn, Collection *collection, const LoadOptions *options)
{
	Progress   *progress = collection->progress;
	bool		again = options->upsert && collection->table.id_type == ID_JSONB;

	/*
	 * one process sees all keys that are documents: see is_duplicate() in
	 * load.c
	 */
	if (again)
	{
		progress->parts = 1;
		progress->part->end = progress->check.size;
	}
	return forget_runs(conn, collection, options, again) &&
		find_run(conn, collection, options) &&
		(collection->table.history == NULL || read_record(conn, collection));
}

/*
 * move_record - record the progress of a part, in the transaction of its
 * documents
 *
 * If the record is not where this process left it, another one has moved
 * it.
 */
Outcome
move_record(Connection *conn, const Collection *collection, int part, const Part *to)
{
	const Table *table = &collection->table;
	const Progress *progress = collection->progress;
	const char *const values[] = {
		table->run, int64_text(part), int64_text(progress->part[part].next),
		int64_text(to->next), int64_text(to->documents), int64_text(to->rejected),
		to->complete ? "t" : "f", int64_text(to->changed), int64_text(to->equal)
	};
	const char *sql = psprintf("UPDATE %s SET next_offset = $4, documents = $5, rejected = $6, "
							   "changed = $8, equal = $9, "
							   "finished = CASE WHEN $7::pg_catalog.bool "
							   "THEN pg_catalog.clock_timestamp() END "
							   "WHERE run OPERATOR(pg_catalog.=) $1 "
							   "AND part OPERATOR(pg_catalog.=) $2 "
							   "AND next_offset OPERATOR(pg_catalog.=) $3", table->imports);
	PGresult   *result = PQexecParams(conn->pg, sql, lengthof(values), NULL, values, NULL, NULL, 0);
	Outcome		outcome = classify_result(conn, result, table->target);

	if (outcome == REFUSED)
		exit_with_error(conn, result, table->target);
	if (outcome == LOADED && strcmp(PQcmdTuples(result), "1") != 0)
		pg_fatal("another process has continued this load, or its record in table %s is missing",
				 table->imports);
	PQclear(result);
	return outcome;
}
