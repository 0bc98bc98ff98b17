/*
 * objectid_libpq.h
 *	  libpq: libbson's bson_oid_t for columns of type objectid.
 *
 * To write an id, send the 24 digits of bson_oid_to_string() as a text parameter,
 * or the 12 bytes of a bson_oid_t as a binary one (length 12, format 1), with or
 * without the type's OID.  These functions read results in either format, and
 * convert arrays.
 */
#ifndef OBJECTID_LIBPQ_H
#define OBJECTID_LIBPQ_H

#include <bson/bson.h>
#include <libpq-fe.h>

BSON_BEGIN_DECLS

/*
 * objectid_get - one field of a result, in either format
 *
 * Returns false if the field is NULL, in text format if it is not 24 digits, and in
 * binary format if it has not 12 bytes or its type is built-in, such as bytea.
 */
extern bool objectid_get(const PGresult *res, int row, int column, bson_oid_t *id);

/*
 * objectid_get_array - an objectid[], in text format
 *
 * Returns the number of elements, or -1 if the array is NULL or has more than max
 * elements.  An element that is NULL sets is_null, and its id is zero.
 */
extern int	objectid_get_array(const PGresult *res, int row, int column,
							   bson_oid_t *ids, bool *is_null, int max);

/*
 * objectid_array - a text parameter for an objectid[]; free it with free()
 *
 * is_null may be NULL.
 */
extern char *objectid_array(const bson_oid_t *ids, const bool *is_null, int n);

BSON_END_DECLS

#endif							/* OBJECTID_LIBPQ_H */
