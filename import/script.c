/*-------------------------------------------------------------------------
 *
 * script.c
 *	  Prints the schema that is in the documents as statements for review.
 *
 * Columns are stored generated columns, so they follow their documents.  Child
 * tables do, too, by statement triggers: a function for each gives the rows of a
 * document, in the triggers, in the statement that fills the table, and in the
 * query that compares it with the documents.  The bodies of SQL functions are
 * bound when they are created, so no search_path leads them to others.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "schema.h"

#include "check_names.inc"
#include "ejson.inc"
#include "read_once.inc"

/*
 * suffixed - the name of a function of a table, qualified
 */
static char *
suffixed(const Schema *schema, const char *table, const char *suffix)
{
	return qualify(schema, shorten(table, suffix));
}

static bool
has_columns(const ChildTable *table)
{
	return table->count > 0 && is_column(&table->columns[table->count - 1]);
}

/*
 * list_positions - the columns of a child table that say where in its arrays
 * an element is, each after a prefix
 */
static char *
list_positions(const ChildTable *table, const char *prefix, const char *suffix)
{
	StringInfoData out;

	/* as the name of a result, it is a keyword */
	initStringInfo(&out);
	appendStringInfo(&out, *suffix ? ", %s\"position\"%s" : ", %sposition%s", prefix, suffix);
	for (int i = 2; i <= table->level; i++)
		appendStringInfo(&out, ", %sposition%d%s", prefix, i, suffix);
	return out.data;
}

/*
 * list_columns - the columns of a child table, each after a prefix and, if
 * "typed", before its type
 */
static char *
list_columns(const Schema *schema, const ChildTable *table, const char *prefix, bool typed)
{
	StringInfoData out;

	initStringInfo(&out);
	appendStringInfo(&out, "%s%s%s%s%s", prefix, schema->owner, typed ? " " : "",
					 typed ? schema->key : "",
					 list_positions(table, prefix, typed ? " integer" : ""));
	for (int i = 0; i < table->count; i++)
		if (is_column(&table->columns[i]))
			appendStringInfo(&out, ", %s%s%s%s", prefix, table->columns[i].quoted,
							 typed ? " " : "", typed ? table->columns[i].type : "");
	return out.data;
}

/*
 * list_values - the columns of a table, each after a prefix, or the
 * expressions that make them
 */
static char *
list_values(const ChildTable *table, const char *prefix, bool expressions)
{
	StringInfoData out;

	initStringInfo(&out);
	for (int i = 0; i < table->count; i++)
	{
		const Column *c = &table->columns[i];

		if (is_column(c))
			appendStringInfo(&out, "%s%s%s", out.len > 0 ? ", " : "", expressions ? "" : prefix,
							 expressions ? c->expression : c->quoted);
	}
	return out.data;
}

/*
 * print_check_columns - warn if columns are others than those of the script
 */
static void
print_check_columns(const ChildTable *table)
{
	StringInfoData names;
	StringInfoData types;

	initStringInfo(&names);
	initStringInfo(&types);
	for (int i = 0; i < table->count; i++)
	{
		const Column *c = &table->columns[i];
		const char *before = names.len > 0 ? ", " : "";

		if (c->type == NULL || c->why)
			continue;
		appendStringInfo(&names, "%s%s", before, quote_text(c->name));
		appendStringInfo(&types, "%s'%s'", before, strcmp(c->type, OBJECTID_SQL) == 0 ?
						 id_type_names[ID_OBJECTID] : c->type);
	}
	printf("CALL pg_temp.check_columns(%s, %s, ARRAY[%s],\n  ARRAY[%s]);\n",
		   quote_text(table->target), table->level == 0 ? "true" : "false", names.data,
		   types.data);
}

/*
 * print_columns - the statement that adds the columns of a table; those
 * that are comments come first, so that each of the others can follow them
 */
