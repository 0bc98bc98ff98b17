/*-------------------------------------------------------------------------
 *
 * pre_data.c
 *	  --schema-only: the tables, columns and views that a database lacks.
 *
 * Columns are stored generated columns, and arrays are views, so both follow their documents.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "model.h"
#include "names.h"
#include "schema.h"
#include "script.h"

#include "drop_keys.inc"
#include "ejson.inc"

/* the comment on functions, which has their version */
#define FUNCTION_COMMENT "values 1" BY_US

/* how many of each a script makes */
typedef struct Counts
{
	int			functions;
	int			tables;
	int			views;
	int			columns;
	int			choices;		/* fields of several types, */
	int			choice_line;	/* and where the first is */
	int			texts;			/* that may be ids or times, */
	int			text_line;
	int			left_out;
} Counts;

static Counts counts;

static bool
is_new(const Column *column)
{
	return column->wanted && column->why == NULL && column->there == NULL;
}

static void
require_type(const Schema *schema)
{
	if (schema->database->ids == NULL)
		pg_fatal_hint("Run CREATE EXTENSION objectid there, or plain/objectid.sql if the server "
					  "does not have the extension.",
					  "database \"%s\" does not have the type objectid", schema->database->name);
}

static int
count_new(const Schema *schema, const Relation *table)
{
	int			count = 0;

	for (int i = 0; i < table->count; i++)
	{
		count += is_new(&table->columns[i]);
		if (is_new(&table->columns[i]) && table->columns[i].objectid)
			require_type(schema);
	}
	return count;
}

/* a function of ejson.sql, from "CREATE" on, with the schemas of its names, and its comment */
static void
emit_function(const Schema *schema, const char *definition, const char *end, const char *name)
{
	while (definition < end)
		if (strncmp(definition, ":ejson.", 7) == 0)
		{
			emit("%s.", schema->quoted);
			definition += 7;
		}
		else if (strncmp(definition, ":ids.", 5) == 0)
		{
			emit("%s", schema->database->ids);
			definition += 5;
		}
		else
			appendStringInfoChar(&script, *definition++);
	emit("\nCOMMENT ON FUNCTION %s.%.*s IS '" FUNCTION_COMMENT "';\n", schema->quoted,
		 (int) strcspn(name, ")") + 1, name);
	counts.functions++;
}

/* is a function there?  Its owner can replace it at any time, so that has to be a trusted role. */
static bool
has_function(const Database *database, const Schema *schema, const char *name, size_t length)
{
	for (int i = 0; i < database->name_count; i++)
	{
		const DbName *found = &database->names[i];

		if (strcmp(found->kind, "function") != 0 || strcmp(found->schema, schema->schema) != 0 ||
			strlen(found->name) != length || strncmp(found->name, name, length) != 0)
			continue;
		if (!found->trusted)
			pg_fatal_hint("Drop the function, or change its owner.",
						  "function %s.%s belongs to %s", schema->quoted, found->name,
						  found->owner);
		if (found->comment == NULL || strcmp(found->comment, FUNCTION_COMMENT) != 0)
			pg_fatal_hint("Rename the function, or choose a different schema with --schema.",
						  "function %s.%s is there for something else", schema->quoted,
						  found->name);
		return true;
	}
	return false;
}

/* all functions that the schema lacks, because a person may choose a type that needs another one */
static void
emit_functions(const Schema *schema)
{
	static const char create[] = "CREATE FUNCTION :ejson.";
	const char *end;

	for (const char *at = strstr(ejson_sql, create); at; at = strstr(end, create))
	{
		const char *name = at + strlen(create);

		end = strstr(at, "\n\n");
		if (!has_function(schema->database, schema, name, strcspn(name, "(")) &&
			(schema->database->ids || strncmp(name, "ejson_objectid", 14) != 0))
			emit_function(schema, at, end, name);
	}
}

/* the schema, if it is not there, and the functions in it */
static void
emit_schema(const Schema *schema)
{
	const DbName *there = find_name(schema->database, schema->schema, NULL);

	if (there && !there->trusted)
		pg_fatal_hint("Connect as this role, or change the owner.",
					  "schema %s belongs to %s, who could run code with your rights",
					  schema->quoted, there->owner);
	if (there == NULL)
		emit("CREATE SCHEMA %s;\n", schema->quoted);
	emit_functions(schema);
}

/* the kinds of values of a field, and how many there are of each */
static const char *
describe_values(const Node *node)
{
	static const char *const names[] = {
		"null", "object", "array", "ObjectId", "date", "integer", "double", "decimal", "boolean",
		"text", "UUID", "binary value", "value of another type"
	};
	StringInfoData out;

	initStringInfo(&out);
	for (Kind kind = 0; kind < KINDS; kind++)
		if (node->seen[kind] > 0)
			appendStringInfo(&out, "%s%s", out.len > 0 ? ", " : "",
							 count_of(node->seen[kind], names[kind]));
	return out.data;
}

