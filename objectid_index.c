/*-------------------------------------------------------------------------
 *
 * objectid_index.c
 *	  What access methods ask of the type "objectid".
 *
 *
 *-------------------------------------------------------------------------
 */
#include "objectid.h"

#include <math.h>

#include "common/hashfn.h"
#include "lib/hyperloglog.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/sortsupport.h"
#include "utils/timestamp.h"

/*-------------------------------------------------------------------------
 * Sorting
 *
 * Tuplesort compares abbreviated keys, one Datum each, and asks for the whole
 * value only where two of them are equal.  The first 8 bytes of an id would
 * make such a key, but a poor one for the case that matters most: a table
 * filled by one process within seconds.  These ids have the same random bytes
 * and few different seconds, and differ in their last bytes.
 *
 * So the key is the 4 bytes of the second and a 32-bit digest of the serial
 * number, the 8 bytes behind it, that is exact where the first id that comes
 * in suggests that the others are, and coarse elsewhere: see abbreviate_serial().
 * Ids made by one process get different keys, and ids of many processes
 * compare by 30 of their random bits.
 *-------------------------------------------------------------------------
 */

/* serial numbers from window_start on that have a digest of their own */
#define SERIAL_WINDOW (UINT64CONST(1) << 31)

/* what is left of a serial number outside of the window: the top 30 bits */
#define SERIAL_SHIFT 34

typedef struct
{
	uint64		window_start;	/* see abbreviate_serial() */
	int64		input_count;	/* number of non-null values seen */
	bool		estimating;		/* true if estimating cardinality */

	hyperLogLogState abbr_card; /* cardinality estimator */
} objectid_sortsupport_state;

static int	objectid_fast_cmp(Datum x, Datum y, SortSupport ssup);
static Datum objectid_abbrev_convert(Datum original, SortSupport ssup);
static bool objectid_abbrev_abort(int memtupcount, SortSupport ssup);

/*
 * objectid_sortsupport - btree's sort support
 */
PG_FUNCTION_INFO_V1(objectid_sortsupport);
Datum
objectid_sortsupport(PG_FUNCTION_ARGS)
{
	SortSupport ssup = (SortSupport) PG_GETARG_POINTER(0);

	ssup->comparator = objectid_fast_cmp;

	if (ssup->abbreviate)
	{
		objectid_sortsupport_state *state;
		MemoryContext oldcontext;

		oldcontext = MemoryContextSwitchTo(ssup->ssup_cxt);

		state = palloc(sizeof(*state));
		state->window_start = 0;
		state->input_count = 0;
		state->estimating = true;
		initHyperLogLog(&state->abbr_card, 10);

		ssup->ssup_extra = state;

		MemoryContextSwitchTo(oldcontext);

		ssup->comparator = ssup_datum_unsigned_cmp;
		ssup->abbrev_converter = objectid_abbrev_convert;
		ssup->abbrev_abort = objectid_abbrev_abort;
		ssup->abbrev_full_comparator = objectid_fast_cmp;
	}

	PG_RETURN_VOID();
}

/*
 * objectid_fast_cmp - authoritative comparison of two values
 */
static int
objectid_fast_cmp(Datum x, Datum y, SortSupport ssup)
{
	(void) ssup;

	return objectid_internal_cmp(DatumGetObjectidP(x), DatumGetObjectidP(y));
}

#if SIZEOF_DATUM == 8
/*
 * abbreviate_serial - 32 bits that order serial numbers, though not finely
 *
 * Inside the window the distance from its start, at full resolution; below and
 * above, only the top bits, moved apart by the size of the window:
 *
 *		 top bits	  |	 exact distance	 |	top bits
 *	0 ---------- window_start -- + SERIAL_WINDOW ---------- 2^64
 *
 * Never decreases as the serial increases, which is all that a sort needs; and
 * is less than 2^30 + 2^31, so it fits.
 */
static inline uint32
abbreviate_serial(uint64 serial, uint64 window_start)
{
	if (serial < window_start)
		return (uint32) (serial >> SERIAL_SHIFT);
	if (serial - window_start < SERIAL_WINDOW)
		return (uint32) ((window_start >> SERIAL_SHIFT) + (serial - window_start));
	return (uint32) ((serial >> SERIAL_SHIFT) + SERIAL_WINDOW);
}
#endif