static void
print_columns(const ChildTable *table, bool counts)
{
	bool		generated = table->level == 0;
	bool		begun = false;

	for (int i = 0; i < table->count; i++)
	{
		const Column *c = &table->columns[i];
		bool		last = i == table->count - 1 && c->why == NULL;
		const char *kinds = counts || c->why ? psprintf(": %s", list_kinds(c->node, counts)) : "";
		const char *made = !generated ? "" :
		psprintf(" GENERATED ALWAYS AS (%s) STORED", c->expression);

		if (c->type == NULL)
		{
			printf("-- %s%s: %s\n", c->path, kinds, c->why);
			continue;
		}
		if (!begun)
			printf("ALTER TABLE %s%s\n", table->target,
				   generated && has_columns(table) ? " :read_once" : "");
		begun = true;
		printf("%s  ADD COLUMN IF NOT EXISTS %s %s%s%s -- %s%s%s%s\n", c->why ? "--" : "",
			   c->quoted, c->type, made, last ? ";" : ",", c->path, kinds,
			   c->why ? "; " : "", c->why ? c->why : "");
	}
	/* what a choice can stand before */
	if (begun && !has_columns(table))
		printf("  ALTER doc SET NOT NULL;\n");
	if (has_columns(table))
		print_check_columns(table);
}

/*
 * print_table - the table of a collection, or one of its child tables
 */
static void
print_table(const Schema *schema, const ChildTable *table, bool counts)
{
	if (table->level > 0)
		printf("\n-- %s\nCREATE TABLE IF NOT EXISTS %s (%s %s%s,\n  PRIMARY KEY (%s%s));\n",
			   table->path, table->target, schema->owner, schema->key,
			   list_positions(table, "", " integer"), schema->owner,
			   list_positions(table, "", ""));
	else
	{
		printf("CREATE TABLE IF NOT EXISTS %s (_id %s PRIMARY KEY, doc jsonb NOT NULL);\n",
			   table->target, schema->key);
		if (has_columns(table))
			printf("SELECT pg_temp.read_once(%s) \\gset\n", quote_text(table->target));
	}
	print_columns(table, counts);
}

/*
 * print_rows_of - the function that gives the rows of a document for a child table
 */
static void
print_rows_of(const Schema *schema, const ChildTable *table)
{
	const char *values = list_values(table, "", true);

	/*
	 * pg_dump needs names of all parameters, and no column has capitals in
	 * its name
	 */
	printf("CREATE FUNCTION %s(\"KEY\" %s, \"DOC\" jsonb)\n  RETURNS TABLE (%s)\n"
		   "  LANGUAGE sql IMMUTABLE PARALLEL SAFE\nBEGIN ATOMIC\n  SELECT $1",
		   suffixed(schema, table->name, "_of"), schema->key,
		   list_columns(schema, table, "", true));
	for (int i = 1; i <= table->level; i++)
		printf(", a%d.position::integer", i);
	printf("%s%s\n  FROM ", *values ? ", " : "", values);
	for (int i = 1; i <= table->level; i++)
	{
		const ChildTable *level = table;
		const char *array;

		while (level->level > i)
			level = &schema->tables[level->parent];
		array = i > 1 ? level->array : psprintf("$2%s", level->array + strlen("doc"));
		printf("%sjsonb_array_elements(CASE jsonb_typeof(%s) WHEN 'array' THEN %s END)\n"
			   "      WITH ORDINALITY AS a%d (element, position)", i > 1 ? ",\n    " : "", array,
			   array, i);
	}
	printf(";\nEND;\n");
}

/*
 * list_keys - the columns of the primary key of a child table, each after a prefix
 */
static char *
list_keys(const Schema *schema, const ChildTable *table, const char *prefix)
{
	return psprintf("%s%s%s", prefix, schema->owner, list_positions(table, prefix, ""));
}

/*
 * documents_of - the documents of the collection, or those of a condition,
 * as an item of FROM
 *
 * The concatenation, in a subquery of its own, decompresses each document
 * once, and not for each expression.
 */
static char *
documents_of(const Schema *schema, const char *columns, const char *condition)
{
	return psprintf("(SELECT _id, doc || '{}' AS doc%s FROM %s%s OFFSET 0)", columns,
					schema->tables->target, condition);
}

/*
 * print_comparison - the query that compares a table with the documents
 *
 * Rows are compared as text: pg_dump cannot qualify the operators of
 * IS DISTINCT FROM, and a join has at most 1,664 columns.
 */
