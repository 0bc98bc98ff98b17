/*-------------------------------------------------------------------------
 *
 * source.c
 *	  Reads a file or a pipe, compressed or not, and finds its documents.
 *
 * A window of the file is in memory.  It moves on when all documents in it have
 * been processed.  Damage is noted in the source, and reported elsewhere.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "source.h"

/* How many lines of the window end before a place? */
static int64
count_lines(const Source *source, const char *end)
{
	const char *at = source->window;
	int64		count = 0;

	for (; (at = memchr(at, '\n', end - at)) != NULL; at++)
		count++;
	return count;
}

/* Note damage at a place in the window, unless damage was noted before. */
void
note_damage(const Source *source, Damage *damage, const char *at, const char *what)
{
	if (damage->what[0] != '\0')
		return;
	damage->at = source->offset + (at - source->window);
	damage->line = source->line > 0 ? source->line + count_lines(source, at) : 0;
	strlcpy(damage->what, what, sizeof(damage->what));
}

/*
 * Is the size in the last bytes of the compressed file the number of bytes read?
 * gzread() silently ignores data behind the first member that is not gzip.
 */
static bool
size_matches_trailer(const Source *source)
{
	FILE	   *file = fopen(source->input->path, "rb");
	uint8_t		last[4];
	bool		ok = file && fseek(file, -4, SEEK_END) == 0 && fread(last, 1, 4, file) == 4 &&
	get_length(last) == (uint32) (source->offset + source->filled);

	if (file)
		fclose(file);
	return ok;
}

/* Discard the window up to source->next, and read on until it is full, or the file ends. */
void
move_window(Source *source)
{
	if (source->line > 0)
		source->line += count_lines(source, source->window + source->next);
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
			note_damage(source, &source->damage, source->window + source->filled, error == Z_ERRNO ? strerror(errno) :
						error == Z_BUF_ERROR ? "the compressed file is cut off" : message);
		else if (source->at_end && !source->input->stream && !gzdirect(source->file) && !size_matches_trailer(source))
			note_damage(source, &source->damage, source->window + source->filled, "the compressed file goes on here: decompress it with gunzip");
	}
	source->window[source->filled] = '\0';	/* where strtod() stops */
	source->position = gzoffset(source->file);
}

/* The size of a window at first; tests make it smaller. */
size_t
window_bytes(void)
{
	const char *size = getenv("OBJECTID_IMPORT_WINDOW");

	return size ? Max(1, atoi(size)) : WINDOW_BYTES;
}

/* Open a file or a pipe; move_window() reads its first window.  Exits if that fails. */
void
open_source(Source *source, const InputFile *input)
{
	const char *ending = strrchr(input->path, '.');

	*source = (Source)
	{
		.input = input,.limit = PG_INT64_MAX,.window_size = window_bytes(),.line = input->json
	};
	source->file = strcmp(input->path, "-") == 0 ? gzdopen(STDIN_FILENO, "rb") : gzopen(input->path, "rb");
	if (source->file == NULL)
		pg_fatal("could not open file \"%s\": %m", input->path);
	gzbuffer(source->file, 256 * 1024);
	initStringInfo(&source->bson);
	source->window = pg_malloc(source->window_size + 1);
	if (!input->stream && ending && strcmp(ending, ".gz") == 0 && gzdirect(source->file))
		note_damage(source, &source->damage, source->window, "it is not compressed by gzip, as its name says");
}

/* Before the first window: read from "start", where a document begins, to "end". */
void
seek_source(Source *source, int64 start, int64 end, Layout layout)
{
	if (gzseek(source->file, start, SEEK_SET) < 0)
		pg_fatal("could not read file \"%s\": %m", source->input->path);
	source->offset = start;
	source->line = 0;
	source->limit = end;
	source->layout = layout;
	source->line_seen = true;
}

void
close_source(Source *source)
{
	gzclose(source->file);
	pg_free(source->window);
	pg_free(source->bson.data);
}

/* Find the next BSON document by its length.  write_bson() checks its contents. */
static Finding
find_bson_document(Source *source, Document *document, size_t *bad)
{
	size_t		available = source->filled - source->next;
	const char *data = source->window + source->next;
	uint32_t	length;

	*bad = source->next;
	if (available == 0 && source->at_end)
		return END;
	if (available < sizeof(length))
		return PARTIAL;
	length = get_length((const uint8_t *) data);
	if (length < 5 || length > MAX_DOCUMENT)
		return DAMAGED;
	if (available < length)
		return PARTIAL;
	if (data[length - 1] != '\0')
		return DAMAGED;
	*document = (Document)
	{
		.data = data,.length = length,.bson = (const uint8_t *) data
	};
	source->next += length;
	return FOUND;
}

/*
 * Find the next document.  With "may_read", a window that does not hold all of it
 * moves on, or grows, which invalidates documents found before; and damage is
 * noted.  Without, the result is then PARTIAL.
 */
Finding
find_document(Source *source, Document *document, bool may_read)
{
	bool		json = source->input->json;
	size_t		bad;
	Finding		finding;

	if (source->offset + (int64) source->next >= source->limit)
		return END;
	while ((finding = json ? find_json_document(source, document, &bad) : find_bson_document(source, document, &bad)) == PARTIAL &&
		   may_read && !source->at_end && (source->next > 0 || source->window_size < MAX_DOCUMENT))
	{
		if (source->next == 0)
		{
			source->window_size *= 2;
			source->window = pg_realloc(source->window, source->window_size + 1);
		}
		move_window(source);
	}
	if (finding == FOUND || (finding == END && source->damage.what[0] == '\0'))
		return finding;

	/* first load the documents before the damage */
	if (!may_read)
		return PARTIAL;
	if (finding == DAMAGED)
		note_damage(source, &source->damage, source->window + bad, json ? "this is not JSON" : "the length of the document that begins here leads nowhere");
	else
		note_damage(source, &source->damage, source->window + bad, !source->at_end ? "the document that begins here is larger than any of MongoDB's" :
					bad < source->filled ? "the document that begins here is cut off by the end of the file" :
					"the file ends in the middle");
	return DAMAGED;
}
