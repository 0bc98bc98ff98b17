/*-------------------------------------------------------------------------
 *
 * documents.h
 *	  Where the documents of a file are, and what is in them, as BSON.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DOCUMENTS_H
#define DOCUMENTS_H

#include <bson/bson.h>

#include "bytes.h"

/* MongoDB allows 100 levels to its users, and 200 to itself */
#define MAX_DEPTH 200

/* result of converting a document */
typedef enum Verdict
{
	WRITTEN,
	REJECTED,
	BROKEN,						/* it is not BSON or JSON */
	INCOMPLETE					/* the text ends within the JSON value */
} Verdict;

#define TRY(step) \
	do { Verdict verdict_ = (step); if (verdict_ != WRITTEN) return verdict_; } while (0)

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

/* bson_read.c */
extern bool read_element(const uint8_t *at, const uint8_t *end, Element *element);
extern const uint8_t *check_bson(const uint8_t *document);
extern Finding find_bson_document(Source *source, Document *document, size_t *bad);

/* json_read.c: from JSON to BSON */
extern bool parse_integer(const char *text, size_t length, int64 *value);
extern Verdict json_to_bson(const char *data, size_t length, StringInfo bson, char *reason,
							size_t *end);
extern bool is_line(const char *line, const char *end);
extern Finding find_json_document(Source *source, Document *document, size_t *bad);

/* documents.c */
extern Finding find_document(Source *source, Document *document, bool may_read);

/* archive.c: from an archive of mongodump to the directory of a dump */
extern void unpack_archive(const char *path, const char *directory);

#endif							/* DOCUMENTS_H */
