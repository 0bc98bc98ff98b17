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

#include "dump/dump.h"
#include "names.h"
#include "post_data.h"
#include "render.h"

/* a B-tree accepts no value of more than 2,704 bytes; as jsonb it has a header */
#define MAX_BTREE 2680

/* MongoDB's own limit for a TTL */
#define MAX_SECONDS 2147483647

/* the field of an index that becomes a key of one here */
typedef struct Key
{
	const DbRelation *relation;
	const DbColumn *column;		/* NULL: it is a part of the document */
	const char *path;
	const char *class;			/* of a GIN index, or NULL */
	int64		bytes;
	bool		descending;
	bool		hashed;
} Key;

/* the fields of an index that become one index here */
typedef struct Group
{
	const DbRelation *relation;
	const char *method;			/* "": B-tree */
	const char *column;			/* the first; NULL: it is an expression */
	const char *path;			/* of the first field */
	int			fields;
	int64		bytes;			/* of its values, at most */
	StringInfoData list;
	StringInfoData values;		/* the same, without the order */
} Group;

typedef struct Plan
{
	const DbRelation *table;
	const char *name;
	bool		unique;
	bool		ignores_case;	/* it is a comment */
	const char *why;			/* there is no equivalent; NULL: there is */
	const char *filter;			/* a condition, or empty */
	Group	   *groups;
	int			count;
} Plan;

static bool
is_array(const DbColumn *column)
{
	return column->type[strlen(column->type) - 1] == ']';
}

/* does a condition hold for a row of a relation? */
static bool
has_row(const PostData *data, const DbRelation *relation, const char *condition)
{
	PGresult   *result = query_alone(data, psprintf("SELECT FROM %s WHERE %s LIMIT 1",
													relation->target, condition));
	bool		found = PQntuples(result) > 0;

	PQclear(result);
	return found;
}

/* how large a value of a key is at most, as jsonb */
static int64
measure(const PostData *data, const Key *key)
{
	const char *field = key->column ? key->column->quoted : document_path(key->path);
	const char *size = key->column && is_array(key->column) ?
	"(SELECT max(pg_column_size(to_jsonb(e))) FROM unnest(%s) AS e)" :
	"pg_column_size(to_jsonb(%s))";
	PGresult   *result = query_alone(data, psprintf("SELECT coalesce(max(%s), 0) FROM %s",
													psprintf(size, field),
													key->relation->target));
	int64		bytes = strtoi64(PQgetvalue(result, 0, 0), NULL, 10);

	PQclear(result);
	return bytes;
}

/* the path of the first array that has a field, or is it, or NULL */
static char *
find_array(const PostData *data, const DbRelation *table, const char *path)
{
	for (const char *end = path; *end; end += *end == '.')
	{
		char	   *array;

		end += strcspn(end, ".");
		array = pnstrdup(path, end - path);
		if (has_row(data, table, psprintf("jsonb_typeof(%s) = 'array'", document_path(array))))
			return array;
	}
	return NULL;
}

/* is the path of a column, or NULL, that of a field of MongoDB, which does not have the arrays? */
static bool
is_path(const char *path, const char *field)
{
	bool		quoted = false;

	for (; path && *path; path++)
	{
		if (!quoted && strncmp(path, "[]", 2) == 0)
		{
			path++;
			continue;
		}
		if (*path != *field++)
			return false;
		if (*path == '\\')
		{
			if (*++path != *field++)
				return false;
		}
		else if (*path == '"')
			quoted = !quoted;
	}
	return path && *field == '\0';
}

/* the column that shows a field in any array of the key's table, which becomes its relation */
static const DbColumn *
find_element(const PostData *data, Key *key)
{
	const char *path = field_path(key->path);

	for (int i = 0; i < data->relation_count; i++)
	{
		const DbRelation *relation = data->relations[i];

		for (int j = 0; j < relation->count && relation->root == key->relation->oid; j++)
			if (relation->level > 0 && is_path(relation->columns[j].path, path))
			{
				key->relation = relation;
				return &relation->columns[j];
			}
	}
	return NULL;
}

