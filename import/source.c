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

#include <fcntl.h>
#include <poll.h>

#include "source.h"

#ifdef __APPLE__
#define st_mtim st_mtimespec
#define st_ctim st_ctimespec
#endif

/* bytes of a file that are read to be decompressed */
#define INPUT_BYTES (256 * 1024)

/* its magic number, and the only method */
static const uint8_t gzip_magic[] = {0x1f, 0x8b, 8};

/* what is read to recognize gzip */
#define HEADER_BYTES 10

/*
 * count_lines - how many lines of the window end before a place?
 */
static int64
count_lines(const Source *source, const char *end)
{
	const char *at = source->window;
	int64		count = 0;

	for (; (at = memchr(at, '\n', end - at)) != NULL; at++)
		count++;
	return count;
}

/*
 * note_damage - note damage at a place in the window, unless damage was
 * noted before
 */
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
 * read_raw - read bytes as they are in the file
 *
 * Returns how many: 0 at its end, or if it cannot be read, which is noted
 * as damage.
 */
static size_t
read_raw(Source *source, void *bytes, size_t size)
{
	z_stream   *zlib = &source->zlib;
	struct pollfd ready = {.fd = source->file,.events = POLLIN};
	ssize_t		got;

	/* those that open_source() has looked at */
	if (zlib->avail_in > 0)
	{
		uInt		taken = (uInt) Min(zlib->avail_in, size);

		memcpy(bytes, zlib->next_in, taken);
		zlib->next_in += taken;
		zlib->avail_in -= taken;
		return taken;
	}
	while ((got = read(source->file, bytes, size)) < 0 &&
		   (errno == EINTR ||
			((errno == EAGAIN || errno == EWOULDBLOCK) && poll(&ready, 1, -1) >= 0)))
		;
	if (got < 0)
		note_damage(source, &source->damage, source->window + source->filled, strerror(errno));
	source->position += Max(got, 0);
	return Max(got, 0);
}

/*
 * read_compressed - decompress what fills the window
 *
 * Returns how many bytes.  gzread() is not used, because it silently ignores
 * what is not gzip behind a member.
 */
static size_t
read_compressed(Source *source)
{
	z_stream   *zlib = &source->zlib;
	size_t		room = source->window_size - source->filled;
	const char *damage = NULL;
	int			result;

	zlib->next_out = (Bytef *) source->window + source->filled;
	zlib->avail_out = (uInt) room;
	while (zlib->avail_out > 0 && damage == NULL)
	{
		if (zlib->avail_in == 0)
		{
			zlib->next_in = source->input_bytes;
			zlib->avail_in = (uInt) read_raw(source, source->input_bytes, INPUT_BYTES);
		}
		if (zlib->avail_in == 0)
		{
			if (source->in_member)
				damage = "the compressed file is cut off";
			break;
		}
		if (!source->in_member && *zlib->next_in != gzip_magic[0])
			damage = "the compressed file goes on here: decompress it with gunzip";
		else
		{
			result = inflate(zlib, Z_NO_FLUSH);
			source->in_member = result != Z_STREAM_END;
			if (result == Z_STREAM_END)
				inflateReset(zlib);
			else if (result != Z_OK)
				damage = zlib->msg ? zlib->msg : zError(result);
		}
	}
	if (damage)
		note_damage(source, &source->damage, (const char *) zlib->next_out, damage);
	return room - zlib->avail_out;
}

/*
 * is_same_file - is it the file that was found, as it was then?
 */
bool
is_same_file(const InputFile *input, const struct stat *status)
{
	const struct stat *old = &input->status;

	return status->st_dev == old->st_dev && status->st_ino == old->st_ino &&
		status->st_size == old->st_size &&
		status->st_mtim.tv_sec == old->st_mtim.tv_sec &&
		status->st_mtim.tv_nsec == old->st_mtim.tv_nsec &&
		status->st_ctim.tv_sec == old->st_ctim.tv_sec &&
		status->st_ctim.tv_nsec == old->st_ctim.tv_nsec;
}

/*
 * move_window - discard the window up to source->next, and read on until it
 * is full, or the file ends
 */
