/*-------------------------------------------------------------------------
 *
 * options.h
 *	  What the command line says.
 *
 *-------------------------------------------------------------------------
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "scan.h"
#include "fe_utils/connect_utils.h"
#include "fe_utils/simple_list.h"

/* what the program does */
typedef enum Action
{
	LOAD, DRY_RUN, VERIFY, PRINT_SCHEMA, UNPACK
} Action;

typedef struct Options
{
	Action		action;
	const char *path;			/* the argument */
	ConnParams	connection;
	const char *table;
	const char *schema;
	const char *side_table;
	const char *format;
	IdType		id_type;		/* ID_UNKNOWN: guess */
	SimpleStringList include;
	SimpleStringList exclude;
	int64		max_rejected;	/* -1: not specified */
	bool		upsert;
	bool		generate_id;
	bool		restart;
	bool		drop;
	bool		truncate;
	const char *section;		/* of the schema; NULL: both */
	const char *file;			/* a directory to write it to */
	const char *unpack;			/* the directory to write an archive to */
	int64		jobs;
	bool		progress;
	bool		quiet;
	bool		verbose;
} Options;

extern const Options *parse_options(int argc, char **argv);

#endif							/* OPTIONS_H */
