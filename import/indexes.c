/*-------------------------------------------------------------------------
 *
 * indexes.c
 *	  The second section of the script: the indexes of MongoDB, and foreign
 *	  keys.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <math.h>

#include "schema.h"

/* a B-tree accepts no value of more than 2,704 bytes; as jsonb it has a header */
#define MAX_BTREE 2680

/* when a statement is right: always, while documents are the truth, or for tables of elements */
typedef enum Use
{
	COLUMNS, DOCUMENTS, ELEMENTS, USES
} Use;

/* the fields of an index that become one index here */
typedef struct Group
{
	int			table;
	Use			use;
	const char *method;
	int64		bytes;			/* of its values, at most */
	StringInfoData list;
} Group;

typedef struct IndexPlan
{
	const Schema *schema;
	const char *name;
	bool		unique;
	const char *why;			/* there is no equivalent; NULL: there is */
	StringInfoData filter;		/* a condition, or empty */
	Use			filter_use;
	Group	   *groups;
	int			count;
} IndexPlan;

/*
 * node_expression - a field of doc as an expression
 */
static char *
node_expression(const Node *node)
{
	char	   *parent;

	if (node->parent == NULL)
		return "doc";
	parent = node_expression(node->parent);
	return node->name ? psprintf("%s->%s", parent, quote_text(node->name)) : parent;
}

/*
 * find_node - the field of that path, also in arrays, or NULL
 *
 * *array is set to the first array on the way.
 */
static const Node *
find_node(const Node *node, const char *path, const Node **array)
{
	char	   *rest = pg_strdup(path);

	*array = NULL;
	for (char *step; node && (step = strsep(&rest, ".")) != NULL;)
	{
		while (node->element && node->seen[AN_OBJECT] == 0)
			node = node->element;
		node = find_field(node, step);
		if (node && node->seen[AN_ARRAY] > 0 && *array == NULL)
			*array = node;
	}
	return node;
}

/*
 * find_column - the column of a field, or of the elements of an array, in
 * any of the tables, or NULL
 */
static const Column *
find_column(const Schema *schema, const Node *node, int *table)
{
	for (*table = 0; node && *table < schema->count; ++*table)
	{
		const Relation *t = &schema->tables[*table];

		for (int i = 0; i < t->count; i++)
			if (is_column(&t->columns[i]) &&
				(t->columns[i].node == node || t->columns[i].node == node->element))
				return &t->columns[i];
	}
	*table = 0;
	return NULL;
}

static bool
is_array(const Column *column)
{
	return column->type[strlen(column->type) - 1] == ']';
}

/*
 * path_expression - a field of doc as an expression
 */
static char *
path_expression(const char *path)
{
	char	   *rest = pg_strdup(path);
	char	   *expression = "doc";

	for (char *step; (step = strsep(&rest, ".")) != NULL;)
		expression = psprintf("%s->%s", expression, quote_text(step));
	return expression;
}

/*
 * add_key - add a field to those of the last group, or to a new one
 */
static void
add_key(IndexPlan *index, int table, Use use, const char *method, int64 bytes, const char *key)
{
	Group	   *group;
	bool		btree = *method == '\0';

	/* a B-tree can have several fields of a table */
	for (int i = 0; i < index->count && btree; i++)
	{
		group = &index->groups[i];
		if (group->table != table || *group->method != '\0' || group->bytes + bytes > MAX_BTREE)
			continue;
		group->use = Max(group->use, use);
		group->bytes += bytes;
		appendStringInfo(&group->list, ", %s", key);
		return;
	}
	index->groups = pg_realloc(index->groups, ++index->count * sizeof(Group));
	group = &index->groups[index->count - 1];
	*group = (Group)
	{
		.table = table,.use = use,.method = method,.bytes = bytes
	};
	initStringInfo(&group->list);
	appendStringInfoString(&group->list, key);
}

/*
 * add_column_key - add a column to an index
 */
static void
add_column_key(IndexPlan *index, int table, const Column *column, bool descending, bool hashed)
{
	Use			use = table > 0 ? ELEMENTS : COLUMNS;
	int64		bytes = column->node->longest + 8;	/* a header */

	if (is_array(column))
		add_key(index, table, use, " USING gin", 0, column->quoted);
	else if (strcmp(column->type, "jsonb") == 0 && column->node->seen[AN_OBJECT] > 0)
		add_key(index, table, use, " USING gin", 0, psprintf("%s jsonb_path_ops", column->quoted));
	else if (hashed || bytes > MAX_BTREE)
		add_key(index, table, use, " USING hash", 0, column->quoted);
	else
		add_key(index, table, use, "", bytes,
				psprintf("%s%s", column->quoted, descending ? " DESC" : ""));
}

