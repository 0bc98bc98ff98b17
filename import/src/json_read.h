/*-------------------------------------------------------------------------
 *
 * json_read.h
 *	  From JSON to BSON.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSON_READ_H
#define JSON_READ_H

#include "bson_read.h"
#include "lib/stringinfo.h"

/* result of converting a document */
typedef enum Verdict
{
	WRITTEN,
	REJECTED,
	BROKEN,						/* it is not BSON or JSON */
	INCOMPLETE					/* the text ends within the JSON value */
} Verdict;

#define TRY(step) \
	do { Verdict verdict_ = (step); if (verdict_ != WRITTEN) return verdict_; } while (0)

extern Verdict json_to_bson(const char *data, size_t length, StringInfo bson, char *reason,
							size_t *end);

#endif							/* JSON_READ_H */
