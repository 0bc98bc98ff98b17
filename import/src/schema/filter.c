/*-------------------------------------------------------------------------
 *
 * filter.c
 *	  The filter of a partial index of MongoDB as a condition of SQL.
 *
 * A condition on documents means what the filter means, whatever types the values have, if no
 * field of it is in an array.  One on a column is shorter, and is what queries have: it takes its
 * place if it is true for the same rows.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <math.h>
#include <time.h>

#include "common/shortest_dec.h"
#include "schema.h"

/* a double has each integer up to this; others are not compared as MongoDB does */
#define MAX_EXACT 9007199254740992.0

typedef struct Filter
{
	const Database *database;
	const DbRelation *table;
	const char *functions;		/* what their names begin with, or NULL */
	const char *why;			/* it has no equivalent, or NULL */
} Filter;

/*
 * A type of BSON.  Its conditions are templates: {ejson} is what the functions of ejson.sql, which
 * convert text, too, begin with.
 */
typedef struct BsonType
{
	const char *name;
	int			number;
	const char *columns;		/* types of columns that show it */
	const char *has;			/* a field of documents has it */
	const char *compare;		/* a field of documents is compared */
} BsonType;

static const BsonType types[] = {
	{"string", 2, "text", "jsonb_typeof({field}) = 'string'",
	"jsonb_typeof({field}) = 'string' AND ({field} #>> '{}') COLLATE \"C\" {operator} {value}"},
	/* to SQL, but not to MongoDB, NaN is greater than other numbers */
	{"number", 0, "bigint, double precision, numeric",
		"{ejson}numeric({field}) IS NOT NULL AND jsonb_typeof({field}) <> 'string'",
		"{ejson}numeric({field}) {operator} {value} AND {ejson}numeric({field}) <> 'NaN' "
	"AND jsonb_typeof({field}) <> 'string'"},
	{"bool", 8, "boolean", "jsonb_typeof({field}) = 'boolean'", "{field} {operator} '{value}'"},
	{"date", 9, "timestamptz", "{field}->'$date' IS NOT NULL",
	"{ejson}date({field}) {operator} {value} AND {field}->'$date' IS NOT NULL"},
	{"objectId", 7, "objectid", "{field}->'$oid' IS NOT NULL",
	"({field}->>'$oid') COLLATE \"C\" {operator} {value}"},
	{"binData", 5, "bytea, uuid", "{field}->'$binary' IS NOT NULL", NULL},
	{"null", 10, "", "{field} = 'null'", NULL},
	{"regex", 11, "", "{field}->'$regularExpression' IS NOT NULL", NULL},
	{"timestamp", 17, "", "{field}->'$timestamp' IS NOT NULL", NULL},
	{"decimal", 19, "", "{field}->'$numberDecimal' IS NOT NULL", NULL}
};