static void
print_comparison(const Schema *schema, const ChildTable *table)
{
	printf("  SELECT %s::text, r.result, count(*),\n"
		   "    (array_agg(r.key) FILTER (WHERE r.result <> 'equal'))[1:10]\n  FROM (\n",
		   quote_text(table->target));
	if (table->level == 0)
	{
		const char *values = list_values(table, "", false);

		printf("    SELECT CASE WHEN ROW(%s)::text\n      <> ROW(%s)::text\n"
			   "      THEN 'differ' ELSE 'equal' END AS result, _id::text AS key\n    FROM %s AS m",
			   values, list_values(table, "", true),
			   documents_of(schema, psprintf(", %s", values), ""));
	}
	else
	{
		printf("    SELECT CASE WHEN c.%s IS NULL THEN 'missing' WHEN e.%s IS NULL THEN 'extra'\n"
			   "      WHEN c.\"ROW\" <> e.\"ROW\" THEN 'differ' ELSE 'equal' END AS result,\n"
			   "      CASE WHEN c.%s IS NULL THEN concat_ws(' ', %s)\n"
			   "      ELSE concat_ws(' ', %s) END AS key\n"
			   "    FROM (SELECT %s, ROW(%s)::text AS \"ROW\" FROM %s) AS c\n", schema->owner,
			   schema->owner, schema->owner, list_keys(schema, table, "e."),
			   list_keys(schema, table, "c."), list_keys(schema, table, ""),
			   list_values(table, "", false), table->target);
		printf("      FULL JOIN (SELECT %s, ROW(%s)::text AS \"ROW\"\n"
			   "        FROM %s AS m, %s(m._id, m.doc) AS e) AS e\n      ON c.%s %s e.%s",
			   list_keys(schema, table, "e."), list_values(table, "e.", false),
			   documents_of(schema, "", ""), suffixed(schema, table->name, "_of"), schema->owner,
			   schema->equals, schema->owner);
		for (int i = 1; i <= table->level; i++)
			printf(i == 1 ? " AND c.position = e.position" :
				   " AND c.position%d = e.position%d", i, i);
	}
	printf("\n  ) AS r GROUP BY r.result\n");
}

/*
 * print_compare - the function that compares all columns and child tables
 * with the documents: a query for each table
 */
static void
print_compare(const Schema *schema)
{
	bool		first = true;

	printf("CREATE FUNCTION %s()\n"
		   "  RETURNS TABLE (relation text, result text, rows bigint, first_keys text[])\n"
		   "  LANGUAGE sql STABLE SET jit = off\nBEGIN ATOMIC\n",
		   suffixed(schema, schema->tables->name, "_compare"));
	for (int i = 0; i < schema->count; i++)
	{
		if (i == 0 && !has_columns(schema->tables))
			continue;
		if (!first)
			printf("  UNION ALL\n");
		print_comparison(schema, &schema->tables[i]);
		first = false;
	}
	printf("  ;\nEND;\n");
}

/*
 * list_children - the child tables of a collection
 */
static char *
list_children(const Schema *schema)
{
	StringInfoData out;

	initStringInfo(&out);
	for (int i = 1; i < schema->count; i++)
		appendStringInfo(&out, "%s%s", i > 1 ? ", " : "", schema->tables[i].target);
	return out.data;
}

/*
 * append_inserts - the statements that fill the child tables from the
 * documents of the collection, or those of a condition
 */
static void
append_inserts(StringInfo out, const Schema *schema, const char *condition)
{
	for (int i = 1; i < schema->count; i++)
	{
		const ChildTable *table = &schema->tables[i];

		appendStringInfo(out, "  INSERT INTO %s (%s)\n"
						 "    SELECT c.* FROM %s AS m,\n      %s(m._id, m.doc) AS c;\n",
						 table->target, list_columns(schema, table, "", false),
						 documents_of(schema, "", condition),
						 suffixed(schema, table->name, "_of"));
	}
}

/*
 * print_triggers - what makes child tables follow their documents
 */
