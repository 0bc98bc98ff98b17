/*-------------------------------------------------------------------------
 *
 * bson_read.h
 *	  The elements of BSON.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BSON_READ_H
#define BSON_READ_H

#include <bson/bson.h>

/* MongoDB allows 100 levels to its users, and 200 to itself */
#define MAX_DEPTH 200

/* a field of a document, or an element of an array, in BSON */
typedef struct Element
{
	uint8_t		type;
	const char *name;
	size_t		name_length;
	const uint8_t *value;
	size_t		length;			/* of the value */
} Element;

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

#endif							/* BSON_READ_H */
