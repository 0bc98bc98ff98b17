/*-------------------------------------------------------------------------
 *
 * message.h
 *	  Messages: core's, but names and values in them do not reach a terminal as they are, and an
 *	  error makes the exit status 1.  And what an error ends.
 *
 *-------------------------------------------------------------------------
 */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <signal.h>

#include "common/logging.h"

#define PROGRAM "objectid-import"

/* core's macros for all levels and parts call this */
#undef pg_fatal
#define pg_log_generic(level, part, ...) \
	pg_log_generic(level, part, "%s", message_text(level, psprintf(__VA_ARGS__)))

/* all errors end here: see give_up() */
#define pg_fatal(...) do { pg_log_error(__VA_ARGS__); give_up(); } while (0)
#define pg_fatal_hint(hint, ...) \
	do { pg_log_error(__VA_ARGS__); pg_log_error_hint("%s", hint); give_up(); } while (0)

extern bool failed;				/* has there been an error? */
extern volatile sig_atomic_t interrupted;	/* by a signal, after which the
											 * work ends */
extern const char *resume_hint; /* what to do if it ends early */

extern bool succeeds(void (*step) (int item), int item);
extern void give_up(void) __attribute__((noreturn));
extern const char *message_text(enum pg_log_level level, char *text);
extern bool is_utf8(const char *text);
extern bool is_control(const char *text);
extern char *printable(const char *text);

#endif							/* MESSAGE_H */
