/*-------------------------------------------------------------------------
 *
 * journal.c
 *	  The record of a load: which files were loaded into a table, and how far.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "command.h"
#include "load.h"
#include "message.h"
#include "names.h"

#include "find_run.inc"
#include "forget_runs.inc"
#include "move_record.inc"
#include "read_record.inc"

/* fill_in - replace each {name} of the table by what it stands for */
char *
fill_in(const char *sql, const Table *table)
{
	const Placeholder values[] = {
		{"table", table->target}, {"side", table->side_table}, {"imports", table->imports},
		{"kind", id_type_names[table->key.type]}, {"type", table->key.type_name},
		{"collation", table->key.collation}, {NULL, NULL}
	};

	return render(sql, values);
}

/* the options that say what a load does with the documents */
static const char *
options_text(void)
{
	const Options *options = command.options;

	return psprintf("%s%s", options->upsert ? "--upsert" : "",
					options->generate_id ? "--generate-id" : "");
}

/* the options that say what a load does first */
static const char *
cleared_text(void)
{
	const Options *options = command.options;

	return psprintf("%s%s%s", options->drop ? "--drop" : "", options->truncate ? "--truncate" : "",
					options->restart ? "--restart" : "");
}

/* new_command - a name for a command that begins anew, which no other has */
const char *
new_command(PGconn *conn)
{
	return query_value(conn, 0, NULL, "SELECT pg_catalog.gen_random_uuid()");
}

/* forget the runs of this file that cannot go on, or, if --restart begins anew, all */
static void
forget_runs(PGconn *conn, const Collection *collection)
{
	const Table *table = &collection->table;
	const Check *check = &collection->progress->check;
	const char *const values[] = {
		table->target, collection->input.name,
		command.options->restart && table->run.anew ? "t" : "f", int64_text(check->size),
		int64_text(check->checksum), options_text()
	};
	PGresult   *runs = query(conn, lengthof(values), values, fill_in(forget_runs_sql, table));

	for (int i = 0; i < PQntuples(runs); i++)
	{
		const char *const old[] = {PQgetvalue(runs, i, 0), table->target};

		/* other schemas have the same runs, and may share this table */
		if (is_true(runs, i, 1))
			change(conn, 2, old, fill_in("DELETE FROM {side} WHERE run = $1 AND target = $2",
										 table));
		change(conn, 1, old, fill_in("DELETE FROM {imports} WHERE run = $1", table));
	}
	PQclear(runs);
}

/* insert a row for each part of the load, and set table->run.number, which the first one gets */
static void
insert_run(PGconn *conn, Collection *collection)
{
	const Check *check = &collection->progress->check;
	Table	   *table = &collection->table;

	for (int i = 0; i < collection->progress->parts; i++)
	{
		const Part *part = &collection->progress->part[i];
		const char *const values[] = {
			table->target, collection->input.name, int64_text(check->size),
			int64_text(check->checksum), int64_text(i), int64_text(part->start),
			int64_text(part->end), int64_text(part->first), options_text(),
			cleared_text(), table->run.command, table->run.number
		};
		char	   *sql = psprintf("INSERT INTO %s (target, source, size, checksum, part, "
								   "start_offset, end_offset, first_document, next_offset, "
								   "documents, rejected, changed, equal, options, cleared, "
								   "command, started%s) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, "
								   "$6, 0, 0, 0, 0, $9, $10, $11, now()%s) RETURNING run",
								   table->imports, i > 0 ? ", run" : "", i > 0 ? ", $12" : "");

		table->run.number = query_value(conn, lengthof(values) - (i == 0), values, sql);
	}
}

/* how to begin anew: a --restart that was interrupted is itself resumed */
static const char *
anew_hint(void)
{
	return command.options->restart ? "Use --truncate to load all documents again." :
		"Use --restart to load the file from its beginning again.";
}

/*
 * report_lost - say that so many documents that were loaded of a file are in the table no more,
 * and give up
 */
void
report_lost(const Collection *collection, const char *count)
{
	pg_log_error("table %s has lost documents that were loaded from \"%s\"",
				 collection->table.target, collection->input.name);
	pg_log_error_detail("%s documents of the file are neither in the table nor rejected.", count);
	pg_log_error_hint("%s", command.options->generate_id ?
					  "If only the file's time is new, set it back: ids are made of it.  Else use "
					  "--truncate to load all documents again." : anew_hint());
	give_up();
}

/* the run of this file that can be resumed or is finished: see find_run.sql */
static PGresult *
query_run(PGconn *conn, const Collection *collection)
{
	const Check *check = &collection->progress->check;
	const Table *table = &collection->table;
	const char *const values[] = {
		table->target, collection->input.name, int64_text(check->size),
		int64_text(check->checksum), options_text(), cleared_text()
	};

	return query(conn, lengthof(values), values, fill_in(find_run_sql, table));
}

