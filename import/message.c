/*-------------------------------------------------------------------------
 *
 * message.c
 *	  Messages whose names and values cannot control a terminal.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "message.h"

bool
is_utf8(const char *text)
{
	int			length = (int) strlen(text);

	return pg_encoding_verifymbstr(PG_UTF8, text, length) == length;
}

/*
 * printable - a copy in which bytes that are control characters, or not
 * UTF-8, are \x1b and so on
 */
char *
printable(const char *text)
{
	const char *end = text + strlen(text);
	StringInfoData out;

	initStringInfo(&out);
	for (int length; text < end; text += length)
	{
		unsigned char c = *text;
		int			valid = pg_encoding_verifymbchar(PG_UTF8, text, (int) (end - text));

		length = Max(valid, 1);
		/* U+0080 to U+009F are control characters, too */
		if (valid > 0 && c >= ' ' && c != 0x7f && !(c == 0xc2 && (unsigned char) text[1] < 0xa0))
			appendBinaryStringInfo(&out, text, length);
		else
			for (int i = 0; i < length; i++)
				appendStringInfo(&out, "\\x%02x", (unsigned char) text[i]);
	}
	return out.data;
}

/*
 * print_message - print a message of one line, as core's pg_log_error() and
 * the others do
 */
void
print_message(enum pg_log_level level, enum pg_log_part part, const char *format,...)
{
	int			saved_errno = errno;
	size_t		size = 1024;
	size_t		needed;
	char	   *text = NULL;
	char	   *line;
	va_list		arguments;

	if (level < __pg_log_level)
		return;
	for (;; size = needed)
	{
		text = pg_realloc(text, size);
		errno = saved_errno;	/* for %m */
		va_start(arguments, format);
		needed = pvsnprintf(text, size, format, arguments);
		va_end(arguments);
		if (needed < size)
			break;
	}
	line = printable(text);
	log_line(level, part, line);
	pg_free(line);
	pg_free(text);
}
