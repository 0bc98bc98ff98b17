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

static const char indexes_sql[] =
#include "indexes.inc"
		   ;

/* Write the indexes of a collection. */
static void
write_collection(PGconn *conn, FILE *file, const Collection *collection)
{
	bson_t	   *metadata = read_metadata(collection->metadata);
	char	   *json = metadata ? bson_as_relaxed_extended_json(metadata, NULL) : NULL;
	const char *const values[] = {json, collection->table.target, collection->table.name};
	PGresult   *result;

	if (json == NULL)
		return;
	begin(conn, "SET LOCAL search_path = pg_catalog, pg_temp");
	result = PQexecParams(conn, indexes_sql, lengthof(values), NULL, values, NULL, NULL, 0);
	if (PQresultStatus(result) == PGRES_TUPLES_OK)
		fprintf(file, "%s%s", ftell(file) > 0 ? "\n" : "", PQgetvalue(result, 0, 0));
	else
		pg_log_warning("the indexes in file \"%s\" are left out: %s", collection->metadata,
					   PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY));
	PQclear(result);
	execute(conn, "ROLLBACK");
	bson_free(json);
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
