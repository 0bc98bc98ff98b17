/*-------------------------------------------------------------------------
 *
 * filenames.c
 *	  Names of the files of collections, and names that PostgreSQL does not cut.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "command.h"

/* the longest name without endings that mongodump gives to a file */
#define MAX_NAME 238

/*
 * shorten - a name that PostgreSQL does not cut: a long one ends in its
 * checksum
 */
char *
shorten(const char *name, const char *suffix)
{
	int			room = NAMEDATALEN - 1 - (int) strlen(suffix);
	int			kept = room - 9;
	pg_crc32c	checksum;

	if ((int) strlen(name) <= room)
		return psprintf("%s%s", name, suffix);
	while (kept > 0 && ((unsigned char) name[kept] & 0xc0) == 0x80)
		kept--;
	INIT_CRC32C(checksum);
	COMP_CRC32C(checksum, name, strlen(name));
	FIN_CRC32C(checksum);
	return psprintf("%.*s_%08x%s", kept, name, checksum, suffix);
}

/*
 * collection_file_name - the name of a collection's files, without endings,
 * escaped as mongodump does
 *
 * It has no "/".  The metadata has the whole name of a collection whose name
 * is too long for a file.
 */
char *
collection_file_name(const char *collection)
{
	StringInfoData out;

	initStringInfo(&out);

	/*
	 * mongodump does not escape these, which are in the directories of other
	 * databases
	 */
	if (strcmp(collection, "$admin.system.users") == 0 ||
		strcmp(collection, "$admin.system.roles") == 0 ||
		strcmp(collection, "$admin.system.version") == 0)
	{
		appendStringInfoString(&out, collection);
		return out.data;
	}
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
 * parse_identifier - the identifier of SQL that begins at *text, without the
 * white space around it, or NULL if there is none
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
 * parse_table_name - the schema, or NULL, and the name in "[schema.]table",
 * as SQL reads it
 *
 * Exits, after a message, if it is anything else.
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
	pg_log_error("\"%s\" is not the name of a table", text);
	pg_log_error_hint("A name is [schema.]table as in SQL: quote what has other characters than "
					  "letters, digits and _; each has at most 63 bytes.");
	exit(1);
}
