/*-------------------------------------------------------------------------
 *
 * script.c
 *	  Prints the schema that is in the documents as statements for review.
 *
 * Columns are stored generated columns, and arrays are views, so both follow their
 * documents.  What is to be reviewed comes first: psql has it as a variable, which the
 * end of the script runs, after what it needs.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <sys/stat.h>

#include "command.h"
#include "import_compat.h"
#include "model.h"
#include "names.h"
#include "render.h"

#include "distrusted.inc"
#include "ejson.inc"
#include "frame.inc"
#include "script.inc"

/*
 * A transaction with only the beginning of a script cannot be committed, and no other script can
 * be run in it: the end deletes a row that refers to nothing.
 */
static const char begin_sql[] =
"SAVEPOINT needs_a_transaction;\n"
"CREATE TEMPORARY TABLE IF NOT EXISTS objectid_import_end (part integer PRIMARY KEY,\n"
"  next integer CONSTRAINT the_script_is_cut_off REFERENCES pg_temp.objectid_import_end\n"
"    DEFERRABLE INITIALLY DEFERRED);\n"
"INSERT INTO pg_temp.objectid_import_end VALUES (1, 2);\n";

/*
 * Add the columns of a table or view to the list of names.  Columns of which one is to be
 * chosen have the same name.
 */
static void
add_columns(StringInfo rows, const Schema *schema, const Relation *table)
{
	for (int i = 0; i < table->count; i++)
	{
		const Column *c = &table->columns[i];
		const char *type = c->why ? NULL : c->type;

		if (c->type && (i == 0 || c->name != table->columns[i - 1].name))
			add_row(rows, schema, table->name, "column", c->name,
					type && strcmp(type, OBJECTID_SQL) == 0 ? id_type_names[ID_OBJECTID] : type,
					c->path);
	}
}

/* a comment on a field: its path, and what it is */
static void
emit_comment(const Column *c, bool counts)
{
	static const char *const names[] = {
		"null", "object", "array", "ObjectId", "date", "integer", "double", "decimal", "boolean",
		"string", "UUID", "binary", "other"
	};
	const char *before = ": ";

	emit("%s-- %s", c->type ? " " : "", printable(c->path));
	for (Kind kind = 0; kind < KINDS && (counts || c->why); kind++)
		if (c->node->seen[kind] > 0)
		{
			emit("%s%s", before, names[kind]);
			if (counts)
				emit(" " INT64_FORMAT, c->node->seen[kind]);
			before = ", ";
		}
	if (c->why)
		emit("%s%s", c->type ? "; " : ": ", c->why);
	emit("\n");
}

/*
 * the statement that adds the columns of a table; those that are comments come first, so that
 * each of the others can follow them
 */
static void
emit_columns(const Schema *schema, int number, bool counts)
{
	const Relation *table = schema->tables;
	bool		begun = false;
	bool		some = table->count > 0 && is_column(&table->columns[table->count - 1]);
	const char *views = psprintf("%s, %s", quote_text(schema->schema), quote_text(table->name));

	for (int i = 0; i < table->count; i++)
	{
		const Column *c = &table->columns[i];

		if (c->type && !begun && some && schema->count > 1)
			emit("CALL pg_temp.show_views(false, %s);\n", views);
		if (c->type && !begun)
			emit("ALTER TABLE %s%s\n", table->target,
				 some ? psprintf(" :read_once%d", number) : "");
		begun |= c->type != NULL;
		if (c->type)
			emit("%s  ADD COLUMN IF NOT EXISTS %s %s GENERATED ALWAYS AS (%s) STORED%s",
				 c->why ? "--" : "", c->quoted, c->type, c->expression,
				 i == table->count - 1 && c->why == NULL ? ";" : ",");
		emit_comment(c, counts);
	}
	/* what a choice can stand before */
	if (begun && !some)
		emit("  ALTER doc SET NOT NULL;\n");
	if (begun && some && schema->count > 1)
		emit("CALL pg_temp.show_views(true, %s);\n", views);
}

/* the view of the elements of an array */
static void
emit_view(const Schema *schema, const Relation *table, bool counts)
{
	for (int i = 0; i < table->count; i++)
		if (!is_column(&table->columns[i]))
			emit_comment(&table->columns[i], counts);
	emit("CREATE VIEW %s AS -- %s\n  SELECT _id AS %s, a1.position::integer AS position",
		 table->target, printable(table->path), schema->owner);
	for (int i = 2; i <= table->level; i++)
		emit(", a%d.position::integer AS position%d", i, i);
	for (int i = 0; i < table->count; i++)
	{
		const Column *c = &table->columns[i];

		if (is_column(c))
			emit(",\n    %s AS %s", c->expression, c->quoted);
	}
	emit("\n  FROM %s AS m", schema->tables->target);
	for (int i = 1; i <= table->level; i++)
	{
		const Relation *level = table;

		while (level->level > i)
			level = &schema->tables[level->parent];
		emit(",\n    jsonb_array_elements(CASE jsonb_typeof(%s) WHEN 'array' THEN %s END)\n"
			 "      WITH ORDINALITY AS a%d (element, position)", level->array, level->array, i);
	}
	emit(";\n\n");
}

