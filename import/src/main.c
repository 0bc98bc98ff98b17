/*-------------------------------------------------------------------------
 *
 * main.c
 *	  objectid-import loads what mongodump and mongoexport write.
 *
 * A regular file is read twice: first to find damage, then to load it in batches.
 * Each batch is a transaction, which also records how far the load has come, so
 * that the next run resumes it.  A pipe is loaded in a single transaction.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <fcntl.h>
#include <unistd.h>

#include "command.h"
#include "parallel.h"

Command		command;

static Connection *lock_conn;	/* its transaction holds the locks to the end */
static Connection *main_conn;	/* NULL while other processes load */
static Source *pipe_source;		/* what is loaded, if it is a pipe */
static const char *snapshot;	/* that --verify reads */
static bool many_rejected;		/* more than may be */

/* how many tables are prepared in one transaction, which needs locks for them */
#define PREPARED_TOGETHER 8

#define for_each_collection(collection) \
	for (Collection *(collection) = command.collections; \
		 (collection) < command.collections + command.count; (collection)++)

/* how far the work on a collection is */
typedef enum State
{
	PENDING,
	REFUSED,
	BAD_FILE,					/* and where has been noted */
	STOPPED,					/* too many documents are rejected */
	DONE
} State;

static State
state_of(const Collection *collection)
{
	const Progress *progress = collection->progress;

	return collection->refused ? REFUSED : progress->damage.what[0] ? BAD_FILE :
		progress->stop[0] ? STOPPED : is_complete(progress) ? DONE : PENDING;
}

/* before each batch */
static bool
may_continue(void)
{
	if (command.options->progress && is_main_process())
		show_progress();
	return !interrupted;
}

static Connection *
connect_server(void)
{
	return open_connection(command.options, command.resume_hint, may_continue);
}

static void
exit_if_interrupted(void)
{
	if (!interrupted)
		return;
	pg_log_error("interrupted");
	pg_log_error_hint("%s", command.resume_hint);
	exit(130);
}

/*
 * the parts of all collections have numbers; a check, which is done once for
 * a file, changes how many there are
 */
#define collection_of(part) (&command.collections[(part) / MAX_JOBS])

static bool
is_unchecked(int part)
{
	return part % MAX_JOBS == 0 && state_of(collection_of(part)) == PENDING;
}

static bool
is_open(int part)
{
	const Collection *collection = collection_of(part);
	int			n = part % MAX_JOBS;

	return n < collection->progress->parts && state_of(collection) == PENDING &&
		!collection->progress->part[n].complete;
}

/* check a file, or, because it can be read only once, open a pipe */
static void
check_part(int part)
{
	const Options *options = command.options;
	const Collection *collection = collection_of(part);
	const InputFile *input = &collection->input;
	double		start = monotonic_time();

	if (options->action == DRY_RUN)
	{
		dry_run(input, collection->progress, options->id_type, options->generate_id);
		collection->progress->seconds = monotonic_time() - start;
	}
	else if (input->stream)
		pipe_source = open_pipe(input, collection->progress);
	else
		check_file(input, collection->progress, (int) options->jobs);
}

/* load or verify a part, and note how long that takes */
static void
work_on_part(int part)
{
	const Collection *collection = collection_of(part);
	Progress   *progress = collection->progress;
	double		start = monotonic_time();

	/* libpq's connection cannot be shared with another process */
	if (main_conn == NULL)
		main_conn = connect_server();
	if (command.options->action == LOAD)
		load_part(main_conn, collection, part % MAX_JOBS, pipe_source);
	else
	{
		import_snapshot(main_conn, snapshot);
		verify_part(main_conn, collection, part % MAX_JOBS, pipe_source);
		execute(main_conn, "COMMIT");
	}
	progress->seconds = Max(progress->seconds, monotonic_time() - start);
}

/*
 * Check, load or verify all files, as many parts at a time as there are jobs.  A signal ends it,
 * unless it only checks, or reads a pipe.
 */
static void
run_phase(Phase phase)
{
	const Options *options = command.options;
	bool		stream = command.collections->input.stream;
	const Work	work = {
		.count = command.count * MAX_JOBS,.jobs = (int) options->jobs,
		.is_open = phase == CHECKING ? is_unchecked : is_open,
		.step = phase == CHECKING ? check_part : work_on_part,
		.watch = options->progress ? show_progress : NULL,.hint = command.resume_hint
	};

	command.phase = phase;
	if (phase != CHECKING && !stream)
		handle_signals();
	if (stream || (count_open(&work) <= 1 && !options->progress))
		do_alone(&work);
	else
	{
		/* there are as many connections as jobs, and one for the locks */
		if (main_conn)
			PQfinish(main_conn->pg);
		main_conn = NULL;
		do_parallel(&work);
		if (options->progress && isatty(STDERR_FILENO))
			fputc('\n', stderr);
	}
	exit_if_interrupted();
}

