/*-------------------------------------------------------------------------
 *
 * scan.c
 *	  Reads a whole file before it is loaded, to find damage, the type of its
 *	  keys, and boundaries of parts.  And the dry run.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "message.h"
#include "scan.h"
#include "common/hashfn.h"

/* how many documents are read to guess the type of a collection's keys */
#define SAMPLE 1000

/* how many different reasons the dry run reports */
#define MAX_REASONS 50

/* why the dry run rejects documents */
typedef struct Reason
{
	char	   *text;
	int64		count;
	int64		first;			/* number of the first of these documents */
} Reason;

/* sum_parts - the numbers of all parts of a file, by all processes */
Part
sum_parts(const Progress *progress)
{
	Part		sum = {0};

	for (int i = 0; i < progress->parts; i++)
	{
		sum.documents += progress->part[i].documents;
		sum.changed += progress->part[i].changed;
		sum.equal += progress->part[i].equal;
		sum.rejected += progress->part[i].rejected;
	}
	return sum;
}

/* is_complete - are all parts of a file loaded or verified? */
bool
is_complete(const Progress *progress)
{
	for (int i = 0; i < progress->parts; i++)
		if (!progress->part[i].complete)
			return false;
	return true;
}

/* guess the type of the keys from the documents in the first window */
static void
guess_id_type(Source *source, Check *check)
{
	static Writer writer;
	Document	document;
	int			seen[ID_TYPES] = {0};
	int			documents;

	start_writer(&writer);
	move_window(source);
	for (documents = 0; documents < SAMPLE &&
		 find_document(source, &document, documents == 0) == FOUND; documents++)
	{
		resetStringInfo(&writer.out);
		if (document.bson && write_bson(&writer, document.bson) == WRITTEN && writer.id.value)
			seen[key_type(&writer.id)]++;
	}
	source->next = 0;
	check->id_type = most_frequent(seen);
	check->empty = documents == 0;
}

/*
 * open_part - open a file that has been checked, to go on with a part of it.  A process has one.
 */
Source *
open_part(const InputFile *input, const Progress *progress, const Part *part)
{
	static Source source;

	/* an error has left it open */
	if (source.window)
		close_source(&source);
	open_source(&source, input);
	seek_source(&source, part->next, part->end, progress->check.layout);
	return &source;
}

/*
 * move_on - move the window on, and find out whether it has a document.  Returns false because of
 * damage that the check did not find.
 */
bool
move_on(Source *source, Progress *progress, const Part *part, bool *found)
{
	Document	document;

	move_window(source);
	*found = find_document(source, &document, true) == FOUND;
	if (!*found && source->at_end &&
		source->offset + (int64) source->filled < part->end)
		note_damage(source, &source->damage, source->window + source->filled,
					"the file has become shorter");
	source->next = 0;
	if (!store_damage(source, &progress->damage))
		return true;
	progress->state = DAMAGED_FILE;
	return false;
}

/*
 * next_row - find the next document, and append its row to writer->out: see write_row().  If it
 * is rejected, writer->reason says why.  Where it is not BSON is noted.
 */
Finding
next_row(Source *source, bool may_read, IdType type, int number, Writer *writer,
		 Document *document)
{
	Finding		finding = find_document(source, document, may_read);

	if (finding == FOUND && write_row(document, type, number, writer) == BROKEN)
	{
		note_damage(source, &source->damage, (const char *) writer->bad, "this is not BSON");
		source->next = document->data - source->window;
		return DAMAGED;
	}
	return finding;
}

/* add what is in the window, and was not in it before, to the checksum */
static void
add_to_checksum(const Source *source, Check *check)
{
	int64		end = source->offset + (int64) source->filled;

	check->position = source->position;
	if (end > check->read)
		COMP_CRC32C(check->checksum, source->window + (check->read - source->offset),
					(size_t) (end - check->read));
	check->read = Max(check->read, end);
}

/*
 * Is each line text in braces, with one document in it if it is JSON?  Then nothing can be damage,
 * and which lines are not JSON is found when they are loaded.
 */
static bool
scan_lines(Source *source, Check *check)
{
	const char *newline;
	Document	document;

	for (;;)
	{
		const char *line = source->window + source->next;

		while ((newline = memchr(line, '\n', source->window + source->filled - line)))
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

/* store what reading a file found, and close it */
static void
finish_check(Source *source, Progress *progress)
{
	Check	   *check = &progress->check;

	check->size = check->read = source->offset + source->filled;
	check->layout = source->layout;
	check->done = true;

	/* the same file has the same ids, those of copies with other times differ */
	check->ids.time = (uint32) source->input->status.st_mtime;
	check->ids.serial = hash_bytes_extended((const unsigned char *) &check->checksum,
											sizeof(check->checksum), (uint64) check->size) >> 1;
	if (store_damage(source, &progress->damage))
		progress->state = DAMAGED_FILE;
	progress->part[progress->parts - 1].end = check->size;
	close_source(source);
}

/*
 * check_file - read all of a file: compute its checksum, divide it into at most as many parts as
 * there are jobs, and note any damage
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
	guess_id_type(&source, check);

	/* in BSON, documents have lengths, so that parts can begin at any of them */
	if (!input->json && !source.compressed)
		parts = (int) Max(1, Min(jobs, file_size / (2 * (int64) window_bytes())));
	INIT_CRC32C(check->checksum);
	add_to_checksum(&source, check);
	if (input->json && source.layout == LINES &&
		!(source.line_seen && scan_lines(&source, check)))
	{
		close_source(&source);
		open_source(&source, input);
		move_window(&source);
	}
	for (int64 documents = 0; find_sound_document(&source, &document) == FOUND; documents++)
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
		add_to_checksum(&source, check);
	}
	add_to_checksum(&source, check);
	FIN_CRC32C(check->checksum);
	finish_check(&source, progress);
}

/*
 * Count one more document that is rejected for a reason, if that is one of the first MAX_REASONS.
 */
static void
count_reason(Reason *reasons, const char *text, int64 document)
{
	int			i = 0;

	while (i < MAX_REASONS && reasons[i].text && strcmp(reasons[i].text, text) != 0)
		i++;
	if (i == MAX_REASONS)
		return;
	if (reasons[i].count++ == 0)
	{
		reasons[i].text = pg_strdup(text);
		reasons[i].first = document;
	}
}

/*
 * dry_run - convert all documents to rows, with keys of the type that is wanted, or of the one
 * that is guessed if that is unknown.  Prints why some are rejected.
 */
void
dry_run(const InputFile *input, Progress *progress, IdType wanted, bool generate_id)
{
	static Writer writer;
	Part	   *part = progress->part;
	Reason		reasons[MAX_REASONS] = {0};
	Source		source;
	Document	document;

	open_source(&source, input);
	guess_id_type(&source, &progress->check);
	if (wanted == ID_UNKNOWN)
		wanted = progress->check.id_type;
	start_writer(&writer);
	writer.ids = generate_id ? &progress->check.ids : NULL;
	while (next_row(&source, true, wanted, NO_NUMBER, &writer, &document) == FOUND)
	{
		resetStringInfo(&writer.out);
		progress->check.position = source.position;
		part->documents++;
		if (writer.reason[0])
		{
			part->rejected++;
			count_reason(reasons, writer.reason, part->documents);
		}
	}
	finish_check(&source, progress);
	for (int i = 0; i < MAX_REASONS && reasons[i].text; i++)
		printf("%s: " INT64_FORMAT " rejected, the first as document " INT64_FORMAT ": %s\n",
			   printable(input->path), reasons[i].count, reasons[i].first,
			   printable(reasons[i].text));
}
