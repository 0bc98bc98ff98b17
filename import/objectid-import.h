/*-------------------------------------------------------------------------
 *
 * objectid-import.h
 *	  What the files of objectid-import share.
 *
 *-------------------------------------------------------------------------
 */
#ifndef OBJECTID_IMPORT_H
#define OBJECTID_IMPORT_H

#include "postgres_fe.h"

#include <signal.h>
#include <bson/bson.h>
#include <zlib.h>

#include "common/logging.h"
#include "fe_utils/connect_utils.h"
#include "fe_utils/simple_list.h"
#include "fe_utils/string_utils.h"
#include "lib/stringinfo.h"
#include "libpq-fe.h"
#include "port/pg_crc32c.h"

#define PROGRAM "objectid-import"

#if PG_VERSION_NUM < 150000
#define pg_fatal(...) do { pg_log_error(__VA_ARGS__); exit(1); } while (0)
#define pg_log_error_detail(...) (fprintf(stderr, PROGRAM ": detail: " __VA_ARGS__), fputc('\n', stderr))
#define pg_log_error_hint(...) (fprintf(stderr, PROGRAM ": hint: " __VA_ARGS__), fputc('\n', stderr))
#endif

/* a batch is what fits in this, or one document that is larger, but not larger than the second */
#define BATCH_BYTES (8 * 1024 * 1024)
#define MAX_DOCUMENT (128 * 1024 * 1024)

/* MongoDB allows 100 levels to its users, and 200 to itself */
#define MAX_DEPTH 200

#define MAX_JOBS 64
#define REASON_SIZE 512

typedef enum IdType
{
	ID_OBJECTID, ID_TEXT, ID_BIGINT, ID_UUID, ID_JSONB, ID_TYPES,
	ID_DOMAIN = ID_TYPES		/* the objectid of plain/objectid.sql, of a
								 * table */
} IdType;

/* how a statement or a batch ended */
typedef enum Outcome
{
	LOADED,
	REFUSED,					/* because of some document */
	AGAIN						/* because of what others did at the same time */
} Outcome;

/* result of a search for the next document */
typedef enum Finding
{
	FOUND,
	END,						/* the file or its part has no more */
	PARTIAL,					/* the window does not hold all of it */
	DAMAGED
} Finding;

/* result of converting a document */
typedef enum Verdict
{
	WRITTEN,
	REJECTED,
	BROKEN,						/* it is not BSON or JSON */
	INCOMPLETE					/* the text ends within the JSON value */
} Verdict;

#define TRY(step) do { Verdict verdict_ = (step); if (verdict_ != WRITTEN) return verdict_; } while (0)

typedef struct Document
{
	const char *data;			/* in the window of its source */
	size_t		length;
	const uint8_t *bson;		/* valid until the next document is found */
	char	   *reason;			/* why it is rejected, or NULL */
} Document;

typedef struct Span
{
	const char *text;
	size_t		length;
} Span;

typedef struct Field
{
	const char *name;
	int			name_length;
	int			at;				/* of all of it, in JSON */
	int			length;
} Field;

/* what a writer does with a document */
typedef enum Purpose
{
	CHECK,						/* check it only */
	WRITE,
	WRITE_SORTED				/* write its fields in the order of jsonb */
} Purpose;

/* writes a BSON document as JSON */
typedef struct Writer
{
	Purpose		purpose;
	StringInfoData out;
	StringInfoData scratch;
	uint8_t		id_type;		/* of _id, in BSON; */
	const uint8_t *id;			/* its value, or NULL; its JSON is in out, */
	int			id_at;			/* from here */
	int			id_length;
	Field	   *fields;			/* of the open objects */
	size_t		fields_used;
	size_t		fields_allocated;
	const uint8_t *bad;			/* where it is BROKEN */
	char		reason[REASON_SIZE];	/* why it is REJECTED */
} Writer;

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

/* What appendBinaryStringInfo() does, inline, and without the NUL at the end */
static inline void
append(StringInfo out, const void *data, int length)
{
	if (unlikely(out->maxlen - out->len <= length))
		enlargeStringInfo(out, length);
	memcpy(out->data + out->len, data, length);
	out->len += length;
}

typedef struct Source
{
	const char *path;
	gzFile		file;
	bool		json;
	bool		array;			/* mongoexport --jsonArray */
	bool		stream;			/* not a regular file: can be read once */
	int64		limit;			/* where the part ends */

	/* the part of the file that is in memory */
	char	   *window;
	size_t		window_size;
	size_t		filled;
	size_t		next;			/* where the next document is looked for */
	int64		offset;			/* of the window in the file */
	bool		at_end;

	StringInfoData bson;		/* of the JSON document found last */
	char		reason[REASON_SIZE];	/* why it is rejected */
	int64		damage_at;
	char		damage[256];	/* what is damaged, or empty */
} Source;

/* a part of a file, which one process loads */
typedef struct Part
{
	int64		start;			/* offsets in the file, decompressed */
	int64		end;
	int64		next;
	int64		first;			/* documents before the part */
	int64		documents;		/* read of it, in this run and those before */
	int64		rejected;
	int64		complete;		/* 1 if it is */
} Part;