/* check all files, or try what a load of them would do */
static void
check_all(void)
{
	run_phase(CHECKING);
	for_each_collection(collection)
	{
		if (state_of(collection) == BAD_FILE)
			report_damage(collection, false);
		collection->refused = state_of(collection) == BAD_FILE ||
			!collection->progress->check.done;
	}
}

/*
 * Name and lock the tables, in a transaction that stays open.  --verify locks them later, against
 * less.
 */
static void
lock_all(void)
{
	const char *locked = NULL;

	lock_conn = connect_server();
	name_tables(lock_conn, command.collections, command.count);
	if (command.options->action == VERIFY)
		return;
	begin(lock_conn, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
	for_each_collection(collection)
	{
		/* they are sorted by schema */
		if (locked == NULL || strcmp(collection->table.schema, locked) != 0)
			lock_target(lock_conn, &collection->table, command.count > 1);
		locked = collection->table.schema;
	}
}

/*
 * With --truncate, or with --drop if foreign keys hold the tables together: truncate or drop all
 * tables in one transaction.  Else each table is dropped and created in one transaction, because
 * a large one would need many locks.  Returns whether it has cleared them.
 */
static bool
clear_together(void)
{
	bool		several = command.count > 1;
	bool		together = several && command.options->truncate;

	for_each_collection(collection)
	{
		if (state_of(collection) != PENDING)
			continue;
		require_objectid(main_conn, collection);
		together |= several &&
			has_rows(main_conn, collection->table.target,
					 "SELECT FROM pg_constraint WHERE contype = 'f' AND "
					 "confrelid = to_regclass($1) AND conrelid <> confrelid LIMIT 1");
	}
	if (together)
		clear_tables(main_conn, command.collections, command.count);
	return together;
}

/* prepare the tables of all files that can be loaded */
static void
prepare_tables(void)
{
	const Options *options = command.options;
	bool		stream = command.collections->input.stream;
	bool		together;
	int			prepared = 0;

	main_conn = connect_server();
	begin_preparation(main_conn);
	together = (options->drop || options->truncate) && clear_together();
	for_each_collection(collection)
	{
		if (state_of(collection) != PENDING)
			continue;
		if (together)
			prepare_target(main_conn, collection);
		else if (stream)
			collection->refused = !succeeds(main_conn, prepare_target, collection);
		else
		{
			if (prepared++ % PREPARED_TOGETHER == 0 && prepared > 1)
			{
				execute(main_conn, "COMMIT");
				begin_preparation(main_conn);
			}
			execute(main_conn, "SAVEPOINT prepared");
			collection->refused = !succeeds(main_conn, prepare_target, collection);
			execute(main_conn, collection->refused ? "ROLLBACK TO SAVEPOINT prepared" :
					"RELEASE SAVEPOINT prepared");
		}
	}
	/* the transaction of a pipe goes on */
	if (!stream || command.collections->refused)
		execute(main_conn, stream ? "ROLLBACK" : "COMMIT");
}

/*
 * Take the keys of files without documents to be of the type that most other files of their
 * database have, unless one is specified.
 */
static void
guess_id_types(void)
{
	IdType		wanted = command.options->id_type;

	for_each_collection(collection)
	{
		Check	   *check = &collection->progress->check;
		int			seen[ID_TYPES] = {0};

		for_each_collection(sibling)
			if (!sibling->progress->check.empty &&
				strcmp(collection->table.schema, sibling->table.schema) == 0)
			seen[sibling->progress->check.id_type]++;
		if (wanted != ID_UNKNOWN)
			check->id_type = wanted;
		else if (check->empty)
			check->id_type = most_frequent(seen);
	}
}

/* check that the table still has what was loaded of a file */
static void
check_loaded(Connection *conn, Collection *collection)
{
	int64		lost = count_lost(conn, collection);

	if (lost > 0)
		report_lost(conn, collection, int64_text(lost));
}

/*
 * Read from the server what has been loaded from a file, because a process that ended without an
 * error may not have come to the end of its part.  The load of a pipe is confirmed by its COMMIT,
 * unless the answer to that is missing.
 */
static void
confirm_load(Connection *conn, Collection *collection)
{
	const Table *table = &collection->table;
	const Progress *progress = collection->progress;
	int			parts = progress->parts;
	PGresult   *result;

	if (collection->input.stream && is_complete(progress))
		return;
	if (PQtransactionStatus(conn->pg) == PQTRANS_IDLE)
		begin(conn, FIND_ONLY_CATALOG);
	read_record(conn, collection);
	if (progress->parts != parts || !is_complete(progress))
		give_up(conn);
	result = inspect_table(conn, table);
	if (PQntuples(result) == 1 && strcmp(PQgetvalue(result, 0, 7), table->identity) == 0)
		return;

	/* somebody may have replaced the table, or have emptied it */
	execute(conn, "ROLLBACK");
	check_loaded(conn, collection);
}

/* is a file another than the one that was found? */
static bool
has_changed(const InputFile *input)
{
	struct stat status;

	return !input->stream && stat(input->path, &status) == 0 && !is_same_file(input, &status);
}

/*
 * Report how the load of a file has ended.  Sets *missing if documents are missing for an unknown
 * reason.
 */
static void
conclude(Collection *collection, bool *missing)
{
	const InputFile *input = &collection->input;

	limit_rejected(collection, command.options->max_rejected, false);
	if (state_of(collection) == BAD_FILE)
	{
		report_damage(collection, true);
		collection->refused = true;
	}
	else if (state_of(collection) == STOPPED)
	{
		report_stop(collection);
		/* any other can be resumed */
		collection->refused = input->stream;
	}
	else if (!succeeds(main_conn, confirm_load, collection))
	{
		if (PQtransactionStatus(main_conn->pg) != PQTRANS_IDLE)
			execute(main_conn, "ROLLBACK");
		pg_log_error("not all of \"%s\" has been loaded into table %s", display_path(input),
					 collection->table.target);
		*missing = true;
	}
	else if (has_changed(input))
	{
		pg_log_error("file \"%s\" has changed since this load began", input->path);
		pg_log_error_detail("What is loaded is the file as it was before.");
		pg_log_error_hint("Run the same command again to load the new one.");
	}
}

/*
 * Update the statistics of a table; that it fails does not undo the load.  Those of "doc" take
 * long, and serve few queries.  But only without a list of columns are the expressions of indexes
 * analyzed.
 */
static void
analyze(Connection *conn, const Table *table)
{
	const char *sql = psprintf("SET LOCAL client_min_messages = error; "
							   "SET LOCAL synchronous_commit = off; ANALYZE %s%s; COMMIT",
							   table->target, table->analyzed);
	PGresult   *result = PQexec(conn->pg, begin_statement(conn, sql));

	if (PQresultStatus(result) != PGRES_COMMAND_OK)
	{
		pg_log_warning("could not analyze table %s: %s", table->target,
					   error_message(conn->pg, result));
		PQclear(PQexec(conn->pg, "ROLLBACK"));
	}
	PQclear(result);
}

/*
 * load all files, after a check that the tables still have what was loaded of them before
 */
static void
load_parts(void)
{
	bool		missing = false;

	for_each_collection(collection)
	{
		if (collection->refused || collection->table.run.history == NULL)
			continue;
		collection->refused = !succeeds(main_conn, check_loaded, collection);
		if (!collection->refused)
			pg_log_info("%s: %s", collection->input.name, collection->table.run.history);
	}
	run_phase(LOADING);
	if (main_conn == NULL)
		main_conn = connect_server();
	for_each_collection(collection)
		if (!collection->refused)
		conclude(collection, &missing);
	if (PQtransactionStatus(main_conn->pg) != PQTRANS_IDLE)
		execute(main_conn, "ROLLBACK");
	if (missing)
		pg_log_error_hint("%s", command.resume_hint);
	else if (!failed)
		main_conn->resume_hint = "All documents have been loaded.";
	for_each_collection(collection)
		if (!collection->refused && is_complete(collection->progress))
		analyze(main_conn, &collection->table);
}

/*
 * Load all files.  A connection that fails is reported before large files are read.
 */
static void
load_all(void)
{
	lock_all();
	check_all();
	guess_id_types();
	prepare_tables();
	load_parts();
	many_rejected = report_load();
}

static void
try_all(void)
{
	check_all();
	many_rejected = report_load();
}

/*
 * Count the table's other rows, if all documents of a file have been compared; else refuse it,
 * after a message.
 */
static void
complete_comparison(Collection *collection)
{
	Progress   *progress = collection->progress;
	double		start = monotonic_time();

	if (state_of(collection) == DONE && collection->table.exists)
		find_extra(lock_conn, collection);
	exit_if_interrupted();
	progress->seconds += monotonic_time() - start;
	if (state_of(collection) != BAD_FILE && has_changed(&collection->input))
	{
		strlcpy(progress->damage.what, "it has changed", sizeof(progress->damage.what));
		progress->damage.changed = true;
	}
	if (state_of(collection) == BAD_FILE)
		report_damage(collection, false);
	else if (state_of(collection) != DONE)
		pg_log_error("not all of \"%s\" has been compared with table %s",
					 display_path(&collection->input), collection->table.target);
	collection->refused = state_of(collection) != DONE;
}

/* compare all files with their tables, and print the result */
static void
verify_all(void)
{
	int			different = 0;

	lock_all();
	check_all();
	snapshot = take_snapshot(lock_conn, command.collections, command.count);
	run_phase(VERIFYING);
	for_each_collection(collection)
		if (!collection->refused)
		complete_comparison(collection);
	for_each_collection(collection)
		if (!collection->refused && report_comparison(collection, &many_rejected))
		different++;
	if (different > 0)
	{
		pg_log_error("%d of %d tables differ from the dump", different, command.count);
		if (!command.options->verbose)
			pg_log_error_hint("Use --verbose to print the first keys.");
	}
}

/* print the schema that is in all files, if none is damaged */
static void
print_schema(void)
{
	const Options *options = command.options;
	bool		first = options->section && strcmp(options->section, "pre-data") == 0;
	Fields	   *fields = pg_malloc0(command.count * sizeof(Fields));
	FILE	   *hashes = first ? NULL : tmpfile();
	bool		damaged = false;

	if (!first && hashes == NULL)
		pg_fatal("could not create a temporary file: %m");
	for_each_collection(collection)
	{
		Fields	   *found = &fields[collection - command.collections];

		/* without a server, there is no search path */
		if (collection->table.schema == NULL)
			collection->table.schema = pg_strdup("public");
		found->hashes = hashes;
		read_fields(&collection->input, found, &collection->progress->damage);
		if (state_of(collection) == BAD_FILE)
			report_damage(collection, false);
		damaged |= state_of(collection) == BAD_FILE;
	}
	if (damaged)
		return;
	if (hashes)
		find_targets(fields, command.count);
	print_script(options, command.collections, fields, command.count);
}

static void
unpack(void)
{
	unpack_archive(command.options->path, command.options->unpack);
}

/*
 * The collections, with their progress, and the results of --verify, in memory that all processes
 * share.
 */
static void
find_all(void)
{
	const Options *options = command.options;
	bool		verify = options->action == VERIFY;
	Progress   *progress;
	Comparison *compared;

	command.collections = find_collections(options, &command.count);
	progress = share_memory(command.count * sizeof(Progress));
	compared = verify ? share_memory(command.count * options->jobs * sizeof(Comparison)) : NULL;
	for (int i = 0; i < command.count; i++)
	{
		progress[i].parts = 1;
		command.collections[i].progress = &progress[i];
		command.collections[i].compared = compared + (verify ? i * options->jobs : 0);
	}
	command.resume_hint =
		verify ? "Nothing has been changed: run the same command again." :
		command.collections->input.stream ?
		"Nothing has been loaded: run the same command again." :
		options->drop || options->restart || options->truncate ?
		"Run the same command without --drop, --restart and --truncate to resume the load." :
		"Run the same command again to resume the load.";
}

static void *
allocate_zeroed(size_t count, size_t size)
{
	return pg_malloc0(count * size);
}

int
main(int argc, char **argv)
{
	/* libbson itself aborts if there is no memory */
	static const bson_mem_vtable_t allocator = {
		.malloc = pg_malloc,.calloc = allocate_zeroed,.realloc = pg_realloc,.free = pg_free
	};
	static void (*const actions[]) (void) = {
		[LOAD] = load_all,[DRY_RUN] = try_all,[VERIFY] = verify_all,
		[PRINT_SCHEMA] = print_schema,[UNPACK] = unpack
	};

	/* else a connection could take the place of standard output */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", O_RDONLY);
	pg_logging_init(argv[0]);
	bson_mem_set_vtable(&allocator);
	command.options = parse_options(argc, argv);
	start_parallel();
	if (command.options->action != UNPACK)
		find_all();
	actions[command.options->action] ();
	if (fflush(stdout) != 0 || ferror(stdout))
		pg_fatal("could not write to standard output: %m");
	exit(failed ? 1 : !many_rejected ? 0 : command.options->max_rejected < 0 ? 3 : 1);
}
