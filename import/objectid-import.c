/*-------------------------------------------------------------------------
 *
 * objectid-import.c
 *	  Load what mongodump and mongoexport write: the processes and the report.
 *
 * A regular file is read twice: first to find damage, then to load it in batches.
 * Each batch is a transaction, which also records how far the load has come, so
 * that the next run resumes it.  A pipe is loaded in a single transaction.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <time.h>

#include "fe_utils/mbprint.h"
#include "mb/pg_wchar.h"
#include "schema.h"

/* the phases of a load */
typedef enum Phase
{
	CHECKING, LOADING, VERIFYING
} Phase;

/* the only one: handle_interrupt() needs it */
static struct
{
	const Options *options;
	Collection *collections;
	int			count;
	const char *resume_hint;	/* what to do if the load ends early */
	Connection *lock_conn;		/* its transaction holds the locks to the end */
	Connection *conn;			/* NULL while other processes load */
	Source	   *pipe;			/* what is loaded, if it is a pipe */
	const char *snapshot;		/* that --verify reads */
	pid_t		main_process;
	pid_t		processes[MAX_JOBS];	/* that check or load, by slot; 0 if
										 * it is free */
	volatile sig_atomic_t interrupted;
	int		   *next;			/* in shared memory: the next part */
	bool		many_rejected;	/* more than may be */

	int			width;			/* of the first column of the report */

	/* for show_progress() */
	Phase		phase;
	double		begun;			/* when the progress of the phase was first
								 * read, or 0; */
	int64		done_before;	/* bytes at that time */
	double		shown;			/* when it was last shown */
}			load;

/* how many tables are prepared in one transaction, which needs locks for them */
#define PREPARED_TOGETHER 8

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

static const char *
report_name(const Collection *collection)
{
	return load.options->dry_run ? collection->input.name : collection->table.target;
}

static const char *
display_path(const InputFile *input)
{
	return input->stream ? "standard input" : input->path;
}

/*-------------------------------------------------------------------------
 * Progress
 *-------------------------------------------------------------------------
 */

/*
 * show_progress - show the progress of all processes: every second on a
 * terminal, else every ten
 */
static void
show_progress(void)
{
	static const char *const names[] = {"checking", "loading", "verifying"};
	bool		terminal = isatty(STDERR_FILENO);
	double		time = now();
	double		rate;
	int64		documents = 0;
	int64		done = 0;
	int64		all = 0;

	if (!load.options->progress || getpid() != load.main_process ||
		time - load.shown < (terminal ? 1 : 10))
		return;
	for (int i = 0; i < load.count; i++)
	{
		const InputFile *input = &load.collections[i].input;
		const Progress *progress = load.collections[i].progress;

		if (!input->stream)
			all += load.phase == CHECKING ? input->status.st_size : progress->check.size;
		if (load.phase == CHECKING)
			done += progress->check.position;
		for (int j = 0; j < progress->parts && load.phase != CHECKING; j++)
		{
			done += progress->part[j].next - progress->part[j].start;
			documents += progress->part[j].documents;
		}
	}
	load.shown = time;
	if (load.begun == 0)
	{
		load.begun = time;
		load.done_before = done;
		return;
	}
	rate = (double) (done - load.done_before) / (time - load.begun);
	fprintf(stderr, "%s%s: ", terminal ? "\r" : "", names[load.phase]);
	if (all > 0)
		fprintf(stderr, "%d %% of ", (int) (100.0 * (double) done / (double) all));
	fprintf(stderr, INT64_FORMAT " MB", Max(all, done) / 1000000);
	if (load.phase != CHECKING)
		fprintf(stderr, ", " INT64_FORMAT " documents", documents);
	fprintf(stderr, ", %.1f MB/s", rate / 1e6);
	if (all > 0 && rate > 0)
	{
		int			left = (int) ((double) (all - done) / rate);

		fprintf(stderr, ", %d:%02d left", left / 60, left % 60);
	}
	fputs(terminal ? "\033[K" : "\n", stderr);
}

