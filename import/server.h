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

#include <signal.h>

#include "fe_utils/connect_utils.h"
#include "libpq-fe.h"
#include "rows.h"

typedef struct LoadOptions
{
	ConnParams	connection;
	const char *table;
	const char *side_table;
	int			id_type;		/* -1: guess */
	int64		max_rejected;	/* -1: not specified */
	bool		upsert;
	bool		restart;
	bool		drop;
} LoadOptions;

/* the table that a file goes into */
typedef struct Table
{
	char	   *schema;			/* NULL: the first of the search path */
	char	   *name;			/* NULL: that of --table */
	char	   *side_name;		/* NULL: by the name */
	char	   *target;			/* qualified and quoted, as these */
	char	   *side_table;
	char	   *imports;
	char	   *objectid;		/* type of new keys that are ObjectIds, or
								 * NULL */
	char	   *distrusted;		/* why a domain of this name is not taken */
	IdType		id_type;
	char	   *id_type_name;	/* in SQL */
	char	   *operator_schema;	/* of its "=" */
	char	   *identity;		/* changes if the table is replaced or
								 * truncated */
	char	   *lock;			/* held by transactions that load */
	char	   *run;			/* in the table of imports */
	bool		created;		/* by this program */
} Table;

/* how a statement or a batch ended */
typedef enum Outcome
{
	LOADED,
	REFUSED,					/* because of some document */
	AGAIN						/* because of what others did at the same time */
} Outcome;

extern volatile sig_atomic_t interrupted;

/* connection.c */
extern const char *resume_hint;
extern PGconn *open_connection(const ConnParams *parameters);
extern const char *begin_statement(PGconn *conn, const char *more);
extern void begin(PGconn *conn, const char *more);
extern const char *error_message(PGconn *conn, const PGresult *result);
extern bool has_state(const PGresult *result, const char *state);
extern bool is_lost(PGconn *conn, const PGresult *result);
extern void print_error(PGconn *conn, const PGresult *result, const char *table, const char *hint);
extern PGresult *try_query(PGconn *conn, int count, const char *const *values, const char *sql);
extern PGresult *query(PGconn *conn, int count, const char *const *values, const char *sql);
extern bool try_change(PGconn *conn, int count, const char *const *values, const char *sql);
extern bool try_execute(PGconn *conn, const char *sql);
extern void execute(PGconn *conn, const char *sql);
extern char *get_value(const PGresult *result, int column);
extern const char *int64_text(int64 value);
extern void exit_with_error(PGconn *conn, const PGresult *result, const char *table) __attribute__((noreturn));
extern Outcome classify_result(PGconn *conn, PGresult *result, const char *table);
extern Outcome try_statement(PGconn *conn, const char *sql, const char *table);

/* target.c */
extern void name_tables(PGconn *conn, Table *table, const LoadOptions *options);
extern void lock_target(PGconn *conn, const Table *table, bool whole_schema);
extern bool drop_tables(PGconn *conn, const Table *const *tables, int count);
extern void require_objectid(PGconn *conn, const Table *table, IdType guess, const LoadOptions *options);
extern char *read_identity(PGconn *conn, const Table *table);
extern bool is_referenced(PGconn *conn, const Table *table);
extern void begin_preparation(PGconn *conn);
extern bool prepare_target(PGconn *conn, const InputFile *input, Table *table, Progress *progress, const LoadOptions *options);

/* record.c */
extern bool prepare_record(PGconn *conn, const InputFile *input, Table *table, Progress *progress, const LoadOptions *options);
extern bool check_loaded(PGconn *conn, const InputFile *input, const Table *table);
extern bool read_record(PGconn *conn, const Table *table, Progress *progress);
extern Outcome move_record(PGconn *conn, const Table *table, const Progress *progress, int part, const Part *to);

/* load.c */
extern void load_part(PGconn *conn, const InputFile *input, Source *pipe, const Table *table, Progress *progress, int part,
					  const LoadOptions *options, void (*show_progress) (bool loading));

#endif							/* SERVER_H */
