/*-------------------------------------------------------------------------
 *
 * objectid-import.h
 *	  What the files of objectid-import share, in the order in which a document
 *	  passes through them.
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

#if PG_VERSION_NUM < 150000
#define pg_fatal(...) do { pg_log_error(__VA_ARGS__); exit(1); } while (0)
#define pg_log_error_detail pg_log_error
#define pg_log_error_hint pg_log_error
#endif

#define PROGRAM "objectid-import"

/* a batch is what fits in this, or one document that is larger, but not larger than the second */
#define BATCH_BYTES (8 * 1024 * 1024)
#define MAX_DOCUMENT (128 * 1024 * 1024)

/* MongoDB allows 100 levels to its users, and 200 to itself */
#define MAX_DEPTH 200

#define MAX_JOBS 64

typedef enum IdType
{
	ID_OBJECTID, ID_TEXT, ID_BIGINT, ID_UUID, ID_JSONB, ID_TYPES
} IdType;

/* how a statement or a batch ended */
typedef enum Outcome
{
	LOADED,
	REFUSED,					/* because of some document */
	AGAIN						/* because of what others did at the same time */
} Outcome;

typedef struct Document
{
	const char *data;
	size_t		length;
	char	   *reason;			/* why it is rejected, or NULL */
} Document;

/* what looking for a document comes to */
typedef enum Finding
{
	FOUND,
	END,						/* the file, or the part of it, has no more */
	PARTIAL,					/* the window does not hold all of it */
	DAMAGED
} Finding;

/* what turning a document into a row comes to */
typedef enum Verdict
{
	WRITTEN,
	REJECTED,
	BROKEN						/* it is no BSON, or no JSON */
} Verdict;

/* the value of a field, as far as it may be a key */
typedef struct Key
{
	IdType		type;			/* ID_JSONB if no other takes it */
	const char *what;			/* "a string", for messages; NULL if there is
								 * none */
	unsigned char bytes[16];	/* an ObjectId or a UUID */
	int64		integer;
	const char *text;
	size_t		length;			/* of text */
} Key;

typedef struct Span
{
	const char *text;
	size_t		length;
} Span;

/* a document on its way to JSON */
typedef struct Writer
{
	StringInfoData out;
	Key			id;				/* of _id; its JSON is in out, */
	int			id_at;			/* from here */
	int			id_length;
	Key			value;			/* of the value written last */
	Span	   *names;			/* fields of the open objects */
	size_t		names_used;
	size_t		names_allocated;
	StringInfoData unescaped;	/* names and keys that had escapes */
	size_t		bad;			/* if BROKEN: the offset in the document */
	char		reason[512];	/* if REJECTED or BROKEN */
} Writer;

typedef struct Source
{
	const char *path;
	gzFile		file;
	bool		json;
	bool		array;			/* mongoexport --jsonArray */
	bool		stream;			/* not a regular file: can be read once */
	int64		limit;			/* where the part ends, or -1 */

	/* the part of the file that is in memory */
	char	   *window;
	size_t		window_size;
	size_t		filled;
	size_t		next;			/* where the next document is looked for */
	int64		offset;			/* of the window in the file */
	bool		at_end;
	bool		any;			/* a document came before */

	int64		damage_at;
	char		damage[256];	/* what is damaged, or empty */
} Source;

/* a part of a file, which one process loads; its numbers are in shared memory */
typedef struct Part
{
	int64		start;			/* offsets in the file, decompressed */
	int64		end;			/* -1: at its end */
	int64		next;
	int64		first;			/* documents before the part */
	int64		documents;		/* read of it, in this run and those before */
	int64		rejected;
	bool		complete;
	char		last_id[1024];	/* of the last document loaded, as text */
} Part;

/* what checking a file comes to; in shared memory */
typedef struct Check
{
	int64		size;			/* decompressed */
	int64		checked;		/* of it, so far */
	pg_crc32c	checksum;
	IdType		id_type;		/* of most of its first documents */
	int			parts;
	Part		part[MAX_JOBS];
	int64		run;			/* in the table of imports */
	bool		array;
	double		seconds;
	int64		damage_at;
	char		damage[256];
} Check;

