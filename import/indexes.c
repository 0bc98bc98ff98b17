/*-------------------------------------------------------------------------
 *
 * indexes.c
 *	  The metadata that mongodump writes beside a collection: its indexes, as
 *	  CREATE INDEX statements for a person to review.
 *
 * What has no counterpart, or one that we are not sure of, is a comment.
 *
 *-------------------------------------------------------------------------
 */
#include "objectid-import.h"

#include <unistd.h>

/* The path of the metadata of a collection, the length of whose file name without endings is known; or NULL */
char *
find_metadata(const char *path, int length)
{
	static const char *const endings[] = {".metadata.json", ".metadata.json.gz"};
	const char *slash = strrchr(path, '/');
	int			directory = slash ? slash + 1 - path : 0;

	for (int i = 0; i < 2; i++)
	{
		char	   *metadata = psprintf("%.*s%s", directory + length, path, endings[i]);

		if (access(metadata, R_OK) == 0)
			return metadata;
	}
	return NULL;
}

static bool
read_metadata(const char *path, bson_t *metadata)
{
	StringInfoData text;
	gzFile		file = gzopen(path, "rb");
	char		buffer[8192];
	int			got;
	bson_error_t error;
	bool		ok;

	if (file == NULL)
		pg_fatal("could not open file \"%s\": %m", path);
	initStringInfo(&text);
	while ((got = gzread(file, buffer, sizeof(buffer))) > 0)
		appendBinaryStringInfo(&text, buffer, got);
	ok = got == 0 && bson_init_from_json(metadata, text.data, text.len, &error);
	if (!ok)
		pg_log_warning("could not read file \"%s\": %s", path, got < 0 ? gzerror(file, &got) : error.message);
	gzclose(file);
	pfree(text.data);
	return ok;
}

/* The collection's whole name, if the metadata has it */
char *
metadata_name(const char *path, char *name)
{
	bson_t		metadata;
	bson_iter_t iter;

	if (!read_metadata(path, &metadata))
		return name;
	if (bson_iter_init_find(&iter, &metadata, "collectionName") && BSON_ITER_HOLDS_UTF8(&iter))
		name = pg_strdup(bson_iter_utf8(&iter, NULL));
	bson_destroy(&metadata);
	return name;
}

/* Append text as a literal of SQL, whatever standard_conforming_strings is. */
static void
append_literal(PQExpBuffer sql, const char *text)
{
	if (strchr(text, '\\'))
		appendPQExpBufferChar(sql, 'E');
	appendPQExpBufferChar(sql, '\'');
	for (; *text; text++)
	{
		if (*text == '\'' || *text == '\\')
			appendPQExpBufferChar(sql, *text);
		appendPQExpBufferChar(sql, *text);
	}
	appendPQExpBufferChar(sql, '\'');
}

/* Append the expression of a field, a path with dots, that gives jsonb. */
static void
append_field(PQExpBuffer sql, const char *path)
{
	char	   *copy = pg_strdup(path);
	char	   *rest = copy;

	if (strcmp(path, "_id") == 0)
		appendPQExpBufferStr(sql, "_id");
	else
	{
		appendPQExpBufferStr(sql, "(doc");
		for (char *name; (name = strsep(&rest, ".")) != NULL;)
		{
			appendPQExpBufferStr(sql, " -> ");
			append_literal(sql, name);
		}
		appendPQExpBufferChar(sql, ')');
	}
	pg_free(copy);
}

/* Append a value as a literal of jsonb, as its documents have it. */
static bool
append_value(PQExpBuffer sql, bson_iter_t *iter)
{
	static Writer writer;

	if (writer.out.data == NULL)
		initStringInfo(&writer.out);
	writer.out.len = 0;
	if (write_bson_value(&writer, iter, 1) != WRITTEN)
		return false;
	writer.out.data[writer.out.len] = '\0';
	append_literal(sql, writer.out.data);
	appendPQExpBufferStr(sql, "::jsonb");
	return true;
}

/* Append a condition on a field; false if there is no sure counterpart. */
static bool
append_condition(PQExpBuffer sql, const char *field, bson_iter_t *iter)
{
	static const char *const operators[][2] = {{"$eq", "="}, {"$gt", ">"}, {"$gte", ">="}, {"$lt", "<"}, {"$lte", "<="}};
	bson_iter_t inner;
	bool		first = true;

	if (!BSON_ITER_HOLDS_DOCUMENT(iter))
	{
		append_field(sql, field);
		appendPQExpBufferStr(sql, " = ");
		return append_value(sql, iter);
	}
	for (bson_iter_recurse(iter, &inner); bson_iter_next(&inner); first = false)
	{
		const char *key = bson_iter_key(&inner);
		const char *operator = NULL;

		if (!first)
			appendPQExpBufferStr(sql, " AND ");
		append_field(sql, field);
		for (size_t i = 0; i < lengthof(operators); i++)
			if (strcmp(key, operators[i][0]) == 0)
				operator = operators[i][1];
		if (operator)
		{
			appendPQExpBuffer(sql, " %s ", operator);
			if (!append_value(sql, &inner))
				return false;
		}
		else if (strcmp(key, "$exists") == 0)
			appendPQExpBuffer(sql, " IS %sNULL", bson_iter_as_bool(&inner) ? "NOT " : "");
		else
			return false;
	}
	return !first;
}

