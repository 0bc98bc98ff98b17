/*-------------------------------------------------------------------------
 *
 * metadata.c
 *	  What mongodump writes beside a collection: its whole name, and its
 *	  indexes, which become statements for a person to review.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <fcntl.h>

#include "command.h"

#include "indexes.inc"

/* MongoDB's own limit for a document */
#define MAX_METADATA (16 * 1024 * 1024)

/*
 * open_regular - open a file, unless it is not a regular one, which might
 * have no end, or nobody who writes to it
 */
static gzFile
open_regular(const char *path)
{
	int			file = open(path, O_RDONLY | O_NONBLOCK);
	struct stat status;
	gzFile		result = NULL;

	if (file >= 0 && fstat(file, &status) == 0)
	{
		errno = EINVAL;
		result = S_ISREG(status.st_mode) ? gzdopen(file, "rb") : NULL;
	}
	if (file >= 0 && result == NULL)
		close(file);
	return result;
}

/*
 * read_metadata - read metadata.json
 *
 * Returns NULL, after a warning, if that fails.
 */
bson_t *
read_metadata(const char *path)
{
	gzFile		file = open_regular(path);
	StringInfoData text;
	int			got;
	bson_t	   *metadata;
	bson_error_t error = {.message = "it is not a regular file that can be read"};

	initStringInfo(&text);
	do
	{
		enlargeStringInfo(&text, BLCKSZ);
		got = file ? gzread(file, text.data + text.len, BLCKSZ) : -1;
		text.len += Max(got, 0);
	} while (got > 0 && text.len <= MAX_METADATA);
	if (got > 0)
		strlcpy(error.message, "it is larger than 16 MB", sizeof(error.message));
	metadata = got == 0 ? bson_new_from_json((const uint8_t *) text.data, text.len, &error) : NULL;
	if (metadata == NULL)
		pg_log_warning("could not read file \"%s\": %s", path, error.message);
	if (file)
		gzclose(file);
	pfree(text.data);
	return metadata;
}

/*
 * write_collection - write the indexes of a collection, as statements that
 * the server makes of the metadata
 */
static void
write_collection(Connection *conn, FILE *file, const Collection *collection)
{
	bson_t	   *metadata = read_metadata(collection->metadata);
	char	   *json = metadata ? bson_as_relaxed_extended_json(metadata, NULL) : NULL;
	const char *const values[] = {json, collection->table.target, collection->table.name};
	PGresult   *result;

	if (json == NULL)
		return;
	begin(conn, "SET LOCAL search_path = pg_catalog, pg_temp");
	result = PQexecParams(conn->pg, indexes_sql, lengthof(values), NULL, values, NULL, NULL, 0);
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

/*
 * write_indexes - write the indexes of all collections that have metadata
 * to a file of that path
 */
void
write_indexes(Connection *conn, const Collection *collections, int count,
			  const char *path)
{
	const char *new = psprintf("%s.new", path);
	FILE	   *file = NULL;

	for (int i = 0; i < count; i++)
	{
		if (collections[i].metadata == NULL || collections[i].skip)
			continue;
		if (file == NULL && access(path, F_OK) == 0)
		{
			pg_log_info("file \"%s\" exists and is left as it is", path);
			return;
		}
		if (file == NULL &&
			((unlink(new) != 0 && errno != ENOENT) || (file = fopen(new, "wx")) == NULL))
		{
			pg_log_warning("could not create file \"%s\" for the indexes: %m", new);
			return;
		}
		write_collection(conn, file, &collections[i]);
	}
	if (file == NULL)
		return;

	/* on a full disk, no file may stay that the next run takes for complete */
	if (fflush(file) != 0 || ferror(file) || fsync(fileno(file)) != 0 || fclose(file) != 0 ||
		rename(new, path) != 0)
	{
		pg_log_warning("could not write file \"%s\" for the indexes: %m", path);
		unlink(new);
	}
	else
		pg_log_info("the indexes are in file \"%s\", for review", path);
}
