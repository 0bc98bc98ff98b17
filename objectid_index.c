/*-------------------------------------------------------------------------
 *
 * objectid_index.c
 *	  Support functions for indexes, sorting and window frames.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "objectid.h"
#include "objectid_compat.h"

#include "access/gist.h"
#include "access/stratnum.h"
#include "common/hashfn.h"
#include "lib/hyperloglog.h"
#include "utils/fmgrprotos.h"
#include "utils/guc.h"
#include "utils/sortsupport.h"
#include "utils/timestamp.h"

/*-------------------------------------------------------------------------
 * Sorting
 *
 * Tuplesort compares abbreviated keys of one Datum.  It compares whole values
 * only if their keys are equal.  The first 8 bytes of an id would be a poor
 * key in the most important case, a table filled by a few processes within
 * seconds: the ids of one process share their random bytes and have few
 * different seconds.  They differ in their last bytes.
 *
 * So the key consists of the second, the first byte of the serial number (the
 * other 8 bytes), which tells processes apart, and 24 bits for the rest of the
 * serial number: see abbreviate_serial().  With a 4-byte Datum the key is the
 * second alone.
 *
 * Keys tie if a process generates more ids in 64 seconds than a window has
 * numbers, 100,000 a second, or if processes whose serial numbers begin alike
 * generate ids in the same second.
 *-------------------------------------------------------------------------
 */

#define SERIAL_REST_BITS 56
#define SERIAL_REST_MASK ((UINT64CONST(1) << SERIAL_REST_BITS) - 1)

/* the 24 bits have room for the top 22 bits and for the distance in a window */
#define SERIAL_SHIFT 34
#define WINDOW_SIZE ((UINT64CONST(1) << 24) - (UINT64CONST(1) << 22))

/* a window is for 2^6 seconds of a process; many can share one */
#define WINDOW_PERIOD_BITS 6
#define WINDOW_COUNT 2048

/* windows are allocated when needed, because a small sort needs few */
#define WINDOWS_PER_PAGE 64

typedef struct
{
	int64		input_count;	/* number of non-null values seen */
	bool		counting;		/* are their different keys counted? */
	hyperLogLogState key_count;
	uint64	   *window_start[WINDOW_COUNT / WINDOWS_PER_PAGE];	/* 0 if not yet chosen */
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
		MemoryContext oldcontext = MemoryContextSwitchTo(ssup->ssup_cxt);
		objectid_sortsupport_state *state = palloc0(sizeof(objectid_sortsupport_state));

		state->counting = true;
		initHyperLogLog(&state->key_count, 10);
		MemoryContextSwitchTo(oldcontext);

		ssup->ssup_extra = state;
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
	return objectid_internal_cmp(DatumGetObjectidP(x), DatumGetObjectidP(y));
}

#if SIZEOF_DATUM == 8
/*
 * abbreviate_serial - 32 bits that sort the serial numbers of a second roughly
 *
 * The first byte, and the sum of the top bits of the rest and of its distance
 * from the start of a window, from 0 to the window's size.  Both never decrease
 * when the serial number increases, as sorting requires.  The first serial number
 * of a window places it, and nothing moves it later.  Periods and processes may
 * share a window, because keys are compared by second and first byte before.
 */
static inline uint32
abbreviate_serial(SortSupport ssup, uint32 second, uint64 serial)
{
	objectid_sortsupport_state *state = ssup->ssup_extra;
	uint32		process = (uint32) (serial >> SERIAL_REST_BITS);
	uint64		rest = serial & SERIAL_REST_MASK;
	uint32		place = ((second >> WINDOW_PERIOD_BITS) + murmurhash32(process)) % WINDOW_COUNT;
	uint64	  **page = &state->window_start[place / WINDOWS_PER_PAGE];
	uint64	   *start;
	uint64		distance = 0;

	if (*page == NULL)
		*page = MemoryContextAllocZero(ssup->ssup_cxt, WINDOWS_PER_PAGE * sizeof(uint64));
	start = &(*page)[place % WINDOWS_PER_PAGE];

	/* half of the window lies before the first value, if there is room */
	if (*start == 0)
		*start = Max(rest, 1 + WINDOW_SIZE / 2) - WINDOW_SIZE / 2;
	if (rest > *start)
		distance = Min(rest - *start, WINDOW_SIZE);

	return (process << 24) | (uint32) ((rest >> SERIAL_SHIFT) + distance);
}
#endif

