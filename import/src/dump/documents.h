/*-------------------------------------------------------------------------
 *
 * documents.h
 *	  Where the documents of a file are.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DOCUMENTS_H
#define DOCUMENTS_H

#include "bytes.h"

/* result of a search for the next document */
typedef enum Finding
{
	FOUND,
	BROKEN_LINE,				/* found, but it is rejected as not JSON */
	END,						/* the file or its part has no more */
	PARTIAL,					/* the window does not hold all of it */
	DAMAGED
} Finding;

typedef struct Document
{
	const char *data;			/* in the window of its source */
	size_t		length;
	const uint8_t *bson;		/* valid until the next document is found */
	char	   *reason;			/* why it is rejected, or NULL */
} Document;

extern bool is_line(const char *line, const char *end);
extern Finding find_document(Source *source, Document *document, bool may_read);
extern Finding find_sound_document(Source *source, Document *document);

#endif							/* DOCUMENTS_H */
