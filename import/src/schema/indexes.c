/*-------------------------------------------------------------------------
 *
 * indexes.c
 *	  The indexes of MongoDB that a database lacks.
 *
 * Fields are found by their paths: they are columns of the collection's table, or of the views or
 * tables of its arrays, or parts of documents.  Which kind of index a field can have is asked of
 * the values that are loaded.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "schema.h"

/* a B-tree accepts no value of more than 2,704 bytes; as jsonb it has a header */
#define MAX_BTREE 2680

/* MongoDB's own limit for a TTL */
#define MAX_SECONDS 2147483647

/* an index here, of fields of one of MongoDB */
typedef struct NewIndex
{
	const DbRelation *relation;
	const char *path;			/* of the first field */
	const char *method;			/* "": B-tree, which can have several fields */
	int64		bytes;			/* of its values, at most */
	char	   *numbers;		/* of its columns; 0: an expression */
	const char *fields;
	const char *items;			/* with their order or class */
} NewIndex;

typedef struct Plan
{
	const DbRelation *table;
	const char *name;
	bool		unique;
	bool		ignores_case;	/* it is a comment */
	const char *why;			/* there is no equivalent; NULL: there is */
	const char *filter;			/* a condition, or empty */
	int			missing;		/* fields that are not there */
	NewIndex   *indexes;
	int			count;
} Plan;

/*
 * is_indexed - does an index of all rows begin with a column?  If "key", other columns can refer to
 * it.
 */
bool
is_indexed(const Database *database, const DbColumn *column, bool key)
{
	for (const DbIndex *index = database->indexes;
		 index < database->indexes + database->index_count; index++)
		if (index->relation == column->relation && index->predicate == NULL &&
			strtol(index->columns, NULL, 10) == column->number &&
			strstr(index->definition, " USING gin ") == NULL &&
			(!key || (index->unique && index->valid && strchr(index->columns, ' ') == NULL)))
			return true;
	return false;
}

/* add_index - add the statements for an index; "begin" may make them comments */
void
add_index(PostData *data, StringInfo out, const char *begin, DbIndex index, const char *name)
{
	const DbRelation *relation = index.relation;
	const char *quoted = quote_name(unique_name(name, index.comment, relation->schema));

	appendStringInfo(out, "%sCREATE %sINDEX %s ON %s%s;\n%sCOMMENT ON INDEX %s.%s IS %s;\n",
					 begin, index.unique ? "UNIQUE " : "", quoted, relation->target,
					 index.definition, begin, quote_name(relation->schema), quoted,
					 quote_text(index.comment));
	if (*begin != '\0')
		return;
	index.valid = true;
	*add_place(data->database->indexes, data->database->index_count) = index;
	data->index_count++;
}

static bool
is_array(const DbColumn *column)
{
	return column && column->type[strlen(column->type) - 1] == ']';
}

/* how large a value, or an element, is at most, as jsonb */
static int64
measure(const PostData *data, const DbRelation *relation, const char *field, bool elements)
{
	return number_alone(data->database, psprintf("SELECT max(pg_column_size(to_jsonb(v))) "
												 "FROM (SELECT %s(%s) FROM %s) AS l (v)",
												 elements ? "unnest" : "", field,
												 relation->target));
}

/* a path without the arrays, which MongoDB's do not have */
static char *
without_arrays(const char *path)
{
	char	   *result = pg_strdup(path);

	for (char *at = result; (at = strstr(at, "[]")) != NULL;)
		memmove(at, at + 2, strlen(at + 1));
	return result;
}

/* the column that shows a field of documents, in any array, or NULL */
static const DbColumn *
find_column(const Database *database, const DbRelation *table, const char *path, bool in_arrays)
{
	const char *wanted = in_arrays ? without_arrays(field_path(path)) : field_path(path);

	for (int i = 0; i < database->relation_count; i++)
	{
		const DbRelation *relation = &database->relations[i];

		if (relation->root != table || (relation->level > 0) != in_arrays)
			continue;
		for (const DbColumn *c = relation->columns; c < relation->columns + relation->count; c++)
			if (c->path && strcmp(in_arrays ? without_arrays(c->path) : c->path, wanted) == 0)
				return c;
	}
	return NULL;
}