/*
 * objectid_abbrev_convert - the abbreviated key of a value
 */
static Datum
objectid_abbrev_convert(Datum original, SortSupport ssup)
{
	objectid_sortsupport_state *state = ssup->ssup_extra;
	const objectid_t *id = DatumGetObjectidP(original);
	Datum		key = objectid_get_seconds(id);

#if SIZEOF_DATUM == 8
	key = (key << 32) | abbreviate_serial(ssup, (uint32) key, objectid_get_serial(id));
#endif

	state->input_count++;
	if (state->counting)
		addHyperLogLog(&state->key_count, murmurhash32((uint32) (key ^ ((uint64) key >> 32))));

	return key;
}

/*
 * objectid_abbrev_abort - do too many values share an abbreviated key?
 *
 * With the limits of core's uuid_abbrev_abort().
 */
static bool
objectid_abbrev_abort(int memtupcount, SortSupport ssup)
{
	objectid_sortsupport_state *state = ssup->ssup_extra;
	double		key_count;

	if (memtupcount < 10000 || state->input_count < 10000 || !state->counting)
		return false;

	key_count = estimateHyperLogLog(&state->key_count);
	if (key_count > 100000)
		state->counting = false;
	if (key_count >= (double) state->input_count / 2000 + 0.5)
		return false;

	if (trace_sort)
		elog(LOG,
			 "objectid_abbrev: aborting abbreviation, with %.0f keys of " INT64_FORMAT " values",
			 key_count, state->input_count);

	return true;
}

#ifdef HAVE_SKIP_SUPPORT
/*-------------------------------------------------------------------------
 * Skipping (18 and newer)
 *
 * If a leading column of an index has no condition, a scan steps from each of
 * its values to the next possible one.  An id is a number of 96 bits.
 *-------------------------------------------------------------------------
 */

/*
 * objectid_increment, objectid_decrement - the next and the previous value
 *
 * Set *overflow if the value has no neighbour.
 */
static Datum
objectid_increment(Relation rel, Datum existing, bool *overflow)
{
	const objectid_t *id = DatumGetObjectidP(existing);
	uint32		seconds = objectid_get_seconds(id);
	uint64		serial = objectid_get_serial(id);
	objectid_t *next;

	*overflow = (seconds == PG_UINT32_MAX && serial == PG_UINT64_MAX);
	if (*overflow)
		return (Datum) 0;

	if (++serial == 0)
		seconds++;
	next = palloc(sizeof(objectid_t));
	objectid_set(next, seconds, serial);

	return ObjectidPGetDatum(next);
}

static Datum
objectid_decrement(Relation rel, Datum existing, bool *overflow)
{
	const objectid_t *id = DatumGetObjectidP(existing);
	uint32		seconds = objectid_get_seconds(id);
	uint64		serial = objectid_get_serial(id);
	objectid_t *previous;

	*overflow = (seconds == 0 && serial == 0);
	if (*overflow)
		return (Datum) 0;

	if (serial-- == 0)
		seconds--;
	previous = palloc(sizeof(objectid_t));
	objectid_set(previous, seconds, serial);

	return ObjectidPGetDatum(previous);
}

/*
 * objectid_skipsupport - btree's skip support
 */
PG_FUNCTION_INFO_V1(objectid_skipsupport);
Datum
objectid_skipsupport(PG_FUNCTION_ARGS)
{
	SkipSupport sksup = (SkipSupport) PG_GETARG_POINTER(0);
	objectid_t *low = palloc(sizeof(objectid_t));
	objectid_t *high = palloc(sizeof(objectid_t));

	objectid_set(low, 0, 0);
	objectid_set(high, PG_UINT32_MAX, PG_UINT64_MAX);

	sksup->decrement = objectid_decrement;
	sksup->increment = objectid_increment;
	sksup->low_elem = ObjectidPGetDatum(low);
	sksup->high_elem = ObjectidPGetDatum(high);

	PG_RETURN_VOID();
}
#endif							/* HAVE_SKIP_SUPPORT */

