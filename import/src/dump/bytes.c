/*-------------------------------------------------------------------------
 *
 * bytes.c
 *	  Reads a file, compressed or not.  A pipe is written to a file first.
 *
 * A window of the file is in memory.  It moves on when all documents in it have
 * been processed.  Damage is noted in the source, and reported elsewhere.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <fcntl.h>
#include <poll.h>

#include "dump.h"
#include "message.h"

#ifdef __APPLE__
#define st_ctim st_ctimespec
#endif

/* bytes of a file that are read to be decompressed */
#define INPUT_BYTES (256 * 1024)

/* its magic number, and the only method */
static const uint8_t gzip_magic[] = {0x1f, 0x8b, 8};

/* what is read to recognize gzip */
#define HEADER_BYTES 10

/* how many lines of the window end before a place? */
static int64
count_lines(const Source *source, const char *end)
{
	const char *at = source->window;
	int64		count = 0;

	for (; (at = memchr(at, '\n', end - at)) != NULL; at++)
		count++;
	return count;
}

/* note_damage - note damage at a place in the window, unless damage was noted before */
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
 * Read from a place of a file, because processes share an open file with its place; or, if that is
 * -1, what comes next in a pipe.
 */
static ssize_t
read_at(int file, int64 at, void *bytes, size_t size)
{
	struct pollfd ready = {.fd = file,.events = POLLIN};
	ssize_t		got;

	do
		got = at < 0 ? read(file, bytes, size) : pread(file, bytes, size, at);
	while (got < 0 && (errno == EINTR || ((errno == EAGAIN || errno == EWOULDBLOCK) &&
										  poll(&ready, 1, -1) >= 0)));
	return got;
}

/*
 * Read bytes as they are in the file.  Returns how many: 0 at its end, or if it cannot be
 * read, which is noted as damage.
 */
static size_t
read_raw(Source *source, void *bytes, size_t size)
{
	z_stream   *zlib = &source->zlib;
	bool		seekable = S_ISREG(source->input->status.st_mode);
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
	got = read_at(source->file, seekable ? source->position : -1, bytes, size);
	if (got < 0)
		note_damage(source, &source->damage, source->window + source->filled, strerror(errno));
	source->position += Max(got, 0);
	return Max(got, 0);
}

/*
 * Decompress what fills the window.  Returns how many bytes.  gzread() is not used, because it
 * silently ignores what is not gzip behind a member.
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

/* is it the file that was found, as it was then? any change of it changes ctime */
static bool
is_same_file(const InputFile *input, const struct stat *status)
{
	const struct stat *old = &input->status;

	return status->st_dev == old->st_dev && status->st_ino == old->st_ino &&
		status->st_size == old->st_size &&
		status->st_ctim.tv_sec == old->st_ctim.tv_sec &&
		status->st_ctim.tv_nsec == old->st_ctim.tv_nsec;
}

/* has_changed - is a file another than the one that was found? */
bool
has_changed(const InputFile *input)
{
	struct stat status;

	return (input->file ? fstat(input->file, &status) : stat(input->path, &status)) == 0 &&
		!is_same_file(input, &status);
}

/*
 * move_window - discard the window up to source->next, and read on until it is full, or the
 * file ends
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
	if (S_ISREG(source->input->status.st_mode) &&
		!(fstat(source->file, &status) == 0 && is_same_file(source->input, &status)))
	{
		source->damage.changed = true;
		note_damage(source, &source->damage, source->window, "it has changed");
	}
}

/* window_bytes - the size of a window at first; tests make it smaller */
size_t
window_bytes(void)
{
	const char *size = getenv("OBJECTID_IMPORT_WINDOW");

	return size ? Max(1, atoi(size)) : WINDOW_BYTES;
}

static int
open_input(const InputFile *input)
{
	int			file = input->file ? dup(input->file) :
	strcmp(input->path, "-") == 0 ? dup(STDIN_FILENO) : open(input->path, O_RDONLY);

	if (file < 0)
		pg_fatal("could not open file \"%s\": %m", input->path);
	return file;
}

/*
 * spool_input - write what can be read only once to a temporary file without a name, which is
 * read instead; "watch", unless it is NULL, hears how many bytes.  Gives up if that fails.
 */
void
spool_input(InputFile *input, void (*watch) (int64 bytes))
{
	const char *directory = getenv("TMPDIR");
	char	   *path;
	char	   *bytes;
	int64		bytes_read = 0;
	ssize_t		got;
	int			pipe;

	if (S_ISREG(input->status.st_mode))
		return;
	pipe = input->file = open_input(input);
	if (strcmp(input->path, "-") == 0)
		input->path = "standard input";
	if (fstat(pipe, &input->status) == 0 && S_ISREG(input->status.st_mode) &&
		lseek(pipe, 0, SEEK_CUR) == 0)
		return;
	path = psprintf("%s/" PROGRAM ".XXXXXX", directory && *directory ? directory : "/var/tmp");
	if ((input->file = mkstemp(path)) < 0 || unlink(path) != 0)
		pg_fatal_hint("Set TMPDIR to a directory to which you can write.",
					  "could not create temporary file \"%s\": %m", path);
	bytes = pg_malloc(INPUT_BYTES);
	while ((got = read_at(pipe, -1, bytes, INPUT_BYTES)) > 0)
	{
		bytes_read += got;
		if (watch)
			watch(bytes_read);
		for (ssize_t done = 0, written; done < got; done += written)
			if ((written = write(input->file, bytes + done, got - done)) < 0)
				pg_fatal_hint("Set TMPDIR to a directory that has room for it.",
							  "could not write %s to temporary file \"%s\": %m", input->path, path);
	}
	if (got < 0)
		pg_fatal("could not read %s: %m", input->path);
	fstat(input->file, &input->status);
	pg_free(bytes);
	close(pipe);
}

/* open_source - open a file; move_window() reads its first window.  Gives up if that fails. */
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
	source->file = open_input(input);
	initStringInfo(&source->bson);
	source->window = pg_malloc(source->window_size + 1);
	source->input_bytes = pg_malloc(INPUT_BYTES);
	while (got < HEADER_BYTES &&
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
	if (named_gz && !is_gzip)
		note_damage(source, &source->damage, source->window,
					"it is not compressed by gzip, as its name says");
}

/*
 * seek_source - read from "start", where a document begins, to "end".  Only before the first
 * window is read.
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
		source->zlib.avail_in = 0;
		source->position = source->offset = start;
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
	source->window = NULL;
	pg_free(source->bson.data);
}
