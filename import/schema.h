/*-------------------------------------------------------------------------
 *
 * schema.h
 *	  The schema that is in the documents: columns, views of arrays, indexes,
 *	  foreign keys.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SCHEMA_H
#define SCHEMA_H

#include "command.h"
#include "common/hashfn.h"

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
	struct Node **fields;		/* of objects, in the order in which they were
								 * seen */
	int			count;
	int			number;			/* among those of the parent, as seen */
	struct Node *element;		/* of arrays */
	int64		seen[KINDS];
	int64		longest;		/* string or binary value, in bytes */
	int64		widest;			/* row of the objects, in bytes, if each is
								 * one */
	bool		map;			/* the names of its fields are data */
	bool		full;			/* it has fields that are not in the list */
	char	   *first;			/* string of a DBRef's $ref */
	bool		varies;			/* and there are others */

	/*
	 * the smallest hashes of its values: the same sample, in whatever order
	 * the documents are
	 */
	struct Sampled *sample;
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
	FILE	   *hashes;			/* of keys, of all collections, to look up
								 * samples; NULL: there are none */
} Fields;

/* a hash table of the fields of objects, and of the names in tables and schemas */
typedef struct ScopedName
{
	const void *scope;			/* address of what has the name */
	const char *name;
	size_t		length;
} ScopedName;

typedef struct NameEntry
{
	ScopedName	key;
	Node	   *node;			/* of a field */
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

/* fields.c */
extern void read_fields(const InputFile *input, Progress *progress, Fields *fields);
extern int64 count_values(const Node *node);
extern bool is_map(const Node *node);
extern bool is_reference(const Node *node);
extern Node *find_field(const Node *node, const char *name);
extern void find_targets(Fields *fields, int count);

/*
 * The search_path of a script is pg_catalog, so other names need their schemas.  These are
 * variables of psql: the schemas of the type objectid and of the functions of ejson.sql.
 */
#define OBJECTID_SQL ":ids.objectid"
#define EJSON_SQL ":ejson."

#define emit(...) appendStringInfo(&script, __VA_ARGS__)
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
	int			parent;			/* number of the one that has the array; -1:
								 * none */
	int			level;			/* how many arrays */
	const Node *node;			/* of the objects in it */
	char	   *path;
	char	   *name;
	char	   *target;			/* qualified and quoted */
	char	   *array;			/* as an expression of an element of the
								 * parent */
	Column	   *columns;
	int			count;
} Relation;

typedef struct Schema
{
	const Collection *collection;
	Fields	   *fields;
	const char *name;			/* of the schema, quoted */
	char	   *owner_name;		/* of the column of views that has the key, */
	char	   *owner;			/* and quoted */
	IdType		key;
	bool		guess;			/* there is no document that has a key */
	Relation   *tables;			/* the first is the collection's own */
	int			count;
	const void *names;			/* the scope of names in the schema */
} Schema;

/* names.c */
extern StringInfoData script;	/* what is for review */
extern char *quote_name(const char *name);
extern char *quote_text(const char *text);
extern char *snake_case(const char *name);
extern bool add_name(const void *scope, const char *name);
extern char *unique_name(const char *name, const char *path, const void *scope);
extern char *dollar_quote(const char *text, const char *name);

/* columns.c */
extern bool is_column(const Column *column);
extern const char *type_name(IdType type);
extern void plan_schema(Schema *schema);
extern void add_row(StringInfo rows, const Schema *schema, const char *relation, const char *kind,
					const char *name, const char *type, const char *path);

/* indexes.c */
extern void print_indexes(const Schema *schema, StringInfo names);
extern void print_foreign_keys(const Schema *schemas, const Schema *schema, bool counts);

/* script.c */
extern void print_script(const Options *options, const Collection *collections, Fields *fields,
						 int count);

#endif							/* SCHEMA_H */
