/*-------------------------------------------------------------------------
 *
 * database.h
 *	  What a database has: its relations, by the paths of the fields that they show.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DATABASE_H
#define DATABASE_H

#include "message.h"
#include "server.h"

/* what the comments on indexes and constraints of ours end in */
#define BY_US ", by " PROGRAM

typedef struct DbColumn
{
	Oid			relation;
	int			number;
	char	   *name;
	char	   *quoted;
	char	   *type;			/* "objectid" is also the domain of plain SQL */
	char	   *path;			/* of its field, or NULL */
	char	   *comment;		/* or NULL */
	bool		generated;
	bool		not_null;
} DbColumn;

/* a table with documents, or that had them, or a view or table of their elements */
typedef struct DbRelation
{
	Oid			oid;
	Oid			root;			/* the collection's own table */
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
	Oid			relation;
	char	   *comment;		/* or NULL */
	char	   *definition;		/* CREATE INDEX ... */
	char	   *columns;		/* "1 2 0": numbers of its keys; 0 is an
								 * expression */
	char	   *predicate;		/* or NULL */
	bool		unique;
	bool		valid;
} DbIndex;

typedef struct DbForeignKey
{
	Oid			relation;
	char	   *columns;		/* "2": numbers */
} DbForeignKey;

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
	DbRelation *relations;		/* by schema, root, level and path */
	int			relation_count;
	DbIndex    *indexes;		/* of these relations */
	int			index_count;
	DbForeignKey *keys;
	int			key_count;
} Database;

/* database.c */
extern char *add_step(const char *path, const char *field);
extern Database *open_database(PGconn *conn);
extern void find_schema(const Database *database, Table *table);
extern char *add_to_array(const char *array, const char *element);
extern void read_relations(Database *database, const char *schemas);
extern DbRelation *relation_by_oid(const Database *database, Oid oid);
extern DbRelation *find_relation(const Database *database, const char *schema, const char *name);
extern DbRelation *find_elements(const Database *database, const DbRelation *root,
								 const char *path);
extern DbColumn *column_of_path(const DbRelation *relation, const char *path);
extern void check_trusted(const Database *database, const char *oids);

#endif							/* DATABASE_H */
