/*-------------------------------------------------------------------------
 *
 * json.h
 *	  From Extended JSON to BSON, and back.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSON_H
#define JSON_H

#include "bytes.h"
#include "bson_read.h"

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

/* json_read.c */
extern Verdict json_to_bson(const char *data, size_t length, StringInfo bson, char *reason,
							size_t *end);

/* json_write.c */
extern Verdict reject(char *reason, const char *format,...) __attribute__((format(printf, 2, 3)));
extern bool date_to_days(int year, int month, int day, int64 *days);
extern void write_oid(Writer *writer, const uint8_t *bytes);
extern void start_writer(Writer *writer);
extern Verdict write_bson(Writer *writer, const uint8_t *document);

#endif							/* JSON_H */
