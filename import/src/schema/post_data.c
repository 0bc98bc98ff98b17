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

#include "schema.h"

static void
emit_part(const char *title, const char *text)
{
	if (*text != '\0')
		emit("\n%s%s", title, text);
}

/* print_post_data - print what tables lack that are loaded */
void
print_post_data(Database *database)
{
	PostData	data = {.database = database};
	const char *schemas = NULL;
	const char *names = NULL;
	const char *done;
	const char *not_translated;
	const char *cannot_be_made;

	initStringInfo(&data.notes);
	initStringInfo(&data.unique);
	initStringInfo(&data.keys);
	initStringInfo(&data.others);
	for_each_collection(collection)
	{
		schemas = add_to_array(schemas, collection->table.schema);
		names = add_to_array(names, collection->table.name);
	}
	read_relations(database, schemas, names, false);
	for_each_collection(collection)
	{
		const Table *table = &collection->table;
		const DbRelation *relation = find_relation(database, table->schema, table->name);

		if (relation)
			add_indexes(&data, relation, collection->metadata);
		else
			pg_log_warning("table %s.%s is not there: load it first", table->schema, table->name);
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
	end_script(done);
	pg_log_info("%s: %s%s%s", command.options->file ? command.options->file : "post-data.sql", done,
				not_translated, cannot_be_made);
}
