/*-------------------------------------------------------------------------
 *
 * server.h
 *	  What is done on the server: the connection, the tables, the record of a
 *	  load, and the load.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SERVER_H
#define SERVER_H

#include "fe_utils/connect_utils.h"
#include "scan.h"

/* the options that say how a file gets into its table */
typedef struct LoadOptions
{
	IdType		id_type;		/* ID_UNKNOWN: guess */
	int64		max_rejected;	/* -1: not specified */
	bool		upsert;
	bool		generate_id;
	bool		restart;
	bool		drop;
	bool		truncate;
	bool		verify;			/* it is not loaded, but compared */
} LoadOptions;

/* what the server says of a table, and of its column "_id" */
typedef struct KeyColumn
{
	IdType		type;
	char	   *type_name;		/* in SQL */
	Oid			type_oid;
	char	   *collation;		/* as a clause, or empty */
	char	   *identity;		/* other if the table is replaced or truncated */
	char	   *analyzed;		/* which columns, as a list, or empty: all */
} KeyColumn;

/* the load of a file, in the table of imports */
typedef struct Run
{
	char	   *number;
	char	   *history;		/* what was loaded before, or NULL */
	bool		created;		/* it has created the table */
	const char *command;		/* which began it with --drop, --truncate or
								 * --restart */
	bool		anew;			/* it begins with what these do */
} Run;

/* the table that a file goes into */
typedef struct Table
{
	char	   *schema;			/* NULL: of the search path */
	char	   *name;
	char	   *side_name;
	char	   *target;			/* qualified and quoted, as these */
	char	   *side_table;
	char	   *imports;
	char	   *lock;			/* held by transactions that load */
	char	   *objectid;		/* type of new keys, or NULL */
	bool		exists;
	bool		side_exists;
	bool		side_readable;
	bool		connected;		/* to others, by foreign keys */
	KeyColumn	key;
	Run			run;
} Table;

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

/* a file, and where it goes */
typedef struct Collection
{
	InputFile	input;
	const char *metadata;		/* path of its metadata.json, or NULL */
	Table		table;
	Progress   *progress;
	Comparison *compared;		/* with --verify, of each part */
} Collection;

/* how a statement or a batch ended */
typedef enum Outcome
{
	LOADED,
	NOT_LOADED,					/* because of some document */
	AGAIN						/* because of what others did at the same time */
} Outcome;

typedef struct Connection
{
	PGconn	   *pg;
	const LoadOptions *load;
	bool		lost;			/* and reported */
} Connection;

/* only functions, operators and types of the server are found without a schema */
#define FIND_ONLY_CATALOG "SET LOCAL search_path = pg_catalog, pg_temp"

/* server.c */
extern Connection *open_connection(const ConnParams *parameters, const LoadOptions *load);
extern char *begin_statement(Connection *conn, const char *more);
extern void begin(Connection *conn, const char *more);
extern const char *error_message(const PGconn *pg, const PGresult *result);
extern bool has_state(const PGresult *result, const char *state);
extern bool is_lost(Connection *conn, const PGresult *result);
extern void fail(Connection *conn, const PGresult *result, const char *table,
				 const char *hint) __attribute__((noreturn));
extern PGresult *query(Connection *conn, int count, const char *const *values,
					   const char *sql);
extern void change(Connection *conn, int count, const char *const *values,
				   const char *sql);
extern void execute(Connection *conn, const char *sql);
extern bool has_rows(Connection *conn, const char *value, const char *sql);
extern char *fill_in(const char *sql, const Table *table);
extern char *get_value(const PGresult *result, int column);
extern const char *int64_text(int64 value);
extern Outcome classify_result(Connection *conn, const PGresult *result, const char *table);
extern bool try_step(Connection *conn, void (*step) (Connection *conn, Collection *collection),
					 Collection *collection);
extern Outcome try_statement(Connection *conn, const char *sql, const char *table);

/* journal.c */
extern const char *new_command(Connection *conn);
extern void find_begun(Connection *conn, Collection *collection);
extern void prepare_record(Connection *conn, Collection *collection);
extern void report_lost(Connection *conn, const Collection *collection, const char *count)
			__attribute__((noreturn));
extern void read_record(Connection *conn, const Collection *collection);
extern Outcome move_record(Connection *conn, const Collection *collection, int part,
						   const Part *to);

/* target.c */
extern void name_tables(Connection *conn, Collection *collections, int count);
extern void lock_target(Connection *conn, const Table *table, bool whole_schema);
extern void prepare_tables(Connection *conn, Collection *collections, int count);
extern void check_owners(Connection *conn, const Table *table);
extern PGresult *inspect_table(Connection *conn, const Table *table);
extern void read_key_type(Connection *conn, Table *table);
extern void analyze(Connection *conn, const Table *table);

/* load.c */
extern void limit_rejected(const Collection *collection, int64 most, bool one_reason);
extern void load_part(Connection *conn, const Collection *collection, int part);

/* compare.c */
extern const char *take_snapshot(Connection *conn, Collection *collections, int count);
extern void import_snapshot(Connection *conn, const char *snapshot);
extern void verify_part(Connection *conn, const Collection *collection, int part);
extern void find_extra(Connection *conn, Collection *collection);
extern int64 count_lost(Connection *conn, Collection *collection);

#endif							/* SERVER_H */
