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

void
set_damage(Source *source, size_t at, const char *what)
{
	if (source->damage[0] == '\0')
	{
		source->damage_at = source->offset + at;
		strlcpy(source->damage, what, sizeof(source->damage));
	}
}

/* Read on until the window is full, or the file ends. */
static void
fill_window(Source *source)
{
	while (!source->at_end && source->filled < source->window_size)
	{
		int			got = gzread(source->file, source->window + source->filled, source->window_size - source->filled);
		int			error;
		const char *message = gzerror(source->file, &error);

		if (error == Z_ERRNO)
			set_damage(source, source->filled, strerror(errno));
		else if (error != Z_OK)
			set_damage(source, source->filled, error == Z_BUF_ERROR ? "the compressed file is cut off" : message);
		source->at_end = got <= 0;
		source->filled += Max(got, 0);
	}
	source->window[source->filled] = '\0';	/* so that a number ends */
}

/* Let go of the documents that have been dealt with. */
void
move_window(Source *source)
{
	source->offset += source->next;
	source->filled -= source->next;
	memmove(source->window, source->window + source->next, source->filled);
	source->next = 0;
	fill_window(source);
}

/* Open a file at the place where a part of it stands, or at its beginning; exits if that fails. */
void
open_source(Source *source, const Collection *collection, const Part *part)
{
	memset(source, 0, sizeof(*source));
	source->path = collection->path;
	source->json = collection->json;
	source->stream = collection->stream;
	source->limit = part ? part->end : -1;
	source->file = strcmp(collection->path, "-") == 0 ? gzdopen(STDIN_FILENO, "rb") : gzopen(collection->path, "rb");
	if (source->file == NULL)
		pg_fatal("could not open file \"%s\": %m", collection->path);
	gzbuffer(source->file, 256 * 1024);
	if (part && part->next > 0)
	{
		if (gzseek(source->file, part->next, SEEK_SET) < 0)
			pg_fatal("could not read file \"%s\": %m", collection->path);
		source->offset = part->next;
		source->any = true;
		source->array = collection->check->array;
	}
	source->window_size = BATCH_BYTES;
	source->window = pg_malloc(source->window_size + 1);
	fill_window(source);
}

/* Open a pipe, which can be done only once, and guess the type of its keys. */
void
open_pipe(Collection *collection)
{
	collection->pipe = pg_malloc(sizeof(Source));
	open_source(collection->pipe, collection, NULL);
	collection->check->id_type = guess_id_type(collection->pipe);
	collection->check->part[0].end = -1;
}

void
close_source(Source *source)
{
	gzclose(source->file);
	pg_free(source->window);
}

static inline bool
is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/*
 * Find the end of the JSON object at *at by its brackets and quotes, and leave
 * *at there.  Between "lines", one that is none ends with its line, or before a
 * line that begins with a brace: so the documents behind it are found.
 */
static Finding
skip_object(const Source *source, bool lines, size_t *at)
{
	const char *data = source->window;
	size_t		i = *at;
	int			depth = 0;

	for (; i < source->filled; i++)
	{
		switch (data[i])
		{
			case '{':
			case '[':
				depth++;
				break;
			case '}':
			case ']':
				if (--depth == 0)
				{
					*at = i + 1;
					return FOUND;
				}
				break;
			case '"':
				for (i++; i < source->filled && data[i] != '"'; i++)
				{
					if (data[i] == '\n' && lines)
					{
						*at = i;
						return FOUND;
					}
					if (data[i] == '\\' && (i + 1 == source->filled || data[i + 1] != '\n'))
						i++;
				}
				break;
			case '\n':
				if (lines && i + 1 < source->filled && data[i + 1] == '{')
				{
					*at = i;
					return FOUND;
				}
				break;
		}
	}
	*at = source->filled;
	return lines && source->at_end ? FOUND : PARTIAL;
}

/* Find the next document between the lines of a file; what is none is one, too, to be rejected. */
static Finding
find_line(Source *source, size_t at, Document *document)
{
	const char *end;

	document->data = source->window + at;
	if (*document->data == '{')
	{
		if (skip_object(source, true, &at) == PARTIAL)
			return PARTIAL;
	}
	else if ((end = memchr(document->data, '\n', source->filled - at)) != NULL)
		at = end - source->window;
	else if (source->at_end)
		at = source->filled;
	else
		return PARTIAL;
	document->length = source->window + at - document->data;
	source->next = at;
	source->any = true;
	return FOUND;
}

/*
 * Find the next JSON document: behind white space, or an element of the one
 * array that is the file.
 */
Finding
find_json(Source *source, Document *document, size_t *bad)
{
	const char *data = source->window;
	size_t		filled = source->filled;
	size_t		at = source->next;
	bool		array = source->array;

#define SKIP_SPACE() while (at < filled && is_space(data[at])) at++
	/* what Windows tools put before UTF-8 */
	if (source->offset + (int64) at == 0 && filled >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0)
		at += 3;
	SKIP_SPACE();
	*bad = at;
	if (at < filled && (source->any ? array && data[at] != ']' : data[at] == '['))
	{
		/* the opening bracket, or a comma before the next element */
		if (source->any && data[at] != ',')
			return DAMAGED;
		at++;
		SKIP_SPACE();
		*bad = at;
		if (source->any && at < filled && data[at] == ']')
			return DAMAGED;
		array = true;
	}
	if (array && at < filled && data[at] == ']')
	{
		at++;
		SKIP_SPACE();
		*bad = at;
		if (at < filled)
			return DAMAGED;
		return source->at_end ? END : PARTIAL;
	}
	if (at >= filled)
		return source->at_end && !array ? END : PARTIAL;
	if (!array)
		return find_line(source, at, document);
	if (data[at] != '{')
		return DAMAGED;
	document->data = data + at;
	if (skip_object(source, false, &at) == PARTIAL)
		return PARTIAL;
	document->length = data + at - document->data;
	source->next = at;
	source->any = source->array = true;
	return FOUND;
#undef SKIP_SPACE
}

/* Find the next BSON document.  What is in it, check_bson() looks at. */
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
	memcpy(&length, source->window + source->next, sizeof(length));
	length = BSON_UINT32_FROM_LE(length);
	if (length < 5 || length > MAX_DOCUMENT)
		return DAMAGED;
	if (available < length)
		return PARTIAL;
	if (source->window[source->next + length - 1] != '\0')
		return DAMAGED;
	document->data = source->window + source->next;
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

	document->reason = NULL;
	if (source->limit >= 0 && source->offset + (int64) source->next >= source->limit)
		return END;
	for (;;)
	{
		finding = source->json ? find_json(source, document, &bad) : find_bson(source, document, &bad);
		if (finding == FOUND || (finding == END && source->damage[0] == '\0') ||
			(finding == PARTIAL && !source->at_end && !may_read))
			return finding;
		if (finding != PARTIAL || source->at_end)
			break;
		if (source->next > 0)
			move_window(source);
		else if (source->window_size >= MAX_DOCUMENT)
			break;
		else
		{
			source->window_size *= 2;
			source->window = pg_realloc(source->window, source->window_size + 1);
			fill_window(source);
		}
	}

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
