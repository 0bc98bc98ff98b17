/*-------------------------------------------------------------------------
 *
 * model.h
 *	  The fields of all documents of a file, and the schema that is in them:
 *	  columns, views of arrays, indexes, foreign keys.
 *
 *-------------------------------------------------------------------------
 */
#ifndef MODEL_H
#define MODEL_H

#include "scan.h"

/* how many values of a field are looked up among the keys of all collections */
#define SAMPLED_VALUES 500

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
	int64		longest;		/* string or binary value, in bytes */
	int64		widest;			/* row of the objects, in bytes */
	bool		map;			/* the names of its fields are data */
	bool		full;			/* it has fields that are not in the list */
	char	   *first;			/* string of a DBRef's $ref */
	bool		varies;			/* and there are others */
	struct Sampled *sample;		/* the smallest hashes of its values */
	int			sampled;
	int			hits;			/* of them, in the collection that is read */
	int			target;			/* collection that has most of them, or -1, */
	int			found;			/* and how many */
} Node;

/* a value of a field */
typedef struct Sampled
{
	uint64		hash;
	Node	   *node;
} Sampled;

typedef struct Fields
{
	Node	   *root;
	int64		documents;
	int			nodes;			/* fields in all objects */
	int64		keys[ID_TYPES]; /* documents by the type of their keys */
	int64		hash_count;
	FILE	   *hashes;			/* of the keys of all collections, or NULL */
} Fields;

/*
 * The search_path of a script is pg_catalog, so other names need their schemas.  These are
 * variables of psql: the schemas of the type objectid and of the functions of ejson.sql.
 */
#define OBJECTID_SQL ":ids.objectid"
#define EJSON_SQL ":ejson."

#define quote_json(text) psprintf("\"%s\"", bson_utf8_escape_for_json(text, -1))

typedef struct Column
{
	const Node *node;
	char	   *path;			/* of the field */
	char	   *name;
	char	   *quoted;			/* its name */
	char	   *type;			/* NULL: there is no column for it */
	char	   *expression;
	int			width;			/* in a row, at most */
	const char *why;			/* it is a comment; NULL: it is not */
} Column;

/* the table of a collection, or the view of an array in it, or of an array in that */
typedef struct Relation
{
	int			parent;			/* number of the one that has the array */
	int			level;			/* how many arrays */
	const Node *node;			/* of the objects in it */
	char	   *path;
	char	   *name;
	char	   *target;			/* qualified and quoted */
	char	   *array;			/* in an element of the parent */
	Column	   *columns;
	int			count;
} Relation;

typedef struct Schema
{
	const char *schema;			/* and the scope of the names in it */
	const char *table;
	const char *metadata;		/* path of metadata.json, or NULL */
	Fields	   *fields;
	char	   *owner_name;		/* of the column of views that has the key, */
	char	   *owner;			/* and quoted */
	IdType		key;
	bool		guess;			/* there is no document that has a key */
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
extern void find_targets(Fields *fields, int count);

/* model.c */
extern bool is_column(const Column *column);
extern const char *type_name(IdType type);
extern void plan_schema(Schema *schema);
extern void add_row(StringInfo rows, const Schema *schema, const char *relation, const char *kind,
					const char *name, const char *type, const char *path);

/* indexes.c */
extern void emit_indexes(const Schema *schema, StringInfo names);
extern void emit_foreign_keys(const Schema *schemas, const Schema *schema, bool counts);

#endif							/* MODEL_H */
