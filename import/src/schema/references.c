/*-------------------------------------------------------------------------
 *
 * references.c
 *	  Foreign keys that the values which are loaded allow.
 *
 * A sample of the values of each column is looked up in all keys of the same type and schema; where
 * some are found, all values are counted.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "names.h"
#include "post_data.h"
#include "render.h"

/* values of a column that are looked up */
#define SAMPLED_VALUES 100

/* columns and keys that are compared in one statement, because it locks their tables */
#define COMPARED_TOGETHER 200

/* a column that may refer to others, or that others may refer to */
typedef struct Reference
{
	const DbRelation *relation;
	const DbColumn *column;
	bool		is_key;
	bool		may_refer;		/* it is no key of documents, and refers to
								 * none yet */
	bool		done;
	struct Match *matches;		/* keys that have values of it */
	int			count;
} Reference;

/* a key that has values of a column */
typedef struct Match
{
	Reference  *key;
	int64		values;
	int64		found;
} Match;

static bool
is_reference_type(const char *type)
{
	return strcmp(type, "objectid") == 0 || strcmp(type, "uuid") == 0 ||
		strcmp(type, "text") == 0 || strcmp(type, "bigint") == 0;
}

static bool
may_be_chance(const Reference *field)
{
	return strcmp(field->column->type, "text") == 0 || strcmp(field->column->type, "bigint") == 0;
}

/* a column, as text by its bytes, which keys of all collations have */
static char *
field_value(const Reference *field, const char *alias)
{
	return psprintf("%s%s%s", alias, field->column->quoted,
					strcmp(field->column->type, "text") == 0 ? " COLLATE \"C\"" : "");
}

/* look samples of columns up in keys of their type, and note which have some of them */
static void
match_samples(PostData *data, Reference **fields, int count, Reference **keys, int key_count)
{
	StringInfoData sql;
	PGresult   *result;

	initStringInfo(&sql);
	appendStringInfoString(&sql, "WITH s AS MATERIALIZED (");
	for (int i = 0; i < count; i++)
		appendStringInfo(&sql, "%s(SELECT %d AS n, %s AS v FROM %s WHERE %s IS NOT NULL LIMIT %d)",
						 i > 0 ? " UNION ALL " : "", i, field_value(fields[i], ""),
						 fields[i]->relation->target, fields[i]->column->quoted,
						 SAMPLED_VALUES);
	appendStringInfoString(&sql, ") SELECT s.n, k.n FROM s JOIN (");
	for (int i = 0; i < key_count; i++)
		appendStringInfo(&sql, "%sSELECT %d AS n, %s AS v FROM %s", i > 0 ? " UNION ALL " : "", i,
						 field_value(keys[i], ""), keys[i]->relation->target);
	appendStringInfo(&sql, ") AS k USING (v) GROUP BY s.n, k.n%s ORDER BY s.n, k.n",
					 may_be_chance(*fields) ?
					 " HAVING 2 * count(*) >= (SELECT count(*) FROM s AS o WHERE o.n = s.n)" : "");
	result = query_alone(data, sql.data);
	for (int i = 0; i < PQntuples(result); i++)
	{
		Reference  *field = fields[atoi(PQgetvalue(result, i, 0))];
		Reference  *key = keys[atoi(PQgetvalue(result, i, 1))];

		if (field != key)
			add_place(field->matches, field->count)->key = key;
	}
	PQclear(result);
}

/* count the values of a column, and how many of them a key has */
static void
count_found(PostData *data, const Reference *field, Match *match)
{
	const char *sql = psprintf("SELECT count(f.%s), count(k.%s) FROM %s AS f LEFT JOIN %s AS k "
							   "ON %s = %s", field->column->quoted, match->key->column->quoted,
							   field->relation->target, match->key->relation->target,
							   field_value(match->key, "k."), field_value(field, "f."));
	PGresult   *result = query_alone(data, sql);

	match->values = strtoi64(PQgetvalue(result, 0, 0), NULL, 10);
	match->found = strtoi64(PQgetvalue(result, 0, 1), NULL, 10);
	PQclear(result);
}

static bool
has_all(const Match *match)
{
	return match->values > 0 && match->found == match->values;
}

/* the only key that has all values of a column, if it is no guess that the column refers to it */
static const Match *
find_target(const Reference *field)
{
	const Match *target = NULL;
	bool		text = strcmp(field->column->type, "text") == 0;

	for (int i = 0; i < field->count; i++)
	{
		if (has_all(&field->matches[i]) && target)
			return NULL;
		if (has_all(&field->matches[i]))
			target = &field->matches[i];
	}
	if (target == NULL || field->relation->kind == 'v' ||
		(may_be_chance(field) && (!text || target->key->relation->root == field->relation->root)))
		return NULL;
	/* none of two that refer to each other could get a new value */
	for (int i = 0; i < target->key->count; i++)
		if (target->key->matches[i].key == field && has_all(&target->key->matches[i]))
			return NULL;
	return target;
}

/* add a foreign key; "begin" may make it a comment */
static void
add_foreign_key(PostData *data, const char *begin, const Reference *field, const Reference *key,
				const char *name)
{
	const char *target = field->relation->target;

	appendStringInfo(&data->keys, "%sALTER TABLE %s ADD CONSTRAINT %s FOREIGN KEY (%s) "
					 "REFERENCES %s (%s);\n%sCOMMENT ON CONSTRAINT %s ON %s IS %s;\n", begin,
					 target, name, field->column->quoted, key->relation->target,
					 key->column->quoted, begin, name, target,
					 quote_text(psprintf("%s%s", field->column->path, BY_US)));
}

