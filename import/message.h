/*-------------------------------------------------------------------------
 *
 * message.h
 *	  Messages: core's, but names and values in them do not reach a terminal as
 *	  they are.
 *
 *-------------------------------------------------------------------------
 */
#ifndef MESSAGE_H
#define MESSAGE_H

#include "import_compat.h"

#define PROGRAM "objectid-import"

#undef pg_fatal
#undef pg_log_error
#undef pg_log_error_detail
#undef pg_log_error_hint
#undef pg_log_warning
#undef pg_log_info
#undef pg_log_debug
#define pg_fatal(...) \
	do { print_message(PG_LOG_ERROR, PG_LOG_PRIMARY, __VA_ARGS__); exit(1); } while (0)
#define pg_log_error(...) print_message(PG_LOG_ERROR, PG_LOG_PRIMARY, __VA_ARGS__)
#define pg_log_error_detail(...) print_message(PG_LOG_ERROR, PG_LOG_DETAIL, __VA_ARGS__)
#define pg_log_error_hint(...) print_message(PG_LOG_ERROR, PG_LOG_HINT, __VA_ARGS__)
#define pg_log_warning(...) print_message(PG_LOG_WARNING, PG_LOG_PRIMARY, __VA_ARGS__)
#define pg_log_info(...) print_message(PG_LOG_INFO, PG_LOG_PRIMARY, __VA_ARGS__)
#define pg_log_debug(...) print_message(PG_LOG_DEBUG, PG_LOG_PRIMARY, __VA_ARGS__)

extern void print_message(enum pg_log_level level, enum pg_log_part part, const char *format,...)
			pg_attribute_printf(3, 4);
extern bool is_utf8(const char *text);
extern char *printable(const char *text);

#endif							/* MESSAGE_H */