/*-------------------------------------------------------------------------
 * Processes
 *-------------------------------------------------------------------------
 */

/*
 * handle_interrupt - finish what is begun; a second signal ends the program
 * at once
 */
static void
handle_interrupt(int signal_number)
{
	static const char message[] = PROGRAM ": finishing this batch; once more to stop at once\n";

	load.interrupted = 1;
	signal(signal_number, SIG_DFL);
	if (getpid() != load.main_process)
		return;
	if (write(STDERR_FILENO, message, sizeof(message) - 1) < 0)
		_exit(130);
	for (int i = 0; i < MAX_JOBS; i++)
		if (load.processes[i] > 0)
			kill(load.processes[i], SIGTERM);
}

/*
 * may_continue - before each batch
 */
static bool
may_continue(void)
{
	show_progress();
	return !load.interrupted;
}

static Connection *
connect_server(void)
{
	return open_connection(&load.options->load, load.resume_hint, may_continue);
}

/*
 * is_open - is a part to be checked, loaded or verified?
 *
 * Parts of all collections have numbers.  A check changes how many there are.
 */
static bool
is_open(int part)
{
	const Collection *collection = &load.collections[part / MAX_JOBS];
	const Progress *progress = collection->progress;
	int			n = part % MAX_JOBS;

	return !collection->skip && n < (load.phase == CHECKING ? 1 : progress->parts) &&
		!progress->part[n].complete;
}

/*
 * take_part - the next open part that no process has taken, or -1
 */
static int
take_part(void)
{
	int			part;

	do
		part = __atomic_fetch_add(load.next, 1, __ATOMIC_SEQ_CST);
	while (part < load.count * MAX_JOBS && !is_open(part));
	return part < load.count * MAX_JOBS ? part : -1;
}

/*
 * do_part - check, load or verify a part, and note how long that takes
 *
 * A pipe is not checked, but opened, because it can be read only once.
 */
static void
do_part(int part)
{
	const Collection *collection = &load.collections[part / MAX_JOBS];
	const InputFile *input = &collection->input;
	const LoadOptions *options = &load.options->load;
	Progress   *progress = collection->progress;
	double		start = now();

	/* libpq's connection cannot be shared with another process */
	if (load.phase != CHECKING && load.conn == NULL)
		load.conn = connect_server();
	if (load.options->dry_run)
		dry_run(input, progress, options->id_type, options->generate_id);
	else if (load.phase == CHECKING && input->stream)
		load.pipe = open_pipe(input, progress);
	else if (load.phase == CHECKING)
		check_file(input, progress, load.options->jobs);
	else if (load.phase == LOADING)
		load_part(load.conn, collection, part % MAX_JOBS, load.pipe);
	else
	{
		import_snapshot(load.conn, load.snapshot);
		verify_part(load.conn, collection, part % MAX_JOBS, load.pipe);
		execute(load.conn, "COMMIT");
	}
	progress->seconds = Max(progress->seconds, now() - start);
}

/*
 * start_process - do a part, and those that no other process takes after it,
 * in a process of its own
 */
static void
start_process(int part)
{
	int			slot = 0;
	pid_t		process;

	while (load.processes[slot] != 0)
		slot++;
	fflush(NULL);
	process = load.processes[slot] = fork();
	if (process < 0)
		pg_fatal("could not create a process: %m");
	if (process > 0)
	{
		/* the signal came before its number was known */
		if (load.interrupted)
			kill(process, SIGTERM);
		return;
	}
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	if (getppid() != load.main_process)
		exit(1);
	for (; part >= 0; part = load.interrupted ? -1 : take_part())
		do_part(part);
	exit(failed ? 1 : 0);
}

/*
 * wait_for_process - wait until one of the processes ends, and free its
 * slot
 */
