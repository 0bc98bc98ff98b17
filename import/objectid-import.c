/*-------------------------------------------------------------------------
 *
 * objectid-import.c
 *	  Load a mongodump (.bson) or mongoexport (.json) file into a table
 *	  (_id objectid PRIMARY KEY, doc jsonb NOT NULL).
 *
 * A regular file is read twice.  The first pass finds any damage and takes a
 * checksum, and nothing is loaded of a damaged file.  The second pass loads it
 * in batches.  Each batch is a transaction, which also moves the file's row in
 * the table objectid_import on; so a run that was interrupted, however it
 * ended, is continued by the next.  What is not a regular file can be read but
 * once: it is loaded in a single transaction.
 *
 * The documents of a batch go by COPY straight into the table.  Only if the
 * server refuses one of them, or there are duplicates, is the batch rolled back
 * and loaded by way of a temporary table, which tells the good from the bad.
 *
 *-------------------------------------------------------------------------
 */
#define _GNU_SOURCE

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <bson/bson.h>
#include <libpq-fe.h>

#define PROGRAM "objectid-import"

/* a batch, which one transaction loads, is what fits in this ... */
#define BATCH_BYTES (8 * 1024 * 1024)

/* ... or one document that is larger, but no larger than this */
#define MAX_DOCUMENT (128 * 1024 * 1024)

/* MongoDB allows 100 levels to its users, and 200 to itself */
#define MAX_DEPTH 200

/* how much goes to the server at once */
#define COPY_BYTES (64 * 1024)

/* 9999-12-31 23:59:59.999 UTC, in milliseconds */
#define LAST_DATE INT64_C(253402300799999)

/* a part of a batch that is this small is not halved further, if the server refuses it */
#define SMALL_PART 128

/* PostgreSQL cuts longer names */
#define MAX_NAME 63

typedef struct Buffer
{
	char	   *data;
	size_t		used;
	size_t		size;
} Buffer;

typedef struct Source
{
	const char *path;			/* as given, for messages */
	int			fd;
	bool		json;
	bool		stream;			/* not a regular file: size is unknown */
	int64_t		size;
	bool		checked;		/* it has been read once, and was whole */
	uint64_t	checksum;		/* of all of it, if checked */

	/* the part of the file that is in memory */
	char	   *window;
	size_t		window_size;
	size_t		filled;
	size_t		next;			/* where the next document is looked for */
	int64_t		offset;			/* of the window in the file */
	bool		at_end;

	/* JSON only */
	bool		array;			/* mongoexport --jsonArray */
	bool		any;			/* a document came before */
	Buffer		nesting;		/* the open brackets */
} Source;

typedef struct Document
{
	const char *data;
	size_t		length;
	char	   *reason;			/* why it is rejected, or NULL */
} Document;

typedef struct Batch
{
	Document   *documents;
	size_t		count;
	size_t		allocated;
	int64_t		first;			/* position of the first document in the file,
								 * from 1 */
} Batch;

/* what looking for a document comes to */
typedef enum
{
	FOUND,
	END,						/* the file has no more */
	PARTIAL,					/* the window does not hold all of it */
	DAMAGED
} Finding;

/* what turning a document into a row comes to */
typedef enum
{
	WRITTEN,
	REJECTED,
	BROKEN
} Verdict;

typedef struct Key
{
	const char *name;
	size_t		length;
} Key;

/* a document on its way to a row */
typedef struct Writer
{
	Buffer	   *out;
	const uint8_t *document;
	bool		id_seen;
	bson_type_t id_type;
	bson_oid_t	id;
	size_t		bad;			/* if BROKEN: the offset in the document */
	char		reason[512];	/* if REJECTED or BROKEN */
} Writer;

typedef struct Target
{
	PGconn	   *conn;
	char	   *table;			/* schema-qualified and quoted, as all these */
	char	   *side_table;
	char	   *bookkeeping;
	char	   *type;			/* objectid, wherever the extension is, */
	char	   *equals;			/* and its operator */
	char	   *oid;			/* of the table */
	const char *source_name;	/* the file, in the bookkeeping table */
	bool		staging;		/* the last batch had duplicates */
	int64_t		documents;		/* read, in this run and those before */
	int64_t		rejected;		/* of them */
} Target;

/* how a statement that may fail because of its data ended */
typedef struct Refusal
{
	bool		refused;
	char		message[512];
} Refusal;

static Key *keys;				/* field names of the open documents */
static size_t keys_used;
static size_t keys_allocated;

static bool utf8_server;		/* can the database hold every character? */
static bool progress_shown;
static volatile sig_atomic_t interrupted;

static void die(const char *format,...) __attribute__((format(printf, 1, 2), noreturn));
static Verdict write_document(Writer *writer, const uint8_t *data, size_t length, bool array, int depth);

/*
 * Small things
 */

static void
clear_progress(void)
{
	if (progress_shown)
		fputs("\r\033[K", stderr);
	progress_shown = false;
}

