/*-------------------------------------------------------------------------
 *
 * dump.h
 *	  What a dump has: its collections, their metadata, and archives.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DUMP_H
#define DUMP_H

#include <bson/bson.h>

/* the operator $type of a filter, in metadata that was read */
#define TYPE_OPERATOR "%type"

/* metadata.c */
extern bson_t *parse_metadata(char *text, bson_error_t *error);
extern bson_t *read_metadata(const char *path);
extern bool has_option(const bson_t *metadata, const char *option);
extern char *collection_file_name(const char *collection);

/* archive.c */
extern void unpack_archive(const char *path, const char *directory);

/* dump.c */
extern void find_collections(void);
extern void sort_collections(void);

#endif							/* DUMP_H */
