/*-------------------------------------------------------------------------
 *
 * bson_json.h
 *	  The elements of BSON, its JSON, and the types of keys.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IMPORT_BSON_JSON_H
#define IMPORT_BSON_JSON_H

#include <bson/bson.h>

#include "lib/stringinfo.h"

/* of a reason why a document is rejected */
#define REASON_SIZE 512

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

/* the types of keys */
typedef enum IdType
{
	ID_UNKNOWN = -1,
	ID_OBJECTID, ID_TEXT, ID_BIGINT, ID_UUID, ID_JSONB,
	ID_DOMAIN,					/* the objectid of plain/objectid.sql */
	ID_TYPES
} IdType;

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

typedef struct Field
{
	const char *name;
	int			name_length;
	int			at;				/* of all of it, in JSON */
	int			length;
} Field;

/* writes a BSON document as JSON, with its fields in the order of jsonb */
typedef struct Writer
{
	StringInfoData out;
	StringInfoData scratch;
	Element		id;				/* or without a value; its JSON is in out, */
	int			id_at;			/* from here */
	int			id_length;
	Field	   *fields;			/* of the open objects */
	size_t		fields_used;
	size_t		fields_allocated;
	const uint8_t *bad;			/* where it is BROKEN */
	char		reason[REASON_SIZE];	/* why it is REJECTED */
} Writer;

/* What appendBinaryStringInfo() does, inline, and without the NUL at the end */
static inline void
append(StringInfo out, const void *data, size_t length)
{
	if (unlikely((size_t) (out->maxlen - out->len) <= length))
		enlargeStringInfo(out, (int) length);
	memcpy(out->data + out->len, data, length);
	out->len += (int) length;
}

/* bson.c */
extern bool read_element(const uint8_t *at, const uint8_t *end, Element *element);
extern const uint8_t *check_bson(const uint8_t *document, int depth);
extern const char *const id_type_names[];
extern IdType find_id_type(const char *name);
extern IdType most_frequent(const int *seen);
extern IdType key_type(const Element *id);
extern Verdict reject(char *reason, const char *format,...) __attribute__((format(printf, 2, 3)));
extern bool date_to_days(int year, int month, int day, int64 *days);
extern void write_oid(Writer *writer, const uint8_t *bytes);
extern void start_writer(Writer *writer);
extern Verdict write_bson(Writer *writer, const uint8_t *document);

/* json_read.c */
extern Verdict json_to_bson(const char *data, size_t length, StringInfo bson, char *reason,
							size_t *end);

#endif							/* IMPORT_BSON_JSON_H */
