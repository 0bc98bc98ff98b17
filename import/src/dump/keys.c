/*-------------------------------------------------------------------------
 *
 * keys.c
 *	  The types of keys: what the values of "_id" become.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <math.h>

#include "keys.h"

/* all integers up to this are doubles */
#define MAX_EXACT 9007199254740992.0

/* a domain has the name of the type for which it stands */
const char *const id_type_names[] = {
	[ID_OBJECTID] = "objectid",[ID_TEXT] = "text",[ID_BIGINT] = "bigint",[ID_UUID] = "uuid",
	[ID_JSONB] = "jsonb",[ID_DOMAIN] = "objectid"
};

/* find_id_type - the type of this name, or ID_UNKNOWN */
IdType
find_id_type(const char *name)
{
	for (IdType type = 0; type < ID_TYPES; type++)
		if (strcmp(name, id_type_names[type]) == 0)
			return type;
	return ID_UNKNOWN;
}

/* most_frequent - the type of key that most have, of which "seen" has the numbers, or objectid */
IdType
most_frequent(const int *seen)
{
	IdType		most = ID_OBJECTID;

	for (IdType type = 0; type < ID_TYPES; type++)
		if (seen[type] > seen[most])
			most = type;
	return most;
}

/* key_type - the type for a key.  MongoDB's shell turns 1 into a double. */
IdType
key_type(const Element *id)
{
	double		number;

	switch (id->type)
	{
		case BSON_TYPE_OID:
			return ID_OBJECTID;
		case BSON_TYPE_UTF8:
			return ID_TEXT;
		case BSON_TYPE_INT32:
		case BSON_TYPE_INT64:
			return ID_BIGINT;
		case BSON_TYPE_DOUBLE:
			number = get_double(id->value);
			return fabs(number) <= MAX_EXACT && number == rint(number) ? ID_BIGINT : ID_JSONB;
		case BSON_TYPE_BINARY:
			return get_length(id->value) == 16 && id->value[4] == BSON_SUBTYPE_UUID ?
				ID_UUID : ID_JSONB;
		default:
			return ID_JSONB;
	}
}
