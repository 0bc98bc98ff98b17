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
 * forget_runs - forget the runs with this file, with --restart, else those
 * that were interrupted before they loaded anything
 */
static bool
forget_runs(Connection *conn, const Collection *collection, bool restart)
{
	const Table *table = &collection->table;
	const char *const values[] = {table->target, collection->input.name, restart ? "t" : "f"};
	const char *sql = psprintf("SELECT run, sum(rejected) > 0 FROM %s "
							   "WHERE target = $1 AND source = $2 GROUP BY run "
							   "HAVING $3 OR NOT bool_and(finished IS NOT NULL) "
							   "AND sum(documents) = sum(rejected)", table->imports);
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
 * key_orders_text - the numbers as an array in SQL
 *
 * The next call overwrites it.
 */
static const char *
key_orders_text(const KeyOrders *orders)
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

/*
 * insert_run - insert a row for each part of the load, and set table->run
 *
 * After false, there is no record: the message has said why.
 */
static bool
insert_run(Connection *conn, Collection *collection)
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
			int64_text(part->end), int64_text(part->first), key_orders_text(&progress->key_orders),
			table->run
		};
		PGresult   *result;

		/* the table numbers the run, and all of its parts have this number */
		result = try_query(conn, lengthof(values) - (first ? 1 : 0), values,
						   psprintf("INSERT INTO %s (target, source, size, checksum, part, "
									"start_offset, end_offset, first_document, next_offset, "
									"documents, rejected, changed, equal, key_orders, started%s) "
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
 * check_loaded - check that the table still has what the runs from this
 * one on loaded into it
 *
 * Returns false, after a message, if it has not.
 */
bool
check_loaded(Connection *conn, const Collection *collection)
{
	const Table *table = &collection->table;
	const char *const values[] = {table->target, table->run};
	const char *sql = psprintf("SELECT row_count, loaded, row_count >= loaded FROM ("
							   "SELECT (SELECT count(*) FROM %s) AS row_count, "
							   "sum(documents - rejected - changed - equal) AS loaded "
							   "FROM %s WHERE target = $1 AND run >= $2) AS counts",
							   table->target, table->imports);
	PGresult   *result = try_query(conn, lengthof(values), values, sql);
	bool		ok = result && PQntuples(result) == 1 && *PQgetvalue(result, 0, 2) == 't';

	if (result && !ok)
	{
		pg_log_error("table %s has lost documents that were loaded from \"%s\"", table->target,
					 collection->input.name);
		pg_log_error_detail("%s documents were loaded; the table has %s rows.",
							PQgetvalue(result, 0, 1), PQgetvalue(result, 0, 0));
		pg_log_error_hint("Use --restart to load the file from its beginning again.");
	}
	PQclear(result);
	return ok;
}

/*
 * find_run - find the run of this file that can be resumed or is finished,
 * or record a new one
 *
 * Returns false, after a message, if that fails.
 */
static bool
find_run(Connection *conn, Collection *collection)
{
	const InputFile *input = &collection->input;
	const Check *check = &collection->progress->check;
	Table	   *table = &collection->table;
	const char *const values[] = {
		table->target, input->name, input->stream ? NULL : int64_text(check->size),
		int64_text(check->checksum)
	};
	const char *sql = psprintf("SELECT run, bool_and(size = $3 AND checksum = $4) AS same, "
							   "bool_and(finished IS NOT NULL), "
							   "max(finished)::timestamptz(0), sum(documents), max(size) "
							   "FROM %s WHERE target = $1 AND source = $2 GROUP BY run "
							   "HAVING NOT bool_and(finished IS NOT NULL) "
							   "OR bool_and(size = $3 AND checksum = $4) "
							   "ORDER BY same DESC, run DESC LIMIT 1", table->imports);
	PGresult   *old = try_query(conn, lengthof(values), values, sql);
	bool		ok = false;

	if (old == NULL)
		return false;
	if (PQntuples(old) == 0)
		ok = insert_run(conn, collection);
	else if (*PQgetvalue(old, 0, 1) != 't')
	{
		pg_log_error("the load of a different file \"%s\" into table %s was interrupted",
					 input->name, table->target);
		pg_log_error_detail("That file has %s bytes; %s of its documents have been read.",
							PQgetvalue(old, 0, 5), PQgetvalue(old, 0, 4));
		pg_log_error_hint("Finish it with that file, or use --restart to forget it.");
	}
	else
	{
		table->run = get_value(old, 0);
		ok = check_loaded(conn, collection);
		if (ok && *PQgetvalue(old, 0, 2) == 't')
			pg_log_info("%s: already loaded on %s (run %s)", input->name, PQgetvalue(old, 0, 3),
						table->run);
		else if (ok)
			pg_log_info("%s: continuing run %s after %s documents", input->name, table->run,
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
 * read_key_orders - add the orders of fields that the keys in the table
 * have to those of the file
 */
static bool
read_key_orders(Connection *conn, const Collection *collection, bool upsert)
{
	const Table *table = &collection->table;
	KeyOrders  *orders = &collection->progress->key_orders;
	KeyOrders	all = {0};
	const char *const values[] = {table->target};
	PGresult   *result = try_query(conn, lengthof(values), values,
								   psprintf("SELECT DISTINCT unnest(key_orders) FROM %s "
											"WHERE target = $1", table->imports));

	for (int i = 0; i < PQntuples(result) && !table->created; i++)
		note_key_order(&all, strtoll(PQgetvalue(result, i, 0), NULL, 10), false);
	for (int i = 0; i < orders->count; i++)
		note_key_order(&all, orders->order[i], upsert);
	*orders = all;
	PQclear(result);
	return result != NULL;
}

/*
 * prepare_record - find or record the run, and read its record
 *
 * Returns false, after a message, if that fails.
 */
bool
prepare_record(Connection *conn, Collection *collection, const LoadOptions *options)
{
	return read_key_orders(conn, collection, options->upsert) &&
		forget_runs(conn, collection, options->restart) &&
		find_run(conn, collection) && read_record(conn, collection);
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
		to->complete ? "t" : "f", int64_text(to->changed), int64_text(to->equal),
		key_orders_text(&progress->key_orders)
	};
	const char *sql = psprintf("UPDATE %s SET next_offset = $4, documents = $5, rejected = $6, "
							   "changed = $8, equal = $9, key_orders = $10, "
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
