/*-------------------------------------------------------------------------
 *
 * database.c
 *	  Reads from the catalogue what a database has, in one snapshot.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "database.h"
#include "lib/stringinfo.h"
#include "render.h"

#include "distrusted.inc"
#include "find_schema.inc"
#include "open_database.inc"
#include "read_columns.inc"
#include "read_indexes.inc"
#include "read_keys.inc"
#include "read_relations.inc"

/* definitions are read in one snapshot, and printed in the same way whatever the settings are */
static const char settings[] =
"SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; SET LOCAL standard_conforming_strings = on; "
"SET LOCAL row_security = off; SET LOCAL jit = off; SET LOCAL datestyle = iso; "
"SET LOCAL intervalstyle = postgres; SET LOCAL extra_float_digits = 3; ";

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
	StringInfoData out;

	initStringInfo(&out);
	if (array && array[1] != '}')
		appendStringInfo(&out, "%.*s,", (int) strlen(array) - 1, array);
	else
		appendStringInfoChar(&out, '{');
	appendStringInfoChar(&out, '"');
	for (const char *c = element; *c; c++)
		appendStringInfo(&out, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
	appendStringInfoString(&out, "\"}");
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

/* read_relations - read the relations of documents in schemas, their columns, indexes and keys */
void
read_relations(Database *database, const char *schemas)
{
	PGresult   *result = query(database->conn, 1, &schemas, read_relations_sql);
	StringInfoData list;
	const char *oids;

	initStringInfo(&list);
	appendStringInfoChar(&list, '{');
	database->relation_count = PQntuples(result);
	database->relations = pg_malloc0((PQntuples(result) + 1) * sizeof(DbRelation));
	for (int i = 0; i < PQntuples(result); i++)
	{
		database->relations[i] = (DbRelation)
		{
			.oid = oid(result, i, 0),.root = oid(result, i, 1),.kind = *PQgetvalue(result, i, 2),
				.schema = value(result, i, 3),.name = value(result, i, 4),
				.target = psprintf("%s.%s", quote_name(PQgetvalue(result, i, 3)),
								   quote_name(PQgetvalue(result, i, 4))),
				.path = value(result, i, 6),
				.level = atoi(PQgetvalue(result, i, 7)),.owner = value(result, i, 8),
				.options = value(result, i, 9),.attributes = atoi(PQgetvalue(result, i, 10)),
				.documents = is_true(result, i, 11)
		};
		appendStringInfo(&list, "%s%u", i > 0 ? "," : "", database->relations[i].oid);
	}
	PQclear(result);
	appendStringInfoChar(&list, '}');
	oids = list.data;

	result = query(database->conn, 1, &oids, read_columns_sql);
	for (int i = 0; i < PQntuples(result); i++)
	{
		DbRelation *relation = relation_by_oid(database, oid(result, i, 0));
		bool		generated = !PQgetisnull(result, i, 5);

		*add_place(relation->columns, relation->count) = (DbColumn)
		{
			.relation = relation->oid,.number = atoi(PQgetvalue(result, i, 1)),
				.name = value(result, i, 2),.quoted = quote_name(PQgetvalue(result, i, 2)),
				.type = value(result, i, 4),.generated = generated,
				.path = generated ? path_of_expression(PQgetvalue(result, i, 5)) :
				value(result, i, 6),.comment = value(result, i, 6),.not_null = is_true(result, i, 7)
		};
	}
	PQclear(result);

	result = query(database->conn, 1, &oids, read_indexes_sql);
	database->index_count = PQntuples(result);
	database->indexes = pg_malloc0((PQntuples(result) + 1) * sizeof(DbIndex));
	for (int i = 0; i < PQntuples(result); i++)
		database->indexes[i] = (DbIndex)
	{
		.oid = oid(result, i, 0),.relation = oid(result, i, 1),.name = value(result, i, 2),
			.target = value(result, i, 3),.comment = value(result, i, 4),
			.definition = value(result, i, 5),.columns = value(result, i, 6),
			.predicate = value(result, i, 7),.unique = is_true(result, i, 8),
			.valid = is_true(result, i, 9)
	};
	PQclear(result);

	result = query(database->conn, 1, &oids, read_keys_sql);
	database->key_count = PQntuples(result);
	database->keys = pg_malloc0((PQntuples(result) + 1) * sizeof(DbForeignKey));
	for (int i = 0; i < PQntuples(result); i++)
		database->keys[i] = (DbForeignKey)
	{
		.relation = oid(result, i, 0),.refers_to = oid(result, i, 1),
			.name = value(result, i, 2),.comment = value(result, i, 3),
			.columns = value(result, i, 4),.refers_to_columns = value(result, i, 5)
	};
	PQclear(result);
	pfree(list.data);
}

/* relation_by_oid - one that was read, or NULL; they are sorted by their OIDs */
DbRelation *
relation_by_oid(const Database *database, Oid wanted)
{
	int			low = 0;
	int			high = database->relation_count;

	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (database->relations[middle].oid < wanted)
			low = middle + 1;
		else
			high = middle;
	}
	return low < database->relation_count && database->relations[low].oid == wanted ?
		&database->relations[low] : NULL;
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
