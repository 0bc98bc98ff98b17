/*-------------------------------------------------------------------------
 *
 * check.c
 *	  The first pass over a file: is it whole, of what type are its keys, where
 *	  can it be divided?  And the dry run.
 *
 *-------------------------------------------------------------------------
 */
#include "objectid-import.h"

#include <sys/stat.h>

/* so many documents tell the type of a collection's keys */
#define SAMPLE 1000

/* a part of a file that another process loads is at least as large as this */
#define PART_BYTES (2 * BATCH_BYTES)

/* the dry run tells so many reasons apart */
#define MAX_REASONS 50

/* Is the document well formed?  If not, note the damage.  Lines of JSON cannot be damaged. */
static bool
check_document(Source *source, const Document *document)
{
	static Writer writer;
	static StringInfoData row;
	size_t		bad = 0;
	bool		sound;

	if (!source->json)
		sound = check_bson((const uint8_t *) document->data, document->length, 1, &bad);
	else
	{
		if (row.data == NULL)
			initStringInfo(&row);
		resetStringInfo(&row);
		sound = !source->array || write_row(true, document, ID_JSONB, -1, &writer, &row) != BROKEN;
		bad = writer.bad;
	}
	if (!sound)
		set_damage(source, document->data - source->window + bad, source->json ? "this is not JSON" : "this is not BSON");
	return sound;
}

/*
 * Find the next document as find_document() does, and see that it is well
 * formed: so all of a file that can be read only once is checked.
 */
Finding
find_sound_document(Source *source, Document *document, bool may_read)
{
	Finding		finding = find_document(source, document, may_read);

	return finding == FOUND && !check_document(source, document) ? DAMAGED : finding;
}

/* Guess the type of the keys from the documents in the first window. */
IdType
guess_id_type(Source *source)
{
	Source		peek = *source;
	Writer		writer = {0};
	StringInfoData row;
	Document	document;
	int			seen[ID_TYPES] = {0};
	IdType		most = ID_OBJECTID;

	initStringInfo(&row);
	for (int i = 0; i < SAMPLE && find_document(&peek, &document, false) == FOUND; i++)
	{
		resetStringInfo(&row);
		if (write_row(source->json, &document, ID_JSONB, -1, &writer, &row) == WRITTEN)
			seen[writer.id.type]++;
	}
	for (IdType type = 0; type < ID_TYPES; type++)
		if (seen[type] > seen[most])
			most = type;
	pfree(row.data);
	return most;
}

/* Into how many parts is the file to be divided?  Only where documents end can be seen from their lengths. */
static int
count_parts(const Source *source)
{
	struct stat status;

	if (source->json || !gzdirect(source->file) || stat(source->path, &status) != 0)
		return 1;
	return Max(1, Min(options.jobs, status.st_size / PART_BYTES));
}

/*
 * Does the compressed file end where gzread() saw its end?  gzread() takes what
 * is no further member for garbage, and says nothing; so the size that the last
 * four bytes give has to be that of all.
 */
static bool
ends_as_read(const Source *source, int64 size)
{
	FILE	   *file = fopen(source->path, "rb");
	unsigned char last[4];
	bool		ok;

	ok = file && fseek(file, -4, SEEK_END) == 0 && fread(last, 1, 4, file) == 4 &&
		(last[0] | last[1] << 8 | last[2] << 16 | (uint32) last[3] << 24) == (uint32) size;
	if (file)
		fclose(file);
	return ok;
}

/*
 * Read all of a file: take its checksum, find its parts, and note any damage.
 * Between lines of JSON there can be none, so that they are not looked at.
 */
void
check_source(Collection *collection)
{
	Check	   *check = collection->check;
	Part	   *part = check->part;
	Source		source;
	struct stat status;
	Document	document;
	Finding		finding = FOUND;
	int64		documents = 0;
	int64		summed = 0;
	int			parts;

	open_source(&source, collection, NULL);
	check->id_type = guess_id_type(&source);
	parts = count_parts(&source);
	if (without(collection->path, strlen(collection->path), ".gz") > 0 && gzdirect(source.file))
		set_damage(&source, 0, "it is not compressed by gzip, as its name says");
	if (stat(collection->path, &status) != 0)
		status.st_size = 0;
	INIT_CRC32C(check->checksum);
	for (check->parts = 1; finding == FOUND; documents++)
	{
		int64		at = source.offset + source.next;

		if (check->parts < parts && at >= status.st_size / parts * check->parts)
		{
			part->end = at;
			part++;
			part->start = part->next = at;
			part->first = documents;
			check->parts++;
		}
		finding = find_sound_document(&source, &document, true);
		if (finding == FOUND && source.json && !source.array)
			source.next = source.filled;	/* all of the window */
		if (source.offset + (int64) source.filled > summed)
		{
			COMP_CRC32C(check->checksum, source.window + (summed - source.offset), source.offset + source.filled - summed);
			summed = source.offset + source.filled;
			check->checked = source.offset;
		}
	}
	FIN_CRC32C(check->checksum);
	if (!gzdirect(source.file) && source.damage[0] == '\0' && !ends_as_read(&source, summed))
		set_damage(&source, source.filled, "the compressed file goes on here: decompress it with gunzip");
	part->end = -1;
	check->size = check->checked = summed;
	check->array = source.array;
	check->damage_at = source.damage_at;
	strcpy(check->damage, source.damage);
	close_source(&source);
}

/* Turn all documents into rows, for nobody, and say which are rejected and why. */
void
dry_run(Collection *collection)
{
	Part	   *part = collection->check->part;
	IdType		type = options.id_type >= 0 ? (IdType) options.id_type : collection->check->id_type;
	struct
	{
		char	   *text;
		int64		count;
		int64		first;
	}			reasons[MAX_REASONS] = {0};
	Source		source;
	Writer		writer = {0};
	StringInfoData row;
	Document	document;

	initStringInfo(&row);
	if (collection->stream)
		source = *collection->pipe;
	else
		open_source(&source, collection, NULL);
	while (find_sound_document(&source, &document, true) == FOUND)
	{
		part->documents++;
		resetStringInfo(&row);
		if (write_row(source.json, &document, type, -1, &writer, &row) == WRITTEN)
			continue;
		part->rejected++;
		for (int i = 0; i < MAX_REASONS; i++)
		{
			if (reasons[i].text != NULL && strcmp(reasons[i].text, writer.reason) != 0)
				continue;
			if (reasons[i].count++ == 0)
			{
				reasons[i].text = pg_strdup(writer.reason);
				reasons[i].first = part->documents;
			}
			break;
		}
	}
	for (int i = 0; i < MAX_REASONS && reasons[i].text != NULL; i++)
		printf("%s: " INT64_FORMAT " rejected, the first as document " INT64_FORMAT ": %s\n",
			   collection->source, reasons[i].count, reasons[i].first, reasons[i].text);
	fflush(stdout);
	collection->check->damage_at = source.damage_at;
	strcpy(collection->check->damage, source.damage);
	collection->check->id_type = type;
	part->complete = true;
	close_source(&source);
}
