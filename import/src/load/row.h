/*-------------------------------------------------------------------------
 *
 * row.h
 *	  From the documents of a part of a file to rows of COPY.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROW_H
#define ROW_H

#include "collection.h"
#include "dump/documents.h"
#include "dump/json.h"

typedef struct Rows
{
	Source		source;
	Writer		writer;			/* whose output has the rows */
	IdType		type;			/* of their keys */
	const NewIds *ids;			/* for documents without an _id, or NULL */
	uint8_t		new_id[12];
	int64		position;		/* of the document found last in its file */
	bool		lacks_id;		/* it is rejected because of this */
} Rows;

#define NO_NUMBER (-1)

extern void append_int(StringInfo out, int size, int64 value);
extern void append_field(StringInfo out, const void *data, size_t length);
extern Verdict write_row(const Document *document, int number, Rows *rows);
extern Rows *open_rows(const Collection *collection, const Part *part, IdType type);
extern bool move_on(Rows *rows, Progress *progress, const Part *part, bool *found);
extern Finding next_row(Rows *rows, bool may_read, int number, Document *document);

#endif							/* ROW_H */
