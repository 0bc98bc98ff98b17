/*-------------------------------------------------------------------------
 *
 * dry_run.c
 *	  Converts all documents to rows, for no server, and prints why some are rejected.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "command.h"
#include "load.h"
#include "message.h"
#include "row.h"

/* how many different reasons are printed */
#define MAX_REASONS 50

/* why documents are rejected */
typedef struct Reason
{
	char	   *text;
	int64		count;
	int64		first;			/* number of the first of these documents */
} Reason;

/* count one more document that is rejected, if its reason is one of the first MAX_REASONS */
static void
count_reason(Reason *reasons, const char *text, int64 document)
{
	int			i = 0;

	while (i < MAX_REASONS && reasons[i].text && strcmp(reasons[i].text, text) != 0)
		i++;
	if (i == MAX_REASONS)
		return;
	if (reasons[i].count++ == 0)
	{
		reasons[i].text = pg_strdup(text);
		reasons[i].first = document;
	}
}

/* try_part - what load_part() does, without a server */
void
try_part(const Collection *collection, int n)
{
	Progress   *progress = collection->progress;
	Part	   *part = &progress->part[n];
	Reason		reasons[MAX_REASONS] = {0};
	IdType		wanted = command.options->id_type;
	Rows	   *rows = open_rows(collection, part,
								 wanted == ID_UNKNOWN ? progress->check.id_type : wanted);
	Document	document;
	bool		found;

	do
	{
		if (interrupted || !move_on(rows, progress, part, &found))
			return;
		while (next_row(rows, false, NO_NUMBER, &document) == FOUND)
		{
			resetStringInfo(&rows->writer.out);
			part->documents++;
			if (rows->writer.reason[0])
			{
				part->rejected++;
				count_reason(reasons, rows->writer.reason, rows->position);
			}
		}
		part->next = rows->source.offset + (int64) rows->source.next;
	} while (found);
	part->complete = true;
	for (int i = 0; i < MAX_REASONS && reasons[i].text; i++)
		printf("%s: " INT64_FORMAT " rejected, the first as document " INT64_FORMAT ": %s\n",
			   printable(collection->input.path), reasons[i].count, reasons[i].first,
			   printable(reasons[i].text));
}
