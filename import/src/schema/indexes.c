/*-------------------------------------------------------------------------
 *
 * indexes.c
 *	  The second section of the script: the indexes of MongoDB, and foreign keys.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <math.h>

#include "common/shortest_dec.h"
#include "import_compat.h"
#include "model.h"
#include "names.h"
#include "render.h"

/* a B-tree accepts no value of more than 2,704 bytes; as jsonb it has a header */
#define MAX_BTREE 2680

/* when a statement is right: always, while documents are the truth, or for tables of elements */
typedef enum Use
{
	COLUMNS, DOCUMENTS, ELEMENTS
} Use;

/* the fields of an index that become one index here */
typedef struct Group
{
	int			table;
	Use			use;
	const char *method;
	int64		bytes;			/* of its values, at most */
	const char *list;
} Group;

/* a field, also in arrays */
typedef struct Found
{
	const Node *node;			/* NULL: no document has it */
	size_t		array;			/* length of the path of the first array */
	const Column *column;		/* of its values, or of elements, or NULL */
	int			table;			/* that has it */
} Found;

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

/* find the field of a path, and its column, in any of the tables */
static Found
find_path(const Schema *schema, const char *path)
{
	const Node *node = schema->fields->root;
	char	   *copy = pg_strdup(path);
	char	   *rest = copy;
	Found		found = {0};

	for (char *step; node && (step = strsep(&rest, ".")) != NULL;)
	{
		while (node->element && node->seen[AN_OBJECT] == 0)
			node = node->element;
		node = find_field(node, step);
		if (node && node->seen[AN_ARRAY] > 0 && found.array == 0)
			found.array = step + strlen(step) - copy;
	}
	found.node = node;
	for (int i = 0; i < schema->count && node; i++)
		for (int j = 0; j < schema->tables[i].count; j++)
		{
			const Column *column = &schema->tables[i].columns[j];

			if (found.column == NULL && is_column(column) &&
				(column->node == node || column->node == node->element))
			{
				found.column = column;
				found.table = i;
			}
		}
	return found;
}

static bool
is_array(const Column *column)
{
	return column->type[strlen(column->type) - 1] == ']';
}

/* a field of doc as an expression */
static char *
path_expression(const char *path)
{
	char	   *rest = *path ? pg_strdup(path) : NULL;
	char	   *expression = "doc";

	for (char *step; (step = strsep(&rest, ".")) != NULL;)
		expression = psprintf("%s->%s", expression, quote_text(step));
	return expression;
}

/*
 * Add an expression to the last group of its table, or to a new one.  "gin" is the operator
 * class of a GIN index, or NULL.
 */
static void
add_key(IndexPlan *index, int table, Use use, const char *key, const char *gin, int64 bytes,
		bool descending, bool hashed)
{
	bool		btree = gin == NULL && !hashed && bytes <= MAX_BTREE;

	key = psprintf("%s%s", key, gin ? gin : btree && descending ? " DESC" : "");
	/* a B-tree can have several fields of a table */
	for (int i = 0; i < index->count && btree; i++)
	{
		Group	   *group = &index->groups[i];

		if (group->table != table || *group->method != '\0' || group->bytes + bytes > MAX_BTREE)
			continue;
		group->use = Max(group->use, use);
		group->bytes += bytes;
		group->list = psprintf("%s, %s", group->list, key);
		return;
	}
	*add_place(index->groups, index->count) = (Group)
	{
		table, use, gin ? " USING gin" : btree ? "" : " USING hash", bytes, pg_strdup(key)
	};
}

/*
 * Add a field of an index of MongoDB.  A view has no index: its elements are found by an index
 * of the documents.
 */
static void
add_field(IndexPlan *index, const char *path, bool descending, bool hashed)
{
	Found		found = find_path(index->schema, path);
	const Node *node = found.node;
	const Column *column = found.column;
	const char *gin = " jsonb_path_ops";
	size_t		length = strlen(path);
	bool		objects = node && node->seen[AN_OBJECT] > 0;

	/* a header, and in jsonb binary values are base64 */
	int64		bytes = (node ? node->longest : 0) / 3 * 4 + 108;

	/* jsonb_path_ops has hashes of long values */
	if (column && is_array(column) && column->node->element->longest > MAX_BTREE)
		column = NULL;
	if (column)
		add_key(index, found.table, found.table > 0 ? ELEMENTS : COLUMNS, column->quoted,
				is_array(column) ? "" : objects && strcmp(column->type, "jsonb") == 0 ?
				" jsonb_path_ops" : NULL, column->node->longest + 8, descending, hashed);
	if (column && found.table == 0)
		return;
	if (strcmp(path, "_id") == 0)
	{
		add_key(index, 0, COLUMNS, "_id", NULL, Min(bytes, MAX_BTREE), descending, hashed);
		return;
	}
	/* all fields, of all or of a field */
	if (length >= 3 && strcmp(path + length - 3, "$**") == 0)
		length = Max(length, 4) - 4;
	else if (found.array)
		length = found.array;
	else
		gin = NULL;
	add_key(index, 0, DOCUMENTS, psprintf("(%s)", path_expression(pnstrdup(path, length))), gin,
			bytes, descending, hashed || objects);
}

