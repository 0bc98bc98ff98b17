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
#include <libgen.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static Collection *collections;
static int	used;

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

/* Does the name end so?  Then its length without the ending, else -1. */
int
without(const char *name, int length, const char *ending)
{
	int			left = length - (int) strlen(ending);

	return left > 0 && strncmp(name + left, ending, strlen(ending)) == 0 ? left : -1;
}

/* The length of a file's name without its endings; -1 if the file holds no collection. */
static int
split_name(const char *name, bool *json)
{
	int			length = strlen(name);
	int			zipped = without(name, length, ".gz");
	int			left;

	length = zipped > 0 ? zipped : length;
	left = without(name, length, ".json");
	*json = left > 0;
	if (*json && (without(name, left, ".metadata") > 0 || strncmp(name, "prelude.json", 12) == 0))
		return -1;
	return *json ? left : without(name, length, ".bson");
}

/* A collection in a file, the length of whose path without endings is known */
static Collection *
add_collection(const char *path, int length, bool json)
{
	static const char *const endings[] = {".metadata.json", ".metadata.json.gz"};
	Collection *collection;
	struct stat status;

	collections = pg_realloc(collections, (used + 1) * sizeof(Collection));
	collection = &collections[used++];
	*collection = (Collection)
	{
		.path = path,.source = basename(pg_strdup(path)),.json = json,.size = -1,.parts = 1,.schema = options.schema ? pg_strdup(options.schema) : NULL
	};
	for (int i = 0; i < 2 && length > 0 && collection->metadata == NULL; i++)
		if (access(psprintf("%.*s%s", length, path, endings[i]), R_OK) == 0)
			collection->metadata = psprintf("%.*s%s", length, path, endings[i]);
	if (strcmp(path, "-") == 0)
		collection->stream = true;
	else if (stat(path, &status) != 0)
		pg_fatal("could not open file \"%s\": %m", path);
	else
		collection->stream = !S_ISREG(status.st_mode);
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

/* A single file, or standard input */
static void
add_file(const char *path)
{
	const char *name = basename(pg_strdup(path));
	bool		json;
	int			length = split_name(name, &json);
	Collection *collection = add_collection(path, length + strlen(path) - strlen(name), json);
	Source		source;

	if (!collection->stream)
	{
		open_source(&source, collection, NULL);
		if (source.filled >= 4 && memcmp(source.window, "\x6d\xe2\x99\x81", 4) == 0)
			refuse("%s is an archive of mongodump", path, "Make a directory of it: mongorestore --archive=%s, then mongodump --out=DIRECTORY.");
		close_source(&source);
	}
	if (options.format)
		collection->json = strcmp(options.format, "json") == 0;
	else if (length < 0)
		refuse("the format of %s is unknown", path, "Use --format bson or --format json.");
	if (options.table == NULL && length < 0)
		refuse("no table is specified for %s", path, "Use --table.");
	if (options.table == NULL)
		collection->name = shorten(pnstrdup(name, length), "");
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

/* A file of a database's directory */
static void
add_member(const char *path, const char *file, const char *database)
{
	bool		json;
	int			length = split_name(file, &json);
	char	   *name = decode(file, Max(length, 0));
	char	   *whole = NULL;
	Writer		writer = {0};
	Collection *collection;

	if (strncmp(name, "system.buckets.", 15) == 0)
		pg_log_warning("time series collection \"%s\" is skipped; export it with mongoexport", name + 15);
	if (length < 0 || strncmp(name, "system.", 7) == 0)
		return;
	collection = add_collection(path, length + strlen(path) - strlen(file), json);
	if (collection->metadata && (whole = read_metadata(collection->metadata, &writer)) != NULL)
		name = whole;			/* mongodump cuts long file names */
	if ((options.include.head && !matches(&options.include, database, name)) || matches(&options.exclude, database, name))
	{
		used--;
		return;
	}
	if (collection->schema == NULL)
		collection->schema = shorten(database, "");
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
	int			before = used;
	bool		nested = false;
	bool		json;

	if (entry_count < 0)
		pg_fatal("could not read directory \"%s\": %m", path);
	for (int i = 0; i < 2 * entry_count; i++)
	{
		bool		directories = i < entry_count;
		const char *name = entries[i % entry_count]->d_name;
		char	   *inner = psprintf("%s/%s", path, name);
		struct stat status;

		if (i == entry_count)
			nested = used > before;
		if (name[0] == '.' || stat(inner, &status) != 0 || S_ISDIR(status.st_mode) != directories)
			continue;
		if (directories && database == NULL)
			add_directory(inner, decode(name, strlen(name)));
		else if (directories || (nested && split_name(name, &json) > 0))
			pg_log_warning("\"%s\" is skipped: a dump is a directory for each database, with files of collections", inner);
		else if (S_ISREG(status.st_mode))
			add_member(inner, name, database ? database : decode(basename(pg_strdup(path)), strlen(basename(pg_strdup(path)))));
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

/* Exit if two collections need the same table, or one needs the side table of the other. */
static void
refuse_same_table(const Collection *one, const Collection *other)
{
	const char *what = strcmp(one->name, other->name) == 0 ? "files \"%s\" and \"%s\" would go into one table" :
	"the documents rejected from \"%s\" would go into the table of \"%s\"";

	if (one == other || strcmp(one->schema, other->schema) != 0 ||
		(strcmp(one->name, other->name) != 0 && strcmp(one->side_name, other->name) != 0))
		return;
	pg_log_error(what, one->path, other->path);
	pg_log_error_hint("Leave one out with --exclude, and load it with --table.");
	exit(1);
}

/* The collections of the argument, in the order of their tables, in shared memory; exits if there are none. */
Collection *
find_collections(const char *path, int *count)
{
	Collection *shared;
	struct stat status;

	if (strcmp(path, "-") == 0 || stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
		add_file(path);
	else if (options.table || options.side_table || options.format)
		pg_fatal("--table, --side-table and --format are for a single file, and \"%s\" is a directory", path);
	else
		add_directory(path, NULL);
	if (used == 0)
		pg_fatal("directory \"%s\" has no collections to load", path);
	if (used > 1)
		qsort(collections, used, sizeof(Collection), compare_collections);
	for (int i = 0; i < used; i++)
	{
		if (collections[i].name)
			collections[i].side_name = shorten(collections[i].name, "_rejected");
		for (int j = 0; j < i; j++)
		{
			refuse_same_table(&collections[j], &collections[i]);
			refuse_same_table(&collections[i], &collections[j]);
		}
	}
	shared = mmap(NULL, used * sizeof(Collection), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		pg_fatal("out of memory");
	memcpy(shared, collections, used * sizeof(Collection));
	pg_free(collections);
	*count = used;
	return shared;
}