void
move_window(Source *source)
{
	struct stat status;

	if (source->line > 0)
		source->line += count_lines(source, source->window + source->next);
	source->offset += source->next;
	source->filled -= source->next;
	memmove(source->window, source->window + source->next, source->filled);
	source->next = 0;
	while (!source->at_end && source->filled < source->window_size)
	{
		size_t		got;

		if (source->compressed)
			got = read_compressed(source);
		else
			got = read_raw(source, source->window + source->filled,
						   source->window_size - source->filled);
		source->filled += got;
		source->at_end = got == 0 || source->damage.what[0];
	}
	source->window[source->filled] = '\0';	/* where strtod() stops */

	/* what was read before this is from the file that was checked */
	if (!source->input->stream &&
		!(fstat(source->file, &status) == 0 && is_same_file(source->input, &status)))
	{
		source->damage.changed = true;
		note_damage(source, &source->damage, source->window, "it has changed");
	}
}

/*
 * window_bytes - the size of a window at first; tests make it smaller
 */
size_t
window_bytes(void)
{
	const char *size = getenv("OBJECTID_IMPORT_WINDOW");

	return size ? Max(1, atoi(size)) : WINDOW_BYTES;
}

/*
 * open_source - open a file or a pipe; move_window() reads its first window
 *
 * Exits if that fails.
 */
void
open_source(Source *source, const InputFile *input)
{
	const char *ending = strrchr(input->path, '.');
	bool		named_gz = ending && strcmp(ending, ".gz") == 0;
	bool		is_gzip;
	z_stream   *zlib = &source->zlib;
	size_t		got = 0;
	size_t		more;

	*source = (Source)
	{
		.input = input,.limit = PG_INT64_MAX,.window_size = window_bytes(),
			.line = input->json ? 1 : 0
	};
	source->file = strcmp(input->path, "-") == 0 ? STDIN_FILENO : open(input->path, O_RDONLY);
	if (source->file < 0)
		pg_fatal("could not open file \"%s\": %m", input->path);
	initStringInfo(&source->bson);
	source->window = pg_malloc(source->window_size + 1);
	source->input_bytes = pg_malloc(INPUT_BYTES);
	source->at_end = input->empty;
	while (got < HEADER_BYTES && !input->empty &&
		   (more = read_raw(source, source->input_bytes + got, INPUT_BYTES - got)) > 0)
		got += more;
	is_gzip = got >= sizeof(gzip_magic) &&
		memcmp(source->input_bytes, gzip_magic, sizeof(gzip_magic)) == 0;

	/* a BSON document can have such a length */
	if (is_gzip && !input->json && !named_gz && got >= HEADER_BYTES &&
		memcmp(source->input_bytes + 5, "_id", 4) == 0)
		is_gzip = false;
	source->compressed = source->in_member = is_gzip;
	if (source->compressed && inflateInit2(zlib, MAX_WBITS + 16) != Z_OK)
		pg_fatal("out of memory");
	zlib->next_in = source->input_bytes;
	zlib->avail_in = (uInt) got;
	if (!input->stream && !input->empty && named_gz && !is_gzip)
		note_damage(source, &source->damage, source->window,
					"it is not compressed by gzip, as its name says");
}

/*
 * seek_source - read from "start", where a document begins, to "end"
 *
 * Only before the first window is read.
 */
void
seek_source(Source *source, int64 start, int64 end, Layout layout)
{
	source->line = 0;
	source->limit = end;
	source->layout = layout;
	source->line_seen = true;
	if (!source->compressed)
	{
		if (lseek(source->file, start, SEEK_SET) < 0)
			pg_fatal("could not read file \"%s\": %m", source->input->path);
		source->zlib.avail_in = 0;
		source->offset = start;
	}
	while (source->offset < start && !(source->at_end && source->filled == 0))
	{
		source->next = (size_t) Min((int64) source->filled, start - source->offset);
		move_window(source);
	}
}

void
close_source(Source *source)
{
	if (source->compressed)
		inflateEnd(&source->zlib);
	close(source->file);
	pg_free(source->input_bytes);
	pg_free(source->window);
	pg_free(source->bson.data);
}