/*
 * add_field - add a field of an index of MongoDB
 *
 * A view has no index: its elements are found by an index of the documents.
 */
static void
add_field(IndexPlan *index, const char *path, bool descending, bool hashed)
{
	const char *order = descending ? " DESC" : "";
	const Node *array;
	const Node *node = find_node(index->schema->fields->root, path, &array);
	int			table;
	const Column *column = find_column(index->schema, node, &table);
	size_t		length = strlen(path);

	/* a header, and in jsonb binary values are base64 */
	int64		bytes = (node ? node->longest : 0) / 3 * 4 + 108;

	/* jsonb_path_ops has hashes of long values */
	if (column && is_array(column) && column->node->element->longest > MAX_BTREE)
		column = NULL;
	if (column && table > 0)
	{
		add_column_key(index, table, column, descending, hashed);
		column = NULL;
	}
	if (strcmp(path, "_id") == 0)
		add_key(index, 0, COLUMNS, hashed ? " USING hash" : "", bytes,
				hashed ? "_id" : psprintf("_id%s", order));
	else if (strcmp(path, "$**") == 0)
		add_key(index, 0, DOCUMENTS, " USING gin", 0, "doc jsonb_path_ops");
	else if (length > 4 && strcmp(path + length - 4, ".$**") == 0)
		add_key(index, 0, DOCUMENTS, " USING gin", 0,
				psprintf("(%s) jsonb_path_ops", path_expression(pnstrdup(path, length - 4))));
	else if (column)
		add_column_key(index, 0, column, descending, hashed);
	else if (array)
		add_key(index, 0, DOCUMENTS, " USING gin", 0,
				psprintf("(%s) jsonb_path_ops", node_expression(array)));
	else if (hashed || bytes > MAX_BTREE || (node && node->seen[AN_OBJECT] > 0))
		add_key(index, 0, DOCUMENTS, " USING hash", 0, psprintf("(%s)", path_expression(path)));
	else
		add_key(index, 0, DOCUMENTS, "", bytes, psprintf("(%s)%s", path_expression(path), order));
}

/*-------------------------------------------------------------------------
 * Filters of partial indexes
 *-------------------------------------------------------------------------
 */

/*
 * literal - a value of a filter as JSON, and its kind, or NULL
 */
static const char *
literal(const bson_iter_t *value, Kind *kind)
{
	double		number;

	switch (bson_iter_type(value))
	{
		case BSON_TYPE_UTF8:
			*kind = A_STRING;
			return quote_json(bson_iter_utf8(value, NULL));
		case BSON_TYPE_BOOL:
			*kind = A_BOOLEAN;
			return bson_iter_bool(value) ? "true" : "false";
		case BSON_TYPE_INT32:
		case BSON_TYPE_INT64:
			*kind = AN_INTEGER;
			return psprintf(INT64_FORMAT, bson_iter_as_int64(value));
		case BSON_TYPE_DOUBLE:
			number = bson_iter_double(value);
			*kind = A_DOUBLE;
			return isfinite(number) ? psprintf("%.17g", number) : NULL;
		default:
			return NULL;
	}
}

/*
 * add_condition - add a condition on a field to the filter of an index
 *
 * Returns false if there is no equivalent.
 */
