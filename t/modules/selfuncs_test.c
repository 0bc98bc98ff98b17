/*-------------------------------------------------------------------------
 *
 * selfuncs_test.c
 *	  The unmodified estimator, with a count of the nodes that it looks at.
 *
 * For the TAP tests only.  objectid_ineqsel() of this library calls functions of the installed one.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/selfuncs.h"
#include "utils/typcache.h"

PG_MODULE_MAGIC;

static int64 work = 0;

#undef IsA
#define IsA(node, type) (work++, nodeTag(node) == T_##type)

#include "../../objectid_selfuncs.c"

/*
 * take_work - the number of nodes since the last call
 */
PG_FUNCTION_INFO_V1(take_work);
Datum
take_work(PG_FUNCTION_ARGS)
{
	int64		taken = work;

	work = 0;

	PG_RETURN_INT64(taken);
}
