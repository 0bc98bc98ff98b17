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
#include "objectid-import.h"

#include <sys/mman.h>
#include <sys/wait.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <unistd.h>

volatile sig_atomic_t interrupted;

static Collection *collections;
static int	count;
static PGconn *conn;
static pid_t main_process;
static const char *phase;

/* what there is to do: a part of a collection, or all of one */
typedef struct Task
{
	Collection *collection;
	int			part;
	pid_t		process;
} Task;

static Task *tasks;
static int	task_count;

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

/* Show how far all is: every second on a terminal, else every ten. */
void
show_progress(void)
{
	static double shown;
	bool		terminal = isatty(STDERR_FILENO);
	bool		loading = strcmp(phase, "loading") == 0;
	int64		read = 0,
				documents = 0;

	if (!options.progress || getpid() != main_process || now() - shown < (terminal ? 1 : 10))
		return;
	for (int i = 0; i < count && shown > 0; i++)
	{
		const Check *check = collections[i].check;

		read += loading ? 0 : check->checked;
		for (int j = 0; j < check->parts; j++)
		{
			read += check->part[j].next - check->part[j].start;
			documents += check->part[j].documents;
		}
	}
	if (shown > 0)
		fprintf(stderr, "%s%s: " INT64_FORMAT " documents, " INT64_FORMAT " MB%s", terminal ? "\r" : "", phase, documents,
				read / 1000000, terminal ? "\033[K" : "\n");
	shown = now();
}

/* Say how a load that ended early goes on. */
void
hint_resume(void)
{
	if (collections->stream)
		pg_log_error_hint("Nothing has been loaded: run the same command again.");
	else if (options.drop || options.restart)
		pg_log_error_hint("Run the same command again to start over, or without --drop and --restart to resume the load.");
	else
		pg_log_error_hint("Run the same command again to resume the load.");
}

/* Let a child do a task. */
static void
start_task(Task *task, void (*work) (Task *task))
{
	fflush(NULL);
	task->process = fork();
	if (task->process < 0)
		pg_fatal("could not create a process: %m");
	if (task->process > 0)
		return;
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	work(task);
	exit(0);
}

/* Do all tasks, as many at a time as there are jobs.  False: some failed. */
static bool
do_tasks(const char *what, void (*work) (Task *task))
{
	int			running = 0,
				next = 0;
	bool		ok = true;

	phase = what;
	if (task_count == 1 && (!options.progress || collections->stream))
	{
		work(&tasks[0]);
		return true;
	}
	while (running > 0 || (next < task_count && !interrupted))
	{
		int			status;
		pid_t		process;

		if (running < options.jobs && next < task_count && !interrupted)
		{
			start_task(&tasks[next++], work);
			running++;
			continue;
		}
		process = waitpid(-1, &status, options.progress ? WNOHANG : 0);
		if (process > 0)
		{
			running--;
			ok &= status == 0;
			if (WIFSIGNALED(status) && !interrupted)
			{
				/* any other child has said why it failed */
				pg_log_error("%s", wait_result_to_str(status));
				hint_resume();
			}
		}
		else if (process == 0)
		{
			pg_usleep(100000);
			show_progress();
		}
		else if (errno != EINTR)
			pg_fatal("could not wait for a process: %m");
	}
	if (options.progress && isatty(STDERR_FILENO))
		fputc('\n', stderr);
	return ok;
}

static void
check_task(Task *task)
{
	check_source(task->collection);
}

static void
dry_run_task(Task *task)
{
	dry_run(task->collection);
}

static void
load_task(Task *task)
{
	Check	   *check = task->collection->check;
	bool		own = getpid() != main_process;
	double		start = now();

	load_part(own ? open_connection() : conn, task->collection, task->part);
	check->seconds = Max(check->seconds, now() - start);
}

static void
add_task(Collection *collection, int part)
{
	tasks = pg_realloc(tasks, (task_count + 1) * sizeof(Task));
	tasks[task_count++] = (Task)
	{
		collection, part, 0
	};
}

/* Finish what is begun; a second signal ends the program at once. */
static void
handle_interrupt(int signal_number)
{
	static const char message[] = PROGRAM ": finishing this batch; once more to stop at once\n";

	interrupted = 1;
	signal(signal_number, SIG_DFL);
	if (getpid() == main_process && write(STDERR_FILENO, message, sizeof(message) - 1) < 0)
		_exit(130);
	for (int i = 0; i < task_count && getpid() == main_process; i++)
		if (tasks[i].process > 0)
			kill(tasks[i].process, SIGTERM);
}

