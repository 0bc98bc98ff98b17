/*-------------------------------------------------------------------------
 *
 * script.h
 *	  A script of plain SQL that is printed whole, or, after an error, not at all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SCRIPT_H
#define SCRIPT_H

#include "database.h"
#include "render.h"

extern void require_new_file(const char *file);

/* what emit() appends is printed by end_script() */
extern void begin_script(const Database *database, const char *purpose);
extern void emit_rows(PGconn *conn, int count, const char *const *values, const char *sql);
extern bool script_is_empty(void);
extern char *count_of(int64 count, const char *noun);
extern char *list_lines(const char *what, const char *noun, const char *kind, const char *mark);
extern void end_script(const char *file, const char *done);

#endif							/* SCRIPT_H */
