/*-------------------------------------------------------------------------
 *
 * source.c
 *	  From a file or a pipe, compressed or not, to documents.
 *
 * The documents found lie in a window of the file, which moves on when all of
 * them have been dealt with.  Nothing is printed here: damage is noted.
 *
 *-------------------------------------------------------------------------
 */
#include "objectid-import.h"

/* Note damage, at an offset in the window, unless some is known. */
static void
set_damage(Source *source, size_t at, const char *what)
{
	if (source->damage[0] == '\0')
	{
		source->damage_at = source->offset + at;
		strlcpy(source->damage, what, sizeof(source->damage));
	}
}

/* Note that the BSON document that was read last is damaged. */
void
set_broken(Source *source, const Writer *writer)
{
	set_damage(source, (const char *) writer->bad - source->window, "this is not BSON");
}

/*
 * gzread() takes what is no further member for garbage, and says nothing; so the
 * size that the last bytes of the file give has to be that of all.
 */
static bool
ends_here(const Source *source)
{
	FILE	   *file = fopen(source->path, "rb");
	uint8_t		last[4];
	bool		ok = file && fseek(file, -4, SEEK_END) == 0 && fread(last, 1, 4, file) == 4 &&
	get_length(last) == (uint32) (source->offset + source->filled);

	if (file)
		fclose(file);
	return ok;
}

/* Let go of the documents that have been dealt with, and read on until the window is full, or the file ends. */
void
move_window(Source *source)
{
	source->offset += source->next;
	source->filled -= source->next;
	memmove(source->window, source->window + source->next, source->filled);
	source->next = 0;
	while (!source->at_end && source->filled < source->window_size)
	{
		int			got = gzread(source->file, source->window + source->filled, source->window_size - source->filled);
		int			error;
		const char *message = gzerror(source->file, &error);

		source->filled += Max(got, 0);
		source->at_end = got <= 0;
		if (error != Z_OK)
			set_damage(source, source->filled, error == Z_ERRNO ? strerror(errno) :
					   error == Z_BUF_ERROR ? "the compressed file is cut off" : message);
		else if (source->at_end && !source->stream && !gzdirect(source->file) && !ends_here(source))
			set_damage(source, source->filled, "the compressed file goes on here: decompress it with gunzip");
	}
	source->window[source->filled] = '\0';	/* so that a number ends */
}

/* The size of a window at first; tests make it smaller. */
size_t
window_bytes(void)
{
	const char *size = getenv("OBJECTID_IMPORT_WINDOW");

	return size ? Max(1, atoi(size)) : BATCH_BYTES;
}

/* Open a file or a pipe, at the place where a part of it stands, or at its beginning; exits if that fails. */
void
open_source(Source *source, const Collection *collection, const Part *part)
{
	const char *ending = strrchr(collection->path, '.');

	*source = (Source)
	{
		.path = collection->path,.json = collection->json,.stream = collection->stream,.limit = PG_INT64_MAX,.window_size = window_bytes()
	};
	source->file = strcmp(source->path, "-") == 0 ? gzdopen(STDIN_FILENO, "rb") : gzopen(source->path, "rb");
	if (source->file == NULL)
		pg_fatal("could not open file \"%s\": %m", source->path);
	gzbuffer(source->file, 256 * 1024);
	if (part)
	{
		source->limit = part->end;
		source->offset = part->next;
		source->array = collection->array;
		if (gzseek(source->file, part->next, SEEK_SET) < 0)
			pg_fatal("could not read file \"%s\": %m", source->path);
	}
	initStringInfo(&source->bson);
	source->window = pg_malloc(source->window_size + 1);
	move_window(source);
	if (!source->stream && ending && strcmp(ending, ".gz") == 0 && gzdirect(source->file))
		set_damage(source, 0, "it is not compressed by gzip, as its name says");
}

void
close_source(Source *source)
{
	gzclose(source->file);
	pg_free(source->window);
	pg_free(source->bson.data);
}

/* Find the next BSON document.  What is in it, write_bson() looks at. */
static Finding
find_bson(Source *source, Document *document, size_t *bad)
{
	size_t		available = source->filled - source->next;
	uint32_t	length;

	*bad = source->next;
	if (available == 0 && source->at_end)
		return END;
	if (available < sizeof(length))
		return PARTIAL;
	length = get_length((const uint8_t *) source->window + source->next);
	if (length < 5 || length > MAX_DOCUMENT)
		return DAMAGED;
	if (available < length)
		return PARTIAL;
	if (source->window[source->next + length - 1] != '\0')
		return DAMAGED;
	document->data = source->window + source->next;
	document->bson = (const uint8_t *) document->data;
	document->length = length;
	source->next += length;
	return FOUND;
}

/*
 * Find the next document in the window.  With "may_read", a window that holds
 * no whole document moves on, and grows if it must; what was found before is
 * then gone, and damage is noted.
 */
Finding
find_document(Source *source, Document *document, bool may_read)
{
	size_t		bad;
	Finding		finding;

	document->bson = NULL;
	document->reason = NULL;
	if (source->offset + (int64) source->next >= source->limit)
		return END;
	while ((finding = source->json ? find_json(source, document, &bad) : find_bson(source, document, &bad)) == PARTIAL &&
		   may_read && !source->at_end && (source->next > 0 || source->window_size < MAX_DOCUMENT))
	{
		if (source->next == 0)
		{
			source->window_size *= 2;
			source->window = pg_realloc(source->window, source->window_size + 1);
		}
		move_window(source);
	}
	if (finding == FOUND || (finding == END && source->damage[0] == '\0'))
		return finding;

	/* damage behind whole documents waits until those are dealt with */
	if (!may_read)
		return PARTIAL;
	if (finding == DAMAGED)
		set_damage(source, bad, source->json ? "this is not JSON" :
				   "the length of the document that begins here leads nowhere");
	else
		set_damage(source, bad, !source->at_end ? "the document that begins here is larger than any of MongoDB's" :
				   bad < source->filled ? "the document that begins here is cut off by the end of the file" :
				   "the file ends in the middle");
	return DAMAGED;
}