/* Report damage.  Say what had been loaded before, in a run that was interrupted. */
static bool
is_damaged(const Collection *collection)
{
	const Check *check = collection->check;
	int64		loaded;

	if (check->damage[0] == '\0')
		return false;
	loaded = conn && !collection->stream ? count_loaded(conn, collection) : 0;
	pg_log_error("file \"%s\" is damaged at byte " INT64_FORMAT ": %s", collection->stream ? "standard input" : collection->path,
				 check->damage_at, check->damage);
	if (loaded > 0)
		pg_log_error_detail(INT64_FORMAT " documents of it were loaded before it was damaged.", loaded);
	else
		pg_log_error_detail("Nothing of it has been loaded.");
	return true;
}

/* Check all files, and load those that are whole, or try how it would go.  False: something failed. */
static bool
load_collections(void)
{
	bool		ok = true;

	for (int i = 0; i < count; i++)
		if (!collections[i].stream)
			add_task(&collections[i], 0);
	ok &= do_tasks("checking", check_task);
	task_count = 0;
	if (!options.dry_run)
		lock_tables(conn, collections, count);
	for (int i = 0; i < count; i++)
	{
		Collection *collection = &collections[i];
		Check	   *check = collection->check;

		if (collection->stream)
			open_pipe(collection);
		collection->skip = is_damaged(collection) || (!options.dry_run && !prepare_target(conn, collection));
		ok &= !collection->skip;
		for (int j = 0; j < check->parts && !collection->skip; j++)
			if (!check->part[j].complete)
				add_task(collection, j);
	}
	if (!collections->stream && !options.dry_run)
	{
		signal(SIGINT, handle_interrupt);
		signal(SIGTERM, handle_interrupt);
	}
	if (task_count > 0)
		ok &= do_tasks(options.dry_run ? "trying" : "loading", options.dry_run ? dry_run_task : load_task);
	if (collections->stream && is_damaged(collections))
	{
		collections->skip = true;
		ok = false;
	}
	return ok;
}

/* Print what became of the documents.  Returns how many were rejected. */
static int64
report(void)
{
	int			width = strlen("table");
	int64		rejected = 0;
	bool		headed = false;

	for (int i = 0; i < count; i++)
		width = Max(width, (int) strlen(options.dry_run ? collections[i].source : collections[i].table));
	for (int i = 0; i < count; i++)
	{
		const Check *check = collections[i].check;
		int64		sums[2] = {0};

		for (int j = 0; j < check->parts; j++)
		{
			sums[0] += check->part[j].documents - check->part[j].rejected;
			sums[1] += check->part[j].rejected;
		}
		rejected += sums[1];
		if (options.quiet || collections[i].skip)
			continue;
		if (!headed)
			printf("%-*s  %12s  %12s  %9s\n", width, options.dry_run ? "file" : "table",
				   options.dry_run ? "acceptable" : "loaded", "rejected", "seconds");
		headed = true;
		printf("%-*s  %12lld  %12lld  %9.1f\n", width, options.dry_run ? collections[i].source : collections[i].table,
			   (long long) sums[0], (long long) sums[1], check->seconds);
		if (sums[1] > 0 && !options.dry_run)
			printf("%*s  rejected documents: %s\n", width, "", collections[i].side_table);
	}
	return rejected;
}

/* Statistics for the planner, of tables that are ours */
static void
analyze(void)
{
	execute(conn, "SET client_min_messages = error");
	for (int i = 0; i < count; i++)
		if (!collections[i].skip && collections[i].check->part[0].complete)
			PQclear(query(conn, 0, NULL, "ANALYZE %s", collections[i].table));
}

int
main(int argc, char **argv)
{
	const char *path;
	Check	   *checks;
	bool		ok;
	int64		rejected;

	pg_logging_init(argv[0]);
	main_process = getpid();
	path = parse_options(argc, argv);
	collections = find_collections(path, &count);
	checks = mmap(NULL, count * sizeof(Check), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (checks == MAP_FAILED)
		pg_fatal("out of memory");
	for (int i = 0; i < count; i++)
	{
		collections[i].check = &checks[i];
		checks[i].parts = 1;
	}

	/* who cannot connect learns it before large files are read */
	if (!options.dry_run)
		conn = open_connection();
	ok = load_collections();
	if (interrupted)
	{
		pg_log_error("interrupted");
		hint_resume();
		exit(130);
	}
	if (!options.dry_run)
	{
		write_indexes(collections, count, psprintf("%s.indexes.sql", path_name(path)));
		analyze();
	}
	rejected = report();
	if (!ok)
		exit(1);
	exit(rejected > options.max_rejected ? 3 : 0);
}
