/*-------------------------------------------------------------------------
 *
 * keys.h
 *	  The types of keys: what the values of "_id" become.
 *
 *-------------------------------------------------------------------------
 */
#ifndef KEYS_H
#define KEYS_H

#include "bson_read.h"

/* the types of keys */
typedef enum IdType
{
	ID_UNKNOWN = -1,
	ID_OBJECTID, ID_TEXT, ID_BIGINT, ID_UUID, ID_JSONB,
	ID_DOMAIN,					/* the objectid of plain/objectid.sql */
	ID_TYPES
} IdType;

extern const char *const id_type_names[];
extern IdType find_id_type(const char *name);
extern IdType most_frequent(const int *seen);
extern IdType key_type(const Element *id);

#endif							/* KEYS_H */