/* add a key to the B-tree of its relation, which can have several, or as an index of its own */
static void
add_key(PostData *data, Plan *plan, Key key)
{
	int64		bytes = measure(data, &key) + 8;
	bool		btree = key.class == NULL && !key.hashed && bytes <= MAX_BTREE;
	const char *field = key.column ? key.column->quoted :
	psprintf("(%s)", document_path(key.path));
	Group	   *group = NULL;

	if (plan->ignores_case && key.column == NULL)
		field = psprintf("lower(%s #>> '{}')", field);
	else if (plan->ignores_case && strcmp(key.column->type, "text") == 0)
		field = psprintf("lower(%s)", field);
	for (int i = 0; i < plan->count && btree; i++)
		if (plan->groups[i].relation == key.relation && *plan->groups[i].method == '\0' &&
			plan->groups[i].bytes + bytes <= MAX_BTREE)
			group = &plan->groups[i];
	if (group == NULL)
	{
		group = add_place(plan->groups, plan->count);
		*group = (Group)
		{
			.relation = key.relation,.path = key.path,
				.method = key.class ? " USING gin" : btree ? "" : " USING hash",
				.column = key.column ? key.column->quoted : NULL
		};
		initStringInfo(&group->list);
		initStringInfo(&group->values);
	}
	group->fields++;
	group->bytes += bytes;
	appendStringInfo(&group->list, "%s%s%s%s", group->fields > 1 ? ", " : "", field,
					 key.class ? key.class : "", btree && key.descending ? " DESC" : "");
	appendStringInfo(&group->values, "%s%s", group->fields > 1 ? ", " : "", field);
}

/*
 * Add a field of an index of MongoDB: its column; or a part of the document, by which GIN finds
 * elements of arrays, too, and the column of these.
 */
static void
add_field(PostData *data, Plan *plan, Key key)
{
	const DbRelation *table = key.relation;
	size_t		length = strlen(key.path);
	Key			inside = key;

	for (int i = 0; i < table->count && strcmp(key.path, "_id") == 0; i++)
		if (strcmp(table->columns[i].name, "_id") == 0)
			key.column = &table->columns[i];
	if (key.column == NULL)
		key.column = column_of_path(table, field_path(key.path));
	if (key.column && is_array(key.column))
		key.class = "";
	/* jsonb_path_ops has hashes of long values */
	if (key.column && (key.class == NULL || !table->documents || measure(data, &key) <= MAX_BTREE))
	{
		add_key(data, plan, key);
		return;
	}
	inside.column = find_element(data, &inside);
	if (inside.column)
	{
		inside.class = is_array(inside.column) ? "" : NULL;
		add_key(data, plan, inside);
	}
	if (!table->documents)
		return;
	key.column = NULL;
	key.class = " jsonb_path_ops";
	/* all fields, of all or of a field */
	if (length >= 3 && strcmp(key.path + length - 3, "$**") == 0)
		key.path = pnstrdup(key.path, Max(length, 4) - 4);
	else
	{
		const char *array = find_array(data, table, key.path);

		key.path = array ? array : key.path;
		key.class = array ? key.class : NULL;
	}
	add_key(data, plan, key);
}

/* there is no equivalent, not even as a comment */
static void
refuse(Plan *plan, const char *why)
{
	plan->why = why;
	plan->ignores_case = false;
}

/*
 * Add the filter of a partial index: on columns, if that is true for the same rows as on documents.
 * No field of it can be in an array.
 */
