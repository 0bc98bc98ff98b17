/*-------------------------------------------------------------------------
 *
 * script.c
 *	  The frame of a script: one transaction, of the role that printed it, which an error ends.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <sys/stat.h>
#include <unistd.h>

#include "schema.h"

/* so many are named on the terminal */
#define LISTED_LINES 10

StringInfoData script;

/* how long it is without statements */
static int	frame_length;

/* require_new_file - give up before long work if the file to write is there */
void
require_new_file(void)
{
	const char *file = command.options->file;
	struct stat status;

	if (file && lstat(file, &status) == 0)
	{
		errno = EEXIST;
		pg_fatal("could not create file \"%s\": %m", file);
	}
}

/*
 * begin_script - begin a script, which makes what its purpose says of a database.  The names of
 * other schemas do not count in it.
 */
void
begin_script(const Database *database, const char *purpose)
{
	initStringInfo(&script);
	emit("\\set ON_ERROR_STOP on\n\\encoding UTF8\n-- %s, by " PROGRAM ".\n"
		 "-- Review, change, then run it with \"psql -f\".\n"
		 "BEGIN ISOLATION LEVEL READ COMMITTED;\n"
		 "SET LOCAL search_path = pg_catalog, pg_temp;\n"
		 "SET LOCAL standard_conforming_strings = on;\n", purpose);
	if (database->conn)
	{
		const char *session = quote_text(database->session_user);
		const char *current = quote_text(database->current_user);
		const char *is_not = quote_text(psprintf(" is not %s, for whom this script was printed",
												 database->session_user));

		emit("SELECT CASE WHEN (session_user, current_user) <> (%s, %s) THEN "
			 "(concat_ws(' as ', session_user, nullif(current_user, session_user)) || %s)"
			 "::integer END; -- for whom this script was printed\n", session, current, is_not);
	}
	frame_length = script.len;
}

/* emit_rows - a query prints statements: each row is one, without its semicolon, or a comment */
void
emit_rows(PGconn *conn, int count, const char *const *values, const char *sql)
{
	PGresult   *result = query(conn, count, values, sql);

	for (int i = 0; i < PQntuples(result); i++)
	{
		const char *row = PQgetvalue(result, i, 0);

		if (strncmp(row, "--", 2) == 0)
			emit("%s\n", printable(row));
		else
			emit("%s;\n", row);
	}
	PQclear(result);
}

/* script_is_empty - has it only comments? */
bool
script_is_empty(void)
{
	const char *line = script.data + frame_length;

	while (*line == '\n' || strncmp(line, "--", 2) == 0)
		line += strcspn(line, "\n") + 1;
	return *line == '\0';
}

/* count_of - a number of things, as text */
char *
count_of(int64 count, const char *noun)
{
	bool		ends_in_x = noun[strlen(noun) - 1] == 'x';

	return psprintf(INT64_FORMAT " %s%s", count, noun, count == 1 ? "" : ends_in_x ? "es" : "s");
}

/*
 * list_lines - how many things, and of which kind, lines of the script have that are marked so, as
 * a sentence, or an empty text
 */
char *
list_lines(const char *what, const char *noun, const char *kind, const char *mark)
{
	StringInfoData lines;
	int			number = 1;
	int			count = 0;

	initStringInfo(&lines);
	for (const char *at = script.data; *at; at++)
	{
		number += *at == '\n';
		if (strncmp(at, mark, strlen(mark)) == 0 && ++count <= LISTED_LINES)
			appendStringInfo(&lines, "%s%d", count > 1 ? ", " : "", number);
	}
	return count == 0 ? "" : psprintf(". %s: %s%s (line%s %s%s)", what, count_of(count, noun), kind,
									  count == 1 ? "" : "s", lines.data,
									  count > LISTED_LINES ? ", ..." : "");
}

/*
 * end_script - end the script, and print it, or write a file that does not exist.  "done" says
 * what it has made, if it has made anything.
 */
void
end_script(const char *done)
{
	const char *file = command.options->file;
	const char *new = psprintf("%s.%d.new", file, (int) getpid());
	FILE	   *out = stdout;

	emit("COMMIT;\n\\echo complete: %s\n", script_is_empty() ? "nothing is missing" : done);
	require_new_file();
	if (file && (out = fopen(new, "wx")) == NULL)
		pg_fatal("could not create file \"%s\": %m", file);
	if (fputs(script.data, out) == EOF || fflush(out) != 0 ||
		(file && (fclose(out) != 0 || rename(new, file) != 0)))
	{
		int			error = errno;

		if (file)
			unlink(new);
		errno = error;
		pg_fatal("could not write %s: %m",
				 file ? psprintf("file \"%s\"", file) : "to standard output");
	}
}
