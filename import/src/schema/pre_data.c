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

#include "schema.h"

#include "drop_keys.inc"
#include "ejson.inc"
#include "find_names.inc"
#include "read_view.inc"

/* the comment on functions, which has their version */
#define FUNCTION_COMMENT "values 1" BY_US

#define IS_WRITTEN "-- It has no documents: the application writes it, and it is left out.\n"

/* what a script makes */
static int	table_count;
static int	view_count;
static int	column_count;

/* the scope of the names of functions, which tables can have, too */
#define function_scope(schema) psprintf("%s()", schema)

/*
 * the schema, and all functions of ejson.sql, if they are not there, because a person may choose a
 * type that needs another one
 */
static void
emit_schema(const Schema *schema)
{
	static const char create[] = "CREATE FUNCTION {ejson}.";
	const char *ids = schema->database->ids;
	const char *functions = function_scope(schema->table->schema);
	const Placeholder values[] = {{"ejson", schema->quoted}, {"ids", ids}, {NULL, NULL}};
	const char *end;

	if (!schema->there)
		emit("CREATE SCHEMA %s;\n", schema->quoted);
	for (const char *at = strstr(ejson_sql, create); at; at = strstr(end, create))
	{
		const char *name = at + strlen(create);

		end = strstr(at, "\n\n");
		if ((ids == NULL && strncmp(name, "ejson_objectid", 14) == 0) ||
			!add_name(functions, pnstrdup(name, strcspn(name, "("))))
			continue;
		emit("%s\nCOMMENT ON FUNCTION %s.%.*s IS '" FUNCTION_COMMENT "';\n",
			 render(pnstrdup(at, end - at), values), schema->quoted,
			 (int) strcspn(name, ")") + 1, name);
	}
}

/*
 * the columns of a table in a list; what a person can choose is a comment, and a statement of its
 * own behind the last column that a table gets
 */
static void
emit_columns(const Schema *schema, const Relation *table)
{
	int			left = table->added;

	for (int i = 0; i < table->count; i++)
	{
		const Column *column = &table->columns[i];
		const char *begin = table->there == NULL ? "" : left > 0 ? "ADD " :
		psprintf("ALTER TABLE %s ADD ", table->target);

		left -= column->why == NULL;
		emit("%s  %s%s %s GENERATED ALWAYS AS (%s) STORED%s%s%s\n", column->why ? "--" : "", begin,
			 column->quoted, type_in_sql(schema, column->type), column->expression,
			 table->there == NULL || left > 0 ? "," : ";", column->why ? " -- " : "",
			 column->why ? column->why : "");
	}
}

/* the table of a collection, or its new columns, in one statement, because each rewrites it */
static void
emit_table(const Schema *schema)
{
	const Relation *table = schema->relations[0];
	int64		documents = table->node->seen[AN_OBJECT];

	emit("%s", table->notes.data);
	if (table->there == NULL)
	{
		emit("CREATE TABLE %s (\n  _id %s,\n  doc jsonb NOT NULL,\n", table->target,
			 type_in_sql(schema, id_type_names[schema->key]));
		emit_columns(schema, table);
		emit("  PRIMARY KEY (_id)\n);\n");
		table_count++;
	}
	else
	{
		if (table->added > 0)
			emit("ALTER TABLE %s\n", table->target);
		emit_columns(schema, table);
	}
	column_count += table->added;

	/* constraints that a person could make, if all documents keep to them */
	for (int i = 0; i < table->count && documents > 0; i++)
	{
		const Column *column = &table->columns[i];

		if (!column->why && count_values(column->node) - column->node->seen[A_NULL] == documents)
			emit("-- ALTER TABLE %s ALTER %s SET NOT NULL;  -- in all %s\n", table->target,
				 column->quoted, count_of(documents, "document"));
	}
}

/* the new columns of a view, each behind a separator */
static void
emit_fields(const Relation *view, const char *separator)
{
	for (int i = 0; i < view->count; i++)
		if (!view->columns[i].why)
			emit("%s%s AS %s", separator, view->columns[i].expression, view->columns[i].quoted);
}

/* a view of the elements of each array in those outside of it */
static void
emit_new_view(const Schema *schema, const Relation *view)
{
	const Database *database = schema->database;
	const DbRelation *table = schema->relations[0]->there;

	emit("CREATE VIEW %s WITH (security_invoker = true) AS\n"
		 "  SELECT _id AS %s, a1.position::integer AS position", view->target,
		 quote_name(owner_name(schema)));
	for (int i = 2; i <= view->level; i++)
		emit(", a%d.position::integer AS position%d", i, i);
	emit_fields(view, ",\n    ");
	emit("\n  FROM %s;\n", view->from);
	if (table && strcmp(table->owner, quote_name(database->current_user)) != 0)
		emit("ALTER VIEW %s OWNER TO %s;\n", view->target, table->owner);
	emit("COMMENT ON VIEW %s IS %s;\n", view->target, quote_text(view->path));
	view_count++;
}