static void
wait_for_process(void)
{
	int			status;
	int			slot = MAX_JOBS;
	pid_t		process;

	/* those of others end here, too: any orphan, as process 1 */
	while (slot == MAX_JOBS)
	{
		process = waitpid(-1, &status, load.options->progress ? WNOHANG : 0);
		if (process < 0 && errno != EINTR)
			pg_fatal("could not wait for a process: %m");
		if (process == 0)
			pg_usleep(100000);
		show_progress();
		for (slot = process > 0 ? 0 : MAX_JOBS;
			 slot < MAX_JOBS && load.processes[slot] != process;)
			slot++;
	}
	load.processes[slot] = 0;
	failed |= status != 0;
	if (WIFSIGNALED(status) && !load.interrupted)
	{
		/* any other has said why it failed */
		pg_log_error("%s", wait_result_to_str(status));
		pg_log_error_hint("%s", load.resume_hint);
	}
}

static void
exit_if_interrupted(void)
{
	if (!load.interrupted)
		return;
	pg_log_error("interrupted");
	pg_log_error_hint("%s", load.resume_hint);
	exit(130);
}

/*
 * run_phase - check, load or verify all files, as many parts at a time as
 * there are jobs
 *
 * A signal ends it, unless it only checks, or reads a pipe.
 */
static void
run_phase(Phase phase)
{
	bool		stream = load.collections->input.stream;
	bool		progress = load.options->progress;
	int			count = 0;
	int			running = 0;
	int			part;

	load.phase = phase;
	load.begun = 0;
	*load.next = 0;
	if (phase != CHECKING && !stream)
	{
		signal(SIGINT, handle_interrupt);
		signal(SIGTERM, handle_interrupt);
	}
	for (part = 0; part < load.count * MAX_JOBS; part++)
		count += is_open(part);
	if (stream || (count <= 1 && !progress))
	{
		if (count > 0 && !load.interrupted)
			do_part(take_part());
		exit_if_interrupted();
		return;
	}

	/* there are as many connections as jobs, and one for the locks */
	if (load.conn)
		PQfinish(load.conn->pg);
	load.conn = NULL;
	do
	{
		/* also in place of one that has failed */
		for (; running < load.options->jobs && !load.interrupted && (part = take_part()) >= 0;
			 running++)
			start_process(part);
		if (running > 0)
			wait_for_process();
	} while (running-- > 0);
	if (progress && isatty(STDERR_FILENO))
		fputc('\n', stderr);
	exit_if_interrupted();
}

/*-------------------------------------------------------------------------
 * Checking files, and preparing their tables
 *-------------------------------------------------------------------------
 */

static bool
is_damaged(const Collection *collection)
{
	return collection->progress->damage.what[0] != '\0';
}

/*
 * report_damage - say where a file is damaged, and what of it is loaded
 */
static void
report_damage(const Collection *collection, bool loaded)
{
	const InputFile *input = &collection->input;
	bool		verify = load.options->load.verify;
	const Damage *damage = &collection->progress->damage;

	if (damage->changed)
	{
		pg_log_error("file \"%s\" has changed since this %s began", input->path,
					 verify ? "comparison" : "load");
		if (verify)
			return;
		if (loaded)
			pg_log_error_detail("What is loaded is the file as it was before, "
								"up to byte " INT64_FORMAT ".", damage->at);
		else
			pg_log_error_detail("Nothing is loaded from it.");
		pg_log_error_hint("Load a file that nobody writes to%s.", loaded ?
						  "; use --restart if its contents are others than before" : "");
		return;
	}
	pg_log_error("file \"%s\" is damaged at byte " INT64_FORMAT "%s: %s", display_path(input),
				 damage->at,
				 damage->line > 0 ? psprintf(", in line " INT64_FORMAT, damage->line) : "",
				 damage->what);
	pg_log_error_detail("%s", verify ? "Nothing is verified of a damaged file." :
						load.options->schema_only ? "No statements are printed." :
						loaded && !input->stream ?
						"The documents before it have been loaded." :
						"Nothing is loaded from a damaged file.");
}

