/*-------------------------------------------------------------------------
 *
 * filter.c
 *	  The filter of a partial index of MongoDB as a condition of SQL.
 *
 * A condition on documents means what the filter means, whatever types the values have, if no
 * field of it is in an array.  One on columns is shorter, and is what queries have; it is right if
 * it is true for the same rows.  The caller asks the database for both.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <math.h>
#include <time.h>

#include "common/shortest_dec.h"
#include "dump/dump.h"
#include "post_data.h"
#include "render.h"

/* a double has each integer up to this; others are not compared as MongoDB does */
#define MAX_EXACT 9007199254740992.0

#define NUMBERS "bigint, double precision, numeric"
#define DATES "timestamptz"

/* a field: a column of its type, or a part of the document */
typedef struct Operand
{
	const char *sql;			/* NULL: the table has neither */
	const DbColumn *column;
} Operand;

/* types of BSON: name and number, that of jsonb or the key in Extended JSON, and of columns */
static const struct
{
	const char *name;
	int			number;
	const char *json;
	const char *types;
}			bson_types[] =

{
	{"string", 2, "string", "text"},
	{"binData", 5, "$binary", "bytea, uuid"},
	{"objectId", 7, "$oid", "objectid"},
	{"bool", 8, "boolean", "boolean"},
	{"date", 9, "$date", DATES},
	{"null", 10, "null", ""},
	{"regex", 11, "$regularExpression", ""},
	{"timestamp", 17, "$timestamp", ""},
	{"decimal", 19, "$numberDecimal", ""},
	{"number", 0, NULL, NUMBERS}
};

/* document_path - a field of the document as an expression */
char *
document_path(const char *path)
{
	char	   *rest = *path ? pg_strdup(path) : NULL;
	char	   *expression = "doc";

	for (char *step; (step = strsep(&rest, ".")) != NULL;)
		expression = psprintf("%s->%s", expression, quote_text(step));
	return expression;
}

/* field_path - the path that a column for a field of MongoDB has */
char *
field_path(const char *path)
{
	char	   *rest = pg_strdup(path);
	char	   *result = "";

	for (char *step; (step = strsep(&rest, ".")) != NULL;)
		result = add_step(result, step);
	return result;
}

/* convert_field - a call of a function of ejson.sql, or NULL if it is not there */
char *
convert_field(const Database *database, const DbRelation *table, const char *function,
			  const char *field)
{
	const char *const values[] = {table->schema, function, database->trusted};
	PGresult   *result = query(database->conn, 3, values,
							   "SELECT FROM pg_proc JOIN pg_namespace AS n "
							   "ON n.oid = pronamespace WHERE nspname = $1 "
							   "AND proname = 'ejson_' || $2 AND proowner = ANY ($3::oid[]) "
							   "AND proargtypes = '3802'");
	bool		found = PQntuples(result) > 0;

	PQclear(result);
	return !found ? NULL :
		psprintf("%s.ejson_%s(%s)", quote_name(table->schema), function, field);
}

static Operand
find_operand(const Filter *filter, const char *path, const char *types)
{
	const DbColumn *column = !filter->on_columns ? NULL :
	column_of_path(filter->table, field_path(path));

	if (column && (types == NULL || strstr(types, column->type)))
		return (Operand)
	{
		column->quoted, column
	};
	return (Operand)
	{
		filter->table->documents ? document_path(path) : NULL, NULL
	};
}

/* a value of a column, or of the document by one of the functions of ejson.sql */
static const char *
convert(const Filter *filter, Operand field, const char *function)
{
	return field.column || field.sql == NULL ? field.sql :
		convert_field(filter->database, filter->table, function, field.sql);
}

/* the functions convert text, too */
static const char *
is_no_text(Operand field)
{
	return field.column ? "" : psprintf(" AND jsonb_typeof(%s) <> 'string'", field.sql);
}

static char *
compare_null(const Filter *filter, const char *path)
{
	Operand		field = find_operand(filter, path, NULL);

	if (field.sql == NULL || field.column)
		return field.sql ? psprintf("%s IS NULL", field.sql) : NULL;
	return psprintf("(%s IS NULL OR %s = 'null')", field.sql, field.sql);
}

static char *
compare_text(const Filter *filter, const char *path, const char *operator, const char *text)
{
	Operand		field = find_operand(filter, path, "text");
	bool		equal = *operator == '=';

	if (field.column || field.sql == NULL)
		return field.sql ? psprintf("%s%s %s %s", field.sql, equal ? "" : " COLLATE \"C\"",
									operator, quote_text(text)) : NULL;
	if (equal)
		return psprintf("%s = %s", field.sql, quote_text(quote_json(text)));
	return psprintf("jsonb_typeof(%s) = 'string' AND (%s #>> '{}') COLLATE \"C\" %s %s", field.sql,
					field.sql, operator, quote_text(text));
}

