/*-------------------------------------------------------------------------
 *
 * render.c
 *	  Text of statements: names and values in quotes, and templates.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "common/keywords.h"
#include "message.h"
#include "render.h"

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
