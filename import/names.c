/*-------------------------------------------------------------------------
 *
 * names.c
 *	  Names and texts of statements and comments.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "common/hashfn.h"
#include "common/keywords.h"
#include "schema.h"

#define SMALL_LETTERS "abcdefghijklmnopqrstuvwxyz"
#define NAME_CHARACTERS SMALL_LETTERS "0123456789_"

static StringInfoData script = {0};

/*
 * emit - add to the script
 */
void
emit(const char *format,...)
{
	va_list		arguments;
	int			needed;

	if (script.data == NULL)
		initStringInfo(&script);
	do
	{
		va_start(arguments, format);
		needed = appendStringInfoVA(&script, format, arguments);
		va_end(arguments);
		if (needed > 0)
			enlargeStringInfo(&script, needed);
	} while (needed > 0);
}

/*
 * take_script - what was added since the last call
 */
char *
take_script(void)
{
	char	   *text = script.data ? script.data : pg_strdup("");

	script.data = NULL;
	return text;
}

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
 * quote_json - a text as JSON, as to_json() returns it
 */
char *
quote_json(const char *name)
{
	static const char escaped[] = "\"\\\b\f\n\r\t";
	StringInfoData out;

	initStringInfo(&out);
	appendStringInfoChar(&out, '"');
	for (const char *c = name; *c; c++)
	{
		const char *found = strchr(escaped, *c);

		if (found)
			appendStringInfo(&out, "\\%c", "\"\\bfnrt"[found - escaped]);
		else
			appendStringInfo(&out, (unsigned char) *c < ' ' ? "\\u%04x" : "%c", *c);
	}
	appendStringInfoChar(&out, '"');
	return out.data;
}

/*
 * show_step - a field's name as a part of a path: as it is, or as JSON
 */
char *
show_step(const char *name)
{
	bool		simple = *name &&
	name[strspn(name, NAME_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ$-")] == '\0';

	return simple ? pg_strdup(name) : quote_json(name);
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
 * add_name - add a name to those that are used
 *
 * Returns false if it is one of them.
 */
bool
add_name(Names *names, const char *name)
{
	uint32		slot = string_hash(name, SIZE_MAX);

	if (2 * (names->count + 1) > names->slot_count)
	{
		Names		more = {.slot_count = Max(64, 4 * names->slot_count)};

		more.slots = pg_malloc0(more.slot_count * sizeof(char *));
		for (uint32 i = 0; i < names->slot_count; i++)
			if (names->slots[i])
				add_name(&more, names->slots[i]);
		pg_free(names->slots);
		*names = more;
	}
	while (names->slots[slot &= names->slot_count - 1] != NULL)
		if (strcmp(names->slots[slot++], name) == 0)
			return false;
	names->slots[slot] = pg_strdup(name);
	names->count++;
	return true;
}

/*
 * unique_name - a name that is not used yet
 *
 * One that is used ends in a checksum of the path of its field, and so does
 * one that is too long.
 */
char *
unique_name(const char *name, const char *path, Names *used)
{
	char	   *unique = pg_strdup(name);
	pg_crc32c	checksum;
	int			kept = Min((int) strlen(name), NAMEDATALEN - 10);

	while (kept > 0 && ((unsigned char) name[kept] & 0xc0) == 0x80)
		kept--;
	INIT_CRC32C(checksum);
	while (strlen(unique) >= NAMEDATALEN || !add_name(used, unique))
	{
		COMP_CRC32C(checksum, path, strlen(path));
		unique = psprintf("%.*s_%08x", kept, name, checksum ^ 0xffffffff);
	}
	return unique;
}

/*
 * dollar_quote - a text of more than a line, between quotes that are not in it
 */
char *
dollar_quote(const char *text, const char *name)
{
	char	   *tag = psprintf("$%s$", name);

	for (int i = 1; strstr(text, tag); i++)
		tag = psprintf("$%s%d$", name, i);
	return psprintf("%s\n%s%s", tag, text, tag);
}
