/*-------------------------------------------------------------------------
 *
 * compare.c
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

#include "command.h"
#include "common/hashfn.h"
#include "load.h"
#include "message.h"
#include "port/pg_bswap.h"

#include "list_keys.inc"
#include "sum_keys.inc"
#include "verify_batch.inc"

/* what is sent to the server at a time, unless one document is larger */
#define BATCH_BYTES (1024 * 1024)
#define BATCH_DOCUMENTS 10000

#define JSONB_OID 3802

/* after a document that the server refuses, the transaction goes on from here */
#define SAVEPOINT "objectid_import_verify"

/* what is known of a hash: a table of these is in memory */
typedef struct Hash
{
	uint64		hash;
	int64		value;
	char		status;
} Hash;

#define SH_PREFIX hashes
#define SH_ELEMENT_TYPE Hash
#define SH_KEY_TYPE uint64
#define SH_KEY hash
/* those of a bucket have the same low bits */
#define SH_HASH_KEY(table, key) ((uint32) ((key) >> 32))
#define SH_EQUAL(table, a, b) ((a) == (b))
#define SH_SCOPE static inline
#define SH_RAW_ALLOCATOR pg_malloc0
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

/* a document of a batch */
typedef struct Entry
{
	const char *data;			/* in the window of the source */
	size_t		length;
	int			at[2];			/* where it is in the arrays, */
	int			id_at;			/* and its _id as JSON in the second one */
	int			id_length;
} Entry;

typedef struct Verify
{
	PGconn	   *conn;
	const Collection *collection;
	Comparison *compared;
	Part	   *part;
	Rows	   *rows;
	const char *batch_sql;
	bool		only_keys;		/* are compared by it */
	StringInfoData arrays[2];	/* a batch: its keys, its documents */
	Entry	   *entries;
	int			count;
	/* how often documents are among rejected ones; NULL: not read */
	hashes_hash *rejected;

	/* while extra rows are looked for: keys of the file in these buckets */
	const bool *wanted;
	hashes_hash *found;
} Verify;

/*
 * take_snapshot - lock the tables, in a transaction that stays open, and export its snapshot.  A
 * table that does not exist lacks all documents.
 */
const char *
take_snapshot(PGconn *conn)
{
	/* after the locks: nobody can replace what is checked */
	import_snapshot(conn, NULL);
	for_each_collection(collection)
	{
		const Table *table = &collection->table;

		if (table->exists)
			execute(conn, psprintf("LOCK TABLE %s IN ACCESS SHARE MODE", table->target));
		else if (collection->progress->state == PENDING)
			pg_log_error("table %s does not exist", table->target);
		if (table->side_readable)
			execute(conn, psprintf("LOCK TABLE %s IN ACCESS SHARE MODE", table->side_table));
	}
	return query_value(conn, 0, NULL, "SELECT pg_export_snapshot()");
}

/*
 * import_snapshot - begin a transaction that reads this snapshot, or a new one.  No statement of
 * it needs more than SELECT, so it can run on a standby.
 */
void
import_snapshot(PGconn *conn, const char *snapshot)
{
	begin(conn, psprintf("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; "
						 "%s" FIND_ONLY_CATALOG "; SET LOCAL jit = off",
						 snapshot ? psprintf("SET TRANSACTION SNAPSHOT '%s'; ", snapshot) : ""));
}

/*
 * Run a statement, and call the function for each row of its result, of which only one is in
 * memory.
 */
static void
for_each_row(Verify *verify, const char *sql, int count, const char *const *values,
			 void (*function) (Verify *verify, const PGresult *row))
{
	PGconn	   *conn = verify->conn;
	PGresult   *result;
	bool		complete = false;

	if (!PQsendQueryParams(conn, sql, count, NULL, values, NULL, NULL, 1) ||
		!PQsetSingleRowMode(conn))
		fail(conn, NULL, NULL, NULL);
	while ((result = PQgetResult(conn)) != NULL)
	{
		if (PQresultStatus(result) == PGRES_SINGLE_TUPLE)
			function(verify, result);
		else if (PQresultStatus(result) != PGRES_TUPLES_OK)
			fail(conn, result, NULL, NULL);
		else
			complete = true;
		PQclear(result);
	}
	if (!complete)
		fail(conn, NULL, NULL, NULL);
}

/* a bigint in binary format */
static int64
read_bigint(const char *data)
{
	uint64		value;

	memcpy(&value, data, sizeof(value));
	return (int64) pg_ntoh64(value);
}

