/*-------------------------------------------------------------------------
 *
 * sequence.c
 *	  Where the documents of a JSON file begin and end.
 *
 * A file is one array of documents, or a sequence of JSON values with or without
 * white space between them.  Line breaks make a difference only where the text is
 * not JSON: that text is rejected up to the end of a line, and nothing in it is
 * taken for a document.
 *
 * What is found depends on the text from the last document on, and not on how
 * much of it the window holds: a decision that needs more text is PARTIAL.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "documents.h"

/* Returns the index of the first character from "at" on that is not white space. */
static size_t
skip_space(const Source *source, size_t at)
{
	while (at < source->filled && memchr(" \n\r\t", source->window[at], 4) != NULL)
		at++;
	return at;
}

/* Returns the end of the text before "end", without white space behind it. */
static size_t
trim_space(const Source *source, size_t end)
{
	while (memchr(" \n\r\t", source->window[end - 1], 4) != NULL)
		end--;
	return end;
}

/*
 * Returns how many more brackets a piece of a line opens than it closes, outside of
 * strings.  If the number of quotes is odd, the piece begins within a string, because
 * no string goes beyond its line.
 */
static int
count_open_brackets(const char *start, const char *end)
{
	bool		string = false;
	int			count = 0;

	for (int round = 0; round < 2; round++)
		for (const char *c = start; c < end; c++)
			if (*c == '\\')
				c++;
			else if (*c == '"')
				string = !string;
			else if (round == 1 && !string)
				count += (*c == '{' || *c == '[') - (*c == '}' || *c == ']');
	return count;
}

/*
 * Text that is not white space begins at "next", behind a value that ends at "end".
 * DAMAGED: the value is only a part of broken JSON, because anything but a document
 * follows in its line, or the next line continues it.
 */
static Finding
check_end(const Source *source, size_t end, size_t next)
{
	static StringInfoData name;
	const char *data = source->window;
	char		reason[REASON_SIZE];
	size_t		length;
	Verdict		verdict;

	if (next == source->filled)
		return source->at_end ? FOUND : PARTIAL;
	if (source->array || data[next] == '{')
		return FOUND;
	if (memchr(data + end, '\n', next - end) == NULL || data[next] == ',' || data[next] == ':')
		return DAMAGED;
	if (data[next] != '"')
		return FOUND;
	if (name.data == NULL)
		initStringInfo(&name);
	verdict = json_to_bson(data + next, source->filled - next, &name, reason, &length);
	next = skip_space(source, next + length);
	if ((verdict == INCOMPLETE || next == source->filled) && !source->at_end)
		return PARTIAL;
	return verdict == REJECTED && data[next] == ':' ? DAMAGED : FOUND;
}

/*
 * Does a line begin at "at", with a document that is not a part of the broken JSON
 * before it?  DAMAGED: no.  "whole": nor with one that is broken.
 */
static Finding
find_restart(Source *source, size_t at, bool whole)
{
	const char *data = source->window;
	char		reason[REASON_SIZE];
	size_t		length;
	size_t		next;
	Verdict		verdict;

	if (data[at] != '{' || data[at - 1] != '\n')
		return DAMAGED;
	verdict = json_to_bson(data + at, source->filled - at, &source->bson, reason, &length);
	if (verdict == INCOMPLETE && !source->at_end)
		return PARTIAL;
	if (verdict == BROKEN || verdict == INCOMPLETE)
		return whole ? DAMAGED : FOUND;
	next = skip_space(source, at + length);
	return data[next] == ']' || data[next] == '}' ? DAMAGED : check_end(source, at + length, next);
}

/*
 * Returns the end of the text at "at", which is not JSON at "bad".  What is before
 * "bad" belongs to it, unless its first line is cut off where a value has to
 * follow, as which the next document was read.  The text ends with a line where
 * no bracket is open and no value has to follow, or before a line with a document.
 * 0: the end is not in the window.
 */
static size_t
find_broken_end(Source *source, size_t at, size_t bad)
{
	const char *data = source->window;
	const char *newline = memchr(data + at, '\n', bad - at);
	Finding		finding = newline ? find_restart(source, newline + 1 - data, true) : DAMAGED;
	int			open = count_open_brackets(data + at, data + bad);
	size_t		next = bad;
	size_t		end;

	if (finding == FOUND && bad < source->filled)
		finding = find_restart(source, bad, false);
	if (finding == FOUND)
		next = newline + 1 - data;
	while (finding == DAMAGED && (finding = find_restart(source, next, false)) == DAMAGED)
	{
		newline = memchr(data + next, '\n', source->filled - next);
		end = newline ? (size_t) (newline - data) : source->filled;
		open += count_open_brackets(data + next, data + end);
		next = skip_space(source, end);
		if (next == source->filled && !source->at_end)
			return 0;
		end = trim_space(source, end);
		if (next == source->filled || (open <= 0 && memchr(",:[{", data[end - 1], 4) == NULL))
			return end;
	}
	return finding == FOUND ? trim_space(source, next) : 0;
}

/* Find the end of the JSON document or other text that begins at "at". */
static Finding
find_json_end(Source *source, size_t at, Document *document, size_t *bad)
{
	const char *data = source->window;
	size_t		length;
	Verdict		verdict = json_to_bson(data + at, source->filled - at, &source->bson, source->reason, &length);
	size_t		end = at + length;
	size_t		broken = end;
	Finding		finding = FOUND;

	*bad = end;
	if (verdict == WRITTEN || verdict == REJECTED)
	{
		broken = skip_space(source, end);
		finding = check_end(source, end, broken);
	}
	else if (source->array)
		return verdict == BROKEN ? DAMAGED : PARTIAL;
	else
		finding = verdict == BROKEN || source->at_end ? DAMAGED : PARTIAL;
	if (finding == DAMAGED)
	{
		end = find_broken_end(source, at, broken);
		source->reason[0] = '\0';
		verdict = reject(source->reason, "not JSON at its byte %zu", Min(broken, end) - at + 1);
	}
	if (finding == PARTIAL || end == 0)
		return PARTIAL;
	*document = (Document)
	{
		.data = data + at,.length = end - at
	};
	if (verdict == WRITTEN)
		document->bson = (const uint8_t *) source->bson.data;
	else
		document->reason = source->reason;
	source->next = end;
	return FOUND;
}

/*
 * Find the next JSON document: behind white space, or an element of the one
 * array that is the file.  Text that is not a document is rejected; in an array,
 * nothing behind text that is not JSON can be found.
 */
Finding
find_json_document(Source *source, Document *document, size_t *bad)
{
	const char *data = source->window;
	size_t		at = source->next;
	bool		first = source->offset + (int64) at == 0;

	/* what Windows tools put before UTF-8 */
	if (first && source->filled >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0)
		at += 3;
	*bad = at = skip_space(source, at);
	if (first)
		source->array = data[at] == '[';
	if (source->array && at < source->filled && (first || data[at] != ']'))
	{
		/* the bracket, or a comma, before an element */
		if (!first && data[at] != ',')
			return DAMAGED;
		*bad = at = skip_space(source, at + 1);
		if (!first && data[at] == ']')
			return DAMAGED;
	}
	if (source->array && data[at] == ']')
	{
		*bad = at = skip_space(source, at + 1);
		return at < source->filled ? DAMAGED : source->at_end ? END : PARTIAL;
	}
	if (at == source->filled)
		return source->at_end && !source->array ? END : PARTIAL;
	return find_json_end(source, at, document, bad);
}
