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

typedef struct Load
{
	const Options *options;
	Collection *collections;
	int			count;
	const char *resume_hint;	/* what to do if the load ends early */
	Connection *lock_conn;		/* its transaction holds the locks to the end */
	Connection *conn;			/* NULL while other processes load */
	Source	   *pipe;			/* what is loaded, if it is a pipe */
	const char *snapshot;		/* that --verify reads */
	FILE	   *spool;			/* for --verify of a pipe */
	pid_t		main_process;
	pid_t		processes[MAX_JOBS];	/* that check or load, by slot; 0 if
										 * it is free */
	volatile sig_atomic_t interrupted;
	int		   *next;			/* in shared memory: the next open part */

	int			width;			/* of the first column of the report */

	/* for show_progress() */
	Phase		phase;
	double		begun;			/* when the progress of the phase was first
								 * read, or 0; */
	int64		done_before;	/* bytes at that time */
	double		shown;			/* when it was last shown */
} Load;

/* how many tables are prepared in one transaction, which needs locks for them */
#define PREPARED_TOGETHER 8

/* in the report, before the time */
#define REPORT_NUMBERS 5

/* a part of a collection that is not complete */
typedef struct OpenPart
{
	Collection *collection;
	int			part;
} OpenPart;

/* for handle_interrupt() */
static Load *current_load;

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

/*
 * report_name - what the report calls a file
 */
static const char *
report_name(const Load *load, const Collection *collection)
{
	return load->options->dry_run ? collection->input.name : collection->table.target;
}

/*
 * display_path - the name of a file in messages
 */
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
 * print_progress - print a line of progress: bytes, of how many if that is
 * known, documents, speed, time
 */
static void
print_progress(Phase phase, int64 done, int64 all, int64 documents, double rate)
{
	static const char *const names[] = {"checking", "loading", "verifying"};
	bool		terminal = isatty(STDERR_FILENO);

	fprintf(stderr, "%s%s: ", terminal ? "\r" : "", names[phase]);
	if (all > 0)
		fprintf(stderr, "%d %% of ", (int) (100.0 * (double) done / (double) all));
	fprintf(stderr, INT64_FORMAT " MB", Max(all, done) / 1000000);
	if (phase != CHECKING)
		fprintf(stderr, ", " INT64_FORMAT " documents", documents);
	fprintf(stderr, ", %.1f MB/s", rate / 1e6);
	if (all > 0 && rate > 0)
	{
		int			left = (int) ((double) (all - done) / rate);

		fprintf(stderr, ", %d:%02d left", left / 60, left % 60);
	}
	fputs(terminal ? "\033[K" : "\n", stderr);
}

/*
 * show_progress - show the progress of all processes: every second on a
 * terminal, else every ten
 */
static void
show_progress(Load *load)
{
	double		time = now();
	int64		documents = 0;
	int64		done = 0;
	int64		all = 0;

	if (!load->options->progress || getpid() != load->main_process ||
		time - load->shown < (isatty(STDERR_FILENO) ? 1 : 10))
		return;
	for (int i = 0; i < load->count; i++)
	{
		const InputFile *input = &load->collections[i].input;
		const Progress *progress = load->collections[i].progress;

		if (load->phase == CHECKING)
		{
			done += progress->check.position;
			all += input->stream ? 0 : input->status.st_size;
			continue;
		}
		all += input->stream ? 0 : progress->check.size;
		for (int j = 0; j < progress->parts; j++)
		{
			done += progress->part[j].next - progress->part[j].start;
			documents += progress->part[j].documents;
		}
	}
	load->shown = time;
	if (load->begun > 0)
		print_progress(load->phase, done, all, documents,
					   (double) (done - load->done_before) / (time - load->begun));
	else
	{
		load->begun = time;
		load->done_before = done;
	}
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
	Load	   *load = current_load;

	load->interrupted = 1;
	signal(signal_number, SIG_DFL);
	if (getpid() != load->main_process)
		return;
	if (write(STDERR_FILENO, message, sizeof(message) - 1) < 0)
		_exit(130);
	for (int i = 0; i < MAX_JOBS; i++)
		if (load->processes[i] > 0)
			kill(load->processes[i], SIGTERM);
}