static void
add_filter(PostData *data, Plan *plan, const bson_iter_t *iter)
{
	StringInfoData arrays;
	Filter		filter = {data->database, plan->table, false, &arrays};
	const char *on_documents;

	initStringInfo(&arrays);
	on_documents = translate_filter(&filter, iter);
	filter.on_columns = true;
	plan->filter = translate_filter(&filter, iter);
	if (plan->filter == NULL)
		refuse(plan, "its filter has no equivalent");
	else if (plan->table->documents && arrays.len > 0 && has_row(data, plan->table, arrays.data))
		refuse(plan, "a field of its filter is in an array");
	else if (on_documents && *on_documents &&
			 has_row(data, plan->table, psprintf("((%s) IS TRUE) <> ((%s) IS TRUE)", plan->filter,
												 on_documents)))
		plan->filter = on_documents;
}

/* is there an index of ours with this comment? */
static bool
has_index(const PostData *data, const DbRelation *relation, const char *comment)
{
	for (int i = 0; i < data->count; i++)
		if (data->indexes[i].relation == relation && data->indexes[i].comment &&
			strcmp(data->indexes[i].comment, comment) == 0)
			return true;
	return false;
}

/* add_index - add the statements for an index; "begin" may make them comments */
void
add_index(PostData *data, StringInfo out, const char *begin, const KnownIndex *index, bool unique,
		  const char *name, const char *definition)
{
	const DbRelation *relation = index->relation;
	const char *quoted = quote_name(unique_name(name, index->comment, name_scope(data, relation)));

	appendStringInfo(out, "%sCREATE %sINDEX %s ON %s%s;\n%sCOMMENT ON INDEX %s.%s IS %s;\n",
					 begin, unique ? "UNIQUE " : "", quoted, relation->target, definition, begin,
					 quote_name(relation->schema), quoted, quote_text(index->comment));
	if (*begin != '\0')
		return;
	*add_place(data->indexes, data->count) = *index;
	data->index_count++;
}

/* add a unique index, or, if values are there more than once, comments */
static void
add_unique(PostData *data, const Plan *plan, const KnownIndex *index, const char *name,
		   const char *definition)
{
	const char *values = plan->groups->values.data;
	const char *duplicates = psprintf("FROM %s WHERE (%s) IS NOT NULL%s%s GROUP BY %s "
									  "HAVING count(*) > 1", plan->table->target, values,
									  *plan->filter ? " AND " : "", plan->filter, values);
	PGresult   *result = query_alone(data, psprintf("SELECT count(*) FROM (SELECT %s) AS d",
													duplicates));
	const char *count = PQgetvalue(result, 0, 0);
	bool		possible = strcmp(count, "0") == 0;

	if (!possible)
		appendStringInfo(&data->unique, CANNOT_BE_MADE "unique index %s of %s, because so many "
						 "values are there more than once: %s\n-- SELECT %s, count(*) %s;\n",
						 printable(plan->name), plan->table->target, count, values,
						 duplicates);
	add_index(data, &data->unique, possible ? "" : "-- ", index, true, name, definition);
	PQclear(result);
}

/*
 * Add the indexes for one of MongoDB.  Those of arrays serve all indexes of MongoDB that have them,
 * and those of elements wait for their tables.
 */
static void
add_groups(PostData *data, const Plan *plan, bool unique)
{
	int			plain = 0;

	for (int i = 0; i < plan->count; i++)
	{
		const Group *group = &plan->groups[i];
		const DbRelation *relation = group->relation;
		const char *filter = relation == plan->table ? plan->filter : "";
		bool		gin = strcmp(group->method, " USING gin") == 0;
		bool		view = relation->kind == 'v';
		const char *of = psprintf("index %s", printable(plan->name));
		KnownIndex	index = {.relation = relation};
		const char *name = psprintf("%s_%s", relation->name, plan->name);
		const char *definition = psprintf("%s (%s)%s%s", group->method, group->list.data,
										  *filter ? " WHERE " : "", filter);

		if (gin || plain++ > 0)
			of = gin && !*filter ? field_path(group->path) :
				psprintf("%s of %s", field_path(group->path), of);
		index.comment = psprintf("%s%s", of, BY_US);
		if (!gin && !*filter && !plan->ignores_case)
			index.column = group->column;
		index.key = unique && index.column && group->fields == 1;
		if (has_index(data, relation, index.comment))
			continue;
		if (unique)
		{
			add_unique(data, plan, &index, name, definition);
			continue;
		}
		if (view)
			appendStringInfo(&data->others, "-- When %s is a table:\n", relation->target);
		add_index(data, &data->others, view || plan->ignores_case ? "-- " : "", &index,
				  plan->unique && plan->ignores_case, name, definition);
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
		{
			Key			field = {.relation = plan->table,.path = path,.hashed = hashed};

			field.descending = !hashed && bson_iter_as_double(&key) < 0;
			add_field(data, plan, field);
		}
		count++;
	}
	if (plan->why == NULL && plan->count == 0)
		refuse(plan, "no field of it is there");
	return count;
}