static void
add_rejected(Verify *verify, const PGresult *row)
{
	bool		found;
	uint64		hash = hash_bytes_extended((const unsigned char *) PQgetvalue(row, 0, 0),
										   PQgetlength(row, 0, 0), 0);
	Hash	   *rejected = hashes_insert(verify->rejected, hash, &found);

	rejected->value = found ? rejected->value + 1 : 1;
}

/*
 * Take a document from the table of rejected ones.  Returns false if it is not there: a row stands
 * for one document, and if it is in the file once more, the other one has to be equal to its row.
 */
static bool
take_rejected(Verify *verify, const char *data, size_t length)
{
	const Table *table = &verify->collection->table;
	const char *const values[] = {table->target, table->run.number};
	Hash	   *found;

	/* without a run, those of all files */
	if (verify->rejected == NULL)
	{
		verify->rejected = hashes_create(64, NULL);
		if (table->side_exists)
			for_each_row(verify, fill_in("SELECT raw FROM {side} "
										 "WHERE target = $1 AND raw IS NOT NULL "
										 "AND run IS NOT DISTINCT FROM coalesce($2, run)",
										 table),
						 lengthof(values), values, add_rejected);
	}
	found = hashes_lookup(verify->rejected,
						  hash_bytes_extended((const unsigned char *) data, (int) length, 0));
	return found && found->value-- > 0;
}

/* count a result, and store the first keys */
static void
note(Comparison *compared, Result kind, const char *key, int length)
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

/* Count a document of the batch.  If it is missing, it may have been rejected. */
static void
note_document(Verify *verify, Result kind, const Entry *entry)
{
	if (kind == MISSING && take_rejected(verify, entry->data, entry->length))
		kind = ONLY_REJECTED;
	note(verify->compared, kind, verify->arrays[1].data + entry->id_at, entry->id_length);
}

/* count a document that cannot be a row, as the message says */
static void
note_refused(Verify *verify, const char *data, size_t length, int n, const char *reason)
{
	char	   *key = psprintf("document " INT64_FORMAT ": %s",
							   verify->part->first + verify->part->documents + n, reason);

	note(verify->compared, take_rejected(verify, data, length) ? ONLY_REJECTED : MISSING, key,
		 (int) strlen(key));
	pg_free(key);
}

/* note the hash of a key that is in the file and in the table */
static void
note_hash(Verify *verify, uint64 hash)
{
	Bucket	   *bucket = &verify->compared->matched[hash % BUCKETS];
	bool		found;

	bucket->count++;
	bucket->high += (int32) (hash >> 32);
	bucket->low += (int32) hash;
	if (verify->wanted && verify->wanted[hash % BUCKETS])
		hashes_insert(verify->found, hash, &found);
}

/*
 * Send the entries of the batch from one on, up to another, to be compared, as arrays in binary
 * format.
 */
static PGresult *
send_slice(Verify *verify, int from, int to)
{
	const uint32 types[] = {verify->collection->table.key.type_oid, JSONB_OID};
	const int	formats[] = {1, 1};
	const char *values[] = {NULL, NULL};
	int			lengths[2];
	PGresult   *result;

	for (int i = 0; i < (verify->only_keys ? 1 : 2); i++)
	{
		StringInfo	array = &verify->arrays[i];
		int			start = verify->entries[from].at[i];
		int			end = to < verify->count ? verify->entries[to].at[i] : array->len;
		uint32		header[] = {	/* one dimension, no NULL, from 1 on */
			pg_hton32(1), 0, pg_hton32(types[i]), pg_hton32((uint32) (to - from)), pg_hton32(1)
		};
		char	   *value = pg_malloc(sizeof(header) + end - start);

		memcpy(value, header, sizeof(header));
		memcpy(value + sizeof(header), array->data + start, end - start);
		values[i] = value;
		lengths[i] = (int) sizeof(header) + end - start;
	}
	result = PQexecParams(verify->conn, verify->batch_sql, 2, NULL, values, lengths, formats,
						  1);
	pg_free((char *) values[0]);
	pg_free((char *) values[1]);
	return result;
}

/*
 * Compare a part of the batch with the table.  If the server refuses a document of it, compare
 * the halves.
 */