/*
 * print_dry_run - convert all documents of a file, and print why some are
 * rejected
 */
static void
print_dry_run(const Load *load, const Collection *collection)
{
	Reason		reasons[MAX_REASONS];
	int			count = dry_run(&collection->input, collection->progress,
								load->options->load.id_type,
								load->options->load.generate_id, reasons);

	for (int i = 0; i < count; i++)
		printf("%s: " INT64_FORMAT " rejected, the first as document " INT64_FORMAT ": %s\n",
			   printable(collection->input.name), reasons[i].count, reasons[i].first,
			   printable(reasons[i].text));
}

/*
 * check_collection - check a file
 *
 * A pipe is only opened, because it can be read only once.
 */
static void
check_collection(Load *load, const Collection *collection)
{
	const InputFile *input = &collection->input;

	if (load->options->dry_run)
		print_dry_run(load, collection);
	else if (input->stream)
		load->pipe = open_pipe(input, collection->progress);
	else
		check_file(input, collection->progress, load->options->jobs);
}

/*
 * may_continue - for load_part(), before each batch
 */
static bool
may_continue(void *context)
{
	Load	   *load = context;

	show_progress(load);
	return !load->interrupted;
}

/*
 * do_part - check, load or verify a part, and note how long that takes
 */
static void
do_part(Load *load, const OpenPart *open)
{
	const LoadOptions *options = &load->options->load;
	Progress   *progress = open->collection->progress;
	double		start = now();

	if (load->phase == CHECKING)
		check_collection(load, open->collection);
	else
	{
		/* libpq's connection cannot be shared with another process */
		if (load->conn == NULL)
			load->conn = open_connection(&options->connection, load->resume_hint);
		if (load->phase == VERIFYING)
		{
			import_snapshot(load->conn, load->snapshot);
			verify_part(load->conn, open->collection, open->part, load->pipe, load->spool,
						options->generate_id, may_continue, load);
			execute(load->conn, "COMMIT");
		}
		else
			load_part(load->conn, open->collection, open->part, load->pipe, options,
					  may_continue, load);
	}
	progress->seconds = Max(progress->seconds, now() - start);
}

/*
 * take_part - the next part that no process has taken; "count" or more if
 * there is none
 */
static int
take_part(Load *load)
{
	return __atomic_fetch_add(load->next, 1, __ATOMIC_SEQ_CST);
}

/*
 * start_process - check or load the next part, and what no other process
 * takes after it, in a process of its own
 */
static void
start_process(Load *load, const OpenPart *open, int count)
{
	int			part = take_part(load);
	int			slot = 0;
	pid_t		process;

	while (load->processes[slot] != 0)
		slot++;
	fflush(NULL);
	process = load->processes[slot] = fork();
	if (process < 0)
		pg_fatal("could not create a process: %m");
	if (process > 0)
	{
		/* the signal came before its number was known */
		if (load->interrupted)
			kill(process, SIGTERM);
		return;
	}
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	if (getppid() != load->main_process)
		exit(1);
	for (; part < count && !load->interrupted; part = take_part(load))
		do_part(load, &open[part]);
	exit(0);
}

/*
 * free_slot - free the slot of a process
 *
 * Returns false if no slot has it.  Processes of others end here, too: a
 * child of the program that this one replaced, or, as process 1, any orphan.
 */
static bool
free_slot(Load *load, pid_t process)
{
	for (int i = 0; i < MAX_JOBS && process > 0; i++)
		if (load->processes[i] == process)
		{
			load->processes[i] = 0;
			return true;
		}
	return false;
}