/* where the definition of a view has its FROM; NULL: not where its columns end, or no element */
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
	const DbRelation *there = view->there;
	PGresult   *result = query(schema->database->conn, 1, (const char *const *) &there->oid,
							   read_view_sql);
	const char *definition = PQgetvalue(result, 0, 0);
	const char *from = there->kind == 'v' ? find_from(definition, view->level) : NULL;

	if (from == NULL)
	{
		emit("-- %s is not as this program makes it: these columns have to be added by hand",
			 printable(view->target));
		emit_fields(view, "\n--   ");
		emit("\n");
		return false;
	}
	emit("LOCK TABLE %s IN ACCESS SHARE MODE;\n"
		 "SELECT CASE WHEN hashtextextended(concat(ev_action, reloptions), 0) <> %s\n"
		 "  THEN (relname || ' has changed: print this script again')::integer END\n"
		 "FROM pg_class AS c JOIN pg_rewrite ON ev_class = c.oid AND rulename = '_RETURN'\n"
		 "WHERE c.oid = %s::regclass;\n", view->target, PQgetvalue(result, 0, 1),
		 quote_text(PQgetvalue(result, 0, 2)));
	emit("CREATE OR REPLACE VIEW %s%s AS\n%.*s", view->target, there->options ?
		 psprintf(" WITH (%s)", there->options) : "", (int) (from - definition), definition);
	emit_fields(view, ",\n    ");
	emit("%s\n", from);
	PQclear(result);
	return true;
}

/* the view of the elements of an array, or its new columns */
static void
emit_view(const Schema *schema, const Relation *view)
{
	emit("%s", view->notes.data);
	for (int i = 0; i < view->count; i++)
		if (view->columns[i].why)
			emit("-- %s AS %s -- %s\n", view->columns[i].expression, view->columns[i].quoted,
				 view->columns[i].why);
	if (view->there == NULL)
		emit_new_view(schema, view);
	else if (view->added == 0 || !emit_replacement(schema, view))
		return;
	for (int i = 0; i < view->count; i++)
		if (!view->columns[i].why)
			emit("COMMENT ON COLUMN %s.%s IS %s;\n", view->target, view->columns[i].quoted,
				 quote_text(view->columns[i].path));
	column_count += view->added;
}

/* the table of a collection, its columns and views, under a line with its name, if there is any */
static void
emit_collection(const Schema *schema)
{
	const Relation *table = schema->relations[0];
	int			start = script.len;
	int			length;

	emit("\n-- %s: %s\n", printable(table->target),
		 count_of(schema->fields->root->seen[AN_OBJECT], "document"));
	length = script.len;
	if (schema->left_out)
	{
		emit(IS_WRITTEN);
		return;
	}
	if (schema->guess && table->there == NULL)
		emit("-- The type of _id is a guess: the collection is empty.\n");
	emit_table(schema);
	for (int i = 1; i < schema->count; i++)
		emit_view(schema, schema->relations[i]);
	if (script.len == length)
	{
		script.len = start;
		script.data[start] = '\0';
	}
}

/*
 * drop our own foreign keys and unique indexes, so that tables can be emptied and loaded in any
 * order.  Returns what it does, or an empty text.
 */
static const char *
emit_drops(const Database *database)
{
	int			start = script.len;
	const char *first;

	emit_rows(database->conn, 1, &database->oids, drop_keys_sql);
	first = script.data + start;
	return *first ? psprintf(", %.*s", (int) strcspn(first, "\n") - 3, first + 3) : "";
}

/* find the table of a collection, whose name is there */
static void
find_table(Schema *schema)
{
	const Table *table = schema->table;
	const DbRelation *there = find_relation(schema->database, table->schema, table->name);
	const char *type = id_type_names[schema->key];
	const DbColumn *key;

	schema->relations[0]->there = there;
	schema->left_out = there == NULL;
	key = there ? column_of_path(there, "_id") : NULL;
	if (key && !schema->guess && strcmp(key->type, type) != 0)
		pg_fatal_hint("If the table is empty, drop it, or use --id-type.",
					  "the keys of table %s are of type %s, and these documents need %s",
					  table->target, key->type, type);
}

