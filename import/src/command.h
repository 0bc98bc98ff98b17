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

/* what the program does */
typedef enum Action
{
	LOAD, DRY_RUN, VERIFY, PRINT_SCHEMA, TO_TABLES, UNPACK
} Action;

typedef struct Options
{
	Action		action;
	char	  **paths;			/* the arguments */
	int			path_count;
	ConnParams	connection;
	const char *table;
	const char *schema;
	const char *format;
	SimpleStringList include;
	SimpleStringList exclude;
	IdType		id_type;		/* ID_UNKNOWN: guess */
	int			max_rejected;	/* -1: not specified */
	bool		upsert;
	bool		generate_id;
	bool		restart;
	bool		drop;
	bool		truncate;
	const char *section;		/* of the schema; NULL: pre-data */
	bool		post_data;		/* it is this one, without documents */
	bool		offline;		/* print it for an empty database */
	const char *file;			/* to write it to */
	const char *unpack;			/* the directory to write an archive to */
	int			jobs;
	bool		progress;
	bool		quiet;
	bool		verbose;
} Options;

/* what is done with the files */
typedef enum Phase
{
	CHECKING, TRYING, LOADING, VERIFYING
} Phase;

/* the only one */
typedef struct Command
{
	const Options *options;
	Collection *collections;
	int			count;
	Phase		phase;
} Command;

extern Command command;

#define for_each_collection(collection) \
	for (Collection *(collection) = command.collections; \
		 (collection) < command.collections + command.count; (collection)++)

/* options.c */
extern const Options *parse_options(int argc, char **argv);

/* report.c */
extern double monotonic_time(void);
extern void show_pipe(int64 bytes);
extern void show_progress(void);
extern void report_damage(const Collection *collection, bool loaded);
extern void report_stop(const Collection *collection);
extern bool report_load(void);
extern bool report_comparison(const Collection *collection, bool *many_rejected);

#endif							/* COMMAND_H */