/*-------------------------------------------------------------------------
 * Window frames
 *-------------------------------------------------------------------------
 */

/*
 * objectid_in_range - btree's in_range, with an interval
 *
 * For window frames such as RANGE BETWEEN interval '1 hour' PRECEDING ...:
 * convert both ids to timestamps and call core.  Raises 22013 for a negative
 * offset.
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
 * objectid_distance - how far apart two values are, for minmax-multi
 *
 * BRIN passes the smaller value first.  A call from SQL may not.
 */
PG_FUNCTION_INFO_V1(objectid_distance);
Datum
objectid_distance(PG_FUNCTION_ARGS)
{
	const objectid_t *a = PG_GETARG_OBJECTID_P(0);
	const objectid_t *b = PG_GETARG_OBJECTID_P(1);

	PG_RETURN_FLOAT8(objectid_internal_cmp(a, b) <= 0 ?
					 objectid_internal_distance(a, b) : objectid_internal_distance(b, a));
}

/*-------------------------------------------------------------------------
 * GiST
 *
 * The operator class supports the operators of btree and <>, so that an index
 * or an exclusion constraint can combine an id with a range or a box.
 *
 * A key is a bytea.  In a leaf it has 12 bytes, the value.  In an inner page it
 * has 24 bytes, the smallest and the greatest value below.  The strategy
 * numbers follow core's convention for R-trees, so that core can find the "="
 * of the class (for WITHOUT OVERLAPS, from 18 on).
 *-------------------------------------------------------------------------
 */

/* the R-tree convention has no number for "<>": contrib/btree_gist uses this one */
#define GistNotEqualStrategyNumber 6

/* a key of a page that is split, and its position */
typedef struct
{
	Datum		key;
	OffsetNumber offset;
} GistSortItem;

static bytea *extend_gist_key(bytea *key, Datum added);
static int	compare_sort_items(const void *a, const void *b);
static int	gist_key_cmp(Datum x, Datum y, SortSupport ssup);

static inline const objectid_t *
gist_key_lower(const bytea *key)
{
	return (const objectid_t *) VARDATA_ANY(key);
}

static inline const objectid_t *
gist_key_upper(const bytea *key)
{
	return gist_key_lower(key) + (VARSIZE_ANY_EXHDR(key) > OBJECTID_LEN ? 1 : 0);
}

/*
 * make_gist_key - a key of an inner page, or of a leaf if upper is NULL
 */
static bytea *
make_gist_key(const objectid_t *lower, const objectid_t *upper)
{
	bytea	   *key = palloc(VARHDRSZ + 2 * OBJECTID_LEN);

	memcpy(VARDATA(key), lower->data, OBJECTID_LEN);
	SET_VARSIZE(key, VARHDRSZ + OBJECTID_LEN);
	if (upper != NULL)
	{
		memcpy(VARDATA(key) + OBJECTID_LEN, upper->data, OBJECTID_LEN);
		SET_VARSIZE(key, VARHDRSZ + 2 * OBJECTID_LEN);
	}

	return key;
}

/*
 * objectid_gist_compress - convert a value to the key of a leaf
 */
PG_FUNCTION_INFO_V1(objectid_gist_compress);
Datum
objectid_gist_compress(PG_FUNCTION_ARGS)
{
	GISTENTRY  *entry = (GISTENTRY *) PG_GETARG_POINTER(0);
	GISTENTRY  *result;

	if (!entry->leafkey)
		PG_RETURN_POINTER(entry);

	result = palloc(sizeof(GISTENTRY));
	gistentryinit(*result,
				  PointerGetDatum(make_gist_key(DatumGetObjectidP(entry->key), NULL)),
				  entry->rel, entry->page, entry->offset, false);

	PG_RETURN_POINTER(result);
}

/*
 * objectid_gist_fetch - convert the key of a leaf to its value, for
 * index-only scans
 */
