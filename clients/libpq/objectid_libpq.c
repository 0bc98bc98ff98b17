/* objectid_libpq.c - see objectid_libpq.h */
#include "objectid_libpq.h"

#include <stdlib.h>
#include <string.h>

/* the OIDs of built-in types are less, see access/transam.h of the server */
#define FIRST_NORMAL_OBJECT_ID 16384

bool
objectid_get(const PGresult *res, int row, int column, bson_oid_t *id)
{
	const char *value = PQgetvalue(res, row, column);
	int			length = PQgetlength(res, row, column);

	if (PQgetisnull(res, row, column))
		return false;
	if (PQfformat(res, column) == 1 && length == 12 && PQftype(res, column) >= FIRST_NORMAL_OBJECT_ID)
	{
		bson_oid_init_from_data(id, (const uint8_t *) value);
		return true;
	}
	if (PQfformat(res, column) == 0 && length == 24 && bson_oid_is_valid(value, length))
	{
		bson_oid_init_from_string(id, value);
		return true;
	}
	return false;
}

int
objectid_get_array(const PGresult *res, int row, int column,
				   bson_oid_t *ids, bool *is_null, int max)
{
	const char *s = PQgetvalue(res, row, column);
	int			n = 0;

	if (PQgetisnull(res, row, column) || *s != '{')
		return -1;

	/* {507f...,NULL}: the server quotes no element */
	for (s++; *s != '}'; s += (*s == ','))
	{
		size_t		length = strcspn(s, ",}");
		char		digits[25] = {0};

		if (n == max || s[length] == '\0')
			return -1;
		memset(&ids[n], 0, sizeof(bson_oid_t));
		is_null[n] = length == 4 && memcmp(s, "NULL", 4) == 0;
		if (!is_null[n])
		{
			if (length != 24 || !bson_oid_is_valid(s, length))
				return -1;
			bson_oid_init_from_string(&ids[n], (char *) memcpy(digits, s, length));
		}
		n++;
		s += length;
	}
	return n;
}

char *
objectid_array(const bson_oid_t *ids, const bool *is_null, int n)
{
	char	   *array = (char *) malloc(25 * (size_t) n + 3);
	char	   *s = array;

	if (array == NULL)
		return NULL;
	*s++ = '{';
	for (int i = 0; i < n; i++)
	{
		if (i > 0)
			*s++ = ',';
		if (is_null != NULL && is_null[i])
			s = (char *) memcpy(s, "NULL", 4) + 4;
		else
		{
			bson_oid_to_string(&ids[i], s);
			s += 24;
		}
	}
	*s++ = '}';
	*s = '\0';
	return array;
}
