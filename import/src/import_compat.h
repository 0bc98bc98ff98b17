/*-------------------------------------------------------------------------
 *
 * import_compat.h
 *	  The differences between the supported major versions of PostgreSQL's libraries.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IMPORT_COMPAT_H
#define IMPORT_COMPAT_H

#include "common/jsonapi.h"

/* make_lexer - a lexer without text; from 17 on, the caller can provide memory */
#if PG_VERSION_NUM < 170000
#define make_lexer(unescape) makeJsonLexContextCstringLen("", 0, PG_UTF8, unescape)
#else
#define make_lexer(unescape) makeJsonLexContextCstringLen(NULL, "", 0, PG_UTF8, unescape)
#endif

#endif							/* IMPORT_COMPAT_H */