PG_FUNCTION_INFO_V1(objectid_gist_fetch);
Datum
objectid_gist_fetch(PG_FUNCTION_ARGS)
{
	GISTENTRY  *entry = (GISTENTRY *) PG_GETARG_POINTER(0);
	GISTENTRY  *result = palloc(sizeof(GISTENTRY));

	gistentryinit(*result,
				  ObjectidPGetDatum(gist_key_lower((bytea *) DatumGetPointer(entry->key))),
				  entry->rel, entry->page, entry->offset, false);

	PG_RETURN_POINTER(result);
}

/*
 * objectid_gist_consistent - can a value below the key satisfy the condition?
 */
PG_FUNCTION_INFO_V1(objectid_gist_consistent);
Datum
objectid_gist_consistent(PG_FUNCTION_ARGS)
{
	GISTENTRY  *entry = (GISTENTRY *) PG_GETARG_POINTER(0);
	const objectid_t *query = PG_GETARG_OBJECTID_P(1);
	StrategyNumber strategy = (StrategyNumber) PG_GETARG_UINT16(2);
	bool	   *recheck = (bool *) PG_GETARG_POINTER(4);
	const bytea *key = (const bytea *) DatumGetPointer(entry->key);
	int			lower = objectid_internal_cmp(gist_key_lower(key), query);
	int			upper = objectid_internal_cmp(gist_key_upper(key), query);

	*recheck = false;

	/*
	 * In a leaf, lower and upper are equal, so the same code serves both
	 * kinds of key.
	 */
	switch (strategy)
	{
		case RTLessStrategyNumber:
			PG_RETURN_BOOL(lower < 0);
		case RTLessEqualStrategyNumber:
			PG_RETURN_BOOL(lower <= 0);
		case RTEqualStrategyNumber:
			PG_RETURN_BOOL(lower <= 0 && upper >= 0);
		case RTGreaterEqualStrategyNumber:
			PG_RETURN_BOOL(upper >= 0);
		case RTGreaterStrategyNumber:
			PG_RETURN_BOOL(upper > 0);
		case GistNotEqualStrategyNumber:
			PG_RETURN_BOOL(lower != 0 || upper != 0);
		default:
			elog(ERROR, "unrecognized strategy number: %d", strategy);
	}
}

/*
 * objectid_gist_union - the key that covers all given keys
 */
PG_FUNCTION_INFO_V1(objectid_gist_union);
Datum
objectid_gist_union(PG_FUNCTION_ARGS)
{
	GistEntryVector *entries = (GistEntryVector *) PG_GETARG_POINTER(0);
	int		   *size = (int *) PG_GETARG_POINTER(1);
	bytea	   *result = extend_gist_key(NULL, entries->vector[0].key);

	for (int i = 1; i < entries->n; i++)
		result = extend_gist_key(result, entries->vector[i].key);

	*size = (int) VARSIZE(result);
	PG_RETURN_POINTER(result);
}

/*
 * extend_gist_key - extend a key, or NULL for an empty one, to cover another
 */
static bytea *
extend_gist_key(bytea *key, Datum added)
{
	const bytea *other = (const bytea *) DatumGetPointer(added);
	const objectid_t *lower = gist_key_lower(other);
	const objectid_t *upper = gist_key_upper(other);

	if (key == NULL)
		return make_gist_key(lower, upper);

	if (objectid_internal_cmp(lower, gist_key_lower(key)) < 0)
		memcpy(VARDATA(key), lower->data, OBJECTID_LEN);
	if (objectid_internal_cmp(upper, gist_key_upper(key)) > 0)
		memcpy(VARDATA(key) + OBJECTID_LEN, upper->data, OBJECTID_LEN);

	return key;
}

/*
 * objectid_gist_penalty - how much a key grows if it covers a new one
 *
 * As a fraction of the enlarged key's width, 0 to 1.
 */
