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

/* the filter of a partial index, on a table */
typedef struct Filter
{
	const Database *database;
	const DbRelation *table;
	bool		on_columns;		/* where there are */
	StringInfo	arrays;			/* a condition: a field of it is in an array */
} Filter;

/* an index that is there or is printed */
typedef struct KnownIndex
{
	const DbRelation *relation;
	const char *comment;		/* or NULL */
	const char *column;			/* the first; NULL: an expression, or only of
								 * some rows */
	bool		key;			/* other columns can refer to it */
} KnownIndex;

/* what a database lacks: the parts of the script, in their order */
typedef struct PostData
{
	Database   *database;
	const DbRelation **relations;	/* tables, and those of their elements */
	int			relation_count;
	KnownIndex *indexes;
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
extern const DbRelation *name_scope(const PostData *data, const DbRelation *relation);

/* filter.c */
extern char *document_path(const char *path);
extern char *field_path(const char *path);
extern char *convert_field(const Database *database, const DbRelation *table,
						   const char *function, const char *field);
extern char *translate_filter(const Filter *filter, const bson_iter_t *document);

/* indexes.c */
extern void add_index(PostData *data, StringInfo out, const char *begin, const KnownIndex *index,
					  bool unique, const char *name, const char *definition);
extern void add_indexes(PostData *data, const DbRelation *table, const char *metadata_path);

/* references.c */
extern void add_references(PostData *data);

#endif							/* POST_DATA_H */
