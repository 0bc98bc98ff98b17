/*-------------------------------------------------------------------------
 *
 * dump.c
 *	  From the argument to collections: a file, standard input, or a directory
 *	  that mongodump made.
 *
 *-------------------------------------------------------------------------
 */
#include "objectid-import.h"

#include <dirent.h>
#include <fnmatch.h>
#include <sys/stat.h>

/* mongodump cuts file names that would be longer, and its metadata has the whole */
#define LONG_FILE_NAME 200

static Collection *collections;
static int	used;

/* A name that PostgreSQL does not cut: a long one ends in its checksum. */
char *
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

/* Undo what mongodump does to characters that a file name cannot have. */
static char *
decode(const char *name, size_t length)
{
	char	   *result = pg_malloc(length + 1);
	char	   *out = result;

	for (size_t i = 0; i < length; i++)
	{
		unsigned int c;

		if (name[i] == '%' && i + 2 < length && sscanf(name + i + 1, "%2x", &c) == 1 && c != 0)
		{
			*out++ = (char) c;
			i += 2;
		}
		else
			*out++ = name[i];
	}
	*out = '\0';
	return result;
}

/* Does the name end so?  Then its length without the ending, else -1. */
int
without(const char *name, int length, const char *ending)
{
	int			left = length - (int) strlen(ending);

	return left > 0 && strncmp(name + left, ending, strlen(ending)) == 0 ? left : -1;
}

/* The length of a file's name without .bson or .json, and .gz; -1 if it has none of these. */
static int
split_name(const char *name, bool *json)
{
	int			length = strlen(name);
	int			left;

	if ((left = without(name, length, ".gz")) > 0)
		length = left;
	*json = (left = without(name, length, ".json")) > 0;
	return *json ? left : without(name, length, ".bson");
}

/* The last part of a path, of a directory, too */
const char *
path_name(const char *path)
{
	int			length = strlen(path);
	int			start;

	while (length > 1 && path[length - 1] == '/')
		length--;
	for (start = length; start > 0 && path[start - 1] != '/';)
		start--;
	return pnstrdup(path + start, length - start);
}

static Collection *
add_collection(const char *path, bool json)
{
	Collection *collection;
	struct stat status;

	collections = pg_realloc(collections, (used + 1) * sizeof(Collection));
	collection = &collections[used++];
	memset(collection, 0, sizeof(Collection));
	collection->path = path;
	collection->source = path_name(path);
	collection->json = json;
	collection->stream = strcmp(path, "-") == 0 || (stat(path, &status) == 0 && !S_ISREG(status.st_mode));
	return collection;
}

/* A single file, or standard input */
static void
add_file(const char *path)
{
	static const unsigned char magic[] = {0x6d, 0xe2, 0x99, 0x81};
	const char *name = path_name(path);
	bool		json;
	int			length = split_name(name, &json);
	bool		standard_input = strcmp(path, "-") == 0;
	const char *shown = standard_input ? "standard input" : psprintf("file \"%s\"", path);
	unsigned char first[4];
	gzFile		file = NULL;
	struct stat status;

	/* a pipe with a name can be opened only once */
	if (!standard_input && (stat(path, &status) != 0 || (S_ISREG(status.st_mode) && (file = gzopen(path, "rb")) == NULL)))
		pg_fatal("could not open file \"%s\": %m", path);
	if (file && gzread(file, first, 4) == 4 && memcmp(first, magic, 4) == 0)
	{
		pg_log_error("file \"%s\" is an archive of mongodump", path);
		pg_log_error_hint("Make a directory of it: mongorestore --archive=%s, then mongodump --out=DIRECTORY.", path);
		exit(1);
	}
	if (file)
		gzclose(file);
	if (options.format)
		json = strcmp(options.format, "json") == 0;
	else if (length < 0)
	{
		pg_log_error("the format of %s is unknown", shown);
		pg_log_error_hint("Use --format bson or --format json.");
		exit(1);
	}
	if (options.table == NULL && length < 0)
	{
		pg_log_error("no table is specified for %s", shown);
		pg_log_error_hint("Use --table.");
		exit(1);
	}
	add_collection(path, json);
	collections->schema = options.schema ? pg_strdup(options.schema) : NULL;
	if (length > 0)
		collections->metadata = find_metadata(path, length);
	if (options.table == NULL)
		collections->name = shorten(pnstrdup(name, length), "");
}

static bool
matches(const SimpleStringList *patterns, const char *database, const char *name)
{
	char	   *both = psprintf("%s.%s", database, name);

	for (const SimpleStringListCell *cell = patterns->head; cell; cell = cell->next)
		if (fnmatch(cell->val, both, 0) == 0 || fnmatch(cell->val, name, 0) == 0)
			return true;
	return false;
}

