/*-------------------------------------------------------------------------
 *
 * schema.h
 *	  The three scripts: before a load, after it, and when the application writes tables.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SCHEMA_H
#define SCHEMA_H

#include "command.h"
#include "model.h"

/* pre_data.c */
extern void print_pre_data(Database *database, const Options *options, Collection *collections,
						   Fields *fields, int count);

/* post_data.c */
extern void print_post_data(Database *database, const Options *options, Collection *collections,
							int count);

/* to_tables.c */
extern void print_to_tables(Database *database, const Options *options);

#endif							/* SCHEMA_H */