/* a value of a filter as JSON, and its kind, or NULL */
static const char *
literal(const bson_iter_t *value, Kind *kind)
{
	char	   *number = pg_malloc(DOUBLE_SHORTEST_DECIMAL_LEN);

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
			*kind = A_DOUBLE;
			double_to_shortest_decimal_buf(bson_iter_double(value), number);
			return isfinite(bson_iter_double(value)) ? number : NULL;
		default:
			return NULL;
	}
}

/* add a condition on a field to the filter of an index; returns false if there is no equivalent */
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
	Found		found = find_path(index->schema, path);
	const Column *column = found.column;
	const char *field = column ? column->quoted : path_expression(path);
	const char *text;
	const int64 *seen;
	Kind		kind;
	size_t		i = 0;

	if (found.array || !is_utf8(path))
		return false;
	if (column == NULL)
		index->filter_use = DOCUMENTS;
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
	{
		appendStringInfo(filter, "(%s) %s %s AND jsonb_typeof(%s) = '%s'", field,
						 operators[i][1], quote_text(text), field, types[kind]);
		return true;
	}
	appendStringInfo(filter, "%s %s %s", field, operators[i][1],
					 kind == A_STRING ? quote_text(bson_iter_utf8(value, NULL)) : text);
	/* the column has values of this type */
	seen = column->node->seen;
	return strcmp(column->type, "jsonb") != 0 &&
		(seen[kind] > 0 || ((kind == AN_INTEGER || kind == A_DOUBLE) &&
							seen[AN_INTEGER] + seen[A_DOUBLE] + seen[A_DECIMAL] > 0));
}

/* translate the filter of a partial index; returns false if a part of it has no equivalent */
static bool
add_filter(IndexPlan *index, const bson_iter_t *filter)
{
	bson_iter_t iter;
	bson_iter_t inside;
	bool		all = bson_iter_recurse(filter, &iter);

	while (all && bson_iter_next(&iter))
	{
		const char *path = bson_iter_key(&iter);
		bool		both = strcmp(path, "$and") == 0;

		if ((*path == '$' && !both) || *path == '\0')
			return false;
		if (!both && !BSON_ITER_HOLDS_DOCUMENT(&iter))
			all = add_condition(index, path, "$eq", &iter);
		else
			all = bson_iter_recurse(&iter, &inside);
		while (all && (both || BSON_ITER_HOLDS_DOCUMENT(&iter)) && bson_iter_next(&inside))
			all = both ? add_filter(index, &inside) :
				add_condition(index, path, bson_iter_key(&inside), &inside);
	}
	return all;
}

/*
 * emit statements after "begin", which may make them a comment; some are right only as long as
 * the table has documents, or from when on it is a table
 */
static void
emit_statement(const Schema *schema, const Relation *relation, Use use, const char *begin,
			   const char *statement)
{
	if (use == COLUMNS)
		emit("%s%s;\n", begin, statement);
	else
		emit("%sCALL pg_temp.run_if(pg_temp.%s(%s, %s),\n%s  %s);\n", begin,
			 use == DOCUMENTS ? "has_documents" : "is_table",
			 quote_text(schema->schema), quote_text(relation->name), begin,
			 quote_text(statement));
}

/* emit the statements for an index, or a comment if there is no equivalent */
static void
emit_index(const IndexPlan *index, StringInfo names)
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
		bool		unique = index->unique && own == 1 && group->table == 0 && !*group->method;
		char	   *name;
		const char *filter = index->filter.len == 0 || group->table > 0 ? "" :
		psprintf(" WHERE %s", index->filter.data);

		for (int j = 0; j < i; j++)
			n += index->groups[j].table == group->table;
		if (n > 1)
			base = psprintf("%s_%d", base, n);
		name = unique_name(base, base, schema->schema);
		if (group->table == 0 && index->unique && !unique)
			emit("-- index %s is unique in MongoDB\n", printable(index->name));
		add_row(names, schema, name, "index", table->name, NULL, path);
		emit_statement(schema, table, *filter ? Max(group->use, index->filter_use) : group->use,
					   "", psprintf("CREATE %sINDEX IF NOT EXISTS %s ON %s%s (%s)%s",
									unique ? "UNIQUE " : "", quote_name(name), table->target,
									group->method, group->list, filter));
	}
}

static bool
find_in(const bson_iter_t *document, const char *name, bson_iter_t *found)
{
	return bson_iter_recurse(document, found) && bson_iter_find(found, name);
}