/* A file of a database's directory; what holds no collection is passed over. */
static void
add_member(const char *path, const char *file, const char *database)
{
	bool		json;
	int			length = split_name(file, &json);
	char	   *name;
	char	   *metadata;
	Collection *collection;

	if (length < 0 || (json && (without(file, length, ".metadata") > 0 || strncmp(file, "prelude.json", 12) == 0)))
		return;
	name = decode(file, length);
	metadata = find_metadata(path, length);
	if (metadata && length >= LONG_FILE_NAME)
		name = metadata_name(metadata, name);
	if (strncmp(name, "system.", 7) == 0)
	{
		if (strncmp(name, "system.buckets.", 15) == 0)
			pg_log_warning("time series collection \"%s\" is skipped; export it with mongoexport", name + 15);
		return;
	}
	if ((options.include.head && !matches(&options.include, database, name)) || matches(&options.exclude, database, name))
		return;
	collection = add_collection(path, json);
	collection->metadata = metadata;
	collection->schema = options.schema ? pg_strdup(options.schema) : shorten(database, "");
	collection->name = shorten(name, "");
	if (strcmp(collection->name, name) != 0)
		pg_log_info("collection \"%s\" goes into table \"%s\"", name, collection->name);
}

/* The directory of a database, or, if that is not known, of databases, each of which has one. */
static void
add_directory(const char *path, const char *database)
{
	struct dirent **entries;
	int			entry_count = scandir(path, &entries, NULL, NULL);
	bool		nested = false;
	bool		json;

	if (entry_count < 0)
		pg_fatal("could not read directory \"%s\": %m", path);
	for (int i = 0; i < 2 * entry_count; i++)
	{
		const char *name = entries[i % entry_count]->d_name;
		char	   *inner = psprintf("%s/%s", path, name);
		struct stat status;

		if (name[0] == '.' || stat(inner, &status) != 0)
			continue;
		if (i < entry_count && database == NULL && S_ISDIR(status.st_mode))
		{
			int			before = used;

			add_directory(inner, decode(name, strlen(name)));
			nested |= used > before;
		}
		else if (i >= entry_count && (S_ISDIR(status.st_mode) ? database != NULL : nested && split_name(name, &json) > 0 &&
									  strncmp(name, "prelude.json", 12) != 0))
			pg_log_warning("\"%s\" is skipped: a dump is a directory for each database, with files of collections", inner);
		else if (i >= entry_count && S_ISREG(status.st_mode))
			add_member(inner, name, database ? database : decode(path_name(path), strlen(path_name(path))));
	}
}

static int
compare_collections(const void *left, const void *right)
{
	const Collection *a = left;
	const Collection *b = right;
	int			order = strcmp(a->schema, b->schema);

	return order ? order : strcmp(a->name, b->name);
}

/* Exit if the documents rejected from a collection would go into the table of another. */
static void
refuse_side_table(const Collection *collection)
{
	for (int i = 0; i < used; i++)
	{
		if (used == 1 || strcmp(collections[i].schema, collection->schema) != 0 ||
			strcmp(collections[i].name, shorten(collection->name, "_rejected")) != 0)
			continue;
		pg_log_error("the documents rejected from \"%s\" would go into the table of \"%s\"", collection->path, collections[i].path);
		pg_log_error_hint("Leave one out with --exclude, and load it with --table.");
		exit(1);
	}
}

/* The collections of the argument, in the order of their tables; exits if there are none. */
Collection *
find_collections(const char *path, int *count)
{
	struct stat status;

	if (strcmp(path, "-") == 0 || stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
		add_file(path);
	else
	{
		if (options.table || options.side_table || options.format)
			pg_fatal("--table, --side-table and --format are for a single file, and \"%s\" is a directory", path);
		add_directory(path, NULL);
		if (used == 0)
			pg_fatal("directory \"%s\" has no collections to load", path);
		qsort(collections, used, sizeof(Collection), compare_collections);
	}
	for (int i = 1; i < used; i++)
		if (compare_collections(&collections[i - 1], &collections[i]) == 0)
		{
			pg_log_error("files \"%s\" and \"%s\" would go into one table", collections[i - 1].path, collections[i].path);
			pg_log_error_hint("Leave one out with --exclude, or load the databases one by one.");
			exit(1);
		}
	for (int i = 0; i < used; i++)
		refuse_side_table(&collections[i]);
	*count = used;
	return collections;
}
