/*-------------------------------------------------------------------------
 *
 * server.c
 *	  The connection, statements, and their errors.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "common/string.h"
#include "lib/stringinfo.h"
#include "message.h"
#include "server.h"

/* a connection was lost, which has been reported */
static bool lost;

static void
print_notice(void *unused pg_attribute_unused(), const PGresult *result)
{
	pg_log_warning("%s", error_message(NULL, result));
}

/*
 * open_connection - connect to the server, and ask for a password if needed.  Gives up if
 * that fails.  connectDatabase() is not used, because it changes a setting of the session, which a
 * pooler hands to others.
 */
PGconn *
open_connection(const ConnParams *parameters)
{
	static char *password;		/* for all connections */
	PGconn	   *conn;

	if (password == NULL && parameters->prompt_password == TRI_YES)
		password = simple_prompt("Password: ", false);
	for (;;)
	{
		const char *const names[] = {
			"host", "port", "user", "password", "dbname",
			"fallback_application_name", "client_encoding", NULL
		};
		const char *const values[] = {
			parameters->pghost, parameters->pgport, parameters->pguser, password,
			parameters->dbname, PROGRAM, "UTF8", NULL
		};

		conn = PQconnectdbParams(names, values, true);
		if (!PQconnectionNeedsPassword(conn) || password || parameters->prompt_password == TRI_NO)
			break;
		PQfinish(conn);
		password = simple_prompt("Password: ", false);
	}
	if (PQstatus(conn) != CONNECTION_OK)
		pg_fatal("%s", error_message(conn, NULL));
	PQsetNoticeReceiver(conn, print_notice, NULL);
	PQsetErrorVerbosity(conn, PQERRORS_TERSE);
	lost = false;
	return conn;
}

/*
 * begin_statement - the statement that begins a transaction, and runs "more" in it.  No setting
 * outlives it, because a pooler may use the session for others.  Reading a slow file may take
 * long, so there is no timeout.  What is read behind a lock is as it is then, whatever the
 * isolation level of the session.
 */
char *
begin_statement(PGconn *conn, const char *more)
{
	bool		has_timeout = PQserverVersion(conn) >= 170000;

	return psprintf("BEGIN ISOLATION LEVEL READ COMMITTED; "
					"SET LOCAL client_min_messages = warning; "
					"SET LOCAL quote_all_identifiers = off; "
					"SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; "
					"SET LOCAL idle_in_transaction_session_timeout = 0; %s%s",
					has_timeout ? "SET LOCAL transaction_timeout = 0; " : "", more);
}

void
begin(PGconn *conn, const char *more)
{
	char	   *sql = begin_statement(conn, more);

	execute(conn, sql);
	pg_free(sql);
}

/*
 * error_message - the message of a result, or of the connection if it has none, in one line.
 * Either can be NULL.
 */
const char *
error_message(const PGconn *pg, const PGresult *result)
{
	const char *message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
	const char *text = message ? message : pg ? PQerrorMessage(pg) :
	result ? PQresultErrorMessage(result) : "out of memory";
	char	   *line = pg_strdup(text);
	char	   *out = line;

	for (const char *c = text; *c; c++)
		if (message || strchr("\n\t ", *c) == NULL)
			*out++ = *c;
		else if (out > line && out[-1] != ' ')
			*out++ = ' ';
	while (out > line && out[-1] == ' ')
		out--;
	*out = '\0';
	return line;
}

/*
 * has_state - is the SQLSTATE of a result this one, or one of these if it is the beginning of
 * several?
 */
bool
has_state(const PGresult *result, const char *state)
{
	const char *found = PQresultErrorField(result, PG_DIAG_SQLSTATE);

	return found && strncmp(found, state, strlen(state)) == 0;
}

/* is_lost - has the server ended the session?  libpq itself notices that only later */
bool
is_lost(const PGconn *conn, const PGresult *result)
{
	return lost || PQstatus(conn) == CONNECTION_BAD || has_state(result, "57P");
}

/*
 * fail - report an error that no document causes, and give up.  "table" is the one that could not
 * be loaded.  The hint replaces the server's.  Both can be NULL.
 */