/* note where a person has to choose, or can choose */
static void
note_choice(const Column *column, const Column *before)
{
	if (before && before->choice == column->choice && strcmp(before->path, column->path) == 0)
		return;
	if (column->choice == SEVERAL_TYPES && counts.choices++ == 0)
		counts.choice_line = script_line();
	if (column->choice == TEXTS && counts.texts++ == 0)
		counts.text_line = script_line();
}

static bool
is_choice(const Column *column)
{
	return column->wanted && column->why && column->there == NULL;
}

/* the comment on a column that is one, which says what is in the field */
static char *
comment_on(const Column *column)
{
	return column->choice == TEXTS ? pg_strdup(column->why) :
		psprintf("%s: %s", describe_values(column->node), column->why);
}

/* what is different, or has no column, in a table or view */
static void
emit_notes(const Relation *table)
{
	for (int i = 0; i < table->count; i++)
	{
		const Column *column = &table->columns[i];
		const DbColumn *there = column->there;

		if (column->wanted == NULL && table->there == NULL)
			emit("-- %s: %s\n", printable(column->path), comment_on(column));
		else if (there && !there->generated && table->level == 0)
			emit("-- column %s is not generated: it does not follow the documents\n",
				 printable(there->quoted));
		else if (there && column->why == NULL &&
				 strcmp(there->type, column->objectid ? "objectid" : column->type) != 0 &&
				 !(i > 0 && column[-1].wanted && strcmp(column[-1].path, column->path) == 0))
			emit("-- column %s stays %s; these documents alone would have %s\n",
				 printable(there->quoted), there->type, column->type);
	}
}

/* the columns of a table in a list, "begin" before each; what a person can choose is a comment */
static void
emit_columns(const Schema *schema, const Relation *table, const char *begin, const char *end)
{
	int			left = count_new(schema, table);

	for (int i = 0; i < table->count; i++)
	{
		const Column *column = &table->columns[i];
		bool		choice = is_choice(column);

		if (choice)
			note_choice(column, i > 0 ? column - 1 : NULL);
		else if (!is_new(column))
			continue;
		emit("%s  %s%s %s GENERATED ALWAYS AS (%s) STORED%s%s\n", choice ? "--" : "", begin,
			 column->quoted, column->type, column->expression,
			 choice || --left > 0 ? "," : end,
			 choice ? psprintf(" -- %s", comment_on(column)) : "");
	}
}

/* constraints that a person could make, if all documents keep to them */
static void
emit_not_null(const Schema *schema, const Relation *table)
{
	int64		documents = schema->fields->documents;

	for (int i = 0; i < table->count; i++)
	{
		const Column *column = &table->columns[i];
		const int64 *seen = column->node->seen;

		if (is_new(column) && documents > 0 &&
			count_values(column->node) - seen[A_NULL] == documents)
			emit("-- ALTER TABLE %s ALTER %s SET NOT NULL;  -- in all %s\n", table->target,
				 column->quoted, count_of(documents, "document"));
	}
}

/* the table of a collection, or its new columns, in one statement, because each rewrites it */
static void
emit_table(const Schema *schema)
{
	const Relation *table = schema->tables;
	int			added = count_new(schema, table);

	counts.columns += added;
	if (table->there == NULL)
	{
		if (schema->key == ID_OBJECTID)
			require_type(schema);
		emit("CREATE TABLE %s (\n  _id %s,\n  doc jsonb NOT NULL,\n", table->target,
			 type_of_key(schema));
		emit_columns(schema, table, "", ",");
		emit("  PRIMARY KEY (_id)\n);\n");
		counts.tables++;
	}
	else if (added > 0)
	{
		emit("ALTER TABLE %s\n", table->target);
		emit_columns(schema, table, "ADD ", ";");
	}
	else
		for (int i = 0; i < table->count; i++)
		{
			const Column *column = &table->columns[i];

			if (!is_choice(column))
				continue;
			note_choice(column, i > 0 ? column - 1 : NULL);
			emit("-- ALTER TABLE %s ADD %s %s GENERATED ALWAYS AS (%s) STORED; -- %s\n",
				 table->target, column->quoted, column->type, column->expression,
				 comment_on(column));
		}
	emit_not_null(schema, table);
}

/* the elements of a view: those of each array in the ones outside of it */
static void
emit_from(const Schema *schema, const Relation *view)
{
	emit("\n  FROM %s", schema->tables->target);
	for (int i = 1; i <= view->level; i++)
	{
		const Relation *level = view;

		while (level->level > i)
			level = &schema->tables[level->parent];
		emit(",\n    jsonb_array_elements(%s)\n      WITH ORDINALITY AS a%d (element, position)",
			 level->elements, i);
	}
}