static void
die(const char *format,...)
{
	va_list		arguments;

	clear_progress();
	fputs(PROGRAM ": ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(1);
}

static void *
allocate(void *old, size_t size)
{
	void	   *new = realloc(old, size);

	if (new == NULL)
		die("out of memory");
	return new;
}

static char *print(const char *format,...) __attribute__((format(printf, 1, 2)));

static char *
print(const char *format,...)
{
	va_list		arguments;
	char	   *result;

	va_start(arguments, format);
	if (vasprintf(&result, format, arguments) < 0)
		die("out of memory");
	va_end(arguments);
	return result;
}

/* Make room for that many more bytes, and return the place. */
static inline char *
reserve(Buffer *buffer, size_t length)
{
	if (buffer->size - buffer->used < length)
	{
		while (buffer->size - buffer->used < length)
			buffer->size = buffer->size ? 2 * buffer->size : 2 * COPY_BYTES;
		buffer->data = allocate(buffer->data, buffer->size);
	}
	return buffer->data + buffer->used;
}

static inline void
append(Buffer *buffer, const void *data, size_t length)
{
	if (length > 0)
		memcpy(reserve(buffer, length), data, length);
	buffer->used += length;
}

static inline void
append_string(Buffer *buffer, const char *string)
{
	append(buffer, string, strlen(string));
}

static void
append_int16(Buffer *buffer, int16_t value)
{
	uint16_t	big_endian = htons((uint16_t) value);

	append(buffer, &big_endian, sizeof(big_endian));
}

static void
append_int32(Buffer *buffer, int32_t value)
{
	uint32_t	big_endian = htonl((uint32_t) value);

	append(buffer, &big_endian, sizeof(big_endian));
}

static void
append_int64(Buffer *buffer, int64_t value)
{
	append_int32(buffer, (int32_t) ((uint64_t) value >> 32));
	append_int32(buffer, (int32_t) (value & 0xffffffff));
}

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

/*
 * Length of the UTF-8 character at data, or 0 if there is none that
 * PostgreSQL would take.
 */
static inline size_t
utf8_length(const char *data, size_t available)
{
	const unsigned char *byte = (const unsigned char *) data;
	size_t		length;
	unsigned char lowest = 0x80;
	unsigned char highest = 0xbf;

	if (byte[0] < 0x80)
		return 1;
	else if (byte[0] >= 0xc2 && byte[0] <= 0xdf)
		length = 2;
	else if (byte[0] >= 0xe0 && byte[0] <= 0xef)
	{
		length = 3;
		if (byte[0] == 0xe0)
			lowest = 0xa0;		/* no overlong form */
		if (byte[0] == 0xed)
			highest = 0x9f;		/* no surrogate */
	}
	else if (byte[0] >= 0xf0 && byte[0] <= 0xf4)
	{
		length = 4;
		if (byte[0] == 0xf0)
			lowest = 0x90;
		if (byte[0] == 0xf4)
			highest = 0x8f;		/* no further than U+10FFFF */
	}
	else
		return 0;
	if (available < length || byte[1] < lowest || byte[1] > highest)
		return 0;
	for (size_t i = 2; i < length; i++)
	{
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
	}
	return length;
}

/*
 * The progress bar, on a terminal
 */

static void
show_progress(const char *what, int64_t done, int64_t start, int64_t total, double since)
{
	static double last;
	static int	on_terminal = -1;
	double		time = now();
	double		seconds = time - since;
	double		rate = seconds > 0 ? (done - start) / seconds / 1e6 : 0;

	if (on_terminal < 0)
		on_terminal = isatty(STDERR_FILENO);
	if (!on_terminal || time - last < 0.1)
		return;
	last = time;
	if (total < 0)
		fprintf(stderr, "\r\033[K%s  %.1f MB  %.1f MB/s", what, done / 1e6, rate);
	else
	{
		const int	width = 30;
		int			full = total > 0 ? (int) (width * done / total) : width;
		static const char bar[] = "##############################";

		fprintf(stderr, "\r\033[K%s  [%-*.*s] %3d%%  %.1f of %.1f MB  %.1f MB/s",
				what, width, full, bar, total > 0 ? (int) (100 * done / total) : 100,
				done / 1e6, total / 1e6, rate);
		if (rate > 0 && done < total)
			fprintf(stderr, "  %d s left", (int) ((total - done) / 1e6 / rate));
	}
	fflush(stderr);
	progress_shown = true;
}

/*
 * Reading: from the file to documents
 */

static void
damaged(const Source *source, int64_t offset, const char *what)
{
	if (source->checked)
		die("%s was changed while it was being loaded: damaged at byte %" PRId64 ": %s", source->path, offset, what);
	die("%s is damaged at byte %" PRId64 ": %s\nNothing of it has been loaded.", source->path, offset, what);
}

/* Read on until the window is full, or the file ends. */
static void
fill_window(Source *source)
{
	while (!source->at_end && source->filled < source->window_size)
	{
		ssize_t		got = read(source->fd, source->window + source->filled, source->window_size - source->filled);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			die("could not read %s: %s", source->path, strerror(errno));
		source->at_end = got == 0;
		source->filled += got;
	}
}

/* Let go of the documents that are done with. */
static void
move_window(Source *source)
{
	source->offset += source->next;
	source->filled -= source->next;
	memmove(source->window, source->window + source->next, source->filled);
	source->next = 0;
	fill_window(source);
}

static void
rewind_source(Source *source, int64_t offset)
{
	if (lseek(source->fd, offset, SEEK_SET) < 0)
		die("could not read %s: %s", source->path, strerror(errno));
	source->offset = offset;
	source->filled = source->next = 0;
	source->at_end = false;
	source->any = offset > 0;
	fill_window(source);
}

static inline bool
is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/*
 * Find the end of the JSON string whose opening quote is at *at.
 */
static Finding
skip_json_string(const char *data, size_t length, size_t *at)
{
	size_t		i = *at + 1;

	for (;; i++)
	{
		/* most bytes are neither of these */
		while (i < length && data[i] != '"' && data[i] != '\\' && (unsigned char) data[i] >= 0x20)
			i++;
		*at = i;
		if (i >= length)
			return PARTIAL;
		if (data[i] == '"')
		{
			*at = i + 1;
			return FOUND;
		}
		if (data[i] != '\\')
			return DAMAGED;
		if (++i >= length)
			return PARTIAL;
		if (data[i] == 'u')
		{
			for (int digit = 0; digit < 4; digit++)
			{
				*at = ++i;
				if (i >= length)
					return PARTIAL;
				if (strchr("0123456789abcdefABCDEF", data[i]) == NULL || data[i] == '\0')
					return DAMAGED;
			}
		}
		else if (strchr("\"\\/bfnrt", data[i]) == NULL || data[i] == '\0')
			return DAMAGED;
	}
}

/*
 * Find the end of the number, true, false or null at *at.
 */
static Finding
skip_json_word(const char *data, size_t length, size_t *at)
{
	static const char *const words[] = {"true", "false", "null"};
	size_t		i = *at;

	for (int word = 0; word < 3; word++)
	{
		if (data[i] != words[word][0])
			continue;
		for (const char *c = words[word]; *c; c++, i++)
		{
			*at = i;
			if (i >= length)
				return PARTIAL;
			if (data[i] != *c)
				return DAMAGED;
		}
		*at = i;
		return FOUND;
	}

#define DIGITS() \
	do { \
		*at = i; \
		if (i >= length) \
			return PARTIAL; \
		if (data[i] < '0' || data[i] > '9') \
			return DAMAGED; \
		while (i < length && data[i] >= '0' && data[i] <= '9') \
			i++; \
	} while (0)

	if (data[i] == '-')
		i++;
	if (i < length && data[i] == '0')
		i++;
	else
		DIGITS();
	if (i < length && data[i] == '.')
	{
		i++;
		DIGITS();
	}
	if (i < length && (data[i] == 'e' || data[i] == 'E'))
	{
		i++;
		if (i < length && (data[i] == '+' || data[i] == '-'))
			i++;
		DIGITS();
	}
	*at = i;
	return i < length ? FOUND : PARTIAL;
#undef DIGITS
}

/*
 * Find the end of the JSON object at *at, and leave *at behind it, or, if it is
 * damaged, at the first byte that is wrong.
 */
static Finding
skip_json_object(Source *source, size_t *at)
{
	const char *data = source->window;
	size_t		length = source->filled;
	Buffer	   *nesting = &source->nesting;
	enum
	{
		VALUE, FIRST_VALUE, KEY, FIRST_KEY, COLON, COMMA
	}			expected = VALUE;

	nesting->used = 0;
	for (;;)
	{
		Finding		finding = FOUND;
		char		c;

		while (*at < length && is_space(data[*at]))
			++* at;
		if (*at >= length)
			return PARTIAL;
		c = data[*at];
		if ((c == '}' && (expected == FIRST_KEY || (expected == COMMA && nesting->data[nesting->used - 1] == '{'))) ||
			(c == ']' && (expected == FIRST_VALUE || (expected == COMMA && nesting->data[nesting->used - 1] == '['))))
		{
			++*at;
			if (--nesting->used == 0)
				return FOUND;
			expected = COMMA;
		}
		else if (expected == COMMA)
		{
			if (c != ',')
				return DAMAGED;
			++*at;
			expected = nesting->data[nesting->used - 1] == '{' ? KEY : VALUE;
		}
		else if (expected == COLON)
		{
			if (c != ':')
				return DAMAGED;
			++*at;
			expected = VALUE;
		}
		else if (expected == KEY || expected == FIRST_KEY)
		{
			if (c != '"')
				return DAMAGED;
			finding = skip_json_string(data, length, at);
			expected = COLON;
		}
		else if (c == '{' || c == '[')
		{
			append(nesting, &c, 1);
			++*at;
			expected = c == '{' ? FIRST_KEY : FIRST_VALUE;
		}
		else
		{
			finding = c == '"' ? skip_json_string(data, length, at) : skip_json_word(data, length, at);
			expected = COMMA;
		}
		if (finding != FOUND)
			return finding;
	}
}

/*
 * Find the next JSON document: an object behind white space, or an element of
 * the one array that is the file.
 */
static Finding
find_json(Source *source, Document *document, size_t *bad)
{
	const char *data = source->window;
	size_t		at = source->next;
	bool		array = source->array;
	Finding		finding;

	/* what Windows tools put before UTF-8 */
	if (source->offset + (int64_t) at == 0 && source->filled >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0)
		at += 3;

	while (at < source->filled && is_space(data[at]))
		at++;
	if (!source->any && at < source->filled && data[at] == '[')
	{
		array = true;
		at++;
		while (at < source->filled && is_space(data[at]))
			at++;
	}
	else if (array && source->any && at < source->filled && data[at] == ',')
	{
		at++;
		while (at < source->filled && is_space(data[at]))
			at++;
		if (at < source->filled && data[at] == ']')
		{
			*bad = at;
			return DAMAGED;
		}
	}
	else if (array && source->any && at < source->filled && data[at] != ']')
	{
		*bad = at;
		return DAMAGED;
	}
	if (array && at < source->filled && data[at] == ']')
	{
		at++;
		while (at < source->filled && is_space(data[at]))
			at++;
		*bad = at;
		if (at < source->filled)
			return DAMAGED;
		return source->at_end ? END : PARTIAL;
	}
	*bad = at;
	if (at >= source->filled)
		return source->at_end && !array ? END : PARTIAL;
	if (data[at] != '{')
		return DAMAGED;

	document->data = data + at;
	finding = skip_json_object(source, &at);
	if (finding == DAMAGED)
		*bad = at;
	if (finding == FOUND)
	{
		document->length = data + at - document->data;
		source->next = at;
		source->array = array;
		source->any = true;
	}
	return finding;
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
 * then gone.
 */
static Finding
find_document(Source *source, Document *document, bool may_read)
{
	size_t		bad;
	Finding		finding;

	document->reason = NULL;
	for (;;)
	{
		finding = source->json ? find_json(source, document, &bad) : find_bson(source, document, &bad);
		if (finding == DAMAGED)
			break;
		if (finding != PARTIAL || (!source->at_end && !may_read))
			return finding;
		if (source->at_end)
			break;
		if (source->next > 0)
			move_window(source);
		else if (source->window_size >= MAX_DOCUMENT)
			break;
		else
		{
			source->window_size *= 2;
			source->window = allocate(source->window, source->window_size);
			fill_window(source);
		}
	}

	/* damage behind whole documents waits until those are dealt with */
	if (!may_read)
		return PARTIAL;
	if (source->offset == 0 && source->next == 0 && source->filled >= 2 && memcmp(source->window, "\x1f\x8b", 2) == 0)
		damaged(source, 0, "it is compressed: pipe it through gunzip");
	if (finding == DAMAGED && source->json)
		damaged(source, source->offset + bad, "this is not JSON");
	if (finding == DAMAGED)
		damaged(source, source->offset + bad, "the length of the document that begins here leads nowhere");
	if (source->at_end)
	{
		char	   *what = print(bad < source->filled ? "the document that begins here is cut off by the end of the file, byte %" PRId64
								 : "the file ends in the middle", source->offset + (int64_t) source->filled);

		damaged(source, source->offset + bad, what);
	}
	damaged(source, source->offset + bad, "the document that begins here is larger than any of MongoDB's");
	return END;
}

/*
 * Does a loop over bson_iter_next() that has ended have read all?  If not, *bad
 * is where in the document it found itself stopped.
 */
static bool
iteration_complete(const bson_iter_t *iter, const uint8_t *data, size_t length, size_t *bad)
{
	if (iter->err_off == 0 && iter->off == length - 1 && data[length - 1] == 0)
		return true;

	/*
	 * at a type that there is not, or behind the field's name, where its
	 * value fails to fit
	 */
	*bad = iter->off;
	if (iter->err_off > 0 && iter->off < length &&
		((data[iter->off] >= BSON_TYPE_DOUBLE && data[iter->off] <= BSON_TYPE_DECIMAL128) ||
		 data[iter->off] == BSON_TYPE_MAXKEY || data[iter->off] == BSON_TYPE_MINKEY))
		*bad = iter->err_off;
	return false;
}

/*
 * Is the BSON document, or array, well formed?  If not, *bad is where in it it
 * is not.  What is nested too deep for us is not looked at.
 */
static bool
check_bson(const uint8_t *data, size_t length, int depth, size_t *bad)
{
	bson_iter_t iter;

	*bad = 0;
	if (!bson_iter_init_from_data(&iter, data, length))
		return false;
	while (bson_iter_next(&iter))
	{
		const uint8_t *inner = NULL;
		uint32_t	inner_length;

		if (BSON_ITER_HOLDS_DOCUMENT(&iter))
			bson_iter_document(&iter, &inner_length, &inner);
		else if (BSON_ITER_HOLDS_ARRAY(&iter))
			bson_iter_array(&iter, &inner_length, &inner);
		else if (BSON_ITER_HOLDS_CODEWSCOPE(&iter))
		{
			uint32_t	code_length;

			bson_iter_codewscope(&iter, &code_length, &inner_length, &inner);
		}
		if (inner != NULL && depth < MAX_DEPTH && !check_bson(inner, inner_length, depth + 1, bad))
		{
			*bad += inner - data;
			return false;
		}
	}
	return iteration_complete(&iter, data, length, bad);
}

/* JSON was checked when it was found. */
static void
check_document(const Source *source, const Document *document)
{
	size_t		bad;

	if (!source->json && !check_bson((const uint8_t *) document->data, document->length, 1, &bad))
		damaged(source, source->offset + (document->data - source->window) + bad, "this is not BSON");
}

/* 64-bit FNV-1a, going on */
static uint64_t
checksum(uint64_t sum, const char *data, size_t length)
{
	for (size_t i = 0; i < length; i++)
		sum = (sum ^ (unsigned char) data[i]) * UINT64_C(0x100000001b3);
	return sum;
}

/*
 * The first pass over a regular file: refuse it if it is damaged, and take
 * the checksum.
 */
static void
check_source(Source *source)
{
	double		since = now();
	int64_t		summed = 0;
	Document	document;
	Finding		finding;

	source->checksum = UINT64_C(0xcbf29ce484222325);
	do
	{
		finding = find_document(source, &document, true);
		if (finding == FOUND)
			check_document(source, &document);

		/* each window once, when it is new */
		if (source->offset + (int64_t) source->filled > summed)
		{
			source->checksum = checksum(source->checksum, source->window + (summed - source->offset),
										source->offset + source->filled - summed);
			summed = source->offset + source->filled;
			show_progress("checking", source->offset, 0, source->size, since);
		}
	} while (finding == FOUND);
	source->size = summed;
	source->checked = true;
	clear_progress();
}

/*
 * Fill a batch with what the window holds of whole documents.
 */
static void
read_batch(Source *source, Batch *batch)
{
	Document	document;

	for (size_t i = 0; i < batch->count; i++)
		free(batch->documents[i].reason);
	batch->first += batch->count;
	batch->count = 0;

	if (source->next > 0)
		move_window(source);
	while (find_document(source, &document, batch->count == 0) == FOUND)
	{
		if (!source->checked)
			check_document(source, &document);
		if (batch->count == batch->allocated)
		{
			batch->allocated = batch->allocated ? 2 * batch->allocated : 1024;
			batch->documents = allocate(batch->documents, batch->allocated * sizeof(Document));
		}
		batch->documents[batch->count++] = document;
	}
}

/*
 * Writing: from a document to the text of a jsonb
 */

static Verdict reject(Writer *writer, const char *format,...) __attribute__((format(printf, 2, 3)));

static Verdict
reject(Writer *writer, const char *format,...)
{
	va_list		arguments;

	va_start(arguments, format);
	vsnprintf(writer->reason, sizeof(writer->reason), format, arguments);
	va_end(arguments);
	return REJECTED;
}

static Verdict
write_text(Writer *writer, const char *text, size_t length, const char *what)
{
	static const char digits[] = "0123456789abcdef";
	char	   *out = reserve(writer->out, 6 * length + 2);
	char	   *start = out;

	*out++ = '"';
	for (size_t i = 0; i < length;)
	{
		unsigned char c = text[i];

		if (c >= 0x80)
		{
			size_t		bytes = utf8_length(text + i, length - i);

			if (bytes == 0)
				return reject(writer, "invalid UTF-8 in %s", what);
			memcpy(out, text + i, bytes);
			out += bytes;
			i += bytes;
			continue;
		}
		i++;
		if (c >= 0x20 && c != '"' && c != '\\')
			*out++ = c;
		else if (c == '\0')
			return reject(writer, "NUL character in %s", what);
		else
		{
			*out++ = '\\';
			if (c == '"' || c == '\\')
				*out++ = c;
			else
			{
				memcpy(out, "u00", 3);
				out[3] = digits[c >> 4];
				out[4] = digits[c & 15];
				out += 5;
			}
		}
	}
	*out++ = '"';
	writer->out->used += out - start;
	return WRITTEN;
}

static void
write_int(Writer *writer, int64_t value)
{
	char		digits[24];
	char	   *place = digits + sizeof(digits);
	uint64_t	rest = value < 0 ? -(uint64_t) value : (uint64_t) value;

	do
		*--place = '0' + rest % 10;
	while ((rest /= 10) > 0);
	if (value < 0)
		*--place = '-';
	append(writer->out, place, digits + sizeof(digits) - place);
}

/*
 * The shortest decimal number that is read back as this one, always with a
 * decimal point, so that it is still seen to be a double.  (jsonb keeps the
 * zero of "1.0"; but it has no exponents, and would keep nothing of "1e+20".)
 */
static void
write_double(Writer *writer, double value)
{
	char		text[400];

	if (isnan(value) || isinf(value))
		snprintf(text, sizeof(text), "{\"$numberDouble\":\"%s\"}",
				 isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
	else if (fabs(value) < 1e15 && value == (int64_t) value)
		snprintf(text, sizeof(text), "%s%" PRId64 ".0", signbit(value) && value == 0 ? "-" : "", (int64_t) value);
	else
	{
		for (int precision = 15; precision <= 17; precision++)
		{
			snprintf(text, sizeof(text), "%.*g", precision, value);
			if (strtod(text, NULL) == value)
				break;
		}
		if (strstr(text, "e+") != NULL || strpbrk(text, ".e") == NULL)
			snprintf(text, sizeof(text), "%.1f", value);
	}
	append_string(writer->out, text);
}

/* The types that are rarer, as libbson writes them. */
static Verdict
write_by_libbson(Writer *writer, const bson_iter_t *iter)
{
	static const char before[] = "{ \"\" : ";
	static const char after[] = " }";
	bson_t		alone = BSON_INITIALIZER;
	const char *string = NULL;
	char	   *text = NULL;
	size_t		length;
	uint32_t	string_length = 0;
	uint32_t	scope_length;
	const uint8_t *scope;

	/* libbson ends these at a NUL, and says nothing */
	if (BSON_ITER_HOLDS_CODE(iter))
		string = bson_iter_code(iter, &string_length);
	else if (BSON_ITER_HOLDS_SYMBOL(iter))
		string = bson_iter_symbol(iter, &string_length);
	else if (BSON_ITER_HOLDS_CODEWSCOPE(iter))
		string = bson_iter_codewscope(iter, &string_length, &scope_length, &scope);
	else if (BSON_ITER_HOLDS_DBPOINTER(iter))
	{
		const bson_oid_t *id;

		bson_iter_dbpointer(iter, &string_length, &string, &id);
	}
	if (string != NULL && memchr(string, '\0', string_length) != NULL)
		return reject(writer, "NUL character in a string");

	if (bson_append_iter(&alone, "", 0, iter))
		text = bson_as_relaxed_extended_json(&alone, &length);
	bson_destroy(&alone);
	if (text == NULL)
		return reject(writer, "a value of BSON type 0x%02x that has no JSON form", bson_iter_type(iter));
	append(writer->out, text + strlen(before), length - strlen(before) - strlen(after));
	bson_free(text);
	return WRITTEN;
}

static Verdict
write_value(Writer *writer, bson_iter_t *iter, int depth)
{
	const uint8_t *data;
	const char *text;
	uint32_t	length;
	int64_t		date;
	char		hex[25];

	switch (bson_iter_type(iter))
	{
		case BSON_TYPE_UTF8:
			text = bson_iter_utf8(iter, &length);
			return write_text(writer, text, length, "a string");
		case BSON_TYPE_INT32:
			write_int(writer, bson_iter_int32(iter));
			return WRITTEN;
		case BSON_TYPE_INT64:
			write_int(writer, bson_iter_int64(iter));
			return WRITTEN;
		case BSON_TYPE_DOUBLE:
			write_double(writer, bson_iter_double(iter));
			return WRITTEN;
		case BSON_TYPE_BOOL:
			append_string(writer->out, bson_iter_bool(iter) ? "true" : "false");
			return WRITTEN;
		case BSON_TYPE_NULL:
			append_string(writer->out, "null");
			return WRITTEN;
		case BSON_TYPE_OID:
			bson_oid_to_string(bson_iter_oid(iter), hex);
			append_string(writer->out, "{\"$oid\":\"");
			append_string(writer->out, hex);
			append_string(writer->out, "\"}");
			return WRITTEN;
		case BSON_TYPE_DATE_TIME:
			date = bson_iter_date_time(iter);
			if (date >= 0 && date <= LAST_DATE)
				return write_by_libbson(writer, iter);

			/*
			 * where relaxed format has no year for it; libbson would write
			 * one of five digits
			 */
			append_string(writer->out, "{\"$date\":{\"$numberLong\":\"");
			write_int(writer, date);
			append_string(writer->out, "\"}}");
			return WRITTEN;
		case BSON_TYPE_DOCUMENT:
			bson_iter_document(iter, &length, &data);
			return write_document(writer, data, length, false, depth + 1);
		case BSON_TYPE_ARRAY:
			bson_iter_array(iter, &length, &data);
			return write_document(writer, data, length, true, depth + 1);
		default:
			return write_by_libbson(writer, iter);
	}
}

static int
compare_keys(const void *left, const void *right)
{
	const Key  *a = left;
	const Key  *b = right;

	if (a->length != b->length)
		return a->length < b->length ? -1 : 1;
	return memcmp(a->name, b->name, a->length);
}

/* BSON can have a field twice; jsonb would keep the last only, and say nothing. */
static bool
has_duplicate(Key *field, size_t count)
{
	if (count <= 16)
	{
		for (size_t i = 1; i < count; i++)
			for (size_t j = 0; j < i; j++)
				if (field[i].length == field[j].length && memcmp(field[i].name, field[j].name, field[i].length) == 0)
					return true;
		return false;
	}
	qsort(field, count, sizeof(Key), compare_keys);
	for (size_t i = 1; i < count; i++)
		if (compare_keys(&field[i - 1], &field[i]) == 0)
			return true;
	return false;
}

/*
 * Write the document, or array, as relaxed Extended JSON, version 2.
 */
static Verdict
write_document(Writer *writer, const uint8_t *data, size_t length, bool array, int depth)
{
	bson_iter_t iter;
	size_t		first_key = keys_used;
	bool		first = true;
	bool		duplicate;

	if (depth > MAX_DEPTH)
		return reject(writer, "nested deeper than %d levels", MAX_DEPTH);
	writer->bad = data - writer->document;
	if (!bson_iter_init_from_data(&iter, data, length))
		return BROKEN;
	append(writer->out, array ? "[" : "{", 1);
	while (bson_iter_next(&iter))
	{
		Verdict		verdict = WRITTEN;

		if (!first)
			append(writer->out, ",", 1);
		first = false;
		if (!array)
		{
			Key			key = {bson_iter_key(&iter), bson_iter_key_len(&iter)};

			if (keys_used == keys_allocated)
			{
				keys_allocated = keys_allocated ? 2 * keys_allocated : 256;
				keys = allocate(keys, keys_allocated * sizeof(Key));
			}
			keys[keys_used++] = key;
			if (depth == 1 && strcmp(key.name, "_id") == 0)
			{
				writer->id_seen = true;
				writer->id_type = bson_iter_type(&iter);
				if (BSON_ITER_HOLDS_OID(&iter))
					bson_oid_copy(bson_iter_oid(&iter), &writer->id);
			}
			verdict = write_text(writer, key.name, key.length, "a field name");
			append(writer->out, ":", 1);
		}
		if (verdict == WRITTEN)
			verdict = write_value(writer, &iter, depth);
		if (verdict != WRITTEN)
		{
			keys_used = first_key;
			return verdict;
		}
	}
	append(writer->out, array ? "]" : "}", 1);
	duplicate = has_duplicate(keys + first_key, keys_used - first_key);
	keys_used = first_key;
	if (!iteration_complete(&iter, data, length, &writer->bad))
	{
		writer->bad += data - writer->document;
		return BROKEN;
	}
	return duplicate ? reject(writer, "a field occurs twice") : WRITTEN;
}

static const char *
type_name(bson_type_t type)
{
	switch (type)
	{
		case BSON_TYPE_DOUBLE:
			return "a double";
		case BSON_TYPE_UTF8:
			return "a string";
		case BSON_TYPE_DOCUMENT:
			return "a document";
		case BSON_TYPE_ARRAY:
			return "an array";
		case BSON_TYPE_BINARY:
			return "binary data";
		case BSON_TYPE_BOOL:
			return "a boolean";
		case BSON_TYPE_DATE_TIME:
			return "a date";
		case BSON_TYPE_NULL:
			return "null";
		case BSON_TYPE_INT32:
		case BSON_TYPE_INT64:
			return "an integer";
		case BSON_TYPE_DECIMAL128:
			return "a decimal";
		default:
			return "of another type";
	}
}

/*
 * libbson takes any 24 characters for an ObjectId, no number at all for a
 * decimal, and what begins with a number for a double, and makes something of
 * them.  Name the first wrapper in the JSON that does not hold what it says.
 */
static const char *
find_bad_wrapper(const char *data, size_t length)
{
	static const char *const wrappers[] = {"$oid", "$numberDouble", "$numberDecimal"};
	const char *end = data + length;

	for (const char *at = data; (at = memmem(at, end - at, "\"$", 2)) != NULL; at++)
	{
		for (int i = 0; i < 3; i++)
		{
			size_t		name_length = strlen(wrappers[i]);
			const char *value = at + 1 + name_length;
			char		text[512];
			char	   *rest;
			bson_decimal128_t decimal;
			bool		valid;

			/* the JSON is known to be whole, so there is more behind a name */
			if ((size_t) (end - at) < name_length + 2 || memcmp(at + 1, wrappers[i], name_length) != 0 || *value != '"')
				continue;
			do
				value++;
			while (is_space(*value));
			if (*value != ':')
				continue;
			do
				value++;
			while (is_space(*value));
			if (*value != '"')
				continue;
			value++;
			length = (const char *) memchr(value, '"', end - value) - value;
			if (length >= sizeof(text))
				return wrappers[i];
			memcpy(text, value, length);
			text[length] = '\0';
			if (i == 0)
				valid = bson_oid_is_valid(text, length);
			else if (i == 1 && strspn(text, "+-.0123456789eE") == length)
				valid = length > 0 && (strtod(text, &rest), *rest == '\0');
			else if (i == 1)
				valid = strcmp(text, "NaN") == 0 || strcmp(text, "Infinity") == 0 || strcmp(text, "-Infinity") == 0;
			else
				valid = bson_decimal128_from_string(text, &decimal);
			if (!valid)
				return wrappers[i];
		}
	}
	return NULL;
}

/* Make BSON of JSON, unless it holds what libbson would read as something else. */
static Verdict
parse_json(Writer *writer, const Document *document, bson_t *parsed)
{
	const char *wrapper;
	bson_error_t error;

	if (memmem(document->data, document->length, "\\u0000", 6) != NULL)
	{
		/* libbson would end a name there; find whether the backslash is one */
		const char *end = document->data + document->length;

		for (const char *at = document->data; (at = memchr(at, '\\', end - at)) != NULL; at += 2)
			if (end - at >= 6 && memcmp(at, "\\u0000", 6) == 0)
				return reject(writer, "NUL character in a string");
	}
	if ((wrapper = find_bad_wrapper(document->data, document->length)) != NULL)
		return reject(writer, "not Extended JSON: bad value of %s", wrapper);
	if (!bson_init_from_json(parsed, document->data, document->length, &error))
		return reject(writer, "not Extended JSON: %s", error.message);
	return WRITTEN;
}

/*
 * Make the binary COPY row of a document: (_id, doc), after its position in the
 * batch if "position" is not negative.
 */
static Verdict
write_row(const Source *source, const Document *document, int position, Writer *writer)
{
	Buffer	   *out = writer->out;
	size_t		row = out->used;
	size_t		doc;
	bson_t		parsed;
	uint32_t	doc_length;
	Verdict		verdict;

	writer->id_seen = false;
	if (source->json && parse_json(writer, document, &parsed) != WRITTEN)
		return REJECTED;

	append_int16(out, position < 0 ? 2 : 3);
	if (position >= 0)
	{
		append_int32(out, 4);
		append_int32(out, position);
	}
	append_int32(out, 12);
	append(out, &writer->id, 12);
	append_int32(out, 0);
	doc = out->used;
	append(out, "\1", 1);		/* version of jsonb's binary format */

	if (source->json)
	{
		writer->document = bson_get_data(&parsed);
		verdict = write_document(writer, writer->document, parsed.len, false, 1);
		bson_destroy(&parsed);
		if (verdict == BROKEN)
			verdict = reject(writer, "not Extended JSON");
	}
	else
	{
		writer->document = (const uint8_t *) document->data;
		verdict = write_document(writer, writer->document, document->length, false, 1);
	}

	if (verdict == WRITTEN && !writer->id_seen)
		verdict = reject(writer, "no _id");
	else if (verdict == WRITTEN && writer->id_type != BSON_TYPE_OID)
		verdict = reject(writer, "_id is %s, not an ObjectId", type_name(writer->id_type));
	else if (verdict == WRITTEN && out->used - doc > 0x3fffffff)
		verdict = reject(writer, "too large");
	if (verdict != WRITTEN)
	{
		out->used = row;
		return verdict;
	}
	doc_length = htonl(out->used - doc);
	memcpy(out->data + doc - 16, &writer->id, 12);
	memcpy(out->data + doc - 4, &doc_length, 4);
	return WRITTEN;
}

/*
 * Loading: from a batch to the server
 */

static void
lost(PGconn *conn)
{
	char	   *message = strdup(PQerrorMessage(conn));

	if (message != NULL)
		message[strcspn(message, "\n")] = '\0';
	if (PQstatus(conn) == CONNECTION_BAD)
		die("the connection was lost: %s\nRun the same command again.", message);
	die("%s", message);
}

/*
 * Is this the error of a row, that is, not one which any other would meet as
 * well?  Integrity constraints, data, limits.
 */
static Refusal
check_result(PGconn *conn, PGresult *result)
{
	Refusal		refusal = {false, ""};
	const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);

	switch (PQresultStatus(result))
	{
		case PGRES_COMMAND_OK:
		case PGRES_TUPLES_OK:
		case PGRES_COPY_IN:
			return refusal;
		default:
			break;
	}
	if (state == NULL ||
		(strncmp(state, "22", 2) != 0 && strncmp(state, "23", 2) != 0 && strncmp(state, "54", 2) != 0))
		lost(conn);
	refusal.refused = true;
	snprintf(refusal.message, sizeof(refusal.message), "%s", PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY));
	return refusal;
}

/* Run a statement that is to succeed. */
static PGresult *
query(PGconn *conn, const char *sql, int count, const char *const *values)
{
	PGresult   *result = PQexecParams(conn, sql, count, NULL, values, NULL, NULL, 0);

	if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK)
		lost(conn);
	return result;
}

