/*-------------------------------------------------------------------------
 *
 * documents.c
 *	  Finds the documents of a file, of BSON or JSON.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "dump.h"


/* find the next BSON document by its length; check_bson() or write_bson() checks its contents */
static Finding
find_bson_document(Source *source, Document *document, size_t *bad)
{
	size_t		available = source->filled - source->next;
	const char *data = source->window + source->next;
	uint32_t	length;

	*bad = source->next;
	if (available == 0 && source->at_end)
		return END;
	if (available < sizeof(length))
		return PARTIAL;
	length = get_length((const uint8_t *) data);
	if (length < 5 || length > MAX_DOCUMENT)
		return DAMAGED;
	if (available < length)
		return PARTIAL;
	if (data[length - 1] != '\0')
		return DAMAGED;
	*document = (Document)
	{
		.data = data,.length = length,.bson = (const uint8_t *) data
	};
	source->next += length;
	return FOUND;
}

/*
 * Where JSON documents begin and end
 *
 * A file is one array of documents, or a sequence of JSON values with or without white space
 * between them.  Text that is not JSON is damage, unless each line of the file is text in
 * braces, and those that are JSON are one document: then a line that is not is rejected.
 *
 * What is found depends on the text from the last document on, and not on how
 * much of it the window holds: a decision that needs more text is PARTIAL.
 */

static inline bool
is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* the index of the first character from "at" on that is not white space */
static size_t
skip_space(const Source *source, size_t at)
{
	while (at < source->filled && is_space(source->window[at]))
		at++;
	return at;
}

/*
 * is_line - can a line be one of a file with a document in each: is it white space, or text in
 * braces in which no second document follows the first?
 */
bool
is_line(const char *line, const char *end)
{
	while (line < end && is_space(*line))
		line++;
	while (line < end && is_space(end[-1]))
		end--;
	if (line == end)
		return true;
	if (*line != '{' || end[-1] != '}')
		return false;
	while ((line = memchr(line + 1, '{', end - line - 1)) != NULL)
	{
		const char *before = line - 1;

		while (is_space(*before))
			before--;
		if (*before == '}')
			return false;
	}
	return true;
}

/*
 * Note that the file is not one of a document in each line.  Returns DAMAGED if a line has
 * been rejected, because in such a file it is damage, else the finding.
 */
static Finding
leave_lines(Source *source, Finding finding)
{
	source->layout = SEQUENCE;
	return source->broken_line.what[0] ? DAMAGED : finding;
}

/*
 * In a file with a document in each line so far: a line begins with { at "at", and its value,
 * or what is JSON of it, ends at *end.  If the line is text in braces that is not JSON, it is
 * a BROKEN_LINE as a whole: *end is then its end, and *bad the place where it is not JSON.
 */
static Finding
check_line(Source *source, size_t at, size_t *end, Finding finding, size_t *bad)
{
	const char *data = source->window;
	const char *newline = memchr(data + at, '\n', source->filled - at);
	size_t		line_end = newline ? (size_t) (newline - data) : source->filled;
	size_t		next = skip_space(source, *end);

	if (finding == FOUND && (*end > line_end || (next < line_end && data[next] == '{')))
		return leave_lines(source, FOUND);
	if (newline == NULL && !source->at_end)
		return PARTIAL;
	if (finding == FOUND && next >= line_end)
	{
		source->line_seen = true;
		return FOUND;
	}
	while (is_space(data[line_end - 1]))
		line_end--;
	if (data[line_end - 1] != '}' || (finding == PARTIAL && newline == NULL))
		return leave_lines(source, finding);
	*bad = Min(finding == FOUND ? next : *end, line_end);
	snprintf(source->reason, REASON_SIZE, "not JSON at its byte %zu", *bad - at + 1);
	*end = line_end;
	return BROKEN_LINE;
}

/* find the end of the JSON value that begins at "at" */
static Finding
find_json_end(Source *source, size_t at, Document *document, size_t *bad)
{
	const char *data = source->window;
	size_t		length;
	Verdict		verdict = json_to_bson(data + at, source->filled - at, &source->bson,
									   source->reason, &length);
	size_t		end = at + length;
	Finding		finding = verdict == BROKEN ? DAMAGED : verdict == INCOMPLETE ? PARTIAL : FOUND;

	*bad = verdict == INCOMPLETE ? at : end;
	/* a number or a word at the end of the window can be longer */
	if ((finding == PARTIAL || (finding == FOUND && end == source->filled && data[at] != '{')) &&
		!source->at_end)
		return PARTIAL;
	if (source->layout == LINES && data[at] == '{')
		finding = check_line(source, at, &end, finding, bad);
	else if (source->layout == LINES)
		finding = leave_lines(source, finding);
	if (finding != FOUND && finding != BROKEN_LINE)
		return finding;
	*document = (Document)
	{
		.data = data + at,.length = end - at
	};
	if (finding == FOUND && verdict == WRITTEN)
		document->bson = (const uint8_t *) source->bson.data;
	else
		document->reason = source->reason;
	source->next = end;
	return finding;
}

/*
 * Find the next JSON document: behind white space, or an element of the
 * one array that is the file.  A value that is not a document is rejected.  *bad is the place
 * of what is DAMAGED, PARTIAL or a BROKEN_LINE.
 */
static Finding
find_json_document(Source *source, Document *document, size_t *bad)
{
	const char *data = source->window;
	size_t		at = source->next;
	bool		first = source->offset + (int64) at == 0;
	bool		array;

	/* what Windows tools put before UTF-8 */
	if (first && source->filled >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0)
		at += 3;
	*bad = at = skip_space(source, at);
	if (first && at < source->filled && data[at] == '[')
		source->layout = ARRAY;
	array = source->layout == ARRAY;
	if (array && at < source->filled && (first || data[at] != ']'))
	{
		/* the bracket, or a comma, before an element */
		if (!first && data[at] != ',')
			return DAMAGED;
		*bad = at = skip_space(source, at + 1);
		if (!first && data[at] == ']')
			return DAMAGED;
	}
	if (array && data[at] == ']')
	{
		*bad = at = skip_space(source, at + 1);
		return at < source->filled ? DAMAGED : source->at_end ? END : PARTIAL;
	}
	if (at == source->filled && source->at_end && source->layout == LINES && !source->line_seen)
		return leave_lines(source, END);
	if (at == source->filled)
		return source->at_end && !array ? END : PARTIAL;
	return find_json_end(source, at, document, bad);
}

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