static void
translate_index(const Schema *schema, const bson_iter_t *definition, StringInfo names)
{
	IndexPlan	index = {.schema = schema,.name = "index"};
	bson_iter_t iter;
	bson_iter_t key;

	initStringInfo(&index.filter);
	if (find_in(definition, "name", &iter) && BSON_ITER_HOLDS_UTF8(&iter))
		index.name = bson_iter_utf8(&iter, NULL);
	index.unique = find_in(definition, "unique", &iter) && bson_iter_as_bool(&iter);
	if (find_in(definition, "partialFilterExpression", &iter) && !add_filter(&index, &iter))
		index.why = "it has a filter without an equivalent";
	if (find_in(definition, "collation", &iter))
		index.why = "it has a collation";
	if (!find_in(definition, "key", &iter) || !BSON_ITER_HOLDS_DOCUMENT(&iter) ||
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
		if (index.why == NULL && find_in(definition, "expireAfterSeconds", &iter))
		{
			Found		found = find_path(schema, path);
			bool		date = found.column && found.table == 0 &&
			strcmp(found.column->type, "timestamptz") == 0;

			emit("-- index %s is a TTL index: let a job run\n-- DELETE FROM %s WHERE %s < now()"
				 " - interval '%.0f seconds'%s%s;\n", printable(index.name), schema->tables->target,
				 date ? found.column->quoted :
				 psprintf(EJSON_SQL "ejson_date(%s)", path_expression(path)),
				 bson_iter_as_double(&iter), index.filter.len > 0 ? " AND " : "",
				 index.filter.data);
		}
	}
	/* the primary key has this index */
	if (index.count == 1 && strcmp(index.groups->list, "_id") == 0)
		return;
	emit_index(&index, names);
}

/*
 * emit_indexes - emit the indexes of a collection, and name its options, which are not
 * translated
 */
void
emit_indexes(const Schema *schema, StringInfo names)
{
	const char *path = schema->metadata;
	bson_t	   *metadata = path ? read_metadata(path) : NULL;
	bson_iter_t iter;
	bson_iter_t inside;

	if (metadata == NULL)
		return;
	if (bson_iter_init_find(&iter, metadata, "options") && bson_iter_recurse(&iter, &inside))
		while (bson_iter_next(&inside))
			emit("-- The option \"%s\" of the collection is not translated.\n",
				 printable(bson_iter_key(&inside)));
	if (bson_iter_init_find(&iter, metadata, "indexes") && bson_iter_recurse(&iter, &inside))
		while (bson_iter_next(&inside))
			if (BSON_ITER_HOLDS_DOCUMENT(&inside))
				translate_index(schema, &inside, names);
	bson_destroy(metadata);
}

/*
 * Emit the index and the foreign key for a column, and the query for values without a target.
 * Small numbers can be equal to keys without being references, and so can text that a document
 * has twice.  A column that has to be chosen is a comment, too.
 */
static void
emit_foreign_key(const Schema *schemas, const Schema *schema, const Relation *table,
				 const Column *column, bool counts)
{
	const Node *node = column->node;
	const Schema *target = &schemas[node->target];
	bool		whole = node->found == node->sampled;
	bool		sure = whole && column->why == NULL && target->key != ID_BIGINT &&
	(target->key != ID_TEXT || target != schema);
	const char *name = quote_name(unique_name(shorten(psprintf("%s_%s", table->name,
															   column->name), "_idx"),
											  table->target, schema->schema));
	const char *begin = sure ? "" : "-- ";

	emit("\n-- %s: %s sampled values have a target in %s.  Those without:\n"
		 "-- SELECT %s, %s FROM %s AS t WHERE %s IS NOT NULL\n"
		 "--   AND NOT EXISTS (SELECT FROM %s AS r WHERE r._id = t.%s);\n",
		 printable(column->path),
		 counts ? psprintf("%d of %d", node->found, node->sampled) : whole ? "all" : "not all",
		 printable(target->tables->target),
		 table->level == 0 ? "_id" : schema->owner, column->quoted, table->target,
		 column->quoted, target->tables->target, column->quoted);
	emit_statement(schema, table, table->level > 0 ? ELEMENTS : COLUMNS, begin,
				   psprintf("CREATE INDEX IF NOT EXISTS %s ON %s (%s)", name, table->target,
							column->quoted));
	name = quote_name(shorten(psprintf("%s_%s", table->name, column->name), "_fkey"));
	emit("%sCALL pg_temp.run_if(pg_temp.is_table(%s, %s),\n%s  %s ||\n%s  %s);\n", begin,
		 quote_text(schema->schema), quote_text(table->name), begin,
		 quote_text(psprintf("ALTER TABLE %s ADD CONSTRAINT %s FOREIGN KEY (%s) "
							 "REFERENCES %s (_id);", table->target, name, column->quoted,
							 target->tables->target)), begin,
		 quote_text(psprintf("COMMENT ON CONSTRAINT %s ON %s IS %s", name, table->target,
							 quote_text(psprintf("%s, by " PROGRAM, column->path)))));
}

/* emit_foreign_keys - emit those of the tables of a collection */
void
emit_foreign_keys(const Schema *schemas, const Schema *schema, bool counts)
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
				strcmp(column->type, type_name(target->key)) == 0)
				emit_foreign_key(schemas, schema, table, column, counts);
		}
	}
}