static void
execute(PGconn *conn, const char *sql)
{
	PQclear(query(conn, sql, 0, NULL));
}

static void
commit(PGconn *conn)
{
	PGresult   *result = query(conn, "COMMIT", 0, NULL);

	if (strcmp(PQcmdStatus(result), "COMMIT") != 0)
		die("the server rolled the transaction back");
	PQclear(result);
}

static void
set_reason(Document *document, const char *message)
{
	char	   *reason = strdup(message);
	size_t		length = strlen(message);

	if (reason == NULL)
		die("out of memory");

	/*
	 * it may quote the document, in characters that the database has not, or
	 * have cut one
	 */
	for (size_t i = 0; i < length;)
	{
		size_t		bytes = utf8_length(reason + i, length - i);

		if (bytes == 0 || (bytes > 1 && !utf8_server))
			reason[i++] = '?';
		else
			i += bytes;
	}
	document->reason = reason;
}

static void
start_copy(PGconn *conn, Buffer *out, const char *table, const char *columns)
{
	char	   *sql = print("COPY %s (%s) FROM STDIN (FORMAT binary)", table, columns);
	PGresult   *result = PQexec(conn, sql);

	if (PQresultStatus(result) != PGRES_COPY_IN)
		lost(conn);
	PQclear(result);
	free(sql);
	out->used = 0;
	append(out, "PGCOPY\n\377\r\n\0", 11);
	append_int32(out, 0);
	append_int32(out, 0);
}