static void
print_triggers(const Schema *schema)
{
	static const struct
	{
		const char *event;
		const char *rows;
	}			triggers[] = {
		{"INSERT", " REFERENCING NEW TABLE AS new_rows"},
		{"UPDATE", " REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows"},
		{"DELETE", " REFERENCING OLD TABLE AS old_rows"},
		{"TRUNCATE", ""}
	};
	static const char *const rows[][2] = {
		{"INSERT", "SELECT _id FROM new_rows"},
		{"UPDATE", "SELECT _id FROM old_rows UNION SELECT _id FROM new_rows"},
		{"DELETE", "SELECT _id FROM old_rows"}
	};
	const char *table = schema->tables->name;
	const char *follow = suffixed(schema, table, "_follow");
	const char *refresh = suffixed(schema, table, "_refresh");
	StringInfoData body;

	initStringInfo(&body);
	for (int i = 1; i < schema->count; i++)
		appendStringInfo(&body, "  DELETE FROM %s WHERE %s %s ANY ($1);\n",
						 schema->tables[i].target, schema->owner, schema->equals);
	append_inserts(&body, schema, psprintf(" WHERE _id %s ANY ($1)", schema->equals));
	printf("CREATE OR REPLACE FUNCTION %s(%s[]) RETURNS void LANGUAGE sql\nBEGIN ATOMIC\n%sEND;\n",
		   refresh, schema->key, body.data);
	resetStringInfo(&body);
	appendStringInfoString(&body, "DECLARE\n  batch record;\n"
						   "  old_snapshot boolean := current_setting('transaction_isolation') <> "
						   "'read committed';\nBEGIN\n  IF TG_OP = 'TRUNCATE' THEN\n");
	for (int i = 1; i < schema->count; i++)
		appendStringInfo(&body, "    IF EXISTS (SELECT FROM %1$s) OR old_snapshot THEN\n"
						 "      TRUNCATE %1$s;\n    END IF;\n", schema->tables[i].target);
	for (size_t i = 0; i < lengthof(rows); i++)
		appendStringInfo(&body, "  ELSIF TG_OP = '%s' THEN\n"
						 "    FOR batch IN SELECT array_agg(_id) AS ids FROM (\n"
						 "      SELECT _id, row_number() OVER () / 100000 AS n FROM (%s) AS r\n"
						 "    ) AS r GROUP BY n LOOP\n"
						 "      PERFORM %s(batch.ids);\n    END LOOP;\n",
						 rows[i][0], rows[i][1], refresh);
	appendStringInfoString(&body, "  END IF;\n  RETURN NULL;\nEND\n");
	printf("CREATE OR REPLACE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER\n"
		   "  SET search_path = pg_catalog, pg_temp SET jit = off AS ", follow);
	print_body(body.data);
	printf(";\nREVOKE ALL ON FUNCTION %s(), %s(%s[]) FROM PUBLIC;\n", follow, refresh, schema->key);
	for (size_t i = 0; i < lengthof(triggers); i++)
		printf("CREATE OR REPLACE TRIGGER objectid_import_follow_%s AFTER %s ON %s\n"
			   " %s FOR EACH STATEMENT EXECUTE FUNCTION %s();\n", snake_case(triggers[i].event),
			   triggers[i].event, schema->tables->target, triggers[i].rows, follow);
}

/*
 * print_fill - fill the child tables from the documents that are loaded,
 * unless they are right
 */
static void
print_fill(const Schema *schema)
{
	StringInfoData body;

	initStringInfo(&body);
	appendStringInfoString(&body, "BEGIN\n  IF NOT (false");
	for (int i = 1; i < schema->count; i++)
		appendStringInfo(&body, "\n      OR EXISTS (SELECT FROM %s)", schema->tables[i].target);
	appendStringInfo(&body, ")\n      OR EXISTS (SELECT FROM %s() WHERE result <> 'equal' AND "
					 "relation <> %s) THEN\n    TRUNCATE %s;\n",
					 suffixed(schema, schema->tables->name, "_compare"),
					 quote_text(schema->tables->target), list_children(schema));
	append_inserts(&body, schema, "");
	appendStringInfoString(&body, "  END IF;\nEND\n");
	printf("DO ");
	print_body(body.data);
	printf(";\n");
}

/*
 * print_drop_functions - drop the functions whose columns may have changed
 */
static void
print_drop_functions(const Schema *schema)
{
	printf("DROP FUNCTION IF EXISTS %s();\nDROP FUNCTION IF EXISTS %s(%s[]);\n",
		   suffixed(schema, schema->tables->name, "_compare"),
		   suffixed(schema, schema->tables->name, "_refresh"), schema->key);
	for (int i = 1; i < schema->count; i++)
		printf("DROP FUNCTION IF EXISTS %s(%s, jsonb);\n",
			   suffixed(schema, schema->tables[i].name, "_of"), schema->key);
}

/*
 * print_collection - the first section of a collection
 */
