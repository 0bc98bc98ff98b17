/*-------------------------------------------------------------------------
 *
 * metadata.c
 *	  What mongodump writes beside a collection: its whole name, and its
 *	  indexes, which become statements for a person to review.
 *
 *-------------------------------------------------------------------------
 */
#include "objectid-import.h"

/* Read metadata.json: the name of the collection, or NULL, and all of it as JSON in "writer". */
char *
read_metadata(const char *path, Writer *writer)
{
	Collection	file = {.path = path,.json = true};
	Source		source;
	Document	document;
	bson_t		bson;
	bson_iter_t iter;
	char	   *name = NULL;

	start_writer(writer, WRITE);
	open_source(&source, &file, NULL);
	if (find_document(&source, &document, true) != FOUND || !document.bson || write_bson(writer, document.bson) != WRITTEN)
		pg_log_warning("could not read file \"%s\"", path);
	else if (bson_init_static(&bson, document.bson, get_length(document.bson)) &&
			 bson_iter_init_find(&iter, &bson, "collectionName") && BSON_ITER_HOLDS_UTF8(&iter))
		name = pg_strdup(bson_iter_utf8(&iter, NULL));
	appendStringInfoChar(&writer->out, '\n');	/* and a NUL */
	close_source(&source);
	return name;
}

/* Write the indexes of all collections that have metadata to a file of that path. */
void
write_indexes(PGconn *conn, const Collection *collections, int count, const char *path)
{
	FILE	   *file = NULL;
	Writer		writer = {0};

	for (int i = 0; i < count; i++)
	{
		const Collection *collection = &collections[i];
		const char *values[] = {NULL, collection->table};
		PGresult   *result;

		if (collection->metadata == NULL || collection->skip)
			continue;
		if (file == NULL && (file = fopen(path, "wx")) == NULL)
		{
			if (errno == EEXIST)
				pg_log_info("file \"%s\" exists and is left as it is", path);
			else
				pg_log_warning("could not create file \"%s\" for the indexes: %m", path);
			return;
		}
		read_metadata(collection->metadata, &writer);
		values[0] = writer.out.data;
		result = PQexecParams(conn, "SELECT pg_temp.objectid_import_indexes($1, $2, (pg_catalog.parse_ident($2))[2])",
							  2, NULL, values, NULL, NULL, 0);
		if (PQresultStatus(result) == PGRES_TUPLES_OK)
			fprintf(file, "%s%s", ftell(file) > 0 ? "\n" : "", PQgetvalue(result, 0, 0));
		else
			pg_log_warning("the indexes in file \"%s\" are left out: %s", collection->metadata, PQerrorMessage(conn));
		PQclear(result);
	}
	if (file != NULL && fclose(file) != 0)
		pg_log_warning("could not write file \"%s\": %m", path);
	else if (file != NULL)
		pg_log_info("the indexes are in file \"%s\", for review", path);
}