static void
send_copy(PGconn *conn, Buffer *out, size_t least)
{
	size_t		sent = 0;

	if (out->used < least)
		return;
	while (sent < out->used)
	{
		size_t		length = out->used - sent;

		if (length > MAX_DOCUMENT)
			length = MAX_DOCUMENT;
		if (PQputCopyData(conn, out->data + sent, (int) length) != 1)
			lost(conn);
		sent += length;
	}
	out->used = 0;
}

static Refusal
end_copy(PGconn *conn, Buffer *out)
{
	Refusal		refusal = {false, ""};
	PGresult   *result;

	append_int16(out, -1);
	send_copy(conn, out, 0);
	if (PQputCopyEnd(conn, NULL) != 1)
		lost(conn);
	while ((result = PQgetResult(conn)) != NULL)
	{
		if (!refusal.refused)
			refusal = check_result(conn, result);
		PQclear(result);
	}
	return refusal;
}

/*
 * COPY the documents from "from" to before "to", but for those rejected, into
 * the table itself, or with their positions into the temporary one.
 */
static Refusal
copy_documents(const Target *target, const Source *source, Batch *batch, size_t from, size_t to, bool staging)
{
	static Buffer out;
	Writer		writer = {.out = &out};

	start_copy(target->conn, &out, staging ? "pg_temp.objectid_import_batch" : target->table,
			   staging ? "position, _id, doc" : "_id, doc");
	for (size_t i = from; i < to; i++)
	{
		Document   *document = &batch->documents[i];

		if (document->reason != NULL)
			continue;
		switch (write_row(source, document, staging ? (int) i : -1, &writer))
		{
			case WRITTEN:
				send_copy(target->conn, &out, COPY_BYTES);
				break;
			case REJECTED:
				set_reason(document, writer.reason);
				break;
			case BROKEN:
				damaged(source, source->offset + (document->data - source->window) + writer.bad, "this is not BSON");
		}
	}
	return end_copy(target->conn, &out);
}

