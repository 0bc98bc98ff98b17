/*-------------------------------------------------------------------------
 *
 * row.h
 *	  From documents to rows of COPY.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWS_H
#define ROWS_H

#include "json_write.h"

/* the types of keys */
typedef enum IdType
{
	ID_UNKNOWN = -1,
	ID_OBJECTID, ID_TEXT, ID_BIGINT, ID_UUID, ID_JSONB,
	ID_DOMAIN,					/* the objectid of plain/objectid.sql */
	ID_TYPES
} IdType;

#define NO_NUMBER (-1)

/* rows.c */
extern const char *const id_type_names[];
extern IdType find_id_type(const char *name);
extern IdType most_frequent(const int *seen);
extern void append_int(StringInfo out, int size, int64 value);
extern void append_field(StringInfo out, const void *data, size_t length);
extern IdType key_type(const Element *id);
extern uint64 hash_key(Writer *writer);
extern Verdict write_row(const Document *document, IdType type, int number, Writer *writer);

#endif							/* ROWS_H */