static void
print_collection(const Schema *schema, bool counts)
{
	StringInfoData types;

	initStringInfo(&types);
	printf("\n\n-- %s\n", printable(schema->tables->target));
	for (IdType type = 0; type < ID_TYPES; type++)
		if (schema->fields->keys[type] > 0)
			appendStringInfo(&types, "%s%s", types.len > 0 ? ", " : "", id_type_names[type]);
	if (strchr(types.data, ','))
		printf("-- _id has several types: %s\n", types.data);
	if (counts)
		printf("-- " INT64_FORMAT " documents\n", schema->fields->documents);
	print_drop_functions(schema);
	print_table(schema, schema->tables, counts);
	for (int i = 1; i < schema->count; i++)
		print_table(schema, &schema->tables[i], counts);
	print_drop_foreign_keys(schema);
	if (schema->count > 1)
		printf("\n-- Child tables follow %s, whoever writes to it, but not: writes that name\n"
			   "-- one of its partitions; on a subscriber (publish the child tables, too); with\n"
			   "-- session_replication_role = replica; pg_restore -a without --disable-triggers.\n"
			   "-- objectid-import --verify finds what is stale.\n",
			   printable(schema->tables->target));
	for (int i = 1; i < schema->count; i++)
		print_rows_of(schema, &schema->tables[i]);
	if (schema->count > 1)
		print_triggers(schema);
	if (schema->count > 1 || has_columns(schema->tables))
		print_compare(schema);
	if (schema->count > 1)
		print_fill(schema);
}

/*
 * print_check - check what the names of the script stand for
 */
static void
print_check(const Schema *schemas, int count, bool pre_data)
{
	const char *at;
	const char *rest = check_names_sql;
	StringInfoData body;
	StringInfoData lists[3];	/* tables, functions, child tables */
	StringInfo	tables = &lists[0];
	StringInfo	functions = &lists[1];
	StringInfo	children = &lists[2];

	for (int i = 0; i < 3; i++)
		initStringInfo(&lists[i]);
	for (int n = 0; n < count; n++)
	{
		const Schema *schema = &schemas[n];
		const char *name = quote_text(schema->collection->table.schema);
		static const char *const suffixes[] = {"_compare", "_follow", "_refresh"};

		for (size_t i = 0; i < lengthof(suffixes); i++)
			appendStringInfo(functions, "%s(%s, %s)", n + i > 0 ? ",\n    " : "", name,
							 quote_text(shorten(schema->tables->name, suffixes[i])));
		for (int i = 0; i < schema->count; i++)
		{
			const ChildTable *t = &schema->tables[i];
			const char *keys = psprintf("%s%s", schema->owner_name, list_positions(t, "", ""));

			appendStringInfo(tables, "%s(%s, %s)", n + i > 0 ? ",\n    " : "",
							 quote_text(t->target), i == 0 ? "NULL::text[]" :
							 psprintf("string_to_array(%s, ', ')", quote_text(keys)));
			if (i == 0)
				continue;
			appendStringInfo(functions, ",\n    (%s, %s)", name,
							 quote_text(shorten(t->name, "_of")));
			if (pre_data)
				appendStringInfo(children, "%s(%s, %s)", children->len > 0 ? ",\n      " : "",
								 quote_text(schema->tables->target), quote_text(t->target));
		}
	}
	if (children->len == 0)
		appendStringInfoString(children, "(NULL::text, NULL::text)");
	initStringInfo(&body);
	for (int i = 0; (at = strchr(rest, '@')) != NULL; rest = at + 1)
		appendStringInfo(&body, "%.*s%s", (int) (at - rest), rest, lists[i++].data);
	appendStringInfoString(&body, rest);
	printf("DO ");
	print_body(body.data);
	printf(";\n\n");
}

/*-------------------------------------------------------------------------
 * Without documents
 *-------------------------------------------------------------------------
 */

/*
 * removal - the end of an expression, which removes the value of a column
 * from its document, if the column has all of it
 */
static char *
removal(const Column *c, const char *column)
{
	const char *same = "";

	/* an element that became NULL was null before */
	if (c->type[strlen(c->type) - 1] == ']')
		same = psprintf(" AND cardinality(array_positions(%s, NULL))"
						" = jsonb_array_length(jsonb_path_query_array(%s, '$[*] ? (@ == null)'))",
						column, c->value);
	return psprintf("#- CASE WHEN %s IS NOT NULL%s OR %s = 'null' THEN ARRAY[%s] ELSE '{}' END",
					column, same, c->value, c->steps);
}

