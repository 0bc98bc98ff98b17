/*-------------------------------------------------------------------------
 *
 * database.c
 *	  Reads from the catalogue what a database has, in one snapshot, by the paths of the fields
 *	  that are shown, such as a."b c".d[].
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <bson/bson.h>

#include "database.h"
#include "fe_utils/string_utils.h"
#include "render.h"

#include "distrusted.inc"
#include "find_schema.inc"
#include "open_database.inc"
#include "read_columns.inc"
#include "read_indexes.inc"
#include "read_relations.inc"

/* a step of a path that needs no quotes has only these characters */
#define SIMPLE "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$-"

/* definitions are read in one snapshot, and printed in the same way whatever the settings are */
static const char settings[] =
"SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; SET LOCAL standard_conforming_strings = on; "
"SET LOCAL row_security = off; SET LOCAL jit = off; SET LOCAL datestyle = iso; "
"SET LOCAL intervalstyle = postgres; SET LOCAL extra_float_digits = 3; ";

/* add_step - the path of a field of the object at a path */
char *
add_step(const char *path, const char *field)
{
	bool		simple = *field && field[strspn(field, SIMPLE)] == '\0';
	char	   *escaped = simple ? NULL : bson_utf8_escape_for_json(field, -1);
	char	   *step = simple ? pg_strdup(field) : psprintf("\"%s\"", escaped);

	bson_free(escaped);
	return *path ? psprintf("%s.%s", path, step) : step;
}

/* the text of a literal of SQL between quotes, which *at is moved behind */
static char *
read_literal(const char **at)
{
	bool		escapes = **at == 'E';
	StringInfoData text;

	initStringInfo(&text);
	for (*at += escapes ? 2 : 1; **at && (**at != '\'' || *++*at == '\''); ++*at)
	{
		if (escapes && **at == '\\')
			++* at;
		appendStringInfoChar(&text, **at);
	}
	return text.data;
}

static bool
is_word(char c)
{
	return isalnum((unsigned char) c) || c == '_' || c == '$' || (c & 0x80);
}

/* the path of the only field of "doc" that an expression reads, as the server prints it, or NULL */
static char *
path_of_expression(const char *expression)
{
	char	   *path = "";
	int			documents = 0;

	for (const char *at = expression; *at;)
	{
		bool		arrow = strncmp(at, "-> ", 3) == 0 || strncmp(at, "->> ", 4) == 0;

		if (arrow)
			at += strcspn(at, " ") + 1;
		if (*at == '\'' || strncmp(at, "E'", 2) == 0)
		{
			char	   *text = read_literal(&at);

			if (arrow)
				path = add_step(path, text);
		}
		else if (arrow)
			return NULL;
		else if (*at == '"')
			at += strcspn(at + 1, "\"") + 2;
		else
		{
			/* a schema may be called so, too */
			documents += strncmp(at, "doc", 3) == 0 && !is_word(at[3]) && at[3] != '.' &&
				(at == expression || !is_word(at[-1]));
			at++;
		}
	}
	return documents == 1 && *path ? path : NULL;
}

/* a copy of a value, or NULL */
static char *
value(const PGresult *result, int row, int column)
{
	return PQgetisnull(result, row, column) ? NULL : pg_strdup(PQgetvalue(result, row, column));
}

static bool
is_true(const PGresult *result, int row, int column)
{
	return *PQgetvalue(result, row, column) == 't';
}

static Oid
oid(const PGresult *result, int row, int column)
{
	return (Oid) strtoul(PQgetvalue(result, row, column), NULL, 10);
}

/* add_to_array - the text of an array with one more element; the first is added to NULL or {} */
char *
add_to_array(const char *array, const char *element)
{
	PQExpBufferData out;

	initPQExpBuffer(&out);
	appendPQExpBufferStr(&out, array ? array : "{}");
	out.data[--out.len] = '\0';
	appendPGArray(&out, element);
	appendPQExpBufferChar(&out, '}');
	return out.data;
}

/* open_database - begin to read a database, in a transaction that stays open */
Database *
open_database(PGconn *conn)
{
	Database   *database = pg_malloc0(sizeof(Database));
	PGresult   *path;
	PGresult   *result;
	char	   *schemas;

	begin(conn, settings);
	path = query(conn, 0, NULL,
				 "SELECT pg_catalog.current_schemas(true), pg_catalog.current_schema()");
	schemas = value(path, 0, 0);
	execute(conn, FIND_ONLY_CATALOG);
	result = query(conn, 1, (const char *const *) &schemas, open_database_sql);
	*database = (Database)
	{
		.conn = conn,.name = value(result, 0, 0),.session_user = value(result, 0, 1),
			.current_user = value(result, 0, 2),.trusted = value(result, 0, 3),
			.current_schema = value(path, 0, 1),.path = schemas,.ids = value(result, 0, 4)
	};
	PQclear(result);
	PQclear(path);
	return database;
}

/*
 * find_schema - the schema of a single file whose table has none: where the search path finds it,
 * or its first one
 */
void
find_schema(const Database *database, Table *table)
{
	const char *const values[] = {database->path, table->name, database->current_schema};

	if (table->schema == NULL && database->conn)
	{
		PGresult   *result = query(database->conn, lengthof(values), values, find_schema_sql);

		table->schema = value(result, 0, 0);
		PQclear(result);
		if (table->schema == NULL)
			pg_fatal_hint("Choose one with --schema.", "there is no schema to create tables in");
	}
	if (table->schema == NULL)
		table->schema = pg_strdup("public");
}

