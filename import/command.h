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
	bool		schema_only;
	const char *section;		/* of the schema; NULL: both */
	const char *file;			/* a directory to write it to */
	bool		progress;
	bool		quiet;
	bool		verbose;
} Options;

/* options.c */
extern const Options *parse_options(int argc, char **argv);

/* names.c */
extern char *shorten(const char *name, const char *suffix);
extern bson_t *read_metadata(const char *path);
extern bool has_option(const bson_t *metadata, const char *option);
extern char *collection_file_name(const char *collection);
extern void parse_table_name(const char *text, char **schema, char **name);

/* archive.c: from an archive to the directory of a dump */
extern void unpack_archive(const char *path, const char *directory);

/* dump.c: from the command line to collections */
extern Collection *find_collections(const Options *options, int *count);

#endif							/* COMMAND_H */
