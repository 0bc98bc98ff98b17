/*-------------------------------------------------------------------------
 *
 * model.h
 *	  The schema that is in the documents: columns, views of arrays, indexes,
 *	  foreign keys.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SCHEMA_H
#define SCHEMA_H

#include "fields.h"

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

/* model.c */
extern bool is_column(const Column *column);
extern const char *type_name(IdType type);
extern void plan_schema(Schema *schema);
extern void add_row(StringInfo rows, const Schema *schema, const char *relation, const char *kind,
					const char *name, const char *type, const char *path);

/* indexes.c */
extern void print_indexes(const Schema *schema, StringInfo names);
extern void print_foreign_keys(const Schema *schemas, const Schema *schema, bool counts);

#endif							/* SCHEMA_H */
