/*-------------------------------------------------------------------------
 *
 * command.h
 *	  The command: its options, and the files that it loads.
 *
 *-------------------------------------------------------------------------
 */
#ifndef COMMAND_H
#define COMMAND_H

#include "fe_utils/simple_list.h"
#include "server.h"

typedef struct Options
{
	LoadOptions load;
	const char *schema;
	const char *format;
	SimpleStringList include;
	SimpleStringList exclude;
	int			jobs;
	bool		dry_run;
	bool		progress;
	bool		quiet;
} Options;

typedef struct Collection
{
	InputFile	input;
	const char *metadata;		/* path of its metadata.json, or NULL */
	Table		table;
	bool		skip;			/* it cannot be loaded, and why has been said */
} Collection;

/* options.c */
extern Options options;
extern const char *parse_options(int argc, char **argv);

/* dump.c: from the command line to collections */
extern const char *directory_name(const char *path);
extern Collection *find_collections(const char *path, int *count, bool *all);

/* metadata.c: what mongodump writes beside a collection */
extern bson_t *read_metadata(const char *path);
extern void write_indexes(PGconn *conn, const Collection *collections, int count, const char *path);

#endif							/* COMMAND_H */
