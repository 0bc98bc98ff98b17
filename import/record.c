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
		const char *const old[] = {PQgetvalue(runs, i, 0), table->target};

		/*
		 * other schemas have the same runs, and may share the table of
		 * rejected documents
		 */
		if (*PQgetvalue(runs, i, 1) == 't')
			ok = try_change(conn, lengthof(old), old, psprintf("DELETE FROM %s WHERE run = $1 AND target = $2", table->side_table));
		ok = ok && try_change(conn, 1, old, psprintf("DELETE FROM %s WHERE run = $1", table->imports));
	}
	PQclear(runs);
	return ok;
}

/* As an array in SQL */
static const char *
key_orders_text(const KeyOrders * orders)
{
	static StringInfoData out;

	if (out.data == NULL)
		initStringInfo(&out);
	resetStringInfo(&out);
	for (int i = 0; i < orders->count; i++)
		appendStringInfo(&out, "%c" INT64_FORMAT, i == 0 ? '{' : ',', orders->order[i]);
	appendStringInfoString(&out, orders->count > 0 ? "}" : "{}");
	return out.data;
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
		key_orders_text(&progress->key_orders), table->run};
		PGresult   *result = try_query(conn, i > 0 ? 10 : 9, values,
									   psprintf("INSERT INTO %s (target, source, size, checksum, part, start_offset, end_offset, "
												"first_document, next_offset, documents, rejected, changed, equal, key_orders, started%s) "
												"VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $6, 0, 0, 0, 0, $9, now()%s) RETURNING run",
												table->imports, i > 0 ? ", run" : "", i > 0 ? ", $10" : ""));

		if (result == NULL)
			return false;
		table->run = get_value(result, 0);
		PQclear(result);
	}
	return true;
}

/* Does the table still have what the runs from this one on loaded into it?  False after a message. */
bool
check_loaded(PGconn *conn, const InputFile *input, const Table *table)
{
	const char *const values[] = {table->target, table->run};
	PGresult   *result = try_query(conn, lengthof(values), values,
								   psprintf("SELECT row_count, loaded, row_count >= loaded FROM (SELECT (SELECT count(*) FROM %s) AS row_count, "
											"sum(documents - rejected - changed - equal) AS loaded FROM %s WHERE target = $1 AND run >= $2) AS counts",
											table->target, table->imports));
	bool		ok = result && PQntuples(result) == 1 && *PQgetvalue(result, 0, 2) == 't';

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

/* Read the parts of the run, and how far they are.  False, after a message, if that fails, or if there is no such run. */
bool
read_record(PGconn *conn, const Table *table, Progress *progress)
{
	const char *run = table->run;
	PGresult   *result = try_query(conn, 1, &run,
								   psprintf("SELECT start_offset, end_offset, first_document, next_offset, documents, rejected, changed, equal, "
											"(finished IS NOT NULL)::pg_catalog.int4 FROM %s WHERE run OPERATOR(pg_catalog.=) $1 ORDER BY part",
											table->imports));
	int			parts = Min(PQntuples(result), MAX_JOBS);

	if (result && parts == 0)
		pg_log_error("table %s has no run %s", table->imports, run);
	for (int i = 0; i < parts; i++)
	{
		Part	   *part = &progress->part[i];
		int64	   *const numbers[] = {&part->start, &part->end, &part->first, &part->next, &part->documents, &part->rejected, &part->changed,
		&part->equal, &part->complete};

		for (size_t j = 0; j < lengthof(numbers); j++)
			*numbers[j] = strtoll(PQgetvalue(result, i, j), NULL, 10);
	}
	progress->parts = parts > 0 ? parts : progress->parts;
	PQclear(result);
	return parts > 0;
}

/* Add the orders of fields that the keys in the table have to those of the file. */
static bool
read_key_orders(PGconn *conn, const Table *table, Progress *progress, bool upsert)
{
	const char *const values[] = {table->target};
	PGresult   *result = try_query(conn, lengthof(values), values,
								   psprintf("SELECT DISTINCT unnest(key_orders) FROM %s WHERE target = $1", table->imports));
	KeyOrders	orders = {0};

	for (int i = 0; i < PQntuples(result) && !table->created; i++)
		note_key_order(&orders, strtoll(PQgetvalue(result, i, 0), NULL, 10), false);
	for (int i = 0; i < progress->key_orders.count; i++)
		note_key_order(&orders, progress->key_orders.order[i], upsert);
	progress->key_orders = orders;
	PQclear(result);
	return result != NULL;
}

/* Find or record the run, and read its record.  False, after a message, if that fails. */
bool
prepare_record(PGconn *conn, const InputFile *input, Table *table, Progress *progress, const LoadOptions *options)
{
	return read_key_orders(conn, table, progress, options->upsert) && forget_runs(conn, input, table, options) &&
		find_run(conn, input, table, progress) && read_record(conn, table, progress);
}

/*
 * Record the progress of a part, in the transaction of its documents.  If the
 * record is not where this process left it, another one has moved it.
 */
Outcome
move_record(PGconn *conn, const Table *table, const Progress *progress, int part, const Part *to)
{
	const char *const values[] = {table->run, int64_text(part), int64_text(progress->part[part].next),
		int64_text(to->next), int64_text(to->documents), int64_text(to->rejected), int64_text(to->complete),
	int64_text(to->changed), int64_text(to->equal), key_orders_text(&progress->key_orders)};
	const char *sql = psprintf("UPDATE %s SET next_offset = $4, documents = $5, rejected = $6, changed = $8, equal = $9, key_orders = $10, "
							   "finished = CASE WHEN $7::pg_catalog.bool THEN pg_catalog.clock_timestamp() END "
							   "WHERE run OPERATOR(pg_catalog.=) $1 AND part OPERATOR(pg_catalog.=) $2 AND next_offset OPERATOR(pg_catalog.=) $3",
							   table->imports);
	PGresult   *result = PQexecParams(conn, sql, lengthof(values), NULL, values, NULL, NULL, 0);
	Outcome		outcome = classify_result(conn, result, table->target);

	if (outcome == REFUSED)
		exit_with_error(conn, result, table->target);
	if (outcome == LOADED && strcmp(PQcmdTuples(result), "1") != 0)
		pg_fatal("another process has continued this load, or its record in table %s is missing", table->imports);
	PQclear(result);
	return outcome;
}
