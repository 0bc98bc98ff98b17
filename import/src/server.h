/*-------------------------------------------------------------------------
 *
 * server.h
 *	  The connection, statements, and their errors.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SERVER_H
#define SERVER_H

#include "collection.h"
#include "fe_utils/connect_utils.h"

/* how a statement or a batch ended */
typedef enum Outcome
{
	LOADED,
	NOT_LOADED,					/* because of some document */
	AGAIN						/* because of what others did at the same time */
} Outcome;

/* only functions, operators and types of the server are found without a schema */
#define FIND_ONLY_CATALOG "SET LOCAL search_path = pg_catalog, pg_temp"

/* server.c */
extern PGconn *open_connection(const ConnParams *parameters);
extern char *begin_statement(PGconn *conn, const char *more);
extern void begin(PGconn *conn, const char *more);
extern const char *error_message(const PGconn *pg, const PGresult *result);
extern bool has_state(const PGresult *result, const char *state);
extern bool is_lost(const PGconn *conn, const PGresult *result);
extern void fail(PGconn *conn, const PGresult *result, const char *table,
				 const char *hint) __attribute__((noreturn));
extern PGresult *query(PGconn *conn, int count, const char *const *values,
					   const char *sql);
extern void change(PGconn *conn, int count, const char *const *values,
				   const char *sql);
extern void execute(PGconn *conn, const char *sql);
extern bool has_rows(PGconn *conn, const char *value, const char *sql);
extern char *query_value(PGconn *conn, int count, const char *const *values, const char *sql);
extern char *get_value(const PGresult *result, int row, int column);
extern bool is_true(const PGresult *result, int row, int column);
extern const char *int64_text(int64 value);
extern Outcome classify_result(PGconn *conn, const PGresult *result, const char *table);
extern bool try_step(PGconn *conn, void (*step) (PGconn *conn, Collection *collection),
					 Collection *collection);
extern Outcome try_statement(PGconn *conn, const char *sql, const char *table);

#endif							/* SERVER_H */
