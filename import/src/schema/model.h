/*-------------------------------------------------------------------------
 *
 * model.h
 *	  The fields of all documents of a file, and the columns and views of
 *	  arrays that show them.
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

/* a field, or the elements of an array */
typedef struct Node
{
	char	   *name;			/* NULL: elements */
	int			name_length;
	struct Node *parent;
	struct Node **fields;		/* of objects, as seen */
	int			count;
	int			number;			/* among those of the parent, as seen */
	struct Node *element;		/* of arrays */
	int64		seen[KINDS];
	int64		ids;			/* strings that are ids, */
	int64		times;			/* or times with a zone */
	int64		widest;			/* row of the objects, in bytes */
	bool		map;			/* the names of its fields are data */
	bool		full;			/* it has fields that are not in the list */
	char	   *first;			/* string of a DBRef's $ref */
	bool		varies;			/* and there are others */
} Node;

typedef struct Fields
{
	Node	   *root;
	int64		documents;
	int			nodes;			/* fields in all objects */
	int64		keys[ID_TYPES]; /* documents by the type of their keys */
} Fields;

/* what a person can choose from */
typedef enum Choice
{
	NO_CHOICE, SEVERAL_TYPES, TEXTS
} Choice;

typedef struct Column
{
	const Node *node;
	char	   *path;			/* of the field */
	const char *wanted;			/* a name; NULL: there is no column for it */
	const char *name;			/* that it has, */
	char	   *quoted;			/* and quoted */
	const char *type;
	bool		objectid;		/* that is its type */
	const char *expression;
	int			width;			/* in a row, at most */
	Choice		choice;
	const char *why;			/* it is a comment; NULL: it is not */
	const DbColumn *there;		/* what the database has for the field, or
								 * NULL */
} Column;

/* the table of a collection, or the view of an array in it, or of an array in that */
typedef struct Relation
{
	int			parent;			/* number of the one that has the array */
	int			level;			/* how many arrays */
	const Node *node;			/* of the objects in it */
	char	   *path;
	const char *field;			/* the array, in the name of a view */
	const char *name;
	char	   *target;			/* qualified and quoted */
	char	   *elements;		/* an array of jsonb, in an element of the
								 * parent */
	Column	   *columns;		/* in the order of the documents */
	int			count;
	const DbRelation *there;	/* what the database has for it, or NULL */
} Relation;

/* the schema of a collection */
typedef struct Schema
{
	const char *schema;			/* and the scope of the names in it */
	const char *name;
	char	   *quoted;			/* its schema */
	const char *side_name;
	const Database *database;
	Fields	   *fields;
	const char *owner_name;		/* of the column of views that has the key, */
	char	   *owner;			/* and quoted */
	IdType		key;
	bool		guess;			/* there is no document that has a key */
	bool		left_out;		/* the application writes the table */
	Relation   *tables;			/* the first is the collection's own */
	int			count;
} Schema;

/* fields.c */
extern IdType choose_key(const Fields *fields);
extern void read_fields(const InputFile *input, Fields *fields, Progress *progress);
extern int64 count_values(const Node *node);
extern bool is_map(const Node *node);
extern bool is_reference(const Node *node);
extern Node *find_field(const Node *node, const char *name);
extern void merge_nodes(Node *node, const Node *other);

/* model.c */
extern char *type_of_key(const Schema *schema);
extern void plan_schema(Schema *schema);
extern Column **sort_columns(const Relation *table);
extern void limit_columns(Relation *table);

/* choose_names.c */
extern void choose_names(Database *database, Schema *schemas, int count);

#endif							/* MODEL_H */