void
fail(PGconn *conn, const PGresult *result, const char *table, const char *hint)
{
	const char *message = error_message(conn, result);
	const char *detail = PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);

	if (is_lost(conn, result))
	{
		pg_log_error("the connection was lost: %s", message);
		pg_log_error_hint("%s", resume_hint);
		lost = true;
		give_up();
	}
	pg_log_error("%s%s%s%s", table ? "could not load table " : "", table ? table : "",
				 table ? ": " : "", message);
	for (size_t length; detail && *detail; detail += length)
	{
		length = strcspn(detail, "\n");
		pg_log_error_detail("%.*s", (int) length, detail);
		length += detail[length] == '\n';
	}
	hint = hint ? hint : PQresultErrorField(result, PG_DIAG_MESSAGE_HINT);
	if (hint)
		pg_log_error_hint("%s", hint);
	give_up();
}

/* query - run a statement, which must not fail */
PGresult *
query(PGconn *conn, int count, const char *const *values, const char *sql)
{
	/* without values, it can be several */
	PGresult   *result = count == 0 ? PQexec(conn, sql) :
	PQexecParams(conn, sql, count, NULL, values, NULL, NULL, 0);

	if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK)
		fail(conn, result, NULL, NULL);
	return result;
}

/* change - run a statement whose result does not matter */
void
change(PGconn *conn, int count, const char *const *values, const char *sql)
{
	PQclear(query(conn, count, values, sql));
}

void
execute(PGconn *conn, const char *sql)
{
	change(conn, 0, NULL, sql);
}

/* has_rows - does a query with one value, "SELECT 1 FROM ...", have rows? */
bool
has_rows(PGconn *conn, const char *value, const char *sql)
{
	return query_value(conn, 1, &value, sql) != NULL;
}

/* query_value - a copy of the first value that a query returns, or NULL */
char *
query_value(PGconn *conn, int count, const char *const *values, const char *sql)
{
	PGresult   *result = query(conn, count, values, sql);
	char	   *value = PQntuples(result) > 0 ? get_value(result, 0, 0) : NULL;

	PQclear(result);
	return value;
}

/* get_value - a copy of a value, or NULL */
char *
get_value(const PGresult *result, int row, int column)
{
	return PQgetisnull(result, row, column) ? NULL : pg_strdup(PQgetvalue(result, row, column));
}

bool
is_true(const PGresult *result, int row, int column)
{
	return *PQgetvalue(result, row, column) == 't';
}

/* int64_text - a new string, for a parameter of a statement */
const char *
int64_text(int64 value)
{
	return psprintf(INT64_FORMAT, value);
}

/*
 * classify_result - classify the result of a statement that loads into a table.  Gives up
 * after an error that would affect every document (lost connection, full disk, shutdown).
 */
Outcome
classify_result(PGconn *conn, const PGresult *result, const char *table)
{
	ExecStatusType status = PQresultStatus(result);

	if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_COPY_IN)
		return LOADED;
	if (PQstatus(conn) == CONNECTION_BAD || !has_state(result, "") ||
		has_state(result, "53") || has_state(result, "57") || has_state(result, "58"))
		fail(conn, result, table, NULL);
	return has_state(result, "40") ? AGAIN : NOT_LOADED;
}

/* what try_step() does */
static struct
{
	PGconn	   *conn;
	void		(*step) (PGconn *conn, Collection *collection);
	Collection *collection;
}			work;

static void
do_step(int unused pg_attribute_unused())
{
	work.step(work.conn, work.collection);
}

/*
 * try_step - run a step of the work on a collection.  Returns false if it has failed; but without
 * the connection, no other collection can go on, either.
 */
bool
try_step(PGconn *conn, void (*step) (PGconn *conn, Collection *collection),
		 Collection *collection)
{
	work.conn = conn;
	work.step = step;
	work.collection = collection;
	if (succeeds(do_step, 0))
		return true;
	if (is_lost(conn, NULL))
		give_up();
	return false;
}

/* try_statement - run a statement that may fail because of a document of the table */
Outcome
try_statement(PGconn *conn, const char *sql, const char *table)
{
	PGresult   *result = PQexec(conn, sql);
	Outcome		outcome = classify_result(conn, result, table);

	/* a transaction that cannot be committed is rolled back without an error */
	if (outcome == LOADED && strstr(sql, "COMMIT") != NULL &&
		strcmp(PQcmdStatus(result), "COMMIT") != 0)
		outcome = NOT_LOADED;
	PQclear(result);
	return outcome;
}
