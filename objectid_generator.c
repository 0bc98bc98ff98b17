/*-------------------------------------------------------------------------
 *
 * objectid_generator.c
 *	  gen_objectid(): new ids, unique without coordination.
 *
 * This is the only state of the extension.  Each backend has its own.
 *
 *-------------------------------------------------------------------------
 */
#include "objectid.h"

#include "miscadmin.h"
#include "utils/timestamp.h"

/*
 * If the clock steps back by at most this many seconds (an NTP correction, a
 * leap second), new ids keep the last second until the clock reaches it
 * again, so that ids keep increasing.  A larger step means that the clock was
 * corrected; ids follow it.  They stay unique, because the serial number
 * continues.
 */
#define MAX_CLOCK_STEP_BACK 60

/*
 * The last 8 bytes of an id, MongoDB's 5 random bytes and 3-byte counter, are
 * one 64-bit number here, which is incremented for every id.  So the counter
 * starts at random, counts by one and wraps to 0, as MongoDB's specification
 * requires.  When it wraps, the carry changes the random bytes, so that a
 * backend never repeats these 8 bytes, whatever the clock does.
 */
typedef struct ObjectidGenerator
{
	int			owner;			/* pid of the backend that owns this state */
	int64		last_second;	/* of gen_objectid(), since 1970 */
	uint64		serial;			/* of the last id made */
} ObjectidGenerator;

static ObjectidGenerator generator;

static uint64 next_serial(void);

/*
 * gen_objectid - a new id for now
 *
 * Within one backend, each id is greater than all before it, unless the clock
 * steps back by more than MAX_CLOCK_STEP_BACK. Raises 22008 if the clock is
 * outside the range of the type, and XX000 if no random bytes are available.
 */
PG_FUNCTION_INFO_V1(gen_objectid);
Datum
gen_objectid(PG_FUNCTION_ARGS)
{
	objectid_t *id = palloc(sizeof(objectid_t));
	uint64		serial = next_serial();
	int64		second;

	(void) fcinfo;

	/*
	 * Do not use time(): it can be some milliseconds behind, and an id must
	 * not be older than the caller's now().
	 */
	second = objectid_floor_timestamptz(GetCurrentTimestamp());

	/* do not hide a clock before 1970: report it below */
	if (second >= 0 && second < generator.last_second &&
		second >= generator.last_second - MAX_CLOCK_STEP_BACK)
		second = generator.last_second;

	if (second < 0 || second > PG_UINT32_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("system clock out of range for type %s (%s)",
						"objectid", OBJECTID_TIME_RANGE),
				 errhint("Set the clock of the database server.")));

	generator.last_second = second;
	objectid_set(id, (uint32) second, serial);

	PG_RETURN_OBJECTID_P(id);
}

/*
 * gen_objectid_at - a new id with a given creation time
 *
 * As unique as the ids of gen_objectid(), because both share the serial number.
 * Their order is not guaranteed.  Raises 22008 for an instant outside the range
 * of the type, and XX000 if no random bytes are available.
 */
PG_FUNCTION_INFO_V1(gen_objectid_at);
Datum
gen_objectid_at(PG_FUNCTION_ARGS)
{
	TimestampTz instant = PG_GETARG_TIMESTAMPTZ(0);
	objectid_t *id = palloc(sizeof(objectid_t));

	objectid_set(id, objectid_seconds_from_timestamptz(instant), next_serial());

	PG_RETURN_OBJECTID_P(id);
}

/*
 * next_serial - the last 8 bytes of the next id
 */
static uint64
next_serial(void)
{
	/*
	 * Start at a random number at the first call, and again in a process that
	 * inherited this state from its parent.  Not in _PG_init(): with
	 * shared_preload_libraries it runs once, in the postmaster, and every
	 * backend would start at the same number.
	 */
	if (unlikely(generator.owner != MyProcPid))
	{
		if (!pg_strong_random(&generator.serial, sizeof(generator.serial)))
			ereport(ERROR,
					(errcode(ERRCODE_INTERNAL_ERROR),
					 errmsg("could not generate random values")));
		generator.last_second = 0;
		generator.owner = MyProcPid;
	}

	/*
	 * If the 64-bit number wraps, later ids of this second would sort before
	 * earlier ones: continue in the next second.
	 */
	if (unlikely(++generator.serial == 0))
		generator.last_second++;

	return generator.serial;
}
