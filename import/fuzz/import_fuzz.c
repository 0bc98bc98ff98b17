/*-------------------------------------------------------------------------
 *
 * import_fuzz.c
 *	  libFuzzer target: bytes as a file for objectid-import, from finding its
 *	  documents to their rows.
 *
 * The first byte says what the file is, which type its keys have, and how much of
 * it a smaller window holds.  A window is a block of just its size, so that
 * AddressSanitizer sees a byte read too far.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "load/load.h"

int			LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* unlike Assert(), always there; libFuzzer keeps the input that fails */
#define check(condition) \
	do { \
		if (!(condition)) \
			__builtin_trap(); \
	} while (0)

/*
 * check_written - what is written of a document is Extended JSON in the
 * form that is written, so as a document it has to come out the same,
 * unless a field has the name of a wrapper, but not its value
 */
static void
check_written(const StringInfo json)
{
	static Writer again;
	static StringInfoData bson;
	char		reason[REASON_SIZE];
	size_t		end;
	Verdict		verdict;

	/*
	 * libbson prints decimals that it does not read, or reads as another; a
	 * field can be called $numberLong
	 */
	if (memmem(json->data, json->len, "$number", 7) != NULL)
		return;
	if (bson.data == NULL)
		initStringInfo(&bson);
	start_writer(&again);
	verdict = json_to_bson(json->data, json->len, &bson, reason, &end);
	check(verdict != BROKEN);
	if (verdict == REJECTED)
		return;
	check(end == (size_t) json->len);
	check(get_length((const uint8_t *) bson.data) == (uint32) bson.len);
	check(write_bson(&again, (const uint8_t *) bson.data) == WRITTEN);
	check(again.out.len == json->len && memcmp(again.out.data, json->data, json->len) == 0);
}

/*
 * check_document - a document that has been found: its BSON, and its row
 */
static void
check_document(const Document *document, bool json, IdType type)
{
	static Rows rows;
	Writer	   *writer = &rows.writer;
	Verdict		verdict;

	if (document->bson)
	{
		const uint8_t *bad = check_bson(document->bson, 1);

		check(bad == NULL || (!json && bad >= document->bson &&
							  bad < document->bson + document->length));
		start_writer(writer);
		verdict = write_bson(writer, document->bson);
		check(verdict != BROKEN || bad == writer->bad);
		check(verdict != REJECTED || writer->reason[0] != '\0');
		if (verdict == WRITTEN && bad == NULL)
		{
			appendStringInfoChar(&writer->out, '\0');
			writer->out.len--;
			check_written(&writer->out);
		}
	}
	rows.type = type;
	for (int number = NO_NUMBER; number < 1; number++)
	{
		start_writer(writer);
		verdict = write_row(document, number, &rows);
		check(verdict == REJECTED || document->bson);
		check(verdict == WRITTEN || writer->out.len == 0);
	}
}

/*
 * make_source - a window of this much of the bytes, in a block of just its
 * size
 */
static Source
make_source(const uint8_t *data, size_t size, bool json, bool at_end)
{
	static const InputFile bson_file = {.json = false};
	static const InputFile json_file = {.json = true};
	Source		source = {
		.limit = PG_INT64_MAX,.input = json ? &json_file : &bson_file,.at_end = at_end,
		.filled = size,.window_size = size,.line = 1
	};

	source.window = malloc(size + 1);
	memcpy(source.window, data, size);
	source.window[size] = '\0';
	initStringInfo(&source.bson);
	return source;
}

/*
 * check_window - the end of a window makes no difference: the documents
 * found before it are those of the whole file
 */
static void
check_window(const uint8_t *data, size_t size, size_t filled, bool json)
{
	Source		whole = make_source(data, size, json, true);
	Source		part = make_source(data, filled, json, false);
	Document	expected;
	Document	document;

	while (find_document(&part, &document, false) == FOUND)
	{
		check(find_document(&whole, &expected, false) == FOUND);
		check(document.data - part.window == expected.data - whole.window);
		check(document.length == expected.length);
		check((document.reason == NULL) == (expected.reason == NULL));
		check(document.reason == NULL || strcmp(document.reason, expected.reason) == 0);
	}
	free(whole.window);
	free(part.window);
	pfree(whole.bson.data);
	pfree(part.bson.data);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	Source		source;
	Document	document;
	IdType		type;
	Finding		finding;
	size_t		end = 0;

	if (size == 0)
		return 0;
	type = (data[0] >> 1) % ID_TYPES;
	source = make_source(data + 1, size - 1, data[0] & 1, true);
	check_window(data + 1, size - 1, (size - 1) * (data[0] >> 4) / 16, data[0] & 1);
	while ((finding = find_document(&source, &document, true)) == FOUND)
	{
		size_t		at = document.data - source.window;

		check(at >= end && at + document.length <= source.filled);
		check(source.next >= at + document.length);
		check((document.bson == NULL) == (document.reason != NULL));
		end = at + document.length;
		check_document(&document, source.input->json, type);
	}
	check((finding == END) == (source.damage.what[0] == '\0'));
	check(source.damage.at <= (int64) source.filled);
	free(source.window);
	pfree(source.bson.data);
	return 0;
}