PG_FUNCTION_INFO_V1(objectid_gist_penalty);
Datum
objectid_gist_penalty(PG_FUNCTION_ARGS)
{
	GISTENTRY  *original = (GISTENTRY *) PG_GETARG_POINTER(0);
	GISTENTRY  *added = (GISTENTRY *) PG_GETARG_POINTER(1);
	float	   *penalty = (float *) PG_GETARG_POINTER(2);
	const bytea *key = (const bytea *) DatumGetPointer(original->key);
	const bytea *other = (const bytea *) DatumGetPointer(added->key);
	double		growth = 0;

	if (objectid_internal_cmp(gist_key_lower(other), gist_key_lower(key)) < 0)
		growth += objectid_internal_distance(gist_key_lower(other), gist_key_lower(key));
	if (objectid_internal_cmp(gist_key_upper(other), gist_key_upper(key)) > 0)
		growth += objectid_internal_distance(gist_key_upper(key), gist_key_upper(other));

	if (growth > 0)
		growth /= growth + objectid_internal_distance(gist_key_lower(key), gist_key_upper(key));
	*penalty = (float) growth;

	PG_RETURN_POINTER(penalty);
}

/*
 * objectid_gist_picksplit - sort the keys of a page and split them in half
 */
PG_FUNCTION_INFO_V1(objectid_gist_picksplit);
Datum
objectid_gist_picksplit(PG_FUNCTION_ARGS)
{
	GistEntryVector *entries = (GistEntryVector *) PG_GETARG_POINTER(0);
	GIST_SPLITVEC *split = (GIST_SPLITVEC *) PG_GETARG_POINTER(1);
	int			count = entries->n - 1; /* vector[0] is unused */
	GistSortItem *items = palloc(count * sizeof(GistSortItem));
	bytea	   *left = NULL;
	bytea	   *right = NULL;

	for (int i = 0; i < count; i++)
	{
		items[i].offset = (OffsetNumber) (i + FirstOffsetNumber);
		items[i].key = entries->vector[items[i].offset].key;
	}
	qsort(items, count, sizeof(GistSortItem), compare_sort_items);

	split->spl_left = palloc(count * sizeof(OffsetNumber));
	split->spl_right = palloc(count * sizeof(OffsetNumber));
	split->spl_nleft = 0;
	split->spl_nright = 0;

	for (int i = 0; i < count; i++)
	{
		if (i < count / 2)
		{
			split->spl_left[split->spl_nleft++] = items[i].offset;
			left = extend_gist_key(left, items[i].key);
		}
		else
		{
			split->spl_right[split->spl_nright++] = items[i].offset;
			right = extend_gist_key(right, items[i].key);
		}
	}
	split->spl_ldatum = PointerGetDatum(left);
	split->spl_rdatum = PointerGetDatum(right);

	PG_RETURN_POINTER(split);
}

/*
 * compare_sort_items - qsort() callback
 */
static int
compare_sort_items(const void *a, const void *b)
{
	return gist_key_cmp(((const GistSortItem *) a)->key,
						((const GistSortItem *) b)->key, NULL);
}

/*
 * gist_key_cmp - order of keys: by their lower ends, then by their upper ends
 */
static int
gist_key_cmp(Datum x, Datum y, SortSupport ssup)
{
	const bytea *a = (const bytea *) DatumGetPointer(x);
	const bytea *b = (const bytea *) DatumGetPointer(y);
	int			lower = objectid_internal_cmp(gist_key_lower(a), gist_key_lower(b));

	return lower != 0 ? lower : objectid_internal_cmp(gist_key_upper(a), gist_key_upper(b));
}

/*
 * objectid_gist_same - are two keys equal?
 */
PG_FUNCTION_INFO_V1(objectid_gist_same);
Datum
objectid_gist_same(PG_FUNCTION_ARGS)
{
	bool	   *result = (bool *) PG_GETARG_POINTER(2);

	*result = gist_key_cmp(PG_GETARG_DATUM(0), PG_GETARG_DATUM(1), NULL) == 0;

	PG_RETURN_POINTER(result);
}

/*
 * objectid_gist_sortsupport - sort order of leaf keys, for the sorted build
 */