/*
 * wait_for_process - wait until one of the processes ends, and free its
 * slot
 *
 * Returns false if it failed.
 */
static bool
wait_for_process(Load *load)
{
	int			status;
	pid_t		process;

	do
	{
		process = waitpid(-1, &status, load->options->progress ? WNOHANG : 0);
		if (process < 0 && errno != EINTR)
			pg_fatal("could not wait for a process: %m");
		if (process == 0)
			pg_usleep(100000);
		show_progress(load);
	} while (!free_slot(load, process));
	if (WIFSIGNALED(status) && !load->interrupted)
	{
		/* any other has said why it failed */
		pg_log_error("%s", wait_result_to_str(status));
		pg_log_error_hint("%s", load->resume_hint);
	}
	return status == 0;
}

/*
 * run_processes - check or load the parts, as many at a time as there are jobs
 *
 * Returns false if something failed.
 */
static bool
run_processes(Load *load, const OpenPart *open, int count)
{
	int			running = 0;
	bool		ok = true;

	/* there are as many connections as jobs, and one for the locks */
	if (load->conn)
		close_connection(load->conn);
	load->conn = NULL;
	*load->next = 0;
	do
	{
		/* also in place of one that has failed */
		while (running < load->options->jobs && *load->next < count && !load->interrupted)
		{
			start_process(load, open, count);
			running++;
		}
		if (running > 0)
			ok &= wait_for_process(load);
	} while (--running > 0 || (*load->next < count && !load->interrupted));
	return ok;
}

/*
 * list_open_parts - the parts that are not complete
 *
 * They are listed first, because a check changes their number.
 */
static OpenPart *
list_open_parts(const Load *load, int *count)
{
	OpenPart   *open = pg_malloc(load->count * MAX_JOBS * sizeof(OpenPart));

	*count = 0;
	for (int i = 0; i < load->count; i++)
	{
		Collection *collection = &load->collections[i];
		const Progress *progress = collection->progress;

		for (int j = 0; j < progress->parts && !collection->skip; j++)
			if (!progress->part[j].complete)
				open[(*count)++] = (OpenPart)
			{
				collection, j
			};
	}
	return open;
}

/*
 * run_phase - check or load all files
 *
 * Returns false if something failed.
 */
