/*-------------------------------------------------------------------------
 *
 * scan.h
 *	  The first pass over a file, and the progress of its load.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SCAN_H
#define SCAN_H

#include "port/pg_crc32c.h"
#include "row.h"

#define MAX_JOBS 64

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
	bool		empty;			/* there are none, and the type is a guess */
	NewIds		ids;			/* for documents without */
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
	bool		complete;
} Part;

/* how far the work on a file is */
typedef enum State
{
	PENDING,
	DAMAGED_FILE,				/* and where has been noted */
	REFUSED,					/* it goes no further, and why has been said */
	STOPPED,					/* too many documents are rejected */
	DONE
} State;

/* what the processes that check or load a file tell each other: in shared memory */
typedef struct Progress
{
	State		state;
	Check		check;
	Damage		damage;
	char		stop[REASON_SIZE];	/* why it is STOPPED, */
	char		reason[REASON_SIZE];	/* why a document was rejected */
	bool		without_id;		/* one was rejected because it has none, */
	bool		duplicate;		/* or because the table has its key */
	int			parts;
	Part		part[MAX_JOBS];
	double		seconds;
} Progress;

/* scan.c */
extern Part sum_parts(const Progress *progress);
extern bool is_complete(const Progress *progress);
extern Source *open_part(const InputFile *input, const Progress *progress, const Part *part);
extern bool move_on(Source *source, Progress *progress, const Part *part, bool *found);
extern Finding next_row(Source *source, bool may_read, IdType type, int number, Writer *writer,
						Document *document);
extern void check_file(const InputFile *input, Progress *progress, int jobs);
extern void dry_run(const InputFile *input, Progress *progress, IdType wanted, bool generate_id);

#endif							/* SCAN_H */
