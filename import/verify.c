/*-------------------------------------------------------------------------
 *
 * verify.c
 *	  Compares documents with the rows of their table, in one snapshot.
 *
 * All processes read the snapshot of the first connection.  The documents go to
 * the server in batches, which look up each key by the index.  The server returns
 * what differs, and hashes of the keys that it found.  Their sums show whether the
 * table has other rows; if so, another pass over the file finds these.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "common/hashfn.h"
#include "port/pg_bswap.h"
#include "server.h"

#include "verify_batch.inc"
#include "verify_keys.inc"

/* what is sent to the server at a time, unless one document is larger */
#define BATCH_BYTES (1024 * 1024)
#define BATCH_DOCUMENTS 10000

/* how many hashes of keys are in memory; tests make it smaller */
#define MAX_HASHES ((int64) window_bytes() / 2)

/* an array in binary format begins with its dimensions, and the type and number of elements */
#define ARRAY_HEADER 20
#define JSONB_OID 3802

/* after a document that the server refuses, the transaction goes on from here */
#define SAVEPOINT "objectid_import_verify"

/* only these functions, operators and types are found without a schema */
#define FIND_ONLY_CATALOG "SET LOCAL search_path = pg_catalog, pg_temp"

/* a document of a batch */
typedef struct Entry
{
	const char *data;			/* in the window of the source */
	size_t		length;
	int			key_at;			/* where its elements are in the arrays, */
	int			doc_at;
	int			id_at;			/* and its _id as JSON in the second one */
	int			id_length;
} Entry;

/* a hash of a rejected document, and how often it was rejected */
typedef struct Digest
{
	uint64		half[2];
	int64		count;
} Digest;

typedef struct Verify
{
	Connection *conn;
	const Collection *collection;
	Comparison *compared;
	Part	   *part;
	Source	   *source;
	const NewIds *ids;			/* with --generate-id, or NULL */
	Writer		writer;
	const char *batch_sql;
	bool		only_keys;		/* are compared by it */
	StringInfoData keys;		/* two arrays, */
	StringInfoData docs;
	Entry	   *entries;		/* and what is in them */
	int			count;
	FILE	   *spool;			/* for the hashes of a pipe, which cannot be
								 * read again, or NULL */

	/*
	 * the documents in the table of rejected ones, when the first is looked
	 * up
	 */
	bool		rejected_read;
	Digest	   *rejected;
	int64		rejected_count;
	int64		rejected_allocated;

	/* while extra rows are looked for: the hashes of keys in these buckets */
	const bool *wanted;
	uint64	   *hashes;
	int64		hash_count;
	int64		hash_limit;
} Verify;

/*-------------------------------------------------------------------------
 * The snapshot
 *-------------------------------------------------------------------------
 */

/*
 * find_table - find out whether the tables exist
 *
 * A role needs no right to read rejected documents if there are none in the
 * file.
 */
static void
find_table(Connection *conn, Table *table)
{
	const char *const values[] = {table->target, table->side_table};
	PGresult   *result = query(conn, lengthof(values), values,
							   "SELECT to_regclass($1) IS NOT NULL, to_regclass($2) IS NOT NULL, "
							   "has_table_privilege(to_regclass($2), 'SELECT')");

	table->exists = *PQgetvalue(result, 0, 0) == 't';
	table->side_exists = *PQgetvalue(result, 0, 1) == 't';
	table->side_readable = *PQgetvalue(result, 0, 2) == 't';
	PQclear(result);
}

/*
 * take_snapshot - lock and inspect the tables, in a transaction that stays
 * open, and export its snapshot
 *
 * A table that does not exist lacks all documents.  One that cannot be
 * verified is skipped, after a message.
 */