/* where the definition of a view has its FROM, or NULL; and is it what the new columns need? */
static const char *
find_from(const char *definition, int level)
{
	int			depth = 0;

	for (const char *at = definition; *at; at++)
	{
		if (*at == '\'' || *at == '"')
			at += strcspn(at + 1, *at == '"' ? "\"" : "'") + 1;
		else if (*at == '(' || *at == ')')
			depth += *at == '(' ? 1 : -1;
		else if (depth == 0 && strncmp(at, "\n   FROM ", 9) == 0)
			return strstr(at, psprintf(" a%d(element, ", level)) &&
				!strstr(at, "\nUNION") && !strstr(at, "\n  GROUP BY ") ? at : NULL;
	}
	return NULL;
}

/* add columns to a view that is there, at its end; its definition and its options stay */
static bool
emit_replacement(const Schema *schema, const Relation *view)
{
	const char *oid = psprintf("%u", view->there->oid);
	PGresult   *result = query(schema->database->conn, 1, &oid, "SELECT pg_get_viewdef($1::oid)");
	const char *definition = PQgetvalue(result, 0, 0);
	const char *from = view->there->kind == 'v' ? find_from(definition, view->level) : NULL;

	if (from == NULL)
	{
		emit("-- %s is not as this program makes it: these columns have to be added by hand\n",
			 printable(view->target));
		for (int i = 0; i < view->count; i++)
			if (is_new(&view->columns[i]))
				emit("--   %s AS %s\n", view->columns[i].expression, view->columns[i].quoted);
		return false;
	}
	emit("CREATE OR REPLACE VIEW %s%s AS\n%.*s", view->target, view->there->options ?
		 psprintf(" WITH (%s)", view->there->options) : "", (int) (from - definition), definition);
	for (int i = 0; i < view->count; i++)
		if (is_new(&view->columns[i]))
			emit(",\n    %s AS %s", view->columns[i].expression, view->columns[i].quoted);
	emit("%s\n", from);
	PQclear(result);
	counts.columns += count_new(schema, view);
	return true;
}

/* the view of the elements of an array, or its new columns */
static void
emit_view(const Schema *schema, const Relation *view)
{
	const DbRelation *table = schema->tables->there;
	int			added = count_new(schema, view);

	emit_notes(view);
	for (int i = 0; i < view->count; i++)
		if (is_choice(&view->columns[i]))
		{
			note_choice(&view->columns[i], i > 0 ? &view->columns[i - 1] : NULL);
			emit("-- %s AS %s -- %s\n", view->columns[i].expression, view->columns[i].quoted,
				 comment_on(&view->columns[i]));
		}
	if (view->there && (added == 0 || !emit_replacement(schema, view)))
		return;
	if (view->there == NULL)
	{
		emit("CREATE VIEW %s WITH (security_invoker = true) AS\n"
			 "  SELECT _id AS %s, a1.position::integer AS position", view->target, schema->owner);
		for (int i = 2; i <= view->level; i++)
			emit(", a%d.position::integer AS position%d", i, i);
		for (int i = 0; i < view->count; i++)
			if (is_new(&view->columns[i]))
				emit(",\n    %s AS %s", view->columns[i].expression, view->columns[i].quoted);
		emit_from(schema, view);
		emit(";\n");
		if (table && strcmp(table->owner, quote_name(schema->database->current_user)) != 0)
			emit("ALTER VIEW %s OWNER TO %s;\n", view->target, table->owner);
		emit("COMMENT ON VIEW %s IS %s;\n", view->target, quote_text(view->path));
		counts.views++;
		counts.columns += added;
	}
	for (int i = 0; i < view->count; i++)
		if (is_new(&view->columns[i]))
			emit("COMMENT ON COLUMN %s.%s IS %s;\n", view->target, view->columns[i].quoted,
				 quote_text(view->columns[i].path));
}

/* the table of a collection, its columns and views */
static void
emit_collection(const Schema *schema)
{
	const Fields *fields = schema->fields;
	StringInfoData types;
	int			start = script.len;
	int			length;

	emit("\n-- %s: %s\n", printable(schema->tables->target),
		 count_of(fields->documents, "document"));
	if (schema->left_out)
	{
		emit("-- It has no documents: the application writes it, and it is left out.\n");
		counts.left_out++;
		return;
	}
	length = script.len;
	initStringInfo(&types);
	for (IdType type = 0; type < ID_TYPES; type++)
		if (fields->keys[type] > 0)
			appendStringInfo(&types, "%s" INT64_FORMAT " %s", types.len > 0 ? ", " : "",
							 fields->keys[type], id_type_names[type]);
	if (strchr(types.data, ',') && schema->tables->there == NULL)
		emit("-- _id has several types: %s\n", types.data);
	if (schema->guess && schema->tables->there == NULL)
		emit("-- The type of _id is a guess: the collection is empty.\n");
	emit_notes(schema->tables);
	emit_table(schema);
	for (int i = 1; i < schema->count; i++)
		emit_view(schema, &schema->tables[i]);
	/* nothing is missing */
	if (script.len == length)
		truncate_script(start);
}

