/*-------------------------------------------------------------------------
 *
 * schema.h
 *	  The three scripts, before a load, after it, and when the application writes tables; what a
 *	  database has, by the paths of fields; and the fields of documents.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SCHEMA_H
#define SCHEMA_H

#include "command.h"
#include "names.h"

/* what the comments on indexes and constraints of ours end in */
#define BY_US ", by " PROGRAM

typedef struct DbColumn
{
	const struct DbRelation *relation;
	int			number;
	char	   *name;
	char	   *quoted;
	char	   *type;			/* "objectid" is also the domain of plain SQL */
	char	   *comment;		/* or NULL */
	char	   *path;			/* of its field, or NULL */
	bool		generated;
	bool		not_null;
	bool		refers;			/* a foreign key begins with it */
} DbColumn;

/* a table with documents, or that had them, or a view or table of their elements */
typedef struct DbRelation
{
	const struct DbRelation *root;	/* the collection's own table */
	char	   *oid;
	char		kind;			/* of pg_class: 'r', 'p', 'v' */
	char	   *schema;
	char	   *name;
	char	   *target;			/* qualified and quoted */
	char	   *path;			/* of an array, such as "cast[]"; "" for the
								 * root */
	int			level;			/* how many arrays */
	char	   *owner;			/* quoted */
	char	   *options;		/* security_invoker=true, ..., or NULL */
	int			attributes;		/* columns, also those that were dropped */
	bool		documents;		/* it has the column doc */
	DbColumn   *columns;		/* by number */
	int			count;
} DbRelation;

typedef struct DbIndex
{
	const DbRelation *relation;
	char	   *comment;		/* or NULL */
	char	   *definition;		/* CREATE INDEX ... */
	char	   *columns;		/* "1 2 0": numbers of its keys; 0 is an
								 * expression */
	char	   *predicate;		/* or NULL */
	bool		unique;
	bool		valid;
} DbIndex;

typedef struct Database
{
	PGconn	   *conn;			/* NULL: --offline */
	char	   *name;
	char	   *session_user;
	char	   *current_user;
	char	   *trusted;		/* OIDs of roles, an array as text */
	char	   *path;			/* schemas of the search path, as text */
	char	   *current_schema; /* the first that is there, or NULL */
	char	   *ids;			/* schema of objectid and a dot, empty for the
								 * extension, or NULL */
	DbRelation *relations;		/* by the names of their tables, and level */
	int			relation_count;
	const char *oids;			/* of these, an array as text, or NULL */
	DbIndex    *indexes;		/* that are there, or are printed */
	int			index_count;
} Database;

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
	const Table *table;
	char	   *quoted;			/* its schema, */
	bool		there;			/* which exists */
	IdType		key;
	bool		guess;			/* there is no document that has a key */
	bool		left_out;		/* the application writes the table; at first:
								 * it is there */
	const Database *database;
	const Fields *fields;
	Relation  **relations;		/* the first is the collection's own table */
	int			count;
} Schema;

/* what a database lacks: the parts of the script, in their order */
typedef struct PostData
{
	Database   *database;
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

/* database.c */
extern char *add_step(const char *path, const char *field);
extern Database *open_database(PGconn *conn);
extern void find_schema(const Database *database, Table *table);
extern const char *add_to_array(const char *array, const char *element);
extern void read_relations(Database *database, const char *schemas, const char *names,
						   bool with_documents);
extern DbRelation *find_relation(const Database *database, const char *schema, const char *name);
extern DbRelation *find_elements(const Database *database, const DbRelation *root,
								 const char *path);
extern DbColumn *column_of_path(const DbRelation *relation, const char *path);
extern PGresult *query_alone(const Database *database, const char *sql);
extern int64 number_alone(const Database *database, const char *sql);
extern bool has_row(const Database *database, const DbRelation *relation, const char *condition);

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

/* filter.c */
extern char *document_path(const char *path);
extern char *field_path(const char *path);
extern char *find_array(const Database *database, const DbRelation *table, const char *path);
extern const char *ejson_functions(const Database *database, const DbRelation *table);
extern const char *translate_filter(const Database *database, const DbRelation *table,
									const bson_iter_t *document, const char **why);

/* indexes.c */
extern bool is_indexed(const Database *database, const DbColumn *column, bool key);
extern void add_index(PostData *data, StringInfo out, const char *begin, DbIndex index,
					  const char *name);
extern void add_indexes(PostData *data, const DbRelation *table, const char *metadata_path);
extern void add_element_ids(PostData *data);

/* references.c */
extern void add_references(PostData *data);

/* script.c */
extern StringInfoData script;	/* what is printed */
#define emit(...) appendStringInfo(&script, __VA_ARGS__)
extern void require_new_file(void);
extern void begin_script(const Database *database, const char *purpose);
extern void emit_rows(PGconn *conn, int count, const char *const *values, const char *sql);
extern bool script_is_empty(void);
extern char *count_of(int64 count, const char *noun);
extern char *list_lines(const char *what, const char *noun, const char *kind, const char *mark);
extern void end_script(const char *done);

/* pre_data.c, post_data.c, to_tables.c: for the command */
extern void print_pre_data(Database *database, const Fields *fields);
extern void print_post_data(Database *database);
extern void print_to_tables(Database *database);

#endif							/* SCHEMA_H */
