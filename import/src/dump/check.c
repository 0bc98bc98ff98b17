/*-------------------------------------------------------------------------
 *
 * check.c
 *	  Reads a whole file before it is loaded, to find damage, the type of its
 *	  keys, and boundaries of parts.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "collection.h"
#include "common/hashfn.h"
#include "dump.h"

/* how many documents are read to guess the type of a collection's keys */
#define SAMPLE 1000

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
	store_damage(source, progress);
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