/*
 * Load the documents from "from" to before "to" one by one.
 */
static void
load_singly(const Target *target, const Source *source, Batch *batch, size_t from, size_t to)
{
	static Buffer out;
	PGconn	   *conn = target->conn;
	Writer		writer = {.out = &out};
	char	   *sql = print("INSERT INTO %s (_id, doc) VALUES ($1::%s, $2::pg_catalog.jsonb) ON CONFLICT (_id) DO NOTHING",
							target->table, target->type);

	for (size_t i = from; i < to; i++)
	{
		Document   *document = &batch->documents[i];
		const int	formats[] = {1, 1};
		const char *values[2];
		int			lengths[2];
		PGresult   *result;
		Refusal		refusal;

		if (document->reason != NULL)
			continue;
		out.used = 0;
		if (write_row(source, document, -1, &writer) != WRITTEN)
		{
			set_reason(document, writer.reason);
			continue;
		}

		/* a row for COPY is a count, then twice a length and a value */
		values[0] = out.data + 2 + 4;
		lengths[0] = 12;
		values[1] = values[0] + 12 + 4;
		lengths[1] = (int) (out.data + out.used - values[1]);
		execute(conn, "SAVEPOINT document");
		result = PQexecParams(conn, sql, 2, NULL, values, lengths, formats, 0);
		refusal = check_result(conn, result);
		if (refusal.refused)
		{
			set_reason(document, refusal.message);
			execute(conn, "ROLLBACK TO SAVEPOINT document");
		}
		else if (strcmp(PQcmdTuples(result), "0") == 0)
			set_reason(document, "duplicate: the table has this _id already");
		PQclear(result);
		execute(conn, "RELEASE SAVEPOINT document");
	}
	free(sql);
}