/*
 * lock_all - name and lock the tables, in a transaction that stays open
 *
 * --verify locks them later, against less.
 */
static void
lock_all(void)
{
	load.lock_conn = connect_server();
	name_tables(load.lock_conn, load.collections, load.count);
	if (load.options->load.verify)
		return;
	begin(load.lock_conn, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
	for (int i = 0; i < load.count; i++)
	{
		const Table *table = &load.collections[i].table;

		/* they are sorted by schema */
		if (i == 0 || strcmp(table->schema, load.collections[i - 1].table.schema) != 0)
			lock_target(load.lock_conn, table, load.count > 1);
	}
}

/*
 * clear_together - with --truncate, or with --drop if foreign keys hold the
 * tables together: truncate or drop all tables in one transaction
 *
 * Else each table is dropped and created in one transaction, because a
 * large one would need many locks.  Returns whether it has cleared them.
 */
static bool
clear_together(void)
{
	bool		together = load.options->load.truncate && load.count > 1;

	for (int i = 0; i < load.count; i++)
	{
		const Collection *collection = &load.collections[i];

		if (collection->skip)
			continue;
		require_objectid(load.conn, collection);
		together |= load.count > 1 &&
			has_rows(load.conn, collection->table.target,
					 "SELECT FROM pg_constraint WHERE contype = 'f' AND "
					 "confrelid = to_regclass($1) AND conrelid <> confrelid LIMIT 1");
	}
	if (together)
		clear_tables(load.conn, load.collections, load.count);
	return together;
}

/*
 * prepare_tables - prepare the tables of all files that can be loaded
 */
static void
prepare_tables(void)
{
	const LoadOptions *options = &load.options->load;
	bool		stream = load.collections->input.stream;
	bool		together;
	int			prepared = 0;

	begin_preparation(load.conn);
	together = (options->drop || options->truncate) && clear_together();
	for (int i = 0; i < load.count; i++)
	{
		Collection *collection = &load.collections[i];

		if (collection->skip)
			continue;
		if (together)
			prepare_target(load.conn, collection);
		else if (stream)
			collection->skip = !succeeds(load.conn, prepare_target, collection);
		else
		{
			if (prepared++ % PREPARED_TOGETHER == 0 && prepared > 1)
			{
				execute(load.conn, "COMMIT");
				begin_preparation(load.conn);
			}
			execute(load.conn, "SAVEPOINT prepared");
			collection->skip = !succeeds(load.conn, prepare_target, collection);
			execute(load.conn, collection->skip ? "ROLLBACK TO SAVEPOINT prepared" :
					"RELEASE SAVEPOINT prepared");
		}
	}
	/* the transaction of a pipe goes on */
	if (!stream || load.collections->skip)
		execute(load.conn, stream ? "ROLLBACK" : "COMMIT");
}

/*
 * guess_id_types - take the keys of files without documents to be of the type
 * that most other files of their database have, unless one is specified
 */
static void
guess_id_types(void)
{
	for (int i = 0; i < load.count; i++)
	{
		Check	   *check = &load.collections[i].progress->check;
		IdType		wanted = load.options->load.id_type;
		int			seen[ID_TYPES] = {0};

		if (wanted != ID_UNKNOWN)
			check->id_type = wanted;
		for (int j = 0; j < load.count && check->empty && wanted == ID_UNKNOWN; j++)
		{
			const Check *other = &load.collections[j].progress->check;

			if (!other->empty && strcmp(load.collections[i].table.schema,
										load.collections[j].table.schema) == 0 &&
				++seen[other->id_type] > seen[check->id_type])
				check->id_type = other->id_type;
		}
	}
}

/*
 * prepare_all - check all files, and prepare their tables to be loaded
 */
static void
prepare_all(void)
{
	bool		dry_run = load.options->dry_run;

	/* a connection that fails is reported before large files are read */
	if (!dry_run)
		lock_all();
	run_phase(CHECKING);
	for (int i = 0; i < load.count; i++)
	{
		Collection *collection = &load.collections[i];
		Progress   *progress = collection->progress;

		/* the report shows the time of the load */
		if (!dry_run)
			progress->seconds = 0;
		if (progress->check.done && is_damaged(collection))
			report_damage(collection, false);
		collection->skip = !progress->check.done || is_damaged(collection);
	}
	if (dry_run || load.options->load.verify)
		return;
	guess_id_types();
	load.conn = connect_server();
	prepare_tables();
}

/*-------------------------------------------------------------------------
 * Loading
 *-------------------------------------------------------------------------
 */

/*
 * is_complete - are all parts of a file loaded?
 */
static bool
is_complete(const Collection *collection)
{
	for (int i = 0; i < collection->progress->parts; i++)
		if (!collection->progress->part[i].complete)
			return false;
	return true;
}

/*
 * report_stop - print why a load has ended, and how to go on
 */
static void
report_stop(const Collection *collection)
{
	const Progress *progress = collection->progress;
	const char *hint;

	pg_log_error("could not load table %s: %s", collection->table.target, progress->stop);
	if (progress->reason[0])
		pg_log_error_detail("The first reason is: %s.", progress->reason);
	if (load.options->load.max_rejected < 0)
		hint = "Use --upsert to replace documents, --truncate or --drop to load them again, "
			"--generate-id if they have no _id, --id-type for keys of a different type, or "
			"--max-rejected to reject them all.";
	else if (collection->input.stream)
		hint = "Nothing has been loaded: use a larger --max-rejected.";
	else if (is_complete(collection))
		hint = "All other documents have been loaded: use a larger --max-rejected.";
	else
		hint = "Use a larger --max-rejected to resume the load.";
	pg_log_error_hint("%s", hint);
}

/*
 * check_loaded - check that the table still has what was loaded of a file
 */
static void
check_loaded(Connection *conn, Collection *collection)
{
	int64		lost = count_lost(conn, collection);

	if (lost > 0)
		report_lost(conn, collection, int64_text(lost));
}

/*
 * confirm_load - read from the server what has been loaded from a file,
 * because a process that ended without an error may not have come to the
 * end of its part
 *
 * The load of a pipe is confirmed by its COMMIT, unless the answer to that
 * is missing.
 */
static void
confirm_load(Connection *conn, Collection *collection)
{
	const Table *table = &collection->table;
	int			parts = collection->progress->parts;
	PGresult   *result;

	if (collection->input.stream && is_complete(collection))
		return;
	if (PQtransactionStatus(conn->pg) == PQTRANS_IDLE)
		begin(conn, FIND_ONLY_CATALOG);
	read_record(conn, collection);
	if (collection->progress->parts != parts || !is_complete(collection))
		give_up(conn);
	result = inspect_table(conn, table);
	if (PQntuples(result) == 1 && strcmp(PQgetvalue(result, 0, 7), table->identity) == 0)
		return;

	/* somebody may have replaced the table, or have emptied it */
	execute(conn, "ROLLBACK");
	check_loaded(conn, collection);
}

/*
 * analyze - update the statistics of a table; that it fails does not undo
 * the load
 *
 * Those of "doc" take long, and serve few queries.  But only without a list
 * of columns are the expressions of indexes analyzed.
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
 * conclude - report how the load of a file has ended
 *
 * Sets *missing if documents are missing for an unknown reason.
 */
static void
conclude(Collection *collection, bool *missing)
{
	const InputFile *input = &collection->input;
	bool		stopped;
	struct stat status;

	limit_rejected(collection, load.options->load.max_rejected, false);
	stopped = collection->progress->stop[0] != '\0';
	if (is_damaged(collection) || stopped)
	{
		if (is_damaged(collection))
			report_damage(collection, true);
		else
			report_stop(collection);
		/* a load that is stopped can be resumed, but not that of a pipe */
		collection->skip = !stopped || input->stream;
	}
	else if (!succeeds(load.conn, confirm_load, collection))
	{
		if (PQtransactionStatus(load.conn->pg) != PQTRANS_IDLE)
			execute(load.conn, "ROLLBACK");
		pg_log_error("not all of \"%s\" has been loaded into table %s", display_path(input),
					 collection->table.target);
		*missing = true;
	}
	else if (!input->stream && stat(input->path, &status) == 0 && !is_same_file(input, &status))
	{
		pg_log_error("file \"%s\" has changed since this load began", input->path);
		pg_log_error_detail("What is loaded is the file as it was before.");
		pg_log_error_hint("Run the same command again to load the new one.");
	}
}

/*
 * load_all - load all files, after a check that the tables still have what
 * was loaded of them before
 */
static void
load_all(void)
{
	bool		missing = false;

	for (int i = 0; i < load.count; i++)
	{
		Collection *collection = &load.collections[i];

		if (collection->skip || collection->table.history == NULL)
			continue;
		collection->skip = !succeeds(load.conn, check_loaded, collection);
		if (!collection->skip)
			pg_log_info("%s: %s", collection->input.name, collection->table.history);
	}
	run_phase(LOADING);
	if (load.conn == NULL)
		load.conn = connect_server();
	for (int i = 0; i < load.count; i++)
		if (!load.collections[i].skip)
			conclude(&load.collections[i], &missing);
	if (PQtransactionStatus(load.conn->pg) != PQTRANS_IDLE)
		execute(load.conn, "ROLLBACK");
	if (missing)
		pg_log_error_hint("%s", load.resume_hint);
	else if (!failed)
		load.conn->resume_hint = "All documents have been loaded.";
	for (int i = 0; i < load.count; i++)
		if (!load.collections[i].skip && is_complete(&load.collections[i]))
			analyze(load.conn, &load.collections[i].table);
}

/*-------------------------------------------------------------------------
 * The report
 *-------------------------------------------------------------------------
 */

static int
name_width(const char *name)
{
	return pg_wcswidth(name, strlen(name), PG_UTF8);
}

/*
 * print_row - print a row of the report about a file: the numbers that have
 * a head, and a time; the head before the first
 */
static void
print_row(const Collection *collection, const char *const *head, const int64 *numbers)
{
	const char *name = printable(report_name(collection));
	bool		first = load.width == 0;

	if (load.options->quiet)
		return;
	for (int i = 0; i < load.count && first; i++)
		load.width = Max(load.width, name_width(printable(report_name(&load.collections[i]))));
	if (first)
	{
		load.width = Max(load.width, (int) strlen("table"));
		printf("%-*s", load.width, load.options->dry_run ? "file" : "table");
		for (int i = 0; head[i]; i++)
			printf("  %12s", head[i]);
		printf("  %9s\n", "seconds");
	}
	printf("%s%*s", name, load.width - name_width(name), "");
	for (int i = 0; head[i]; i++)
		printf("  %12s", int64_text(numbers[i]));
	printf("  %9.1f\n", collection->progress->seconds);
}

/*
 * report - print what was done with the documents
 */
static void
report(void)
{
	static const char *const heads[][5] = {
		{"acceptable", "rejected"}, {"loaded", "rejected"},
		{"inserted", "changed", "equal", "rejected"}
	};
	const LoadOptions *options = &load.options->load;
	bool		dry_run = load.options->dry_run;
	bool		upsert = options->upsert && !dry_run;

	for (int i = 0; i < load.count; i++)
	{
		const Collection *collection = &load.collections[i];
		const Progress *progress = collection->progress;
		const Part	sum = sum_parts(progress);
		int64		numbers[] = {
			sum.documents - sum.changed - sum.equal - sum.rejected, sum.changed, sum.equal,
			sum.rejected
		};

		if (!upsert)
			numbers[1] = sum.rejected;
		load.many_rejected |= sum.rejected > Max(options->max_rejected, 0);
		if (collection->skip)
			continue;
		print_row(collection, heads[dry_run ? 0 : upsert ? 2 : 1], numbers);
		if (load.options->quiet || dry_run)
			continue;
		if (sum.rejected > 0)
			printf("%*s  rejected documents: %s\n", load.width, "",
				   printable(collection->table.side_table));
		if (progress->without_id)
			printf("%*s  to load documents without _id: --generate-id\n", load.width, "");
		if (progress->duplicate)
			printf("%*s  to replace documents with the same _id: --upsert\n", load.width, "");
	}
}

/*-------------------------------------------------------------------------
 * --verify
 *-------------------------------------------------------------------------
 */

/*
 * report_comparison - print how a file and its table differ
 *
 * Returns whether they do.
 */
static bool
report_comparison(const Collection *collection)
{
	static const char *const head[] = {"equal", "differ", "missing", "extra", "rejected", NULL};
	int64		sum[RESULTS] = {0};

	for (int i = 0; i < collection->progress->parts; i++)
		for (Result kind = 0; kind < RESULTS; kind++)
			sum[kind] += collection->compared[i].count[kind];
	print_row(collection, head, sum);
	for (Result kind = DIFFER; kind <= EXTRA && load.options->verbose; kind++)
	{
		int			printed = 0;

		for (int i = 0; i < collection->progress->parts; i++)
			for (int j = 0; j < Min(collection->compared[i].count[kind], FIRST_KEYS); j++)
				if (printed++ < FIRST_KEYS)
					printf("%s: %s: %s\n", printable(collection->table.target), head[kind],
						   printable(collection->compared[i].keys[kind][j]));
	}
	if (sum[ONLY_REJECTED] > Max(load.options->load.max_rejected, 0))
	{
		bool		failed_before = failed;

		pg_log_error(INT64_FORMAT " documents of \"%s\" are only in table %s", sum[ONLY_REJECTED],
					 collection->input.name, collection->table.side_table);
		/* which has an exit status of its own */
		failed = failed_before;
		load.many_rejected = true;
	}
	return sum[DIFFER] + sum[MISSING] + sum[EXTRA] > 0;
}

/*
 * complete_comparison - count the table's other rows, if all documents of a
 * file have been compared; else skip it, after a message
 */
static void
complete_comparison(Collection *collection)
{
	const InputFile *input = &collection->input;
	Progress   *progress = collection->progress;
	double		start = now();
	struct stat status;

	if (!is_damaged(collection) && is_complete(collection) && collection->table.exists)
		find_extra(load.lock_conn, collection);
	exit_if_interrupted();
	progress->seconds += now() - start;
	if (!is_damaged(collection) && !input->stream && stat(input->path, &status) == 0 &&
		!is_same_file(input, &status))
		progress->damage = (Damage)
	{
		.what = "it has changed",.changed = true
	};
	collection->skip = is_damaged(collection) || !is_complete(collection);
	if (is_damaged(collection))
		report_damage(collection, false);
	else if (collection->skip)
		pg_log_error("not all of \"%s\" has been compared with table %s", display_path(input),
					 collection->table.target);
}

/*
 * verify_all - compare all files with their tables, and print the result
 */
static void
verify_all(void)
{
	int			different = 0;

	load.snapshot = take_snapshot(load.lock_conn, load.collections, load.count);
	run_phase(VERIFYING);
	for (int i = 0; i < load.count; i++)
		if (!load.collections[i].skip)
			complete_comparison(&load.collections[i]);
	for (int i = 0; i < load.count; i++)
		if (!load.collections[i].skip && report_comparison(&load.collections[i]))
			different++;
	if (different > 0)
	{
		pg_log_error("%d of %d tables differ from the dump", different, load.count);
		if (!load.options->verbose)
			pg_log_error_hint("Use --verbose to print the first keys.");
	}
}

/*-------------------------------------------------------------------------
 * The schema
 *-------------------------------------------------------------------------
 */

/*
 * print_schema - print the schema that is in all files, if none is damaged
 */
static void
print_schema(void)
{
	const Options *options = load.options;
	bool		first = options->section && strcmp(options->section, "pre-data") == 0;
	Fields	   *fields = pg_malloc0(load.count * sizeof(Fields));
	FILE	   *hashes = first ? NULL : tmpfile();
	bool		damaged = false;

	if (!first && hashes == NULL)
		pg_fatal("could not create a temporary file: %m");
	for (int i = 0; i < load.count; i++)
	{
		Collection *collection = &load.collections[i];

		/* without a server, there is no search path */
		if (collection->table.schema == NULL)
			collection->table.schema = pg_strdup("public");
		fields[i].hashes = hashes;
		read_fields(&collection->input, collection->progress, &fields[i]);
		if (is_damaged(collection))
			report_damage(collection, false);
		damaged |= is_damaged(collection);
	}
	if (damaged)
		return;
	if (hashes)
		find_targets(fields, load.count);
	print_script(options, load.collections, fields, load.count);
}

/*-------------------------------------------------------------------------
 * The program
 *-------------------------------------------------------------------------
 */

static void *
allocate_zeroed(size_t count, size_t size)
{
	return pg_malloc0(count * size);
}

/*
 * share_memory - memory that all processes share
 */
static void *
share_memory(size_t size)
{
	void	   *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
							  -1, 0);

	if (memory == MAP_FAILED)
		pg_fatal("out of memory");
	return memory;
}