static bool
add_condition(IndexPlan *index, const char *path, const char *operator, const bson_iter_t *value)
{
	static const char *const operators[][2] = {
		{"$eq", "="}, {"$gt", ">"}, {"$gte", ">="}, {"$lt", "<"}, {"$lte", "<="}
	};
	static const char *const types[KINDS] = {
		[AN_INTEGER] = "number",[A_DOUBLE] = "number",[A_BOOLEAN] = "boolean",[A_STRING] = "string"
	};
	StringInfo	filter = &index->filter;
	const Node *array;
	const Node *node = find_node(index->schema->fields->root, path, &array);
	int			table;
	const Column *column = find_column(index->schema, node, &table);
	const char *field;
	const char *text;
	Kind		kind;
	size_t		i = 0;

	if (array || !is_utf8(path))
		return false;
	if (column == NULL)
		index->filter_use = DOCUMENTS;
	field = column ? column->quoted : path_expression(path);
	if (filter->len > 0)
		appendStringInfoString(filter, " AND ");
	if (strcmp(operator, "$exists") == 0)
	{
		appendStringInfo(filter, "(%s) IS NOT NULL", field);
		return bson_iter_as_bool(value);
	}
	while (i < lengthof(operators) && strcmp(operator, operators[i][0]) != 0)
		i++;
	if (i == lengthof(operators) || (text = literal(value, &kind)) == NULL)
		return false;
	/* SQL compares text by its collation */
	if (kind == A_STRING && i > 0 && strcmp(text, "\"\"") != 0)
		return false;
	if (column == NULL)
		appendStringInfo(filter, "(%s) %s %s AND jsonb_typeof(%s) = '%s'", field,
						 operators[i][1], quote_text(text), field, types[kind]);
	else if (kind == A_STRING)
		appendStringInfo(filter, "%s %s %s", field, operators[i][1],
						 quote_text(bson_iter_utf8(value, NULL)));
	else
		appendStringInfo(filter, "%s %s %s", field, operators[i][1], text);
	/* the column has values of this type */
	return column == NULL ||
		(strcmp(column->type, "jsonb") != 0 &&
		 (column->node->seen[kind] > 0 || (strcmp(types[kind], "number") == 0 &&
										   column->node->seen[AN_INTEGER] + column->node->seen[A_DOUBLE] +
										   column->node->seen[A_DECIMAL] > 0)));
}

/*
 * add_filter - translate the filter of a partial index
 *
 * Returns false if a part of it has no equivalent.
 */
static bool
add_filter(IndexPlan *index, bson_iter_t *filter)
{
	bson_iter_t iter;
	bson_iter_t inside;

	if (!BSON_ITER_HOLDS_DOCUMENT(filter) && !BSON_ITER_HOLDS_ARRAY(filter))
		return false;
	if (!bson_iter_recurse(filter, &iter))
		return false;
	while (bson_iter_next(&iter))
	{
		const char *path = bson_iter_key(&iter);

		if (strcmp(path, "$and") == 0)
		{
			if (!BSON_ITER_HOLDS_ARRAY(&iter) || !bson_iter_recurse(&iter, &inside))
				return false;
			while (bson_iter_next(&inside))
				if (!add_filter(index, &inside))
					return false;
		}
		else if (*path == '$' || *path == '\0')
			return false;
		else if (!BSON_ITER_HOLDS_DOCUMENT(&iter))
		{
			if (!add_condition(index, path, "$eq", &iter))
				return false;
		}
		else if (!bson_iter_recurse(&iter, &inside))
			return false;
		else
			while (bson_iter_next(&inside))
				if (!add_condition(index, path, bson_iter_key(&inside), &inside))
					return false;
	}
	return true;
}

/*-------------------------------------------------------------------------
 * Indexes
 *-------------------------------------------------------------------------
 */

/*
 * print_statement - print a statement that is right only as long as the
 * table has documents, or from when on it is a table
 */
static void
print_statement(const Schema *schema, const Relation *relation, Use use, const char *statement)
{
	if (use == COLUMNS)
		emit("%s\n", statement);
	else
		emit("DO %s;\n",
			 dollar_quote(psprintf("BEGIN\n  IF pg_temp.%s(%s, %s) THEN\n    %s\n  END IF;\nEND\n",
								   use == DOCUMENTS ? "has_documents" : "is_table",
								   quote_text(schema->collection->table.schema),
								   quote_text(relation->name), statement), "if"));
}

/*
 * print_index - print the statements for an index, or a comment if there is
 * no equivalent
 */
