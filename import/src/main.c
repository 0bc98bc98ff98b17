/*-------------------------------------------------------------------------
 *
 * main.c
 *	  objectid-import loads what mongodump and mongoexport write.
 *
 * Each collection is a file, and becomes a table (dump.c).  A load
 * - names the tables, and locks them against other loads (target.c);
 * - reads each file as a whole, to find damage and the type of its keys (check.c);
 * - creates the tables, and finds in the record how far an interrupted load has
 *   come (journal.c), which it resumes; or clears them first, with --drop,
 *   --truncate or --restart;
 * - loads each file in batches (load.c).  Each is a transaction, which also
 *   records how far the load has come;
 * - reads from the record whether all has been loaded, and reports it (report.c).
 *
 * --verify compares the documents with the rows instead (compare.c), --dry-run
 * only converts them, and --schema-only prints statements (script.c).
 *
 * Several processes check, load or compare collections, and parts of them
 * (parallel.c).  An error ends the work on one collection; a lost connection
 * and a signal end all of it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <fcntl.h>
#include <unistd.h>

#include "command.h"
#include "load/load.h"
#include "message.h"
#include "parallel.h"
#include "schema/schema.h"

static PGconn *lock_conn;		/* its transaction holds the locks to the end */
static PGconn *main_conn;		/* NULL while other processes load */
static const char *snapshot;	/* that --verify reads */
static bool many_rejected;		/* more than may be */

#define state_of(collection) ((collection)->progress->state)

static PGconn *
connect_server(void)
{
	return open_connection(&command.options->connection);
}

static void
disconnect(void)
{
	if (main_conn)
		PQfinish(main_conn);
	main_conn = NULL;
}

static void
end_transaction(void)
{
	if (main_conn && PQtransactionStatus(main_conn) != PQTRANS_IDLE)
		execute(main_conn, "ROLLBACK");
}

static void
exit_if_interrupted(void)
{
	if (!interrupted)
		return;
	pg_log_error("interrupted");
	pg_log_error_hint("%s", resume_hint);
	exit(130);
}

/*
 * the parts of all collections have numbers; a check, which is done once for
 * a file, changes how many there are
 */
#define collection_of(part) (&command.collections[(part) / MAX_JOBS])

static bool
is_open(int part)
{
	const Progress *progress = collection_of(part)->progress;
	int			n = part % MAX_JOBS;

	if (command.phase == CHECKING)
		return n == 0 && progress->state == PENDING;
	return n < progress->parts && progress->state == PENDING && !progress->part[n].complete;
}

/* libpq's connection cannot be shared with another process, and one is needed after an error */
static void
begin_part(int unused pg_attribute_unused())
{
	if (command.phase > TRYING && main_conn == NULL)
		main_conn = connect_server();
}

/* check a file, or try, load or verify a part of it, and note how long that takes */
static void
work_on_part(int part)
{
	const Collection *collection = collection_of(part);
	Progress   *progress = collection->progress;
	int			n = part % MAX_JOBS;
	double		start = monotonic_time();

	if (command.phase == CHECKING)
	{
		const Options *options = command.options;

		/*
		 * the dry run prints the reasons of a whole file, and of two
		 * documents with the same key, --upsert keeps the last
		 */
		check_file(&collection->input, progress,
				   options->action == DRY_RUN || options->upsert ? 1 : options->jobs);
		return;
	}
	if (command.phase == TRYING)
		try_part(collection, n);
	else if (command.phase == LOADING)
		load_part(main_conn, collection, n);
	else
	{
		import_snapshot(main_conn, snapshot);
		verify_part(main_conn, collection, n);
		execute(main_conn, "COMMIT");
	}
	progress->seconds = Max(progress->seconds, monotonic_time() - start);
}

/*
 * After an error, the next part gets this connection, if it can be used, because the server may
 * count it for a while after its end.
 */
static void
leave_part(int part)
{
	if (command.phase == CHECKING)
		state_of(collection_of(part)) = REFUSED;
	if (command.phase == LOADING && main_conn && PQtransactionStatus(main_conn) != PQTRANS_IDLE)
		PQclear(PQexec(main_conn, "ROLLBACK"));
	if (main_conn && (is_lost(main_conn, NULL) || PQtransactionStatus(main_conn) != PQTRANS_IDLE))
		disconnect();
}

/*
 * Check, try, load or verify all files, as many parts at a time as there are jobs.  A signal ends
 * it after a batch, or, if it only checks, at once.
 */