const char *
take_snapshot(Connection *conn, Collection *collections, int count, const LoadOptions *options)
{
	PGresult   *result;
	const char *snapshot;

	begin(conn, FIND_ONLY_CATALOG);
	for (int i = 0; i < count; i++)
		find_table(conn, &collections[i].table);
	execute(conn, "COMMIT");

	/*
	 * The snapshot is taken after the locks: nobody can replace a table that
	 * is checked.
	 */
	import_snapshot(conn, NULL);
	for (int i = 0; i < count; i++)
	{
		const Table *table = &collections[i].table;

		if (table->exists)
			execute(conn, psprintf("LOCK TABLE %s IN ACCESS SHARE MODE", table->target));
		if (table->side_readable)
			execute(conn, psprintf("LOCK TABLE %s IN ACCESS SHARE MODE", table->side_table));
	}
	for (int i = 0; i < count; i++)
	{
		Collection *collection = &collections[i];
		Table	   *table = &collection->table;

		if (!check_owners(conn, table, "verified"))
			collection->skip = true;
		else if (table->exists && !read_key_type(conn, table, options, "verified"))
			collection->skip = true;
	}
	result = query(conn, 0, NULL, "SELECT pg_export_snapshot()");
	snapshot = get_value(result, 0);
	PQclear(result);
	return snapshot;
}

/*
 * import_snapshot - begin a transaction that reads this snapshot, or a new
 * one
 *
 * No statement of it needs more than SELECT, so it can run on a standby.
 */
void
import_snapshot(Connection *conn, const char *snapshot)
{
	begin(conn, psprintf("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; "
						 "%s" FIND_ONLY_CATALOG "; SET LOCAL jit = off",
						 snapshot ? psprintf("SET TRANSACTION SNAPSHOT '%s'; ", snapshot) : ""));
}

/*-------------------------------------------------------------------------
 * Statements
 *-------------------------------------------------------------------------
 */

/*
 * for_each_row - run a statement, and call the function for each row of its
 * result, of which only one is in memory
 */
static void
for_each_row(Verify *verify, const char *sql, int count, const char *const *values,
			 void (*function) (Verify *verify, const PGresult *row))
{
	Connection *conn = verify->conn;
	PGresult   *result;
	bool		complete = false;

	if (!PQsendQueryParams(conn->pg, sql, count, NULL, values, NULL, NULL, 1) ||
		!PQsetSingleRowMode(conn->pg))
		exit_with_error(conn, NULL, NULL);
	while ((result = PQgetResult(conn->pg)) != NULL)
	{
		if (PQresultStatus(result) == PGRES_SINGLE_TUPLE)
			function(verify, result);
		else if (PQresultStatus(result) != PGRES_TUPLES_OK)
			exit_with_error(conn, result, NULL);
		else
			complete = true;
		PQclear(result);
	}
	if (!complete)
		exit_with_error(conn, NULL, NULL);
}

/*
 * read_bigint - a bigint in binary format
 */
static int64
read_bigint(const char *data)
{
	uint64		value;

	memcpy(&value, data, sizeof(value));
	return (int64) pg_ntoh64(value);
}

static int32
read_int(const char *data)
{
	uint32		value;

	memcpy(&value, data, sizeof(value));
	return (int32) pg_ntoh32(value);
}

/*
 * array_length, array_element - a column that is an array of bigint in
 * binary format, or NULL
 */
static int
array_length(const PGresult *result, int column)
{
	return PQgetisnull(result, 0, column) ? 0 : read_int(PQgetvalue(result, 0, column) + 12);
}

static int64
array_element(const PGresult *result, int column, int i)
{
	return read_bigint(PQgetvalue(result, 0, column) + ARRAY_HEADER + i * 12 + 4);
}

/*
 * write_header - write the beginning of an array of so many elements
 */
static void
write_header(char *array, Oid type, int count)
{
	uint32		header[] = {
		pg_hton32(1), 0, pg_hton32(type), pg_hton32((uint32) count), pg_hton32(1)
	};

	StaticAssertStmt(sizeof(header) == ARRAY_HEADER, "an array begins differently");
	memcpy(array, header, ARRAY_HEADER);
}

/*-------------------------------------------------------------------------
 * Rejected documents
 *-------------------------------------------------------------------------
 */

static Digest
digest(const char *data, size_t length)
{
	const unsigned char *bytes = (const unsigned char *) data;

	return (Digest)
	{
		{
			hash_bytes_extended(bytes, (int) length, 0), hash_bytes_extended(bytes, (int) length, 1)
		},
			1
	};
}

static int
compare_digests(const void *left, const void *right)
{
	return memcmp(left, right, offsetof(Digest, count));
}