/*
 * whole_array - a condition: is all of an array in its child table, and in
 * those of the arrays in it?
 */
static char *
whole_array(const Schema *schema, int n)
{
	const ChildTable *t = &schema->tables[n];
	const char *element = psprintf("a%d.element", t->level);
	StringInfoData out;
	StringInfoData rest;
	const char *value = NULL;

	initStringInfo(&out);
	initStringInfo(&rest);
	appendStringInfo(&out, "jsonb_typeof(%s) = 'array' AND %s <> '[]' AND NOT EXISTS (\n"
					 "    SELECT FROM jsonb_array_elements("
					 "CASE jsonb_typeof(%s) WHEN 'array' THEN %s END) AS a%d (element)\n"
					 "    WHERE CASE jsonb_typeof(%s) WHEN 'null' THEN false",
					 t->array, t->array, t->array, t->array, t->level, element);
	for (int i = 0; i < t->count; i++)
	{
		const Column *c = &t->columns[i];

		if (!is_column(c) || !c->whole)
			continue;
		if (c->node == t->node)
			value = c->expression;
		else
			appendStringInfo(&rest, "\n      %s", removal(c, c->expression));
	}
	for (int i = n + 1; i < schema->count && value == NULL; i++)
	{
		const char *steps = schema->tables[i].steps;

		if (schema->tables[i].parent != n)
			continue;
		if (*steps)
			appendStringInfo(&rest, "\n      #- CASE WHEN %s THEN ARRAY[%s] ELSE '{}' END",
							 whole_array(schema, i), steps);
		else
			appendStringInfo(&out, " WHEN 'array' THEN NOT (%s)", whole_array(schema, i));
	}
	if (value)
		appendStringInfo(&out, " ELSE %s IS NULL END)", value);
	else
		appendStringInfo(&out, "\n      WHEN 'object' THEN (%s%s) <> '{}' ELSE true END)", element,
						 rest.data);
	return out.data;
}

/*
 * is_required - has each document a value in this column?
 */
static bool
is_required(const Schema *schema, const Column *column)
{
	const Node *node = column->node;

	return is_column(column) && !node->unfit && node->present == schema->fields->documents &&
		node->seen[A_NULL] + node->seen[AN_OBJECT] + node->seen[AN_ARRAY] == 0;
}

/*
 * print_plain_columns - make the columns of the collection's table plain ones
 */
static void
print_plain_columns(const Schema *schema)
{
	const ChildTable *table = schema->tables;

	printf("ALTER TABLE %s\n", table->target);
	for (int i = 0; i < table->count; i++)
	{
		const Column *c = &table->columns[i];

		if (c->type && (c->why == NULL || i == 0 || c->name != table->columns[i - 1].name))
			printf("%s  ALTER %s DROP EXPRESSION IF EXISTS%s,\n", c->why ? "--" : "", c->quoted,
				   is_required(schema, c) ?
				   psprintf(", ALTER %s SET NOT NULL", c->quoted) : "");
	}
	if (strcmp(schema->key, OBJECTID_SQL) == 0)
		printf("  ALTER _id SET DEFAULT :ids.gen_objectid(),\n");
	else if (strcmp(schema->key, id_type_names[ID_UUID]) == 0)
		printf("  ALTER _id SET DEFAULT gen_random_uuid(),\n");
	printf("  ALTER doc DROP NOT NULL;\n");
}

/*
 * print_rest - keep in doc only what has no column, and no child table
 */
static void
print_rest(const Schema *schema)
{
	const ChildTable *table = schema->tables;

	printf("UPDATE %s SET doc = nullif(doc - '_id'\n", table->target);
	for (int i = 0; i < table->count; i++)
	{
		const Column *c = &table->columns[i];

		if (c->type && c->whole &&
			(c->why == NULL || i == 0 || c->name != table->columns[i - 1].name))
			printf("%s  %s\n", c->why ? "--" : "", removal(c, c->quoted));
	}
	for (int i = 1; i < schema->count; i++)
		if (schema->tables[i].level == 1)
			printf("  #- CASE WHEN %s\n    THEN ARRAY[%s] ELSE '{}' END\n", whole_array(schema, i),
				   schema->tables[i].steps);
	printf("  , '{}');\n");
}

/*
 * print_without_documents - make the columns and child tables plain, which
 * do not follow the documents any more
 */