static void
print_index(const IndexPlan *index, StringInfo names)
{
	const Schema *schema = index->schema;
	const char *path = psprintf("index %s, by " PROGRAM, printable(index->name));
	int			own = 0;		/* groups of the collection's table */

	if (index->why)
		emit("-- index %s is not translated: %s\n", printable(index->name), index->why);
	for (int i = 0; i < index->count; i++)
		own += index->groups[i].table == 0;
	for (int i = 0; i < index->count && index->why == NULL; i++)
	{
		const Group *group = &index->groups[i];
		const Relation *table = &schema->tables[group->table];
		const char *base = psprintf("%s_%s", table->name, index->name);
		int			n = 1;		/* of the indexes of the table */
		bool		unique = index->unique && own == 1 && group->table == 0 &&
		*group->method == '\0';
		char	   *name;
		const char *filter = index->filter.len == 0 || group->table > 0 ? "" :
		psprintf(" WHERE %s", index->filter.data);

		for (int j = 0; j < i; j++)
			n += index->groups[j].table == group->table;
		if (n > 1)
			base = psprintf("%s_%d", base, n);
		name = unique_name(base, base, schema->names);
		if (group->table == 0 && index->unique && !unique)
			emit("-- index %s is unique in MongoDB\n", printable(index->name));
		add_row(names, schema, name, "index", table->name, NULL, path);
		print_statement(schema, table, *filter ? Max(group->use, index->filter_use) : group->use,
						psprintf("CREATE %sINDEX IF NOT EXISTS %s ON %s%s (%s)%s;",
								 unique ? "UNIQUE " : "", quote_name(name), table->target,
								 group->method, group->list.data, filter));
	}
}

/*
 * print_ttl - the statement that replaces a TTL index
 */
static void
print_ttl(const IndexPlan *index, const char *path, double seconds)
{
	const Schema *schema = index->schema;
	const Node *array;
	const Node *node = find_node(schema->fields->root, path, &array);
	int			table;
	const Column *column = find_column(schema, node, &table);

	if (column == NULL || table > 0 || strcmp(column->type, "timestamptz") != 0)
		column = NULL;
	emit("-- index %s is a TTL index: let a job run\n-- DELETE FROM %s WHERE %s < now()"
		 " - interval '%.0f seconds';\n", printable(index->name), schema->tables->target,
		 column ? column->quoted : psprintf(EJSON_SQL "ejson_date(%s)", path_expression(path)),
		 seconds);
}

/*
 * translate_index - print an index of the metadata
 */
static void
translate_index(const Schema *schema, const bson_t *definition, StringInfo names)
{
	IndexPlan	index = {.schema = schema,.name = "index"};
	bson_iter_t iter;
	bson_iter_t key;

	initStringInfo(&index.filter);
	if (bson_iter_init_find(&iter, definition, "name") && BSON_ITER_HOLDS_UTF8(&iter))
		index.name = bson_iter_utf8(&iter, NULL);
	if (bson_iter_init_find(&iter, definition, "unique"))
		index.unique = bson_iter_as_bool(&iter);
	if (bson_iter_init_find(&iter, definition, "partialFilterExpression") &&
		!add_filter(&index, &iter))
		index.why = "it has a filter without an equivalent";
	if (bson_iter_init_find(&iter, definition, "collation"))
		index.why = "it has a collation";
	if (!bson_iter_init_find(&iter, definition, "key") || !BSON_ITER_HOLDS_DOCUMENT(&iter) ||
		!bson_iter_recurse(&iter, &key))
		index.why = "it has no key";
	while (index.why == NULL && bson_iter_next(&key))
	{
		const char *path = bson_iter_key(&key);
		bool		hashed = BSON_ITER_HOLDS_UTF8(&key) &&
		strcmp(bson_iter_utf8(&key, NULL), "hashed") == 0;

		if (!hashed && !BSON_ITER_HOLDS_NUMBER(&key))
			index.why = "it is of another kind";
		else if (!is_utf8(path) || *path == '\0')
			index.why = "it has no name that PostgreSQL accepts";
		else
			add_field(&index, path, !hashed && bson_iter_as_double(&key) < 0, hashed);
		if (index.why == NULL && bson_iter_init_find(&iter, definition, "expireAfterSeconds"))
			print_ttl(&index, path, bson_iter_as_double(&iter));
	}
	/* the primary key has this index */
	if (index.count == 1 && strcmp(index.groups->list.data, "_id") == 0)
		return;
	print_index(&index, names);
}

/*
 * print_options - name the options of a collection, which are not translated
 */
static void
print_options(const bson_t *metadata)
{
	bson_iter_t iter;
	bson_iter_t options;

	if (bson_iter_init_find(&iter, metadata, "options") && BSON_ITER_HOLDS_DOCUMENT(&iter) &&
		bson_iter_recurse(&iter, &options))
		while (bson_iter_next(&options))
			emit("-- The option \"%s\" of the collection is not translated.\n",
				 printable(bson_iter_key(&options)));
}

/*
 * print_indexes - print the indexes of a collection, and its options
 */
