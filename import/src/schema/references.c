/*-------------------------------------------------------------------------
 *
 * references.c
 *	  Foreign keys that the values which are loaded allow.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "schema.h"

/* columns and keys that are compared in one statement, because it locks their tables */
#define COMPARED_TOGETHER 200

/* a column that may refer to others, or that others may refer to */
typedef struct Reference
{
	const DbColumn *column;
	bool		is_key;
	bool		may_refer;		/* it is no key of documents, and refers to
								 * none yet */
	bool		done;
	int64		values;
	struct Match *matches;		/* keys that have values of it */
	int			count;
} Reference;

/* a key, and how many values of a column it has */
typedef struct Match
{
	const Reference *key;
	int64		found;
} Match;

static bool
has_type(const Reference *field, const char *type)
{
	return strcmp(field->column->type, type) == 0;
}

static bool
may_be_chance(const Reference *field)
{
	return has_type(field, "text") || has_type(field, "bigint");
}

/* a column, as text by its bytes, which keys of all collations have */
static char *
field_value(const Reference *field, const char *alias)
{
	return psprintf("%s%s%s", alias, field->column->quoted,
					has_type(field, "text") ? " COLLATE \"C\"" : "");
}

/* the values of columns, each with the number of its column */
static char *
list_values(Reference **fields, int count)
{
	StringInfoData sql;

	initStringInfo(&sql);
	for (int i = 0; i < count; i++)
		appendStringInfo(&sql, "%sSELECT %d AS n, %s AS v FROM %s", i > 0 ? " UNION ALL " : "", i,
						 field_value(fields[i], ""), fields[i]->column->relation->target);
	/* planned once, not for each pair of tables */
	appendStringInfoString(&sql, " OFFSET 0");
	return sql.data;
}

/* count how many values of columns are in keys of their type */
static void
count_matches(const PostData *data, Reference **fields, int count, Reference **keys, int key_count)
{
	const char *sql = psprintf("SELECT f.n, k.n, count(*) FROM (%s) AS f JOIN (%s) AS k USING (v) "
							   "GROUP BY f.n, k.n ORDER BY f.n, k.n", list_values(fields, count),
							   list_values(keys, key_count));
	PGresult   *result = query_alone(data->database, sql);

	for (int i = 0; i < PQntuples(result); i++)
	{
		Reference  *field = fields[atoi(PQgetvalue(result, i, 0))];
		Match		match = {
			keys[atoi(PQgetvalue(result, i, 1))], strtoi64(PQgetvalue(result, i, 2), NULL, 10)
		};

		if (match.key != field)
			*add_place(field->matches, field->count) = match;
	}
	PQclear(result);
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
		if (!has_type(field, like->column->type) ||
			strcmp(field->column->relation->schema, like->column->relation->schema) != 0)
			continue;
		field->done = true;
		if (field->may_refer)
			columns[column_count++] = field;
		if (field->is_key)
			keys[key_count++] = field;
	}
	for (int i = 0; i < column_count; i += COMPARED_TOGETHER)
		for (int j = 0; j < key_count; j += COMPARED_TOGETHER)
			count_matches(data, columns + i, Min(column_count - i, COMPARED_TOGETHER), keys + j,
						  Min(key_count - j, COMPARED_TOGETHER));
	for (int i = 0; i < column_count; i++)
		if (columns[i]->count > 0)
			columns[i]->values = number_alone(data->database,
											  psprintf("SELECT count(%s) FROM %s",
													   columns[i]->column->quoted,
													   columns[i]->column->relation->target));
	pg_free(columns);
	pg_free(keys);
}

/* the only key that has all values of a column, if that is no guess, or NULL */
static const Match *
find_target(const Reference *field)
{
	const Match *target = NULL;

	for (const Match *match = field->matches; match < field->matches + field->count; match++)
	{
		if (match->found == field->values && target)
			return NULL;
		if (match->found == field->values)
			target = match;
	}
	if (target == NULL || field->column->relation->kind == 'v' || has_type(field, "bigint") ||
		(has_type(field, "text") &&
		 target->key->column->relation->root == field->column->relation->root))
		return NULL;
	/* none of two that refer to each other could get a new value */
	for (int i = 0; i < target->key->count; i++)
		if (target->key->matches[i].key == field &&
			target->key->matches[i].found == target->key->values)
			return NULL;
	return target;
}

