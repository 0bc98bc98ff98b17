/*-------------------------------------------------------------------------
 *
 * post_data.h
 *	  What is made after a load: indexes and foreign keys.
 *
 *-------------------------------------------------------------------------
 */
#ifndef POST_DATA_H
#define POST_DATA_H

#include <bson/bson.h>

#include "database.h"

/* what a database lacks: the parts of the script, in their order */
typedef struct PostData
{
	Database   *database;
	const DbRelation **relations;	/* tables, and those of their elements */
	int			relation_count;
	DbIndex    *indexes;		/* that are there, or are printed */
	int			count;
	StringInfoData notes;
	StringInfoData unique;
	StringInfoData keys;
	StringInfoData others;
	int			index_count;	/* of statements */
	int			key_count;
} PostData;

/* these are counted for the terminal */
#define NOT_TRANSLATED "-- Not translated: "
#define CANNOT_BE_MADE "-- Cannot be made: "

/* post_data.c */
extern PGresult *query_alone(const PostData *data, const char *sql);
extern bool has_row(const PostData *data, const DbRelation *relation, const char *condition);
extern char *new_name(const PostData *data, const DbRelation *relation, const char *name,
					  const char *path);

/* filter.c */
extern char *document_path(const char *path);
extern char *field_path(const char *path);
extern char *find_array(const PostData *data, const DbRelation *table, const char *path);
extern const char *ejson_functions(const PostData *data, const DbRelation *table);
extern const char *translate_filter(const PostData *data, const DbRelation *table,
									const bson_iter_t *document, const char **why);

/* indexes.c */
extern bool is_indexed(const PostData *data, const DbColumn *column, bool key);
extern void add_index(PostData *data, StringInfo out, const char *begin, DbIndex index,
					  const char *name);
extern void add_indexes(PostData *data, const DbRelation *table, const char *metadata_path);
extern void add_element_ids(PostData *data);

/* references.c */
extern void add_references(PostData *data);

#endif							/* POST_DATA_H */