static void
print_without_documents(const Schema *schema)
{
	static const char *const events[] = {"insert", "update", "delete", "truncate"};
	const char *table = schema->tables->name;

	printf("\n\n-- %s\n", printable(schema->tables->target));
	for (size_t i = 0; i < lengthof(events); i++)
		printf("DROP TRIGGER IF EXISTS objectid_import_follow_%s ON %s;\n", events[i],
			   schema->tables->target);
	printf("DROP FUNCTION IF EXISTS %s();\n", suffixed(schema, table, "_follow"));
	print_drop_functions(schema);
	print_plain_columns(schema);
	print_rest(schema);
}

/*-------------------------------------------------------------------------
 * The script
 *-------------------------------------------------------------------------
 */

/*
 * print_head - what the script is, and how it is run
 */
static void
print_head(const char *purpose)
{
	printf("-- %s, made by " PROGRAM " from documents of MongoDB, for review.\n"
		   "--     psql -d mydb -1 -f FILE\n"
		   "\\encoding UTF8\n\\set ON_ERROR_STOP on\n"
		   "SET client_min_messages = warning;\nSET jit = off;\n", purpose);
}

/*
 * print_names - the statements of ejson.sql that find its schema and that of
 * the type objectid, or the one at the end, after which names are found as before
 */
static void
print_names(bool end)
{
	const char *create = strstr(ejson_sql, "CREATE ");
	const char *restore = strstr(ejson_sql, "SELECT set_config");

	if (end)
		printf("\n\n%s", restore);
	else
		printf("%.*s", (int) (create - ejson_sql), ejson_sql);
}

/*
 * print_pre_data - schemas, tables, columns and child tables
 */
static void
print_pre_data(const Schema *schemas, int count, bool counts)
{
	print_head("Tables, columns and child tables");
	print_check(schemas, count, true);
	fputs(ejson_sql, stdout);
	print_names(false);
	fputs(read_once_sql, stdout);
	for (int i = 0; i < count; i++)
		if (i == 0 || strcmp(schemas[i].name, schemas[i - 1].name) != 0)
			printf("CREATE SCHEMA IF NOT EXISTS %s;\n", schemas[i].name);
	for (int i = 0; i < count; i++)
		print_collection(&schemas[i], counts);
	print_names(true);
}

/*
 * list_names - the names that the tables of a dump have in a schema
 */
static SimpleStringList *
list_names(const Collection *collections, int count, const char *schema)
{
	SimpleStringList *names = pg_malloc0(sizeof(SimpleStringList));

	simple_string_list_append(names, "objectid_import");
	for (int i = 0; i < count; i++)
	{
		const Table *table = &collections[i].table;

		if (strcmp(table->schema, schema) != 0)
			continue;
		simple_string_list_append(names, table->name);
		simple_string_list_append(names, table->side_name);
	}
	return names;
}

/*
 * print_script - print the schema that is in the fields of the collections
 */
void
print_script(const Options *options, const Collection *collections, Fields *fields, int count)
{
	const char *section = options->section;
	Schema	   *schemas = pg_malloc0(count * sizeof(Schema));

	for (int i = 0; i < count; i++)
	{
		const char *schema = collections[i].table.schema;

		schemas[i].collection = &collections[i];
		schemas[i].fields = &fields[i];
		/* collections are sorted by schema */
		if (i > 0 && strcmp(schema, collections[i - 1].table.schema) == 0)
			schemas[i].names = schemas[i - 1].names;
		else
			schemas[i].names = list_names(collections, count, schema);
		plan_schema(&schemas[i], options->load.id_type);
	}
	if (options->without_documents)
	{
		print_head("Plain columns and tables");
		print_check(schemas, count, false);
		print_names(false);
		for (int i = 0; i < count; i++)
			print_without_documents(&schemas[i]);
		print_names(true);
		return;
	}
	if (section == NULL || strcmp(section, "pre-data") == 0)
		print_pre_data(schemas, count, options->verbose);
	if (section && strcmp(section, "pre-data") == 0)
		return;
	print_head("Indexes and foreign keys");
	print_check(schemas, count, false);
	print_names(false);
	for (int i = 0; i < count; i++)
	{
		printf("\n\n-- %s\n", printable(schemas[i].tables->target));
		print_indexes(&schemas[i]);
		print_foreign_keys(schemas, &schemas[i], options->verbose);
	}
	print_names(true);
}
