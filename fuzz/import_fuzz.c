/*-------------------------------------------------------------------------
 *
 * import_fuzz.c
 *	  libFuzzer target: bytes as a file for objectid-import, from finding its
 *	  documents to their rows.
 *
 * The first byte says what the file is and which type its keys have.  All of it
 * is in the window from the beginning, in a block of just its size, so that
 * AddressSanitizer sees a byte read too far.
 *
 *-------------------------------------------------------------------------
 */
#include "objectid-import.h"

int			LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* unlike Assert(), always there; libFuzzer keeps the input that fails */
#define check(condition) \
	do { \
		if (!(condition)) \
			__builtin_trap(); \
	} while (0)

Options		options;

/*
 * What is written of a document is Extended JSON in the form that is written, so
 * as a document it has to come out the same.
 */
static void
check_written(const Writer *writer, IdType type)
{
	static Writer again;
	static StringInfoData row;
	Document	written = {.data = writer->out.data,.length = writer->out.len};
	Verdict		verdict;

	/* libbson prints decimals that it does not read, or reads as another */
	if (memmem(written.data, written.length, "$numberDecimal", 14) != NULL)
		return;
	if (row.data == NULL)
		initStringInfo(&row);
	resetStringInfo(&row);
	verdict = write_row(true, &written, type, -1, &again, &row);

	check(verdict == WRITTEN);
	check(again.out.len == writer->out.len && memcmp(again.out.data, writer->out.data, again.out.len) == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static Writer writer;
	static StringInfoData row;
	Source		source = {.limit = -1,.at_end = true};
	Document	document;
	IdType		type;
	Finding		finding;
	size_t		end = 0;

	if (size == 0)
		return 0;
	if (row.data == NULL)
		initStringInfo(&row);
	source.json = data[0] & 1;
	type = (data[0] >> 1) % ID_TYPES;
	source.filled = source.window_size = size - 1;
	source.window = malloc(size);
	memcpy(source.window, data + 1, size - 1);
	source.window[size - 1] = '\0';
	while ((finding = find_sound_document(&source, &document, true)) == FOUND)
	{
		size_t		at = document.data - source.window;

		check(at >= end && at + document.length <= source.filled && source.next >= at + document.length);
		end = at + document.length;
		resetStringInfo(&row);
		switch (write_row(source.json, &document, type, -1, &writer, &row))
		{
			case WRITTEN:
				check_written(&writer, type);
				break;
			case REJECTED:
				check(writer.reason[0] != '\0');
				break;
			case BROKEN:
				/* what find_sound_document() found sound */
				check(source.json && !source.array);
				check(writer.bad <= document.length);
				break;
		}
	}
	check(finding == END ? source.damage[0] == '\0' : source.damage[0] != '\0' && source.damage_at <= (int64) source.filled);
	free(source.window);
	return 0;
}