/* find out what is there in the schemas of the collections */
static void
find_names(Schema *schemas, const char *names)
{
	const Database *database = schemas->database;
	const char *const values[] = {names, database->trusted};
	PGresult   *result = query(database->conn, lengthof(values), values, find_names_sql);

	for (int i = 0; i < PQntuples(result); i++)
	{
		const char *scope = PQgetvalue(result, i, 0);
		const char *kind = PQgetvalue(result, i, 1);
		const char *name = PQgetvalue(result, i, 2);
		const char *quoted = PQgetvalue(result, i, 3);

		if (!PQgetisnull(result, i, 4))
			pg_fatal_hint("Change the owner, or connect as this role.",
						  "%s %s belongs to %s, who could run code with your rights", kind, quoted,
						  PQgetvalue(result, i, 4));
		if (strcmp(kind, "function") == 0)
		{
			if (strcmp(PQgetvalue(result, i, 5), FUNCTION_COMMENT) != 0)
				pg_fatal_hint("Rename it, or choose a different schema with --schema.",
							  "function %s is there for something else", quoted);
			add_name(function_scope(scope), name);
			continue;
		}
		for (int j = 0; j < command.count; j++)
			if (strcmp(schemas[j].table->schema, scope) != 0)
				continue;
			else if (*quoted)
				schemas[j].there = true;
			else if (strcmp(schemas[j].table->name, name) != 0)
				continue;
			else if (strcmp(kind, "table") == 0)
				schemas[j].left_out = true;
			else
				pg_fatal_hint("Rename it, choose a different name with --table or --schema, or, in "
							  "a dump, leave the collection out with --exclude.",
							  "%s is there for something else", schemas[j].table->target);
	}
	PQclear(result);
}

/* what the database lacks of the collections, which are sorted by schema */
static Schema *
plan_schemas(Database *database, const Fields *fields)
{
	int			count = command.count;
	Schema	   *schemas = pg_malloc0(count * sizeof(Schema));
	const char *names = NULL;
	const char *tables = NULL;

	for (int i = 0; i < count; i++)
	{
		Table	   *table = &command.collections[i].table;
		const Check *check = &command.collections[i].progress->check;
		Relation   *relation = pg_malloc0(sizeof(Relation));

		names = add_to_array(names, table->schema);
		tables = add_to_array(tables, table->name);
		schemas[i] = (Schema)
		{
			.table = table,.quoted = quote_name(table->schema),.database = database,
				.fields = &fields[i],.key = check->id_type,
				.guess = check->empty && command.options->id_type == ID_UNKNOWN
		};
		table->target = psprintf("%s.%s", schemas[i].quoted, quote_name(table->name));
		relation->name = table->name;
		relation->target = table->target;
		/* arrays in views are a1, a2, ... */
		relation->from = psprintf("%s%s", table->target, *table->name == 'a' &&
								  table->name[1 + strspn(table->name + 1, "0123456789")] == '\0' ?
								  " AS documents" : "");
		*add_place(schemas[i].relations, schemas[i].count) = relation;
	}
	if (database->conn)
	{
		find_names(schemas, names);
		read_relations(database, names, tables, true);
	}
	for (int i = 0; i < count; i++)
	{
		if (schemas[i].left_out)
			find_table(&schemas[i]);
		if (!schemas[i].left_out)
			plan_schema(&schemas[i]);
	}
	choose_names(schemas, count);
	return schemas;
}

/* print_pre_data - print what the database lacks for the fields of the collections */
void
print_pre_data(Database *database, const Fields *fields)
{
	const Schema *schemas = plan_schemas(database, fields);
	const char *drops = "";
	const char *made;
	const char *columns;
	const char *done;

	begin_script(database, "Tables, columns and views for documents of MongoDB");
	for (int i = 0; i < command.count; i++)
	{
		if (i == 0 || strcmp(schemas[i].table->schema, schemas[i - 1].table->schema) != 0)
			emit_schema(&schemas[i]);
		emit_collection(&schemas[i]);
	}
	if (database->conn)
		drops = emit_drops(database);
	made = psprintf("%s, %s", count_of(table_count, "table"), count_of(view_count, "view"));
	columns = count_of(column_count, "column");
	done = script_is_empty() ? "nothing is missing" : psprintf("%s, %s%s", made, columns, drops);
	end_script(psprintf("%s%s", table_count + view_count > 0 ? made : columns, drops));
	pg_log_info("%s: %s%s%s%s",
				command.options->file ? command.options->file : "pre-data.sql", done,
				list_lines("Left out", "table", " that the application writes", IS_WRITTEN),
				list_lines("To choose", "field", " of several types", KEEPS_ALL),
				list_lines("Perhaps", "field", " of texts that are other values", TEXTS_ARE));
}
