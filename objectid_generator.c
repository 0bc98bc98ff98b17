/*-------------------------------------------------------------------------
 *
 * objectid_generator.c
 *	  gen_objectid(): new ids, unique without coordination.
 *
 * All the state of the extension is here, and it belongs to one backend.
 *
 *-------------------------------------------------------------------------
 */
#include "objectid.h"

#include "miscadmin.h"
#include "utils/timestamp.h"

/*
 * A clock that steps back by at most this many seconds (NTP setting it right,
 * a leap second) is waited out on the last second, so that ids keep
 * increasing.  If it steps back further, somebody has mended a wrong clock,
 * and ids follow it; they stay unique, for the serial number goes on.
 */
#define MAX_CLOCK_STEP_BACK 60

/*
 * The low 8 bytes of an id, MongoDB's 5 random bytes and 3-byte counter, are
 * one 64-bit number here, which goes up by one for every id.  The counter thus
 * starts at random, counts by one and wraps to 0, as MongoDB's specification
 * demands; and when it wraps, the carry moves on to the next random part, so
 * that a backend uses no pair of random part and counter twice, whatever the
 * clock says.
 */
typedef struct ObjectidGenerator
{
	int			owner;			/* pid of the backend that drew the serial */
	int64		last_second;	/* of gen_objectid(), since 1970 */
	uint64		serial;			/* of the last id made */
} ObjectidGenerator;

static ObjectidGenerator generator;

static uint64 next_serial(void);

/*
 * gen_objectid - a new id for now
 *
 * Never the same twice; within one backend greater than all it returned
 * before, unless the clock stepped back by more than MAX_CLOCK_STEP_BACK.
 * Raises 22008 if the clock is set outside the range of the type, and
 * XX000 if there is no randomness.
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
	 * Not time(), which may lag the second boundary by some milliseconds: an
	 * id must not be older than the caller's now().
	 */
	second = objectid_floor_timestamptz(GetCurrentTimestamp());

	/* a clock before 1970 is not mended, but an error */
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
 * gen_objectid_at - a new id stamped with an instant of the caller's choice
 *
 * As unique as those of gen_objectid(), with which it shares the serial; its
 * second is the caller's, and no order is promised.  Raises 22008 for an
 * instant that no id can hold, and XX000 if there is no randomness.
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
 * next_serial - the low 8 bytes of the next id
 */
static uint64
next_serial(void)
{
	/*
	 * Draw at the first call, and again in a process that inherited the state
	 * of another.  Never in _PG_init: with shared_preload_libraries that runs
	 * once, in the postmaster, and every backend would count from one number.
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
	 * When the number itself wraps, the ids that follow in this second would
	 * sort before those already made: go on in the next one.
	 */
	if (unlikely(++generator.serial == 0))
		generator.last_second++;

	return generator.serial;
}