/*
 * share_progress - give the collections their progress, and the results of
 * --verify, in memory that all processes share
 */
static void
share_progress(void)
{
	Progress   *progress = share_memory(load.count * sizeof(Progress));
	Comparison *compared = NULL;
	int			jobs = load.options->jobs;

	load.next = share_memory(sizeof(int));
	if (load.options->load.verify)
		compared = share_memory(load.count * jobs * sizeof(Comparison));
	for (int i = 0; i < load.count; i++)
	{
		progress[i].parts = 1;
		load.collections[i].progress = &progress[i];
		load.collections[i].compared = compared ? &compared[i * jobs] : NULL;
	}
}

int
main(int argc, char **argv)
{
	/* libbson itself aborts if there is no memory */
	static const bson_mem_vtable_t allocator = {
		.malloc = pg_malloc,.calloc = allocate_zeroed,.realloc = pg_realloc,.free = pg_free
	};
	const LoadOptions *options;

	pg_logging_init(argv[0]);
	load.main_process = getpid();
	bson_mem_set_vtable(&allocator);
	signal(SIGCHLD, SIG_DFL);	/* who starts the program may ignore it */
	load.options = parse_options(argc, argv);
	if (load.options->unpack)
	{
		unpack_archive(load.options->path, load.options->unpack);
		exit(0);
	}
	options = &load.options->load;
	load.collections = find_collections(load.options, &load.count);
	share_progress();
	if (options->verify)
		load.resume_hint = "Nothing has been changed: run the same command again.";
	else if (load.collections->input.stream)
		load.resume_hint = "Nothing has been loaded: run the same command again.";
	else if (options->drop || options->restart || options->truncate)
		load.resume_hint = "Run the same command without --drop, --restart and --truncate to "
			"resume the load.";
	else
		load.resume_hint = "Run the same command again to resume the load.";
	if (load.options->schema_only)
		print_schema();
	else
		prepare_all();
	if (options->verify)
		verify_all();
	else if (!load.options->schema_only)
	{
		if (!load.options->dry_run)
			load_all();
		report();
	}
	if (fflush(stdout) != 0 || ferror(stdout))
		pg_fatal("could not write to standard output: %m");
	exit(failed ? 1 : !load.many_rejected ? 0 : options->max_rejected < 0 ? 3 : 1);
}
