/*-------------------------------------------------------------------------
 *
 * indexes.c
 *	  The second section of the script: the indexes of MongoDB, and foreign
 *	  keys.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "schema.h"

/* a B-tree accepts no value of more than 2,704 bytes; as jsonb it has a header */
#define MAX_BTREE 2680

/* the fields of an index that become one index here */
typedef struct Group
{
	int			table;
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
		const ChildTable *t = &schema->tables[*table];

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
add_key(IndexPlan *index, int table, const char *method, int64 bytes, const char *key)
{
	Group	   *group;
	bool		btree = *method == '\0';

	/* a B-tree can have several fields of a table */
	for (int i = 0; i < index->count && btree; i++)
		if (index->groups[i].table == table && *index->groups[i].method == '\0' &&
			index->groups[i].bytes + bytes <= MAX_BTREE)
		{
			index->groups[i].bytes += bytes;
			appendStringInfo(&index->groups[i].list, ", %s", key);
			return;
		}
	index->groups = pg_realloc(index->groups, ++index->count * sizeof(Group));
	group = &index->groups[index->count - 1];
	group->table = table;
	group->method = method;
	group->bytes = bytes;
	initStringInfo(&group->list);
	appendStringInfoString(&group->list, key);
}

/*
 * add_field - add a field of an index of MongoDB
 */
static void
add_field(IndexPlan *index, const char *path, bool descending, bool hashed)
{
	const char *order = descending ? " DESC" : "";
	const Node *array;
	const Node *node = find_node(index->schema->fields->root, path, &array);
	int64		bytes = node ? node->longest : 0;
	int			table;
	const Column *column = find_column(index->schema, node, &table);
	size_t		length = strlen(path);

	/* jsonb_path_ops has hashes of long values */
	if (column && is_array(column) && column->node->element->longest > MAX_BTREE)
		column = NULL;
	/* a header, and in jsonb binary values are base64 */
	bytes = (column ? bytes : bytes / 3 * 4 + 100) + 8;
	if (strcmp(path, "_id") == 0)
		add_key(index, 0, hashed ? " USING hash" : "", bytes,
				hashed ? "_id" : psprintf("_id%s", order));
	else if (strcmp(path, "$**") == 0)
		add_key(index, 0, " USING gin", 0, "doc jsonb_path_ops");
	else if (length > 4 && strcmp(path + length - 4, ".$**") == 0)
		add_key(index, 0, " USING gin", 0, psprintf("(%s) jsonb_path_ops",
													path_expression(pnstrdup(path, length - 4))));
	else if (column && is_array(column))
		add_key(index, table, " USING gin", 0, column->quoted);
	else if (column && strcmp(column->type, "jsonb") == 0 && column->node->seen[AN_OBJECT] > 0)
		add_key(index, table, " USING gin", 0, psprintf("%s jsonb_path_ops", column->quoted));
	else if (column && (hashed || bytes > MAX_BTREE))
		add_key(index, table, " USING hash", 0, column->quoted);
	else if (column)
		add_key(index, table, "", bytes, psprintf("%s%s", column->quoted, order));
	else if (array)
		add_key(index, 0, " USING gin", 0, psprintf("(%s) jsonb_path_ops", node_expression(array)));
	else if (hashed || bytes > MAX_BTREE || (node && node->seen[AN_OBJECT] > 0))
		add_key(index, 0, " USING hash", 0, psprintf("(%s)", path_expression(path)));
	else
		add_key(index, 0, "", bytes, psprintf("(%s)%s", path_expression(path), order));
}

/*
 * print_index - print the statements for an index, or a comment if there is
 * no equivalent
 */
static void
print_index(const IndexPlan *index)
{
	const Schema *schema = index->schema;
	const char *base = psprintf("%s_%s", schema->tables->name, index->name);

	if (index->why)
		printf("-- index %s is not translated: %s\n", printable(index->name), index->why);
	for (int i = 0; i < index->count && index->why == NULL; i++)
	{
		const Group *group = &index->groups[i];
		const char *name = i == 0 ? base : psprintf("%s_%d", base, i + 1);
		bool		unique = index->unique && index->count == 1 && group->table == 0 &&
		*group->method == '\0';

		if (i == 0 && index->unique && !unique)
			printf("-- index %s is unique in MongoDB\n", printable(index->name));
		printf("CREATE %sINDEX IF NOT EXISTS %s ON %s%s (%s);\n", unique ? "UNIQUE " : "",
			   quote_name(unique_name(name, name, schema->names)),
			   schema->tables[group->table].target, group->method, group->list.data);
	}
}

/*
 * translate_index - print an index of the metadata
 */
static void
translate_index(const Schema *schema, const bson_t *definition)
{
	IndexPlan	index = {.schema = schema,.name = "index"};
	bson_iter_t iter;
	bson_iter_t key;

	if (bson_iter_init_find(&iter, definition, "name") && BSON_ITER_HOLDS_UTF8(&iter))
		index.name = bson_iter_utf8(&iter, NULL);
	if (bson_iter_init_find(&iter, definition, "unique"))
		index.unique = bson_iter_as_bool(&iter);
	if (bson_iter_init_find(&iter, definition, "expireAfterSeconds"))
		printf("-- index %s is a TTL index: let a job delete old documents\n",
			   printable(index.name));
	if (bson_iter_init_find(&iter, definition, "partialFilterExpression"))
		index.why = "it has a filter";
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
	}
	/* the primary key has this index */
	if (index.count == 1 && strcmp(index.groups->list.data, "_id") == 0)
		return;
	print_index(&index);
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
			printf("-- The option \"%s\" of the collection is not translated.\n",
				   printable(bson_iter_key(&options)));
}

