/*-------------------------------------------------------------------------
 *
 * metadata.c
 *	  What mongodump writes beside a collection: its whole name, its options,
 *	  its indexes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <fcntl.h>

#include "command.h"

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
