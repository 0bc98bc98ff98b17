/*-------------------------------------------------------------------------
 *
 * fields.h
 *	  The fields of all documents of a file.
 *
 *-------------------------------------------------------------------------
 */
#ifndef FIELDS_H
#define FIELDS_H

#include "row.h"

/* how many values of a field are looked up among the keys of all collections */
#define SAMPLED_VALUES 500

/* what a value is; for each but the first three there is a type of SQL */
typedef enum Kind
{
	A_NULL, AN_OBJECT, AN_ARRAY,
	AN_OBJECTID, A_DATE, AN_INTEGER, A_DOUBLE, A_DECIMAL, A_BOOLEAN, A_STRING, A_UUID, A_BINARY,
	ANOTHER, KINDS
} Kind;

/* a field, or the elements of an array */
typedef struct Node
{
	char	   *name;			/* NULL: elements */
	int			name_length;
	struct Node *parent;
	struct Node **fields;		/* of objects, as seen */
	int			count;
	int			number;			/* among those of the parent, as seen */
	struct Node *element;		/* of arrays */
	int64		seen[KINDS];
	int64		longest;		/* string or binary value, in bytes */
	int64		widest;			/* row of the objects, in bytes */
	bool		map;			/* the names of its fields are data */
	bool		full;			/* it has fields that are not in the list */
	char	   *first;			/* string of a DBRef's $ref */
	bool		varies;			/* and there are others */
	struct Sampled *sample;		/* the smallest hashes of its values */
	int			sampled;
	int			hits;			/* of them, in the collection that is read */
	int			target;			/* collection that has most of them, or -1, */
	int			found;			/* and how many */
} Node;

/* a value of a field */
typedef struct Sampled
{
	uint64		hash;
	Node	   *node;
} Sampled;

typedef struct Fields
{
	Node	   *root;
	int64		documents;
	int			nodes;			/* fields in all objects */
	int64		keys[ID_TYPES]; /* documents by the type of their keys */
	int64		hash_count;
	FILE	   *hashes;			/* of the keys of all collections, or NULL */
} Fields;

extern void read_fields(const InputFile *input, Fields *fields, Damage *damage);
extern int64 count_values(const Node *node);
extern bool is_map(const Node *node);
extern bool is_reference(const Node *node);
extern Node *find_field(const Node *node, const char *name);
extern void find_targets(Fields *fields, int count);

#endif							/* FIELDS_H */
