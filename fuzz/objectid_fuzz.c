/*-------------------------------------------------------------------------
 *
 * objectid_fuzz.c
 *	  libFuzzer target: bytes as text for objectid_in() and objectid_is_valid(),
 *	  and as a message for objectid_recv().
 *
 * Links the released objectid.c with the few server functions below, without
 * a server.  All memory comes from malloc(), in blocks of exactly the
 * requested size, so that AddressSanitizer detects every access outside a
 * block.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "objectid.h"
#include "objectid_compat.h"

#include <setjmp.h>
#include <stdarg.h>

#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "parser/scansup.h"
#include "utils/builtins.h"

int			LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

extern Datum objectid_in(PG_FUNCTION_ARGS);
extern Datum objectid_out(PG_FUNCTION_ARGS);
extern Datum objectid_recv(PG_FUNCTION_ARGS);
extern Datum objectid_send(PG_FUNCTION_ARGS);
extern Datum objectid_is_valid(PG_FUNCTION_ARGS);

/* use the C library's functions, not PostgreSQL's */
#undef fprintf
#undef vsnprintf

/* unlike Assert(), always enabled; libFuzzer saves the input that fails */
#define check(condition) \
	do { \
		if (!(condition)) \
		{ \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
			__builtin_trap(); \
		} \
	} while (0)

/*-------------------------------------------------------------------------
 * The server
 *-------------------------------------------------------------------------
 */

static void *blocks[64];
static int	block_count = 0;

static int	reported;			/* SQLSTATE of the error raised, or 0 */
static sigjmp_buf on_error;

void *
palloc(Size size)
{
	check(block_count < (int) lengthof(blocks));
	return blocks[block_count++] = malloc(size);
}

static void
free_all(void)
{
	while (block_count > 0)
		free(blocks[--block_count]);
}

struct varlena *
pg_detoast_datum_packed(struct varlena *datum)
{
	return datum;
}

char *
text_to_cstring(const text *t)
{
	size_t		len = VARSIZE_ANY_EXHDR(t);
	char	   *str = palloc(len + 1);

	memcpy(str, VARDATA_ANY(t), len);
	str[len] = '\0';
	return str;
}

char *
pnstrdup(const char *in, Size len)
{
	char	   *str = palloc(len + 1);

	memcpy(str, in, len);
	str[len] = '\0';
	return str;
}

/* only for error messages */
char *
psprintf(const char *fmt,...)
{
	char	   *str = palloc(1000);
	va_list		args;
	int			len;

	va_start(args, fmt);
	len = vsnprintf(str, 1000, fmt, args);
	va_end(args);
	check(len >= 0 && len < 1000);
	return str;
}

void
initStringInfo(StringInfo str)
{
	str->data = palloc(1000);
	str->data[0] = '\0';
	str->len = 0;
}

void
appendStringInfo(StringInfo str, const char *fmt,...)
{
	va_list		args;

	va_start(args, fmt);
	str->len += vsnprintf(str->data + str->len, 1000 - str->len, fmt, args);
	va_end(args);
	check(str->len < 1000);
}

int
GetDatabaseEncoding(void)
{
	return PG_UTF8;
}

/* without a look at the characters, because text need not be valid here */
int
pg_mbcliplen(const char *mbstr, int len, int limit)
{
	return Min(len, limit);
}

bool
scanner_isspace(char ch)
{
	return ch != '\0' && strchr(" \t\n\r\v\f", ch) != NULL;
}

int
pg_strcasecmp(const char *s1, const char *s2)
{
	return strcasecmp(s1, s2);
}

bool
errstart(int elevel, const char *domain)
{
	check(elevel == ERROR);
	return true;
}

bool
errstart_cold(int elevel, const char *domain)
{
	return errstart(elevel, domain);
}

int
errcode(int sqlerrcode)
{
	reported = sqlerrcode;
	return 0;
}

int
errmsg(const char *fmt,...)
{
	return 0;
}

int
errdetail(const char *fmt,...)
{
	return 0;
}

int
errhint(const char *fmt,...)
{
	return 0;
}

void
errfinish(const char *filename, int lineno, const char *funcname)
{
	siglongjmp(on_error, 1);
}

/* from 16 on: as if the caller supports soft errors, the function continues and returns */
bool
errsave_start(struct Node *context, const char *domain)
{
	return true;
}

void
errsave_finish(struct Node *context, const char *filename, int lineno, const char *funcname)
{
}

/* call a function of one argument; false if it raised an error */
static bool
call(PGFunction function, Datum argument, Datum *result)
{
	LOCAL_FCINFO(fcinfo, 1);

	InitFunctionCallInfoData(*fcinfo, NULL, 1, InvalidOid, NULL, NULL);
	fcinfo->args[0].value = argument;
	fcinfo->args[0].isnull = false;

	reported = 0;
	if (sigsetjmp(on_error, 0) == 0)
		*result = function(fcinfo);
	check(!fcinfo->isnull);
	return reported == 0;
}

/*-------------------------------------------------------------------------
 * What must hold
 *-------------------------------------------------------------------------
 */

static void
check_text(const uint8_t *data, size_t size)
{
	size_t		len = strnlen((const char *) data, size);
	char	   *str = palloc(len + 1);
	text	   *t = palloc(VARHDRSZ + len);
	Datum		id;
	Datum		value;
	bool		accepted;

	memcpy(str, data, len);
	str[len] = '\0';
	memcpy(VARDATA(t), data, len);
	SET_VARSIZE(t, VARHDRSZ + len);

	accepted = call(objectid_in, CStringGetDatum(str), &id);
	check(accepted || reported == ERRCODE_INVALID_TEXT_REPRESENTATION);

	check(call(objectid_is_valid, PointerGetDatum(t), &value));
	check(DatumGetBool(value) == accepted);

	if (accepted)
	{
		char	   *out;

		/*
		 * the output is the digits of the text in lower case, and reads back
		 * as the same value
		 */
		check(call(objectid_out, id, &value));
		out = DatumGetCString(value);
		check(strspn(out, "0123456789abcdef") == 2 * OBJECTID_LEN && strlen(out) == 2 * OBJECTID_LEN);
		check(strcasestr(str, out) != NULL);

		check(call(objectid_in, CStringGetDatum(out), &value));
		check(memcmp(DatumGetPointer(value), DatumGetPointer(id), OBJECTID_LEN) == 0);
	}

	free_all();
}

/* the message starts at a cursor, because other fields were read before it */
static void
check_message(const uint8_t *data, size_t size, size_t cursor)
{
	StringInfoData buf;
	Datum		id;
	bool		accepted;

	buf.data = palloc(size);
	memcpy(buf.data, data, size);
	buf.len = buf.maxlen = (int) size;
	buf.cursor = (int) cursor;

	accepted = call(objectid_recv, PointerGetDatum(&buf), &id);
	check(accepted == (size - cursor == OBJECTID_LEN));
	if (accepted)
	{
		Datum		value;

		check(buf.cursor == buf.len);
		check(call(objectid_send, id, &value));
		check(VARSIZE(DatumGetPointer(value)) == VARHDRSZ + OBJECTID_LEN);
		check(memcmp(VARDATA(DatumGetPointer(value)), data + cursor, OBJECTID_LEN) == 0);
	}
	else
		check(reported == ERRCODE_PROTOCOL_VIOLATION);

	free_all();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_text(data, size);
	check_message(data, size, 0);
	if (size > 0)
		check_message(data, size, data[0] % (size + 1));

	return 0;
}
