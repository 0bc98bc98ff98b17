/*-------------------------------------------------------------------------
 *
 * sequence.c
 *	  Where the documents of a JSON file begin and end.
 *
 * A file is one array of documents, or a sequence of JSON values with or without
 * white space between them.  Line breaks make a difference only where the text is
 * not JSON: that text is rejected up to the end of its line, and nothing in it is
 * taken for a document.
 *
 * What is found depends on the text from the last document on, and not on how
 * much of it the window holds: a decision that needs more text is PARTIAL.
 *
 *-------------------------------------------------------------------------
 */
#include "objectid-import.h"

/* Returns the index of the first character from "at" on that is not white space. */
static size_t
skip_space(const Source *source, size_t at)
{
	while (at < source->filled && memchr(" \n\r\t", source->window[at], 4) != NULL)
		at++;
	return at;
}

/* Returns the index of the last character before "at" that is not white space; there is one. */
static size_t
last_character(const Source *source, size_t at)
{
	while (memchr(" \n\r\t", source->window[at - 1], 4) != NULL)
		at--;
	return at - 1;
}

/*
 * Returns how many brackets a piece of a line opens and does not close, outside
 * of strings.  No string goes beyond its line, so if the number of quotes is odd,
 * the piece begins within a string.
 */
static int
count_open_brackets(const char *text, size_t length)
{
	bool		string = false;
	int			count = 0;

	for (int round = 0; round < 2; round++)
		for (size_t i = 0; i < length; i++)
			if (text[i] == '\\')
				i++;
			else if (text[i] == '"')
				string = !string;
			else if (round == 1 && !string)
				count += text[i] == '{' || text[i] == '[' ? 1 : text[i] == '}' || text[i] == ']' ? -1 : 0;
	return count;
}

/*
 * Does a document begin at "at", behind broken JSON?  It does at a brace at the
 * beginning of a line, unless a comma or a closing bracket comes after the value,
 * which is then a part of the broken one: DAMAGED.  *end is where reading it
 * ended.
 */
static Finding
find_restart(Source *source, size_t at, size_t *end)
{
	const char *data = source->window;
	size_t		last = last_character(source, at);
	char		reason[REASON_SIZE];
	Verdict		verdict;

	*end = at;
	if (at == source->filled || data[at] != '{' || memchr(data + last, '\n', at - last) == NULL)
		return DAMAGED;
	verdict = json_to_bson(data + at, source->filled - at, &source->bson, reason, end);
	*end += at;
	if (verdict == INCOMPLETE && !source->at_end)
		return PARTIAL;
	if (verdict == WRITTEN || verdict == REJECTED)
	{
		at = skip_space(source, *end);
		if (at == source->filled && !source->at_end)
			return PARTIAL;
		if (at < source->filled && memchr(",]}", data[at], 3) != NULL)
			return DAMAGED;
	}
	return FOUND;
}

/*
 * Broken JSON begins at "at", and a document begins behind it at "next".  If the
 * first line was cut off, what comes next was taken for a part of it: returns
 * where the second line begins, if a document begins there.  0: not in the window.
 */
static size_t
find_first_restart(Source *source, size_t at, size_t next)
{
	const char *newline = memchr(source->window + at, '\n', next - at);
	size_t		second = skip_space(source, newline - source->window);
	size_t		end;
	Finding		finding = find_restart(source, second, &end);

	return finding == PARTIAL ? 0 : finding == FOUND ? second : next;
}

/*
 * Returns the end of the broken JSON that begins at "at" and breaks at "bad": the
 * end of that line.  If brackets are still open there, or more has to follow, the
 * next lines belong to it, up to where the brackets are closed, or up to a line
 * that a document begins with.  0: the end is not in the window.
 */
static size_t
find_broken_end(Source *source, size_t at, size_t bad)
{
	const char *data = source->window;
	size_t		next = data[at] == '{' ? bad : at;
	int			open = count_open_brackets(data + at, next - at);

	for (;;)
	{
		size_t		end;
		Finding		finding = next > at ? find_restart(source, next, &end) : DAMAGED;
		const char *newline;
		size_t		last;

		if (finding == FOUND && next == bad)
			next = find_first_restart(source, at, next);
		if (finding == PARTIAL || (finding == FOUND && next == 0))
			return 0;
		if (finding == FOUND)
			return last_character(source, next) + 1;
		if (next > at)
		{
			open += count_open_brackets(data + next, end - next);
			next = end;
		}
		newline = memchr(data + next, '\n', source->filled - next);
		if (newline == NULL && !source->at_end)
			return 0;
		end = newline ? (size_t) (newline - data) : source->filled;
		open += count_open_brackets(data + next, end - next);
		last = last_character(source, end);
		next = skip_space(source, end);
		if (next == source->filled && !source->at_end)
			return 0;
		if (next == source->filled || (open <= 0 && memchr(",:[{", data[last], 4) == NULL))
			return last + 1;
	}
}

/*
 * A value ends at "end": is the text up to there JSON, whose next character is at
 * "next"?  In a line, only documents can follow.  A field that follows, in a line
 * that is indented deeper, shows that a bracket is closed too early.
 */
static bool
is_whole_value(const Source *source, size_t start, size_t end, size_t next)
{
	const char *data = source->window;
	size_t		indent = 0;
	size_t		first_indent = 0;

	if (next == source->filled || data[next] == '{')
		return true;
	if (memchr(data + end, '\n', next - end) == NULL)
		return false;
	while (next - indent > end && data[next - indent - 1] != '\n')
		indent++;
	while (start - first_indent > source->next && data[start - first_indent - 1] != '\n')
		first_indent++;
	return data[next] != '"' || indent <= first_indent;
}

/* Find the end of the JSON document or other text that begins at "at". */
static Finding
find_json_end(Source *source, size_t at, Document *document, size_t *bad)
{
	Verdict		verdict = json_to_bson(source->window + at, source->filled - at, &source->bson, source->reason, &document->length);
	size_t		end = at + document->length;
	size_t		next = end;

	if (verdict == INCOMPLETE && (source->array || !source->at_end))
		return PARTIAL;
	*bad = end;
	if (source->array && verdict == BROKEN)
		return DAMAGED;
	if (verdict == WRITTEN || verdict == REJECTED)
	{
		next = skip_space(source, end);
		if (next == source->filled && !source->at_end)
			return PARTIAL;
		if (!source->array && !is_whole_value(source, at, end, next))
			verdict = BROKEN;
	}
	if (verdict == BROKEN || verdict == INCOMPLETE)
	{
		if ((end = find_broken_end(source, at, next)) == 0)
			return PARTIAL;
		reject(source->reason, "not JSON at its byte %zu", Min(next, end) - at + 1);
	}
	document->data = source->window + at;
	document->length = end - at;
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
