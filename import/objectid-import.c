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

volatile sig_atomic_t interrupted;

static Collection *collections;
static Progress *progress;		/* of each collection */
static int	count;
static PGconn *conn;
static Source *pipe_source;		/* what is loaded, if it is a pipe */
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
		read += loading ? 0 : progress[i].check.read;
		for (int j = 0; j < progress[i].parts && loading; j++)
		{
			read += progress[i].part[j].next - progress[i].part[j].start;
			documents += progress[i].part[j].documents;
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

/* Check a file, or load a part of it. */
static void
work(int i, int part)
{
	const InputFile *input = &collections[i].input;
	double		start = now();

	if (loading)
		load_part(getpid() == main_process ? conn : open_connection(&options.load.connection), input, pipe_source,
				  &collections[i].table, &progress[i], part, show_progress);
	else if (options.dry_run)
		dry_run(input, &progress[i], options.load.id_type);
	else if (input->stream)
		pipe_source = open_pipe(input, &progress[i]);
	else
		check_file(input, &progress[i], options.jobs);
	progress[i].seconds = Max(progress[i].seconds, now() - start);
}

/* Let a process do it. */
static void
start_process(pid_t * process, int i, int part)
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
	work(i, part);
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
		pg_log_error_hint("%s", resume_hint);
	}
	return status == 0;
}

/* Is there anything to do with the part? */
static bool
is_open(int i, int part)
{
	return loading ? !collections[i].skip && !progress[i].part[part].complete : part == 0;
}

/* Check all, or load all, as many at a time as there are jobs.  False: something failed. */
static bool
work_all(void)
{
	int			running = 0;
	int			parts = 0;
	bool		ok = true;

	for (int i = 0; i < count; i++)
		for (int j = 0; j < progress[i].parts; j++)
			parts += is_open(i, j);
	for (int i = 0; i < count; i++)
		for (int j = 0; j < progress[i].parts; j++)
		{
			int			slot = 0;

			if (!is_open(i, j) || interrupted)
				continue;
			if (collections->input.stream || (parts == 1 && !options.progress))
			{
				work(i, j);
				continue;
			}
			for (; running == options.jobs; running--)
				ok &= wait_for_process();
			while (processes[slot] != 0)
				slot++;
			start_process(&processes[slot], i, j);
			running++;
		}
	for (; running > 0; running--)
		ok &= wait_for_process();
	if (options.progress && isatty(STDERR_FILENO))
		fputc('\n', stderr);
	return ok;
}

/* Report damage, unless there is none. */
static bool
is_damaged(int i)
{
	const InputFile *input = &collections[i].input;
	const Damage *damage = &progress[i].damage;

	if (damage->what[0] == '\0')
		return false;
	pg_log_error("file \"%s\" is damaged at byte " INT64_FORMAT "%s: %s", input->stream ? "standard input" : input->path,
				 damage->at, damage->line > 0 ? psprintf(", in line " INT64_FORMAT, damage->line) : "", damage->what);
	pg_log_error_detail("%s", loading && !input->stream ? "The documents before it have been loaded." : "Nothing is loaded from a damaged file.");
	return true;
}

/* Check all files, and prepare their tables.  False: something failed. */
static bool
prepare_all(void)
{
	bool		ok;

	for (int i = 0; i < count && conn; i++)
		lock_target(conn, &collections[i].table, &options.load);
	ok = work_all();
	for (int i = 0; i < count; i++)
	{
		progress[i].seconds *= options.dry_run;
		collections[i].skip = !progress[i].check.done || is_damaged(i) ||
			(conn && !prepare_target(conn, &collections[i].input, &collections[i].table, &progress[i], &options.load));
		ok &= !collections[i].skip;
	}
	return ok;
}

/* Load all files.  False: something failed. */
static bool
load_all(const char *name)
{
	bool		ok;

	if (!collections->input.stream)
	{
		signal(SIGINT, handle_interrupt);
		signal(SIGTERM, handle_interrupt);
	}
	loading = true;
	ok = work_all();
	if (interrupted)
	{
		pg_log_error("interrupted");
		pg_log_error_hint("%s", resume_hint);
		exit(130);
	}
	for (int i = 0; i < count; i++)
		if (!collections[i].skip && is_damaged(i))
		{
			collections[i].skip = true;
			ok = false;
		}
	write_indexes(conn, collections, count, psprintf("%s.indexes.sql", name));
	for (int i = 0; i < count; i++)
		if (!collections[i].skip && progress[i].part->complete)
			execute(conn, psprintf("SET client_min_messages = error; ANALYZE %s", collections[i].table.target));
	return ok;
}

/* Print a row of the report, whose first column has a name. */
static void
print_row(int width, const char *name, const char *loaded, const char *rejected, const char *seconds)
{
	printf("%s%*s  %12s  %12s  %9s\n", name, width - pg_wcswidth(name, strlen(name), PG_UTF8), "", loaded, rejected, seconds);
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
		const char *name = options.dry_run ? collections[i].input.name : collections[i].table.target;

		width = Max(width, pg_wcswidth(name, strlen(name), PG_UTF8));
	}
	for (int i = 0; i < count; i++)
	{
		const Collection *collection = &collections[i];
		int64		sums[2] = {0};

		for (int j = 0; j < progress[i].parts; j++)
		{
			sums[0] += progress[i].part[j].documents - progress[i].part[j].rejected;
			sums[1] += progress[i].part[j].rejected;
		}
		rejected += sums[1];
		if (options.quiet || collection->skip)
			continue;
		if (!headed)
			print_row(width, options.dry_run ? "file" : "table", options.dry_run ? "acceptable" : "loaded", "rejected", "seconds");
		headed = true;
		print_row(width, options.dry_run ? collection->input.name : collection->table.target, int64_text(sums[0]), int64_text(sums[1]),
				  psprintf("%.1f", progress[i].seconds));
		if (sums[1] > 0 && !options.dry_run)
			printf("%*s  rejected documents: %s\n", width, "", collection->table.side_table);
	}
	return rejected;
}

int
main(int argc, char **argv)
{
	const char *path;
	bool		ok;

	pg_logging_init(argv[0]);
	main_process = getpid();
	path = parse_options(argc, argv);
	collections = find_collections(path, &count, &ok);
	progress = mmap(NULL, count * sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (progress == MAP_FAILED)
		pg_fatal("out of memory");
	for (int i = 0; i < count; i++)
		progress[i].parts = 1;
	resume_hint = collections->input.stream ? "Nothing has been loaded: run the same command again." :
		options.load.drop || options.load.restart ?
		"Run the same command again to start over, or without --drop and --restart to resume the load." :
		"Run the same command again to resume the load.";

	/* a connection that fails is reported before large files are read */
	if (!options.dry_run)
		conn = open_connection(&options.load.connection);
	ok &= prepare_all();
	if (conn)
		ok &= load_all(basename(pg_strdup(path)));
	if (report() > options.max_rejected && ok)
		exit(3);
	exit(ok ? 0 : 1);
}