static void
run_phase(Phase phase)
{
	const Options *options = command.options;
	const Work	work = {
		.count = command.count * MAX_JOBS,.jobs = options->jobs,
		.is_open = is_open,.begin = begin_part,.step = work_on_part,.leave = leave_part,
		.watch = options->progress ? show_progress : NULL
	};

	command.phase = phase;
	if (phase > TRYING)
		handle_signals();
	if (count_open(&work) <= 1 && !options->progress)
		do_alone(&work);
	else
	{
		/* there are as many connections as jobs, and one for the locks */
		disconnect();
		do_parallel(&work);
		if (options->progress && isatty(STDERR_FILENO))
			fputc('\n', stderr);
	}
	exit_if_interrupted();
	for_each_collection(collection)
		if (state_of(collection) == PENDING && is_complete(collection->progress))
		state_of(collection) = DONE;
}

/* refuse a damaged file, after a message.  Returns whether it is one. */
static bool
refuse_damaged(Collection *collection, bool loaded)
{
	if (state_of(collection) != DAMAGED_FILE)
		return false;
	report_damage(collection, loaded);
	state_of(collection) = REFUSED;
	return true;
}

/* check all files; a pipe is a file from now on */
static void
check_all(void)
{
	for_each_collection(collection)
		spool_input(&collection->input, command.options->progress ? show_pipe : NULL);
	run_phase(CHECKING);
	for_each_collection(collection)
		if (!refuse_damaged(collection, false) && !collection->progress->check.done)
		state_of(collection) = REFUSED;
}

static void
name_all(void)
{
	lock_conn = connect_server();
	name_tables(lock_conn);
	sort_collections();
}