/*
 * Load the documents from "from" to before "to" by way of the temporary table.
 * Duplicates are rejected.  If the server refuses anything else, halve, and at
 * last go one by one, until it is clear which document it means.
 */
static void
load_staged(Target *target, const Source *source, Batch *batch, size_t from, size_t to)
{
	PGconn	   *conn = target->conn;
	Refusal		refusal;

	char	   *create = print("CREATE TEMPORARY TABLE IF NOT EXISTS objectid_import_batch "
							   "(position integer, _id %s, doc jsonb)", target->type);

	execute(conn, "SAVEPOINT part");
	execute(conn, create);
	free(create);
	execute(conn, "TRUNCATE pg_temp.objectid_import_batch");
	refusal = copy_documents(target, source, batch, from, to, true);
	if (!refusal.refused)
	{
		char	   *sql = print("WITH loaded AS ("
								"INSERT INTO %s (_id, doc) SELECT _id, doc FROM pg_temp.objectid_import_batch ORDER BY position "
								"ON CONFLICT (_id) DO NOTHING RETURNING _id), "
								"numbered AS (SELECT position, _id, row_number() OVER (PARTITION BY _id ORDER BY position) AS n "
								"FROM pg_temp.objectid_import_batch) "
								"SELECT position FROM numbered LEFT JOIN loaded ON loaded._id %s numbered._id "
								"WHERE loaded._id IS NULL OR n > 1",
								target->table, target->equals);
		PGresult   *result = PQexec(conn, sql);

		free(sql);
		refusal = check_result(conn, result);
		if (!refusal.refused)
		{
			for (int i = 0; i < PQntuples(result); i++)
				set_reason(&batch->documents[atoi(PQgetvalue(result, i, 0))], "duplicate: the table has this _id already");
			if (PQntuples(result) > 0)
				target->staging = true;
		}
		PQclear(result);
	}
	if (refusal.refused)
		execute(conn, "ROLLBACK TO SAVEPOINT part");
	execute(conn, "RELEASE SAVEPOINT part");
	if (!refusal.refused)
		return;
	if (to - from > SMALL_PART)
	{
		load_staged(target, source, batch, from, from + (to - from) / 2);
		load_staged(target, source, batch, from + (to - from) / 2, to);
	}
	else
		load_singly(target, source, batch, from, to);
}

static void
load_rejected(Target *target, const Batch *batch)
{
	static Buffer out;
	bool		started = false;

	for (size_t i = 0; i < batch->count; i++)
	{
		const Document *document = &batch->documents[i];

		if (document->reason == NULL)
			continue;
		if (!started)
			start_copy(target->conn, &out, target->side_table, "position, reason, raw");
		started = true;
		append_int16(&out, 3);
		append_int32(&out, 8);
		append_int64(&out, batch->first + i);
		append_int32(&out, strlen(document->reason));
		append_string(&out, document->reason);
		append_int32(&out, document->length);
		append(&out, document->data, document->length);
		send_copy(target->conn, &out, COPY_BYTES);
		target->rejected++;
	}
	if (started && end_copy(target->conn, &out).refused)
		die("could not write to %s: %s", target->side_table, PQerrorMessage(target->conn));
}

