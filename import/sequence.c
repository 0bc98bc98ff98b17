/*-------------------------------------------------------------------------
 *
 * sequence.c
 *	  Where the documents of a JSON file begin and end.
 *
 * A file is one array of documents, or a sequence of JSON values with or without
 * white space between them.  Text that is not JSON is damage, unless each line of
 * the file is text in braces, and those that are JSON are one document: then a
 * line that is not is rejected.
 *
 * What is found depends on the text from the last document on, and not on how
 * much of it the window holds: a decision that needs more text is PARTIAL.
 *
 * These functions return the place of damage; source.c notes it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "source.h"

static inline bool
is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/*
 * skip_space - the index of the first character from "at" on that is not
 * white space
 */
static size_t
skip_space(const Source *source, size_t at)
{
	while (at < source->filled && is_space(source->window[at]))
		at++;
	return at;
}

/*
 * is_line - can a line be one of a file with a document in each: is it
 * white space, or text in braces in which no second document follows the
 * first?
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
 * leave_lines - note that the file is not one of a document in each line
 *
 * Returns DAMAGED if a line has been rejected, because in such a file it is
 * damage, else the finding.
 */
static Finding
leave_lines(Source *source, Finding finding)
{
	source->layout = SEQUENCE;
	return source->broken_line.what[0] ? DAMAGED : finding;
}

/*
 * check_line - in a file with a document in each line so far: a line begins
 * with { at "at", and its value, or what is JSON of it, ends at *end
 *
 * If the line is text in braces that is not JSON, it is a BROKEN_LINE as a
 * whole: *end is then its end, and *bad the place where it is not JSON.
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
	source->reason[0] = '\0';
	reject(source->reason, "not JSON at its byte %zu", *bad - at + 1);
	*end = line_end;
	return BROKEN_LINE;
}

/*
 * find_json_end - find the end of the JSON value that begins at "at"
 */
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
 * find_json_document - find the next JSON document: behind white space, or
 * an element of the one array that is the file
 *
 * A value that is not a document is rejected.  *bad is the place of what is
 * DAMAGED, PARTIAL or a BROKEN_LINE.
 */
Finding
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
	if (first)
		source->layout = data[at] == '[' ? ARRAY : source->layout;
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
