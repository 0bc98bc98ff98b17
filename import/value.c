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
#define DAY INT64CONST(86400000)

static const char digits[] = "0123456789abcdef";

/*
 * write_string - write a string of UTF-8
 *
 * "what" names it in the reason if it is rejected.
 */
Verdict
write_string(Writer *writer, const char *text, size_t length, const char *what)
{
	unsigned char all = 0;
	char	   *out;

	/* each character may become \u00xx */
	if (unlikely((size_t) (writer->out.maxlen - writer->out.len) <= 6 * length + 2))
		enlargeStringInfo(&writer->out, (int) (6 * length + 2));
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
	if (all >= 0x80 && pg_encoding_verifymbstr(PG_UTF8, text, (int) length) != (int) length)
		return reject(writer->reason, "invalid UTF-8 in %s", what);
	*out++ = '"';
	writer->out.len = (int) (out - writer->out.data);
	return WRITTEN;
}

void
write_int(Writer *writer, int64 value)
{
	char		text[24];
	char	   *place = text + sizeof(text);
	uint64		rest = value < 0 ? -(uint64) value : (uint64) value;

	do
		*--place = (char) ('0' + rest % 10);
	while ((rest /= 10) > 0);
	if (value < 0)
		*--place = '-';
	append(&writer->out, place, text + sizeof(text) - place);
}

/*
 * write_double - write the shortest decimal number that is read as this
 * double
 *
 * It always has a decimal point, which distinguishes it from an integer:
 * jsonb keeps "1.0", but turns "1e+20" into an integer.
 */
void
write_double(Writer *writer, double value)
{
	StringInfo	out = &writer->out;
	char		text[DOUBLE_SHORTEST_DECIMAL_LEN];
	const char *exponent;
	int			left;			/* digits before the point */

	if (isnan(value) || isinf(value))
	{
		appendStringInfo(out, "{\"$numberDouble\":\"%s\"}",
						 isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
		return;
	}
	double_to_shortest_decimal_buf(value, text);
	exponent = strstr(text, "e+");
	if (exponent == NULL)
	{
		append(out, text, strlen(text));
		if (strpbrk(text, ".e") == NULL)
			append(out, ".0", 2);
		return;
	}
	left = 1 + atoi(exponent + 2);
	for (const char *c = text; c < exponent; c++)
	{
		if (*c == '.')
			continue;
		if (*c != '-' && left-- == 0)
			appendStringInfoCharMacro(out, '.');
		appendStringInfoCharMacro(out, *c);
	}
	if (left < 0)
		return;
	while (left-- > 0)
		appendStringInfoCharMacro(out, '0');
	append(out, ".0", 2);
}

/* days from January 1 to the first of a month, and from there to the next */
static const int month_begin[2][13] = {
	{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365},
	{0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366}
};

static bool
is_leap_year(int year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/*
 * year_begin - days from 1970 to January 1 of a year from 0 on
 */
static int
year_begin(int year)
{
	int			before = year + 399;	/* there are 97 leap days in 400 years */

	return 365 * (year - 1970) + before / 4 - before / 100 + before / 400 - 574;
}

/*
 * date_to_days - days from 1970 to a date
 *
 * Returns false if there is no such date.  The functions of the C library
 * count leap seconds if TZ is one of the time zones that are named right/.
 */
bool
date_to_days(int year, int month, int day, int64 *days)
{
	const int  *begin = month_begin[is_leap_year(year)];

	if (month < 1 || month > 12 || day < 1 || day > begin[month] - begin[month - 1])
		return false;
	*days = year_begin(year) + begin[month - 1] + day - 1;
	return true;
}

/*
 * put_digits - append a number of so many digits
 */
static char *
put_digits(char *out, int value, int count)
{
	for (int i = count - 1; i >= 0; i--, value /= 10)
		out[i] = (char) ('0' + value % 10);
	return out + count;
}

/*
 * write_date - write a date, in milliseconds since 1970
 *
 * Relaxed Extended JSON has no form for years past 9999.
 */
void
write_date(Writer *writer, int64 milliseconds)
{
	int			days;
	int			rest;
	int			year;
	int			month = 1;
	const int  *begin;
	char		text[64] = "{\"$date\":\"";
	char	   *out = text + strlen(text);

	if (milliseconds < 0 || milliseconds > LAST_DATE)
	{
		appendStringInfo(&writer->out, "{\"$date\":{\"$numberLong\":\"" INT64_FORMAT "\"}}",
						 milliseconds);
		return;
	}
	days = (int) (milliseconds / DAY);
	rest = (int) (milliseconds % DAY);
	year = 1970 + days / 366;	/* or a later one */
	while (days >= year_begin(year + 1))
		year++;
	begin = month_begin[is_leap_year(year)];
	days -= year_begin(year);
	while (days >= begin[month])
		month++;
	out = put_digits(out, year, 4);
	*out++ = '-';
	out = put_digits(out, month, 2);
	*out++ = '-';
	out = put_digits(out, days - begin[month - 1] + 1, 2);
	*out++ = 'T';
	out = put_digits(out, rest / 3600000, 2);
	*out++ = ':';
	out = put_digits(out, rest / 60000 % 60, 2);
	*out++ = ':';
	out = put_digits(out, rest / 1000 % 60, 2);
	if (rest % 1000 > 0)
	{
		*out++ = '.';
		out = put_digits(out, rest % 1000, 3);
	}
	memcpy(out, "Z\"}", 3);
	append(&writer->out, text, out + 3 - text);
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
