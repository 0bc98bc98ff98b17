/*-------------------------------------------------------------------------
 *
 * check.c
 *	  Reads a whole file before it is loaded, to find damage, the type of its
 *	  keys, and boundaries of parts.  And the dry run.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "rows.h"

/* how many documents are read to guess the type of a collection's keys */
#define SAMPLE 1000

/* the smallest part of a file that another process loads */
#define PART_BYTES (2 * (int64) window_bytes())

/* how many different reasons the dry run reports */
#define MAX_REASONS 50

static Writer writer;

/* Guess the type of the keys from the documents in the first window. */
static IdType
guess_id_type(Source *source)
{
	Document	document;
	int			seen[ID_TYPES] = {0};
	IdType		most = ID_OBJECTID;

	start_writer(&writer, false);
	move_window(source);
	for (int i = 0; i < SAMPLE && find_document(source, &document, i == 0) == FOUND; i++)
	{
		resetStringInfo(&writer.out);
		if (document.bson && write_bson(&writer, document.bson) == WRITTEN && writer.id)
			seen[key_type(&writer)]++;
	}
	source->next = 0;
	for (IdType type = 0; type < ID_TYPES; type++)
		if (seen[type] > seen[most])
			most = type;
	return most;
}

/* Open a pipe, which stays open, because it can be read only once. */
Source *
open_pipe(const InputFile *input, Progress *progress)
{
	Source	   *source = pg_malloc(sizeof(Source));

	open_source(source, input);
	progress->check.id_type = guess_id_type(source);
	progress->check.size = progress->part->end = PG_INT64_MAX;
	progress->check.done = true;
	return source;
}

/* Add what is in the window, and was not in it before, to the checksum. */
static void
add_to_checksum(const Source *source, Check *check)
{
	int64		end = source->offset + (int64) source->filled;

	check->position = source->position;
	if (end > check->read)
		COMP_CRC32C(check->checksum, source->window + (check->read - source->offset), end - check->read);
	check->read = Max(check->read, end);
}

/*
 * Is each line text in braces, with one document in it if it is JSON?  Then nothing
 * can be damage, and which lines are not JSON is found when they are loaded.
 */
static bool
scan_lines(Source *source, Check *check)
{
	const char *newline;
	Document	document;

	for (;;)
	{
		const char *line = source->window + source->next;

		while ((newline = memchr(line, '\n', source->window + source->filled - line)) != NULL)
		{
			if (!is_line(line, newline))
				return false;
			line = newline + 1;
		}
		source->next = line - source->window;
		if (source->at_end)
			break;
		if (source->next == 0)
			return false;
		move_window(source);
		add_to_checksum(source, check);
	}

	/* the last line may be cut off */
	while (find_document(source, &document, true) == FOUND)
		;
	return source->at_end && source->layout == LINES && source->damage.what[0] == '\0';
}

/* Store what reading a file found, and close it. */
static void
finish_check(Source *source, Progress *progress)
{
	Check	   *check = &progress->check;

	check->size = check->read = source->offset + source->filled;
	check->layout = source->layout;
	check->done = true;
	progress->damage = source->damage;
	progress->part[progress->parts - 1].end = check->size;
	close_source(source);
}

/*
 * Read all of a file: compute its checksum, divide it into at most as many parts
 * as there are jobs, and note any damage.
 */
void
check_file(const InputFile *input, Progress *progress, int jobs)
{
	Check	   *check = &progress->check;
	Source		source;
	int64		file_size = input->status.st_size;
	Document	document;
	int			parts = 1;

	open_source(&source, input);
	check->id_type = guess_id_type(&source);
	start_writer(&writer, true);

	/* in BSON, documents have lengths, so that parts can begin at any of them */
	if (!input->json && !source.compressed)
		parts = Max(1, Min(jobs, file_size / PART_BYTES));
	INIT_CRC32C(check->checksum);
	add_to_checksum(&source, check);
	if (input->json && source.layout == LINES && !(source.line_seen && scan_lines(&source, check)))
	{
		close_source(&source);
		open_source(&source, input);
		move_window(&source);
	}
	for (int64 documents = 0; find_document(&source, &document, true) == FOUND; documents++)
	{
		int64		at = source.offset + (document.data - source.window);

		if (progress->parts < parts && at >= file_size / parts * progress->parts)
		{
			progress->part[progress->parts - 1].end = at;
			progress->part[progress->parts++] = (Part)
			{
				.start = at,.next = at,.first = documents
			};
		}
		if (!input->json && write_bson(&writer, document.bson) != WRITTEN)
		{
			note_damage(&source, &source.damage, (const char *) writer.bad, "this is not BSON");
			break;
		}
		if (!input->json)
			note_key(&progress->key_orders, &writer, false);
		add_to_checksum(&source, check);
	}
	add_to_checksum(&source, check);
	FIN_CRC32C(check->checksum);
	finish_check(&source, progress);
}

/* Dry run: convert all documents, and report why some are rejected. */
void
dry_run(const InputFile *input, Progress *progress, int id_type)
{
	Part	   *part = progress->part;
	struct
	{
		char	   *text;
		int64		count;
		int64		first;
	}			reasons[MAX_REASONS] = {0};
	Source		source;
	Document	document;
	Verdict		verdict = WRITTEN;

	open_source(&source, input);
	progress->check.id_type = guess_id_type(&source);
	while (verdict != BROKEN && find_document(&source, &document, true) == FOUND)
	{
		resetStringInfo(&writer.out);
		verdict = write_row(&document, id_type >= 0 ? (IdType) id_type : progress->check.id_type, -1, &writer);
		part->documents += verdict != BROKEN;
		part->rejected += verdict == REJECTED;
		progress->check.position = source.position;
		for (int i = 0; i < MAX_REASONS && verdict == REJECTED; i++)
		{
			if (reasons[i].text == NULL)
			{
				reasons[i].text = pg_strdup(writer.reason);
				reasons[i].first = part->documents;
			}
			if (strcmp(reasons[i].text, writer.reason) != 0)
				continue;
			reasons[i].count++;
			break;
		}
	}
	if (verdict == BROKEN)
		note_damage(&source, &source.damage, (const char *) writer.bad, "this is not BSON");
	for (int i = 0; i < MAX_REASONS && reasons[i].text != NULL; i++)
		printf("%s: " INT64_FORMAT " rejected, the first as document " INT64_FORMAT ": %s\n",
			   printable(input->name), reasons[i].count, reasons[i].first, printable(reasons[i].text));
	finish_check(&source, progress);
}