/*-------------------------------------------------------------------------
 * Where JSON documents begin and end
 *
 * A file is one array of documents, or a sequence of JSON values with or without
 * white space between them.  Text that is not JSON is damage, unless each line of
 * the file is text in braces, and those that are JSON are one document: then a
 * line that is not is rejected.
 *
 * What is found depends on the text from the last document on, and not on how
 * much of it the window holds: a decision that needs more text is PARTIAL.
 *-------------------------------------------------------------------------
 */

static inline bool
is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/*
 * skip_space - the index of the first character from "at" on that is not
 * white space
 */
static size_t
skip_space(const Source *source, size_t at)
{
	while (at < source->filled && is_space(source->window[at]))
		at++;
	return at;
}

/*
 * is_line - can a line be one of a file with a document in each: is it
 * white space, or text in braces in which no second document follows the
 * first?
 */
bool
is_line(const char *line, const char *end)
{
	while (line < end && is_space(*line))
		line++;
	while (line < end && is_space(end[-1]))
		end--;
	if (line == end)
		return true;
	if (*line != '{' || end[-1] != '}')
		return false;
	while ((line = memchr(line + 1, '{', end - line - 1)) != NULL)
	{
		const char *before = line - 1;

		while (is_space(*before))
			before--;
		if (*before == '}')
			return false;
	}
	return true;
}

/*
 * leave_lines - note that the file is not one of a document in each line
 *
 * Returns DAMAGED if a line has been rejected, because in such a file it is
 * damage, else the finding.
 */
static Finding
leave_lines(Source *source, Finding finding)
{
	source->layout = SEQUENCE;
	return source->broken_line.what[0] ? DAMAGED : finding;
}

/*
 * check_line - in a file with a document in each line so far: a line begins
 * with { at "at", and its value, or what is JSON of it, ends at *end
 *
 * If the line is text in braces that is not JSON, it is a BROKEN_LINE as a
 * whole: *end is then its end, and *bad the place where it is not JSON.
 */
static Finding
check_line(Source *source, size_t at, size_t *end, Finding finding, size_t *bad)
{
	const char *data = source->window;
	const char *newline = memchr(data + at, '\n', source->filled - at);
	size_t		line_end = newline ? (size_t) (newline - data) : source->filled;
	size_t		next = skip_space(source, *end);

	if (finding == FOUND && (*end > line_end || (next < line_end && data[next] == '{')))
		return leave_lines(source, FOUND);
	if (newline == NULL && !source->at_end)
		return PARTIAL;
	if (finding == FOUND && next >= line_end)
	{
		source->line_seen = true;
		return FOUND;
	}
	while (is_space(data[line_end - 1]))
		line_end--;
	if (data[line_end - 1] != '}' || (finding == PARTIAL && newline == NULL))
		return leave_lines(source, finding);
	*bad = Min(finding == FOUND ? next : *end, line_end);
	source->reason[0] = '\0';
	reject(source->reason, "not JSON at its byte %zu", *bad - at + 1);
	*end = line_end;
	return BROKEN_LINE;
}

/*
 * find_json_end - find the end of the JSON value that begins at "at"
 */
static Finding
find_json_end(Source *source, size_t at, Document *document, size_t *bad)
{
	const char *data = source->window;
	size_t		length;
	Verdict		verdict = json_to_bson(data + at, source->filled - at, &source->bson,
									   source->reason, &length);
	size_t		end = at + length;
	Finding		finding = verdict == BROKEN ? DAMAGED : verdict == INCOMPLETE ? PARTIAL : FOUND;

	*bad = verdict == INCOMPLETE ? at : end;
	/* a number or a word at the end of the window can be longer */
	if ((finding == PARTIAL || (finding == FOUND && end == source->filled && data[at] != '{')) &&
		!source->at_end)
		return PARTIAL;
	if (source->layout == LINES && data[at] == '{')
		finding = check_line(source, at, &end, finding, bad);
	else if (source->layout == LINES)
		finding = leave_lines(source, finding);
	if (finding != FOUND && finding != BROKEN_LINE)
		return finding;
	*document = (Document)
	{
		.data = data + at,.length = end - at
	};
	if (finding == FOUND && verdict == WRITTEN)
		document->bson = (const uint8_t *) source->bson.data;
	else
		document->reason = source->reason;
	source->next = end;
	return finding;
}

