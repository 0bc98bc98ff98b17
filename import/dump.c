/*-------------------------------------------------------------------------
 *
 * dump.c
 *	  From the argument to collections: a file, standard input, or a directory
 *	  that mongodump made.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <dirent.h>
#include <fnmatch.h>
#include <libgen.h>
#include <sys/stat.h>

#include "command.h"
#include "mb/pg_wchar.h"

/* what a file contains, as its name says */
typedef enum Content
{
	METADATA, BSON_DATA, JSON_DATA,
	OTHER_DATA,					/* of a format that this program does not read */
	NOT_DATA
} Content;

static Collection *collections;
static int	used;
static int	seen;				/* those used, and those that patterns leave
								 * out */
static bool complete = true;	/* no data is left out */

/* A name that PostgreSQL does not cut: a long one ends in its checksum. */
static char *
shorten(const char *name, const char *suffix)
{
	int			room = NAMEDATALEN - 1 - strlen(suffix);
	int			kept = room - 9;
	pg_crc32c	checksum;

	if ((int) strlen(name) <= room)
		return psprintf("%s%s", name, suffix);
	while (kept > 0 && ((unsigned char) name[kept] & 0xc0) == 0x80)
		kept--;
	INIT_CRC32C(checksum);
	COMP_CRC32C(checksum, name, strlen(name));
	FIN_CRC32C(checksum);
	return psprintf("%.*s_%08x%s", kept, name, checksum, suffix);
}

/* The last name in a path, also if that is "." or ".." */
const char *
directory_name(const char *path)
{
	const char *name = basename(pg_strdup(path));
	char	   *whole = strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ? realpath(path, NULL) : NULL;

	return whole ? basename(whole) : name;
}

/* Undo what mongodump does to characters that a file name cannot have. */
static char *
decode(const char *name, size_t length)
{
	char	   *result = pnstrdup(name, length);
	char	   *out = result;
	unsigned int c;

	for (const char *in = result; *in; in++)
		if (*in == '%' && strspn(in + 1, "0123456789abcdefABCDEF") >= 2 && sscanf(in + 1, "%2x", &c) == 1 && c != 0)
		{
			*out++ = (char) c;
			in += 2;
		}
		else
			*out++ = *in;
	*out = '\0';
	return result;
}

/* Classify a file by its name.  Sets *length to the length of the collection name in it, or to 0. */
static Content
classify_name(const char *name, int *length)
{
	static const char *const endings[] = {".metadata.json", ".bson", ".json"};
	static const char *const data[] = {".bson", ".json", ".csv", ".tsv", ".archive"};
	const char *found;

	*length = 0;
	if (name[0] == '.' || strncmp(name, "prelude.json", 12) == 0)
		return NOT_DATA;
	for (size_t i = 0; i < 2 * lengthof(endings); i++)
	{
		const char *ending = psprintf("%s%s", endings[i / 2], i % 2 ? ".gz" : "");
		int			left = (int) strlen(name) - (int) strlen(ending);

		if (left <= 0 || strcmp(name + left, ending) != 0)
			continue;
		*length = left;
		return (Content) (i / 2);
	}
	for (size_t i = 0; i < lengthof(data); i++)
		if ((found = strcasestr(name, data[i])) != NULL)
		{
			*length = found - name;
			return OTHER_DATA;
		}
	return NOT_DATA;
}

/* A collection in a file, the length of whose path without endings is known */
static Collection *
add_collection(const char *path, int length, bool json)
{
	static const char *const endings[] = {".metadata.json", ".metadata.json.gz"};
	Collection *collection;
	struct stat status = {.st_mode = 0};

	if (strcmp(path, "-") != 0 && stat(path, &status) != 0)
		pg_fatal("could not open file \"%s\": %m", path);
	collections = pg_realloc(collections, (used + 1) * sizeof(Collection));
	collection = &collections[used++];
	*collection = (Collection)
	{
		.input =
		{
			path, basename(pg_strdup(path)), json, !S_ISREG(status.st_mode), status
		},
			.table.schema = options.schema ? pg_strdup(options.schema) : NULL
	};
	for (size_t i = 0; i < lengthof(endings) && length > 0 && collection->metadata == NULL; i++)
	{
		collection->metadata = psprintf("%.*s%s", length, path, endings[i]);
		if (access(collection->metadata, R_OK) != 0)
			collection->metadata = NULL;
	}
	return collection;
}

/* Exit, because of a file that cannot be loaded so. */
static void
refuse(const char *what, const char *path, const char *hint)
{
	pg_log_error(what, strcmp(path, "-") == 0 ? "standard input" : psprintf("file \"%s\"", path));
	pg_log_error_hint("%s", psprintf(hint, path));
	exit(1);
}

static bool
is_utf8(const char *text)
{
	return pg_encoding_verifymbstr(PG_UTF8, text, strlen(text)) == (int) strlen(text);
}

