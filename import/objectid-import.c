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

#include <libgen.h>
#include <sys/mman.h>
#include <sys/wait.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <time.h>

#include "command.h"
#include "fe_utils/mbprint.h"
#include "mb/pg_wchar.h"

#define NOTHING_LOADED "Nothing has been loaded: run the same command again."

volatile sig_atomic_t interrupted;

static Collection *collections;
static Progress *progress;		/* of each collection */
static int	count;
static PGconn *lock_conn;		/* its transaction holds the locks to the end */
static PGconn *conn;
static Source *pipe_source;		/* what is loaded, if it is a pipe */
static pid_t main_process;

/* the processes that load, by slot; 0 if it is free */
static pid_t processes[MAX_JOBS];

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

/* Show the progress of all processes: every second on a terminal, else every ten. */
static void
show_progress(bool loading)
{
	static double start[2];
	static double shown;
	static int64 before[2];
	bool		terminal = isatty(STDERR_FILENO);
	double		time = now();
	double		rate;
	int64		documents = 0;
	int64		done = 0;
	int64		all = 0;

	if (!options.progress || getpid() != main_process || time - shown < (terminal ? 1 : 10))
		return;
	for (int i = 0; i < count; i++)
	{
		done += loading ? 0 : progress[i].check.position;
		all += collections[i].input.stream ? 0 : loading ? progress[i].check.size : collections[i].input.status.st_size;
		for (int j = 0; j < progress[i].parts && loading; j++)
		{
			done += progress[i].part[j].next - progress[i].part[j].start;
			documents += progress[i].part[j].documents;
		}
	}
	shown = time;
	if (start[loading] == 0)
	{
		start[loading] = time;
		before[loading] = done;
		return;
	}
	rate = (done - before[loading]) / (time - start[loading]);
	fprintf(stderr, "%s%s: ", terminal ? "\r" : "", loading ? "loading" : "checking");
	if (all > 0)
		fprintf(stderr, "%d %% of ", (int) (100.0 * done / all));
	fprintf(stderr, INT64_FORMAT " MB", Max(all, done) / 1000000);
	if (loading)
		fprintf(stderr, ", " INT64_FORMAT " documents", documents);
	fprintf(stderr, ", %.1f MB/s", rate / 1e6);
	if (all > 0 && rate > 0)
		fprintf(stderr, ", %d:%02d left", (int) ((all - done) / rate) / 60, (int) ((all - done) / rate) % 60);
	fputs(terminal ? "\033[K" : "\n", stderr);
}

/* Finish what is begun; a second signal ends the program at once. */
static void
handle_interrupt(int signal_number)
{
	static const char message[] = PROGRAM ": finishing this batch; once more to stop at once\n";

	interrupted = 1;
	signal(signal_number, SIG_DFL);
	if (getpid() != main_process)
		return;
	if (write(STDERR_FILENO, message, sizeof(message) - 1) < 0)
		_exit(130);
	for (int i = 0; i < MAX_JOBS; i++)
		if (processes[i] > 0)
			kill(processes[i], SIGTERM);
}

/* A thing that a process does with a part of a file */
typedef void (*Work) (int i, int part);

static void
check_work(int i, int part pg_attribute_unused())
{
	const InputFile *input = &collections[i].input;

	if (options.dry_run)
		dry_run(input, &progress[i], options.load.id_type);
	else if (input->stream)
		pipe_source = open_pipe(input, &progress[i]);
	else
		check_file(input, &progress[i], options.jobs);
}

static void
load_work(int i, int part)
{
	load_part(getpid() == main_process ? conn : open_connection(&options.load.connection), &collections[i].input, pipe_source,
			  &collections[i].table, &progress[i], part, &options.load, show_progress);
}

/* Do it, and note how long it takes. */
static void
do_work(Work work, int i, int part)
{
	double		start = now();

	work(i, part);
	progress[i].seconds = Max(progress[i].seconds, now() - start);
}

/* Let a process do it. */
static void
start_process(pid_t * process, Work work, int i, int part)
{
	fflush(NULL);
	*process = fork();
	if (*process < 0)
		pg_fatal("could not create a process: %m");
	if (*process > 0)
	{
		/* the signal came before its number was known */
		if (interrupted)
			kill(*process, SIGTERM);
		return;
	}
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	if (getppid() != main_process)
		exit(1);
	do_work(work, i, part);
	exit(0);
}