static void
load_batch(Target *target, const Source *source, Batch *batch)
{
	PGconn	   *conn = target->conn;
	Refusal		refusal = {true, ""};

	if (!target->staging)
	{
		execute(conn, "SAVEPOINT batch");
		refusal = copy_documents(target, source, batch, 0, batch->count, false);
		if (refusal.refused)
			execute(conn, "ROLLBACK TO SAVEPOINT batch");
		execute(conn, "RELEASE SAVEPOINT batch");
	}
	target->staging = false;
	if (refusal.refused)
		load_staged(target, source, batch, 0, batch->count);
	load_rejected(target, batch);
	target->documents += batch->count;
}

/*
 * The command line and the tables
 */

static void
usage(FILE *where)
{
	fputs("usage: " PROGRAM " [OPTION]... FILE.bson|FILE.json|-\n"
		  "Load a file of mongodump or mongoexport, or standard input, into a table\n"
		  "(_id objectid PRIMARY KEY, doc jsonb NOT NULL), made if it is missing.\n"
		  "\n"
		  "  -d, --dbname=CONNSTR   database, as a name, connection string or URI\n"
		  "  -t, --table=TABLE      default: the file's name without its ending\n"
		  "      --side-table=NAME  for documents that cannot go in; default: TABLE_rejected\n"
		  "      --format=FORMAT    bson or json; default: the file's ending\n"
		  "      --restart          forget an interrupted import of the file\n"
		  "      --help\n",
		  where);
}

static char *
quote(PGconn *conn, const char *schema, const char *name)
{
	char	   *quoted_schema = schema ? PQescapeIdentifier(conn, schema, strlen(schema)) : NULL;
	char	   *quoted_name = PQescapeIdentifier(conn, name, strlen(name));
	char	   *result;

	if (quoted_name == NULL || (schema && quoted_schema == NULL))
		die("%s", PQerrorMessage(conn));
	if (strlen(name) > MAX_NAME)
		die("the name %s is longer than %d bytes; choose others with -t and --side-table", name, MAX_NAME);
	result = print("%s%s%s", schema ? quoted_schema : "", schema ? "." : "", quoted_name);
	PQfreemem(quoted_schema);
	PQfreemem(quoted_name);
	return result;
}

/* Take [SCHEMA.]NAME, written as in SQL, apart. */
static void
parse_name(PGconn *conn, const char *text, char **schema, char **name)
{
	PGresult   *result = query(conn, "SELECT array_length(p, 1), p[1], p[2] FROM parse_ident($1) AS p", 1, &text);
	int			parts = atoi(PQgetvalue(result, 0, 0));

	if (parts > 2)
		die("%s is not a table name", text);
	*schema = parts == 2 ? strdup(PQgetvalue(result, 0, 1)) : NULL;
	*name = strdup(PQgetvalue(result, 0, parts == 2 ? 2 : 1));
	PQclear(result);
}

static PGconn *
open_connection(const char *database)
{
	const char *const keywords[] = {"dbname", "client_encoding", "fallback_application_name", NULL};
	const char *const values[] = {database, "UTF8", PROGRAM, NULL};
	PGconn	   *conn = PQconnectdbParams(keywords, values, 1);

	if (PQstatus(conn) != CONNECTION_OK)
		die("%s", PQerrorMessage(conn));

	utf8_server = strcmp(PQparameterStatus(conn, "server_encoding"), "UTF8") == 0;

	/* a slow file is no reason to be thrown out */
	execute(conn, "SELECT set_config(name, '0', false) FROM pg_catalog.pg_settings "
			"WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')");
	execute(conn, "SET client_min_messages = warning");
	return conn;
}

/* Make a table, unless it is there: who may only fill it needs no CREATE on its schema. */
static void
create_missing(PGconn *conn, const char *table, const char *columns)
{
	PGresult   *result = query(conn, "SELECT to_regclass($1)", 1, &table);

	if (PQgetisnull(result, 0, 0))
	{
		char	   *sql = print("CREATE TABLE %s (%s)", table, columns);

		execute(conn, sql);
		free(sql);
	}
	PQclear(result);
}

/*
 * Name the tables, and make those that are missing, in the transaction that is
 * open or, for a regular file, in one of their own.  Return the offset in the
 * file to start from.
 */
static int64_t
prepare_target(Target *target, Source *source, const char *table, const char *side_table, bool restart)
{
	PGconn	   *conn = target->conn;
	PGresult   *result;
	char	   *schema = NULL;
	char	   *side_schema = NULL;
	char	   *name;
	char	   *side_name;
	char	   *sql;
	int64_t		start = 0;
	const char *values[6];

	result = query(conn, "SELECT format('%I.objectid', n.nspname), format('OPERATOR(%I.=)', n.nspname) FROM pg_catalog.pg_extension AS e "
				   "JOIN pg_catalog.pg_namespace AS n ON n.oid = e.extnamespace WHERE e.extname = 'objectid'", 0, NULL);
	if (PQntuples(result) == 0)
		die("database %s does not have the extension: CREATE EXTENSION objectid", PQdb(conn));
	target->type = strdup(PQgetvalue(result, 0, 0));
	target->equals = strdup(PQgetvalue(result, 0, 1));
	PQclear(result);

	/* the names: as in SQL if given, exactly the file's if not */
	if (table != NULL)
		parse_name(conn, table, &schema, &name);
	else
		name = strndup(target->source_name, strrchr(target->source_name, '.') - target->source_name);
	target->table = quote(conn, schema, name);
	values[0] = target->table;
	result = query(conn, "SELECT n.nspname FROM pg_catalog.pg_class AS c "
				   "JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace WHERE c.oid = to_regclass($1) "
				   "UNION ALL SELECT current_schema() LIMIT 1", 1, values);
	if (schema == NULL)
	{
		if (PQgetisnull(result, 0, 0))
			die("there is no schema to make tables in");
		schema = strdup(PQgetvalue(result, 0, 0));
	}
	PQclear(result);
	if (side_table != NULL)
		parse_name(conn, side_table, &side_schema, &side_name);
	else
		side_name = print("%s_rejected", name);
	target->table = quote(conn, schema, name);
	target->side_table = quote(conn, side_schema ? side_schema : schema, side_name);
	target->bookkeeping = quote(conn, schema, "objectid_import");

	/*
	 * One at a time.  After a kill -9 the server may still be at work on what
	 * the victim sent last: wait until it has noticed.
	 */
	sql = print("objectid-import %s %s", target->table, target->source_name);
	values[0] = sql;
	result = query(conn, "SELECT pg_try_advisory_lock(hashtextextended($1, 0))", 1, values);
	if (strcmp(PQgetvalue(result, 0, 0), "t") != 0)
	{
		fprintf(stderr, PROGRAM ": waiting for another import of this file to end\n");
		PQclear(query(conn, "SELECT pg_advisory_lock(hashtextextended($1, 0))", 1, values));
	}
	PQclear(result);
	free(sql);

	/* the lock: two must not make a table at a time */
	execute(conn, "BEGIN");
	execute(conn, "SELECT pg_advisory_lock(hashtextextended('objectid-import', 0))");
	sql = print("_id %s PRIMARY KEY, doc jsonb NOT NULL", target->type);
	create_missing(conn, target->table, sql);
	free(sql);
	create_missing(conn, target->side_table, "position bigint, reason text, raw bytea");

	/* duplicates are found by the index */
	values[0] = target->table;
	values[1] = target->type;
	result = query(conn, "SELECT c.oid FROM pg_catalog.pg_class AS c "
				   "JOIN pg_catalog.pg_attribute AS i ON i.attrelid = c.oid AND i.attname = '_id' AND i.atttypid = $2::regtype "
				   "JOIN pg_catalog.pg_attribute AS d ON d.attrelid = c.oid AND d.attname = 'doc' AND d.atttypid = 'pg_catalog.jsonb'::regtype "
				   "WHERE c.oid = $1::regclass AND EXISTS (SELECT FROM pg_catalog.pg_index AS x WHERE x.indrelid = c.oid "
				   "AND x.indisunique AND x.indisvalid AND x.indimmediate AND x.indpred IS NULL AND x.indnkeyatts = 1 AND x.indkey[0] = i.attnum)",
				   2, values);
	if (PQntuples(result) == 0)
		die("the table %s is there, but has no columns \"_id %s\" with a primary key and \"doc jsonb\"", target->table, target->type);
	target->oid = strdup(PQgetvalue(result, 0, 0));
	PQclear(result);
	if (source->stream)
	{
		execute(conn, "SELECT pg_advisory_unlock(hashtextextended('objectid-import', 0))");
		return 0;				/* the transaction goes on */
	}

	create_missing(conn, target->bookkeeping, "target regclass, source text, size bigint, checksum bigint, "
				   "byte_offset bigint, documents bigint, rejected bigint, PRIMARY KEY (target, source)");
	values[0] = target->oid;
	values[1] = target->source_name;
	values[2] = print("%" PRId64, source->size);
	values[3] = print("%" PRId64, (int64_t) source->checksum);
	if (restart)
	{
		sql = print("DELETE FROM %s WHERE target = $1::oid AND source = $2", target->bookkeeping);
		PQclear(query(conn, sql, 2, values));
		free(sql);
	}
	sql = print("INSERT INTO %s VALUES ($1::oid, $2, $3, $4, 0, 0, 0) ON CONFLICT DO NOTHING", target->bookkeeping);
	PQclear(query(conn, sql, 4, values));
	free(sql);
	sql = print("SELECT size = $3 AND checksum = $4, byte_offset, documents, rejected, size FROM %s "
				"WHERE target = $1::oid AND source = $2", target->bookkeeping);
	result = query(conn, sql, 4, values);
	free(sql);
	if (strcmp(PQgetvalue(result, 0, 0), "t") != 0)
		die("an import of another %s (%s bytes) into %s was interrupted\n"
			"Finish it with that file, or forget it with --restart; %s documents of it have been dealt with.",
			target->source_name, PQgetvalue(result, 0, 4), target->table, PQgetvalue(result, 0, 2));
	start = strtoll(PQgetvalue(result, 0, 1), NULL, 10);
	target->documents = strtoll(PQgetvalue(result, 0, 2), NULL, 10);
	target->rejected = strtoll(PQgetvalue(result, 0, 3), NULL, 10);
	PQclear(result);
	commit(conn);
	execute(conn, "SELECT pg_advisory_unlock(hashtextextended('objectid-import', 0))");
	return start;
}

