/*-------------------------------------------------------------------------
 *
 * model.h
 *	  The fields of all documents of a file, and the columns and views of
 *	  arrays that a database lacks for them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef MODEL_H
#define MODEL_H

#include "database.h"

/* what a value is; for each but the first three there is a type of SQL */
typedef enum Kind
{
	A_NULL, AN_OBJECT, AN_ARRAY,
	AN_OBJECTID, A_DATE, AN_INTEGER, A_DOUBLE, A_DECIMAL, A_BOOLEAN, A_STRING, A_UUID, A_BINARY,
	ANOTHER, KINDS
} Kind;

typedef struct KindInfo
{
	const char *name;			/* of a value */
	const char *type;			/* of a column */
	const char *function;		/* of ejson.sql, which also has one for arrays */
	int			width;			/* in a row at most, with the bytes that align
								 * it and the next */
} KindInfo;

/* a field, or the elements of an array */
typedef struct Node
{
	char	   *name;			/* NULL: elements */
	struct Node *parent;
	struct Node *object;		/* itself, or, of elements, what is outside of
								 * the arrays; has the fields of objects: */
	struct Node **fields;		/* as seen */
	int			count;
	int64		objects;		/* that have them */
	struct Node *element;		/* of arrays */
	int64		seen[KINDS];
	int64		texts[KINDS];	/* that could be values of another kind */
	size_t		longest;		/* value, as BSON */
	bool		map;			/* the names of its fields are data */
	bool		full;			/* it has fields that are not in the list */
} Node;

typedef struct Fields
{
	Node	   *root;
	int			nodes;			/* fields in all objects */
	int64		keys[ID_TYPES]; /* documents by the type of their keys */
} Fields;

/* what is said of choices, by which they are counted */
#define KEEPS_ALL "keeps all"
#define TEXTS_ARE " texts are "

/* a column that is not there yet */
typedef struct Column
{
	const Node *node;
	char	   *path;			/* of the field */
	char	   *name;			/* that it should have, */
	char	   *quoted;			/* and the one that it gets */
	const char *type;
	char	   *expression;
	int			width;
	char	   *why;			/* it is a comment; NULL: it is not */
} Column;

/* the table of a collection, or the view of an array in it, or of an array in that */
typedef struct Relation
{
	struct Relation *parent;	/* the one that has the array */
	int			level;			/* how many arrays */
	const Node *node;			/* of the objects in it */
	char	   *path;
	const char *name;			/* of a new view: its array's, at first */
	char	   *target;			/* qualified and quoted */
	char	   *from;			/* what it is read from, in SQL */
	const DbRelation *there;	/* what the database has for it, or NULL */
	int			width;			/* of columns that are there */
	StringInfoData notes;		/* comments */
	Column	   *columns;		/* in the order of the documents */
	int			count;
	int			added;			/* of these that are no comments */
} Relation;

/* the schema of a collection */
typedef struct Schema
{
	const Table *table;			/* whose schema is the scope of the names in
								 * it */
	char	   *quoted;			/* its schema, */
	bool		there;			/* which exists */
	IdType		key;
	bool		guess;			/* there is no document that has a key */
	bool		left_out;		/* the application writes the table */
	const Database *database;
	const Fields *fields;
	Relation  **relations;		/* the first is the collection's own table */
	int			count;
} Schema;

/* fields.c */
extern const KindInfo kind_info[KINDS];
extern IdType choose_key(const Fields *fields);
extern void read_fields(const InputFile *input, Fields *fields, Progress *progress);
extern int64 count_values(const Node *node);
extern bool is_map(const Node *node);

/* model.c */
extern const char *type_in_sql(const Schema *schema, const char *type);
extern void plan_schema(Schema *schema);
extern char *owner_name(const Schema *schema);
extern void choose_names(const Schema *schemas, int count);

#endif							/* MODEL_H */