static void
add_rejected(Verify *verify, const PGresult *row)
{
	if (verify->rejected_count == verify->rejected_allocated)
	{
		verify->rejected_allocated = Max(1024, 2 * verify->rejected_allocated);
		verify->rejected = pg_realloc(verify->rejected,
									  verify->rejected_allocated * sizeof(Digest));
	}
	verify->rejected[verify->rejected_count++] = digest(PQgetvalue(row, 0, 0),
														PQgetlength(row, 0, 0));
}

/*
 * read_rejected - read the rejected documents of the table, once
 */
static void
read_rejected(Verify *verify)
{
	const Table *table = &verify->collection->table;
	Digest	   *rejected;
	int64		kept = 0;

	verify->rejected_read = true;
	if (!table->side_exists)
		return;
	for_each_row(verify, psprintf("SELECT raw FROM %s WHERE target = $1 AND raw IS NOT NULL",
								  table->side_table),
				 1, (const char *const *) &table->target, add_rejected);
	rejected = verify->rejected;
	if (verify->rejected_count > 0)
		qsort(rejected, verify->rejected_count, sizeof(Digest), compare_digests);
	for (int64 i = 0; i < verify->rejected_count; i++)
		if (kept > 0 && compare_digests(&rejected[i], &rejected[kept - 1]) == 0)
			rejected[kept - 1].count++;
		else
			rejected[kept++] = rejected[i];
	verify->rejected_count = kept;
}

/*
 * is_rejected - is a document in the table of rejected documents?
 *
 * A row of that stands for one document: if it is in the file once more, the
 * other one has to be equal to its row.
 */
static bool
is_rejected(Verify *verify, const char *data, size_t length)
{
	Digest		key = digest(data, length);
	Digest	   *found = NULL;

	if (!verify->rejected_read)
		read_rejected(verify);
	if (verify->rejected_count > 0)
		found = bsearch(&key, verify->rejected, verify->rejected_count, sizeof(Digest),
						compare_digests);
	return found && found->count-- > 0;
}

/*-------------------------------------------------------------------------
 * Batches
 *-------------------------------------------------------------------------
 */

/*
 * note_difference - count a difference, and store the first keys
 */
static void
note_difference(Comparison *compared, Difference kind, const char *key, int length)
{
	int64		n = compared->count[kind]++;

	if (n >= FIRST_KEYS)
		return;
	/* do not cut a character in two */
	if (length >= KEY_SIZE)
		for (length = KEY_SIZE - 1; length > 0 && ((unsigned char) key[length] & 0xc0) == 0x80;)
			length--;
	memcpy(compared->keys[kind][n], key, length);
}

/*
 * note_document - count a document of the batch that differs, is missing, or
 * is there more than once
 *
 * If it is missing, it may have been rejected.
 */
static void
note_document(Verify *verify, Difference kind, const Entry *entry)
{
	if (kind == MISSING && is_rejected(verify, entry->data, entry->length))
		verify->compared->rejected++;
	else
		note_difference(verify->compared, kind, verify->docs.data + entry->id_at,
						entry->id_length);
}

/*
 * note_refused - count a document that cannot be a row, as the message says
 */
static void
note_refused(Verify *verify, const char *data, size_t length, int64 number, const char *reason)
{
	char	   *key;

	if (verify->wanted)
		return;
	if (is_rejected(verify, data, length))
	{
		verify->compared->rejected++;
		return;
	}
	key = psprintf("document " INT64_FORMAT ": %s", number, reason);
	note_difference(verify->compared, MISSING, key, (int) strlen(key));
	pg_free(key);
}

static int
compare_hashes(const void *left, const void *right)
{
	uint64		a = *(const uint64 *) left;
	uint64		b = *(const uint64 *) right;

	return a < b ? -1 : a > b;
}

/*
 * sort_hashes - sort the hashes, and keep each once
 */
static void
sort_hashes(Verify *verify)
{
	uint64	   *hashes = verify->hashes;
	int64		kept = 0;

	qsort(hashes, verify->hash_count, sizeof(uint64), compare_hashes);
	for (int64 i = 0; i < verify->hash_count; i++)
		if (i == 0 || hashes[i] != hashes[i - 1])
			hashes[kept++] = hashes[i];
	verify->hash_count = kept;
}