/* add a field, which is a column, or else a part of documents */
static void
add_item(PostData *data, Plan *plan, const DbColumn *column, const char *path, bool gin,
		 bool hashed, const char *order)
{
	const char *field = column ? column->quoted : psprintf("(%s)", document_path(path));
	int			number = column && !plan->ignores_case ? column->number : 0;
	NewIndex	index = {
		.relation = column ? column->relation : plan->table,
		.path = path,.method = gin ? " USING gin" : ""
	};

	if (gin)
		order = column ? "" : " jsonb_path_ops";
	else
		index.bytes = measure(data, index.relation, field, false) + 8;
	if (!gin && (hashed || index.bytes > MAX_BTREE))
	{
		index.method = " USING hash";
		order = "";
	}
	if (plan->ignores_case && (column == NULL || strcmp(column->type, "text") == 0))
		field = psprintf("lower(%s%s)", field, column ? "" : " #>> '{}'");
	for (NewIndex *there = plan->indexes; there < plan->indexes + plan->count; there++)
		if (there->relation == index.relation && !*there->method && !*index.method &&
			there->bytes + index.bytes <= MAX_BTREE)
		{
			there->bytes += index.bytes;
			there->numbers = psprintf("%s %d", there->numbers, number);
			there->fields = psprintf("%s, %s", there->fields, field);
			there->items = psprintf("%s, %s%s", there->items, field, order);
			return;
		}
	index.numbers = psprintf("%d", number);
	index.fields = field;
	index.items = psprintf("%s%s", field, order);
	*add_place(plan->indexes, plan->count) = index;
}

/*
 * Add a field of an index of MongoDB: its column; or a part of the document, by which GIN finds
 * elements of arrays, too, and the column of these.
 */
static void
add_field(PostData *data, Plan *plan, const char *path, bool hashed, const char *order)
{
	const DbRelation *table = plan->table;
	const DbColumn *column = find_column(data->database, table, path, false);
	size_t		length = strlen(path);
	const char *array = NULL;

	/* jsonb_path_ops has hashes of long values */
	if (column && (!is_array(column) || !table->documents ||
				   measure(data, table, column->quoted, true) <= MAX_BTREE))
	{
		add_item(data, plan, column, path, is_array(column), hashed, order);
		return;
	}
	column = find_column(data->database, table, path, true);
	if (column)
		add_item(data, plan, column, path, is_array(column), hashed, order);
	/* all fields, of all or of a field */
	if (length >= 3 && strcmp(path + length - 3, "$**") == 0)
		array = pnstrdup(path, Max(length, 4) - 4);
	else
		array = find_array(data->database, table, path);
	if (table->documents)
		add_item(data, plan, NULL, array ? array : path, array != NULL, hashed, order);
	else if (column == NULL)
		plan->missing++;
}

/* there is no equivalent, not even as a comment */
static void
refuse(Plan *plan, const char *why)
{
	plan->why = why;
	plan->ignores_case = false;
}

/* the index of ours with this comment, or NULL */
static const DbIndex *
find_index(const Database *database, const DbRelation *relation, const char *comment)
{
	for (const DbIndex *index = database->indexes;
		 index < database->indexes + database->index_count; index++)
		if (index->relation == relation && index->comment &&
			strcmp(index->comment, comment) == 0)
			return index;
	return NULL;
}

/* add a comment if a unique index cannot be made, because values are there more than once */
static bool
has_duplicates(PostData *data, const Plan *plan, const char *values)
{
	const char *duplicates = psprintf("FROM %s WHERE (%s) IS NOT NULL%s%s GROUP BY %s "
									  "HAVING count(*) > 1", plan->table->target, values,
									  *plan->filter ? " AND " : "", plan->filter, values);
	int64		count = number_alone(data->database,
									 psprintf("SELECT count(*) FROM (SELECT %s) AS d", duplicates));

	if (count > 0)
		appendStringInfo(&data->unique, CANNOT_BE_MADE "unique index %s of %s, because so many "
						 "values are there more than once: " INT64_FORMAT
						 "\n-- SELECT %s, count(*) %s;\n", printable(plan->name),
						 plan->table->target, count, values, duplicates);
	return count > 0;
}

/*
 * Add the indexes for one of MongoDB.  Those of arrays serve all indexes of MongoDB that have them,
 * and those of elements wait for their tables.
 */
static void
add_plan(PostData *data, const Plan *plan, bool unique)
{
	bool		main = true;

	for (const NewIndex *index = plan->indexes; index < plan->indexes + plan->count; index++)
	{
		const DbRelation *relation = index->relation;
		const char *filter = relation == plan->table ? plan->filter : "";
		bool		gin = strcmp(index->method, " USING gin") == 0;
		bool		view = relation->kind == 'v';
		const char *of = psprintf("index %s", printable(plan->name));
		DbIndex		new = {
			.relation = relation,.columns = index->numbers,
			.unique = unique || (plan->unique && plan->ignores_case),
			.predicate = *filter ? unconstify(char *, filter) : NULL,
			.definition = psprintf("%s (%s)%s%s", index->method, index->items,
								   *filter ? " WHERE " : "", filter)
		};

		if (gin || !main)
			of = gin && !*filter ? field_path(index->path) :
				psprintf("%s of %s", field_path(index->path), of);
		main &= gin;
		new.comment = psprintf("%s%s", of, BY_US);
		if (find_index(data->database, relation, new.comment))
			continue;
		if (view)
			appendStringInfo(&data->others, "-- When %s is a table:\n", relation->target);
		add_index(data, unique ? &data->unique : &data->others, view || plan->ignores_case ||
				  (unique && has_duplicates(data, plan, index->fields)) ? "-- " : "",
				  new, psprintf("%s_%s", relation->name, plan->name));
	}
}

