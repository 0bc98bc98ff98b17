/*-------------------------------------------------------------------------
 *
 * message.c
 *	  Messages whose names and values cannot control a terminal, and what an error ends.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <setjmp.h>

#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "message.h"

bool		failed = false;
volatile sig_atomic_t interrupted;
const char *resume_hint;

/* where the program goes on after an error; NULL: nowhere */
static sigjmp_buf *caught;

bool
is_utf8(const char *text)
{
	int			length = (int) strlen(text);

	return pg_encoding_verifymbstr(PG_UTF8, text, length) == length;
}

/* is_control - does a control character begin here?  U+0080 to U+009F are some, too */
bool
is_control(const char *text)
{
	unsigned char c = *text;

	return c < ' ' || c == 0x7f || (c == 0xc2 && (unsigned char) text[1] < 0xa0);
}

/*
 * printable - a copy in which bytes that are control characters, or not UTF-8, are \x1b and so on
 */
char *
printable(const char *text)
{
	const char *end = text + strlen(text);
	StringInfoData out;

	initStringInfo(&out);
	for (int length; text < end; text += length)
	{
		int			valid = pg_encoding_verifymbchar(PG_UTF8, text, (int) (end - text));

		length = Max(valid, 1);
		if (valid > 0 && !is_control(text))
			appendBinaryStringInfo(&out, text, length);
		else
			for (int i = 0; i < length; i++)
				appendStringInfo(&out, "\\x%02x", (unsigned char) text[i]);
	}
	return out.data;
}

/* message_text - the text of a message of one line, as it is printed */
const char *
message_text(enum pg_log_level level, char *text)
{
	failed |= level >= PG_LOG_ERROR;
	return printable(text);
}

/* succeeds - do a step of the work on an item.  Returns false if it gives up. */
bool
succeeds(void (*step) (int item), int item)
{
	sigjmp_buf	here;
	sigjmp_buf *outer = caught;

	if (sigsetjmp(here, 0) != 0)
	{
		caught = outer;
		return false;
	}
	caught = &here;
	step(item);
	caught = outer;
	return true;
}

/* give_up - after an error that has been reported: end the step, or the program */
void
give_up(void)
{
	if (caught)
		siglongjmp(*caught, 1);
	exit(1);
}