/*
 * note_hash - note the hash of a key that is in the file and in the table
 *
 * There are at most half as many different ones as the limit, because that
 * many rows are in the wanted buckets.
 */
static void
note_hash(Verify *verify, uint64 hash)
{
	Bucket	   *bucket = &verify->compared->matched[hash % BUCKETS];

	if (verify->wanted == NULL)
	{
		bucket->count++;
		bucket->hashes ^= hash;
		if (verify->spool && fwrite(&hash, sizeof(hash), 1, verify->spool) != 1)
			pg_fatal("could not write to a temporary file: %m");
		return;
	}
	if (!verify->wanted[hash % BUCKETS])
		return;
	if (verify->hash_count == verify->hash_limit)
		sort_hashes(verify);
	verify->hashes[verify->hash_count++] = hash;
}

/*
 * send_slice - send the entries of the batch from one on, up to another, to
 * be compared
 */
static PGresult *
send_slice(Verify *verify, int from, int to)
{
	const Table *table = &verify->collection->table;
	bool		all = to - from == verify->count;
	StringInfo	arrays[] = {&verify->keys, &verify->docs};
	Oid			types[] = {table->id_type_oid, JSONB_OID};
	int			starts[] = {verify->entries[from].key_at, verify->entries[from].doc_at};
	int			ends[] = {verify->keys.len, verify->docs.len};
	char	   *values[2];
	int			lengths[2];
	const int	formats[] = {1, 1};
	PGresult   *result;

	if (to < verify->count)
	{
		ends[0] = verify->entries[to].key_at;
		ends[1] = verify->entries[to].doc_at;
	}
	for (int i = 0; i < 2; i++)
	{
		/* there is room for the header of all */
		lengths[i] = ARRAY_HEADER + ends[i] - starts[i];
		values[i] = all ? arrays[i]->data : pg_malloc(lengths[i]);
		write_header(values[i], types[i], to - from);
		if (!all)
			memcpy(values[i] + ARRAY_HEADER, arrays[i]->data + starts[i], ends[i] - starts[i]);
	}
	result = PQexecParams(verify->conn->pg, verify->batch_sql, verify->only_keys ? 1 : 2, NULL,
						  (const char *const *) values, lengths, formats, 1);
	for (int i = 0; i < 2 && !all; i++)
		pg_free(values[i]);
	return result;
}

/*
 * compare_slice - compare a part of the batch with the table
 *
 * If the server refuses a document of it, compare the halves.
 */
static void
compare_slice(Verify *verify, int from, int to)
{
	Comparison *compared = verify->compared;
	PGresult   *result = send_slice(verify, from, to);
	int			middle = (from + to) / 2;

	if (PQresultStatus(result) == PGRES_TUPLES_OK)
	{
		for (int i = 0; i < array_length(result, 0); i++)
			note_hash(verify, (uint64) array_element(result, 0, i));
		if (!verify->wanted)
		{
			compared->equal += to - from - array_length(result, 1) - array_length(result, 2);
			for (int column = 1; column <= 2; column++)
				for (int i = 0; i < array_length(result, column); i++)
					note_document(verify, column == 1 ? MISSING : DIFFER,
								  &verify->entries[from + array_element(result, column, i) - 1]);

			/* two rows with one key: of a table and its child, by inheritance */
			for (int i = 1; i < array_length(result, 3); i++)
				if (array_element(result, 3, i) == array_element(result, 3, i - 1))
					note_document(verify, EXTRA,
								  &verify->entries[from + array_element(result, 3, i) - 1]);
		}
		PQclear(result);
		return;
	}

	/*
	 * invalid values, constraints of a domain, too large, or cannot be
	 * allocated
	 */
	if (is_lost(verify->conn, result) ||
		!(has_state(result, "22") || has_state(result, "23") || has_state(result, "54") ||
		  has_state(result, "XX000")))
		exit_with_error(verify->conn, result, NULL);
	execute(verify->conn, "ROLLBACK TO SAVEPOINT " SAVEPOINT);
	if (to - from == 1)
		note_refused(verify, verify->entries[from].data, verify->entries[from].length,
					 verify->part->first + verify->part->documents + from + 1,
					 error_message(NULL, result));
	else
	{
		compare_slice(verify, from, middle);
		compare_slice(verify, middle, to);
	}
	PQclear(result);
}

