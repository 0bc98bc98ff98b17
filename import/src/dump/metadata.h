/*-------------------------------------------------------------------------
 *
 * metadata.h
 *	  What mongodump writes beside a collection.
 *
 *-------------------------------------------------------------------------
 */
#ifndef METADATA_H
#define METADATA_H

#include <bson/bson.h>

/* the operator $type of a filter, in metadata that was read */
#define TYPE_OPERATOR "%type"

extern bson_t *parse_metadata(char *text, bson_error_t *error);
extern bson_t *read_metadata(const char *path);
extern bool has_option(const bson_t *metadata, const char *option);
extern char *collection_file_name(const char *collection);

#endif							/* METADATA_H */