/* the first of the list */
enum
{
	STRING, NUMBER, BOOL, DATE, OBJECTID
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

/* find_array - the path of the first array that has a field, or is it, or NULL */
char *
find_array(const Database *database, const DbRelation *table, const char *path)
{
	for (const char *end = path; *end && table->documents; end += *end == '.')
	{
		char	   *array;

		end += strcspn(end, ".");
		array = pnstrdup(path, end - path);
		if (has_row(database, table, psprintf("jsonb_typeof(%s) = 'array'", document_path(array))))
			return array;
	}
	return NULL;
}

/* ejson_functions - what calls of them for a table begin with, or NULL if they are not there */
const char *
ejson_functions(const Database *database, const DbRelation *table)
{
	const char *sql = psprintf("SELECT 1 FROM pg_proc "
							   "JOIN pg_namespace AS n ON n.oid = pronamespace "
							   "WHERE nspname = $1 AND proname IN ('ejson_date', 'ejson_numeric') "
							   "AND proargtypes = '3802' AND proowner = ANY ('%s'::oid[]) "
							   "HAVING count(*) = 2", database->trusted);

	return has_rows(database->conn, table->schema, sql) ?
		psprintf("%s.ejson_", quote_name(table->schema)) : NULL;
}

/* a condition on a column of some types, or, if that differs, on documents; NULL: there is none */
static const char *
condition(const Filter *filter, const char *path, const char *columns, const char *on_column,
		  const char *on_documents, const char *operator, const char *value)
{
	const DbColumn *column = column_of_path(filter->table, field_path(path));
	const char *shorter = NULL;
	const char *exact = NULL;
	Placeholder values[] = {
		{"field", document_path(path)}, {"ejson", filter->functions}, {"operator", operator},
		{"value", value}, {NULL, NULL}
	};

	if (filter->table->documents && (filter->functions || !strstr(on_documents, "{ejson}")))
		exact = render(on_documents, values);
	if (column && (columns == NULL || strstr(columns, column->type)))
	{
		values[0].text = column->quoted;
		shorter = render(on_column, values);
	}
	if (shorter && exact && has_row(filter->database, filter->table,
									psprintf("((%s) IS TRUE) <> ((%s) IS TRUE)", shorter, exact)))
		return exact;
	return shorter ? shorter : exact;
}

/* compare a field with a value; only values of the same type can be less or greater */
static const char *
compare(const Filter *filter, const char *path, const char *operator, const bson_iter_t *value)
{
	char		buffer[Max(BSON_DECIMAL128_STRING, DOUBLE_SHORTEST_DECIMAL_LEN)];
	const char *literal = buffer;
	bool		equal = *operator == '=';
	int			type = NUMBER;
	uint32_t	length;
	time_t		seconds;
	const struct tm *tm;
	bson_decimal128_t decimal;

	switch (bson_iter_type(value))
	{
		case BSON_TYPE_NULL:
			return !equal ? NULL : condition(filter, path, NULL, "{field} IS NULL",
											 "({field} IS NULL OR {field} = 'null')", "", "");
		case BSON_TYPE_UTF8:
			type = STRING;
			literal = quote_text(bson_iter_utf8(value, &length));
			if (strlen(bson_iter_utf8(value, NULL)) != length)
				return NULL;
			break;
		case BSON_TYPE_BOOL:
			type = BOOL;
			literal = bson_iter_bool(value) ? "true" : "false";
			if (!equal)
				return NULL;
			break;
		case BSON_TYPE_OID:
			type = OBJECTID;
			bson_oid_to_string(bson_iter_oid(value), buffer);
			literal = quote_text(buffer);
			break;
		case BSON_TYPE_DATE_TIME:
			type = DATE;
			seconds = (time_t) floor((double) bson_iter_date_time(value) / 1000);
			tm = gmtime(&seconds);
			if (tm == NULL || tm->tm_year < 1000 - 1900 || tm->tm_year > 9999 - 1900)
				return NULL;
			strftime(buffer, sizeof(buffer), "%Y-%m-%d %H:%M:%S", tm);
			literal = psprintf("'%s.%03d+00'", buffer,
							   (int) (bson_iter_date_time(value) - seconds * 1000));
			break;
		case BSON_TYPE_INT32:
		case BSON_TYPE_INT64:
		case BSON_TYPE_DOUBLE:
			double_to_shortest_decimal_buf(bson_iter_as_double(value), buffer);
			break;
		case BSON_TYPE_DECIMAL128:
			bson_iter_decimal128(value, &decimal);
			bson_decimal128_to_string(&decimal, buffer);
			break;
		default:
			return NULL;
	}
	if (type == NUMBER && !(fabs(strtod(literal, NULL)) < MAX_EXACT))
		return NULL;
	return condition(filter, path, types[type].columns,
					 type == STRING && !equal ?
					 "{field} COLLATE \"C\" {operator} {value}" : "{field} {operator} {value}",
					 types[type].compare, operator, literal);
}

static const char *
has_type(const Filter *filter, const char *path, const bson_iter_t *value)
{
	for (const BsonType *type = types; type < types + lengthof(types); type++)
		if (BSON_ITER_HOLDS_UTF8(value) ? strcmp(bson_iter_utf8(value, NULL), type->name) == 0 :
			BSON_ITER_HOLDS_NUMBER(value) && bson_iter_as_double(value) == type->number)
			return condition(filter, path, type->columns, "{field} IS NOT NULL", type->has, "", "");
	return NULL;
}

static const char *join(Filter *filter, const char *path, const char *operator,
						const bson_iter_t *list, const char *between);

/* an operator of a field, with its value; libbson reads $type itself in most metadata */
static const char *
translate_operator(Filter *filter, const char *path, const char *operator,
				   const bson_iter_t *value)
{
	static const char *const operators[][2] = {
		{"$eq", "="}, {"$gt", ">"}, {"$gte", ">="}, {"$lt", "<"}, {"$lte", "<="}
	};
	bool		type = strcmp(operator, "$type") == 0 || strcmp(operator, TYPE_OPERATOR) == 0;

	for (size_t i = 0; i < lengthof(operators); i++)
		if (strcmp(operator, operators[i][0]) == 0)
			return compare(filter, path, operators[i][1], value);
	if (strcmp(operator, "$exists") == 0)
		return condition(filter, path, NULL, "{field} IS {value}", "{field} IS {value}", "",
						 bson_iter_as_bool(value) ? "NOT NULL" : "NULL");
	if (BSON_ITER_HOLDS_ARRAY(value) && (type || strcmp(operator, "$in") == 0))
		return join(filter, path, type ? operator : "$eq", value, " OR ");
	return type ? has_type(filter, path, value) : NULL;
}

/* is a document only whether a field exists? */
static bool
is_existence(const bson_iter_t *document)
{
	bson_iter_t iter;

	return BSON_ITER_HOLDS_DOCUMENT(document) && bson_iter_recurse(document, &iter) &&
		bson_iter_next(&iter) && strcmp(bson_iter_key(&iter), "$exists") == 0 &&
		!bson_iter_next(&iter);
}

/* a member of a filter: a list of filters, or a field with its value or operators */
static const char *
translate_member(Filter *filter, const char *name, const bson_iter_t *value)
{
	const char *array;

	if (strcmp(name, "$or") == 0 || strcmp(name, "$and") == 0)
		return join(filter, NULL, name, value, name[1] == 'o' ? " OR " : " AND ");
	if (*name == '$' || *name == '\0' || !is_utf8(name))
		return NULL;
	/* SQL would not find elements; an array exists, too */
	array = find_array(filter->database, filter->table, name);
	if (array && (strcmp(array, name) != 0 || !is_existence(value)))
		filter->why = "a field of its filter is in an array";
	return BSON_ITER_HOLDS_DOCUMENT(value) ? join(filter, name, NULL, value, " AND ") :
		compare(filter, name, "=", value);
}

/*
 * join - join conditions: of values of an operator of a field; or, without an operator, of all
 * operators of a field; or, without a field, of filters in a list; or, with neither, of a filter
 */
static const char *
join(Filter *filter, const char *path, const char *operator, const bson_iter_t *list,
	 const char *between)
{
	StringInfoData out;
	bson_iter_t iter;

	if (!(operator ? BSON_ITER_HOLDS_ARRAY(list) : BSON_ITER_HOLDS_DOCUMENT(list)) ||
		!bson_iter_recurse(list, &iter))
		return NULL;
	initStringInfo(&out);
	while (bson_iter_next(&iter))
	{
		const char *name = bson_iter_key(&iter);
		const char *part;

		if (path)
			part = translate_operator(filter, path, operator ? operator : name, &iter);
		else
			part = operator ? join(filter, NULL, NULL, &iter, " AND ") :
				translate_member(filter, name, &iter);
		if (part == NULL)
			return NULL;
		appendStringInfo(&out, "%s%s", out.len > 0 ? between : "", *part ? part : "true");
	}
	if (operator)
		return out.len > 0 ? psprintf("(%s)", out.data) : "false";
	/* or the field is an empty document */
	return out.len > 0 || path == NULL ? out.data : NULL;
}

/*
 * translate_filter - a filter as a condition, empty if it has none; or NULL, and why it has no
 * equivalent
 */
const char *
translate_filter(const Database *database, const DbRelation *table, const bson_iter_t *document,
				 const char **why)
{
	Filter		filter = {database, table, ejson_functions(database, table), NULL};
	const char *translated = join(&filter, NULL, NULL, document, " AND ");

	if (translated && filter.why == NULL)
		return translated;
	*why = filter.why ? filter.why : "its filter has no equivalent";
	return NULL;
}