/* name and lock the tables, in a transaction that stays open */
static void
lock_all(void)
{
	const char *locked = NULL;

	name_all();
	begin(lock_conn, "");
	for_each_collection(collection)
	{
		/* they are sorted by schema */
		if (locked == NULL || strcmp(collection->table.schema, locked) != 0)
			lock_target(lock_conn, &collection->table, command.count > 1);
		locked = collection->table.schema;
	}
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

/*
 * Read from the server what has been loaded from a file, because a process that ended without an
 * error may not have come to the end of its part.
 */
static void
confirm_load(PGconn *conn, Collection *collection)
{
	const Table *table = &collection->table;
	const Progress *progress = collection->progress;
	int			parts = progress->parts;
	PGresult   *result;
	bool		same;

	if (PQtransactionStatus(conn) == PQTRANS_IDLE)
		begin(conn, FIND_ONLY_CATALOG);
	read_record(conn, collection);
	if (progress->parts != parts || !is_complete(progress))
		give_up();
	result = inspect_table(conn, table);
	same = PQntuples(result) == 1 && strcmp(PQgetvalue(result, 0, 7), table->key.identity) == 0;
	if (same && strcmp(PQgetvalue(result, 0, 8), table->key.storage) == 0)
		return;

	/* somebody may have replaced the table, or have emptied it */
	execute(conn, "ROLLBACK");
	check_loaded(conn, collection);
	if (!same)
		pg_fatal_hint("Use --truncate to load all documents again.",
					  "table %s, or its column \"doc\", was replaced during the load",
					  table->target);
}

/*
 * Report how the load of a file has ended.  Sets *missing if documents are missing for an unknown
 * reason.
 */
static void
conclude(Collection *collection, bool *missing)
{
	const InputFile *input = &collection->input;

	limit_rejected(collection, false);
	if (refuse_damaged(collection, true))
		return;
	if (state_of(collection) == STOPPED)
		report_stop(collection);
	else if (!try_step(main_conn, confirm_load, collection))
	{
		end_transaction();
		pg_log_error("not all of \"%s\" has been loaded into table %s", input->path,
					 collection->table.target);
		*missing |= !is_complete(collection->progress);
	}
	else if (has_changed(input))
	{
		pg_log_error("file \"%s\" has changed since this load began", input->path);
		pg_log_error_detail("What is loaded is the file as it was before.");
		pg_log_error_hint("Run the same command again to load the new one.");
	}
}

/* check that the tables still have what was loaded of the files before, and say what that was */
static void
check_history(void)
{
	for_each_collection(collection)
	{
		if (state_of(collection) == REFUSED || collection->table.run.history == NULL)
			continue;
		if (try_step(main_conn, check_loaded, collection))
			pg_log_info("%s: %s", collection->input.name, collection->table.run.history);
		else
			state_of(collection) = REFUSED;
		end_transaction();
	}
}

/* report how the loads have ended, and update statistics */
static void
conclude_all(void)
{
	bool		missing = false;

	for_each_collection(collection)
	{
		if (state_of(collection) == REFUSED)
			continue;
		if (main_conn == NULL)
			main_conn = connect_server();
		conclude(collection, &missing);
	}
	end_transaction();
	if (missing)
		pg_log_error_hint("%s", resume_hint);
	else if (!failed)
		resume_hint = "All documents have been loaded.";
	for_each_collection(collection)
		if (state_of(collection) != REFUSED && is_complete(collection->progress))
		analyze(main_conn, &collection->table);
}

/* Load all files.  A connection that fails is reported before large files are read. */
static void
load_all(void)
{
	lock_all();
	check_all();
	guess_id_types();
	main_conn = connect_server();
	prepare_tables(main_conn);
	check_history();
	run_phase(LOADING);
	conclude_all();
	many_rejected = report_load();
}

static void
try_all(void)
{
	for_each_collection(collection)
		collection->table.target = unconstify(char *, collection->input.path);
	check_all();
	run_phase(TRYING);
	for_each_collection(collection)
		refuse_damaged(collection, false);
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
	bool		complete = true;

	if (state_of(collection) == DONE && collection->table.exists)
		complete = try_step(lock_conn, find_extra, collection);
	exit_if_interrupted();
	progress->seconds += monotonic_time() - start;
	if (state_of(collection) != DAMAGED_FILE && has_changed(&collection->input))
	{
		progress->damage.changed = true;
		state_of(collection) = DAMAGED_FILE;
	}
	if (refuse_damaged(collection, false))
		return;
	if (state_of(collection) != DONE || !complete)
	{
		pg_log_error("not all of \"%s\" has been compared with table %s",
					 collection->input.path, collection->table.target);
		state_of(collection) = REFUSED;
	}
}

static void
check_target(PGconn *conn, Collection *collection)
{
	check_owners(conn, &collection->table);
	if (collection->table.exists)
		read_key_type(conn, &collection->table);
}

/* compare all files with their tables, and print the result */
static void
verify_all(void)
{
	int			different = 0;

	name_all();
	check_all();
	snapshot = take_snapshot(lock_conn);
	for_each_collection(collection)
		if (!try_step(lock_conn, check_target, collection))
		state_of(collection) = REFUSED;
	run_phase(VERIFYING);
	for_each_collection(collection)
		if (state_of(collection) != REFUSED)
		complete_comparison(collection);
	for_each_collection(collection)
		if (state_of(collection) != REFUSED && report_comparison(collection, &many_rejected))
		different++;
	if (different > 0)
	{
		pg_log_error("%d of %d tables differ from the dump", different, command.count);
		if (!command.options->verbose)
			pg_log_error_hint("Use --verbose to print the first keys.");
	}
}

/* what the database has, for a script; without a server, nothing but the extension */
static Database *
read_server(void)
{
	static Database offline =
	{
		.ids = ""
	};

	require_new_file();
	if (command.options->offline)
		return &offline;
	return open_database(connect_server());
}

/* print a script for the schema that is in all files, if none is damaged */
static void
print_schema(void)
{
	const Options *options = command.options;
	Database   *database = read_server();
	Fields	   *fields = pg_malloc0(command.count * sizeof(Fields));
	bool		damaged = false;

	for_each_collection(collection)
		find_schema(database, &collection->table);
	sort_collections();
	if (options->post_data)
	{
		print_post_data(database);
		return;
	}
	for_each_collection(collection)
	{
		Fields	   *found = &fields[collection - command.collections];

		spool_input(&collection->input, options->progress ? show_pipe : NULL);
		read_fields(&collection->input, found, collection->progress);
		collection->progress->check.id_type = choose_key(found);
		collection->progress->check.empty = choose_key(found) == ID_UNKNOWN;
		damaged |= refuse_damaged(collection, false);
	}
	if (damaged)
		return;
	guess_id_types();
	print_pre_data(database, fields);
}

static void
print_tables(void)
{
	print_to_tables(read_server());
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

	find_collections();
	progress = share_memory(command.count * sizeof(Progress));
	compared = verify ? share_memory(command.count * options->jobs * sizeof(Comparison)) : NULL;
	for (int i = 0; i < command.count; i++)
	{
		progress[i].parts = 1;
		command.collections[i].progress = &progress[i];
		command.collections[i].compared = compared + (verify ? i * options->jobs : 0);
	}
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
		[PRINT_SCHEMA] = print_schema,[TO_TABLES] = print_tables
	};

	/*
	 * a connection cannot take the place of one that is closed, which cannot
	 * be used
	 */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
	pg_logging_init(argv[0]);
	bson_mem_set_vtable(&allocator);
	command.options = parse_options(argc, argv);
	start_parallel();
	if (command.options && command.options->action == UNPACK)
		unpack_archive(command.options->paths[0], command.options->unpack);
	else if (command.options)
	{
		resume_hint = command.options->action == LOAD ?
			"Run the same command again to resume the load." :
			"Nothing has been changed: run the same command again.";
		if (command.options->action != TO_TABLES)
			find_all();
		actions[command.options->action] ();
	}
	if (fflush(stdout) != 0 || ferror(stdout))
		pg_fatal("could not write to standard output: %m");
	if (failed)
		exit(1);
	/* without options, it was --help or --version */
	exit(!command.options || !many_rejected ? 0 : command.options->max_rejected < 0 ? 3 : 1);
}