/* find_begun - find the name of the same command, if it began this file, and whether it ended */
void
find_begun(PGconn *conn, Collection *collection)
{
	PGresult   *old = query_run(conn, collection);

	if (PQntuples(old) == 1)
	{
		collection->table.run.command = get_value(old, 0, 8);
		collection->table.run.interrupted = is_true(old, 0, 9);
	}
	PQclear(old);
}

/* find the run of this file that can be resumed or is finished, or record a new one */
static void
find_run(PGconn *conn, Collection *collection)
{
	const InputFile *input = &collection->input;
	Table	   *table = &collection->table;
	PGresult   *old = query_run(conn, collection);

	if (PQntuples(old) == 0)
		insert_run(conn, collection);
	else if (!is_true(old, 0, 1))
	{
		pg_log_error("the load of a different file \"%s\" into table %s was interrupted",
					 input->name, table->target);
		pg_log_error_detail("That file has %s bytes; %s of its documents have been read.",
							PQgetvalue(old, 0, 5), PQgetvalue(old, 0, 4));
		pg_log_error_hint("Finish it with that file.  To forget it, use --truncate, or --restart "
						  "to keep the rows of the table.");
		give_up();
	}
	else if (!is_true(old, 0, 6))
	{
		pg_fatal_hint("Finish it with the same --upsert and --generate-id as before, or use "
					  "--restart to forget it.",
					  "the load of \"%s\" into table %s with other options was interrupted",
					  input->name, table->target);
	}
	else if (table->run.created && strcmp(PQgetvalue(old, 0, 7), "0") != 0)
		report_lost(collection, PQgetvalue(old, 0, 7));
	else
	{
		table->run.number = get_value(old, 0, 0);
		table->run.history = is_true(old, 0, 2) ?
			psprintf("already loaded on %s (run %s)", PQgetvalue(old, 0, 3), table->run.number) :
			psprintf("continuing run %s after %s documents", table->run.number,
					 PQgetvalue(old, 0, 4));
	}
	PQclear(old);
}

/*
 * read_record - read the parts of the run, and how far they are.  Ids for the documents of
 * standard input are of the time of its first load, because it has no other.
 */
void
read_record(PGconn *conn, const Collection *collection)
{
	Progress   *progress = collection->progress;
	const Table *table = &collection->table;
	PGresult   *result = query(conn, 1, (const char *const *) &table->run.number,
							   fill_in(read_record_sql, table));
	int64		end = 0;
	bool		whole = true;

	if (PQntuples(result) == 0)
		pg_fatal("table %s has no run %s", table->imports, table->run.number);
	progress->parts = Min(PQntuples(result), MAX_JOBS);
	for (int i = 0; i < progress->parts; i++)
	{
		Part	   *part = &progress->part[i];
		int64	   *const numbers[] = {
			&part->start, &part->end, &part->first, &part->next, &part->documents,
			&part->rejected, &part->changed, &part->equal
		};

		for (int j = 0; j < (int) lengthof(numbers); j++)
			*numbers[j] = strtoll(PQgetvalue(result, i, j), NULL, 10);
		part->complete = is_true(result, i, 8);
		whole &= part->start == end;
		end = part->end;
		progress->without_id |= is_true(result, i, 9);
		progress->duplicate |= is_true(result, i, 10);
		if (collection->input.file)
			progress->check.ids.time = (uint32) strtoul(PQgetvalue(result, i, 11), NULL, 10);
	}
	PQclear(result);
	if (!whole || end != progress->check.size)
		pg_fatal_hint(anew_hint(),
					  "table %s has not all parts of run %s", table->imports, table->run.number);
}

/* prepare_record - find or record the run, and read its record */
void
prepare_record(PGconn *conn, Collection *collection)
{
	forget_runs(conn, collection);
	find_run(conn, collection);
	read_record(conn, collection);
}

/*
 * move_record - record the progress of a part, in the transaction of its documents.  If the
 * record is not where this process left it, another one has moved it.
 */
Outcome
move_record(PGconn *conn, const Collection *collection, const Part *from, const Part *to)
{
	const Table *table = &collection->table;
	const Progress *progress = collection->progress;
	const char *const values[] = {
		table->run.number, int64_text(from - progress->part), int64_text(from->next),
		int64_text(to->next), int64_text(to->documents), int64_text(to->rejected),
		to->complete ? "t" : "f", int64_text(to->changed), int64_text(to->equal),
		progress->without_id ? "t" : "f", progress->duplicate ? "t" : "f"
	};
	char	   *sql = fill_in(move_record_sql, table);
	Outcome		outcome = lock_checked(conn, table, table->imports);
	PGresult   *result;

	if (outcome != LOADED)
		return outcome;
	result = PQexecParams(conn, sql, lengthof(values), NULL, values, NULL, NULL, 0);
	outcome = classify_result(conn, result, table->target);
	if (outcome == NOT_LOADED)
		fail(conn, result, table->target, NULL);
	if (outcome == LOADED && strcmp(PQcmdTuples(result), "1") != 0)
		pg_fatal("another process has continued this load, or its record in table %s is missing",
				 table->imports);
	PQclear(result);
	pg_free(sql);
	return outcome;
}