/*
 * add_entry - add the row that the writer has, (doc, _id), to the arrays
 */
static void
add_entry(Verify *verify, const Document *document)
{
	const Writer *writer = &verify->writer;
	const char *row = writer->out.data + sizeof(int16);
	const char *end = writer->out.data + writer->out.len;
	const char *key = row + sizeof(int32) + read_int(row);

	verify->entries[verify->count++] = (Entry)
	{
		.data = document->data,.length = document->length,.key_at = verify->keys.len,
			.doc_at = verify->docs.len,.id_length = writer->id_length,
			.id_at = verify->docs.len + writer->id_at - (int) sizeof(int16)
	};
	append(&verify->docs, row, key - row);
	append(&verify->keys, key, end - key);
}

/*
 * fill_batch - fill the batch with documents of the window
 *
 * Returns how many are read; those that cannot be rows are dealt with.
 */
static int
fill_batch(Verify *verify)
{
	const Table *table = &verify->collection->table;
	Source	   *source = verify->source;
	Writer	   *writer = &verify->writer;
	IdType		type = verify->collection->progress->check.id_type;
	Document	document;
	int			read = 0;

	if (table->exists)
		type = table->id_type;
	verify->count = 0;
	verify->keys.len = verify->docs.len = ARRAY_HEADER;
	while (verify->docs.len < BATCH_BYTES && read < BATCH_DOCUMENTS &&
		   find_document(source, &document, false) == FOUND)
	{
		Verdict		verdict;

		resetStringInfo(&writer->out);
		writer->position = verify->part->first + verify->part->documents + read + 1;
		verdict = write_row(&document, type, writer);
		if (verdict == BROKEN)
		{
			note_damage(source, &source->damage, (const char *) writer->bad, "this is not BSON");
			source->next = document.data - source->window;
			break;
		}
		read++;
		if (verdict == WRITTEN)
			add_entry(verify, &document);
		else
			note_refused(verify, document.data, document.length,
						 verify->part->first + verify->part->documents + read, writer->reason);
	}
	return read;
}

/*
 * compare_window - compare the documents of the window with the table
 */
static void
compare_window(Verify *verify)
{
	const Source *source = verify->source;
	int			read;

	while ((read = fill_batch(verify)) > 0)
	{
		if (verify->collection->table.exists && verify->count > 0)
			compare_slice(verify, 0, verify->count);
		for (int i = 0; i < verify->count && !verify->collection->table.exists; i++)
			note_document(verify, MISSING, &verify->entries[i]);
		verify->part->documents += read;
		verify->part->next = source->offset + (int64) source->next;
	}
}

/*
 * compare_part - compare a part of the file, or the pipe, with the table
 *
 * Returns false if the caller ends it, or because of damage, which is
 * stored in the progress of the collection.
 */
static bool
compare_part(Verify *verify, BatchCallback may_continue, void *context)
{
	Source	   *source = verify->source;
	Document	document;

	for (;;)
	{
		if (!may_continue(context))
			return false;
		move_window(source);
		if (find_document(source, &document, true) != FOUND || source->damage.what[0])
			break;
		source->next = 0;
		compare_window(verify);
	}
	if (!source->input->stream && source->at_end &&
		source->offset + (int64) source->filled < verify->part->end)
		note_damage(source, &source->damage, source->window + source->filled,
					"the file has become shorter");
	if (source->damage.what[0])
		verify->collection->progress->damage = source->damage;
	return source->damage.what[0] == '\0';
}

/*
 * start_batches - prepare for batches that this statement compares
 *
 * The plan looks up each key by the index: the server does not know how few
 * documents there are.
 */