/* Wait until one of the processes ends, and free its slot.  False: it failed. */
static bool
wait_for_process(Work work)
{
	int			status;
	int			slot = MAX_JOBS;	/* of what ended */
	pid_t		process;

	/*
	 * others end, too: a child of the program that this one replaced, or,
	 * below process 1, any orphan
	 */
	while (slot == MAX_JOBS)
	{
		process = waitpid(-1, &status, options.progress ? WNOHANG : 0);
		if (process < 0 && errno != EINTR)
			pg_fatal("could not wait for a process: %m");
		pg_usleep(process == 0 ? 100000 : 0);
		show_progress(work == load_work);
		for (slot = 0; slot < MAX_JOBS && (process <= 0 || processes[slot] != process); slot++)
			;
	}
	processes[slot] = 0;
	if (WIFSIGNALED(status) && !interrupted)
	{
		/* any other has said why it failed */
		pg_log_error("%s", wait_result_to_str(status));
		pg_log_error_hint("%s", resume_hint);
	}
	return status == 0;
}

/* Do it with all parts that are open, as many at a time as there are jobs.  False: something failed. */
static bool
do_all(Work work)
{
	struct
	{
		int			i;
		int			part;
	}		   *open = pg_malloc(count * MAX_JOBS * sizeof(*open));
	int			all = 0;
	int			running = 0;
	bool		ok = true;

	/* all before the first, because a check changes the number of parts */
	for (int i = 0; i < count; i++)
		for (int j = 0; j < progress[i].parts && !collections[i].skip; j++)
			if (!progress[i].part[j].complete)
			{
				open[all].i = i;
				open[all++].part = j;
			}
	if (!collections->input.stream && (all > 1 || options.progress))
	{
		/* there are as many connections as jobs, and one for the locks */
		PQfinish(conn);
		conn = NULL;
	}
	for (int n = 0; n < all && !interrupted; n++)
	{
		int			slot = 0;

		if (collections->input.stream || (all == 1 && !options.progress))
		{
			do_work(work, open[n].i, open[n].part);
			break;
		}
		for (; running == options.jobs; running--)
			ok &= wait_for_process(work);
		while (processes[slot] != 0)
			slot++;
		start_process(&processes[slot], work, open[n].i, open[n].part);
		running++;
	}
	for (; running > 0; running--)
		ok &= wait_for_process(work);
	if (options.progress && isatty(STDERR_FILENO))
		fputc('\n', stderr);
	pg_free(open);
	return ok;
}

/* Report damage, unless there is none. */
static bool
is_damaged(int i, bool loaded)
{
	const InputFile *input = &collections[i].input;
	const Damage *damage = &progress[i].damage;

	if (damage->what[0] == '\0')
		return false;
	if (damage->changed)
	{
		pg_log_error("file \"%s\" has changed since this load began", input->path);
		pg_log_error_detail(loaded ? "What is loaded is the file as it was before, up to byte " INT64_FORMAT "." : "Nothing is loaded from it.", damage->at);
		pg_log_error_hint("Load a file that nobody writes to%s.", loaded ? "; use --restart if its contents are others than before" : "");
		return true;
	}
	pg_log_error("file \"%s\" is damaged at byte " INT64_FORMAT "%s: %s", input->stream ? "standard input" : input->path,
				 damage->at, damage->line > 0 ? psprintf(", in line " INT64_FORMAT, damage->line) : "", damage->what);
	pg_log_error_detail("%s", loaded && !input->stream ? "The documents before it have been loaded." : "Nothing is loaded from a damaged file.");
	return true;
}

/* Report that so many documents were rejected that the load has ended, unless it has not. */
static bool
is_stopped(int i)
{
	if (progress[i].stop[0] == '\0')
		return false;
	pg_log_error("could not load table %s: %s", collections[i].table.target, progress[i].stop);
	if (progress[i].reason[0])
		pg_log_error_detail("The first reason is: %s.", progress[i].reason);
	pg_log_error_hint("%s", options.load.max_rejected >= 0 && collections[i].input.stream ?
					  "Nothing has been loaded: use a larger --max-rejected." :
					  options.load.max_rejected >= 0 ? "Use a larger --max-rejected to resume the load." :
					  "Use --upsert to replace documents, --drop to load into new tables, --id-type for keys of a different type, "
					  "or --max-rejected to reject them all.");
	return true;
}