/* A single file, or standard input */
static void
add_file(const char *path)
{
	const char *name = basename(pg_strdup(path));
	int			length;
	Content		content = classify_name(name, &length);
	bool		known = content == BSON_DATA || content == JSON_DATA;
	Collection *collection = add_collection(path, known ? length + strlen(path) - strlen(name) : 0, content == JSON_DATA);
	char		start[4];
	gzFile		file;

	if (!is_utf8(name))
		refuse("the name of %s is not UTF-8", path, "Rename it.");
	if (!collection->input.stream && (file = gzopen(path, "rb")) != NULL)
	{
		if (gzread(file, start, 4) == 4 && memcmp(start, "\x6d\xe2\x99\x81", 4) == 0)
			refuse("%s is an archive of mongodump", path, gzdirect(file) ?
				   "Restore it into a MongoDB server, and dump that: mongorestore --archive=%s && mongodump --out=DIRECTORY" :
				   "Restore it into a MongoDB server, and dump that: mongorestore --gzip --archive=%s && mongodump --out=DIRECTORY");
		gzclose(file);
	}
	if (options.format)
		collection->input.json = strcmp(options.format, "json") == 0;
	else if (content == OTHER_DATA && (strcasestr(name, ".csv") || strcasestr(name, ".tsv")))
		refuse("%s is not BSON or JSON", path, "Export the collection with mongoexport --type=json.");
	else if (!known)
		refuse("the format of %s is unknown", path, "Use --format=bson or --format=json.");
	if (options.load.table == NULL && !known)
		refuse("no table is specified for %s", path, "Use --table.");
	if (options.load.table == NULL)
	{
		collection->table.name = shorten(pnstrdup(name, length), "");
		collection->table.side_name = shorten(collection->table.name, "_rejected");
	}
}

/* Does a pattern match the collection, with or without its database, or, if it has the file's ending, the file? */
static bool
matches(const SimpleStringList *patterns, const char *database, const char *name, const char *file, int length)
{
	char	   *both = psprintf("%s.%s", database, name);
	int			ending = strlen(file) - length;

	for (const SimpleStringListCell *cell = patterns->head; cell; cell = cell->next)
		if (fnmatch(cell->val, both, 0) == 0 || fnmatch(cell->val, name, 0) == 0 ||
			((int) strlen(cell->val) >= ending && strcmp(cell->val + strlen(cell->val) - ending, file + length) == 0 &&
			 fnmatch(cell->val, file, 0) == 0))
			return true;
	return false;
}

static bool
is_wanted(const char *database, const char *name, const char *file, int length)
{
	return (!options.include.head || matches(&options.include, database, name, file, length)) &&
		!matches(&options.exclude, database, name, file, length);
}

/* Name a file that is not loaded.  If it looks like data, the program fails. */
static void
skip_file(const char *path, bool is_data, const char *reason)
{
	if (is_data)
		pg_log_error("\"%s\" is not loaded: %s", path, reason);
	else
		pg_log_info("\"%s\" is skipped: %s", path, reason);
	complete &= !is_data;
}

/* A metadata file: is the file of its collection there? */
static void
check_metadata(const char *path, int length)
{
	static const char *const suffixes[] = {".bson", ".bson.gz", ".json", ".json.gz"};
	bson_t	   *metadata;
	bson_iter_t iter;
	bson_iter_t found;

	for (size_t i = 0; i < lengthof(suffixes); i++)
		if (access(psprintf("%.*s%s", length, path, suffixes[i]), F_OK) == 0)
			return;
	metadata = read_metadata(path);
	if (metadata && bson_iter_init(&iter, metadata) && bson_iter_find_descendant(&iter, "options.viewOn", &found))
		skip_file(path, false, "it describes a view");
	else if (!metadata || !bson_iter_init(&iter, metadata) || !bson_iter_find_descendant(&iter, "options.timeseries", &found))
		skip_file(path, true, "the documents of this collection are missing");
	bson_destroy(metadata);
}

/* A file of a database's directory, or what has the name of one: then "problem" says what is wrong with it */
static void
add_member(const char *path, const char *file, const char *database, const char *problem)
{
	int			length;
	Content		content = classify_name(file, &length);
	char	   *name = decode(file, length);
	int			path_length = length + strlen(path) - strlen(file);
	Collection *collection;
	bson_t	   *metadata;
	bson_iter_t iter;

	/* names of tables and in tables are UTF-8 */
	if (problem == NULL && (!is_utf8(name) || !is_utf8(database) || !is_utf8(file)))
		problem = "its name is not UTF-8";
	if (strncmp(name, "system.buckets.", 15) == 0)
		pg_log_warning("time series collection \"%s\" is skipped; export it with mongoexport", name + 15);
	else if (strncmp(name, "system.", 7) == 0 && content != METADATA)
		skip_file(path, false, "MongoDB uses it internally");
	else if (content == NOT_DATA && strncmp(file, "prelude.json", 12) != 0)
		skip_file(path, false, problem ? problem : "its name does not look like data");
	if (strncmp(name, "system.", 7) == 0 || content == NOT_DATA)
		return;
	if (content == METADATA || content == OTHER_DATA || problem)
	{
		if (!is_wanted(database, name, file, length))
			return;
		if (content == METADATA)
			check_metadata(path, path_length);
		else
			skip_file(path, true, problem ? problem : "its name does not end in .bson, .json, .bson.gz or .json.gz");
		return;
	}
	seen++;
	collection = add_collection(path, path_length, content == JSON_DATA);
	metadata = collection->metadata ? read_metadata(collection->metadata) : NULL;
	if (metadata == NULL)
		collection->metadata = NULL;
	/* mongodump cuts long file names */
	if (metadata && bson_iter_init_find(&iter, metadata, "collectionName") && BSON_ITER_HOLDS_UTF8(&iter))
		name = pg_strdup(bson_iter_utf8(&iter, NULL));
	bson_destroy(metadata);
	if (!is_wanted(database, name, file, length))
	{
		used--;
		return;
	}
	if (collection->table.schema == NULL)
		collection->table.schema = shorten(database, "");
	collection->table.name = shorten(name, "");
	collection->table.side_name = shorten(collection->table.name, "_rejected");
	if (strcmp(collection->table.name, name) != 0)
		pg_log_info("collection \"%s\" goes into table \"%s\"", name, collection->table.name);
}

