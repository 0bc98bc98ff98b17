/*-------------------------------------------------------------------------
 *
 * names.c
 *	  Names and texts of statements and comments.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "common/keywords.h"
#include "schema.h"

#define SMALL_LETTERS "abcdefghijklmnopqrstuvwxyz"
#define NAME_CHARACTERS SMALL_LETTERS "0123456789_"

static bool
is_control(const char *c)
{
	return (unsigned char) *c < ' ' || *c == 0x7f ||
		((unsigned char) *c == 0xc2 && (unsigned char) c[1] < 0xa0);
}

static bool
has_control(const char *text)
{
	for (; *text; text++)
		if (is_control(text))
			return true;
	return false;
}

/*
 * quote - a text between quotes, the first of the characters that are
 * doubled in it; control characters become what the format makes of them
 */
static char *
quote(const char *text, const char *begin, const char *doubled, const char *format)
{
	StringInfoData out;

	initStringInfo(&out);
	appendStringInfoString(&out, begin);
	for (const char *c = text; *c; c++)
	{
		if (!is_control(c))
		{
			appendStringInfo(&out, strchr(doubled, *c) ? "%c%c" : "%c", *c, *c);
			continue;
		}
		appendStringInfo(&out, format, (unsigned char) (*c == '\xc2' ? c[1] : *c));
		c += *c == '\xc2';
	}
	appendStringInfoChar(&out, *doubled);
	return out.data;
}

/*
 * quote_name - a name as an identifier of SQL
 *
 * fmtId() is not used, because it would print control characters to the
 * terminal.
 */
char *
quote_name(const char *name)
{
	int			keyword = ScanKeywordLookup(name, &ScanKeywords);
	bool		control = has_control(name);

	if (*name && name[strspn(name, NAME_CHARACTERS)] == '\0' && !isdigit((unsigned char) *name) &&
		(keyword < 0 || ScanKeywordCategories[keyword] == UNRESERVED_KEYWORD))
		return pg_strdup(name);
	return quote(name, control ? "U&\"" : "\"", control ? "\"\\" : "\"", "\\%04x");
}

/*
 * quote_text - a text as a literal of SQL
 */
char *
quote_text(const char *text)
{
	bool		escape = has_control(text) || strchr(text, '\\');

	return quote(text, escape ? "E'" : "'", "'\\", "\\u%04x");
}

/*
 * show_step - a field's name as a part of a path in a comment, which is one line
 */
char *
show_step(const char *name)
{
	if (*name && name[strspn(name, NAME_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ$-")] == '\0')
		return pg_strdup(name);
	return psprintf("\"%s\"", printable(name));
}

/*
 * snake_case - a name in small letters: "firstName" becomes "first_name"
 */
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
 * unique_name - a name that is not in the list, and is added to it
 *
 * One that is ends in a checksum of the path of its field, and so does one
 * that is too long.
 */
char *
unique_name(const char *name, const char *path, SimpleStringList *used)
{
	char	   *unique = pg_strdup(name);
	pg_crc32c	checksum;
	int			kept = Min((int) strlen(name), NAMEDATALEN - 10);

	while (kept > 0 && ((unsigned char) name[kept] & 0xc0) == 0x80)
		kept--;
	INIT_CRC32C(checksum);
	while (strlen(unique) >= NAMEDATALEN || simple_string_list_member(used, unique))
	{
		COMP_CRC32C(checksum, path, strlen(path));
		unique = psprintf("%.*s_%08x", kept, name, checksum ^ 0xffffffff);
	}
	simple_string_list_append(used, unique);
	return unique;
}

/*
 * print_body - a body of plpgsql, between quotes that are not in it
 */
void
print_body(const char *body)
{
	char	   *tag = pg_strdup("$$");

	for (int i = 1; strstr(body, tag); i++)
		tag = psprintf("$body%d$", i);
	printf("%s\n%s%s", tag, body, tag);
}

/*
 * parse_table_name - the schema, or NULL, and the name in "[schema.]table",
 * as SQL reads it
 *
 * Returns false if it is anything else.
 */
bool
parse_table_name(const char *text, char **schema, char **name)
{
	*schema = *name = NULL;
	for (;;)
	{
		StringInfoData part;
		bool		quoted = *text == '"';

		initStringInfo(&part);
		if (quoted)
			text++;
		for (; quoted ? *text && (*text != '"' || text[1] == '"') : *text && *text != '.'; text++)
		{
			if (!quoted && strchr(" \t\n\"", *text))
				return false;
			text += quoted && *text == '"';
			appendStringInfoChar(&part, (char) (!quoted && *text >= 'A' && *text <= 'Z' ?
												*text + ('a' - 'A') : *text));
		}
		if (part.len == 0 || part.len >= NAMEDATALEN || (quoted && *text++ != '"') || *schema)
			return false;
		*schema = *name;
		*name = part.data;
		if (*text == '\0')
			return true;
		if (*text++ != '.')
			return false;
	}
}