/* a file, and the table that it goes into */
typedef struct Collection
{
	const char *path;
	const char *source;			/* the file's name, as the tables record it */
	const char *metadata;		/* path of its metadata.json, or NULL */
	char	   *schema;			/* NULL: the first of the search path */
	char	   *name;
	char	   *side_schema;
	char	   *side_name;
	bool		json;
	bool		stream;
	bool		skip;			/* it cannot be loaded, and why has been said */
	Check	   *check;

	char	   *table;			/* qualified and quoted, as these */
	char	   *side_table;
	char	   *imports;
	const char *key_type;		/* as SQL names it, */
	const char *equals;			/* and its operator */
	Source	   *pipe;			/* if stream: opened */
	bool		row_security;	/* some rows may be invisible to us */
	bool		rules;			/* rules or triggers that may take inserted
								 * rows away */
	bool		staged;			/* rows go by INSERT only: COPY would ignore
								 * rules, or be refused */
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

/* objectid-import.c */
extern void show_progress(void);
extern void hint_resume(void);

/* options.c */
extern const char *parse_options(int argc, char **argv);

/* dump.c: from the command line to collections */
extern Collection *find_collections(const char *path, int *count);
extern char *shorten(const char *name, const char *suffix);
extern const char *path_name(const char *path);
extern int	without(const char *name, int length, const char *ending);

/* indexes.c: from metadata.json to CREATE INDEX */
extern char *find_metadata(const char *path, int length);
extern char *metadata_name(const char *path, char *name);
extern void write_indexes(const Collection *collections, int count, const char *path);

/* source.c: from a file to documents */
extern void open_source(Source *source, const Collection *collection, const Part *part);
extern void open_pipe(Collection *collection);
extern void close_source(Source *source);
extern void move_window(Source *source);
extern Finding find_document(Source *source, Document *document, bool may_read);
extern Finding find_json(Source *source, Document *document, size_t *bad);
extern void set_damage(Source *source, size_t at, const char *what);

/* check.c: the first pass over a file */
extern Finding find_sound_document(Source *source, Document *document, bool may_read);
extern IdType guess_id_type(Source *source);
extern void check_source(Collection *collection);
extern void dry_run(Collection *collection);

/* value.c: what JSON is made of, whatever from */
extern Verdict reject(Writer *writer, const char *format,...) __attribute__((format(printf, 2, 3)));
extern Verdict write_string(Writer *writer, const char *text, size_t length, const char *what);
extern void write_int(Writer *writer, int64 value);
extern void write_double(Writer *writer, double value);
extern void write_date(Writer *writer, int64 milliseconds);
extern void write_oid(Writer *writer, const bson_oid_t *oid);
extern void write_decimal(Writer *writer, const bson_decimal128_t *decimal);
extern void add_name(Writer *writer, const char *text, size_t length);
extern bool names_repeat(Writer *writer, size_t from);

/* bson.c */
extern bool check_bson(const uint8_t *data, size_t length, int depth, size_t *bad);
extern Verdict bson_to_json(Writer *writer, const char *data, size_t length);
extern Verdict write_bson_value(Writer *writer, bson_iter_t *iter, int depth);

/* {"$...": value}: those that are frequent, and those that libbson reads for us */
typedef enum Wrapper
{
	NO_WRAPPER, OID, INT, LONG, DOUBLE, DECIMAL, DATE, LIBBSON
} Wrapper;

/* json.c, extjson.c */
extern Verdict json_to_json(Writer *writer, const char *data, size_t length);
extern Wrapper find_wrapper(Span name, const char **what);
extern bool write_wrapped(Writer *writer, Wrapper wrapper);
extern bool date_is_impossible(const char *text, size_t length);
extern bool date_is_relaxed(const char *text, size_t length);
extern bool parse_integer(const char *text, size_t length, int64 *value);
extern Verdict write_json_by_libbson(Writer *writer, const char *text, size_t length, int depth);

/* copy.c: from a document to a row of COPY, and to the server */
extern Verdict write_row(bool json, const Document *document, IdType type, int position, Writer *writer, StringInfo out);
extern void print_id(const Writer *writer, IdType type, char *text, size_t size);
extern void append_int16(StringInfo out, int16 value);
extern void append_int32(StringInfo out, int32 value);
extern void append_int64(StringInfo out, int64 value);
extern void start_copy(PGconn *conn, StringInfo out, const char *table, const char *columns);
extern void send_copy(PGconn *conn, StringInfo out, bool all);
extern Outcome end_copy(PGconn *conn, StringInfo out, uint64 rows);
extern Outcome judge(PGconn *conn, PGresult *result);
extern Outcome try_sql(PGconn *conn, const char *sql);

/* target.c: the tables */
extern PGconn *open_connection(void);
extern PGresult *query(PGconn *conn, int count, const char *const *values, const char *format,...) __attribute__((format(printf, 4, 5)));
extern void execute(PGconn *conn, const char *sql);
extern void lost(PGconn *conn) __attribute__((noreturn));
extern void lock_tables(PGconn *conn, Collection *collections, int count);
extern bool prepare_target(PGconn *conn, Collection *collection);

/* record.c: what has been loaded */
extern bool prepare_record(PGconn *conn, Collection *collection);
extern bool move_record(PGconn *conn, const Collection *collection, int part, int64 from, const Part *to);
extern int64 count_loaded(PGconn *conn, const Collection *collection);

/* load.c: from documents to the server */
extern void load_part(PGconn *conn, Collection *collection, int part);

#endif							/* OBJECTID_IMPORT_H */
