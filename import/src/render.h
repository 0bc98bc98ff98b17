/*-------------------------------------------------------------------------
 *
 * render.h
 *	  Text of statements.
 *
 *-------------------------------------------------------------------------
 */
#ifndef RENDER_H
#define RENDER_H

#include "lib/stringinfo.h"

#define emit(...) appendStringInfo(&script, __VA_ARGS__)

/* what {name} stands for in a template */
typedef struct Placeholder
{
	const char *name;
	const char *text;
} Placeholder;

#define quote_json(text) psprintf("\"%s\"", bson_utf8_escape_for_json(text, -1))

extern StringInfoData script;	/* what is printed */

extern char *quote_name(const char *name);
extern char *quote_text(const char *text);
extern char *render(const char *template, const Placeholder *values);

#endif							/* RENDER_H */