static void
compare_slice(Verify *verify, int from, int to)
{
	PGresult   *result = send_slice(verify, from, to);
	int			middle = (from + to) / 2;
	int64		last = 0;

	if (PQresultStatus(result) == PGRES_TUPLES_OK)
		for (int at = 0; at < PQgetlength(result, 0, 0); at += 2 * sizeof(int64))
		{
			const char *data = PQgetvalue(result, 0, 0) + at;
			int64		n = read_bigint(data) / 4;
			Result		kind = (Result) (read_bigint(data) % 4);

			if (kind != MISSING)
				note_hash(verify, (uint64) read_bigint(data + sizeof(int64)));

			/* two rows with one key: of a table and its child, by inheritance */
			note_document(verify, n == last ? EXTRA : kind, &verify->entries[from + n - 1]);
			last = n;
		}
	else if (is_lost(verify->conn, result) ||
			 !(has_state(result, "22") || has_state(result, "23") || has_state(result, "54") ||
			   has_state(result, "XX000")))
		fail(verify->conn, result, NULL, NULL);
	else
	{
		/* invalid, refused by a domain, too large, or not to be allocated */
		execute(verify->conn, "ROLLBACK TO SAVEPOINT " SAVEPOINT);
		if (to - from == 1)
			note_refused(verify, verify->entries[from].data, verify->entries[from].length, from + 1,
						 error_message(NULL, result));
		else
		{
			compare_slice(verify, from, middle);
			compare_slice(verify, middle, to);
		}
	}
	PQclear(result);
}

/* add the row that the writer has, (doc, _id), to the arrays */
static void
add_entry(Verify *verify, const Document *document)
{
	const Writer *writer = &verify->rows->writer;
	StringInfo	keys = &verify->arrays[0];
	StringInfo	docs = &verify->arrays[1];
	const char *row = writer->out.data + sizeof(int16);
	const char *end = writer->out.data + writer->out.len;
	uint32		length;

	memcpy(&length, row, sizeof(length));
	length = pg_ntoh32(length) + sizeof(length);
	verify->entries[verify->count++] = (Entry)
	{
		.data = document->data,.length = document->length,.at =
		{
			keys->len, docs->len
		},
			.id_at = docs->len + writer->id_at - (int) sizeof(int16),.id_length = writer->id_length
	};
	append(docs, row, length);
	append(keys, row + length, end - row - length);
}

/*
 * Fill the batch with documents of the window.  Returns how many are read; those that cannot be
 * rows are dealt with.
 */
static int
fill_batch(Verify *verify)
{
	Rows	   *rows = verify->rows;
	StringInfo	out = &rows->writer.out;
	Document	document;
	int			read = 0;

	verify->count = verify->arrays[0].len = verify->arrays[1].len = 0;
	while (verify->arrays[1].len < BATCH_BYTES && read < BATCH_DOCUMENTS)
	{
		resetStringInfo(out);
		if (next_row(rows, false, NO_NUMBER, &document) != FOUND)
			break;
		read++;
		if (rows->writer.reason[0])
			note_refused(verify, document.data, document.length, read, rows->writer.reason);
		else
			add_entry(verify, &document);
	}
	return read;
}

/*
 * Compare a part of the file with the table.  The plan looks up each key by the
 * index: the server does not know how few documents there are.  Returns false if the caller ends
 * it, or because of damage, which is stored in the progress of the collection.
 */
static bool
compare_part(Verify *verify)
{
	const Collection *collection = verify->collection;
	const Table *table = &collection->table;
	Progress   *progress = collection->progress;
	Part	   *part = verify->part;
	bool		complete = false;
	bool		found;

	verify->rows = open_rows(collection, part,
							 table->exists ? table->key.type : progress->check.id_type);
	initStringInfo(&verify->arrays[0]);
	initStringInfo(&verify->arrays[1]);
	verify->entries = pg_malloc(BATCH_DOCUMENTS * sizeof(Entry));
	if (table->exists)
	{
		verify->batch_sql = fill_in(verify_batch_sql, table);
		execute(verify->conn, "SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; "
				"SET LOCAL enable_seqscan = off; SET LOCAL max_parallel_workers_per_gather = 0; "
				"SAVEPOINT " SAVEPOINT);
	}
	while (!complete && !interrupted &&
		   move_on(verify->rows, progress, part, &found))
	{
		complete = !found;
		for (int read; found && (read = fill_batch(verify)) > 0;)
		{
			if (table->exists && verify->count > 0)
				compare_slice(verify, 0, verify->count);
			for (int i = 0; i < verify->count && !table->exists; i++)
				note_document(verify, MISSING, &verify->entries[i]);
			part->documents += read;
			part->next = verify->rows->source.offset + (int64) verify->rows->source.next;
		}
	}
	pfree(verify->arrays[0].data);
	pfree(verify->arrays[1].data);
	pg_free(verify->entries);
	if (verify->rejected)
		hashes_destroy(verify->rejected);
	return complete;
}

static void
store_bucket(Verify *verify, const PGresult *row)
{
	verify->compared->rows[read_bigint(PQgetvalue(row, 0, 0))] = (Bucket)
	{
		read_bigint(PQgetvalue(row, 0, 1)), read_bigint(PQgetvalue(row, 0, 2)),
			read_bigint(PQgetvalue(row, 0, 3))
	};
}

