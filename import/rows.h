/*-------------------------------------------------------------------------
 *
 * rows.h
 *	  From documents to rows of COPY, and the first pass over a file.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWS_H
#define ROWS_H

#include "source.h"
#include "port/pg_crc32c.h"

#define MAX_JOBS 64

typedef enum IdType
{
	ID_OBJECTID, ID_TEXT, ID_BIGINT, ID_UUID, ID_JSONB, ID_TYPES,
	ID_DOMAIN = ID_TYPES		/* the objectid of plain/objectid.sql, of a
								 * table */
} IdType;

/*
 * The orders that fields have in keys that are documents: for each a number, whose
 * upper half is the same for the same fields in another order.
 */
#define MAX_KEY_ORDERS 64
#define ALL_KEY_ORDERS (-1)

typedef struct KeyOrders
{
	int			count;
	int64		order[MAX_KEY_ORDERS];
}			KeyOrders;

/* what checking a file found */
typedef struct Check
{
	bool		done;
	int64		size;			/* decompressed */
	int64		read;			/* of it, so far */
	int64		position;		/* of that in the file, compressed or not */
	pg_crc32c	checksum;
	Layout		layout;
	IdType		id_type;		/* of most of its first documents */
} Check;

/* a part of a file, which one process loads, and how far it is */
typedef struct Part
{
	int64		start;			/* offsets in the file, decompressed */
	int64		end;
	int64		next;
	int64		first;			/* documents before the part */
	int64		documents;		/* read of it, in this run and those before */
	int64		rejected;
	int64		changed;		/* by --upsert, as the next */
	int64		equal;
	int64		complete;		/* 1 if it is */
} Part;

/* what the processes that check or load a file tell each other: in shared memory */
typedef struct Progress
{
	Check		check;
	Damage		damage;
	char		stop[REASON_SIZE];	/* why the load ends early, */
	char		reason[REASON_SIZE];	/* and why a document was rejected
										 * last */
	KeyOrders	key_orders;		/* of the file, then of the table */
	int			parts;
	Part		part[MAX_JOBS];
	double		seconds;
} Progress;

extern const char *const id_type_names[];

/* rows.c */
extern void append_int16(StringInfo out, int16 value);
extern void append_bigint(StringInfo out, int64 value);
extern void append_field(StringInfo out, const void *data, int length);
extern IdType key_type(const Writer *writer);
extern bool note_key_order(KeyOrders * orders, int64 order, bool upsert);
extern bool note_key(KeyOrders * orders, const Writer *writer, bool upsert);
extern Verdict write_row(const Document *document, IdType type, int position, Writer *writer);

/* check.c */
extern Source *open_pipe(const InputFile *input, Progress *progress);
extern void check_file(const InputFile *input, Progress *progress, int jobs);
extern void dry_run(const InputFile *input, Progress *progress, int id_type);

#endif							/* ROWS_H */
