/*-------------------------------------------------------------------------
 *
 * load.h
 *	  Rows, the record of a load, the tables, the load, and the comparison.
 *
 *-------------------------------------------------------------------------
 */
#ifndef LOAD_H
#define LOAD_H

#include "server.h"

typedef struct Rows
{
	Source		source;
	Writer		writer;			/* whose output has the rows */
	IdType		type;			/* of their keys */
	const NewIds *ids;			/* for documents without an _id, or NULL */
	uint8_t		new_id[12];
	int64		position;		/* of the document found last in its file */
	bool		lacks_id;		/* it is rejected because of this */
} Rows;

#define NO_NUMBER (-1)

/* how a table compares with a file */
typedef enum Result
{
	EQUAL, DIFFER, MISSING,		/* as in verify_batch.sql */
	EXTRA,
	ONLY_REJECTED,				/* missing, but in the table of these */
	RESULTS
} Result;

#define FIRST_KEYS 10
#define KEY_SIZE 200

/* the rows whose hashes are the same modulo BUCKETS */
#define BUCKETS 256

typedef struct Bucket
{
	int64		count;
	int64		high;			/* sums of the halves of the hashes of keys, */
	int64		low;			/* which do not cancel out, as with xor */
} Bucket;

/* the comparison of a part of a file with its table: in shared memory */
typedef struct Comparison
{
	int64		count[RESULTS];
	char		keys[RESULTS][FIRST_KEYS][KEY_SIZE];	/* the first */
	Bucket		matched[BUCKETS];	/* rows whose keys are in the part */
	Bucket		rows[BUCKETS];	/* of the first part: all of the table */
} Comparison;

/* row.c */
extern void append_int(StringInfo out, int size, int64 value);
extern void append_field(StringInfo out, const void *data, size_t length);
extern Verdict write_row(const Document *document, int number, Rows *rows);
extern Rows *open_rows(const Collection *collection, const Part *part, IdType type);
extern bool move_on(Rows *rows, Progress *progress, const Part *part, bool *found);
extern Finding next_row(Rows *rows, bool may_read, int number, Document *document);

/* journal.c */
extern char *fill_in(const char *sql, const Table *table);
extern const char *new_command(PGconn *conn);
extern void find_begun(PGconn *conn, Collection *collection);
extern void prepare_record(PGconn *conn, Collection *collection);
extern void report_lost(const Collection *collection, const char *count)
			__attribute__((noreturn));
extern void read_record(PGconn *conn, const Collection *collection);
extern Outcome move_record(PGconn *conn, const Collection *collection, const Part *from,
						   const Part *to);

/* target.c */
extern void name_tables(PGconn *conn);
extern void lock_target(PGconn *conn, const Table *table, bool whole_schema);
extern void prepare_tables(PGconn *conn);
extern void check_owners(PGconn *conn, const Table *table);
extern Outcome lock_checked(PGconn *conn, const Table *table, const char *locked);
extern PGresult *inspect_table(PGconn *conn, const Table *table);
extern void read_key_type(PGconn *conn, Table *table);
extern void analyze(PGconn *conn, const Table *table);

/* load.c */
extern void limit_rejected(const Collection *collection, bool one_reason);
extern void load_part(PGconn *conn, const Collection *collection, int part);
extern void try_part(const Collection *collection, int part);

/* compare.c */
extern const char *take_snapshot(PGconn *conn);
extern void import_snapshot(PGconn *conn, const char *snapshot);
extern void verify_part(PGconn *conn, const Collection *collection, int part);
extern void find_extra(PGconn *conn, Collection *collection);
extern void check_loaded(PGconn *conn, Collection *collection);

#endif							/* LOAD_H */
