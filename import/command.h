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
	const char *path;			/* the argument */
	LoadOptions load;
	const char *schema;
	const char *format;
	SimpleStringList include;
	SimpleStringList exclude;
	const char *unpack;			/* the directory to write an archive to */
	int			jobs;
	bool		dry_run;
	bool		progress;
	bool		quiet;
} Options;

/* options.c */
extern const Options *parse_options(int argc, char **argv);

/* metadata.c: what mongodump writes beside a collection */
extern bson_t *read_metadata(const char *path);
extern void write_indexes(Connection *conn, const Collection *collections, int count,
						  const char *path);

/* filenames.c, archive.c: from an archive to the directory of a dump */
extern char *collection_file_name(const char *collection);
extern void unpack_archive(const char *path, const char *directory);

/* dump.c: from the command line to collections */
extern char *shorten(const char *name, const char *suffix);
extern const char *directory_name(const char *path);
extern Collection *find_collections(const Options *options, int *count, bool *complete);

#endif							/* COMMAND_H */
