/*-------------------------------------------------------------------------
 *
 * generator_test.c
 *	  The generator as it is shipped, in states that it can't be brought to.
 *
 * For the TAP tests only: nobody lives to see 2^64 ids made.
 *
 *-------------------------------------------------------------------------
 */
#include "../../objectid_generator.c"

PG_MODULE_MAGIC;

void		_PG_init(void);

/*
 * _PG_init - generate an id
 *
 * With shared_preload_libraries that happens in the postmaster, so that every
 * backend finds a generator that was used.
 */
void
_PG_init(void)
{
	(void) gen_objectid(NULL);
}

/*
 * set_serial - the 64-bit number of the last id made, from a bigint's bits
 *
 * To be called after the generator, which draws its own number at first.
 */
PG_FUNCTION_INFO_V1(set_serial);
Datum
set_serial(PG_FUNCTION_ARGS)
{
	generator.serial = (uint64) PG_GETARG_INT64(0);

	PG_RETURN_VOID();
}