static bool
run_phase(Load *load, Phase phase)
{
	int			count;
	OpenPart   *open = list_open_parts(load, &count);
	bool		progress = load->options->progress;
	bool		ok = true;

	load->phase = phase;
	load->begun = 0;
	if (!load->collections->input.stream && (count > 1 || progress))
		ok = run_processes(load, open, count);
	else if (count > 0 && !load->interrupted)
		do_part(load, open);
	if (progress && isatty(STDERR_FILENO))
		fputc('\n', stderr);
	pg_free(open);
	return ok;
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
report_damage(const Load *load, const Collection *collection, bool loaded)
{
	const InputFile *input = &collection->input;
	bool		verify = load->options->load.verify;
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
						load->options->schema_only ? "No statements are printed." :
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
lock_all(Load *load)
{
	const LoadOptions *options = &load->options->load;

	load->lock_conn = open_connection(&options->connection, load->resume_hint);
	name_tables(load->lock_conn, load->collections, load->count);
	if (options->verify)
		return;
	begin(load->lock_conn, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
	for (int i = 0; i < load->count; i++)
	{
		const Table *table = &load->collections[i].table;

		/* they are sorted by schema */
		if (i == 0 || strcmp(table->schema, load->collections[i - 1].table.schema) != 0)
			lock_target(load->lock_conn, table, load->count > 1);
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
clear_together(Load *load)
{
	bool		truncate = load->options->load.truncate;
	Table	  **tables = pg_malloc(load->count * sizeof(Table *));
	int			used = 0;
	bool		together = truncate && load->count > 1;

	for (int i = 0; i < load->count; i++)
	{
		Collection *collection = &load->collections[i];

		if (collection->skip)
			continue;
		require_objectid(load->conn, collection, &load->options->load);
		tables[used++] = &collection->table;
		together |= load->count > 1 && is_referenced(load->conn, &collection->table);
	}
	if (together && !clear_tables(load->conn, tables, used, truncate))
		exit(1);
	pg_free(tables);
	return together;
}

/*
 * prepare_tables - prepare the tables of all files that can be loaded
 *
 * Returns false if something failed.
 */
static bool
prepare_tables(Load *load)
{
	const LoadOptions *options = &load->options->load;
	bool		together;
	bool		all = true;
	int			prepared = 0;

	begin_preparation(load->conn);
	together = (options->drop || options->truncate) && clear_together(load);
	for (int i = 0; i < load->count; i++)
	{
		Collection *collection = &load->collections[i];
		bool		stream = collection->input.stream;
		bool		ok;

		if (collection->skip)
			continue;
		if (!stream && !together)
			execute(load->conn, prepared % PREPARED_TOGETHER == 0 ? "SAVEPOINT prepared" :
					"RELEASE SAVEPOINT prepared; SAVEPOINT prepared");
		ok = prepare_target(load->conn, collection, options);
		if (!ok && together)
			exit(1);
		collection->skip = !ok;
		all &= ok;
		if (!ok && !stream)
			execute(load->conn, "ROLLBACK TO SAVEPOINT prepared");
		if (!together && !stream && ++prepared % PREPARED_TOGETHER == 0)
		{
			execute(load->conn, "COMMIT");
			begin_preparation(load->conn);
		}
	}
	/* the transaction of a pipe goes on */
	if (!load->collections->input.stream)
		execute(load->conn, "COMMIT");
	else if (!all)
		execute(load->conn, "ROLLBACK");
	return all;
}

/*
 * guess_id_types - take the keys of files without documents to be of the type
 * that most other files of their database have
 */
static void
guess_id_types(const Load *load)
{
	for (int i = 0; i < load->count; i++)
	{
		Check	   *check = &load->collections[i].progress->check;
		int			seen[ID_TYPES] = {0};

		for (int j = 0; j < load->count && check->empty; j++)
		{
			const Check *other = &load->collections[j].progress->check;

			if (!other->empty && strcmp(load->collections[i].table.schema,
										load->collections[j].table.schema) == 0 &&
				++seen[other->id_type] > seen[check->id_type])
				check->id_type = other->id_type;
		}
	}
}

/*
 * prepare_all - check all files, and prepare their tables to be loaded
 *
 * Returns false if something failed.
 */
static bool
prepare_all(Load *load)
{
	bool		dry_run = load->options->dry_run;
	bool		ok;

	/* a connection that fails is reported before large files are read */
	if (!dry_run)
		lock_all(load);
	ok = run_phase(load, CHECKING);
	for (int i = 0; i < load->count; i++)
	{
		Collection *collection = &load->collections[i];
		Progress   *progress = collection->progress;

		/* the report shows the time of the load */
		if (!dry_run)
			progress->seconds = 0;
		if (progress->check.done && is_damaged(collection))
			report_damage(load, collection, false);
		collection->skip = !progress->check.done || is_damaged(collection);
		ok &= !collection->skip;
	}
	if (dry_run || load->options->load.verify)
		return ok;
	guess_id_types(load);
	load->conn = open_connection(&load->options->load.connection, load->resume_hint);
	return prepare_tables(load) && ok;
}

/*-------------------------------------------------------------------------
 * Loading
 *-------------------------------------------------------------------------
 */

/*
 * is_stopped - are so many documents rejected that the load has ended?
 */
static bool
is_stopped(const Collection *collection)
{
	return collection->progress->stop[0] != '\0';
}

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
report_stop(const Load *load, const Collection *collection)
{
	const Progress *progress = collection->progress;
	const char *hint;

	pg_log_error("could not load table %s: %s", collection->table.target, progress->stop);
	if (progress->reason[0])
		pg_log_error_detail("The first reason is: %s.", progress->reason);
	if (load->options->load.max_rejected < 0)
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
 *
 * Returns false, after a message, if it has not.
 */
static bool
check_loaded(Load *load, Collection *collection)
{
	int64		lost = count_lost(load->conn, collection, &load->options->load, may_continue,
								  load);

	if (lost > 0)
		report_lost(collection, int64_text(lost));
	return lost == 0;
}

/*
 * check_resumed - check that the tables still have what was loaded before of
 * the files, and say what that is
 *
 * Returns false, after a message, if one has not.
 */
static bool
check_resumed(Load *load)
{
	bool		ok = true;

	for (int i = 0; i < load->count; i++)
	{
		Collection *collection = &load->collections[i];

		if (collection->skip || collection->table.history == NULL)
			continue;
		collection->skip = !check_loaded(load, collection);
		ok &= !collection->skip;
		if (!collection->skip)
			pg_log_info("%s: %s", collection->input.name, collection->table.history);
	}
	return ok;
}

/*
 * confirm_load - read from the server what has been loaded from a file,
 * because a process that ended without an error may not have come to the
 * end of its part
 *
 * Returns false if something is missing.  The load of a pipe is confirmed
 * by its COMMIT, unless the answer to that is missing.
 */
static bool
confirm_load(Load *load, Collection *collection)
{
	const Table *table = &collection->table;
	int			parts = collection->progress->parts;
	bool		found;
	bool		same;

	if (collection->input.stream && is_complete(collection))
		return true;
	if (PQtransactionStatus(load->conn->pg) == PQTRANS_IDLE)
		begin(load->conn, "SET LOCAL search_path = pg_catalog, pg_temp");
	found = read_record(load->conn, collection) && collection->progress->parts == parts &&
		is_complete(collection);
	same = found && strcmp(read_identity(load->conn, table), table->identity) == 0;
	if (same)
		return true;
	execute(load->conn, "ROLLBACK");

	/* somebody may have replaced the table, or have emptied it */
	return found && check_loaded(load, collection);
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
 * Returns false if it has not ended well.  Sets *missing if documents are
 * missing for an unknown reason.
 */
static bool
conclude(Load *load, Collection *collection, bool *missing)
{
	const InputFile *input = &collection->input;
	struct stat status;

	limit_rejected(input, collection->progress, load->options->load.max_rejected);
	if (is_damaged(collection) || is_stopped(collection))
	{
		if (is_damaged(collection))
			report_damage(load, collection, true);
		else
			report_stop(load, collection);
		/* a load that is stopped can be resumed, but not that of a pipe */
		collection->skip = !is_stopped(collection) || input->stream;
		return false;
	}
	if (!confirm_load(load, collection))
	{
		pg_log_error("not all of \"%s\" has been loaded into table %s", display_path(input),
					 collection->table.target);
		*missing = true;
		return false;
	}
	if (!input->stream && stat(input->path, &status) == 0 && !is_same_file(input, &status))
	{
		pg_log_error("file \"%s\" has changed since this load began", input->path);
		pg_log_error_detail("What is loaded is the file as it was before.");
		pg_log_error_hint("Run the same command again to load the new one.");
		return false;
	}
	return true;
}

/*
 * exit_if_interrupted - exit if the user has ended the program
 */
static void
exit_if_interrupted(const Load *load)
{
	if (!load->interrupted)
		return;
	pg_log_error("interrupted");
	pg_log_error_hint("%s", load->resume_hint);
	exit(130);
}

/*
 * run_until_interrupted - run_phase() that a signal can end, unless it
 * reads a pipe
 */
static bool
run_until_interrupted(Load *load, Phase phase)
{
	bool		ok;

	if (!load->collections->input.stream)
	{
		current_load = load;
		signal(SIGINT, handle_interrupt);
		signal(SIGTERM, handle_interrupt);
	}
	ok = run_phase(load, phase);
	exit_if_interrupted(load);
	return ok;
}

/*
 * load_all - load all files
 *
 * Returns false if something failed.
 */
static bool
load_all(Load *load)
{
	bool		ok = check_resumed(load);
	bool		missing = false;

	ok &= run_until_interrupted(load, LOADING);
	if (load->conn == NULL)
		load->conn = open_connection(&load->options->load.connection, load->resume_hint);
	for (int i = 0; i < load->count; i++)
		if (!load->collections[i].skip)
			ok &= conclude(load, &load->collections[i], &missing);
	if (PQtransactionStatus(load->conn->pg) != PQTRANS_IDLE)
		execute(load->conn, "ROLLBACK");
	if (missing)
		pg_log_error_hint("%s", load->resume_hint);
	else if (ok)
		load->conn->resume_hint = "All documents have been loaded.";
	for (int i = 0; i < load->count; i++)
		if (!load->collections[i].skip && is_complete(&load->collections[i]))
			analyze(load->conn, &load->collections[i].table);
	return ok;
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
 * print_row - print a row of the report about a file: a time, and before it
 * those of the numbers that have a head; the head before the first
 */
static void
print_row(Load *load, const Collection *collection, const char *const *head,
		  const char *const *numbers)
{
	const char *rows[] = {load->options->dry_run ? "file" : "table", NULL};

	if (load->options->quiet)
		return;
	rows[1] = printable(report_name(load, collection));
	for (int row = load->width > 0 ? 1 : 0; row < 2; row++)
	{
		for (int i = -1; i < load->count && row == 0; i++)
		{
			const char *name = i < 0 ? rows[0] : report_name(load, &load->collections[i]);

			load->width = Max(load->width, name_width(printable(name)));
		}
		printf("%s%*s", rows[row], load->width - name_width(rows[row]), "");
		for (int i = 0; i < REPORT_NUMBERS; i++)
			if (head[i])
				printf("  %12s", row == 0 ? head[i] : numbers[i]);
		printf("  %9s\n", row == 0 ? "seconds" : psprintf("%.1f", collection->progress->seconds));
	}
}

/*
 * sum_parts - the numbers of all parts of a file; "documents" are those
 * that are inserted
 */
static Part
sum_parts(const Progress *progress, bool upsert)
{
	Part		sum = {0};

	for (int i = 0; i < progress->parts; i++)
	{
		const Part *part = &progress->part[i];

		sum.documents += part->documents - part->rejected;
		sum.changed += part->changed;
		sum.equal += part->equal;
		sum.rejected += part->rejected;
	}
	if (upsert)
		sum.documents -= sum.changed + sum.equal;
	return sum;
}

/*
 * report - print what was done with the documents
 *
 * Returns false if too many of a file were rejected.
 */
static bool
report(Load *load)
{
	const LoadOptions *options = &load->options->load;
	bool		dry_run = load->options->dry_run;
	bool		upsert = options->upsert && !dry_run;
	const char *const head[REPORT_NUMBERS] = {
		dry_run ? "acceptable" : upsert ? "inserted" : "loaded",
		upsert ? "changed" : NULL, upsert ? "equal" : NULL, "rejected"
	};
	bool		ok = true;

	for (int i = 0; i < load->count; i++)
	{
		const Collection *collection = &load->collections[i];
		Part		sum = sum_parts(collection->progress, upsert);
		const char *const numbers[REPORT_NUMBERS] = {
			int64_text(sum.documents), int64_text(sum.changed), int64_text(sum.equal),
			int64_text(sum.rejected)
		};

		ok &= sum.rejected <= Max(options->max_rejected, 0);
		if (collection->skip)
			continue;
		print_row(load, collection, head, numbers);
		if (load->options->quiet || dry_run)
			continue;
		if (sum.rejected > 0)
			printf("%*s  rejected documents: %s\n", load->width, "",
				   printable(collection->table.side_table));
		if (collection->progress->without_id)
			printf("%*s  to load documents without _id: --generate-id\n", load->width, "");
		if (collection->progress->duplicate)
			printf("%*s  to replace documents with the same _id: --upsert\n", load->width, "");
	}
	return ok;
}

/*-------------------------------------------------------------------------
 * --verify
 *-------------------------------------------------------------------------
 */

/*
 * print_key - with --verbose, print a key whose row or document differs
 */
static void
print_key(const char *name, const char *difference, const char *key)
{
	if (__pg_log_level <= PG_LOG_DEBUG)
		printf("%s: %s: %s\n", printable(name), difference, printable(key));
}

/*
 * sum_comparisons - what was found in all parts of a file
 */
static Comparison *
sum_comparisons(const Collection *collection)
{
	Comparison *sum = pg_malloc0(sizeof(Comparison));

	for (int i = 0; i < collection->progress->parts; i++)
	{
		const Comparison *part = &collection->compared[i];

		sum->equal += part->equal;
		sum->rejected += part->rejected;
		for (Difference kind = 0; kind < DIFFERENCES; kind++)
		{
			for (int j = 0; j < FIRST_KEYS && j < part->count[kind]; j++)
				if (sum->count[kind] + j < FIRST_KEYS)
					strlcpy(sum->keys[kind][sum->count[kind] + j], part->keys[kind][j], KEY_SIZE);
			sum->count[kind] += part->count[kind];
		}
	}
	return sum;
}

/*
 * report_comparison - print how a file and its table differ
 *
 * Returns false if they do.  Sets *few_rejected to false if too many of its
 * documents are only in the table of rejected ones.
 */
static bool
report_comparison(Load *load, const Collection *collection, bool *few_rejected)
{
	static const char *const head[] = {"equal", "differ", "missing", "extra", "rejected"};
	const char *name = collection->table.target;
	Comparison *sum = sum_comparisons(collection);
	const char *numbers[] = {
		int64_text(sum->equal), int64_text(sum->count[DIFFER]), int64_text(sum->count[MISSING]),
		int64_text(sum->count[EXTRA]), int64_text(sum->rejected)
	};
	bool		same = true;

	print_row(load, collection, head, numbers);
	for (Difference kind = 0; kind < DIFFERENCES; kind++)
	{
		same &= sum->count[kind] == 0;
		for (int i = 0; i < Min(sum->count[kind], FIRST_KEYS); i++)
			print_key(name, head[kind + 1], sum->keys[kind][i]);
	}
	if (sum->rejected > Max(load->options->load.max_rejected, 0))
	{
		pg_log_error(INT64_FORMAT " documents of \"%s\" are only in table %s", sum->rejected,
					 collection->input.name, collection->table.side_table);
		*few_rejected = false;
	}
	pg_free(sum);
	return same;
}

/*
 * is_verified - have all documents of a file been compared, and the table's
 * other rows been counted?
 */
static bool
is_verified(Load *load, const Collection *collection)
{
	const InputFile *input = &collection->input;
	double		start = now();
	struct stat status;

	if (!is_damaged(collection) && is_complete(collection) && collection->table.exists)
		find_extra(load->lock_conn, collection, load->spool,
				   load->options->load.generate_id, may_continue, load);
	exit_if_interrupted(load);
	collection->progress->seconds += now() - start;
	if (!is_damaged(collection) && !input->stream && stat(input->path, &status) == 0 &&
		!is_same_file(input, &status))
		collection->progress->damage = (Damage)
	{
		.what = "it has changed",.changed = true
	};
	if (is_damaged(collection))
		report_damage(load, collection, false);
	else if (!is_complete(collection))
		pg_log_error("not all of \"%s\" has been compared with table %s", display_path(input),
					 collection->table.target);
	return !is_damaged(collection) && is_complete(collection);
}

/*
 * verify_all - compare all files with their tables, and print the result
 *
 * Returns false if something failed or differs.
 */
static bool
verify_all(Load *load, bool *few_rejected)
{
	bool		ok = true;
	int			different = 0;

	load->snapshot = take_snapshot(load->lock_conn, load->collections, load->count,
								   &load->options->load);
	if (load->pipe && (load->spool = tmpfile()) == NULL)
		pg_fatal("could not create a temporary file: %m");
	ok &= run_until_interrupted(load, VERIFYING);
	for (int i = 0; i < load->count; i++)
	{
		Collection *collection = &load->collections[i];

		if (!collection->skip)
			collection->skip = !is_verified(load, collection);
		ok &= !collection->skip;
	}
	for (int i = 0; i < load->count; i++)
		if (!load->collections[i].skip &&
			!report_comparison(load, &load->collections[i], few_rejected))
			different++;
	if (different > 0)
	{
		pg_log_error("%d of %d tables differ from the dump", different, load->count);
		if (__pg_log_level > PG_LOG_DEBUG)
			pg_log_error_hint("Use --verbose to print the first keys.");
	}
	return different == 0 && ok;
}

/*-------------------------------------------------------------------------
 * The schema
 *-------------------------------------------------------------------------
 */

/*
 * print_schema - print the schema that is in all files
 *
 * Returns false, after a message, if one of them is damaged.
 */
static bool
print_schema(Load *load)
{
	const Options *options = load->options;
	bool		first = options->section && strcmp(options->section, "pre-data") == 0;
	Fields	   *fields = pg_malloc0(load->count * sizeof(Fields));
	FILE	   *hashes = first ? NULL : tmpfile();
	bool		ok = true;

	if (!first && hashes == NULL)
		pg_fatal("could not create a temporary file: %m");

	for (int i = 0; i < load->count; i++)
	{
		Collection *collection = &load->collections[i];

		/* without a server, there is no search path */
		if (collection->table.schema == NULL)
			collection->table.schema = pg_strdup("public");
		fields[i].hashes = hashes;
		read_fields(&collection->input, collection->progress, &fields[i]);
		if (is_damaged(collection))
			report_damage(load, collection, false);
		ok &= !is_damaged(collection);
	}
	if (!ok)
		return false;
	if (hashes)
		find_targets(fields, load->count);
	print_script(options, load->collections, fields, load->count);
	return true;
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
share_progress(Load *load)
{
	Progress   *progress = share_memory(load->count * sizeof(Progress));
	Comparison *compared = NULL;
	int			jobs = load->options->jobs;

	load->next = share_memory(sizeof(int));
	if (load->options->load.verify)
		compared = share_memory(load->count * jobs * sizeof(Comparison));
	for (int i = 0; i < load->count; i++)
	{
		progress[i].parts = 1;
		load->collections[i].progress = &progress[i];
		load->collections[i].compared = compared ? &compared[i * jobs] : NULL;
	}
}

int
main(int argc, char **argv)
{
	/* libbson itself aborts if there is no memory */
	static const bson_mem_vtable_t allocator = {
		.malloc = pg_malloc,.calloc = allocate_zeroed,.realloc = pg_realloc,.free = pg_free
	};
	Load		load = {0};
	const LoadOptions *options;
	bool		few_rejected = true;
	bool		ok;

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
	load.collections = find_collections(load.options, &load.count, &ok);
	share_progress(&load);
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
		ok &= print_schema(&load);
	else if (options->verify)
	{
		ok &= prepare_all(&load);
		ok &= verify_all(&load, &few_rejected);
	}
	else
	{
		ok &= prepare_all(&load);
		if (!load.options->dry_run)
			ok &= load_all(&load);
		few_rejected = report(&load);
	}
	if (fflush(stdout) != 0 || ferror(stdout))
		pg_fatal("could not write to standard output: %m");
	exit(!ok ? 1 : few_rejected ? 0 : options->max_rejected < 0 ? 3 : 1);
}