static bool
find_in(const bson_iter_t *document, const char *name, bson_iter_t *found)
{
	return bson_iter_recurse(document, found) && bson_iter_find(found, name);
}

/* a document of the metadata in one line */
static char *
metadata_text(const bson_iter_t *document)
{
	const uint8_t *data;
	uint32_t	length;
	bson_t		bson;
	char	   *text;

	bson_iter_document(document, &length, &data);
	bson_init_static(&bson, data, length);
	text = bson_as_relaxed_extended_json(&bson, NULL);
	for (char *at = text; (at = strstr(at, "\"" TYPE_OPERATOR "\"")) != NULL;)
		at[1] = '$';
	return printable(text);
}

/* a collation that takes upper and lower case for equal can be a comment */
static void
add_collation(Plan *plan, const bson_iter_t *collation)
{
	bson_iter_t iter;

	if (find_in(collation, "locale", &iter) && BSON_ITER_HOLDS_UTF8(&iter) &&
		strcmp(bson_iter_utf8(&iter, NULL), "simple") == 0)
		return;
	plan->why = "it has a collation";
	plan->ignores_case = find_in(collation, "strength", &iter) &&
		bson_iter_as_int64(&iter) == 2 &&
		!(find_in(collation, "caseLevel", &iter) && bson_iter_as_bool(&iter));
}

/* add the fields of an index, and return how many it has */
static int
add_fields(PostData *data, Plan *plan, const bson_iter_t *definition)
{
	bson_iter_t iter;
	bson_iter_t key;
	int			count = 0;

	if (!find_in(definition, "key", &iter) || !BSON_ITER_HOLDS_DOCUMENT(&iter) ||
		!bson_iter_recurse(&iter, &key))
		refuse(plan, "it has no key");
	while ((plan->why == NULL || plan->ignores_case) && bson_iter_next(&key))
	{
		const char *path = bson_iter_key(&key);
		bool		hashed = BSON_ITER_HOLDS_UTF8(&key) &&
		strcmp(bson_iter_utf8(&key, NULL), "hashed") == 0;

		if (!hashed && !BSON_ITER_HOLDS_NUMBER(&key))
			refuse(plan, "it is of another kind");
		else if (!is_utf8(path) || *path == '\0')
			refuse(plan, "it has no name that PostgreSQL accepts");
		else
			add_field(data, plan, path, hashed, bson_iter_as_double(&key) < 0 ? " DESC" : "");
		count++;
	}
	if (plan->why == NULL && plan->count == 0)
		refuse(plan, "no field of it is there");
	return count;
}

/* why an index cannot be unique; NULL: it can */
static const char *
why_not_unique(const Plan *plan)
{
	if (plan->why)
		return plan->why;
	if (plan->table->kind == 'p')
		return "the table is partitioned";
	for (int i = 0; i < plan->count; i++)
		if (plan->indexes[i].relation != plan->table ||
			strcmp(plan->indexes[i].method, " USING gin") == 0)
			return "a field of it is in an array";
	if (plan->count > 1 || *plan->indexes->method != '\0')
		return "its values are too long";
	return plan->missing > 0 ? "a field of it is not there" : NULL;
}

/* add the statement that a job runs for a TTL index; texts that are dates do not expire */
static void
add_ttl(PostData *data, const Plan *plan, double seconds)
{
	const DbRelation *table = plan->table;
	const DbColumn *column = column_of_path(table, field_path(plan->indexes->path));
	const char *field = document_path(plan->indexes->path);
	const char *functions = ejson_functions(data->database, table);
	const char *date = column && strcmp(column->type, "timestamptz") == 0 ? column->quoted : NULL;
	const char *and = "";

	if (table->documents && functions &&
		(date == NULL || has_row(data->database, table,
								 psprintf("%s IS NOT NULL AND %s->'$date' IS NULL", date, field))))
	{
		date = psprintf("%sdate(%s)", functions, field);
		and = psprintf(" AND %s->'$date' IS NOT NULL", field);
	}
	if (date)
		appendStringInfo(&data->notes, "-- Index %s of %s deletes documents in MongoDB if the "
						 "value is a date: let a job run\n"
						 "-- DELETE FROM %s WHERE %s < now() - interval '%.0f seconds'%s%s%s;\n",
						 printable(plan->name), table->target, table->target, date, seconds, and,
						 *plan->filter ? " AND " : "", plan->filter);
}

