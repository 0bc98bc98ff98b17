/*-------------------------------------------------------------------------
 *
 * bson_read.h
 *	  BSON: its elements, and documents in a window of a file.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BSON_READ_H
#define BSON_READ_H

#include <bson/bson.h>

#include "bytes.h"

/* MongoDB allows 100 levels to its users, and 200 to itself */
#define MAX_DEPTH 200

/* result of a search for the next document */
typedef enum Finding
{
	FOUND,
	BROKEN_LINE,				/* found, but it is rejected as not JSON */
	END,						/* the file or its part has no more */
	PARTIAL,					/* the window does not hold all of it */
	DAMAGED
} Finding;

/* a field of a document, or an element of an array, in BSON */
typedef struct Element
{
	uint8_t		type;
	const char *name;
	size_t		name_length;
	const uint8_t *value;
	size_t		length;			/* of the value */
} Element;

typedef struct Document
{
	const char *data;			/* in the window of its source */
	size_t		length;
	const uint8_t *bson;		/* valid until the next document is found */
	char	   *reason;			/* why it is rejected, or NULL */
} Document;

static inline uint32
get_length(const uint8_t *data)
{
	uint32		value;

	memcpy(&value, data, 4);
	return BSON_UINT32_FROM_LE(value);
}

static inline int64
get_int64(const uint8_t *data)
{
	int64		value;

	memcpy(&value, data, 8);
	return BSON_UINT64_FROM_LE(value);
}

static inline double
get_double(const uint8_t *data)
{
	double		value;

	memcpy(&value, data, 8);
	return BSON_DOUBLE_FROM_LE(value);
}

extern bool read_element(const uint8_t *at, const uint8_t *end, Element *element);
extern const uint8_t *check_bson(const uint8_t *document, int depth);
extern Finding find_bson_document(Source *source, Document *document, size_t *bad);

#endif							/* BSON_READ_H */
