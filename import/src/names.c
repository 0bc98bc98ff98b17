/*-------------------------------------------------------------------------
 *
 * names.c
 *	  Names of tables and columns, and text of statements: quotes and templates.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "common/keywords.h"
#include "names.h"
#include "port/pg_crc32c.h"

#define SMALL_LETTERS "abcdefghijklmnopqrstuvwxyz"
#define NAME_CHARACTERS SMALL_LETTERS "0123456789_"

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
 * add_name - add a name to those that are used in a scope, such as a schema.  Returns false if it
 * is one of them.
 */
bool
add_name(const char *scope, const char *name)
{
	static name_table_hash *names;
	char	   *both = psprintf("%s\n%s", scope, name);
	ScopedName	key = {NULL, both, strlen(both)};
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
unique_name(const char *name, const char *path, const char *scope)
{
	char	   *unique = pg_strdup(name);

	for (const char *text = path; strlen(unique) >= NAMEDATALEN || !add_name(scope, unique);
		 text = psprintf("%s%s", text, path))
		unique = mark_name(name, NAMEDATALEN - 1, text);
	return unique;
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

/*
 * a text between quotes; with control characters, or if "escape", it has a prefix, and these
 * have a format
 */
static char *
quote(const char *text, char mark, bool escape, const char *prefix, const char *format)
{
	StringInfoData out;

	for (const char *c = text; *c; c++)
		escape |= is_control(c);
	initStringInfo(&out);
	appendStringInfo(&out, "%s%c", escape ? prefix : "", mark);
	for (const char *c = text; *c; c++)
		if (is_control(c))
		{
			c += *c == '\xc2';
			appendStringInfo(&out, format, (unsigned char) *c);
		}
		else
			appendStringInfo(&out, *c == mark || (escape && *c == '\\') ? "%c%c" : "%c", *c, *c);
	appendStringInfoChar(&out, mark);
	return out.data;
}

/*
 * quote_name - a name as an identifier of SQL.  fmtId() is not used, because it would print
 * control characters to the terminal.
 */
char *
quote_name(const char *name)
{
	int			keyword = ScanKeywordLookup(name, &ScanKeywords);

	if (*name && !isdigit((unsigned char) *name) &&
		name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0' &&
		(keyword < 0 || ScanKeywordCategories[keyword] == UNRESERVED_KEYWORD) &&
		strcmp(name, "system_user") != 0)	/* reserved since PostgreSQL 16 */
		return pg_strdup(name);
	return quote(name, '"', false, "U&", "\\%04x");
}

/* quote_text - a text as a literal of SQL */
char *
quote_text(const char *text)
{
	return quote(text, '\'', strchr(text, '\\') != NULL, "E", "\\u%04x");
}

/*
 * render - a template with the values in place of their names in braces.  The last of the
 * values has no name.  Other braces stay.
 */
char *
render(const char *template, const Placeholder *values)
{
	StringInfoData out;

	initStringInfo(&out);
	while (*template)
	{
		const Placeholder *value = values;
		size_t		length = *template == '{' ? strcspn(template + 1, "}") : 0;

		while (value->name && (strlen(value->name) != length ||
							   strncmp(template + 1, value->name, length) != 0))
			value++;
		if (value->name == NULL)
			appendStringInfoChar(&out, *template++);
		else
		{
			appendStringInfoString(&out, value->text);
			template += length + 2;
		}
	}
	return out.data;
}