static void
handle_interrupt(int signal_number)
{
	static const char message[] = "\n" PROGRAM ": finishing this batch; once more to stop at once\n";

	(void) signal_number;
	interrupted = 1;
	if (write(STDERR_FILENO, message, sizeof(message) - 1) < 0)
		_exit(130);
}

static void
load_source(Target *target, Source *source, int64_t start)
{
	PGconn	   *conn = target->conn;
	char	   *sql = print("UPDATE %s SET byte_offset = $3, documents = $4, rejected = $5 WHERE target = $1::oid AND source = $2",
							target->bookkeeping);
	double		since = now();
	Batch		batch = {.first = target->documents + 1};
	struct sigaction action = {.sa_handler = handle_interrupt,.sa_flags = (int) SA_RESETHAND};

	if (!source->stream)
	{
		sigaction(SIGINT, &action, NULL);
		sigaction(SIGTERM, &action, NULL);
	}
	while (read_batch(source, &batch), batch.count > 0)
	{
		int64_t		offset = source->offset + (int64_t) source->next;

		if (!source->stream)
			execute(conn, "BEGIN");
		load_batch(target, source, &batch);
		if (!source->stream)
		{
			const char *const values[] = {target->oid, target->source_name, print("%" PRId64, offset),
			print("%" PRId64, target->documents), print("%" PRId64, target->rejected)};
			PGresult   *result = query(conn, sql, 5, values);

			if (strcmp(PQcmdTuples(result), "1") != 0)
				die("somebody has deleted the row of this import from %s", target->bookkeeping);
			PQclear(result);
			for (int i = 2; i < 5; i++)
				free((char *) values[i]);
			commit(conn);
		}
		show_progress("loading", offset, start, source->stream ? -1 : source->size, since);
		if (interrupted && offset < source->size)
		{
			clear_progress();
			fprintf(stderr, PROGRAM ": interrupted at byte %" PRId64 "; run the same command again to continue\n", offset);
			PQfinish(conn);
			exit(130);
		}
	}
	free(sql);
	clear_progress();
	if (!source->stream && source->offset + (int64_t) source->filled != source->size)
		die("%s was changed while it was being loaded: it was %" PRId64 " bytes long", source->path, source->size);
	if (source->stream)
		commit(conn);
	else
	{
		const char *const values[] = {target->oid, target->source_name};

		sql = print("DELETE FROM %s WHERE target = $1::oid AND source = $2", target->bookkeeping);
		PQclear(query(conn, sql, 2, values));
		free(sql);
	}
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{"dbname", required_argument, NULL, 'd'},
		{"table", required_argument, NULL, 't'},
		{"side-table", required_argument, NULL, 's'},
		{"format", required_argument, NULL, 'f'},
		{"restart", no_argument, NULL, 'r'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0}
	};
	const char *database = "";
	const char *table = NULL;
	const char *side_table = NULL;
	const char *format = NULL;
	const char *ending;
	bool		restart = false;
	struct stat status;
	Source		source = {0};
	Target		target = {0};
	double		began = now();
	double		seconds;
	int64_t		start;
	int64_t		before;
	int			option;

	while ((option = getopt_long(argc, argv, "d:t:", options, NULL)) != -1)
	{
		switch (option)
		{
			case 'd':
				database = optarg;
				break;
			case 't':
				table = optarg;
				break;
			case 's':
				side_table = optarg;
				break;
			case 'f':
				format = optarg;
				break;
			case 'r':
				restart = true;
				break;
			case 'h':
				usage(stdout);
				return 0;
			default:
				usage(stderr);
				return 2;
		}
	}
	if (argc - optind != 1)
	{
		usage(stderr);
		return 2;
	}

	source.path = argv[optind];
	target.source_name = strrchr(source.path, '/') ? strrchr(source.path, '/') + 1 : argv[optind];
	ending = strrchr(target.source_name, '.');
	if (format == NULL && ending != NULL)
		format = ending + 1;
	if (format == NULL || (strcmp(format, "bson") != 0 && strcmp(format, "json") != 0))
		die("%s: is it bson or json? say --format", source.path);
	source.json = strcmp(format, "json") == 0;
	if (table == NULL && (ending == NULL || ending == target.source_name))
		die("%s: into which table? say -t", source.path);

	if (strcmp(source.path, "-") == 0)
	{
		source.path = "standard input";
		source.stream = true;
	}
	else if ((source.fd = open(source.path, O_RDONLY)) < 0)
		die("could not open %s: %s", source.path, strerror(errno));
	if (fstat(source.fd, &status) != 0)
		die("could not read %s: %s", source.path, strerror(errno));
	if (!S_ISREG(status.st_mode))
		source.stream = true;
	source.size = status.st_size;
	source.window_size = BATCH_BYTES;
	source.window = allocate(NULL, source.window_size);

	/* who cannot connect learns it before a large file is read */
	target.conn = open_connection(database);
	if (source.stream)
		fill_window(&source);
	else
	{
		rewind_source(&source, 0);
		check_source(&source);
	}
	start = prepare_target(&target, &source, table, side_table, restart);
	before = target.documents;
	if (!source.stream)
		rewind_source(&source, start);
	if (start > 0)
		fprintf(stderr, PROGRAM ": continuing at byte %" PRId64 ", after %" PRId64 " documents\n", start, before);
	load_source(&target, &source, start);

	seconds = now() - began;
	printf("%s: %" PRId64 " documents loaded", target.table, target.documents - target.rejected);
	if (target.rejected > 0)
		printf(", %" PRId64 " rejected into %s", target.rejected, target.side_table);
	printf(" (%.1f s, %.0f documents/s)\n", seconds, (target.documents - before) / seconds);
	PQfinish(target.conn);
	return 0;
}
