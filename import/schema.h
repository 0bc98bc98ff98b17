/*-------------------------------------------------------------------------
 *
 * schema.h
 *	  The schema that is in the documents: columns, child tables, indexes,
 *	  foreign keys.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SCHEMA_H
#define SCHEMA_H

#include "command.h"
#include "fields.h"

/*
 * The search_path of a script is pg_catalog, so other names need their schemas.  These are
 * variables of psql: the schemas of the type objectid and of the functions of ejson.sql.
 */
#define OBJECTID_SQL ":ids.objectid"
#define EJSON_SQL ":ejson."

typedef struct Column
{
	const Node *node;
	char	   *path;			/* of the field, for comments */
	char	   *steps;			/* from the document to it, a list of literals
								 * of SQL */
	char	   *value;			/* it, as jsonb */
	char	   *name;
	char	   *quoted;			/* its name */
	char	   *type;			/* NULL: there is no column for it */
	char	   *expression;
	const char *why;			/* it is a comment; NULL: it is not */
	bool		whole;			/* it has all that is in the field, if it is
								 * not NULL */
} Column;

/* the table of a collection, or of an array in it, or of an array in that */
typedef struct ChildTable
{
	int			parent;			/* number of the table that has the array; -1:
								 * none */
	int			level;			/* how many arrays */
	const Node *node;			/* of the objects in it */
	char	   *path;
	char	   *steps;			/* of the array, as in a column */
	char	   *name;
	char	   *target;			/* qualified and quoted */
	char	   *array;			/* as an expression of an element of the
								 * parent */
	Column	   *columns;
	int			count;
} ChildTable;

typedef struct Schema
{
	const Collection *collection;
	Fields	   *fields;
	const char *name;			/* of the schema, quoted */
	char	   *owner_name;		/* of the column of child tables that has the
								 * key, */
	char	   *owner;			/* and quoted */
	const char *key;			/* its type, */
	const char *equals;			/* and that type's operator */
	ChildTable *tables;			/* the first is the collection's own */
	int			count;
	SimpleStringList *names;	/* of tables and indexes in the schema */
} Schema;

/* names.c */
extern char *quote_name(const char *name);
extern char *quote_text(const char *text);
extern char *show_step(const char *name);
extern char *snake_case(const char *name);
extern char *unique_name(const char *name, const char *path, SimpleStringList *used);
extern void print_body(const char *body);
extern bool parse_table_name(const char *text, char **schema, char **name);

/* columns.c */
extern char *qualify(const Schema *schema, const char *name);
extern bool is_column(const Column *column);
extern const char *list_kinds(const Node *node, bool counts);
extern void plan_schema(Schema *schema, IdType type);

/* indexes.c */
extern void print_drop_foreign_keys(const Schema *schema);
extern void print_indexes(const Schema *schema);
extern void print_foreign_keys(const Schema *schemas, const Schema *schema, bool counts);

/* script.c */
extern void print_script(const Options *options, const Collection *collections, Fields *fields,
						 int count);

#endif							/* SCHEMA_H */
