/*-------------------------------------------------------------------------
 *
 * dump.h
 *	  What a dump has: its collections, their metadata, and archives; a window of a file, the
 *	  documents in it, and BSON and its JSON.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DUMP_H
#define DUMP_H

#include <bson/bson.h>
#include <sys/stat.h>
#include <zlib.h>

#include "lib/stringinfo.h"

/* of a reason why a document is rejected */
#define REASON_SIZE 512

/* MongoDB allows 100 levels to its users, and 200 to itself */
#define MAX_DEPTH 200

/* a field of a document, or an element of an array, in BSON */
typedef struct Element
{
	uint8_t		type;
	const char *name;
	size_t		name_length;
	const uint8_t *value;
	size_t		length;			/* of the value */
} Element;

static inline uint32
get_length(const uint8_t *data)
{
	uint32		value;

	memcpy(&value, data, 4);
	return BSON_UINT32_FROM_LE(value);
}

static inline int64
get_int64(const uint8_t *data)
{
	int64		value;

	memcpy(&value, data, 8);
	return BSON_UINT64_FROM_LE(value);
}

static inline double
get_double(const uint8_t *data)
{
	double		value;

	memcpy(&value, data, 8);
	return BSON_DOUBLE_FROM_LE(value);
}

/* the types of keys */
typedef enum IdType
{
	ID_UNKNOWN = -1,
	ID_OBJECTID, ID_TEXT, ID_BIGINT, ID_UUID, ID_JSONB,
	ID_DOMAIN,					/* the objectid of plain/objectid.sql */
	ID_TYPES
} IdType;

/* result of converting a document */
typedef enum Verdict
{
	WRITTEN,
	REJECTED,
	BROKEN,						/* it is not BSON or JSON */
	INCOMPLETE					/* the text ends within the JSON value */
} Verdict;

#define TRY(step) \
	do { Verdict verdict_ = (step); if (verdict_ != WRITTEN) return verdict_; } while (0)

typedef struct Field
{
	const char *name;
	int			name_length;
	int			at;				/* of all of it, in JSON */
	int			length;
} Field;

/* writes a BSON document as JSON, with its fields in the order of jsonb */
typedef struct Writer
{
	StringInfoData out;
	StringInfoData scratch;
	Element		id;				/* or without a value; its JSON is in out, */
	int			id_at;			/* from here */
	int			id_length;
	Field	   *fields;			/* of the open objects */
	size_t		fields_used;
	size_t		fields_allocated;
	const uint8_t *bad;			/* where it is BROKEN */
	char		reason[REASON_SIZE];	/* why it is REJECTED */
} Writer;

/* What appendBinaryStringInfo() does, inline, and without the NUL at the end */
static inline void
append(StringInfo out, const void *data, size_t length)
{
	if (unlikely((size_t) (out->maxlen - out->len) <= length))
		enlargeStringInfo(out, (int) length);
	memcpy(out->data + out->len, data, length);
	out->len += (int) length;
}

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

/* result of a search for the next document */
typedef enum Finding
{
	FOUND,
	BROKEN_LINE,				/* found, but it is rejected as not JSON */
	END,						/* the file or its part has no more */
	PARTIAL,					/* the window does not hold all of it */
	DAMAGED
} Finding;

typedef struct Document
{
	const char *data;			/* in the window of its source */
	size_t		length;
	const uint8_t *bson;		/* valid until the next document is found */
	char	   *reason;			/* why it is rejected, or NULL */
} Document;

/* the operator $type of a filter, in metadata that was read */
#define TYPE_OPERATOR "%type"

/* bson.c */
extern bool read_element(const uint8_t *at, const uint8_t *end, Element *element);
extern const uint8_t *check_bson(const uint8_t *document, int depth);
extern const char *const id_type_names[];
extern IdType find_id_type(const char *name);
extern IdType most_frequent(const int *seen);
extern IdType key_type(const Element *id);
extern Verdict reject(char *reason, const char *format,...) __attribute__((format(printf, 2, 3)));
extern bool date_to_days(int year, int month, int day, int64 *days);
extern void write_oid(Writer *writer, const uint8_t *bytes);
extern void start_writer(Writer *writer);
extern Verdict write_bson(Writer *writer, const uint8_t *document);

/* json_read.c */
extern Verdict json_to_bson(const char *data, size_t length, StringInfo bson, char *reason,
							size_t *end);

/* bytes.c */
extern size_t window_bytes(void);
extern void spool_input(InputFile *input, void (*watch) (int64 bytes));
extern bool has_changed(const InputFile *input);
extern void open_source(Source *source, const InputFile *input);
extern void seek_source(Source *source, int64 start, int64 end, Layout layout);
extern void close_source(Source *source);
extern void move_window(Source *source);
extern void note_damage(const Source *source, Damage *damage, const char *at, const char *what);

/* documents.c */
extern bool is_line(const char *line, const char *end);
extern Finding find_document(Source *source, Document *document, bool may_read);
extern Finding find_sound_document(Source *source, Document *document);

/* metadata.c */
extern bson_t *parse_metadata(char *text, bson_error_t *error);
extern bson_t *read_metadata(const char *path);
extern bool has_option(const bson_t *metadata, const char *option);
extern char *collection_file_name(const char *collection);

/* archive.c */
extern void unpack_archive(const char *path, const char *directory);

/* dump.c */
extern void find_collections(void);
extern void sort_collections(void);

#endif							/* DUMP_H */
