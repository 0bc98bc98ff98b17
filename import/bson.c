/*-------------------------------------------------------------------------
 *
 * bson.c
 *	  BSON: is it well formed, and what is it in relaxed Extended JSON, version 2?
 *
 *-------------------------------------------------------------------------
 */
#include "objectid-import.h"

static Verdict write_document(Writer *writer, const uint8_t *data, size_t length, bool array, int depth);

/*
 * Has a loop over bson_iter_next() that has ended read all?  If not, *bad is
 * where in the document it found itself stopped: at a type that there is not, or
 * behind the field's name, where its value fails to fit.
 */
static bool
iteration_complete(const bson_iter_t *iter, const uint8_t *data, size_t length, size_t *bad)
{
	if (iter->err_off == 0 && iter->off == length - 1 && data[length - 1] == 0)
		return true;
	*bad = iter->off;
	if (iter->err_off > 0 && iter->off < length &&
		((data[iter->off] >= BSON_TYPE_DOUBLE && data[iter->off] <= BSON_TYPE_DECIMAL128) ||
		 data[iter->off] == BSON_TYPE_MAXKEY || data[iter->off] == BSON_TYPE_MINKEY))
		*bad = iter->err_off;
	return false;
}

/*
 * Is the BSON document, or array, well formed?  If not, *bad is where in it it
 * is not.  What is nested too deep for us is not looked at.
 */
bool
check_bson(const uint8_t *data, size_t length, int depth, size_t *bad)
{
	bson_iter_t iter;

	*bad = 0;
	if (!bson_iter_init_from_data(&iter, data, length))
		return false;
	while (bson_iter_next(&iter))
	{
		const uint8_t *inner = NULL;
		uint32_t	inner_length;
		bson_type_t type = bson_iter_type_unsafe(&iter);

		if (type == BSON_TYPE_DOCUMENT)
			bson_iter_document(&iter, &inner_length, &inner);
		else if (type == BSON_TYPE_ARRAY)
			bson_iter_array(&iter, &inner_length, &inner);
		else if (type == BSON_TYPE_CODEWSCOPE)
		{
			uint32_t	code_length;

			bson_iter_codewscope(&iter, &code_length, &inner_length, &inner);
		}
		if (inner != NULL && depth < MAX_DEPTH && !check_bson(inner, inner_length, depth + 1, bad))
		{
			*bad += inner - data;
			return false;
		}
	}
	return iteration_complete(&iter, data, length, bad);
}

/* The types that are rarer, as libbson writes them. */
static Verdict
write_by_libbson(Writer *writer, const bson_iter_t *iter)
{
	static const char before[] = "{ \"\" : ";
	static const char after[] = " }";
	bson_t		alone = BSON_INITIALIZER;
	const char *string = NULL;
	char	   *text = NULL;
	size_t		length;
	uint32_t	string_length = 0;
	uint32_t	scope_length;
	const uint8_t *scope;
	const bson_oid_t *oid;

	/* libbson ends these at a NUL, and says nothing */
	if (BSON_ITER_HOLDS_CODE(iter))
		string = bson_iter_code(iter, &string_length);
	else if (BSON_ITER_HOLDS_SYMBOL(iter))
		string = bson_iter_symbol(iter, &string_length);
	else if (BSON_ITER_HOLDS_CODEWSCOPE(iter))
		string = bson_iter_codewscope(iter, &string_length, &scope_length, &scope);
	else if (BSON_ITER_HOLDS_DBPOINTER(iter))
		bson_iter_dbpointer(iter, &string_length, &string, &oid);
	if (string != NULL && memchr(string, '\0', string_length) != NULL)
		return reject(writer, "NUL character in a string");

	if (bson_append_iter(&alone, "", 0, iter))
		text = bson_as_relaxed_extended_json(&alone, &length);
	bson_destroy(&alone);
	if (text == NULL)
		return reject(writer, "a value of BSON type 0x%02x that has no JSON form", bson_iter_type(iter));
	appendBinaryStringInfo(&writer->out, text + strlen(before), length - strlen(before) - strlen(after));
	bson_free(text);
	return WRITTEN;
}

static Verdict
write_binary(Writer *writer, const bson_iter_t *iter)
{
	bson_subtype_t subtype;
	uint32_t	length;
	const uint8_t *data;

	bson_iter_binary(iter, &subtype, &length, &data);
	writer->value.what = "binary data";
	if (subtype == BSON_SUBTYPE_UUID && length == 16)
	{
		writer->value.type = ID_UUID;
		writer->value.what = "a UUID";
		memcpy(writer->value.bytes, data, 16);
	}
	else if (subtype == BSON_SUBTYPE_UUID_DEPRECATED)
		writer->value.what = "a UUID of the old subtype 3, whose byte order is unknown";
	return write_by_libbson(writer, iter);
}