/*
 * verify_part - compare a part of a file with the table.  The first part also reads all keys of
 * the table.  The result is stored in collection->compared.
 */
void
verify_part(PGconn *conn, const Collection *collection, int part)
{
	const Table *table = &collection->table;
	Verify		verify = {
		.conn = conn,.collection = collection,.compared = &collection->compared[part],
		.part = &collection->progress->part[part]
	};

	if (part == 0 && table->exists)
		for_each_row(&verify, fill_in(sum_keys_sql, table), 0, NULL, store_bucket);
	verify.part->complete = compare_part(&verify);
}

/*
 * Choose buckets, from the next one on, whose rows in the table are not all in the file, as many
 * as fit into memory.  Returns them as an array of SQL, or NULL if there are no more.
 */
static char *
choose_buckets(const Collection *collection, int *next, bool *wanted)
{
	const int64 most = (int64) window_bytes() / 5;	/* hashes in memory */
	StringInfoData list;
	int64		rows = 0;

	initStringInfo(&list);
	memset(wanted, 0, BUCKETS * sizeof(bool));
	for (; *next < BUCKETS; ++*next)
	{
		Bucket		bucket = collection->compared->rows[*next];
		int64		count = bucket.count;

		for (int i = 0; i < collection->progress->parts; i++)
		{
			bucket.count -= collection->compared[i].matched[*next].count;
			bucket.high -= collection->compared[i].matched[*next].high;
			bucket.low -= collection->compared[i].matched[*next].low;
		}
		if (bucket.count == 0 && bucket.high == 0 && bucket.low == 0)
			continue;
		if (rows > 0 && rows + count > most)
			break;
		rows += count;
		wanted[*next] = true;
		appendStringInfo(&list, "%c%d", list.len > 0 ? ',' : '{', *next);
	}
	appendStringInfoChar(&list, '}');
	return rows > 0 ? list.data : NULL;
}

static void
note_extra(Verify *verify, const PGresult *row)
{
	if (!hashes_lookup(verify->found, (uint64) read_bigint(PQgetvalue(row, 0, 0))))
		note(verify->collection->compared, EXTRA, PQgetvalue(row, 0, 1), PQgetlength(row, 0, 1));
}

/*
 * find_extra - find the rows of the table whose keys are not in the file.  Usually the sums of
 * all buckets are the same, and there are none.  If the caller ends it, the rest is not found.
 */
void
find_extra(PGconn *conn, Collection *collection)
{
	bool		wanted[BUCKETS];
	const char *list;
	int			next = 0;
	bool		complete = true;

	while (complete && (list = choose_buckets(collection, &next, wanted)) != NULL)
	{
		Part		part = {.end = collection->progress->check.size};
		Verify		verify = {
			.conn = conn,.collection = collection,.compared = pg_malloc0(sizeof(Comparison)),
			.part = &part,.only_keys = true,.rejected = hashes_create(1, NULL),
			.wanted = wanted,.found = hashes_create(1024, NULL)
		};

		complete = compare_part(&verify);
		execute(conn, "SET LOCAL enable_seqscan = on");
		if (complete)
			for_each_row(&verify, fill_in(list_keys_sql, &collection->table), 1, &list, note_extra);
		hashes_destroy(verify.found);
		pg_free(verify.compared);
	}
}

/*
 * check_loaded - give up if a document that was loaded of a file is neither in the table nor in
 * that of rejected documents.  A table with keys of another type has none of them.
 */
void
check_loaded(PGconn *conn, Collection *collection)
{
	const Progress *progress = collection->progress;
	Table	   *table = &collection->table;
	IdType		id_type = table->key.type;
	Comparison *compared = pg_malloc0(sizeof(Comparison));

	import_snapshot(conn, NULL);
	read_key_type(conn, table);
	table->exists = table->key.type == id_type;
	for (int i = 0; i < progress->parts; i++)
	{
		const Part *loaded = &progress->part[i];
		Part		part = {
			.next = loaded->start,.end = loaded->complete ? loaded->end : loaded->next,
			.first = loaded->first
		};
		Verify		verify = {
			.conn = conn,.collection = collection,.compared = compared,.part = &part,
			.only_keys = true
		};

		if (!compare_part(&verify))
		{
			pg_log_error("not all of \"%s\" could be compared with table %s",
						 collection->input.name, table->target);
			give_up();
		}
	}
	execute(conn, "COMMIT");
	if (compared->count[MISSING] > 0)
		report_lost(collection, int64_text(compared->count[MISSING]));
	pg_free(compared);
}
