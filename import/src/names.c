/*-------------------------------------------------------------------------
 *
 * names.c
 *	  Names of files and tables, and what mongodump writes beside a collection: its
 *	  whole name, its options, its indexes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <zlib.h>

#include "lib/stringinfo.h"
#include "names.h"
#include "port/pg_crc32c.h"

#define SMALL_LETTERS "abcdefghijklmnopqrstuvwxyz"
#define NAME_CHARACTERS SMALL_LETTERS "0123456789_"

/* the longest name without endings that mongodump gives to a file */
#define MAX_NAME 238

/* MongoDB's own limit for a document */
#define MAX_METADATA (16 * 1024 * 1024)

/* snake_case - a name in small letters: "firstName" becomes "first_name" */
char *
snake_case(const char *name)
{
	StringInfoData out;
	bool		gap = false;

	initStringInfo(&out);
	for (const char *c = name; *c; c++)
	{
		bool		upper = *c >= 'A' && *c <= 'Z';
		bool		word = !is_control(c) &&
		(upper || strchr(NAME_CHARACTERS, *c) || (unsigned char) *c >= 0x80);

		if (!word)
		{
			c += *c == '\xc2';
			gap = out.len > 0;
			continue;
		}
		if (upper && c > name &&
			(strchr(SMALL_LETTERS "0123456789", c[-1]) ||
			 (c[-1] >= 'A' && c[-1] <= 'Z' && c[1] && strchr(SMALL_LETTERS, c[1]))))
			gap = true;
		if (gap)
			appendStringInfoChar(&out, '_');
		gap = false;
		appendStringInfoChar(&out, (char) (upper ? *c + ('a' - 'A') : *c));
	}
	return out.len > 0 ? out.data : pg_strdup("field");
}

/*
 * add_name - add a name to those that are used in a scope, which is the address of what has
 * these names.  Returns false if it is one of them.
 */
bool
add_name(const void *scope, const char *name)
{
	static name_table_hash *names;
	ScopedName	key = {scope, name, strlen(name)};
	bool		found;

	if (names == NULL)
		names = name_table_create(1024, NULL);
	name_table_insert(names, key, &found);
	return !found;
}

/* a name of so many bytes that ends in a checksum */
static char *
mark_name(const char *name, int length, const char *checked)
{
	pg_crc32c	checksum;
	int			kept = Min((int) strlen(name), length - 9);

	/* no part of a character */
	while (kept > 0 && ((unsigned char) name[kept] & 0xc0) == 0x80)
		kept--;
	INIT_CRC32C(checksum);
	COMP_CRC32C(checksum, checked, strlen(checked));
	FIN_CRC32C(checksum);
	return psprintf("%.*s_%08x", kept, name, checksum);
}

/* shorten - a name that PostgreSQL does not cut: a long one ends in its checksum */
char *
shorten(const char *name, const char *suffix)
{
	int			room = NAMEDATALEN - 1 - (int) strlen(suffix);

	return psprintf("%s%s", (int) strlen(name) <= room ? name : mark_name(name, room, name),
					suffix);
}

/*
 * unique_name - a name that is not used yet in a scope.  One that is used ends in a checksum
 * of the path of its field, and so does one that is too long.
 */
char *
unique_name(const char *name, const char *path, const void *scope)
{
	char	   *unique = pg_strdup(name);

	for (const char *text = path; strlen(unique) >= NAMEDATALEN || !add_name(scope, unique);
		 text = psprintf("%s%s", text, path))
		unique = mark_name(name, NAMEDATALEN - 1, text);
	return unique;
}

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

/*
 * the identifier of SQL that begins at *text, without the white space around it, or NULL if
 * there is none
 */
static char *
parse_identifier(const char **text)
{
	const char *c = *text + strspn(*text, " \t\r\n");
	bool		quoted = *c == '"';
	StringInfoData part;

	initStringInfo(&part);
	if (quoted)
		c++;
	for (; *c; c++)
	{
		bool		letter = (*c >= 'a' && *c <= 'z') || *c == '_' || (*c & 0x80);

		if (quoted && *c == '"' && *++c != '"')
			break;
		if (quoted || letter || (part.len > 0 && ((*c >= '0' && *c <= '9') || *c == '$')))
			appendStringInfoChar(&part, *c);
		else if (*c >= 'A' && *c <= 'Z')
			appendStringInfoChar(&part, (char) (*c + ('a' - 'A')));
		else
			break;
	}
	if (part.len == 0 || part.len >= NAMEDATALEN || (quoted && c[-1] != '"'))
		return NULL;
	*text = c + strspn(c, " \t\r\n");
	return part.data;
}

/*
 * parse_table_name - the schema, or NULL, and the name in "[schema.]table", as SQL reads it.
 * Gives up, after a message, if it is anything else.
 */
void
parse_table_name(const char *text, char **schema, char **name)
{
	const char *rest = text;

	*schema = NULL;
	*name = parse_identifier(&rest);
	if (*name && *rest == '.')
	{
		rest++;
		*schema = *name;
		*name = parse_identifier(&rest);
	}
	if (*name && *rest == '\0')
		return;
	pg_fatal_hint("A name is [schema.]table as in SQL: quote what has other characters than "
				  "letters, digits and _; each has at most 63 bytes.",
				  "\"%s\" is not the name of a table", text);
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
