/*-------------------------------------------------------------------------
 *
 * json_write.h
 *	  From BSON to Extended JSON.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSON_WRITE_H
#define JSON_WRITE_H

#include "documents.h"

typedef struct Field
{
	const char *name;
	int			name_length;
	int			at;				/* of all of it, in JSON */
	int			length;
} Field;

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
	Element		id;				/* or without a value; its JSON is in out, */
	int			id_at;			/* from here */
	int			id_length;
	Field	   *fields;			/* of the open objects */
	size_t		fields_used;
	size_t		fields_allocated;
	const uint8_t *bad;			/* where it is BROKEN */
	char		reason[REASON_SIZE];	/* why it is REJECTED */
} Writer;

extern Verdict reject(char *reason, const char *format,...) __attribute__((format(printf, 2, 3)));
extern bool date_to_days(int year, int month, int day, int64 *days);
extern void write_oid(Writer *writer, const uint8_t *bytes);
extern void start_writer(Writer *writer);
extern Verdict write_bson(Writer *writer, const uint8_t *document);

#endif							/* JSON_WRITE_H */
