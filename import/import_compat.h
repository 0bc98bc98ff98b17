/*-------------------------------------------------------------------------
 *
 * import_compat.h
 *	  All differences between the supported major versions of PostgreSQL's
 *	  libraries.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IMPORT_COMPAT_H
#define IMPORT_COMPAT_H

#include "common/jsonapi.h"
#include "common/logging.h"

/*
 * log_line - print a message; before 15, it has no parts
 */
#if PG_VERSION_NUM < 150000
enum pg_log_part
{
	PG_LOG_PRIMARY, PG_LOG_DETAIL, PG_LOG_HINT
};
#define log_line(level, part, line) \
	((part) == PG_LOG_PRIMARY ? pg_log_generic(level, "%s", line) : \
	 (void) fprintf(stderr, PROGRAM ": %s: %s\n", \
					(part) == PG_LOG_DETAIL ? "detail" : "hint", line))
#else
#define log_line(level, part, line) pg_log_generic(level, part, "%s", line)
#endif

/*
 * make_lexer - a lexer without text; from 17 on, the caller can provide memory
 */
#if PG_VERSION_NUM < 170000
#define make_lexer(unescape) makeJsonLexContextCstringLen("", 0, PG_UTF8, unescape)
#else
#define make_lexer(unescape) makeJsonLexContextCstringLen(NULL, "", 0, PG_UTF8, unescape)
#endif

#endif							/* IMPORT_COMPAT_H */
