/*-------------------------------------------------------------------------
 *
 * collection.h
 *	  A collection: its file, its table, and how far the work on it is.
 *
 *-------------------------------------------------------------------------
 */
#ifndef COLLECTION_H
#define COLLECTION_H

#include "dump/dump.h"
#include "port/pg_crc32c.h"

#define MAX_JOBS 64

/* what --generate-id makes ids of documents of */
typedef struct NewIds
{
	uint32		time;
	uint64		serial;			/* to which a document's number is added */
} NewIds;

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

/* what the server says of a table, and of its column "_id" */
typedef struct KeyColumn
{
	IdType		type;
	char	   *type_name;		/* in SQL */
	Oid			type_oid;
	char	   *collation;		/* as a clause, or empty */
	char	   *identity;		/* other if the table, or "doc", is replaced, */
	char	   *storage;		/* or if it is truncated, or gets a rule */
	char	   *analyzed;		/* which columns, as a list, or empty: all */
} KeyColumn;

/* the load of a file, in the table of imports */
typedef struct Run
{
	char	   *number;
	char	   *history;		/* what was loaded before, or NULL */
	bool		created;		/* it has created the table */
	const char *command;		/* which began it with --drop, --truncate or
								 * --restart */
	bool		interrupted;	/* this has not ended */
	bool		anew;			/* it begins with what these do */
} Run;

/* the table that a file goes into */
typedef struct Table
{
	char	   *schema;			/* NULL: of the search path */
	char	   *name;
	char	   *side_name;
	char	   *target;			/* qualified and quoted, as these */
	char	   *side_table;
	char	   *imports;
	char	   *lock;			/* held by transactions that load */
	char	   *objectid;		/* type of new keys, or NULL */
	bool		exists;
	bool		side_exists;
	bool		side_readable;
	bool		connected;		/* to others, by foreign keys of either */
	KeyColumn	key;
	Run			run;
} Table;

/* a file, and where it goes */
typedef struct Collection
{
	InputFile	input;
	const char *metadata;		/* path of its metadata.json, or NULL */
	Table		table;
	Progress   *progress;
	struct Comparison *compared;	/* with --verify, of each part */
} Collection;

/* check.c */
extern void check_file(const InputFile *input, Progress *progress, int jobs);

/* store_damage - store the damage that was found in a file, if any: is there some? */
static inline bool
store_damage(const Source *source, Progress *progress)
{
	if (source->damage.what[0] == '\0')
		return false;
	progress->damage = source->damage;
	progress->state = DAMAGED_FILE;
	return true;
}

/* sum_parts - the numbers of all parts of a file, by all processes */
static inline Part
sum_parts(const Progress *progress)
{
	Part		sum = {0};

	for (int i = 0; i < progress->parts; i++)
	{
		sum.documents += progress->part[i].documents;
		sum.changed += progress->part[i].changed;
		sum.equal += progress->part[i].equal;
		sum.rejected += progress->part[i].rejected;
	}
	return sum;
}

/* is_complete - are all parts of a file loaded or verified? */
static inline bool
is_complete(const Progress *progress)
{
	for (int i = 0; i < progress->parts; i++)
		if (!progress->part[i].complete)
			return false;
	return true;
}

#endif							/* COLLECTION_H */
