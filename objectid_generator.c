/*-------------------------------------------------------------------------
 *
 * objectid_generator.c
 *	  gen_objectid(): new ids, unique without coordination between servers.
 *
 * A PostgreSQL server corresponds to a process in MongoDB's specification: its
 * sessions share one random part and one counter.  So ids are in order across
 * sessions, and all of them are inserted at the right-hand end of an index.
 *
 * This is the only state of the extension.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "objectid.h"
#include "objectid_compat.h"

#include "miscadmin.h"
#include "port/atomics.h"
#include "utils/timestamp.h"

/*
 * If the clock is at most this many seconds behind the newest id (an NTP
 * correction, a leap second), new ids keep the last second until the clock
 * reaches it again, so that ids keep increasing.  A clock that is further
 * behind was corrected; ids follow it.  They stay unique, because the serial
 * number continues.
 */
#define MAX_CLOCK_LAG 60

/*
 * The last 8 bytes of an id, MongoDB's 5 random bytes and 3-byte counter, are
 * one 64-bit number here, which is incremented for every id.  So the counter
 * starts at random, counts by one and wraps to 0, as MongoDB's specification
 * requires.  When it wraps, the carry changes the random bytes, so that a
 * server never repeats these 8 bytes, whatever the clock does.
 *
 * There is no lock, so a backend can be killed at any point.  If one call of
 * gen_objectid() ends before another begins, the later call adds to a greater
 * serial number and reads a last_second that is not smaller.
 */
typedef struct ObjectidGenerator
{
	pg_atomic_uint64 serial;	/* of the next id */
	pg_atomic_uint32 last_second;	/* of gen_objectid(), since 1970 */
} ObjectidGenerator;

/*
 * The name of the shared memory contains the version of this struct.  Change
 * it with the struct: while a server runs, its sessions can have loaded
 * different libraries.
 */
#define GENERATOR_NAME "objectid generator 1"

/*
 * The serial number starts below this limit.  It would take 2^56 ids to
 * overflow and to sort before earlier ids of the same second.  That many ids
 * cannot be made in practice before the server restarts.
 */
#define MAX_FIRST_SERIAL (PG_UINT64_MAX - (UINT64CONST(1) << 56))

/* for init_generator(), which has no arguments of its own before 19 */
static uint64 first_serial;

static ObjectidGenerator *get_generator(void);
static ObjectidGenerator *find_generator(void);
static void init_generator(SHARED_INIT_PARAMETERS(memory));

#ifndef HAVE_DSM_REGISTRY
void		_PG_init(void);

static shmem_startup_hook_type prev_shmem_startup_hook = NULL;

/*
 * create_generator - take the memory when the server starts
 */
static void
create_generator(void)
{
	if (prev_shmem_startup_hook)
		prev_shmem_startup_hook();
	(void) find_generator();
}

/*
 * _PG_init - if the library is preloaded, reserve the memory
 *
 * Otherwise the first session that generates an id takes it, and may find that
 * nothing is left.
 */
void
_PG_init(void)
{
	if (process_shared_preload_libraries_in_progress)
	{
		prev_shmem_startup_hook = shmem_startup_hook;
		shmem_startup_hook = create_generator;
	}
}
#endif

/*
 * gen_objectid - a new id for now
 *
 * Greater than every id of this function whose call ended before this call
 * began, in any session since the server started or recovered from a crash,
 * unless the clock falls more than MAX_CLOCK_LAG behind the newest of them.
 * Raises 22008 if the clock is outside the range of the type, and the errors of
 * get_generator().
 */
PG_FUNCTION_INFO_V1(gen_objectid);
Datum
gen_objectid(PG_FUNCTION_ARGS)
{
	ObjectidGenerator *generator = get_generator();
	objectid_t *id = palloc(sizeof(objectid_t));
	uint64		serial = pg_atomic_fetch_add_u64(&generator->serial, 1);
	uint32		last_second = pg_atomic_read_u32(&generator->last_second);
	int64		second;

	for (;;)
	{
		/*
		 * Read the clock after last_second, so that an earlier time means
		 * that the clock was set back, not that another session was faster.
		 *
		 * Do not use time(): it can be some milliseconds behind, and an id
		 * must not be older than the caller's now().
		 */
		second = objectid_floor_timestamptz(GetCurrentTimestamp());

		if (second < 0 || second > PG_UINT32_MAX)
			ereport(ERROR,
					(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
					 errmsg("system clock out of range for type %s (%s)",
							"objectid", OBJECTID_TIME_RANGE),
					 errhint("Set the clock of the database server.")));

		if (second <= last_second && second >= (int64) last_second - MAX_CLOCK_LAG)
		{
			second = last_second;
			break;
		}

		/* if another session was first, this reads its second */
		if (pg_atomic_compare_exchange_u32(&generator->last_second,
										   &last_second, (uint32) second))
			break;
	}

	objectid_set(id, (uint32) second, serial);

	PG_RETURN_OBJECTID_P(id);
}

/*
 * gen_objectid_at - a new id with a given creation time
 *
 * As unique as the ids of gen_objectid(), because both share the serial number.
 * Their order is not guaranteed.  Raises 22008 for an instant outside the range
 * of the type, and the errors of get_generator().
 */
PG_FUNCTION_INFO_V1(gen_objectid_at);
Datum
gen_objectid_at(PG_FUNCTION_ARGS)
{
	TimestampTz instant = PG_GETARG_TIMESTAMPTZ(0);
	objectid_t *id = palloc(sizeof(objectid_t));
	uint32		second = objectid_seconds_from_timestamptz(instant);

	objectid_set(id, second, pg_atomic_fetch_add_u64(&get_generator()->serial, 1));

	PG_RETURN_OBJECTID_P(id);
}

/*
 * get_generator - the server's generator, in shared memory
 *
 * Raises 55000 in the postmaster, and the errors of find_generator().
 */
static ObjectidGenerator *
get_generator(void)
{
	static ObjectidGenerator *generator = NULL;

	if (likely(generator != NULL))
		return generator;

	/*
	 * A postmaster that loads this library must not use it: its children
	 * would inherit an address that is wrong after a crash.
	 */
	if (IsPostmasterEnvironment && !IsUnderPostmaster)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("%s cannot be called in the postmaster", "gen_objectid()")));

	generator = find_generator();

	return generator;
}

/*
 * find_generator - find the generator, or create it after a start or crash of
 * the server
 *
 * Raises XX000 if no random bytes are available, and core's errors if no shared
 * memory is.
 */
static ObjectidGenerator *
find_generator(void)
{
	/*
	 * Draw the random start before asking for the memory: an error in
	 * init_generator() could leave memory behind that others take for
	 * initialized.
	 */
	do
	{
		if (!pg_strong_random(&first_serial, sizeof(first_serial)))
			ereport(ERROR,
					(errcode(ERRCODE_INTERNAL_ERROR),
					 errmsg("could not generate random values")));
	} while (first_serial > MAX_FIRST_SERIAL);

	return get_shared_memory(GENERATOR_NAME, sizeof(ObjectidGenerator), init_generator);
}

/*
 * init_generator - start at a random serial number, before any second
 */
static void
init_generator(SHARED_INIT_PARAMETERS(memory))
{
	ObjectidGenerator *generator = memory;

	pg_atomic_init_u64(&generator->serial, first_serial);
	pg_atomic_init_u32(&generator->last_second, 0);
}
