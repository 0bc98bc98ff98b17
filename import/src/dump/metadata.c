/*-------------------------------------------------------------------------
 *
 * metadata.c
 *	  What mongodump writes beside a collection: its whole name, its options, its indexes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <fcntl.h>

#include "dump.h"
#include "lib/stringinfo.h"
#include "message.h"
#include "names.h"

/* the longest name without endings that mongodump gives to a file */
#define MAX_NAME 238

/* MongoDB's own limit for a document */
#define MAX_METADATA (16 * 1024 * 1024)

/*
 * collection_file_name - the name of a collection's files, without endings, escaped as
 * mongodump does.  It has no "/".  The metadata has the whole name of a collection whose name
 * is too long for a file.
 */
char *
collection_file_name(const char *collection)
{
	StringInfoData out;

	/* mongodump does not escape these, in directories of other databases */
	if (strcmp(collection, "$admin.system.users") == 0 ||
		strcmp(collection, "$admin.system.roles") == 0 ||
		strcmp(collection, "$admin.system.version") == 0)
		return pg_strdup(collection);
	initStringInfo(&out);
	for (const char *c = collection; *c; c++)
		if ((*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z') || (*c >= 'a' && *c <= 'z') ||
			strchr("-_.~", *c))
			appendStringInfoChar(&out, *c);
		else if (*c == ' ')
			appendStringInfoChar(&out, '+');
		else
			appendStringInfo(&out, "%%%02X", (unsigned char) *c);
	if (out.len > MAX_NAME)
		return collection_file_name(shorten(collection, ""));
	return out.data;
}

/* parse_metadata - metadata as BSON, or NULL, with the error */
bson_t *
parse_metadata(char *text, bson_error_t *error)
{
	bson_t	   *metadata = bson_new_from_json((const uint8_t *) text, strlen(text), error);

	if (metadata)
		return metadata;
	/* libbson takes the operator $type of a filter for that of a binary value */
	for (char *at = text; (at = strstr(at, "\"$type\"")) != NULL;)
		at[1] = *TYPE_OPERATOR;
	return bson_new_from_json((const uint8_t *) text, strlen(text), error);
}

/* read_metadata - read metadata.json.  Returns NULL, after a warning, if that fails. */
bson_t *
read_metadata(const char *path)
{
	int			descriptor = open(path, O_RDONLY | O_NONBLOCK);
	struct stat status;
	gzFile		file = NULL;
	StringInfoData text;
	int			got;
	bson_t	   *metadata;
	bson_error_t error = {.message = "it is not a regular file that can be read"};

	/* another file might have no end, or nobody who writes to it */
	if (descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode))
		file = gzdopen(descriptor, "rb");
	initStringInfo(&text);
	do
	{
		enlargeStringInfo(&text, BLCKSZ);
		got = file ? gzread(file, text.data + text.len, BLCKSZ) : -1;
		text.len += Max(got, 0);
	} while (got > 0 && text.len <= MAX_METADATA);
	if (got > 0)
		strlcpy(error.message, "it is larger than 16 MB", sizeof(error.message));
	appendStringInfoChar(&text, '\0');
	metadata = got == 0 ? parse_metadata(text.data, &error) : NULL;
	if (metadata == NULL)
		pg_log_warning("could not read file \"%s\": %s", path, error.message);
	if (file)
		gzclose(file);
	else if (descriptor >= 0)
		close(descriptor);
	pfree(text.data);
	return metadata;
}

/* has_option - has the metadata a field of this path? */
bool
has_option(const bson_t *metadata, const char *option)
{
	bson_iter_t iter;
	bson_iter_t found;

	return metadata && bson_iter_init(&iter, metadata) &&
		bson_iter_find_descendant(&iter, option, &found);
}
