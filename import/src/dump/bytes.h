/*-------------------------------------------------------------------------
 *
 * bytes.h
 *	  The bytes of a file, of which a window is in memory.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BYTES_H
#define BYTES_H

#include <sys/stat.h>
#include <zlib.h>

#include "bson_json.h"

/* a window is of the first size; for larger documents it grows, up to the second */
#define WINDOW_BYTES (8 * 1024 * 1024)
#define MAX_DOCUMENT (128 * 1024 * 1024)

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
	int			file;			/* open, unless it is opened by its path: then
								 * 0 */
	bool		json;
	bool		empty;			/* a collection has only its metadata */
	struct stat status;			/* of the file, as it was found */
} InputFile;

typedef struct Damage
{
	int64		at;				/* offset in the file, decompressed */
	int64		line;			/* of JSON; 0: unknown */
	char		what[128];		/* empty: there is none */
	bool		changed;		/* by somebody, since the file was found */
} Damage;

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
	Damage		broken_line;	/* the first; rejected only among LINES */
	Damage		damage;
} Source;

/* the place of one more element of an array, whose space doubles whenever it is full */
#define add_place(array, count) \
	(((count) & ((count) - 1)) == 0 ? \
	 (void) ((array) = pg_realloc(array, Max(1, 2 * (count)) * sizeof(*(array)))) : (void) 0, \
	 &(array)[(count)++])

extern size_t window_bytes(void);
extern void spool_input(InputFile *input, void (*watch) (int64 bytes));
extern bool has_changed(const InputFile *input);
extern void open_source(Source *source, const InputFile *input);
extern void seek_source(Source *source, int64 start, int64 end, Layout layout);
extern void close_source(Source *source);
extern void move_window(Source *source);
extern void note_damage(const Source *source, Damage *damage, const char *at, const char *what);
extern bool store_damage(const Source *source, Damage *damage);

#endif							/* BYTES_H */