/* Append the WHERE clause of a partial or sparse index; false if there is no sure counterpart. */
static bool
append_predicate(PQExpBuffer sql, bson_iter_t *index, const char *first_field)
{
	bson_iter_t iter;
	bson_iter_t field;
	bool		first = true;

	bson_iter_recurse(index, &iter);
	if (bson_iter_find(&iter, "partialFilterExpression") && BSON_ITER_HOLDS_DOCUMENT(&iter))
	{
		for (bson_iter_recurse(&iter, &field); bson_iter_next(&field); first = false)
		{
			appendPQExpBufferStr(sql, first ? " WHERE " : " AND ");
			if (*bson_iter_key(&field) == '$' || !append_condition(sql, bson_iter_key(&field), &field))
				return false;
		}
		return true;
	}
	bson_iter_recurse(index, &iter);
	if (bson_iter_find(&iter, "sparse") && bson_iter_as_bool(&iter))
	{
		appendPQExpBufferStr(sql, " WHERE ");
		append_field(sql, first_field);
		appendPQExpBufferStr(sql, " IS NOT NULL");
	}
	return true;
}

/* Append the columns of an index, and find its method; false if there is no sure counterpart. */
static bool
append_columns(PQExpBuffer sql, bson_iter_t *index, const char **method, char **first_field)
{
	bson_iter_t iter;
	bson_iter_t key;

	bson_iter_recurse(index, &iter);
	if (!bson_iter_find(&iter, "key") || !BSON_ITER_HOLDS_DOCUMENT(&iter) || !bson_iter_recurse(&iter, &key))
		return false;
	while (bson_iter_next(&key))
	{
		const char *field = bson_iter_key(&key);

		if (strchr(field, '$') != NULL)
			return false;
		if (*first_field)
			appendPQExpBufferStr(sql, ", ");
		else
			*first_field = pg_strdup(field);
		if (BSON_ITER_HOLDS_UTF8(&key))
		{
			if (strcmp(bson_iter_utf8(&key, NULL), "hashed") != 0)
				return false;
			*method = "hash";
		}
		append_field(sql, field);
		if (BSON_ITER_HOLDS_NUMBER(&key) && bson_iter_as_double(&key) < 0)
			appendPQExpBufferStr(sql, " DESC");
	}
	return *first_field != NULL;
}

/* Write one index. */
static void
write_index(FILE *file, const Collection *collection, bson_iter_t *index)
{
	PQExpBufferData columns;
	PQExpBufferData predicate;
	bson_iter_t iter;
	const char *method = "btree";
	char	   *first_field = NULL;
	const char *name = "";
	bool		unique;
	bool		sure;
	const uint8_t *data;
	uint32_t	length;
	bson_t		bson;

	initPQExpBuffer(&columns);
	initPQExpBuffer(&predicate);
	sure = append_columns(&columns, index, &method, &first_field);
	if (strcmp(columns.data, "_id") == 0)
		return;					/* the primary key */
	sure = sure && append_predicate(&predicate, index, first_field);
	bson_iter_recurse(index, &iter);
	unique = bson_iter_find(&iter, "unique") && bson_iter_as_bool(&iter);
	bson_iter_recurse(index, &iter);
	if (bson_iter_find(&iter, "name") && BSON_ITER_HOLDS_UTF8(&iter))
		name = shorten(psprintf("%s_%s", collection->name, bson_iter_utf8(&iter, NULL)), "");
	bson_iter_document(index, &length, &data);
	if (bson_init_static(&bson, data, length))
		fprintf(file, "\n-- %s\n", bson_as_relaxed_extended_json(&bson, NULL));
	bson_iter_recurse(index, &iter);
	if (bson_iter_find(&iter, "expireAfterSeconds"))
		fprintf(file, "-- TTL: let a job delete the documents that are older than %.0f seconds\n", bson_iter_as_double(&iter));
	bson_iter_recurse(index, &iter);
	if (bson_iter_find(&iter, "collation"))
		fprintf(file, "-- with a collation\n");
	if (!sure)
		fprintf(file, "-- has no counterpart that is written here\n");
	else
		fprintf(file, "CREATE %sINDEX %s ON %s USING %s (%s)%s;\n", unique ? "UNIQUE " : "", fmtId(name),
				psprintf("%s", fmtQualifiedId(collection->schema, collection->name)), method, columns.data, predicate.data);
	termPQExpBuffer(&columns);
	termPQExpBuffer(&predicate);
}

/* Write the indexes of all collections that have metadata to a file of that path. */
void
write_indexes(const Collection *collections, int count, const char *path)
{
	FILE	   *file = NULL;

	for (int i = 0; i < count; i++)
	{
		char	   *name = pg_strdup(collections[i].name);
		char	   *c;
		bson_t		metadata;
		bson_iter_t iter;
		bson_iter_t index;

		if (collections[i].metadata == NULL || !read_metadata(collections[i].metadata, &metadata))
			continue;
		if (file == NULL && (file = fopen(path, "wx")) == NULL)
		{
			if (errno == EEXIST)
				pg_log_info("file \"%s\" exists and is left as it is", path);
			else
				pg_log_warning("could not create file \"%s\" for the indexes: %m", path);
			return;
		}
		for (c = name; *c; c++)
			if ((unsigned char) *c < ' ')
				*c = '?';		/* a comment ends with its line */
		fprintf(file, "%s-- Collection %s: review before use.  An index on a field that holds arrays would be\n"
				"-- GIN, (doc -> 'field') jsonb_path_ops, with conditions by @>.\n", i ? "\n" : "", name);
		if (bson_iter_init_find(&iter, &metadata, "indexes") && BSON_ITER_HOLDS_ARRAY(&iter))
			for (bson_iter_recurse(&iter, &index); bson_iter_next(&index);)
				if (BSON_ITER_HOLDS_DOCUMENT(&index))
					write_index(file, &collections[i], &index);
		bson_destroy(&metadata);
	}
	if (file == NULL)
		return;
	if (fclose(file) != 0)
		pg_log_warning("could not write file \"%s\": %m", path);
	else
		pg_log_info("the indexes are in file \"%s\", for review", path);
}