/*
 * drop our own foreign keys and unique indexes, so that tables can be emptied and loaded in any
 * order.  Returns what it does, or an empty text.
 */
static const char *
emit_drops(const Database *database, const Schema *schemas, int count)
{
	const char *oids = NULL;
	int			start = script.len;
	char	   *first;

	for (int i = 0; i < count; i++)
		if (schemas[i].tables->there && !schemas[i].left_out)
			oids = add_to_array(oids, psprintf("%u", schemas[i].tables->there->oid));
	if (oids == NULL)
		return "";
	emit_rows(database->conn, 1, &oids, drop_keys_sql);
	first = pnstrdup(script.data + start, strcspn(script.data + start, "\n"));
	return *first ? first + strlen("-- ") : "";
}

/* a list of what there is some of; columns only if they are wanted, or all that there is */
static char *
list_counts(bool columns, const char *drops)
{
	const struct
	{
		int			count;
		const char *noun;
	}			parts[] = {
		{counts.tables, "table"}, {counts.views, "view"},
		{columns || counts.tables + counts.views == 0 ? counts.columns : 0, "column"},
		{counts.tables + counts.views + counts.columns == 0 ? counts.functions : 0, "function"}
	};
	StringInfoData out;

	initStringInfo(&out);
	for (size_t i = 0; i < lengthof(parts); i++)
		if (parts[i].count > 0)
			appendStringInfo(&out, "%s%s", out.len > 0 ? ", " : "",
							 count_of(parts[i].count, parts[i].noun));
	if (*drops)
		appendStringInfo(&out, "%s%s", out.len > 0 ? ", " : "", drops);
	return out.len > 0 ? out.data : "nothing is missing";
}

/* say what there is to do */
static void
report_script(const char *file, const char *drops)
{
	StringInfoData out;

	initStringInfo(&out);
	appendStringInfo(&out, "%s: %s", file ? file : "pre-data.sql", list_counts(true, drops));
	if (counts.left_out > 0)
		appendStringInfo(&out, ". Left out: %s that the application writes",
						 count_of(counts.left_out, "table"));
	if (counts.choices > 0)
		appendStringInfo(&out, ". To choose: %s of several types (line %d)",
						 count_of(counts.choices, "field"), counts.choice_line);
	if (counts.texts > 0)
		appendStringInfo(&out, ". Perhaps: %s of texts that are ids or times (line %d)",
						 count_of(counts.texts, "field"), counts.text_line);
	pg_log_info("%s", out.data);
}

/* print_pre_data - print what the database lacks for the fields of the collections */
void
print_pre_data(Database *database, const Options *options, Collection *collections,
			   Fields *fields, int count)
{
	Schema	   *schemas = pg_malloc0(count * sizeof(Schema));
	char	   *names = NULL;
	const char *drops;

	for (int i = 0; i < count; i++)
	{
		const Table *table = &collections[i].table;
		const Check *check = &collections[i].progress->check;
		bool		same = i > 0 && strcmp(table->schema, schemas[i - 1].schema) == 0;

		/* collections are sorted by schema */
		schemas[i] = (Schema)
		{
			.schema = same ? schemas[i - 1].schema : table->schema,.name = table->name,
				.quoted = quote_name(table->schema),.side_name = table->side_name,
				.database = database,.fields = &fields[i],.key = check->id_type,
				.guess = check->empty && options->id_type == ID_UNKNOWN
		};
		plan_schema(&schemas[i]);
		if (!same)
			names = add_to_array(names, table->schema);
	}
	if (database->conn)
	{
		read_relations(database, names);
		read_names(database, names);
	}
	choose_names(database, schemas, count);
	begin_script(database, "Tables, columns and views for documents of MongoDB");
	for (int i = 0; i < count; i++)
		if (i == 0 || schemas[i].schema != schemas[i - 1].schema)
			emit_schema(&schemas[i]);
	for (int i = 0; i < count; i++)
		emit_collection(&schemas[i]);
	drops = emit_drops(database, schemas, count);
	end_script(options->file, list_counts(false, drops));
	report_script(options->file, drops);
}