static char *
compare_boolean(const Filter *filter, const char *path, const char *operator, bool value)
{
	Operand		field = find_operand(filter, path, "boolean");

	if (field.sql == NULL || *operator != '=')
		return NULL;
	return field.column ? psprintf("%s%s", value ? "" : "NOT ", field.sql) :
		psprintf("%s = '%s'", field.sql, value ? "true" : "false");
}

/* numbers of all types are compared; to SQL, but not to MongoDB, NaN is greater than others */
static char *
compare_number(const Filter *filter, const char *path, const char *operator, const char *number)
{
	Operand		field = find_operand(filter, path, NUMBERS);
	const char *value = convert(filter, field, "numeric");
	bool		bigint = field.column && strcmp(field.column->type, "bigint") == 0;

	if (value == NULL || !(fabs(strtod(number, NULL)) < MAX_EXACT))
		return NULL;
	return psprintf("%s %s %s%s%s", value, operator, number,
					*operator == '>' && !bigint ? psprintf(" AND %s <> 'NaN'", value) : "",
					is_no_text(field));
}

static char *
compare_date(const Filter *filter, const char *path, const char *operator, int64 milliseconds)
{
	Operand		field = find_operand(filter, path, DATES);
	const char *value = convert(filter, field, "date");
	time_t		seconds = (time_t) (milliseconds / 1000 - (milliseconds % 1000 < 0));
	const struct tm *tm = gmtime(&seconds);

	if (value == NULL || tm == NULL || tm->tm_year < 1 - 1900 || tm->tm_year > 9999 - 1900)
		return NULL;
	return psprintf("%s %s '%04d-%02d-%02d %02d:%02d:%02d.%03d+00'%s",
					value, operator, tm->tm_year + 1900, tm->tm_mon + 1,
					tm->tm_mday, tm->tm_hour, tm->tm_min, tm->tm_sec,
					(int) (milliseconds - (int64) seconds * 1000), is_no_text(field));
}

static char *
compare_id(const Filter *filter, const char *path, const char *operator, const bson_oid_t *id)
{
	Operand		field = find_operand(filter, path, "objectid");
	char		hex[25];

	bson_oid_to_string(id, hex);
	if (field.sql == NULL)
		return NULL;
	return psprintf(field.column ? "%s %s '%s'" : "(%s->>'$oid') COLLATE \"C\" %s '%s'", field.sql,
					operator, hex);
}

/* compare a field with a value; only values of the same type can be less or greater */
static char *
compare(const Filter *filter, const char *path, const char *operator, const bson_iter_t *value)
{
	char	   *number = NULL;
	const char *text;
	uint32_t	length;
	bson_decimal128_t decimal;

	switch (bson_iter_type(value))
	{
		case BSON_TYPE_NULL:
			return *operator == '=' ? compare_null(filter, path) : NULL;
		case BSON_TYPE_UTF8:
			text = bson_iter_utf8(value, &length);
			return strlen(text) == length ? compare_text(filter, path, operator, text) : NULL;
		case BSON_TYPE_BOOL:
			return compare_boolean(filter, path, operator, bson_iter_bool(value));
		case BSON_TYPE_OID:
			return compare_id(filter, path, operator, bson_iter_oid(value));
		case BSON_TYPE_DATE_TIME:
			return compare_date(filter, path, operator, bson_iter_date_time(value));
		case BSON_TYPE_INT32:
		case BSON_TYPE_INT64:
			number = psprintf(INT64_FORMAT, bson_iter_as_int64(value));
			break;
		case BSON_TYPE_DOUBLE:
			number = pg_malloc(DOUBLE_SHORTEST_DECIMAL_LEN);
			double_to_shortest_decimal_buf(bson_iter_double(value), number);
			break;
		case BSON_TYPE_DECIMAL128:
			number = pg_malloc(BSON_DECIMAL128_STRING);
			bson_iter_decimal128(value, &decimal);
			bson_decimal128_to_string(&decimal, number);
			break;
		default:
			return NULL;
	}
	return compare_number(filter, path, operator, number);
}

static char *
has_type(const Filter *filter, const char *path, const bson_iter_t *value)
{
	for (size_t i = 0; i < lengthof(bson_types); i++)
	{
		const char *json = bson_types[i].json;
		Operand		field;

		if (BSON_ITER_HOLDS_UTF8(value) ?
			strcmp(bson_iter_utf8(value, NULL), bson_types[i].name) != 0 :
			!BSON_ITER_HOLDS_NUMBER(value) || bson_types[i].number == 0 ||
			bson_iter_as_double(value) != bson_types[i].number)
			continue;
		field = find_operand(filter, path, bson_types[i].types);
		if (field.sql == NULL)
			return NULL;
		if (field.column)
			return psprintf("%s IS NOT NULL", field.sql);
		if (json == NULL)
		{
			const char *value = convert(filter, field, "numeric");

			return value ? psprintf("%s IS NOT NULL%s", value, is_no_text(field)) : NULL;
		}
		return psprintf(*json == '$' ? "%s->'%s' IS NOT NULL" : "jsonb_typeof(%s) = '%s'",
						field.sql, json);
	}
	return NULL;
}