/* read the indexes and foreign keys of relations */
static void
read_indexes(Database *database, const char *oids)
{
	PGresult   *result = query(database->conn, 1, &oids, read_indexes_sql);

	for (int i = 0; i < PQntuples(result); i++)
		*add_place(database->indexes, database->index_count) = (DbIndex)
	{
		.relation = oid(result, i, 0),.comment = value(result, i, 1),
			.definition = value(result, i, 2),.columns = value(result, i, 3),
			.predicate = value(result, i, 4),.unique = is_true(result, i, 5),
			.valid = is_true(result, i, 6)
	};
	PQclear(result);
	result = query(database->conn, 1, &oids, "SELECT conrelid, array_to_string(conkey, ' ') "
				   "FROM pg_constraint WHERE contype = 'f' AND conrelid = ANY ($1::oid[])");
	for (int i = 0; i < PQntuples(result); i++)
		*add_place(database->keys, database->key_count) = (DbForeignKey)
	{
		oid(result, i, 0), value(result, i, 1)
	};
	PQclear(result);
}

/* read_relations - read the relations of documents in schemas, their columns, indexes and keys */
void
read_relations(Database *database, const char *schemas)
{
	PGresult   *result = query(database->conn, 1, &schemas, read_relations_sql);
	StringInfoData list;
	const char *oids;

	initStringInfo(&list);
	for (int i = 0; i < PQntuples(result); i++)
	{
		*add_place(database->relations, database->relation_count) = (DbRelation)
		{
			.oid = oid(result, i, 0),.root = oid(result, i, 1),.kind = *PQgetvalue(result, i, 2),
				.schema = value(result, i, 3),.name = value(result, i, 4),
				.target = psprintf("%s.%s", quote_name(PQgetvalue(result, i, 3)),
								   quote_name(PQgetvalue(result, i, 4))),
				.path = value(result, i, 5),.level = atoi(PQgetvalue(result, i, 6)),
				.owner = value(result, i, 7),.options = value(result, i, 8),
				.attributes = atoi(PQgetvalue(result, i, 9)),.documents = is_true(result, i, 10)
		};
		appendStringInfo(&list, "%c%s", i > 0 ? ',' : '{', PQgetvalue(result, i, 0));
	}
	appendStringInfoString(&list, list.len > 0 ? "}" : "{}");
	oids = list.data;
	PQclear(result);
	result = query(database->conn, 1, &oids, read_columns_sql);
	for (int i = 0; i < PQntuples(result); i++)
	{
		DbRelation *relation = relation_by_oid(database, oid(result, i, 0));
		bool		generated = !PQgetisnull(result, i, 4);

		*add_place(relation->columns, relation->count) = (DbColumn)
		{
			.relation = relation->oid,.number = atoi(PQgetvalue(result, i, 1)),
				.name = value(result, i, 2),.quoted = quote_name(PQgetvalue(result, i, 2)),
				.type = value(result, i, 3),.comment = value(result, i, 5),
				.path = generated ? path_of_expression(PQgetvalue(result, i, 4)) :
				value(result, i, 5),.generated = generated,.not_null = is_true(result, i, 6)
		};
	}
	PQclear(result);
	read_indexes(database, oids);
}

static int
compare_oids(const void *a, const void *b)
{
	const Oid	left = *(const Oid *) a;
	const Oid	right = ((const DbRelation *) b)->oid;

	return left < right ? -1 : left > right;
}

/* relation_by_oid - one that was read, or NULL; they are sorted by their OIDs */
DbRelation *
relation_by_oid(const Database *database, Oid wanted)
{
	return database->relation_count == 0 ? NULL :
		bsearch(&wanted, database->relations, database->relation_count, sizeof(DbRelation),
				compare_oids);
}

/* find_relation - one that was read, or NULL */
DbRelation *
find_relation(const Database *database, const char *schema, const char *name)
{
	for (int i = 0; i < database->relation_count; i++)
		if (strcmp(database->relations[i].name, name) == 0 &&
			strcmp(database->relations[i].schema, schema) == 0)
			return &database->relations[i];
	return NULL;
}

/* find_elements - the view or table of the array of a path in documents, or NULL */
DbRelation *
find_elements(const Database *database, const DbRelation *root, const char *path)
{
	for (int i = 0; i < database->relation_count; i++)
		if (root && database->relations[i].root == root->oid &&
			strcmp(database->relations[i].path, path) == 0)
			return &database->relations[i];
	return NULL;
}

/* column_of_path - the column that shows a field, or NULL */
DbColumn *
column_of_path(const DbRelation *relation, const char *path)
{
	for (int i = 0; i < relation->count; i++)
		if (relation->columns[i].path && strcmp(relation->columns[i].path, path) == 0)
			return &relation->columns[i];
	return NULL;
}

/* check_trusted - give up if code of a role that is not trusted could run in relations */
void
check_trusted(const Database *database, const char *oids)
{
	const Placeholder values[] = {{"relations", "unnest($1::oid[])"}, {NULL, NULL}};
	PGresult   *result = query(database->conn, 1, &oids, render(distrusted_sql, values));

	if (PQntuples(result) > 0)
	{
		pg_log_error("code of role \"%s\" could run with your rights", PQgetvalue(result, 0, 0));
		pg_log_error_detail("The role owns one of the tables or views of documents, the schema, "
							"or a function or type in them.");
		pg_log_error_hint("Connect as this role, or change the owner.");
		give_up();
	}
	PQclear(result);
}
