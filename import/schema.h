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
	char	   *path;			/* of the field */
	char	   *name;
	char	   *quoted;			/* its name */
	char	   *type;			/* NULL: there is no column for it */
	char	   *expression;
	const char *why;			/* it is a comment; NULL: it is not */
} Column;

/* names in a hash table without deletion */
typedef struct Names
{
	char	  **slots;
	uint32		slot_count;
	uint32		count;
} Names;

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
	Names	   *names;			/* of tables, views and indexes in the schema */
} Schema;

/* names.c */
extern void emit(const char *format,...) pg_attribute_printf(1, 2);
extern char *take_script(void);
extern char *quote_name(const char *name);
extern char *quote_text(const char *text);
extern char *quote_json(const char *name);
extern char *show_step(const char *name);
extern char *snake_case(const char *name);
extern bool add_name(Names *names, const char *name);
extern char *unique_name(const char *name, const char *path, Names *used);
extern char *dollar_quote(const char *text, const char *name);

/* columns.c */
extern bool is_column(const Column *column);
extern const char *type_name(IdType type);
extern const char *list_kinds(const Node *node, bool counts);
extern IdType choose_key(const Fields *fields);
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
