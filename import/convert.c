/*-------------------------------------------------------------------------
 *
 * convert.c
 *	  What both directions of conversion need: reasons, and integers in text.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "convert.h"

/*
 * reject - store the first reason why a document is rejected
 */
Verdict
reject(char *reason, const char *format,...)
{
	va_list		arguments;

	va_start(arguments, format);
	if (reason[0] == '\0')
		vsnprintf(reason, REASON_SIZE, format, arguments);
	va_end(arguments);
	return REJECTED;
}

/*
 * parse_integer - read an integer
 *
 * Returns false if the text is anything else.
 */
bool
parse_integer(const char *text, size_t length, int64 *value)
{
	char	   *rest;

	errno = 0;
	*value = strtoll(text, &rest, 10);
	return errno == 0 && rest == text + length && !isspace((unsigned char) *text) && length > 0;
}
