/*
 * objectid_libpq.h
 *	  libpq: libbson's bson_oid_t for columns of type objectid.
 *
 * With no set-up the 24 digits of bson_oid_to_string() are a text parameter, and
 * the 12 bytes of a bson_oid_t a binary one (length 12, format 1); the parameter's
 * type can be left to the server.  A result has the same forms.  These functions
 * read both, and do the arrays.
 */
#ifndef OBJECTID_LIBPQ_H
#define OBJECTID_LIBPQ_H

#include <bson/bson.h>
#include <libpq-fe.h>

/*
 * objectid_get - one field of a result, in either format
 *
 * Returns false if it is NULL, or no objectid.
 */
extern bool objectid_get(const PGresult *res, int row, int column, bson_oid_t *id);

/*
 * objectid_get_array - an objectid[], in text format
 *
 * Returns the number of elements, those that are NULL left zero in ids and told by
 * is_null, or -1 if the array is NULL or has more than max of them.
 */
extern int	objectid_get_array(const PGresult *res, int row, int column,
							   bson_oid_t *ids, bool *is_null, int max);

/*
 * objectid_array - a text parameter for an objectid[]; to be freed with free()
 *
 * is_null may be NULL.
 */
extern char *objectid_array(const bson_oid_t *ids, const bool *is_null, int n);

#endif							/* OBJECTID_LIBPQ_H */
