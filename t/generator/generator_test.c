/*-------------------------------------------------------------------------
 *
 * generator_test.c
 *	  The unmodified generator, in states that are hard to reach.
 *
 * For the TAP tests only, because 2^64 ids cannot be made in practice.
 *
 *-------------------------------------------------------------------------
 */
#include "../../objectid_generator.c"

PG_MODULE_MAGIC;

void		_PG_init(void);

/*
 * _PG_init - generate an id
 *
 * With shared_preload_libraries this happens in the postmaster, so that every
 * backend inherits a used generator.
 */
void
_PG_init(void)
{
	(void) gen_objectid(NULL);
}

/*
 * set_serial - set the 64-bit number of the last id to the bits of a bigint
 *
 * Call it after the generator, because the first call of the generator sets
 * the number.
 */
PG_FUNCTION_INFO_V1(set_serial);
Datum
set_serial(PG_FUNCTION_ARGS)
{
	generator.serial = (uint64) PG_GETARG_INT64(0);

	PG_RETURN_VOID();
}
