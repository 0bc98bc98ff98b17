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

/* what a file contains, as its name says */
typedef enum Content
{
	BSON_DATA, JSON_DATA, METADATA,
	OTHER_DATA,					/* of a format that this program does not read */
	NO_DATA
}			Content;

static Collection *collections;
static int	used;
static int	seen;				/* used ones, and those that patterns leave
								 * out */
static bool complete = true;	/* no data is left out */

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

/* The length of the name without the suffix, or -1 if it does not have it. */
int
length_without_suffix(const char *name, int length, const char *suffix)
{
	int			left = length - (int) strlen(suffix);

	return left > 0 && strncmp(name + left, suffix, strlen(suffix)) == 0 ? left : -1;
}

/* Classify a file by its name.  Sets *length to the length of the collection name in it, or to -1. */
static Content
classify_name(const char *name, int *length)
{
	static const char *const data[] = {".bson", ".json", ".csv", ".tsv", ".archive"};
	int			whole = strlen(name);
	int			zipped = length_without_suffix(name, whole, ".gz");
	int			left = zipped > 0 ? zipped : whole;

	*length = -1;
	if (name[0] == '.')
		return NO_DATA;
	*length = length_without_suffix(name, left, ".bson");
	if (*length > 0)
		return BSON_DATA;
	*length = length_without_suffix(name, left, ".json");
	left = length_without_suffix(name, *length, ".metadata");
	if (*length > 0 && strcmp(pnstrdup(name, *length), "prelude") == 0)
		*length = -1;
	else if (left > 0)
	{
		*length = left;
		return METADATA;
	}
	else if (*length > 0)
		return JSON_DATA;
	else
		for (size_t i = 0; i < lengthof(data); i++)
		{
			const char *found = strcasestr(name, data[i]);

			if (found == NULL || found == name)
				continue;
			*length = found - name;
			return OTHER_DATA;
		}
	return NO_DATA;
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
	int			length;
	Content		content = classify_name(name, &length);
	bool		known = content == BSON_DATA || content == JSON_DATA;
	Collection *collection = add_collection(path, known ? length + strlen(path) - strlen(name) : 0, content == JSON_DATA);
	Source		source;

	if (!collection->stream)
	{
		open_source(&source, collection, NULL);
		if (source.filled >= 4 && memcmp(source.window, "\x6d\xe2\x99\x81", 4) == 0)
			refuse("%s is an archive of mongodump", path, gzdirect(source.file) ?
				   "Restore it into a MongoDB server, and dump that: mongorestore --archive=%s && mongodump --out=DIRECTORY" :
				   "Restore it into a MongoDB server, and dump that: mongorestore --gzip --archive=%s && mongodump --out=DIRECTORY");
		close_source(&source);
	}
	if (options.format)
		collection->json = strcmp(options.format, "json") == 0;
	else if (content == OTHER_DATA && (strcasestr(name, ".csv") || strcasestr(name, ".tsv")))
		refuse("%s is not BSON or JSON", path, "Export the collection with mongoexport --type=json.");
	else if (!known)
		refuse("the format of %s is unknown", path, "Use --format=bson or --format=json.");
	if (options.table == NULL && !known)
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

static bool
is_wanted(const char *database, const char *name)
{
	return (!options.include.head || matches(&options.include, database, name)) && !matches(&options.exclude, database, name);
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
	char	   *name = decode(file, Max(length, 0));
	int			path_length = length + strlen(path) - strlen(file);
	Collection *collection;
	bson_t	   *metadata = NULL;
	bson_iter_t iter;

	if (strncmp(name, "system.", 7) == 0)
	{
		if (strncmp(name, "system.buckets.", 15) == 0)
			pg_log_warning("time series collection \"%s\" is skipped; export it with mongoexport", name + 15);
		else if (content != METADATA)
			skip_file(path, false, "MongoDB uses it internally");
		return;
	}
	if (content == NO_DATA)
	{
		if (strncmp(file, "prelude.json", 12) != 0)
			skip_file(path, false, problem ? problem : "its name does not look like data");
		return;
	}
	if (content == METADATA || content == OTHER_DATA || problem)
	{
		if (!is_wanted(database, name))
			return;
		if (problem)
			skip_file(path, true, problem);
		else if (content == METADATA)
			check_metadata(path, path_length);
		else
			skip_file(path, true, "its name does not end in .bson, .json, .bson.gz or .json.gz");
		return;
	}
	seen++;
	collection = add_collection(path, path_length, content == JSON_DATA);
	if (collection->metadata)
		metadata = read_metadata(collection->metadata);
	/* mongodump cuts long file names */
	if (metadata && bson_iter_init_find(&iter, metadata, "collectionName") && BSON_ITER_HOLDS_UTF8(&iter))
		name = pg_strdup(bson_iter_utf8(&iter, NULL));
	bson_destroy(metadata);
	if (!is_wanted(database, name))
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

/* The directory of a database, or, if "database" is NULL, of a dump. */
static void
add_directory(const char *path, const char *database)
{
	static const char layout[] = "a dump is a directory for each database, with files of collections";
	struct dirent **entries;
	int			entry_count = scandir(path, &entries, NULL, alphasort);
	int			before = seen;
	bool		nested = false;

	if (entry_count < 0)
		pg_fatal("could not read directory \"%s\": %m", path);

	/*
	 * directories first: if they have collections, this is no directory of a
	 * database
	 */
	for (int i = 0; i < 2 * entry_count; i++)
	{
		bool		directories = i < entry_count;
		const char *name = entries[i % entry_count]->d_name;
		char	   *inner = psprintf("%s/%s", path, name);
		struct stat status;
		int			length;
		bool		is_data = classify_name(name, &length) != NO_DATA;
		const char *problem = NULL;

		if (i == entry_count)
			nested = seen > before;
		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
			continue;
		if (stat(inner, &status) != 0)
		{
			problem = pg_strdup(strerror(errno));
			status.st_mode = 0;
		}
		else if (!S_ISREG(status.st_mode))
			problem = "it is not a regular file";
		if (S_ISDIR(status.st_mode) != directories)
			continue;
		if (directories && database == NULL && name[0] != '.')
			add_directory(inner, decode(name, strlen(name)));
		else if (directories)
			skip_file(inner, name[0] != '.', layout);
		else if (nested && (strcmp(name, "oplog.bson") == 0 || strcmp(name, "oplog.bson.gz") == 0))
			pg_log_warning("\"%s\" is skipped: the oplog is not applied", inner);
		else if (nested && (is_data || problem))
			skip_file(inner, true, problem ? problem : layout); /* perhaps a database
																 * whose disk is missing */
		else
			add_member(inner, name, database ? database : decode(basename(pg_strdup(path)), strlen(basename(pg_strdup(path)))), problem);
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

/*
 * The collections of the argument, in the order of their tables, in shared
 * memory; exits if there are none.  *all is false if some data is left out.
 */
Collection *
find_collections(const char *path, int *count, bool *all)
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
	*all = complete;
	return shared;
}
