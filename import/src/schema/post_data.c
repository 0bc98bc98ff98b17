/*-------------------------------------------------------------------------
 *
 * post_data.c
 *	  --section=post-data: unique indexes, foreign keys and other indexes, by what is loaded.
 *
 * What can fail comes first, so that an error undoes little.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "names.h"
#include "post_data.h"
#include "schema.h"
#include "script.h"

/*
 * query_alone - run a query, and release its locks: a transaction that keeps those of all tables
 * and indexes would need more than there are
 */
PGresult *
query_alone(const PostData *data, const char *sql)
{
	PGconn	   *conn = data->database->conn;
	PGresult   *result;

	execute(conn, "SAVEPOINT alone");
	result = query(conn, 0, NULL, sql);
	execute(conn, "ROLLBACK TO SAVEPOINT alone; RELEASE SAVEPOINT alone");
	return result;
}

/* has_row - does a condition hold for a row of a relation? */
bool
has_row(const PostData *data, const DbRelation *relation, const char *condition)
{
	PGresult   *result = query_alone(data, psprintf("SELECT FROM %s WHERE %s LIMIT 1",
													relation->target, condition));
	bool		found = PQntuples(result) > 0;

	PQclear(result);
	return found;
}

/* the first relation of a schema, which has the names in it */
static const DbRelation *
name_scope(const PostData *data, const char *schema)
{
	for (int i = 0; i < data->relation_count; i++)
		if (strcmp(data->relations[i]->schema, schema) == 0)
			return data->relations[i];
	return NULL;
}

/* new_name - a name for an index or a constraint, quoted */
char *
new_name(const PostData *data, const DbRelation *relation, const char *name, const char *path)
{
	return quote_name(unique_name(name, path, name_scope(data, relation->schema)));
}

/* the tables of the collections, with the views or tables of their elements, that can be read */
static void
read_collections(PostData *data, const Collection *collections, int count)
{
	Database   *database = data->database;
	const char *schemas = NULL;
	const char *oids = NULL;
	PGresult   *names;

	for (int i = 0; i < count; i++)
		if (i == 0 || strcmp(collections[i].table.schema, collections[i - 1].table.schema) != 0)
			schemas = add_to_array(schemas, collections[i].table.schema);
	read_relations(database, schemas);
	for (int i = 0; i < count; i++)
	{
		const Table *table = &collections[i].table;
		const DbRelation *root = find_relation(database, table->schema, table->name);

		if (root == NULL)
			pg_log_warning("table %s.%s is not there: load it first", table->schema, table->name);
		for (int j = 0; root && j < database->relation_count; j++)
			if (database->relations[j].root == root->oid)
			{
				*add_place(data->relations, data->relation_count) = &database->relations[j];
				oids = add_to_array(oids, psprintf("%u", database->relations[j].oid));
			}
	}
	if (oids)
		check_trusted(database, oids);
	for (int i = 0; i < database->index_count; i++)
		*add_place(data->indexes, data->count) = database->indexes[i];
	names = query(database->conn, 1, &schemas,
				  "SELECT nspname, name FROM pg_namespace AS n JOIN ("
				  "SELECT relnamespace, relname FROM pg_class "
				  "UNION ALL SELECT connamespace, conname FROM pg_constraint) AS c (schema, name) "
				  "ON schema = n.oid WHERE nspname = ANY ($1::name[])");
	for (int i = 0; i < PQntuples(names); i++)
		add_name(name_scope(data, PQgetvalue(names, i, 0)), pg_strdup(PQgetvalue(names, i, 1)));
	PQclear(names);
}

static void
emit_part(const char *title, const char *text)
{
	if (*text != '\0')
		emit("\n%s%s", title, text);
}

/* print_post_data - print what tables lack that are loaded */
void
print_post_data(Database *database, const Options *options, Collection *collections, int count)
{
	PostData	data = {.database = database};
	const char *done;
	const char *not_translated;
	const char *cannot_be_made;

	initStringInfo(&data.notes);
	initStringInfo(&data.unique);
	initStringInfo(&data.keys);
	initStringInfo(&data.others);
	read_collections(&data, collections, count);
	for (int i = 0; i < count; i++)
	{
		const Table *table = &collections[i].table;
		const DbRelation *relation = find_relation(database, table->schema, table->name);

		if (relation)
			add_indexes(&data, relation, collections[i].metadata);
	}
	add_element_ids(&data);
	add_references(&data);

	begin_script(database, "Indexes and foreign keys");
	emit_part("", data.notes.data);
	emit_part("-- unique indexes\n", data.unique.data);
	emit_part("-- foreign keys\n", data.keys.data);
	emit_part("-- indexes\n", data.others.data);
	not_translated = list_lines("Not translated", "unique index", "", NOT_TRANSLATED "unique");
	cannot_be_made = list_lines("Cannot be made", "unique index", "", CANNOT_BE_MADE "unique");
	done = script_is_empty() && *cannot_be_made == '\0' ? "nothing is missing" :
		psprintf("%s, %s", count_of(data.index_count, "index"),
				 count_of(data.key_count, "foreign key"));
	end_script(options->file, done);
	pg_log_info("%s: %s%s%s", options->file ? options->file : "post-data.sql", done,
				not_translated, cannot_be_made);
}
