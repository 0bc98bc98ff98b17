/*-------------------------------------------------------------------------
 *
 * value.c
 *	  Writes strings, numbers, dates and ObjectIds as relaxed Extended JSON,
 *	  version 2.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <math.h>

#include "common/shortest_dec.h"
#include "convert.h"
#include "mb/pg_wchar.h"

/* 9999-12-31 23:59:59.999 UTC, in milliseconds */
#define LAST_DATE INT64CONST(253402300799999)
StaticAssertDecl(sizeof(time_t) == 8, "dates after 2038 need 64 bits");

static const char digits[] = "0123456789abcdef";

/* Store the first reason why a document is rejected. */
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

/* Read an integer.  False: the text is anything else. */
bool
parse_integer(const char *text, size_t length, int64 *value)
{
	char	   *rest;

	errno = 0;
	*value = strtoll(text, &rest, 10);
	return errno == 0 && rest == text + length && !isspace((unsigned char) *text) && length > 0;
}

/* Write a string of UTF-8.  "what" names it in the reason if it is rejected. */
Verdict
write_string(Writer *writer, const char *text, size_t length, const char *what)
{
	unsigned char all = 0;
	char	   *out;

	if (unlikely((size_t) (writer->out.maxlen - writer->out.len) <= 6 * length + 2))
		enlargeStringInfo(&writer->out, 6 * length + 2);
	out = writer->out.data + writer->out.len;
	*out++ = '"';
	for (size_t i = 0; i < length; i++)
	{
		unsigned char c = text[i];

		all |= c;
		if (likely(c >= ' ' && c != '"' && c != '\\'))
			*out++ = c;
		else if (c == '\0')
			return reject(writer->reason, "NUL character in %s", what);
		else
		{
			*out++ = '\\';
			if (c >= ' ')
				*out++ = c;
			else
			{
				memcpy(out, "u00", 3);
				out[3] = digits[c >> 4];
				out[4] = digits[c & 15];
				out += 5;
			}
		}
	}
	if (all >= 0x80 && pg_encoding_verifymbstr(PG_UTF8, text, length) != (int) length)
		return reject(writer->reason, "invalid UTF-8 in %s", what);
	*out++ = '"';
	writer->out.len = out - writer->out.data;
	return WRITTEN;
}

void
write_int(Writer *writer, int64 value)
{
	char		text[24];
	char	   *place = text + sizeof(text);
	uint64		rest = value < 0 ? -(uint64) value : (uint64) value;

	do
		*--place = '0' + rest % 10;
	while ((rest /= 10) > 0);
	if (value < 0)
		*--place = '-';
	append(&writer->out, place, text + sizeof(text) - place);
}

/*
 * Write the shortest decimal number that is read as this double.  It always has a
 * decimal point, which distinguishes it from an integer: jsonb keeps "1.0", but
 * turns "1e+20" into an integer.
 */
void
write_double(Writer *writer, double value)
{
	char		text[DOUBLE_SHORTEST_DECIMAL_LEN];
	int			length;
	bool		exponent;

	if (isnan(value) || isinf(value))
	{
		appendStringInfo(&writer->out, "{\"$numberDouble\":\"%s\"}",
						 isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
		return;
	}
	length = double_to_shortest_decimal_bufn(value, text);
	exponent = memchr(text, 'e', length) != NULL;
	if (exponent && fabs(value) >= 1)
		appendStringInfo(&writer->out, "%.1f", value);
	else
		append(&writer->out, text, length);
	if (!exponent && memchr(text, '.', length) == NULL)
		append(&writer->out, ".0", 2);
}

/* Write a date, in milliseconds since 1970.  Relaxed Extended JSON has no form for years past 9999. */
void
write_date(Writer *writer, int64 milliseconds)
{
	time_t		seconds = milliseconds / 1000;
	int			rest = milliseconds % 1000;
	struct tm	date;
	char		text[64];

	if (milliseconds < 0 || milliseconds > LAST_DATE)
	{
		appendStringInfo(&writer->out, "{\"$date\":{\"$numberLong\":\"" INT64_FORMAT "\"}}", milliseconds);
		return;
	}
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &date));
	appendStringInfo(&writer->out, rest == 0 ? "{\"$date\":\"%sZ\"}" : "{\"$date\":\"%s.%03dZ\"}", text, rest);
}

void
write_oid(Writer *writer, const uint8_t *bytes)
{
	char		text[] = "{\"$oid\":\"000000000000000000000000\"}";

	for (int i = 0; i < 12; i++)
	{
		text[9 + 2 * i] = digits[bytes[i] >> 4];
		text[10 + 2 * i] = digits[bytes[i] & 15];
	}
	append(&writer->out, text, sizeof(text) - 1);
}
