/*-------------------------------------------------------------------------
 *
 * command.h
 *	  The command: its options, and the files that it loads.
 *
 *-------------------------------------------------------------------------
 */
#ifndef COMMAND_H
#define COMMAND_H

#include "fields.h"
#include "server.h"

/* what is done with the files */
typedef enum Phase
{
	CHECKING, LOADING, VERIFYING
} Phase;

/* the only one */
typedef struct Command
{
	const Options *options;
	Collection *collections;
	int			count;
	Phase		phase;
	const char *resume_hint;	/* what to do if it ends early */
} Command;

extern Command command;

/* report.c */
extern const char *display_path(const InputFile *input);
extern double monotonic_time(void);
extern void show_progress(void);
extern void report_damage(const Collection *collection, bool loaded);
extern void report_stop(const Collection *collection);
extern bool report_load(void);
extern bool report_comparison(const Collection *collection, bool *many_rejected);

/* dump.c: from the command line to collections */
extern Collection *find_collections(const Options *options, int *count);

/* script.c: the schema that is in the fields of collections */
extern void print_script(const Options *options, const Collection *collections, Fields *fields,
						 int count);

#endif							/* COMMAND_H */
