/*-------------------------------------------------------------------------
 *
 * source.h
 *	  From the bytes of a file to documents.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SOURCE_H
#define SOURCE_H

#include <sys/stat.h>
#include <zlib.h>

#include "convert.h"

/* a window is of the first size; for larger documents it grows, up to the second */
#define WINDOW_BYTES (8 * 1024 * 1024)
#define MAX_DOCUMENT (128 * 1024 * 1024)

/* result of a search for the next document */
typedef enum Finding
{
	FOUND,
	BROKEN_LINE,				/* found, but the line is rejected as not
								 * JSON; only from find_json_document() */
	END,						/* the file or its part has no more */
	PARTIAL,					/* the window does not hold all of it */
	DAMAGED
} Finding;

/* how the documents of a JSON file are written */
typedef enum Layout
{
	LINES,						/* so far: one in a line */
	SEQUENCE,
	ARRAY						/* mongoexport --jsonArray */
} Layout;

/* what a file is */
typedef struct InputFile
{
	const char *path;			/* "-": standard input */
	const char *name;			/* as the tables record it */
	bool		json;
	bool		stream;			/* not a regular file: can be read once */
	bool		empty;			/* metadata of a collection whose file is
								 * missing */
	struct stat status;			/* of the file, as it was found */
} InputFile;

typedef struct Damage
{
	int64		at;				/* offset in the file, decompressed */
	int64		line;			/* of JSON; 0: unknown */
	char		what[128];		/* empty: there is none */
	bool		changed;		/* by somebody, since the file was found */
} Damage;

typedef struct Document
{
	const char *data;			/* in the window of its source */
	size_t		length;
	const uint8_t *bson;		/* valid until the next document is found */
	char	   *reason;			/* why it is rejected, or NULL */
} Document;

typedef struct Source
{
	const InputFile *input;
	int			file;
	bool		compressed;
	z_stream	zlib;
	uint8_t    *input_bytes;	/* of the file, for zlib */
	bool		in_member;		/* what is compressed has not ended */
	Layout		layout;
	bool		line_seen;		/* a document that is a line */
	int64		limit;			/* where the part ends */

	/* the part of the file that is in memory */
	char	   *window;
	size_t		window_size;
	size_t		filled;
	size_t		next;			/* where the next document is looked for */
	int64		offset;			/* of the window in the file */
	int64		line;			/* of its beginning; 0: unknown */
	bool		at_end;
	int64		position;		/* bytes read of the file, compressed or not */

	StringInfoData bson;		/* of the JSON document found last */
	char		reason[REASON_SIZE];	/* why it is rejected */
	Damage		broken_line;	/* the first, which is damage unless the
								 * layout stays LINES */
	Damage		damage;
} Source;

/* sequence.c: where JSON documents begin and end */
extern Finding find_json_document(Source *source, Document *document, size_t *bad);
extern bool is_line(const char *line, const char *end);

/* source.c */
extern size_t window_bytes(void);
extern bool is_same_file(const InputFile *input, const struct stat *status);
extern void open_source(Source *source, const InputFile *input);
extern void seek_source(Source *source, int64 start, int64 end, Layout layout);
extern void close_source(Source *source);
extern void move_window(Source *source);
extern Finding find_document(Source *source, Document *document, bool may_read);
extern void note_damage(const Source *source, Damage *damage, const char *at, const char *what);

#endif							/* SOURCE_H */