PG_FUNCTION_INFO_V1(objectid_gist_sortsupport);
Datum
objectid_gist_sortsupport(PG_FUNCTION_ARGS)
{
	SortSupport ssup = (SortSupport) PG_GETARG_POINTER(0);

	ssup->comparator = gist_key_cmp;

	PG_RETURN_VOID();
}

/*-------------------------------------------------------------------------
 * GIN
 *
 * The operator class supports the operators of btree, so that an index can
 * combine an id with a document or an array.  The key of a value is the value
 * itself.
 *-------------------------------------------------------------------------
 */

/*
 * objectid_gin_extract_value - the only key of a value
 */
PG_FUNCTION_INFO_V1(objectid_gin_extract_value);
Datum
objectid_gin_extract_value(PG_FUNCTION_ARGS)
{
	int32	   *nkeys = (int32 *) PG_GETARG_POINTER(1);
	Datum	   *keys = palloc(sizeof(Datum));

	keys[0] = PG_GETARG_DATUM(0);
	*nkeys = 1;

	PG_RETURN_POINTER(keys);
}

/*
 * objectid_gin_extract_query - the key at which a scan starts
 *
 * "=" matches this key only.  The other operators use a partial match, which
 * starts at the query's value or at the smallest id.  The extra data passes
 * the query's value to objectid_gin_compare_partial().
 */
PG_FUNCTION_INFO_V1(objectid_gin_extract_query);
Datum
objectid_gin_extract_query(PG_FUNCTION_ARGS)
{
	objectid_t *query = PG_GETARG_OBJECTID_P(0);
	int32	   *nkeys = (int32 *) PG_GETARG_POINTER(1);
	StrategyNumber strategy = (StrategyNumber) PG_GETARG_UINT16(2);
	bool	  **partial = (bool **) PG_GETARG_POINTER(3);
	Pointer   **extra = (Pointer **) PG_GETARG_POINTER(4);
	Datum	   *keys = palloc(sizeof(Datum));
	objectid_t *start = query;

	if (strategy == BTLessStrategyNumber || strategy == BTLessEqualStrategyNumber)
	{
		start = palloc(sizeof(objectid_t));
		objectid_set(start, 0, 0);
	}

	keys[0] = ObjectidPGetDatum(start);
	*nkeys = 1;
	*partial = palloc(sizeof(bool));
	**partial = strategy != BTEqualStrategyNumber;
	*extra = palloc(sizeof(Pointer));
	**extra = (Pointer) query;

	PG_RETURN_POINTER(keys);
}

/*
 * objectid_gin_compare_partial - does a key of the index match?
 *
 * Returns 0 if it does, -1 to continue with the next key, 1 to end the scan.
 */
PG_FUNCTION_INFO_V1(objectid_gin_compare_partial);
Datum
objectid_gin_compare_partial(PG_FUNCTION_ARGS)
{
	const objectid_t *key = PG_GETARG_OBJECTID_P(1);
	StrategyNumber strategy = (StrategyNumber) PG_GETARG_UINT16(2);
	const objectid_t *query = (const objectid_t *) PG_GETARG_POINTER(3);
	int			cmp = objectid_internal_cmp(key, query);

	switch (strategy)
	{
		case BTLessStrategyNumber:
			PG_RETURN_INT32(cmp < 0 ? 0 : 1);
		case BTLessEqualStrategyNumber:
			PG_RETURN_INT32(cmp <= 0 ? 0 : 1);
		case BTGreaterEqualStrategyNumber:
			PG_RETURN_INT32(cmp >= 0 ? 0 : -1);
		case BTGreaterStrategyNumber:
			PG_RETURN_INT32(cmp > 0 ? 0 : -1);
		default:
			elog(ERROR, "unrecognized strategy number: %d", strategy);
	}
}

/*
 * objectid_gin_consistent - a row whose key matches satisfies the condition
 */
PG_FUNCTION_INFO_V1(objectid_gin_consistent);
Datum
objectid_gin_consistent(PG_FUNCTION_ARGS)
{
	bool	   *check = (bool *) PG_GETARG_POINTER(0);
	bool	   *recheck = (bool *) PG_GETARG_POINTER(5);

	*recheck = false;
	PG_RETURN_BOOL(check[0]);
}