/* the table of a collection, its columns and views */
static void
emit_pre_data(const Schema *schema, int number, bool counts, StringInfo names)
{
	const char *target = schema->tables->target;
	StringInfoData types;

	initStringInfo(&types);
	emit("\n-- %s\n", printable(target));
	for (IdType type = 0; type < ID_TYPES; type++)
		if (schema->fields->keys[type] > 0)
			appendStringInfo(&types, "%s%s", types.len > 0 ? ", " : "", id_type_names[type]);
	if (strchr(types.data, ','))
		emit("-- _id has several types: %s\n", types.data);
	if (schema->guess)
		emit("-- The type of _id is a guess: the collection is empty.\n");
	if (counts)
		emit("-- " INT64_FORMAT " documents\n", schema->fields->documents);
	emit("CREATE TABLE IF NOT EXISTS %s (_id %s PRIMARY KEY, doc jsonb NOT NULL);\n"
		 "LOCK TABLE %s;\nCALL pg_temp.check_names(false, %s, %s);\n",
		 target, type_name(schema->key), target, quote_text(schema->schema),
		 quote_text(schema->tables->name));
	add_row(names, schema, schema->tables->name, "table", NULL, id_type_names[schema->key], NULL);
	emit_columns(schema, number, counts);
	add_columns(names, schema, schema->tables);
	emit("\n");
	for (int i = 1; i < schema->count; i++)
	{
		const Relation *view = &schema->tables[i];

		emit_view(schema, view, counts);
		add_row(names, schema, view->name, "view", schema->tables->name, NULL, view->path);
		add_columns(names, schema, view);
	}
}

static void
emit_post_data(const Schema *schemas, const Schema *schema, bool counts, StringInfo names)
{
	emit("\n\n-- %s\n", printable(schema->tables->target));
	for (int i = 0; i < schema->count; i++)
		add_row(names, schema, schema->tables[i].name, "relation", NULL, NULL, NULL);
	emit_indexes(schema, names);
	emit_foreign_keys(schemas, schema, counts);
}

/* the statements that make columns of tables without reading them once for each */
static char *
read_once(const Schema *schemas, int count)
{
	StringInfoData out;

	initStringInfo(&out);
	for (int i = 0; i < count; i++)
		appendStringInfo(&out, "SELECT pg_temp.read_once(%s, %s) AS read_once%d \\gset\n",
						 quote_text(schemas[i].schema),
						 quote_text(schemas[i].tables->name), i + 1);
	return out.data;
}

/* print what was emitted, in the frame of a script */
static void
print_frame(bool first, const char *names, const Schema *schemas, int count)
{
	const char *create = strstr(ejson_sql, "CREATE ");
	const char *restore = strstr(ejson_sql, "SELECT set_config");
	const Placeholder values[] = {
		{"purpose", first ? "Tables, columns and views" : "Indexes and foreign keys"},
		{"transaction", first ? " -1" : ""},
		{"choose", first ? "-- Choose from columns that are comments: there are values of "
		"several types.\n" : ""},
		{"script", dollar_quote(script.data, "script")},
		/* before anything that stays, such as the search path */
		{"begin", first ? begin_sql : ""},
		{"end", first ? "DELETE FROM pg_temp.objectid_import_end;\n" : ""},
		{"search_path", pnstrdup(ejson_sql, create - ejson_sql)},
		{"names", names},
		{"distrusted", distrusted_sql},
		{"functions", first ? pnstrdup(create, restore - create) : ""},
		{"read_once", first ? read_once(schemas, count) : ""},
		{NULL, NULL}
	};

	fputs(render(frame_txt, values), stdout);
	fputs(render(script_sql, values), stdout);
	fputs(restore, stdout);
	resetStringInfo(&script);
}

/* print to a new file of this name in the directory */
static void
redirect(const char *directory, const char *name)
{
	char	   *path = psprintf("%s/%s.sql", directory, name);

	if (mkdir(directory, S_IRWXU | S_IRWXG | S_IRWXO) != 0 && errno != EEXIST)
		pg_fatal("could not create directory \"%s\": %m", directory);
	if (fflush(stdout) != 0 || ferror(stdout))
		pg_fatal("could not write to a file in directory \"%s\": %m", directory);
	/* somebody may have changed the one that is there */
	if (freopen(path, "wx", stdout) == NULL)
		pg_fatal("could not create file \"%s\": %m", path);
}

/* print_script - print the schema that is in the fields of the collections */
void
print_script(const Options *options, const Collection *collections, Fields *fields, int count)
{
	Schema	   *schemas = pg_malloc0(count * sizeof(Schema));

	initStringInfo(&script);
	for (int i = 0; i < count; i++)
	{
		const Table *table = &collections[i].table;
		const Check *check = &collections[i].progress->check;

		/* collections are sorted by schema */
		schemas[i].schema = i > 0 && strcmp(table->schema, schemas[i - 1].schema) == 0 ?
			schemas[i - 1].schema : table->schema;
		schemas[i].table = table->name;
		schemas[i].metadata = collections[i].metadata;
		schemas[i].fields = &fields[i];
		schemas[i].key = check->id_type;
		schemas[i].guess = check->empty && options->load.id_type == ID_UNKNOWN;
	}
	for (int i = 0; i < count; i++)
	{
		add_name(schemas[i].schema, "objectid_import");
		add_name(schemas[i].schema, schemas[i].table);
		add_name(schemas[i].schema, collections[i].table.side_name);
	}
	for (int i = 0; i < count; i++)
		plan_schema(&schemas[i]);
	for (int post = 0; post < 2; post++)
	{
		const char *section = post ? "post-data" : "pre-data";
		StringInfoData names;

		if (options->section && strcmp(options->section, section) != 0)
			continue;
		if (options->file)
			redirect(options->file, section);
		initStringInfo(&names);
		for (int i = 0; i < count; i++)
			if (post)
				emit_post_data(schemas, &schemas[i], options->verbose, &names);
			else
				emit_pre_data(&schemas[i], i + 1, options->verbose, &names);
		print_frame(!post, names.data, schemas, count);
	}
}
