/*-------------------------------------------------------------------------
 *
 * generator_test.c
 *	  The unmodified generator, with faults.
 *
 * For the TAP tests only.  It shares the generator of the server with the
 * installed library, because both find it by its name.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <sys/wait.h>
#include <unistd.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

/* objectid_generator.c calls these instead of core's functions */
#define pg_strong_random test_strong_random
static bool test_strong_random(void *buf, size_t len);
#define GetCurrentTimestamp test_clock
static TimestampTz test_clock(void);

/* on servers before 17, it has one, too */
#define _PG_init generator_PG_init

#include "../../objectid_generator.c"

#undef pg_strong_random
#undef GetCurrentTimestamp
#undef _PG_init

#include "miscadmin.h"
#include "storage/shmem.h"

PG_MODULE_MAGIC;

void		_PG_init(void);

/* what the next draws of random bytes give; a NULL fails */
static uint64 draws[2];
static bool draw_fails[2];
static int	draw_count = 0;
static int	next_draw = 0;

/*
 * _PG_init - generate an id, if the postmaster loads the module
 */
void
_PG_init(void)
{
	if (process_shared_preload_libraries_in_progress)
		(void) gen_objectid(NULL);
}

static bool
test_strong_random(void *buf, size_t len)
{
	if (next_draw >= draw_count)
		return pg_strong_random(buf, len);

	memcpy(buf, &draws[next_draw], len);
	return !draw_fails[next_draw++];
}

/*
 * set_draws - set the results of the next two draws of random bytes
 */
PG_FUNCTION_INFO_V1(set_draws);
Datum
set_draws(PG_FUNCTION_ARGS)
{
	next_draw = 0;
	for (draw_count = 0; draw_count < 2; draw_count++)
	{
		draw_fails[draw_count] = PG_ARGISNULL(draw_count);
		/* a NULL has no value to read where int8 is passed by reference */
		draws[draw_count] = draw_fails[draw_count] ? 0 : (uint64) PG_GETARG_INT64(draw_count);
	}

	PG_RETURN_VOID();
}

/* what the clock shows when it is read for the first, second and third time; see below */
static TimestampTz clock_times[3];
static int	clock_reading = 3;
static objectid_t other_id;

static TimestampTz
test_clock(void)
{
	int			reading = clock_reading;

	if (reading == 3)
		return GetCurrentTimestamp();
	clock_reading = Min(reading + 1, 2);
	if (reading == 0)
		other_id = *DatumGetObjectidP(gen_objectid(NULL));
	return clock_times[reading];
}

/*
 * gen_interrupted - the ids of two sessions, and a later one
 *
 * The second session generates its id while the first is stopped after it has read
 * the clock.  The arguments are the time that the first reads, the time that the
 * second reads, and the time from then on.
 */
PG_FUNCTION_INFO_V1(gen_interrupted);
Datum
gen_interrupted(PG_FUNCTION_ARGS)
{
	Oid			type = get_element_type(get_func_rettype(fcinfo->flinfo->fn_oid));
	Datum		ids[3];

	for (int i = 0; i < 3; i++)
		clock_times[i] = PG_GETARG_TIMESTAMPTZ(i);
	clock_reading = 0;
	ids[0] = gen_objectid(NULL);
	ids[1] = ObjectidPGetDatum(&other_id);
	ids[2] = gen_objectid(NULL);
	clock_reading = 3;

	PG_RETURN_ARRAYTYPE_P(construct_array(ids, 3, type, OBJECTID_LEN, false, TYPALIGN_CHAR));
}

/*
 * receive_rest - call a receive function for a message from its third byte on
 */
PG_FUNCTION_INFO_V1(receive_rest);
Datum
receive_rest(PG_FUNCTION_ARGS)
{
	bytea	   *message = PG_GETARG_BYTEA_P(1);
	StringInfoData buf = {.data = VARDATA(message),.len = VARSIZE(message) - VARHDRSZ,.cursor = 2};

	return OidReceiveFunctionCall(PG_GETARG_OID(0), &buf, InvalidOid, -1);
}

/*
 * gen_in_child - an id that a child of the session generates
 */
PG_FUNCTION_INFO_V1(gen_in_child);
Datum
gen_in_child(PG_FUNCTION_ARGS)
{
	objectid_t *id = palloc(sizeof(objectid_t));
	int			ends[2];
	pid_t		child;

	if (pipe(ends) != 0 || (child = fork()) < 0)
		elog(ERROR, "could not start a child: %m");
	if (child == 0)
	{
		*id = *DatumGetObjectidP(gen_objectid(fcinfo));
		_exit(write(ends[1], id, sizeof(*id)) == sizeof(*id) ? 0 : 1);
	}
	close(ends[1]);
	if (read(ends[0], id, sizeof(*id)) != sizeof(*id))
		elog(ERROR, "the child generated nothing");
	close(ends[0]);
	waitpid(child, NULL, 0);

	PG_RETURN_OBJECTID_P(id);
}

/*
 * exhaust_shared_memory - allocate what the main segment has left
 */
PG_FUNCTION_INFO_V1(exhaust_shared_memory);
Datum
exhaust_shared_memory(PG_FUNCTION_ARGS)
{
	Size		size;

	for (size = 1024 * 1024; size > 0; size /= 2)
		while (ShmemAllocNoError(size) != NULL)
			;

	PG_RETURN_VOID();
}
