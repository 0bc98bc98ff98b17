/*-------------------------------------------------------------------------
 *
 * paths.c
 *	  The path of a field, such as a."b c".d[], which is the comment of what shows it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <bson/bson.h>

#include "database.h"
#include "lib/stringinfo.h"

#define SIMPLE "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$-"

/* add_step - the path of a field of the object at a path */
char *
add_step(const char *path, const char *field)
{
	bool		simple = *field && field[strspn(field, SIMPLE)] == '\0';
	char	   *escaped = simple ? NULL : bson_utf8_escape_for_json(field, -1);
	char	   *step = simple ? pg_strdup(field) : psprintf("\"%s\"", escaped);

	bson_free(escaped);
	return *path ? psprintf("%s.%s", path, step) : step;
}

/* the text of a literal of SQL between quotes, which *at is moved behind */
static char *
read_literal(const char **at)
{
	bool		escapes = **at == 'E';
	StringInfoData text;

	initStringInfo(&text);
	for (*at += escapes ? 2 : 1; **at && (**at != '\'' || *++*at == '\''); ++*at)
	{
		if (escapes && **at == '\\')
			++* at;
		appendStringInfoChar(&text, **at);
	}
	return text.data;
}

static bool
is_word(char c)
{
	return isalnum((unsigned char) c) || c == '_' || c == '$' || (c & 0x80);
}

/*
 * path_of_expression - the path of the only field of "doc" that an expression reads, as the server
 * prints it, or NULL
 */
char *
path_of_expression(const char *expression)
{
	char	   *path = "";
	int			documents = 0;

	for (const char *at = expression; *at;)
	{
		size_t		length = 0;

		if (strncmp(at, "->", 2) == 0)
		{
			at += at[2] == '>' ? 3 : 2;
			at += strspn(at, " ");
			if (*at != '\'' && strncmp(at, "E'", 2) != 0)
				return NULL;
			path = add_step(path, read_literal(&at));
		}
		else if (*at == '\'' || strncmp(at, "E'", 2) == 0)
			read_literal(&at);
		else if (*at == '"')
			at += strcspn(at + 1, "\"") + 2;
		else if (is_word(*at))
		{
			while (is_word(at[length]))
				length++;
			documents += length == 3 && strncmp(at, "doc", 3) == 0;
			at += length;
		}
		else
			at++;
	}
	return documents == 1 && *path ? path : NULL;
}
