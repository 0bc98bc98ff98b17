/*-------------------------------------------------------------------------
 *
 * database.c
 *	  Reads from the catalogue what a database has, in one snapshot, by the paths of the fields
 *	  that are shown, such as a."b c".d[].
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "fe_utils/string_utils.h"
#include "schema.h"

#include "distrusted.inc"
#include "find_schema.inc"
#include "open_database.inc"
#include "read_columns.inc"
#include "read_indexes.inc"
#include "read_names.inc"
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

/* add_to_array - the text of an array with one more element; the first is added to NULL */
const char *
add_to_array(const char *array, const char *element)
{
	PQExpBufferData out;

	initPQExpBuffer(&out);
	appendPQExpBufferStr(&out, array ? array : "{}");
	free(unconstify(char *, array));
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
	const char *schemas;

	begin(conn, settings);
	path = query(conn, 0, NULL,
				 "SELECT pg_catalog.current_schemas(true), pg_catalog.current_schema()");
	schemas = PQgetvalue(path, 0, 0);
	execute(conn, FIND_ONLY_CATALOG);
	result = query(conn, 1, &schemas, open_database_sql);
	*database = (Database)
	{
		.conn = conn,.name = get_value(result, 0, 0),.session_user = get_value(result, 0, 1),
			.current_user = get_value(result, 0, 2),.trusted = get_value(result, 0, 3),
			.path = get_value(path, 0, 0),.current_schema = get_value(path, 0, 1),
			.ids = get_value(result, 0, 4)
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

	if (table->schema)
		return;
	table->schema = database->conn ?
		query_value(database->conn, lengthof(values), values, find_schema_sql) : "public";
	if (table->schema == NULL)
		pg_fatal_hint("Choose one with --schema.", "there is no schema to create tables in");
}

/* note the names of relations, types and constraints in schemas, which nothing new can have */
static void
read_names(const Database *database, const char *schemas)
{
	PGresult   *names = query(database->conn, 1, &schemas, read_names_sql);

	for (int i = 0; i < PQntuples(names); i++)
		add_name(PQgetvalue(names, i, 0), PQgetvalue(names, i, 1));
	PQclear(names);
}

/* give up if code of a role that is not trusted could run in the relations */
static void
check_trusted(const Database *database)
{
	const Placeholder values[] = {{"relations", "unnest($1::oid[])"}, {NULL, NULL}};
	const char *role = query_value(database->conn, 1, &database->oids,
								   render(distrusted_sql, values));

	if (role == NULL)
		return;
	pg_log_error("code of role \"%s\" could run with your rights", role);
	pg_log_error_detail("The role owns one of the tables or views of documents, the schema, "
						"or a function or type in them.");
	pg_log_error_hint("Connect as this role, or change the owner.");
	give_up();
}

/* read the columns and indexes of the relations */
static void
read_columns(Database *database)
{
	PGresult   *result = query(database->conn, 1, &database->oids, read_columns_sql);

	for (int i = 0; i < PQntuples(result); i++)
	{
		DbRelation *relation = &database->relations[atoi(PQgetvalue(result, i, 0))];

		*add_place(relation->columns, relation->count) = (DbColumn)
		{
			.relation = relation,.number = atoi(PQgetvalue(result, i, 1)),
				.name = get_value(result, i, 2),.quoted = quote_name(PQgetvalue(result, i, 2)),
				.type = get_value(result, i, 3),.comment = get_value(result, i, 4),
				.path = get_value(result, i, 5),.generated = is_true(result, i, 6),
				.not_null = is_true(result, i, 7),.refers = is_true(result, i, 8)
		};
	}
	PQclear(result);
	result = query(database->conn, 1, &database->oids, read_indexes_sql);
	for (int i = 0; i < PQntuples(result); i++)
		*add_place(database->indexes, database->index_count) = (DbIndex)
	{
		.relation = &database->relations[atoi(PQgetvalue(result, i, 0))],
			.comment = get_value(result, i, 1),.definition = get_value(result, i, 2),
			.columns = get_value(result, i, 3),.predicate = get_value(result, i, 4),
			.unique = is_true(result, i, 5),.valid = is_true(result, i, 6)
	};
	PQclear(result);
}

/*
 * read_relations - read the relations of documents in schemas, or of these names in these, and give
 * up if they run code of a role that is not trusted
 */
void
read_relations(Database *database, const char *schemas, const char *names, bool with_documents)
{
	const char *const values[] = {schemas, names, with_documents ? "t" : "f"};
	PGresult   *result = query(database->conn, lengthof(values), values, read_relations_sql);
	const DbRelation *root = NULL;

	read_names(database, schemas);
	database->relation_count = PQntuples(result);
	database->relations = pg_malloc0((database->relation_count + 1) * sizeof(DbRelation));
	for (int i = 0; i < database->relation_count; i++)
	{
		DbRelation *relation = &database->relations[i];

		*relation = (DbRelation)
		{
			.oid = get_value(result, i, 0),.kind = *PQgetvalue(result, i, 1),
				.schema = get_value(result, i, 2),.name = get_value(result, i, 3),
				.target = psprintf("%s.%s", quote_name(PQgetvalue(result, i, 2)),
								   quote_name(PQgetvalue(result, i, 3))),
				.path = get_value(result, i, 4),.level = atoi(PQgetvalue(result, i, 5)),
				.owner = get_value(result, i, 6),.options = get_value(result, i, 7),
				.attributes = atoi(PQgetvalue(result, i, 8)),.documents = is_true(result, i, 9)
		};
		root = relation->root = relation->level == 0 ? relation : root;
		database->oids = add_to_array(database->oids, relation->oid);
	}
	PQclear(result);
	check_trusted(database);
	read_columns(database);
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
		if (root && database->relations[i].root == root &&
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

/*
 * query_alone - run a query, and release its locks: a transaction that keeps those of all tables
 * and indexes would need more than there are
 */
PGresult *
query_alone(const Database *database, const char *sql)
{
	PGresult   *result;

	execute(database->conn, "SAVEPOINT alone");
	result = query(database->conn, 0, NULL, sql);
	execute(database->conn, "ROLLBACK TO SAVEPOINT alone; RELEASE SAVEPOINT alone");
	return result;
}

/* number_alone - the number that such a query returns; 0 for NULL */
int64
number_alone(const Database *database, const char *sql)
{
	PGresult   *result = query_alone(database, sql);
	int64		number = strtoi64(PQgetvalue(result, 0, 0), NULL, 10);

	PQclear(result);
	return number;
}

/* has_row - does a condition hold for a row of a relation? */
bool
has_row(const Database *database, const DbRelation *relation, const char *condition)
{
	return number_alone(database, psprintf("SELECT count(*) FROM (SELECT FROM %s WHERE %s LIMIT 1) "
										   "AS r", relation->target, condition)) > 0;
}
