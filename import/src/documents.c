/*-------------------------------------------------------------------------
 *
 * documents.c
 *	  Finds the documents of a file.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "documents.h"

/*
 * find_document - find the next document.  With "may_read", a window that does not hold all of
 * it moves on, or grows, which invalidates documents found before; and damage is noted.
 * Without, the result is then PARTIAL.
 */
Finding
find_document(Source *source, Document *document, bool may_read)
{
	bool		json = source->input->json;
	size_t		bad = 0;
	Finding		finding;
	const char *damage;

	if (source->offset + (int64) source->next >= source->limit)
		return END;
	for (;;)
	{
		finding = (json ? find_json_document : find_bson_document) (source, document, &bad);
		if (finding != PARTIAL || !may_read || source->at_end ||
			(source->next == 0 && source->window_size >= MAX_DOCUMENT))
			break;
		if (source->next == 0)
		{
			source->window_size *= 2;
			source->window = pg_realloc(source->window, source->window_size + 1);
		}
		move_window(source);
	}
	if (finding == BROKEN_LINE)
	{
		note_damage(source, &source->broken_line, source->window + bad, "this is not JSON");
		finding = FOUND;
	}
	/* it was one only if no line after it is damage */
	if (finding == DAMAGED && source->broken_line.what[0])
		source->damage = source->broken_line;
	if (finding == FOUND && source->offset + (document->data - source->window) >= source->limit)
	{
		/* white space led there, and the file has grown */
		source->next = document->data - source->window;
		return END;
	}
	if (finding == FOUND || (finding == END && source->damage.what[0] == '\0'))
		return finding;

	/* first load the documents before the damage */
	if (!may_read)
		return PARTIAL;
	if (json && source->offset == 0 && source->filled >= 2 &&
		(memcmp(source->window, "\xff\xfe", 2) == 0 || memcmp(source->window, "\xfe\xff", 2) == 0))
		damage = "this is UTF-16, as PowerShell writes it: use mongoexport --out, or "
			"convert it to UTF-8";
	else if (finding == DAMAGED && json)
		damage = "this is not JSON";
	else if (finding == DAMAGED)
		damage = "the length of the document that begins here leads nowhere";
	else if (!source->at_end)
		damage = "the document that begins here is larger than any of MongoDB's";
	else if (bad < source->filled)
		damage = "the document that begins here is cut off by the end of the file";
	else
		damage = "the file ends in the middle";
	note_damage(source, &source->damage, source->window + bad, damage);
	return DAMAGED;
}

/* find_sound_document - find the next document, read on if needed, and check what is in it */
Finding
find_sound_document(Source *source, Document *document)
{
	Finding		finding = find_document(source, document, true);
	const uint8_t *bad;

	/* what JSON is converted to is sound */
	if (finding != FOUND || source->input->json || (bad = check_bson(document->bson, 1)) == NULL)
		return finding;
	note_damage(source, &source->damage, (const char *) bad, "this is not BSON");
	return DAMAGED;
}