/* Name and lock the tables, in a transaction that stays open. */
static void
lock_all(void)
{
	lock_conn = open_connection(&options.load.connection);
	for (int i = 0; i < count; i++)
		name_tables(lock_conn, &collections[i].table, &options.load);
	begin(lock_conn, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
	for (int i = 0; i < count; i++)
		if (i == 0 || strcmp(collections[i].table.schema, collections[i - 1].table.schema) != 0)
			lock_target(lock_conn, &collections[i].table, count > 1);
}

/* Prepare the tables of all files that can be loaded.  False: something failed. */
static bool
prepare_tables(void)
{
	const Table **tables = pg_malloc(count * sizeof(Table *));
	int			used = 0;
	bool		together = false;
	bool		all = true;
	bool		ok;

	/*
	 * --drop: each table is dropped and created in one transaction, of which
	 * there is only one for all tables if foreign keys hold them together: a
	 * large one would need many locks.
	 */
	begin_preparation(conn);
	for (int i = 0; i < count && options.load.drop; i++)
		if (!collections[i].skip)
		{
			require_objectid(conn, &collections[i].table, progress[i].check.id_type, &options.load);
			tables[used++] = &collections[i].table;
			together |= count > 1 && is_referenced(conn, &collections[i].table);
		}
	if (together && !drop_tables(conn, tables, used))
		exit(1);
	for (int i = 0; i < count; i++)
	{
		if (collections[i].skip)
			continue;
		ok = prepare_target(conn, &collections[i].input, &collections[i].table, &progress[i], &options.load);
		if (!ok && together)
			exit(1);
		collections[i].skip = !ok;
		all &= ok;
		if (!together && !(ok && collections[i].input.stream))
		{
			execute(conn, ok ? "COMMIT" : "ROLLBACK");
			begin_preparation(conn);
		}
	}
	if (!collections->input.stream || !all)
		execute(conn, "COMMIT");
	pg_free(tables);
	return all;
}

/* Check all files, and prepare their tables.  False: something failed. */
static bool
prepare_all(void)
{
	bool		ok;

	/* a connection that fails is reported before large files are read */
	if (!options.dry_run)
		lock_all();
	ok = do_all(check_work);
	for (int i = 0; i < count; i++)
	{
		progress[i].seconds *= options.dry_run;
		collections[i].skip = !progress[i].check.done || is_damaged(i, false);
		ok &= !collections[i].skip;
	}
	if (options.dry_run)
		return ok;
	conn = open_connection(&options.load.connection);
	return prepare_tables() && ok;
}

/* Are all parts of a file loaded? */
static bool
is_complete(int i)
{
	for (int j = 0; j < progress[i].parts; j++)
		if (!progress[i].part[j].complete)
			return false;
	return true;
}

/*
 * Read from the server what has been loaded from a file, because a process that ended
 * without an error may not have come to the end of its part.  False: not all of it.
 * The load of a pipe is confirmed by its COMMIT, unless the answer to that is missing.
 */
static bool
confirm_load(int i)
{
	const Table *table = &collections[i].table;
	int			parts = progress[i].parts;
	bool		found;

	if (collections[i].input.stream && is_complete(i))
		return true;
	begin(conn, "SET LOCAL search_path = pg_catalog, pg_temp");
	found = read_record(conn, table, &progress[i]) && progress[i].parts == parts && is_complete(i);

	/* somebody has replaced the table, or has emptied it */
	if (found && strcmp(read_identity(conn, table), table->identity) != 0)
		found = check_loaded(conn, &collections[i].input, table);
	execute(conn, "ROLLBACK");
	return found;
}

/* Update the statistics of a table; that it fails does not undo the load. */
static void
analyze(const Table *table)
{
	PGresult   *result = PQexec(conn, begin_statement(conn, psprintf("SET LOCAL client_min_messages = error; ANALYZE %s; COMMIT", table->target)));

	if (PQresultStatus(result) != PGRES_COMMAND_OK)
	{
		pg_log_warning("could not analyze table %s: %s", table->target, error_message(conn, result));
		PQclear(PQexec(conn, "ROLLBACK"));
	}
	PQclear(result);
}

/* Load all files.  False: something failed. */
static bool
load_all(const char *name)
{
	struct stat status;
	bool		ok;
	bool		resume = false;

	if (!collections->input.stream)
	{
		signal(SIGINT, handle_interrupt);
		signal(SIGTERM, handle_interrupt);
	}
	ok = do_all(load_work);
	if (interrupted)
	{
		pg_log_error("interrupted");
		pg_log_error_hint("%s", resume_hint);
		exit(130);
	}
	if (conn == NULL)
		conn = open_connection(&options.load.connection);
	for (int i = 0; i < count; i++)
	{
		const InputFile *input = &collections[i].input;

		if (collections[i].skip)
			continue;
		if (is_damaged(i, true) || is_stopped(i))
		{
			collections[i].skip = progress[i].stop[0] == '\0' || input->stream;
			ok = false;
		}
		else if (!confirm_load(i))
		{
			pg_log_error("not all of \"%s\" has been loaded into table %s", input->stream ? "standard input" : input->path,
						 collections[i].table.target);
			resume = true;
			ok = false;
		}
		else if (!input->stream && stat(input->path, &status) == 0 && !is_same_file(input, &status))
		{
			pg_log_error("file \"%s\" has changed since this load began", input->path);
			pg_log_error_detail("What is loaded is the file as it was before.");
			pg_log_error_hint("Run the same command again to load the new one.");
			ok = false;
		}
	}
	if (resume)
		pg_log_error_hint("%s", collections->input.stream ? NOTHING_LOADED : resume_hint);
	else if (ok)
		resume_hint = "All documents have been loaded.";
	write_indexes(conn, collections, count, psprintf("%s.indexes.sql", name));
	for (int i = 0; i < count; i++)
		if (!collections[i].skip && is_complete(i))
			analyze(&collections[i].table);
	return ok;
}

/* Print a row of the report: a name, numbers of documents as the options need them, and a time. */
static void
print_row(int width, const char *name, const char *loaded, const char *changed, const char *equal, const char *rejected,
		  const char *seconds)
{
	name = printable(name);
	printf("%s%*s  %12s", name, width - pg_wcswidth(name, strlen(name), PG_UTF8), "", loaded);
	if (options.load.upsert && !options.dry_run)
		printf("  %12s  %12s", changed, equal);
	printf("  %12s  %9s\n", rejected, seconds);
}

/* Print what was done with the documents.  False: too many of a file were rejected. */
static bool
report(void)
{
	int			width = strlen("table");
	bool		ok = true;
	bool		headed = options.quiet;

	for (int i = 0; i < count; i++)
	{
		const char *name = printable(options.dry_run ? collections[i].input.name : collections[i].table.target);

		width = Max(width, pg_wcswidth(name, strlen(name), PG_UTF8));
	}
	for (int i = 0; i < count; i++)
	{
		const Collection *collection = &collections[i];
		Part		sum = {0};

		for (int j = 0; j < progress[i].parts; j++)
		{
			const Part *part = &progress[i].part[j];

			sum.documents += part->documents - part->rejected - (options.load.upsert ? part->changed + part->equal : 0);
			sum.changed += part->changed;
			sum.equal += part->equal;
			sum.rejected += part->rejected;
		}
		ok &= sum.rejected <= Max(options.load.max_rejected, 0);
		if (options.quiet || collection->skip)
			continue;
		if (!headed)
			print_row(width, options.dry_run ? "file" : "table", options.dry_run ? "acceptable" : options.load.upsert ? "inserted" : "loaded",
					  "changed", "equal", "rejected", "seconds");
		headed = true;
		print_row(width, options.dry_run ? collection->input.name : collection->table.target, int64_text(sum.documents),
				  int64_text(sum.changed), int64_text(sum.equal), int64_text(sum.rejected), psprintf("%.1f", progress[i].seconds));
		if (sum.rejected > 0 && !options.dry_run)
			printf("%*s  rejected documents: %s\n", width, "", printable(collection->table.side_table));
	}
	return ok;
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
	static const bson_mem_vtable_t allocator = {.malloc = pg_malloc,.calloc = allocate_zeroed,.realloc = pg_realloc,.free = pg_free};

	const char *path;
	bool		few_rejected;
	bool		ok;

	pg_logging_init(argv[0]);
	main_process = getpid();
	bson_mem_set_vtable(&allocator);
	signal(SIGCHLD, SIG_DFL);	/* who starts the program may ignore it */
	path = parse_options(argc, argv);
	collections = find_collections(path, &count, &ok);
	progress = mmap(NULL, count * sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (progress == MAP_FAILED)
		pg_fatal("out of memory");
	for (int i = 0; i < count; i++)
		progress[i].parts = 1;
	resume_hint = collections->input.stream ? NOTHING_LOADED :
		options.load.drop || options.load.restart ?
		"Run the same command without --drop and --restart to resume the load." :
		"Run the same command again to resume the load.";
	ok &= prepare_all();
	if (!options.dry_run)
		ok &= load_all(directory_name(path));
	few_rejected = report();
	if (fflush(stdout) != 0 || ferror(stdout))
		pg_fatal("could not write the report: %m");
	exit(!ok ? 1 : few_rejected ? 0 : 3);
}
