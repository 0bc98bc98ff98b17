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

#include <libgen.h>
#include <sys/wait.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <time.h>
#include <unistd.h>

#include "fe_utils/mbprint.h"
#include "mb/pg_wchar.h"

volatile sig_atomic_t interrupted;

static Collection *collections;
static int	count;
static PGconn *conn;
static pid_t main_process;
static bool loading;

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
show_progress(void)
{
	static double shown;
	bool		terminal = isatty(STDERR_FILENO);
	int64		read = 0;
	int64		documents = 0;

	if (!options.progress || getpid() != main_process || now() - shown < (terminal ? 1 : 10))
		return;
	for (int i = 0; i < count; i++)
	{
		read += loading ? 0 : collections[i].checked;
		for (int j = 0; j < collections[i].parts && loading; j++)
		{
			read += collections[i].part[j].next - collections[i].part[j].start;
			documents += collections[i].part[j].documents;
		}
	}
	if (shown > 0)
		fprintf(stderr, "%s%s: " INT64_FORMAT " documents, " INT64_FORMAT " MB%s", terminal ? "\r" : "",
				loading ? "loading" : "checking", documents, read / 1000000, terminal ? "\033[K" : "\n");
	shown = now();
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

/* Check a collection, or load a part of it. */
static void
work(Collection *collection, Part *part)
{
	double		start = now();

	if (loading)
		load_part(getpid() == main_process ? conn : open_connection(collection->stream), collection, part, show_progress);
	else if (options.dry_run)
		dry_run(collection);
	else
		check_source(collection);
	collection->seconds = Max(collection->seconds, now() - start);
}

/* Let a process do it. */
static void
start_process(pid_t * process, Collection *collection, Part *part)
{
	fflush(NULL);
	*process = fork();
	if (*process < 0)
		pg_fatal("could not create a process: %m");
	if (*process > 0)
		return;
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	work(collection, part);
	exit(0);
}

/* Wait until one of the processes ends, and free its slot.  False: it failed. */
static bool
wait_for_process(void)
{
	int			status;
	pid_t		process;

	while ((process = waitpid(-1, &status, options.progress ? WNOHANG : 0)) <= 0)
	{
		if (process < 0 && errno != EINTR)
			pg_fatal("could not wait for a process: %m");
		pg_usleep(process == 0 ? 100000 : 0);
		show_progress();
	}
	for (int i = 0; i < MAX_JOBS; i++)
		processes[i] = processes[i] == process ? 0 : processes[i];
	if (WIFSIGNALED(status) && !interrupted)
	{
		/* any other has said why it failed */
		pg_log_error("%s", wait_result_to_str(status));
		hint_resume();
	}
	return status == 0;
}

/* Is there anything to do with the part? */
static bool
is_open(const Collection *collection, int part)
{
	return loading ? !collection->skip && !collection->part[part].complete : part == 0;
}

/* Check all, or load all, as many at a time as there are jobs.  False: something failed. */
static bool
work_all(void)
{
	int			running = 0;
	int			parts = 0;
	bool		ok = true;

	for (int i = 0; i < count; i++)
		for (int j = 0; j < collections[i].parts; j++)
			parts += is_open(&collections[i], j);
	for (int i = 0; i < count; i++)
		for (int j = 0; j < collections[i].parts; j++)
		{
			int			slot = 0;

			if (!is_open(&collections[i], j) || interrupted)
				continue;
			if (collections->stream || (parts == 1 && !options.progress))
			{
				work(&collections[i], &collections[i].part[j]);
				continue;
			}
			for (; running == options.jobs; running--)
				ok &= wait_for_process();
			while (processes[slot] != 0)
				slot++;
			start_process(&processes[slot], &collections[i], &collections[i].part[j]);
			running++;
		}
	for (; running > 0; running--)
		ok &= wait_for_process();
	if (options.progress && isatty(STDERR_FILENO))
		fputc('\n', stderr);
	return ok;
}

/* Report damage.  Say what had been loaded before, in a run that was interrupted. */
static bool
is_damaged(const Collection *collection)
{
	int64		loaded = conn && !collection->stream && collection->damage[0] ? count_loaded(conn, collection) : 0;

	if (collection->damage[0] == '\0')
		return false;
	pg_log_error("file \"%s\" is damaged at byte " INT64_FORMAT ": %s", collection->stream ? "standard input" : collection->path,
				 collection->damage_at, collection->damage);
	if (loaded > 0)
		pg_log_error_detail(INT64_FORMAT " documents of it were loaded before it was damaged.", loaded);
	else
		pg_log_error_detail("Nothing of it has been loaded.");
	return true;
}

/* Print a name as the first column of the report. */
static void
print_name(const char *name, int width)
{
	printf("%s%*s", name, width - pg_wcswidth(name, strlen(name), PG_UTF8), "");
}

/* Print the number of loaded and rejected documents.  Returns how many were rejected. */
static int64
report(void)
{
	int			width = strlen("table");
	int64		rejected = 0;
	bool		headed = options.quiet;

	for (int i = 0; i < count; i++)
	{
		const char *name = options.dry_run ? collections[i].source : collections[i].table;

		width = Max(width, pg_wcswidth(name, strlen(name), PG_UTF8));
	}
	for (int i = 0; i < count; i++)
	{
		const Collection *collection = &collections[i];
		int64		sums[2] = {0};

		for (int j = 0; j < collection->parts; j++)
		{
			sums[0] += collection->part[j].documents - collection->part[j].rejected;
			sums[1] += collection->part[j].rejected;
		}
		rejected += sums[1];
		if (options.quiet || collection->skip)
			continue;
		if (!headed)
		{
			print_name(options.dry_run ? "file" : "table", width);
			printf("  %12s  %12s  %9s\n", options.dry_run ? "acceptable" : "loaded", "rejected", "seconds");
		}
		headed = true;
		print_name(options.dry_run ? collection->source : collection->table, width);
		printf("  %12lld  %12lld  %9.1f\n", (long long) sums[0], (long long) sums[1], collection->seconds);
		if (sums[1] > 0 && !options.dry_run)
			printf("%*s  rejected documents: %s\n", width, "", collection->side_table);
	}
	return rejected;
}

int
main(int argc, char **argv)
{
	const char *path;
	bool		complete;
	bool		ok;

	pg_logging_init(argv[0]);
	main_process = getpid();
	path = parse_options(argc, argv);
	collections = find_collections(path, &count, &complete);

	/* a connection that fails is reported before large files are read */
	if (!options.dry_run)
		conn = open_connection(collections->stream);
	for (int i = 0; i < count && conn; i++)
		lock_target(conn, &collections[i]);
	ok = work_all() && complete;
	for (int i = 0; i < count; i++)
	{
		Collection *collection = &collections[i];

		collection->seconds *= options.dry_run;
		collection->skip = collection->size < 0 || is_damaged(collection) || (conn && !prepare_target(conn, collection));
		ok &= !collection->skip;
	}
	if (conn)
	{
		if (!collections->stream)
		{
			signal(SIGINT, handle_interrupt);
			signal(SIGTERM, handle_interrupt);
		}
		loading = true;
		ok &= work_all();
		if (interrupted)
		{
			pg_log_error("interrupted");
			hint_resume();
			exit(130);
		}
		if (collections->stream)
			collections->skip = is_damaged(collections);
		ok &= !collections->skip;
		write_indexes(conn, collections, count, psprintf("%s.indexes.sql", basename(pg_strdup(path))));
		for (int i = 0; i < count; i++)
			if (!collections[i].skip && collections[i].part[0].complete)
				execute(conn, psprintf("SET client_min_messages = error; ANALYZE %s", collections[i].table));
	}
	if (report() > options.max_rejected && ok)
		exit(3);
	exit(ok ? 0 : 1);
}
