/*-------------------------------------------------------------------------
 *
 * convert.h
 *	  Between BSON and Extended JSON.
 *
 *-------------------------------------------------------------------------
 */
#ifndef CONVERT_H
#define CONVERT_H

#include <bson/bson.h>

#include "lib/stringinfo.h"
#include "message.h"

/* MongoDB allows 100 levels to its users, and 200 to itself */
#define MAX_DEPTH 200

#define REASON_SIZE 512

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

/* a field of a document, or an element of an array, in BSON */
typedef struct Element
{
	uint8_t		type;
	const char *name;
	size_t		name_length;
	const uint8_t *value;
	size_t		length;			/* of the value */
} Element;

/* the _id of a document, in BSON */
typedef struct Key
{
	uint8_t		type;
	const uint8_t *value;		/* NULL: it has none */
} Key;

/* what --generate-id makes ids of documents of */
typedef struct NewIds
{
	uint32		time;
	uint64		serial;			/* to which a document's number is added */
} NewIds;

/* writes a BSON document as JSON, with its fields in the order of jsonb */
typedef struct Writer
{
	StringInfoData out;
	StringInfoData scratch;
	const NewIds *ids;			/* for documents without an _id, or NULL */
	int64		position;		/* of the document in its file, for these */
	uint8_t		new_id[12];
	Key			id;				/* whose JSON is in out, */
	int			id_at;			/* from here */
	int			id_length;
	Field	   *fields;			/* of the open objects */
	size_t		fields_used;
	size_t		fields_allocated;
	const uint8_t *bad;			/* where it is BROKEN */
	char		reason[REASON_SIZE];	/* why it is REJECTED */
} Writer;

/* {"$...": value}; LIBBSON: any of those that libbson reads */
typedef enum Wrapper
{
	NO_WRAPPER, OID, INT, LONG, DOUBLE, DECIMAL, DATE, LIBBSON
} Wrapper;

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

/* What appendBinaryStringInfo() does, inline, and without the NUL at the end */
static inline void
append(StringInfo out, const void *data, size_t length)
{
	if (unlikely((size_t) (out->maxlen - out->len) <= length))
		enlargeStringInfo(out, (int) length);
	memcpy(out->data + out->len, data, length);
	out->len += (int) length;
}

/* convert.c */
extern Verdict reject(char *reason, const char *format,...) __attribute__((format(printf, 2, 3)));
extern bool parse_integer(const char *text, size_t length, int64 *value);

/* value.c, bson.c: from BSON to JSON */
extern Verdict write_string(Writer *writer, const char *text, size_t length, const char *what);
extern void write_int(Writer *writer, int64 value);
extern void write_double(Writer *writer, double value);
extern bool date_to_days(int year, int month, int day, int64 *days);
extern void write_date(Writer *writer, int64 milliseconds);
extern void write_oid(Writer *writer, const uint8_t *bytes);
extern bool read_element(const uint8_t *at, const uint8_t *end, Element *element);
extern const uint8_t *check_bson(const uint8_t *document);
extern void start_writer(Writer *writer);
extern Verdict write_bson(Writer *writer, const uint8_t *document);

/* extjson.c, json.c: from JSON to BSON */
extern Wrapper find_wrapper(const char *name);
extern Verdict unwrap(StringInfo bson, int type_at, int at, Wrapper wrapper, const char *json,
					  size_t json_length, char *reason);
extern void append_value(StringInfo bson, int type_at, uint8_t type, uint64 value);
extern void append_double(StringInfo bson, int type_at, double value);
extern Verdict json_to_bson(const char *data, size_t length, StringInfo bson, char *reason,
							size_t *end);

#endif							/* CONVERT_H */
