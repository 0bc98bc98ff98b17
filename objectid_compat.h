/*-------------------------------------------------------------------------
 *
 * objectid_compat.h
 *	  All differences between the supported major versions of PostgreSQL.
 *
 *-------------------------------------------------------------------------
 */
#ifndef OBJECTID_COMPAT_H
#define OBJECTID_COMPAT_H

/* core's comparator for uint64 abbreviated keys, which 20 renames */
#if PG_VERSION_NUM >= 200000
#define ssup_datum_unsigned_cmp ssup_datum_uint64_cmp
#endif

/* before 16: no soft errors */
#if PG_VERSION_NUM < 160000
#define ereturn(context, dummy_value, ...) ereport(ERROR, __VA_ARGS__)
#endif

/* 16 and newer: VARDATA() and similar macros are not in postgres.h */
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

/*
 * Shared memory without configuration.  Before 17: from the small reserve of
 * the main segment, as core's pg_prewarm does there.  19 and newer: the callback
 * has a second argument.
 */
#if PG_VERSION_NUM < 170000
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"
#else
#include "storage/dsm_registry.h"
#define HAVE_DSM_REGISTRY
#endif

#if PG_VERSION_NUM < 190000
#define SHARED_INIT_PARAMETERS(memory) void *memory
#else
#define SHARED_INIT_PARAMETERS(memory) void *memory, void *arg
#endif

/*
 * get_shared_memory - find memory by its name, or else allocate and initialize it
 */
static inline void *
get_shared_memory(const char *name, Size size,
				  void (*init_callback) (SHARED_INIT_PARAMETERS(memory)))
{
	bool		found;
	void	   *memory;

#if PG_VERSION_NUM < 170000
	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	memory = ShmemInitStruct(name, size, &found);
	if (!found)
		init_callback(memory);
	LWLockRelease(AddinShmemInitLock);
#elif PG_VERSION_NUM < 190000
	memory = GetNamedDSMSegment(name, size, init_callback, &found);
#else
	memory = GetNamedDSMSegment(name, size, init_callback, &found, NULL);
#endif

	return memory;
}

/*
 * Before 18, core simplifies a query before it looks for the expressions of its
 * grouping sets, and does not find a condition that NOT or AND has rearranged.
 * A column cannot be rearranged.
 */
#if PG_VERSION_NUM < 180000
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "optimizer/optimizer.h"

static inline bool
has_grouped_condition(const PlannerInfo *root)
{
	ListCell   *lc;

	foreach(lc, root && root->parse && root->parse->groupingSets ? root->parse->groupClause : NIL)
	{
		Node	   *expr = get_sortgroupclause_expr(lfirst(lc), root->parse->targetList);

		if (exprType(expr) == BOOLOID && !IsA(expr, Var))
			return true;
	}

	return false;
}
#else
#define has_grouped_condition(root) false
#endif

/* 18 and newer: btree scans can skip over a leading column without a condition */
#if PG_VERSION_NUM >= 180000
#include "utils/skipsupport.h"
#define HAVE_SKIP_SUPPORT
#endif

/* before 18: a module's magic block has no name and version */
#if PG_VERSION_NUM < 180000
#define PG_MODULE_MAGIC_EXT(...) PG_MODULE_MAGIC
#endif

#endif							/* OBJECTID_COMPAT_H */
