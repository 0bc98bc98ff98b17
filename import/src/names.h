/*-------------------------------------------------------------------------
 *
 * names.h
 *	  Names of tables and columns, and text of statements.
 *
 *-------------------------------------------------------------------------
 */
#ifndef NAMES_H
#define NAMES_H

#include "common/hashfn.h"
#include "lib/stringinfo.h"
#include "message.h"

/* a hash table of the fields of objects, and of names in scopes */
typedef struct ScopedName
{
	const void *scope;			/* address of what has the name */
	const char *name;
	size_t		length;
} ScopedName;

typedef struct NameEntry
{
	ScopedName	key;
	struct Node *node;			/* of a field */
	char		status;
} NameEntry;

#define SH_PREFIX name_table
#define SH_ELEMENT_TYPE NameEntry
#define SH_KEY_TYPE ScopedName
#define SH_KEY key
#define SH_HASH_KEY(table, key) \
	(hash_bytes((const unsigned char *) (key).name, (int) (key).length) ^ \
	 murmurhash32((uint32) (uintptr_t) (key).scope))
#define SH_EQUAL(table, a, b) \
	((a).scope == (b).scope && (a).length == (b).length && \
	 memcmp((a).name, (b).name, (a).length) == 0)
#define SH_SCOPE static inline
#define SH_RAW_ALLOCATOR pg_malloc0
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

/* what {name} stands for in a template */
typedef struct Placeholder
{
	const char *name;
	const char *text;
} Placeholder;

extern char *snake_case(const char *name);
extern bool add_name(const char *scope, const char *name);
extern char *unique_name(const char *name, const char *path, const char *scope);
extern char *shorten(const char *name, const char *suffix);
extern void parse_table_name(const char *text, char **schema, char **name);
extern char *quote_name(const char *name);
extern char *quote_text(const char *text);
extern char *render(const char *template, const Placeholder *values);

#endif							/* NAMES_H */