static void
start_batches(Verify *verify, const char *sql)
{
	const Table *table = &verify->collection->table;

	start_writer(&verify->writer);
	initStringInfo(&verify->keys);
	initStringInfo(&verify->docs);
	verify->entries = pg_malloc(BATCH_DOCUMENTS * sizeof(Entry));
	verify->writer.ids = verify->ids;
	if (!table->exists)
		return;
	verify->batch_sql = fill_in(sql, table);
	verify->only_keys = sql == verify_keys_sql;
	execute(verify->conn, "SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; "
			"SET LOCAL enable_seqscan = off; SET LOCAL max_parallel_workers_per_gather = 0; "
			"SAVEPOINT " SAVEPOINT);
}

static void
end_batches(Verify *verify)
{
	pfree(verify->writer.out.data);
	pfree(verify->keys.data);
	pfree(verify->docs.data);
	pg_free(verify->entries);
	pg_free(verify->rejected);
	verify->rejected = NULL;
	verify->rejected_read = false;
	verify->rejected_count = verify->rejected_allocated = 0;
}

static void
add_bucket(Verify *verify, const PGresult *row)
{
	verify->compared->rows[read_bigint(PQgetvalue(row, 0, 0))] = (Bucket)
	{
		read_bigint(PQgetvalue(row, 0, 1)), (uint64) read_bigint(PQgetvalue(row, 0, 2))
	};
}

/*
 * verify_part - compare a part of a file, or a pipe, which is open, with the
 * table
 *
 * The first part also reads all keys of the table.  The result is stored in
 * collection->compared.
 */
void
verify_part(Connection *conn, const Collection *collection, int part, Source *pipe, FILE *spool,
			bool generate_id, BatchCallback may_continue, void *context)
{
	Progress   *progress = collection->progress;
	const Table *table = &collection->table;
	Verify		verify = {
		.conn = conn,.collection = collection,.compared = &collection->compared[part],
		.part = &progress->part[part],.spool = spool,
		.ids = generate_id ? &progress->check.ids : NULL,
		.source = pipe ? pipe : pg_malloc(sizeof(Source))
	};

	if (part == 0 && table->exists)
		for_each_row(&verify, fill_in("SELECT hash & 255, count(*), bit_xor(hash) FROM "
									  "(SELECT hash_record_extended(ROW(_id), 0) AS hash "
									  "FROM {table}) AS hashed GROUP BY 1", table),
					 0, NULL, add_bucket);
	if (!pipe)
	{
		open_source(verify.source, &collection->input);
		seek_source(verify.source, verify.part->start, verify.part->end, progress->check.layout);
	}
	start_batches(&verify, verify_batch_sql);
	if (!compare_part(&verify, may_continue, context))
		return;
	verify.part->complete = true;
	end_batches(&verify);
	close_source(verify.source);
}

/*-------------------------------------------------------------------------
 * Extra rows
 *-------------------------------------------------------------------------
 */

/*
 * choose_buckets - choose buckets, from the next one on, whose rows in the
 * table are not all in the file, as many as fit into memory
 *
 * Returns how many rows are in them.
 */
static int64
choose_buckets(const Collection *collection, int *next, bool *wanted)
{
	int64		rows = 0;

	memset(wanted, 0, BUCKETS * sizeof(bool));
	for (; *next < BUCKETS; ++*next)
	{
		const Bucket *bucket = &collection->compared->rows[*next];
		Bucket		matched = {0};

		for (int i = 0; i < collection->progress->parts; i++)
		{
			matched.count += collection->compared[i].matched[*next].count;
			matched.hashes ^= collection->compared[i].matched[*next].hashes;
		}
		if (matched.count == bucket->count && matched.hashes == bucket->hashes)
			continue;
		if (rows > 0 && rows + bucket->count > MAX_HASHES)
			break;
		rows += bucket->count;
		wanted[*next] = true;
	}
	return rows;
}

/*
 * read_hashes - read the hashes of wanted keys from the file or the pipe's
 * temporary file
 */
static bool
read_hashes(Verify *verify, FILE *spool, BatchCallback may_continue, void *context)
{
	const Collection *collection = verify->collection;
	uint64		hash;
	bool		ok;

	if (spool)
	{
		rewind(spool);
		while (fread(&hash, sizeof(hash), 1, spool) == 1)
			note_hash(verify, hash);
		if (ferror(spool))
			pg_fatal("could not read a temporary file: %m");
		return true;
	}
	open_source(verify->source, &collection->input);
	seek_source(verify->source, 0, verify->part->end, collection->progress->check.layout);
	start_batches(verify, verify_keys_sql);
	ok = compare_part(verify, may_continue, context);
	end_batches(verify);
	close_source(verify->source);
	return ok;
}