/* add a foreign key, or, if that is a guess, comments: its counts, and the query for the others */
static void
add_foreign_key(PostData *data, const Reference *field, const Match *match, bool guess,
				const char *name)
{
	const DbColumn *key = match->key->column;
	const char *begin = guess ? "-- " : "";
	const char *table = field->column->relation->target;
	const char *column = field->column->quoted;
	bool		all = match->found == field->values;
	StringInfo	out = &data->keys;

	appendStringInfo(out, "-- %s%s: " INT64_FORMAT " of " INT64_FORMAT " values",
					 printable(field->column->path),
					 guess ? printable(psprintf(" of %s", table)) : "", match->found,
					 field->values);
	if (guess)
		appendStringInfo(out, " are in %s (%s)%s:", printable(key->relation->target),
						 printable(key->quoted), !all ? "; those without a target" :
						 field->column->relation->kind == 'v' ? "; when it is a table" :
						 may_be_chance(field) ? ", perhaps by chance" : "");
	if (guess && !all)
		appendStringInfo(out, "\n-- SELECT * FROM %s AS f WHERE %s IS NOT NULL AND NOT "
						 "EXISTS (SELECT FROM %s AS k WHERE %s = %s);", table, column,
						 key->relation->target, field_value(match->key, "k."),
						 field_value(field, "f."));
	appendStringInfo(out, "\n%sALTER TABLE %s ADD CONSTRAINT %s FOREIGN KEY (%s) "
					 "REFERENCES %s (%s);\n", begin, table, name, column, key->relation->target,
					 key->quoted);
	appendStringInfo(out, "%sCOMMENT ON CONSTRAINT %s ON %s IS %s;\n", begin, name, table,
					 quote_text(psprintf("%s%s", field->column->path, BY_US)));
	data->key_count += !guess;
}

/* add the foreign key of a column and its index, or, for what is a guess, comments */
static void
add_reference(PostData *data, const Reference *field)
{
	const DbColumn *column = field->column;
	const Match *target = find_target(field);
	const char *base = psprintf("%s_%s", field->column->relation->name, column->name);
	const char *name = NULL;
	DbIndex		index = {
		.relation = column->relation,.columns = psprintf("%d", column->number),
		.definition = psprintf(" (%s)", column->quoted)
	};

	for (const Match *match = field->matches; match < field->matches + field->count; match++)
	{
		if ((target && match != target) ||
			(may_be_chance(field) && 2 * match->found < field->values))
			continue;
		if (name == NULL)
			name = quote_name(unique_name(shorten(base, "_fkey"), column->path,
										  column->relation->schema));
		add_foreign_key(data, field, match, target == NULL, name);
	}
	if (name == NULL || is_indexed(data->database, column, false))
		return;
	index.comment = psprintf("%s%s", column->path, BY_US);
	add_index(data, target ? &data->others : &data->keys, target ? "" : "-- ", index,
			  shorten(base, "_idx"));
}

/* add_references - add the foreign keys of all columns */
void
add_references(PostData *data)
{
	const Database *database = data->database;
	Reference  *fields = NULL;
	int			count = 0;

	for (int r = 0; r < database->relation_count; r++)
		for (int i = 0; i < database->relations[r].count; i++)
		{
			const DbColumn *column = &database->relations[r].columns[i];
			Reference	field = {
				column,.is_key = is_indexed(database, column, true),
				.may_refer = column->path && !column->refers && strcmp(column->path, "_id") != 0
			};

			if (may_be_chance(&field) || has_type(&field, "objectid") || has_type(&field, "uuid"))
				*add_place(fields, count) = field;
		}
	for (int i = 0; i < count; i++)
		if (!fields[i].done)
			match_fields(data, fields, count, &fields[i]);
	for (int i = 0; i < count; i++)
		add_reference(data, &fields[i]);
}