/*
 * objectid_abbrev_convert - the abbreviated key of a value
 *
 * Where a Datum has 4 bytes, that is the second alone.
 */
static Datum
objectid_abbrev_convert(Datum original, SortSupport ssup)
{
	objectid_sortsupport_state *state = ssup->ssup_extra;
	const objectid_t *id = DatumGetObjectidP(original);
	Datum		abbrev = objectid_get_seconds(id);

#if SIZEOF_DATUM == 8
	uint64		serial = objectid_get_serial(id);

	/* half of the window lies before the first value, if there is room */
	if (state->input_count == 0 && serial > SERIAL_WINDOW / 2)
		state->window_start = serial - SERIAL_WINDOW / 2;

	abbrev = abbrev << 32 | abbreviate_serial(serial, state->window_start);
#endif

	state->input_count++;

	if (state->estimating)
		addHyperLogLog(&state->abbr_card,
					   hash_bytes_uint32((uint32) (abbrev ^ (uint64) abbrev >> 32)));

	return abbrev;
}

/*
 * objectid_abbrev_abort - are abbreviated keys so alike that they don't help?
 *
 * They are when ids of a few processes, other than the first id's, crowd into
 * a few seconds.  The thresholds are those of uuid_abbrev_abort().
 */
static bool
objectid_abbrev_abort(int memtupcount, SortSupport ssup)
{
	objectid_sortsupport_state *state = ssup->ssup_extra;
	double		abbr_card;

	if (memtupcount < 10000 || state->input_count < 10000 || !state->estimating)
		return false;

	abbr_card = estimateHyperLogLog(&state->abbr_card);

	/*
	 * With that many different keys, even a sort of billions of rows about
	 * breaks even: stop counting.
	 */
	if (abbr_card > 100000.0)
	{
		state->estimating = false;
		return false;
	}

	/* one different key for each 2000 values is the least that pays */
	return abbr_card < (double) state->input_count / 2000.0 + 0.5;
}

/*-------------------------------------------------------------------------
 * Window frames
 *-------------------------------------------------------------------------
 */

/*
 * objectid_in_range - btree's in_range, for frames that are so long in time
 *
 * RANGE BETWEEN interval '1 hour' PRECEDING ... over ids is that over their
 * seconds, and core knows how.  Raises 22013 for a negative offset.
 */
PG_FUNCTION_INFO_V1(objectid_in_range);
Datum
objectid_in_range(PG_FUNCTION_ARGS)
{
	TimestampTz val = objectid_get_timestamptz(PG_GETARG_OBJECTID_P(0));
	TimestampTz base = objectid_get_timestamptz(PG_GETARG_OBJECTID_P(1));

	return DirectFunctionCall5(in_range_timestamptz_interval,
							   TimestampTzGetDatum(val),
							   TimestampTzGetDatum(base),
							   PG_GETARG_DATUM(2),
							   PG_GETARG_DATUM(3),
							   PG_GETARG_DATUM(4));
}

/*-------------------------------------------------------------------------
 * BRIN
 *-------------------------------------------------------------------------
 */

/*
 * objectid_distance - how far apart two values are, a <= b, for minmax-multi
 *
 * As numbers of 96 bits.
 */
PG_FUNCTION_INFO_V1(objectid_distance);
Datum
objectid_distance(PG_FUNCTION_ARGS)
{
	const objectid_t *a = PG_GETARG_OBJECTID_P(0);
	const objectid_t *b = PG_GETARG_OBJECTID_P(1);
	uint64		low = objectid_get_serial(b) - objectid_get_serial(a);
	uint32		high = objectid_get_seconds(b) - objectid_get_seconds(a);

	Assert(objectid_internal_cmp(a, b) <= 0);

	/* the borrow, so that nothing is rounded before the last addition */
	if (objectid_get_serial(b) < objectid_get_serial(a))
		high--;

	PG_RETURN_FLOAT8(ldexp(high, 64) + (double) low);
}
