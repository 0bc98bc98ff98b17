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

#include "check.h"
#include "fe_utils/connect_utils.h"
#include "libpq-fe.h"

typedef struct Connection
{
	PGconn	   *pg;
	const char *resume_hint;	/* how to go on after a load that ends early */
} Connection;

typedef struct LoadOptions
{
	ConnParams	connection;
	const char *table;
	const char *side_table;
	IdType		id_type;		/* ID_UNKNOWN: guess */
	int64		max_rejected;	/* -1: not specified */
	bool		upsert;
	bool		generate_id;
	bool		restart;
	bool		drop;
	bool		truncate;
	bool		verify;
} LoadOptions;

/* the table that a file goes into */
typedef struct Table
{
	char	   *schema;			/* NULL: of the search path */
	char	   *name;
	const char *found[3];		/* for name_tables() */
	char	   *side_schema;	/* NULL: the same */
	char	   *side_name;
	char	   *target;			/* qualified and quoted, as these */
	char	   *side_table;
	char	   *imports;
	char	   *objectid;		/* type of new keys that are ObjectIds, or
								 * NULL */
	char	   *distrusted;		/* why a domain of this name is not taken */
	IdType		id_type;
	char	   *id_type_name;	/* in SQL */
	Oid			id_type_oid;
	char	   *collation;		/* of the keys, as a clause, or empty */
	char	   *identity;		/* changes if the table is replaced or
								 * truncated */
	char	   *analyzed;		/* which columns, as a list, or empty: all */
	char	   *lock;			/* held by transactions that load */
	char	   *run;			/* in the table of imports */
	char	   *history;		/* what was loaded before of the file, or NULL */
	bool		created;		/* by this program */
	bool		cleared;		/* dropped or truncated by it */
	bool		exists;			/* for --verify, as the next */
	bool		side_exists;
	bool		side_readable;
} Table;

/* how a table differs from a file */
typedef enum Difference
{
	DIFFER,
	MISSING,
	EXTRA,
	DIFFERENCES
} Difference;

#define FIRST_KEYS 10
#define KEY_SIZE 200

/* the rows whose hashes are the same modulo BUCKETS */
#define BUCKETS 256

typedef struct Bucket
{
	int64		count;
	uint64		hashes;			/* of the keys, combined by exclusive or */
} Bucket;

/* the comparison of a part of a file with its table: in shared memory */
typedef struct Comparison
{
	int64		equal;
	int64		rejected;
	int64		count[DIFFERENCES];
	char		keys[DIFFERENCES][FIRST_KEYS][KEY_SIZE];	/* the first of each */
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
	bool		skip;			/* it cannot be loaded, and why has been said */
} Collection;

/* how a statement or a batch ended */
typedef enum Outcome
{
	LOADED,
	REFUSED,					/* because of some document */
	AGAIN						/* because of what others did at the same time */
} Outcome;

/*
 * Called before each batch: false, to end the load there.  "context" is what the caller
 * of load_part() wants to have.
 */
typedef bool (*BatchCallback) (void *context);

/* connection.c */
extern Connection *open_connection(const ConnParams *parameters, const char *resume_hint);
extern void close_connection(Connection *conn);
extern const char *begin_statement(const Connection *conn, const char *more);
extern void begin(Connection *conn, const char *more);
extern const char *error_message(const PGconn *pg, const PGresult *result);
extern bool has_state(const PGresult *result, const char *state);
extern bool is_lost(const Connection *conn, const PGresult *result);
extern void print_error(const Connection *conn, const PGresult *result, const char *table,
						const char *hint);
extern PGresult *try_query(Connection *conn, int count, const char *const *values,
						   const char *sql);
extern PGresult *query(Connection *conn, int count, const char *const *values, const char *sql);
extern bool try_change(Connection *conn, int count, const char *const *values, const char *sql);
extern bool try_execute(Connection *conn, const char *sql);
extern void execute(Connection *conn, const char *sql);
extern char *get_value(const PGresult *result, int column);
extern const char *int64_text(int64 value);
extern void exit_with_error(const Connection *conn, const PGresult *result, const char *table)
			__attribute__((noreturn));
extern Outcome classify_result(const Connection *conn, const PGresult *result, const char *table);
extern Outcome try_statement(Connection *conn, const char *sql, const char *table);

/* record.c */
extern bool prepare_record(Connection *conn, Collection *collection, const LoadOptions *options);
extern void report_lost(const Collection *collection, const char *count);
extern bool read_record(Connection *conn, const Collection *collection);
extern Outcome move_record(Connection *conn, const Collection *collection, int part,
						   const Part *to);

/* target.c */
extern void name_tables(Connection *conn, Collection *collections, int count);
extern void lock_target(Connection *conn, const Table *table, bool whole_schema);
extern bool clear_tables(Connection *conn, Table *const *tables, int count, bool truncate);
extern void require_objectid(Connection *conn, const Collection *collection,
							 const LoadOptions *options);
extern char *read_identity(Connection *conn, const Table *table);
extern bool is_referenced(Connection *conn, const Table *table);
extern void begin_preparation(Connection *conn);
extern bool prepare_target(Connection *conn, Collection *collection, const LoadOptions *options);
extern bool check_owners(Connection *conn, const Table *table, const char *what);
extern bool read_key_type(Connection *conn, Table *table, const LoadOptions *options,
						  const char *what);

/* load.c */
extern char *fill_in(const char *sql, const Table *table);
extern void limit_rejected(const InputFile *input, Progress *progress, int64 max_rejected);
extern void load_part(Connection *conn, const Collection *collection, int part, Source *pipe,
					  const LoadOptions *options, BatchCallback may_continue, void *context);

/* verify.c */
extern const char *take_snapshot(Connection *conn, Collection *collections, int count,
								 const LoadOptions *options);
extern void import_snapshot(Connection *conn, const char *snapshot);
extern void verify_part(Connection *conn, const Collection *collection, int part, Source *pipe,
						FILE *spool, bool generate_id, BatchCallback may_continue,
						void *context);
extern bool find_extra(Connection *conn, const Collection *collection, FILE *spool,
					   bool generate_id, BatchCallback may_continue, void *context);
extern int64 count_lost(Connection *conn, Collection *collection, const LoadOptions *options,
						BatchCallback may_continue, void *context);

#endif							/* SERVER_H */
