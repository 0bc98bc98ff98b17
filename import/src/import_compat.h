/*-------------------------------------------------------------------------
 *
 * import_compat.h
 *	  Messages: core's, but names and values in them do not reach a terminal as they are, and an
 *	  error makes the exit status 1.  What an error ends.  And all differences between the
 *	  supported major versions of PostgreSQL's libraries.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IMPORT_COMPAT_H
#define IMPORT_COMPAT_H

#include "common/jsonapi.h"
#include "common/logging.h"

#define PROGRAM "objectid-import"

/*
 * core's macros for all levels and parts call these; before 15, there are no parts
 */
#if PG_VERSION_NUM < 150000
#define pg_log_generic(level, ...) \
	pg_log_generic(level, "%s", message_text(level, psprintf(__VA_ARGS__)))
#define pg_log_part(name, ...) \
	fprintf(stderr, PROGRAM ": " name ": %s\n", printable(psprintf(__VA_ARGS__)))
#define pg_log_error_detail(...) pg_log_part("detail", __VA_ARGS__)
#define pg_log_error_hint(...) pg_log_part("hint", __VA_ARGS__)
#else
#undef pg_fatal
#define pg_log_generic(level, part, ...) \
	pg_log_generic(level, part, "%s", message_text(level, psprintf(__VA_ARGS__)))
#endif

/* all errors end here: see give_up() */
#define pg_fatal(...) do { pg_log_error(__VA_ARGS__); give_up(); } while (0)
#define pg_fatal_hint(hint, ...) \
	do { pg_log_error(__VA_ARGS__); pg_log_error_hint("%s", hint); give_up(); } while (0)

/* make_lexer - a lexer without text; from 17 on, the caller can provide memory */
#if PG_VERSION_NUM < 170000
#define make_lexer(unescape) makeJsonLexContextCstringLen("", 0, PG_UTF8, unescape)
#else
#define make_lexer(unescape) makeJsonLexContextCstringLen(NULL, "", 0, PG_UTF8, unescape)
#endif

extern bool failed;				/* has there been an error? */

extern bool succeeds(void (*step) (int item), int item);
extern void give_up(void) __attribute__((noreturn));
extern const char *message_text(enum pg_log_level level, char *text);
extern bool is_utf8(const char *text);
extern bool is_control(const char *text);
extern char *printable(const char *text);

#endif							/* IMPORT_COMPAT_H */