/* Write the value that the iterator is at, and note it. */
Verdict
write_bson_value(Writer *writer, bson_iter_t *iter, int depth)
{
	Key		   *value = &writer->value;
	const uint8_t *data;
	uint32_t	length;
	bson_decimal128_t decimal;
	Verdict		verdict;
	bool		array;

	value->type = ID_JSONB;
	value->what = "of another type";
	switch (bson_iter_type(iter))
	{
		case BSON_TYPE_UTF8:
			value->type = ID_TEXT;
			value->what = "a string";
			value->text = bson_iter_utf8(iter, &length);
			value->length = length;
			return write_string(writer, value->text, length, "a string");
		case BSON_TYPE_INT32:
			write_int(writer, bson_iter_int32(iter));
			return WRITTEN;
		case BSON_TYPE_INT64:
			write_int(writer, bson_iter_int64(iter));
			return WRITTEN;
		case BSON_TYPE_DOUBLE:
			write_double(writer, bson_iter_double(iter));
			return WRITTEN;
		case BSON_TYPE_BOOL:
			value->what = "a boolean";
			appendStringInfoString(&writer->out, bson_iter_bool(iter) ? "true" : "false");
			return WRITTEN;
		case BSON_TYPE_NULL:
			value->what = "null";
			appendBinaryStringInfo(&writer->out, "null", 4);
			return WRITTEN;
		case BSON_TYPE_OID:
			write_oid(writer, bson_iter_oid(iter));
			return WRITTEN;
		case BSON_TYPE_DATE_TIME:
			write_date(writer, bson_iter_date_time(iter));
			return WRITTEN;
		case BSON_TYPE_DECIMAL128:
			bson_iter_decimal128(iter, &decimal);
			write_decimal(writer, &decimal);
			return WRITTEN;
		case BSON_TYPE_DOCUMENT:
		case BSON_TYPE_ARRAY:
			/* they are laid out alike */
			array = bson_iter_type(iter) == BSON_TYPE_ARRAY;
			(array ? bson_iter_array : bson_iter_document) (iter, &length, &data);
			verdict = write_document(writer, data, length, array, depth + 1);
			value->type = ID_JSONB;
			value->what = array ? "an array" : "a document";
			return verdict;
		case BSON_TYPE_BINARY:
			return write_binary(writer, iter);
		default:
			return write_by_libbson(writer, iter);
	}
}

static Verdict
write_field(Writer *writer, bson_iter_t *iter, int depth)
{
	const char *name = bson_iter_key_unsafe(iter);
	size_t		length = bson_iter_key_len(iter);
	int			at;
	Verdict		verdict;

	add_name(writer, name, length);
	verdict = write_string(writer, name, length, "a field name");
	if (verdict != WRITTEN)
		return verdict;
	appendStringInfoCharMacro(&writer->out, ':');
	at = writer->out.len;
	verdict = write_bson_value(writer, iter, depth);
	if (depth == 1 && length == 3 && memcmp(name, "_id", 3) == 0)
	{
		writer->id = writer->value;
		writer->id_at = at;
		writer->id_length = writer->out.len - at;
	}
	return verdict;
}

static Verdict
write_document(Writer *writer, const uint8_t *data, size_t length, bool array, int depth)
{
	bson_iter_t iter;
	size_t		first_name = writer->names_used;
	bool		first = true;
	size_t		bad;

	if (depth > MAX_DEPTH)
		return reject(writer, "nested deeper than %d levels", MAX_DEPTH);
	if (!bson_iter_init_from_data(&iter, data, length))
		return BROKEN;
	appendStringInfoCharMacro(&writer->out, array ? '[' : '{');
	while (bson_iter_next(&iter))
	{
		Verdict		verdict;

		if (!first)
			appendStringInfoCharMacro(&writer->out, ',');
		first = false;
		verdict = array ? write_bson_value(writer, &iter, depth) : write_field(writer, &iter, depth);
		if (verdict != WRITTEN)
			return verdict;
	}
	appendStringInfoCharMacro(&writer->out, array ? ']' : '}');
	if (!iteration_complete(&iter, data, length, &bad))
		return BROKEN;
	return !array && names_repeat(writer, first_name) ? reject(writer, "a field occurs twice") : WRITTEN;
}

/* Write the document; if it is BROKEN, writer->bad says where. */
Verdict
bson_to_json(Writer *writer, const char *data, size_t length)
{
	Verdict		verdict;

	writer->names_used = 0;
	verdict = write_document(writer, (const uint8_t *) data, length, false, 1);
	if (verdict == BROKEN)
		check_bson((const uint8_t *) data, length, 1, &writer->bad);
	return verdict;
}
