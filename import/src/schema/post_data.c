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

/* the tables of the collections, with the views or tables of their elements, that can be read */
static void
read_collections(PostData *data, const Collection *collections, int count)
{
	Database   *database = data->database;
	const char *schemas = NULL;
	const char *oids = NULL;

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
}

/* the first column of an index, if it is one of all rows that can be searched by it */
static const DbColumn *
first_column(const DbIndex *index, const DbRelation *relation)
{
	int			number = (int) strtol(index->columns, NULL, 10);

	for (int i = 0; i < relation->count; i++)
		if (relation->columns[i].number == number && index->predicate == NULL &&
			strstr(index->definition, " USING gin ") == NULL)
			return &relation->columns[i];
	return NULL;
}

/* note the indexes that are there */
static void
read_indexes(PostData *data)
{
	const Database *database = data->database;

	for (int i = 0; i < database->index_count; i++)
	{
		const DbIndex *index = &database->indexes[i];
		const DbRelation *relation = relation_by_oid(database, index->relation);
		const DbColumn *column = first_column(index, relation);

		*add_place(data->indexes, data->count) = (KnownIndex)
		{
			.relation = relation,.comment = index->comment,
				.column = column ? column->quoted : NULL,
				.key = column && index->unique && index->valid && !strchr(index->columns, ' ')
		};
	}
}

/* name_scope - the first relation of a schema has the names of all that have some */
const DbRelation *
name_scope(const PostData *data, const DbRelation *relation)
{
	int			i = 0;

	while (strcmp(data->relations[i]->schema, relation->schema) != 0)
		i++;
	return data->relations[i];
}

/* note the names that new indexes and constraints cannot have */
static void
note_names(const PostData *data)
{
	for (int i = 0; i < data->relation_count; i++)
	{
		const DbRelation *relation = data->relations[i];
		const char *schema = relation->schema;
		PGresult   *result;

		if (name_scope(data, relation) != relation)
			continue;
		result = query(data->database->conn, 1, &schema,
					   "SELECT 0, relname FROM pg_class WHERE relnamespace = (SELECT oid FROM "
					   "pg_namespace WHERE nspname = $1) UNION ALL SELECT conrelid, conname FROM "
					   "pg_constraint WHERE connamespace = (SELECT oid FROM pg_namespace "
					   "WHERE nspname = $1)");
		for (int j = 0; j < PQntuples(result); j++)
		{
			Oid			oid = (Oid) strtoul(PQgetvalue(result, j, 0), NULL, 10);
			char	   *name = pg_strdup(PQgetvalue(result, j, 1));

			if (oid == 0)
				add_name(relation, name);
			else if (relation_by_oid(data->database, oid))
				add_name(relation_by_oid(data->database, oid)->columns, name);
		}
		PQclear(result);
	}
}

static void
emit_part(const char *title, const char *text)
{
	if (*text != '\0')
		emit("\n%s%s", title, text);
}

/* unique indexes that are only comments, and in which lines, or empty */
static char *
find_comments(const char *beginning, const char *what)
{
	StringInfoData lines;
	int			number = 1;
	int			count = 0;

	initStringInfo(&lines);
	for (const char *line = script.data; *line; line += strcspn(line, "\n") + 1)
	{
		if (strncmp(line, beginning, strlen(beginning)) == 0)
			appendStringInfo(&lines, "%s%d", count++ > 0 ? ", " : "", number);
		number++;
	}
	return count == 0 ? "" :
		psprintf(".  %s: %s (line%s %s)", what, count_of(count, "unique index"),
				 count == 1 ? "" : "s", lines.data);
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
	read_indexes(&data);
	note_names(&data);
	for (int i = 0; i < count; i++)
	{
		const Table *table = &collections[i].table;
		const DbRelation *relation = find_relation(database, table->schema, table->name);

		if (relation)
			add_indexes(&data, relation, collections[i].metadata);
	}
	add_references(&data);

	begin_script(database, "Indexes and foreign keys");
	emit_part("", data.notes.data);
	emit_part("-- unique indexes\n", data.unique.data);
	emit_part("-- foreign keys\n", data.keys.data);
	emit_part("-- indexes\n", data.others.data);
	not_translated = find_comments(NOT_TRANSLATED "unique", "Not translated");
	cannot_be_made = find_comments(CANNOT_BE_MADE "unique", "Cannot be made");
	done = script_is_empty() && *cannot_be_made == '\0' ? "nothing is missing" :
		psprintf("%s, %s", count_of(data.index_count, "index"),
				 count_of(data.key_count, "foreign key"));
	end_script(options->file, done);
	pg_log_info("%s: %s%s%s", options->file ? options->file : "post-data.sql", done,
				not_translated, cannot_be_made);
}