/* add a key that has values of a column as a comment, with the query for those that it has not */
static void
add_candidate(PostData *data, const Reference *field, const Match *match, const char *name)
{
	const Reference *key = match->key;
	const char *column = field->column->quoted;

	appendStringInfo(&data->keys, "-- %s of %s: " INT64_FORMAT " of " INT64_FORMAT
					 " values are in %s (%s)%s\n", printable(field->column->path),
					 printable(field->relation->target), match->found, match->values,
					 printable(key->relation->target), printable(key->column->quoted),
					 !has_all(match) ? "; those without a target:" :
					 field->relation->kind == 'v' ? "; when it is a table:" :
					 may_be_chance(field) ? ", perhaps by chance:" : ":");
	if (!has_all(match))
		appendStringInfo(&data->keys, "-- SELECT * FROM %s AS f WHERE %s IS NOT NULL AND NOT "
						 "EXISTS (SELECT FROM %s AS k WHERE %s = %s);\n",
						 field->relation->target, column, key->relation->target,
						 field_value(key, "k."), field_value(field, "f."));
	add_foreign_key(data, "-- ", field, key, name);
}

/* add the foreign key of a column and its index, or, for what is a guess, comments */
static void
add_reference(PostData *data, const Reference *field)
{
	const DbRelation *relation = field->relation;
	const Match *target = find_target(field);
	KnownIndex	index = {
		.relation = relation,.column = field->column->quoted,
		.comment = psprintf("%s%s", field->column->path, BY_US)
	};
	const char *base = psprintf("%s_%s", relation->name, field->column->name);
	const char *name = NULL;
	bool		indexed = false;

	for (int i = 0; i < field->count; i++)
	{
		const Match *match = &field->matches[i];

		if ((target && match != target) || match->found == 0 ||
			(may_be_chance(field) && 2 * match->found < match->values))
			continue;
		if (name == NULL)
			name = quote_name(unique_name(shorten(base, "_fkey"), field->column->path,
										  relation->columns));
		if (target == NULL)
			add_candidate(data, field, match, name);
	}
	if (name == NULL)
		return;
	if (target)
	{
		appendStringInfo(&data->keys, "-- %s: " INT64_FORMAT " of " INT64_FORMAT " values\n",
						 printable(field->column->path), target->found, target->values);
		add_foreign_key(data, "", field, target->key, name);
		data->key_count++;
	}
	for (int i = 0; i < data->count; i++)
		indexed |= data->indexes[i].relation == relation && data->indexes[i].column &&
			strcmp(data->indexes[i].column, index.column) == 0;
	if (!indexed)
		add_index(data, target ? &data->others : &data->keys, target ? "" : "-- ", &index, false,
				  shorten(base, "_idx"), psprintf(" (%s)", index.column));
}

/* find the keys that have values of the columns of one type in one schema */
static void
match_fields(PostData *data, Reference *fields, int count, const Reference *like)
{
	Reference **columns = pg_malloc(count * sizeof(Reference *));
	Reference **keys = pg_malloc(count * sizeof(Reference *));
	int			column_count = 0;
	int			key_count = 0;

	for (Reference *field = fields; field < fields + count; field++)
	{
		if (strcmp(field->column->type, like->column->type) != 0 ||
			strcmp(field->relation->schema, like->relation->schema) != 0)
			continue;
		field->done = true;
		if (field->may_refer)
			columns[column_count++] = field;
		if (field->is_key)
			keys[key_count++] = field;
	}
	for (int i = 0; i < column_count; i += COMPARED_TOGETHER)
		for (int j = 0; j < key_count; j += COMPARED_TOGETHER)
			match_samples(data, columns + i, Min(column_count - i, COMPARED_TOGETHER), keys + j,
						  Min(key_count - j, COMPARED_TOGETHER));
	for (int i = 0; i < column_count; i++)
		for (int j = 0; j < columns[i]->count; j++)
			count_found(data, columns[i], &columns[i]->matches[j]);
	pg_free(columns);
	pg_free(keys);
}

/* add_references - add the foreign keys of all columns */
void
add_references(PostData *data)
{
	const Database *database = data->database;
	Reference  *fields = NULL;
	int			count = 0;

	for (int r = 0; r < data->relation_count; r++)
		for (int i = 0; i < data->relations[r]->count; i++)
		{
			const DbRelation *relation = data->relations[r];
			const DbColumn *column = &relation->columns[i];
			Reference	field = {relation, column,.may_refer = column->path != NULL};

			for (int j = 0; j < data->count; j++)
				field.is_key |= data->indexes[j].key && data->indexes[j].relation == relation &&
					strcmp(data->indexes[j].column, column->quoted) == 0;
			for (int j = 0; j < database->key_count; j++)
				if (database->keys[j].relation == relation->oid &&
					strtol(database->keys[j].columns, NULL, 10) == column->number)
					field.may_refer = false;
			if (is_reference_type(column->type))
				*add_place(fields, count) = field;
		}
	for (int i = 0; i < count; i++)
		if (!fields[i].done)
			match_fields(data, fields, count, &fields[i]);
	for (int i = 0; i < count; i++)
		add_reference(data, &fields[i]);
}