static char *
translate_condition(const Filter *filter, const char *path, const char *operator,
					const bson_iter_t *value)
{
	static const char *const operators[][2] = {
		{"$eq", "="}, {"$gt", ">"}, {"$gte", ">="}, {"$lt", "<"}, {"$lte", "<="}
	};
	Operand		field;

	for (size_t i = 0; i < lengthof(operators); i++)
		if (strcmp(operator, operators[i][0]) == 0)
			return compare(filter, path, operators[i][1], value);
	if (strcmp(operator, "$exists") == 0)
	{
		field = find_operand(filter, path, NULL);
		return field.sql ? psprintf("%s IS %s", field.sql,
									bson_iter_as_bool(value) ? "NOT NULL" : "NULL") : NULL;
	}
	if (strcmp(operator, TYPE_OPERATOR) == 0)
		return has_type(filter, path, value);
	return NULL;
}

/* add a part to a list; returns false if there is none */
static bool
add_part(StringInfo list, const char *between, const char *part)
{
	if (part == NULL)
		return false;
	appendStringInfo(list, *between == ' ' && between[1] == 'O' && strstr(part, " AND ") ?
					 "%s(%s)" : "%s%s", list->len > 0 ? between : "", *part ? part : "true");
	return true;
}

/* the conditions in a list: documents, or if there is a path, values of an operator */
static char *
translate_list(const Filter *filter, const char *path, const char *operator,
			   const bson_iter_t *list, const char *between)
{
	StringInfoData out;
	bson_iter_t element;

	if (!BSON_ITER_HOLDS_ARRAY(list) || !bson_iter_recurse(list, &element))
		return NULL;
	initStringInfo(&out);
	while (bson_iter_next(&element))
		if (!add_part(&out, between, path ?
					  translate_condition(filter, path, operator, &element) :
					  translate_filter(filter, &element)))
			return NULL;
	return *out.data == '\0' ? pg_strdup("false") : psprintf("(%s)", out.data);
}

/* add the conditions that a field, or one that it is in, is an array */
static void
note_arrays(const Filter *filter, const char *path, bool itself)
{
	for (const char *end = path + strcspn(path, "."); *end || itself;
		 end += 1 + strcspn(end + 1, "."))
	{
		appendStringInfo(filter->arrays, "%sjsonb_typeof(%s) = 'array'",
						 filter->arrays->len > 0 ? " OR " : "",
						 document_path(pnstrdup(path, end - path)));
		if (*end == '\0')
			break;
	}
}

/* the condition on a field: a value, or operators with their values; an array exists, too */
static char *
translate_field(const Filter *filter, const char *path, const bson_iter_t *value)
{
	StringInfoData out;
	bson_iter_t operator;

	if (!BSON_ITER_HOLDS_DOCUMENT(value))
	{
		note_arrays(filter, path, true);
		return compare(filter, path, "=", value);
	}
	initStringInfo(&out);
	bson_iter_recurse(value, &operator);
	while (bson_iter_next(&operator))
	{
		const char *name = bson_iter_key(&operator);
		bool		in = strcmp(name, "$in") == 0;
		bool		list = in || (BSON_ITER_HOLDS_ARRAY(&operator) &&
								  strcmp(name, TYPE_OPERATOR) == 0);

		note_arrays(filter, path, strcmp(name, "$exists") != 0);
		if (!add_part(&out, " AND ", list ?
					  translate_list(filter, path, in ? "$eq" : name, &operator, " OR ") :
					  translate_condition(filter, path, name, &operator)))
			return NULL;
	}
	/* or the field is an empty document */
	return out.len > 0 ? out.data : NULL;
}

/*
 * translate_filter - a filter as a condition, empty if it has none, or NULL if a part of it has no
 * equivalent.  Adds the conditions that fields of it are in arrays.
 */
char *
translate_filter(const Filter *filter, const bson_iter_t *document)
{
	StringInfoData out;
	bson_iter_t iter;

	if (!BSON_ITER_HOLDS_DOCUMENT(document) || !bson_iter_recurse(document, &iter))
		return NULL;
	initStringInfo(&out);
	while (bson_iter_next(&iter))
	{
		const char *name = bson_iter_key(&iter);
		char	   *part = NULL;

		if (strcmp(name, "$or") == 0 || strcmp(name, "$and") == 0)
			part = translate_list(filter, NULL, NULL, &iter, name[1] == 'o' ? " OR " : " AND ");
		else if (*name != '$' && *name && is_utf8(name))
			part = translate_field(filter, name, &iter);
		if (!add_part(&out, " AND ", part))
			return NULL;
	}
	return out.data;
}
