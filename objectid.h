/*-------------------------------------------------------------------------
 *
 * objectid.h
 *	  The 12 bytes of an ObjectId, and access to them.
 *
 * By MongoDB's specification, an ObjectId consists of a 4-byte big-endian
 * unsigned count of seconds since 1970-01-01 00:00:00 UTC, 5 random bytes
 * generated once per process, and a 3-byte big-endian counter.  Only the
 * seconds have a meaning outside the generator.  Any 12 bytes are a valid
 * value.  Values compare as memcmp() compares their bytes.
 *
 * https://github.com/mongodb/specifications/blob/master/source/bson-objectid/objectid.md
 *
 *-------------------------------------------------------------------------
 */
#ifndef OBJECTID_H
#define OBJECTID_H

#include <math.h>

#include "datatype/timestamp.h"
#include "fmgr.h"
#include "port/pg_bswap.h"

#define OBJECTID_LEN 12

/*
 * Seconds from the Unix epoch (1970-01-01) to PostgreSQL's (2000-01-01).
 */
#define OBJECTID_EPOCH_OFFSET \
	((int64) (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * SECS_PER_DAY)

/*
 * The range of 4 unsigned bytes of seconds, for error messages.
 */
#define OBJECTID_TIME_RANGE "1970-01-01 00:00:00 to 2106-02-07 06:28:15 UTC"

/*
 * The type is char-aligned, so a value can have any address: read and write
 * the bytes with the functions below, never through a wider type.
 */
typedef struct objectid_t
{
	unsigned char data[OBJECTID_LEN];
} objectid_t;

/*
 * fmgr interface.  The name DatumGetObjectId() is taken: core's function of
 * that name returns an Oid.
 */
static inline Datum
ObjectidPGetDatum(const objectid_t *id)
{
	return PointerGetDatum(id);
}

static inline objectid_t *
DatumGetObjectidP(Datum d)
{
	return (objectid_t *) DatumGetPointer(d);
}

#define PG_GETARG_OBJECTID_P(n)	DatumGetObjectidP(PG_GETARG_DATUM(n))
#define PG_RETURN_OBJECTID_P(x)	return ObjectidPGetDatum(x)

/*
 * objectid_get_seconds - first 4 bytes: seconds since 1970, unsigned
 */
static inline uint32
objectid_get_seconds(const objectid_t *id)
{
	uint32		seconds;

	memcpy(&seconds, id->data, sizeof(seconds));
	return pg_ntoh32(seconds);
}

/*
 * objectid_get_serial - last 8 bytes: the random part and the counter
 *
 * As one big-endian number, which the generator increments.
 */
static inline uint64
objectid_get_serial(const objectid_t *id)
{
	uint64		serial;

	memcpy(&serial, id->data + sizeof(uint32), sizeof(serial));
	return pg_ntoh64(serial);
}

/*
 * objectid_set - write all 12 bytes
 */
static inline void
objectid_set(objectid_t *id, uint32 seconds, uint64 serial)
{
	seconds = pg_hton32(seconds);
	serial = pg_hton64(serial);
	memcpy(id->data, &seconds, sizeof(seconds));
	memcpy(id->data + sizeof(seconds), &serial, sizeof(serial));
}

/*
 * objectid_internal_cmp - memcmp() order, as a negative, zero or positive int
 *
 * Big-endian numbers compare as their bytes do, and two integer comparisons
 * are faster than a call of memcmp().
 */
static inline int
objectid_internal_cmp(const objectid_t *a, const objectid_t *b)
{
	uint32		seconds_a = objectid_get_seconds(a);
	uint32		seconds_b = objectid_get_seconds(b);
	uint64		serial_a;
	uint64		serial_b;

	if (seconds_a != seconds_b)
		return seconds_a < seconds_b ? -1 : 1;

	serial_a = objectid_get_serial(a);
	serial_b = objectid_get_serial(b);

	return serial_a < serial_b ? -1 : serial_a > serial_b;
}

/*
 * objectid_internal_distance - b - a as numbers of 96 bits, if a <= b
 *
 * Only the last addition rounds, so that different ids of the same second do
 * not have the distance 0.
 */
static inline double
objectid_internal_distance(const objectid_t *a, const objectid_t *b)
{
	uint64		low = objectid_get_serial(b) - objectid_get_serial(a);
	uint32		high = objectid_get_seconds(b) - objectid_get_seconds(a);

	Assert(objectid_internal_cmp(a, b) <= 0);

	/* the borrow */
	if (objectid_get_serial(b) < objectid_get_serial(a))
		high--;

	return ldexp(high, 64) + (double) low;
}

/*
 * objectid_get_timestamptz - the creation time of an id
 */
static inline TimestampTz
objectid_get_timestamptz(const objectid_t *id)
{
	return ((int64) objectid_get_seconds(id) - OBJECTID_EPOCH_OFFSET) * USECS_PER_SEC;
}

/*
 * objectid_floor_timestamptz - seconds from 1970 to an instant, rounded down
 *
 * Instants before 1970 give negative numbers.  The infinities give numbers
 * outside the range of the type.
 */
static inline int64
objectid_floor_timestamptz(TimestampTz instant)
{
	int64		seconds = instant / USECS_PER_SEC;

	/* C rounds towards zero */
	if (instant % USECS_PER_SEC < 0)
		seconds--;

	/* add seconds, because a sum of microseconds could overflow */
	return seconds + OBJECTID_EPOCH_OFFSET;
}

/*
 * objectid_seconds_from_timestamptz - the seconds for an id of an instant
 *
 * Rounds down.  Raises 22008 for the infinities and for any other instant
 * outside the range of the type.
 */
static inline uint32
objectid_seconds_from_timestamptz(TimestampTz instant)
{
	int64		seconds = objectid_floor_timestamptz(instant);

	if (seconds < 0 || seconds > PG_UINT32_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("timestamp out of range for type %s (%s)",
						"objectid", OBJECTID_TIME_RANGE)));

	return (uint32) seconds;
}

/*
 * objectid.c: btree's three-way comparison.  The estimators recognize the type
 * by this function, because its OID differs between databases.
 */
extern PGDLLEXPORT Datum objectid_cmp(PG_FUNCTION_ARGS);

/* objectid_time.c */
extern PGDLLEXPORT Datum objectid_lower_bound(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum objectid_upper_bound(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum objectid_first_in(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum objectid_last_in(PG_FUNCTION_ARGS);

#endif							/* OBJECTID_H */