/* why the index of so many fields cannot be unique; NULL: it can */
static const char *
why_not_unique(const Plan *plan, int fields)
{
	if (plan->why)
		return plan->why;
	if (plan->table->kind == 'p')
		return "the table is partitioned";
	for (int i = 0; i < plan->count; i++)
		if (plan->groups[i].relation != plan->table ||
			strcmp(plan->groups[i].method, " USING gin") == 0)
			return "a field of it is in an array";
	if (plan->count > 1 || *plan->groups->method != '\0')
		return "its values are too long";
	return plan->groups->fields < fields ? "a field of it is not there" : NULL;
}

/* add the statement that a job runs for a TTL index; texts that are dates do not expire */
static void
add_ttl(PostData *data, const Plan *plan, double seconds)
{
	const DbRelation *table = plan->table;
	const char *path = plan->groups->path;
	const DbColumn *column = column_of_path(table, field_path(path));
	const char *field = document_path(path);
	const char *date = column && strcmp(column->type, "timestamptz") == 0 ? column->quoted : NULL;
	const char *and = "";

	if (table->documents &&
		(date == NULL || has_row(data, table, psprintf("%s IS NOT NULL AND %s->'$date' IS NULL",
													   date, field))))
	{
		date = convert_field(data->database, table, "date", field);
		and = psprintf(" AND %s->'$date' IS NOT NULL", field);
	}
	if (date == NULL)
		return;
	appendStringInfo(&data->notes, "-- Index %s of %s deletes documents in MongoDB: let a job run\n"
					 "-- DELETE FROM %s WHERE %s < now() - interval '%.0f seconds'%s%s%s;\n",
					 printable(plan->name), table->target, table->target, date, seconds, and,
					 *plan->filter ? " AND " : "", plan->filter);
}

static void
translate_index(PostData *data, const DbRelation *table, const bson_iter_t *definition)
{
	Plan		plan = {.table = table,.name = "index",.filter = ""};
	const char *why;
	bson_iter_t iter;
	int			fields;

	if (find_in(definition, "name", &iter) && BSON_ITER_HOLDS_UTF8(&iter))
		plan.name = bson_iter_utf8(&iter, NULL);
	plan.unique = find_in(definition, "unique", &iter) && bson_iter_as_bool(&iter);
	if (find_in(definition, "collation", &iter))
		add_collation(&plan, &iter);
	if (find_in(definition, "partialFilterExpression", &iter))
		add_filter(data, &plan, &iter);
	fields = add_fields(data, &plan, definition);
	/* the primary key has this index */
	if (plan.count == 1 && strcmp(plan.groups->values.data, "_id") == 0)
		return;
	why = plan.unique ? why_not_unique(&plan, fields) : plan.why;
	if (why)
		appendStringInfo(&data->notes, NOT_TRANSLATED "%sindex %s of %s, because %s: %s\n",
						 plan.unique ? "unique " : "", printable(plan.name), table->target, why,
						 metadata_text(definition));
	if (plan.why == NULL || plan.ignores_case)
		add_groups(data, &plan, plan.unique && why == NULL);
	if (plan.why == NULL && fields == 1 && plan.groups->relation == table &&
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
