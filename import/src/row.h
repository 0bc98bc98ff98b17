/*-------------------------------------------------------------------------
 *
 * row.h
 *	  From documents to Extended JSON, and to rows of COPY.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROW_H
#define ROW_H

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
	char		reason[REASON_SIZE];	/* why it is REJECTED, */
	bool		lacks_id;		/* or because of this */
} Writer;

/* the types of keys */
typedef enum IdType
{
	ID_UNKNOWN = -1,
	ID_OBJECTID, ID_TEXT, ID_BIGINT, ID_UUID, ID_JSONB,
	ID_DOMAIN,					/* the objectid of plain/objectid.sql */
	ID_TYPES
} IdType;

#define NO_NUMBER (-1)

/* json_write.c */
extern Verdict reject(char *reason, const char *format,...) __attribute__((format(printf, 2, 3)));
extern bool date_to_days(int year, int month, int day, int64 *days);
extern void write_oid(Writer *writer, const uint8_t *bytes);
extern void start_writer(Writer *writer);
extern Verdict write_bson(Writer *writer, const uint8_t *document);

/* row.c */
extern const char *const id_type_names[];
extern IdType find_id_type(const char *name);
extern IdType most_frequent(const int *seen);
extern void append_int(StringInfo out, int size, int64 value);
extern void append_field(StringInfo out, const void *data, size_t length);
extern IdType key_type(const Element *id);
extern Verdict write_row(const Document *document, IdType type, int number, Writer *writer);

#endif							/* ROW_H */
