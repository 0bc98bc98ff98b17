/*-------------------------------------------------------------------------
 *
 * metadata.c
 *	  What mongodump writes beside a collection: its whole name, and its
 *	  indexes, which become statements for a person to review.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "command.h"

/* Read metadata.json.  NULL, after a warning, if that fails. */
bson_t *
read_metadata(const char *path)
{
	gzFile		file = gzopen(path, "rb");
	StringInfoData text;
	int			got;
	bson_t	   *metadata;
	bson_error_t error = {.message = "could not read it"};

	initStringInfo(&text);
	do
	{
		enlargeStringInfo(&text, BLCKSZ);
		got = file ? gzread(file, text.data + text.len, BLCKSZ) : -1;
		text.len += Max(got, 0);
	} while (got > 0);
	metadata = got == 0 ? bson_new_from_json((const uint8_t *) text.data, text.len, &error) : NULL;
	if (metadata == NULL)
		pg_log_warning("could not read file \"%s\": %s", path, error.message);
	if (file)
		gzclose(file);
	pfree(text.data);
	return metadata;
}

/* Append the expression of a field, whose name is a path with dots. */
static void
append_expression(PGconn *conn, StringInfo out, const char *path)
{
	if (strcmp(path, "_id") == 0)
	{
		appendStringInfoString(out, path);
		return;
	}
	appendStringInfoString(out, "(doc");
	for (const char *end; path; path = end ? end + 1 : NULL)
	{
		char	   *name;

		end = strchr(path, '.');
		name = PQescapeLiteral(conn, path, end ? end - path : (int) strlen(path));
		appendStringInfo(out, " -> %s", name ? name + strspn(name, " ") : "NULL");
		PQfreemem(name);
	}
	appendStringInfoChar(out, ')');
}

/* Append the columns of an index of ascending and descending fields, or of one hashed field.  False: it is of another kind. */
static bool
append_columns(PGconn *conn, StringInfo out, const bson_t *index, const char **method)
{
	bson_iter_t iter;
	bson_iter_t key;

	*method = "btree";
	if (!bson_iter_init_find(&iter, index, "key") || !BSON_ITER_HOLDS_DOCUMENT(&iter) || !bson_iter_recurse(&iter, &key))
		return false;
	while (bson_iter_next(&key))
	{
		bool		hashed = BSON_ITER_HOLDS_UTF8(&key) && strcmp(bson_iter_utf8(&key, NULL), "hashed") == 0;

		if (strchr(bson_iter_key(&key), '$') || !(hashed || BSON_ITER_HOLDS_NUMBER(&key)))
			return false;
		if (hashed)
			*method = "hash";
		appendStringInfoString(out, out->len > 0 ? ", " : "");
		append_expression(conn, out, bson_iter_key(&key));
		appendStringInfoString(out, bson_iter_as_int64(&key) < 0 ? " DESC" : "");
	}
	return out->len > 0;
}

static bool
has_field(const bson_t *index, const char *field)
{
	bson_iter_t iter;

	return bson_iter_init_find(&iter, index, field) && bson_iter_as_bool(&iter);
}

/* Write one index: the metadata as a comment, then the statement if it means the same. */
static void
write_index(PGconn *conn, FILE *file, const Table *table, const bson_t *index)
{
	bson_iter_t iter;
	StringInfoData columns;
	const char *method;
	const char *name = "index";
	char	   *json = bson_as_relaxed_extended_json(index, NULL);
	char	   *identifier;
	bool		known;

	initStringInfo(&columns);
	known = append_columns(conn, &columns, index, &method) && !has_field(index, "partialFilterExpression") && !has_field(index, "collation");
	if (known && strcmp(columns.data, "_id") == 0)
		return;					/* the primary key */
	if (bson_iter_init_find(&iter, index, "name") && BSON_ITER_HOLDS_UTF8(&iter))
		name = bson_iter_utf8(&iter, NULL);
	identifier = shorten(psprintf("%s_%s", table->name, name), "");
	identifier = PQescapeIdentifier(conn, identifier, strlen(identifier));
	fprintf(file, "\n-- %s\n", json);
	if (has_field(index, "expireAfterSeconds"))
		fprintf(file, "-- TTL: let a job delete old documents\n");
	if (known && identifier != NULL)
		fprintf(file, "CREATE %sINDEX %s ON %s USING %s (%s);\n", has_field(index, "unique") ? "UNIQUE " : "",
				identifier, table->target, method, columns.data);
	else
		fprintf(file, "-- is not translated\n");
	PQfreemem(identifier);
	bson_free(json);
	pfree(columns.data);
}

/* Write the indexes of a collection. */
static void
write_collection(PGconn *conn, FILE *file, const Collection *collection)
{
	bson_t	   *metadata = read_metadata(collection->metadata);
	bson_iter_t iter;
	bson_iter_t indexes;
	const uint8_t *data;
	uint32_t	length;
	bson_t		index;
	char	   *name = pg_strdup(collection->table.name);

	if (metadata == NULL)
		return;
	if (!bson_iter_init_find(&iter, metadata, "indexes") || !BSON_ITER_HOLDS_ARRAY(&iter) || !bson_iter_recurse(&iter, &indexes))
	{
		pg_log_warning("the indexes in file \"%s\" are left out: they are not an array", collection->metadata);
		return;
	}
	/* a line break would end the comment */
	for (char *c = name; *c; c++)
		if ((unsigned char) *c < ' ' || *c == 0x7f)
			*c = '?';
	fprintf(file, "%s-- Collection %s: review before use.  An index on a field that holds arrays would be\n"
			"-- GIN, (doc -> 'field') jsonb_path_ops, with conditions by @>.\n", ftell(file) > 0 ? "\n" : "", name);
	while (bson_iter_next(&indexes))
		if (BSON_ITER_HOLDS_DOCUMENT(&indexes))
		{
			bson_iter_document(&indexes, &length, &data);
			if (bson_init_static(&index, data, length))
				write_index(conn, file, &collection->table, &index);
		}
	bson_destroy(metadata);
}

/* Write the indexes of all collections that have metadata to a file of that path. */
void
write_indexes(PGconn *conn, const Collection *collections, int count, const char *path)
{
	FILE	   *file = NULL;

	for (int i = 0; i < count; i++)
	{
		if (collections[i].metadata == NULL || collections[i].skip)
			continue;
		if (file == NULL && (file = fopen(path, "wx")) == NULL)
		{
			if (errno == EEXIST)
				pg_log_info("file \"%s\" exists and is left as it is", path);
			else
				pg_log_warning("could not create file \"%s\" for the indexes: %m", path);
			return;
		}
		write_collection(conn, file, &collections[i]);
	}
	if (file != NULL && fclose(file) != 0)
		pg_log_warning("could not write file \"%s\": %m", path);
	else if (file != NULL)
		pg_log_info("the indexes are in file \"%s\", for review", path);
}