/*
 * find_json_document - find the next JSON document: behind white space, or
 * an element of the one array that is the file
 *
 * A value that is not a document is rejected.  *bad is the place of what is
 * DAMAGED, PARTIAL or a BROKEN_LINE.
 */
static Finding
find_json_document(Source *source, Document *document, size_t *bad)
{
	const char *data = source->window;
	size_t		at = source->next;
	bool		first = source->offset + (int64) at == 0;
	bool		array;

	/* what Windows tools put before UTF-8 */
	if (first && source->filled >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0)
		at += 3;
	*bad = at = skip_space(source, at);
	if (first)
		source->layout = data[at] == '[' ? ARRAY : source->layout;
	array = source->layout == ARRAY;
	if (array && at < source->filled && (first || data[at] != ']'))
	{
		/* the bracket, or a comma, before an element */
		if (!first && data[at] != ',')
			return DAMAGED;
		*bad = at = skip_space(source, at + 1);
		if (!first && data[at] == ']')
			return DAMAGED;
	}
	if (array && data[at] == ']')
	{
		*bad = at = skip_space(source, at + 1);
		return at < source->filled ? DAMAGED : source->at_end ? END : PARTIAL;
	}
	if (at == source->filled && source->at_end && source->layout == LINES && !source->line_seen)
		return leave_lines(source, END);
	if (at == source->filled)
		return source->at_end && !array ? END : PARTIAL;
	return find_json_end(source, at, document, bad);
}

/*
 * find_bson_document - find the next BSON document by its length
 *
 * check_bson() or write_bson() checks its contents.
 */
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
 * find_in_window - find the next document in the window
 *
 * *bad is the place of damage.
 */
static Finding
find_in_window(Source *source, Document *document, size_t *bad)
{
	Finding		finding;

	if (!source->input->json)
		return find_bson_document(source, document, bad);
	finding = find_json_document(source, document, bad);
	if (finding == BROKEN_LINE)
	{
		note_damage(source, &source->broken_line, source->window + *bad, "this is not JSON");
		return FOUND;
	}

	/* it was one only if no line after it is damage */
	if (finding == DAMAGED && source->broken_line.what[0])
		source->damage = source->broken_line;
	return finding;
}

/*
 * find_document - find the next document
 *
 * With "may_read", a window that does not hold all of it moves on, or
 * grows, which invalidates documents found before; and damage is noted.
 * Without, the result is then PARTIAL.
 */
Finding
find_document(Source *source, Document *document, bool may_read)
{
	size_t		bad;
	Finding		finding;
	const char *damage;

	if (source->offset + (int64) source->next >= source->limit)
		return END;
	while ((finding = find_in_window(source, document, &bad)) == PARTIAL &&
		   may_read && !source->at_end &&
		   (source->next > 0 || source->window_size < MAX_DOCUMENT))
	{
		if (source->next == 0)
		{
			source->window_size *= 2;
			source->window = pg_realloc(source->window, source->window_size + 1);
		}
		move_window(source);
	}
	if (finding == FOUND && source->offset + (document->data - source->window) >= source->limit)
	{
		/* white space led there, and the file has grown */
		source->next = document->data - source->window;
		return END;
	}
	if (finding == FOUND || (finding == END && source->damage.what[0] == '\0'))
		return finding;

	/* first load the documents before the damage */
	if (!may_read)
		return PARTIAL;
	if (source->input->json && source->offset == 0 && source->filled >= 2 &&
		(memcmp(source->window, "\xff\xfe", 2) == 0 || memcmp(source->window, "\xfe\xff", 2) == 0))
		damage = "this is UTF-16, as PowerShell writes it: use mongoexport --out, or "
			"convert it to UTF-8";
	else if (finding == DAMAGED && source->input->json)
		damage = "this is not JSON";
	else if (finding == DAMAGED)
		damage = "the length of the document that begins here leads nowhere";
	else if (!source->at_end)
		damage = "the document that begins here is larger than any of MongoDB's";
	else if (bad < source->filled)
		damage = "the document that begins here is cut off by the end of the file";
	else
		damage = "the file ends in the middle";
	note_damage(source, &source->damage, source->window + bad, damage);
	return DAMAGED;
}
