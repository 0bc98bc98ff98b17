/*-------------------------------------------------------------------------
 *
 * report.c
 *	  What the program prints of its work: progress, a table, and why a file is not loaded.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <time.h>
#include <unistd.h>

#include "command.h"
#include "fe_utils/mbprint.h"
#include "load/load.h"
#include "mb/pg_wchar.h"
#include "message.h"

/* monotonic_time - a time in seconds, to measure others from */
double
monotonic_time(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

/* is it time to show progress? every second on a terminal, else every ten */
static bool
is_due(double time)
{
	static double shown;

	if (time - shown < (isatty(STDERR_FILENO) ? 1 : 10))
		return false;
	shown = time;
	return true;
}

/* show_pipe - show how much of a pipe has been read */
void
show_pipe(int64 bytes)
{
	bool		terminal = isatty(STDERR_FILENO);

	if (is_due(monotonic_time()))
		fprintf(stderr, "%sreading: " INT64_FORMAT " MB%s", terminal ? "\r" : "", bytes / 1000000,
				terminal ? "\033[K" : "\n");
}

/* show_progress - show the progress of all processes */
void
show_progress(void)
{
	static const char *const names[] = {"checking", "trying", "loading", "verifying"};
	static Phase phase;
	static double begun;		/* when it was first read in this phase, or 0; */
	static int64 done_before;	/* bytes at that time */
	bool		terminal = isatty(STDERR_FILENO);
	bool		checking = command.phase == CHECKING;
	double		time = monotonic_time();
	double		rate;
	int64		documents = 0;
	int64		done = 0;
	int64		all = 0;

	if (!is_due(time))
		return;
	for_each_collection(collection)
	{
		const InputFile *input = &collection->input;
		const Progress *file = collection->progress;

		all += checking ? input->status.st_size : file->check.size;
		if (checking)
			done += file->check.position;
		for (int i = 0; i < file->parts && !checking; i++)
		{
			done += file->part[i].next - file->part[i].start;
			documents += file->part[i].documents;
		}
	}
	if (begun == 0 || phase != command.phase)
	{
		phase = command.phase;
		begun = time;
		done_before = done;
		return;
	}
	rate = (double) (done - done_before) / (time - begun);
	fprintf(stderr, "%s%s: ", terminal ? "\r" : "", names[phase]);
	if (all > 0)
		fprintf(stderr, "%d %% of ", (int) (100.0 * (double) done / (double) all));
	fprintf(stderr, INT64_FORMAT " MB", Max(all, done) / 1000000);
	if (!checking)
		fprintf(stderr, ", " INT64_FORMAT " documents", documents);
	fprintf(stderr, ", %.1f MB/s", rate / 1e6);
	if (all > 0 && rate > 0)
	{
		int			left = (int) ((double) (all - done) / rate);

		fprintf(stderr, ", %d:%02d left", left / 60, left % 60);
	}
	fputs(terminal ? "\033[K" : "\n", stderr);
}

/* report_damage - say where a file is damaged, and what of it is loaded */
void
report_damage(const Collection *collection, bool loaded)
{
	const InputFile *input = &collection->input;
	const Damage *damage = &collection->progress->damage;
	static const char *const details[] = {
		[LOAD] = "Nothing is loaded from a damaged file.",
		[DRY_RUN] = "Nothing is loaded from a damaged file.",
		[VERIFY] = "Nothing is verified of a damaged file.",
		[PRINT_SCHEMA] = "No statements are printed."
	};
	Action		action = command.options->action;

	if (!damage->changed)
	{
		pg_log_error("file \"%s\" is damaged at byte " INT64_FORMAT "%s: %s", input->path,
					 damage->at, damage->line > 0 ?
					 psprintf(", in line " INT64_FORMAT, damage->line) : "", damage->what);
		pg_log_error_detail("%s", loaded ?
							"The documents before it have been loaded." : details[action]);
		return;
	}
	pg_log_error("file \"%s\" has changed since this %s began", input->path,
				 action == VERIFY ? "comparison" : "load");
	if (action == VERIFY)
		return;
	pg_log_error_detail("%s", !loaded ? "Nothing is loaded from it." :
						psprintf("What is loaded is the file as it was before, up to byte "
								 INT64_FORMAT ".", damage->at));
	pg_log_error_hint("Load a file that nobody writes to.%s", loaded ?
					  "  If its contents differ, use --truncate, or --restart to keep the rows "
					  "of the table." : "");
}

/* report_stop - print why a load has ended, and how to go on */
void
report_stop(const Collection *collection)
{
	const Progress *file = collection->progress;

	pg_log_error("could not load table %s: %s", collection->table.target, file->stop);
	if (file->reason[0])
		pg_log_error_detail("The first reason is: %s.", file->reason);
	pg_log_error_hint("%s", command.options->max_rejected < 0 ?
					  "Use --upsert to replace documents, --truncate or --drop to load them "
					  "again, --generate-id if they have no _id, --id-type for keys of a "
					  "different type, or --max-rejected to reject them all." :
					  is_complete(file) ?
					  "All other documents have been loaded: use a larger --max-rejected." :
					  "Use a larger --max-rejected to resume the load.");
}

static int
display_width(const char *text)
{
	return pg_wcswidth(text, strlen(text), PG_UTF8);
}

/*
 * Print a row of the table about a file: the numbers that have a head, and a time; the heads
 * before the first.  Returns the width of the first column.
 */
static int
print_row(const Collection *collection, const char *const *heads, const int64 *numbers)
{
	static int	width = 0;
	const char *name = printable(collection->table.target);
	bool		first = width == 0;

	for (int i = 0; i < command.count && first; i++)
		width = Max(width, display_width(printable(command.collections[i].table.target)));
	if (first)
	{
		width = Max(width, (int) strlen("table"));
		printf("%-*s", width, *heads);
		for (int i = 1; heads[i]; i++)
			printf("  %12s", heads[i]);
		printf("  %9s\n", "seconds");
	}
	printf("%s%*s", name, width - display_width(name), "");
	for (int i = 1; heads[i]; i++)
		printf("  %12s", int64_text(numbers[i - 1]));
	printf("  %9.1f\n", collection->progress->seconds);
	return width;
}

/*
 * report_load - print what was done with the documents, or would be.  Returns whether more of a
 * file are rejected than may be.
 */
bool
report_load(void)
{
	static const char *const heads[][6] = {
		{"file", "acceptable", "rejected"}, {"table", "loaded", "rejected"},
		{"table", "inserted", "changed", "equal", "rejected"}
	};
	const Options *options = command.options;
	bool		dry_run = command.phase == TRYING;
	bool		upsert = options->upsert && !dry_run;
	bool		many_rejected = false;

	for_each_collection(collection)
	{
		const Part	sum = sum_parts(collection->progress);
		const int64 loaded = sum.documents - sum.changed - sum.equal - sum.rejected;
		const int64 numbers[] = {
			loaded, upsert ? sum.changed : sum.rejected, sum.equal, sum.rejected
		};
		const struct
		{
			bool		is_true;
			const char *what;
			const char *value;
		}			notes[] = {
			{sum.rejected > 0, "rejected documents", collection->table.side_table},
			{collection->progress->without_id, "to load documents without _id", "--generate-id"},
			{collection->progress->duplicate, "to replace documents with the same _id", "--upsert"}
		};
		int			width;

		many_rejected |= sum.rejected > Max(options->max_rejected, 0);
		if (collection->progress->state == REFUSED || options->quiet)
			continue;
		width = print_row(collection, heads[dry_run ? 0 : upsert ? 2 : 1], numbers);
		for (size_t n = 0; n < lengthof(notes) && !dry_run; n++)
			if (notes[n].is_true)
				printf("%*s  %s: %s\n", width, "", notes[n].what, printable(notes[n].value));
	}
	return many_rejected;
}

/*
 * report_comparison - print how a file and its table differ.  Returns whether they do.  Sets
 * *many_rejected if more documents are only in the table of rejected ones than may be.
 */
bool
report_comparison(const Collection *collection, bool *many_rejected)
{
	static const char *const heads[] = {
		"table", "equal", "differ", "missing", "extra", "rejected", NULL
	};
	const Options *options = command.options;
	int64		sum[RESULTS] = {0};

	for (int i = 0; i < collection->progress->parts; i++)
		for (Result kind = 0; kind < RESULTS; kind++)
			sum[kind] += collection->compared[i].count[kind];
	if (!options->quiet)
		print_row(collection, heads, sum);
	for (Result kind = DIFFER; kind <= EXTRA && options->verbose; kind++)
	{
		int			printed = 0;

		for (int i = 0; i < collection->progress->parts; i++)
			for (int j = 0; j < Min(collection->compared[i].count[kind], FIRST_KEYS); j++)
				if (printed++ < FIRST_KEYS)
					printf("%s: %s: %s\n", printable(collection->table.target), heads[kind + 1],
						   printable(collection->compared[i].keys[kind][j]));
	}
	if (sum[ONLY_REJECTED] > Max(options->max_rejected, 0))
	{
		bool		failed_before = failed;

		pg_log_error(INT64_FORMAT " documents of \"%s\" are only in table %s", sum[ONLY_REJECTED],
					 collection->input.name, collection->table.side_table);
		/* which has an exit status of its own */
		failed = failed_before;
		*many_rejected = true;
	}
	return sum[DIFFER] + sum[MISSING] + sum[EXTRA] > 0;
}