static void
translate_index(PostData *data, const DbRelation *table, const bson_iter_t *definition)
{
	Plan		plan = {.table = table,.name = "index",.filter = ""};
	const DbIndex *there;
	const char *why;
	bson_iter_t iter;
	int			fields;

	if (find_in(definition, "name", &iter) && BSON_ITER_HOLDS_UTF8(&iter))
		plan.name = bson_iter_utf8(&iter, NULL);
	plan.unique = find_in(definition, "unique", &iter) && bson_iter_as_bool(&iter);
	if (find_in(definition, "collation", &iter))
		add_collation(&plan, &iter);
	if (find_in(definition, "partialFilterExpression", &iter) &&
		(plan.filter = translate_filter(data->database, table, &iter, &why)) == NULL)
		refuse(&plan, why);
	fields = add_fields(data, &plan, definition);
	/* the primary key has this index */
	if (plan.count == 1 && strcmp(plan.indexes->fields, "_id") == 0)
		return;
	why = plan.unique ? why_not_unique(&plan) : plan.why;
	there = find_index(data->database, table,
					   psprintf("index %s%s", printable(plan.name), BY_US));
	if (why == NULL && plan.unique && there && !there->unique)
		why = "the index with its comment is not unique";
	if (why && (there == NULL || there->unique != plan.unique))
		appendStringInfo(&data->notes, NOT_TRANSLATED "%sindex %s of %s, because %s: %s\n",
						 plan.unique ? "unique " : "", printable(plan.name), table->target, why,
						 metadata_text(definition));
	if (plan.why == NULL || plan.ignores_case)
		add_plan(data, &plan, plan.unique && why == NULL);
	if (plan.why == NULL && fields == 1 && plan.indexes->relation == table &&
		find_in(definition, "expireAfterSeconds", &iter) &&
		bson_iter_as_double(&iter) >= 0 && bson_iter_as_double(&iter) <= MAX_SECONDS)
		add_ttl(data, &plan, bson_iter_as_double(&iter));
}

/* add_indexes - add those of a collection, and name its options, which are not translated */
void
add_indexes(PostData *data, const DbRelation *table, const char *metadata_path)
{
	bson_t	   *metadata = metadata_path ? read_metadata(metadata_path) : NULL;
	bson_iter_t iter;
	bson_iter_t inside;

	if (metadata == NULL)
		return;
	if (bson_iter_init_find(&iter, metadata, "options") && bson_iter_recurse(&iter, &inside))
		while (bson_iter_next(&inside))
			appendStringInfo(&data->notes, NOT_TRANSLATED "option %s of %s%s%s\n",
							 printable(bson_iter_key(&inside)), table->target,
							 BSON_ITER_HOLDS_DOCUMENT(&inside) ? ": " : "",
							 BSON_ITER_HOLDS_DOCUMENT(&inside) ? metadata_text(&inside) : "");
	if (bson_iter_init_find(&iter, metadata, "indexes") && bson_iter_recurse(&iter, &inside))
		while (bson_iter_next(&inside))
			if (BSON_ITER_HOLDS_DOCUMENT(&inside))
				translate_index(data, table, &inside);
	bson_destroy(metadata);
}

/* add_element_ids - add, as comments, unique indexes of ids of elements that are all different */
void
add_element_ids(PostData *data)
{
	for (int i = 0; i < data->database->relation_count; i++)
	{
		const DbRelation *relation = &data->database->relations[i];
		const DbColumn *id = column_of_path(relation, psprintf("%s._id", relation->path));
		DbIndex		index = {.relation = relation,.unique = true};
		int64		count;

		if (relation->level == 0 || id == NULL || is_indexed(data->database, id, true))
			continue;
		count = number_alone(data->database,
							 psprintf("SELECT CASE n WHEN different THEN n END FROM (SELECT "
									  "count(%s), count(DISTINCT %s) FROM %s) AS c (n, different)",
									  id->quoted, id->quoted, relation->target));
		if (count == 0)
			continue;
		appendStringInfo(&data->unique, "-- %s of %s: " INT64_FORMAT " of " INT64_FORMAT
						 " values are different%s:\n", printable(id->path),
						 printable(relation->target), count, count,
						 relation->kind == 'v' ? "; when it is a table" : "");
		index.definition = psprintf(" (%s)", id->quoted);
		index.comment = psprintf("%s%s", id->path, BY_US);
		add_index(data, &data->unique, "-- ", index,
				  psprintf("%s_%s_key", relation->name, id->name));
	}
}
