/*-------------------------------------------------------------------------
 *
 * check.c
 *	  Reads a whole file before it is loaded, to find damage, the type of its
 *	  keys, and boundaries of parts.  And the dry run.
 *
 *-------------------------------------------------------------------------
 */
#include "objectid-import.h"

#include <sys/stat.h>

/* how many documents are read to guess the type of a collection's keys */
#define SAMPLE 1000

/* the smallest part of a file that another process loads */
#define PART_BYTES (2 * (int64) window_bytes())

/* how many different reasons the dry run reports */
#define MAX_REASONS 50

static Writer writer;

/* Guess the type of the keys from the documents in the first window. */
void
guess_id_type(Source *source, Collection *collection)
{
	Document	document;
	int			seen[ID_TYPES] = {0};

	start_writer(&writer, WRITE_SORTED);
	for (int i = 0; i < SAMPLE && find_document(source, &document, i == 0) == FOUND; i++)
	{
		resetStringInfo(&writer.out);
		if (document.bson && write_bson(&writer, document.bson) == WRITTEN && writer.id)
			seen[key_type(&writer)]++;
	}
	source->next = 0;
	collection->id_type = ID_OBJECTID;
	for (IdType type = 0; type < ID_TYPES; type++)
		if (seen[type] > seen[collection->id_type])
			collection->id_type = type;
}

/* Store the size and the damage of a source that has been read in its collection, and close it. */
static void
store_result(Source *source, Collection *collection)
{
	collection->size = collection->checked = source->offset + source->filled;
	collection->array = source->array;
	collection->damage_at = source->damage_at;
	strcpy(collection->damage, source->damage);
	close_source(source);
}

/* Open a pipe, and leave it open, because it can be read only once. */
static void
open_pipe(Collection *collection)
{
	collection->pipe = pg_malloc(sizeof(Source));
	open_source(collection->pipe, collection, NULL);
	guess_id_type(collection->pipe, collection);
	collection->size = collection->part->end = PG_INT64_MAX;
}

/* Add what is in the window, and was not in it before, to the checksum. */
static void
add_to_checksum(const Source *source, Collection *collection, int64 *summed)
{
	int64		end = source->offset + (int64) source->filled;

	if (end > *summed)
		COMP_CRC32C(collection->checksum, source->window + (*summed - source->offset), end - *summed);
	*summed = Max(*summed, end);
	collection->checked = source->offset;
}

/*
 * Read all of a file: compute its checksum, divide it into parts, and note any
 * damage.  A sequence of JSON documents is only read for the checksum, because
 * text of it that is not JSON is not damage.
 */
void
check_source(Collection *collection)
{
	Part	   *part = collection->part;
	Source		source;
	struct stat status;
	Document	document;
	int64		summed = 0;
	int			parts = 1;

	if (collection->stream)
	{
		open_pipe(collection);
		return;
	}
	open_source(&source, collection, NULL);
	guess_id_type(&source, collection);
	start_writer(&writer, CHECK);

	/* in BSON, documents have lengths, so that parts can begin at any of them */
	if (!source.json && gzdirect(source.file) && stat(source.path, &status) == 0)
		parts = Max(1, Min(options.jobs, status.st_size / PART_BYTES));
	INIT_CRC32C(collection->checksum);
	add_to_checksum(&source, collection, &summed);
	while (source.json && !source.array && !source.at_end)
	{
		source.next = source.filled;
		move_window(&source);
		add_to_checksum(&source, collection, &summed);
	}
	for (int64 documents = 0; !(source.json && !source.array) && find_document(&source, &document, true) == FOUND; documents++)
	{
		int64		at = source.offset + (document.data - source.window);

		if (collection->parts < parts && at >= status.st_size / parts * collection->parts)
		{
			part->end = at;
			*++part = (Part)
			{
				.start = at,.next = at,.first = documents
			};
			collection->parts++;
		}
		if (!source.json && write_bson(&writer, document.bson) != WRITTEN)
		{
			note_broken_bson(&source, &writer);
			break;
		}
		add_to_checksum(&source, collection, &summed);
	}
	add_to_checksum(&source, collection, &summed);
	FIN_CRC32C(collection->checksum);
	store_result(&source, collection);
	part->end = collection->size;
}

/* Dry run: convert all documents and report rejections. */
void
dry_run(Collection *collection)
{
	Part	   *part = collection->part;
	struct
	{
		char	   *text;
		int64		count;
		int64		first;
	}			reasons[MAX_REASONS] = {0};
	Source		source;
	Document	document;
	Verdict		verdict;

	open_source(&source, collection, NULL);
	guess_id_type(&source, collection);
	if (options.id_type >= 0)
		collection->id_type = options.id_type;
	while (find_document(&source, &document, true) == FOUND)
	{
		resetStringInfo(&writer.out);
		verdict = write_row(&document, collection->id_type, -1, &writer);
		if (verdict == BROKEN)
		{
			note_broken_bson(&source, &writer);
			break;
		}
		part->documents++;
		part->rejected += verdict == REJECTED;
		for (int i = 0; i < MAX_REASONS && verdict == REJECTED; i++)
		{
			if (reasons[i].text == NULL)
			{
				reasons[i].text = pg_strdup(writer.reason);
				reasons[i].first = part->documents;
			}
			if (strcmp(reasons[i].text, writer.reason) == 0)
			{
				reasons[i].count++;
				break;
			}
		}
	}
	for (int i = 0; i < MAX_REASONS && reasons[i].text != NULL; i++)
		printf("%s: " INT64_FORMAT " rejected, the first as document " INT64_FORMAT ": %s\n",
			   collection->source, reasons[i].count, reasons[i].first, reasons[i].text);
	store_result(&source, collection);
}