/* a file, and the table that it goes into; in shared memory */
typedef struct Collection
{
	const char *path;
	const char *source;			/* the file's name, as the tables record it */
	const char *metadata;		/* path of its metadata.json, or NULL */
	char	   *schema;			/* NULL: the first of the search path */
	char	   *name;			/* NULL: that of --table */
	char	   *side_name;
	bool		json;
	bool		stream;
	bool		skip;			/* it cannot be loaded, and why has been said */

	/* what checking it comes to */
	int64		size;			/* decompressed; -1 before */
	int64		checked;		/* of it, so far */
	pg_crc32c	checksum;
	bool		array;
	int64		damage_at;
	char		damage[256];
	IdType		id_type;		/* of most of its first documents; then, of
								 * the table */
	int			parts;
	Part		part[MAX_JOBS];
	Source	   *pipe;			/* if stream: opened */

	/* what the server says */
	char	   *table;			/* qualified and quoted, as these */
	char	   *side_table;
	char	   *imports;
	char	   *run;			/* in the table of imports */
	bool		rules;			/* rules or triggers may take inserted rows
								 * away */
	bool		row_security;	/* policies may hide or refuse rows */
	bool		insert_only;	/* COPY would ignore rules, or be refused */
	double		seconds;
} Collection;

typedef struct Options
{
	ConnParams	connection;
	const char *schema;
	const char *table;
	const char *side_table;
	const char *format;
	SimpleStringList include;
	SimpleStringList exclude;
	int			jobs;
	int			id_type;		/* -1: guess */
	int64		max_rejected;
	bool		restart;
	bool		drop;
	bool		dry_run;
	bool		progress;
	bool		quiet;
} Options;

extern Options options;
extern volatile sig_atomic_t interrupted;
extern const char *const id_type_names[];

/* options.c */
extern const char *parse_options(int argc, char **argv);

/* dump.c: from the command line to collections */
extern Collection *find_collections(const char *path, int *count, bool *all);
extern char *shorten(const char *name, const char *suffix);
extern int	length_without_suffix(const char *name, int length, const char *suffix);

/* metadata.c: what mongodump writes beside a collection */
extern bson_t *read_metadata(const char *path);
extern void write_indexes(PGconn *conn, const Collection *collections, int count, const char *path);

/* source.c: from a file to documents */
extern void open_source(Source *source, const Collection *collection, const Part *part);
extern size_t window_bytes(void);
extern void close_source(Source *source);
extern void move_window(Source *source);
extern Finding find_document(Source *source, Document *document, bool may_read);
extern void note_broken_bson(Source *source, const Writer *writer);

/* sequence.c: where JSON documents begin and end */
extern Finding find_json_document(Source *source, Document *document, size_t *bad);

/* check.c: the first pass over a file */
extern void guess_id_type(Source *source, Collection *collection);
extern void check_source(Collection *collection);
extern void dry_run(Collection *collection);

/* {"$...": value}; LIBBSON: all that libbson reads */
typedef enum Wrapper
{
	NO_WRAPPER, OID, INT, LONG, DOUBLE, DECIMAL, DATE, LIBBSON
} Wrapper;

/* json.c, extjson.c: from JSON to BSON */
extern Verdict json_to_bson(const char *data, size_t length, StringInfo bson, char *reason, size_t *end);
extern Wrapper find_wrapper(const char *name);
extern Verdict unwrap(StringInfo bson, int type_at, int at, Wrapper wrapper, Span source, char *reason);
extern Verdict append_value(StringInfo bson, int type_at, uint8_t type, uint64 value);
extern Verdict append_double(StringInfo bson, int type_at, double value, bool infinite, char *reason);

/* bson.c, value.c: from BSON to JSON */
extern void start_writer(Writer *writer, Purpose purpose);
extern Verdict write_bson(Writer *writer, const uint8_t *document);
extern Verdict reject(char *reason, const char *format,...) __attribute__((format(printf, 2, 3)));
extern bool parse_integer(const char *text, size_t length, int64 *value);
extern Verdict write_string(Writer *writer, const char *text, size_t length, const char *what);
extern void write_int(Writer *writer, int64 value);
extern void write_double(Writer *writer, double value);
extern void write_date(Writer *writer, int64 milliseconds);
extern void write_oid(Writer *writer, const uint8_t *bytes);

/* copy.c: from a document to a row of COPY, and to the server */
extern IdType key_type(const Writer *writer);
extern Verdict write_row(const Document *document, IdType type, int position, Writer *writer);
extern void append_int16(StringInfo out, int16 value);
extern void append_bigint(StringInfo out, int64 value);
extern void append_field(StringInfo out, const void *data, int length);
extern void start_copy(PGconn *conn, StringInfo out, const char *table, const char *columns);
extern void send_copy(PGconn *conn, StringInfo out, bool all);
extern Outcome end_copy(PGconn *conn, StringInfo out, const char *table, uint64 rows);
extern Outcome classify_result(PGconn *conn, PGresult *result, const char *table);
extern Outcome try_sql(PGconn *conn, const char *sql, const char *table);

/* target.c: the connection and the tables */
extern PGconn *open_connection(bool stream);
extern PGresult *query(PGconn *conn, int count, const char *const *values, const char *sql);
extern void execute(PGconn *conn, const char *sql);
extern void exit_with_error(PGconn *conn, const PGresult *result, const char *table) __attribute__((noreturn));
extern void hint_resume(void);
extern const char *int64_text(int64 value);
extern void lock_target(PGconn *conn, Collection *collection);
extern bool prepare_target(PGconn *conn, Collection *collection);
extern int64 count_loaded(PGconn *conn, const Collection *collection);

/* load.c: from documents to the server */
extern void load_part(PGconn *conn, Collection *collection, Part *part, void (*progress) (void));

#endif							/* OBJECTID_IMPORT_H */