static void
note_extra(Verify *verify, const PGresult *row)
{
	uint64		hash = (uint64) read_bigint(PQgetvalue(row, 0, 0));

	if (verify->hash_count == 0 ||
		!bsearch(&hash, verify->hashes, verify->hash_count, sizeof(uint64), compare_hashes))
		note_difference(verify->compared, EXTRA, PQgetvalue(row, 0, 1), PQgetlength(row, 0, 1));
}

/*
 * find_extra - find the rows of the table whose keys are not in the file
 *
 * Usually the sums of all buckets are the same, and there are none.  Returns
 * false as compare_part() does.
 */
bool
find_extra(Connection *conn, const Collection *collection, FILE *spool, bool generate_id,
		   BatchCallback may_continue, void *context)
{
	bool		wanted[BUCKETS];
	int			next = 0;
	int64		rows;

	while ((rows = choose_buckets(collection, &next, wanted)) > 0)
	{
		Source		source;
		Part		part = {.end = collection->progress->check.size};
		Verify		verify = {
			.conn = conn,.collection = collection,.compared = collection->compared,
			.source = &source,.part = &part,
			.ids = generate_id ? &collection->progress->check.ids : NULL,
			.wanted = wanted,.hash_limit = 2 * rows
		};
		StringInfoData list;

		verify.hashes = pg_malloc(verify.hash_limit * sizeof(uint64));
		if (!read_hashes(&verify, spool, may_continue, context))
			return false;
		sort_hashes(&verify);
		initStringInfo(&list);
		for (int i = 0; i < BUCKETS; i++)
			if (wanted[i])
				appendStringInfo(&list, "%c%d", list.len > 0 ? ',' : '{', i);
		appendStringInfoChar(&list, '}');
		execute(conn, "SET LOCAL enable_seqscan = on");
		for_each_row(&verify,
					 fill_in("SELECT hash_record_extended(ROW(_id), 0), "
							 "coalesce(doc -> '_id', to_jsonb(_id::text))::text FROM {table} "
							 "WHERE hash_record_extended(ROW(_id), 0) & 255 = ANY ($1::bigint[])",
							 &collection->table),
					 1, (const char *const *) &list.data, note_extra);
		pg_free(verify.hashes);
		pfree(list.data);
	}
	return true;
}

/*-------------------------------------------------------------------------
 * Documents that were loaded before
 *-------------------------------------------------------------------------
 */

/*
 * count_lost - how many documents that were loaded of a file are neither in
 * the table nor in that of rejected documents
 *
 * A table with keys of another type has none of them.
 */
int64
count_lost(Connection *conn, Collection *collection, const LoadOptions *options,
		   BatchCallback may_continue, void *context)
{
	const Progress *progress = collection->progress;
	Table	   *table = &collection->table;
	IdType		id_type = table->id_type;
	Comparison *compared = pg_malloc0(sizeof(Comparison));
	int64		lost;

	import_snapshot(conn, NULL);
	find_table(conn, table);
	if (table->exists)
		table->exists = read_key_type(conn, table, options, "verified") &&
			table->id_type == id_type;
	for (int i = 0; i < progress->parts; i++)
	{
		Part		part = progress->part[i];
		Source		source;
		Verify		verify = {
			.conn = conn,.collection = collection,.compared = compared,
			.part = &part,.source = &source,
			.ids = options->generate_id ? &progress->check.ids : NULL
		};

		part.end = part.next;
		part.documents = 0;
		open_source(&source, &collection->input);
		seek_source(&source, part.start, part.end, progress->check.layout);
		start_batches(&verify, verify_keys_sql);
		if (!compare_part(&verify, may_continue, context))
			break;
		end_batches(&verify);
		close_source(&source);
	}
	execute(conn, "COMMIT");
	lost = compared->count[MISSING];
	pg_free(compared);
	return lost;
}