void
print_indexes(const Schema *schema, StringInfo names)
{
	const char *path = schema->collection->metadata;
	bson_t	   *metadata = path ? read_metadata(path) : NULL;
	bson_iter_t iter;
	bson_iter_t indexes;

	if (metadata == NULL)
		return;
	print_options(metadata);
	if (bson_iter_init_find(&iter, metadata, "indexes") && BSON_ITER_HOLDS_ARRAY(&iter) &&
		bson_iter_recurse(&iter, &indexes))
		while (bson_iter_next(&indexes))
		{
			uint32_t	length;
			const uint8_t *data;
			bson_t		definition;

			if (!BSON_ITER_HOLDS_DOCUMENT(&indexes))
				continue;
			bson_iter_document(&indexes, &length, &data);
			if (bson_init_static(&definition, data, length))
				translate_index(schema, &definition, names);
		}
	bson_destroy(metadata);
}

/*-------------------------------------------------------------------------
 * Foreign keys
 *-------------------------------------------------------------------------
 */

/*
 * key_kind - the kind of values that refer to keys of this type
 */
static Kind
key_kind(IdType type)
{
	static const Kind kinds[] = {
		[ID_OBJECTID] = AN_OBJECTID,[ID_TEXT] = A_STRING,[ID_BIGINT] = AN_INTEGER,
		[ID_UUID] = A_UUID,[ID_JSONB] = ANOTHER
	};

	return kinds[type];
}

/*
 * print_foreign_key - print the index and the foreign key for a column, and
 * the query for values without a target
 *
 * Small numbers can be equal to keys without being references, and so can
 * text that a document has twice.  A column that has to be chosen is a
 * comment, too.
 */
static void
print_foreign_key(const Schema *schemas, const Schema *schema, const Relation *table,
				  const Column *column, bool counts)
{
	const Node *node = column->node;
	const Schema *target = &schemas[node->target];
	bool		whole = node->found == node->sampled;
	bool		sure = whole && column->why == NULL && target->key != ID_BIGINT &&
	(target->key != ID_TEXT || target != schema);
	const char *name = quote_name(unique_name(shorten(psprintf("%s_%s", table->name,
															   column->name), "_idx"),
											  table->target, schema->names));
	const char *begin = sure ? "" : "-- ";

	emit("\n-- %s: ", printable(column->path));
	if (counts)
		emit("%d of %d sampled values have a target in %s.", node->found, node->sampled,
			 printable(target->tables->target));
	else
		emit("%s sampled values have a target in %s.", whole ? "all" : "not all",
			 printable(target->tables->target));
	emit("  Those without:\n-- SELECT %s, %s FROM %s AS t WHERE %s IS NOT NULL\n"
		 "--   AND NOT EXISTS (SELECT FROM %s AS r WHERE r._id = t.%s);\n",
		 table->level == 0 ? "_id" : schema->owner, column->quoted, table->target,
		 column->quoted, target->tables->target, column->quoted);
	print_statement(schema, table, table->level > 0 ? ELEMENTS : COLUMNS,
					psprintf("%sCREATE INDEX IF NOT EXISTS %s ON %s (%s);", begin, name,
							 table->target, column->quoted));
	emit("%sCALL pg_temp.add_foreign_key(%s, %s, %s, %s,\n%s  %s);\n", begin,
		 quote_text(schema->collection->table.schema), quote_text(table->name),
		 quote_text(shorten(psprintf("%s_%s", table->name, column->name), "_fkey")),
		 quote_text(column->path), begin,
		 quote_text(psprintf("FOREIGN KEY (%s) REFERENCES %s (_id)", column->quoted,
							 target->tables->target)));
}

/*
 * print_foreign_keys - print those of the tables of a collection
 */
void
print_foreign_keys(const Schema *schemas, const Schema *schema, bool counts)
{
	for (int i = 0; i < schema->count; i++)
	{
		const Relation *table = &schema->tables[i];

		for (int j = 0; j < table->count; j++)
		{
			const Column *column = &table->columns[j];
			const Schema *target = column->node->target < 0 ? NULL :
			&schemas[column->node->target];

			if (target && column->type && target->key != ID_JSONB &&
				strcmp(column->type, type_name(target->key)) == 0 &&
				column->node->seen[key_kind(target->key)] > 0)
				print_foreign_key(schemas, schema, table, column, counts);
		}
	}
}