/*
 * print_indexes - print the indexes of a collection, and its options
 */
void
print_indexes(const Schema *schema)
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
				translate_index(schema, &definition);
		}
	bson_destroy(metadata);
}

/*-------------------------------------------------------------------------
 * Foreign keys
 *-------------------------------------------------------------------------
 */

/*
 * may_be_key - has the column ids of other documents?
 */
static bool
may_be_key(const Column *column)
{
	return column->type && column->node->sampled > 0 && strcmp(column->type, OBJECTID_SQL) == 0;
}

static char *
key_name(const ChildTable *table, const Column *column)
{
	return quote_name(shorten(psprintf("%s_%s", table->name, column->name), "_fkey"));
}

/*
 * print_drop_foreign_keys - drop the foreign keys of the script, so that
 * the tables can be emptied and loaded in any order
 */
void
print_drop_foreign_keys(const Schema *schema)
{
	for (int i = 0; i < schema->count; i++)
	{
		const ChildTable *table = &schema->tables[i];
		bool		begun = false;

		for (int j = 0; j < table->count; j++)
		{
			if (!may_be_key(&table->columns[j]))
				continue;
			printf("%s DROP CONSTRAINT IF EXISTS %s",
				   begun ? "," : psprintf("ALTER TABLE %s", table->target),
				   key_name(table, &table->columns[j]));
			begun = true;
		}
		if (begun)
			printf(";\n");
	}
}

/*
 * print_foreign_key - print the index and the foreign key for a column, and
 * the query for ids without a target
 */
static void
print_foreign_key(const Schema *schemas, const Schema *schema, const ChildTable *table,
				  const Column *column, bool counts)
{
	const Node *node = column->node;
	const Schema *target = &schemas[node->target];
	bool		whole = node->found == node->sampled;
	const char *name = key_name(table, column);
	const char *add;

	printf("\n-- %s: ", column->path);
	if (counts)
		printf("%d of %d sampled ids have a target in %s.", node->found, node->sampled,
			   printable(target->tables->target));
	else
		printf("%s sampled ids have a target in %s.", whole ? "all" : "not all",
			   printable(target->tables->target));
	printf("  Those without:\n-- SELECT %s, %s FROM %s AS t WHERE %s IS NOT NULL\n"
		   "--   AND NOT EXISTS (SELECT FROM %s AS r WHERE r._id = t.%s);\n",
		   table->level == 0 ? "_id" : schema->owner, column->quoted, table->target,
		   column->quoted, target->tables->target, column->quoted);
	printf("CREATE INDEX IF NOT EXISTS %s ON %s (%s);\n",
		   quote_name(unique_name(shorten(psprintf("%s_%s", table->name, column->name), "_idx"),
								  table->target, schema->names)),
		   table->target, column->quoted);
	printf("ALTER TABLE %s DROP CONSTRAINT IF EXISTS %s;\n", table->target, name);
	add = psprintf("ALTER TABLE %s ADD CONSTRAINT %s FOREIGN KEY (%s) REFERENCES %s (_id);",
				   table->target, name, column->quoted, target->tables->target);
	if (!whole)
	{
		printf("-- %s\n", add);
		return;
	}
	printf("DO ");
	print_body(psprintf("BEGIN\n  %s\nEXCEPTION WHEN foreign_key_violation THEN\n"
						"  RAISE WARNING '%%', SQLERRM;\nEND\n", add));
	printf(";\n");
}

/*
 * print_foreign_keys - print those of the tables of a collection
 */
void
print_foreign_keys(const Schema *schemas, const Schema *schema, bool counts)
{
	for (int i = 0; i < schema->count; i++)
	{
		const ChildTable *table = &schema->tables[i];

		for (int j = 0; j < table->count; j++)
		{
			const Column *column = &table->columns[j];

			if (is_column(column) && may_be_key(column) && column->node->target >= 0 &&
				strcmp(schemas[column->node->target].key, OBJECTID_SQL) == 0)
				print_foreign_key(schemas, schema, table, column, counts);
		}
	}
}