/* Is it a directory?  "problem" is set if it is not a regular file either. */
static bool
is_directory(const char *path, const char **problem)
{
	struct stat status;

	*problem = NULL;
	if (stat(path, &status) != 0)
		*problem = pg_strdup(strerror(errno));
	else if (S_ISDIR(status.st_mode))
		return true;
	else if (!S_ISREG(status.st_mode))
		*problem = "it is not a regular file";
	return false;
}

static int
is_not_dots(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/*
 * The directory of a database, or, if "database" is NULL, of a dump.  If a directory
 * in it has collections, this is not the directory of a database.
 */
static void
add_directory(const char *path, const char *database)
{
	static const char layout[] = "a dump is a directory for each database, with files of collections";
	struct dirent **entries;
	int			entry_count = scandir(path, &entries, is_not_dots, alphasort);
	int			before = seen;
	bool		nested;
	const char *problem;
	int			length;

	if (entry_count < 0)
		pg_fatal("could not read directory \"%s\": %m", path);
	if (database && entry_count == 0)
		skip_file(path, false, "it is empty");
	for (int i = 0; i < entry_count; i++)
	{
		const char *name = entries[i]->d_name;
		char	   *inner = psprintf("%s/%s", path, name);

		if (!is_directory(inner, &problem))
			continue;
		if (database == NULL && name[0] != '.')
			add_directory(inner, decode(name, strlen(name)));
		else
			skip_file(inner, name[0] != '.', layout);
	}
	nested = seen > before;
	if (database == NULL)
		database = decode(directory_name(path), strlen(directory_name(path)));
	for (int i = 0; i < entry_count; i++)
	{
		const char *name = entries[i]->d_name;
		char	   *inner = psprintf("%s/%s", path, name);

		if (is_directory(inner, &problem))
			continue;
		if (nested && (strcmp(name, "oplog.bson") == 0 || strcmp(name, "oplog.bson.gz") == 0))
			pg_log_warning("\"%s\" is skipped: the oplog is not applied", inner);
		else if (nested && (problem || classify_name(name, &length) != NOT_DATA))
			skip_file(inner, true, problem ? problem : layout);
		else
			add_member(inner, name, database, problem);
	}
}

static int
compare_collections(const void *left, const void *right)
{
	const Table *a = &((const Collection *) left)->table;
	const Table *b = &((const Collection *) right)->table;
	int			order = strcmp(a->schema, b->schema);

	return order ? order : strcmp(a->name, b->name);
}

/* Has a collection the name of this table's side table? */
static bool
is_taken(const Table *table)
{
	Collection	key = {.table = {.schema = table->schema,.name = table->side_name}};

	return bsearch(&key, collections, used, sizeof(Collection), compare_collections) != NULL;
}

/*
 * The collections of the argument, in the order of their tables; exits if there
 * are none, or if two need the same table.  *all is false if some data is left out.
 */
Collection *
find_collections(const char *path, int *count, bool *all)
{
	struct stat status;

	if (strcmp(path, "-") == 0 || stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
		add_file(path);
	else if (options.load.table || options.load.side_table || options.format)
		pg_fatal("--table, --side-table and --format are for a single file, and \"%s\" is a directory", path);
	else
		add_directory(path, NULL);
	if (used == 0)
		pg_fatal("directory \"%s\" has no collections to load", path);
	if (used > 1)
		qsort(collections, used, sizeof(Collection), compare_collections);
	for (int i = 1; i < used; i++)
		if (compare_collections(&collections[i - 1], &collections[i]) == 0)
		{
			pg_log_error("files \"%s\" and \"%s\" would go into one table", collections[i - 1].input.path, collections[i].input.path);
			pg_log_error_hint("Leave one out with --exclude, which also matches names of files such as \"%s\", and load it with --table.",
							  collections[i].input.name);
			exit(1);
		}
	/* a collection can have the name of another's table of rejected documents */
	for (int i = 0; i < used && used > 1; i++)
		for (int n = 1; is_taken(&collections[i].table); n++)
			collections[i].table.side_name = shorten(collections[i].table.name, psprintf("_rejected%d", n));
	*count = used;
	*all = complete;
	return collections;
}
