/*-------------------------------------------------------------------------
 *
 * dump.c
 *	  From the arguments to collections: files, standard input, or a directory
 *	  that mongodump made.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <dirent.h>
#include <fnmatch.h>
#include <libgen.h>

#include "command.h"
#include "common/string.h"
#include "dump.h"
#include "message.h"
#include "names.h"

/* what a file contains, as its name says */
typedef enum Content
{
	METADATA, BSON_DATA, JSON_DATA,
	OTHER_DATA,					/* of a format that this program does not read */
	NOT_DATA
} Content;

static const struct
{
	const char *name;
	Content		content;
}			endings[] = {
	{".metadata.json", METADATA}, {".metadata.json.gz", METADATA},
	{".bson", BSON_DATA}, {".bson.gz", BSON_DATA},
	{".json", JSON_DATA}, {".json.gz", JSON_DATA},
	/* also in the middle of a name, in any letters */
	{".bson", OTHER_DATA}, {".json", OTHER_DATA}, {".csv", OTHER_DATA}, {".tsv", OTHER_DATA},
	{".ndjson", OTHER_DATA}, {".archive", OTHER_DATA}
};

/* a file or directory */
typedef struct Entry
{
	const char *path;
	const char *file;			/* the last name in it */
	const char *database;
	char	   *name;			/* of the collection; empty: it has none */
	int			stem;			/* length of the path up to its ending */
	Content		content;
	struct stat status;
	const char *problem;		/* why it cannot be read, or NULL */
} Entry;

static int	seen;				/* with those that patterns leave out */

/* the last name in a path, also if that is "." or ".." */
static const char *
directory_name(const char *path)
{
	const char *name = basename(pg_strdup(path));
	bool		dots = strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
	char	   *whole = dots ? realpath(path, NULL) : NULL;

	return whole ? basename(whole) : name;
}

/* undo what mongodump does to characters that a file name cannot have */
static char *
decode(const char *name, size_t length)
{
	char	   *result = pnstrdup(name, length);
	char	   *out = result;
	unsigned int c;

	for (const char *in = result; *in; in++)
		if (*in == '%' && strspn(in + 1, "0123456789abcdefABCDEF") >= 2 &&
			sscanf(in + 1, "%2x", &c) == 1 && c != 0)
		{
			*out++ = (char) c;
			in += 2;
		}
		else
			*out++ = *in;
	*out = '\0';
	return result;
}

/* what a file is, as its name says */
static Entry
describe(const char *path, const char *file, const char *database)
{
	Entry		entry = {.path = path,.file = file,.database = database,.content = NOT_DATA};
	const char *found = NULL;

	for (size_t i = 0; i < lengthof(endings) && found == NULL && *file != '.'; i++)
	{
		const char *ending = endings[i].name;

		if (endings[i].content == OTHER_DATA)
			found = strcasestr(file, ending);
		else if (pg_str_endswith(file, ending))
			found = file + strlen(file) - strlen(ending);
		if (found)
			entry.content = endings[i].content;
	}
	entry.name = decode(file, found ? found - file : 0);
	entry.stem = (int) (strlen(path) - (found ? strlen(found) : 0));
	if (strcmp(path, "-") != 0 && stat(path, &entry.status) != 0)
		entry.problem = pg_strdup(strerror(errno));
	else if (!S_ISREG(entry.status.st_mode))
		entry.problem = "it is not a regular file";
	return entry;
}

/* the file of documents or of metadata of the same collection, or NULL */
static const char *
find_beside(const Entry *entry, bool metadata)
{
	for (size_t i = 0; i < lengthof(endings); i++)
	{
		const char *path = psprintf("%.*s%s", entry->stem, entry->path, endings[i].name);

		if ((endings[i].content == METADATA) == metadata && endings[i].content != OTHER_DATA &&
			access(path, F_OK) == 0)
			return path;
	}
	return NULL;
}

static Collection *
add_collection(const Entry *entry)
{
	Collection *collection = add_place(command.collections, command.count);

	*collection = (Collection)
	{
		.input =
		{
			.path = entry->path,.name = entry->file,.json = entry->content == JSON_DATA,
				.status = entry->status
		},
			.table.schema = unconstify(char *, command.options->schema)
	};
	return collection;
}

/* Give up a file that cannot be loaded.  "what" and "hint" are formats. */
static void
refuse(const char *what, const char *path, const char *hint)
{
	const char *file = strcmp(path, "-") == 0 ? "standard input" : psprintf("file \"%s\"", path);

	pg_fatal_hint(psprintf(hint, path), what, file);
}

/* a single file, or standard input */
static void
add_file(const Entry *entry)
{
	const Options *options = command.options;
	const char *path = entry->path;
	const char *name = entry->file;
	bool		known = entry->content == BSON_DATA || entry->content == JSON_DATA;
	Collection *collection = add_collection(entry);
	InputFile  *input = &collection->input;
	Table	   *table = &collection->table;
	char		start[4];

	if (known)
		collection->metadata = find_beside(entry, true);
	if (!is_utf8(name))
		refuse("the name of %s is not UTF-8", path, "Rename it.");
	if (S_ISREG(input->status.st_mode))
	{
		gzFile		file = gzopen(path, "rb");

		if (file && gzread(file, start, 4) == 4 && memcmp(start, "\x6d\xe2\x99\x81", 4) == 0)
			refuse("%s is an archive of mongodump", path,
				   "Unpack it, and load the directory: " PROGRAM " --unpack=DIRECTORY %s");
		if (file)
			gzclose(file);
	}
	if (options->format)
		input->json = strcmp(options->format, "json") == 0;
	else if (entry->content == OTHER_DATA && (strcasestr(name, ".csv") || strcasestr(name, ".tsv")))
		refuse("%s is not BSON or JSON", path,
			   "Export the collection with mongoexport --type=json.");
	else if (!known)
		refuse("the format of %s is unknown", path, "Use --format=bson or --format=json.");
	if (options->table)
		parse_table_name(options->table, &table->schema, &table->name);
	else if (known)
		table->name = shorten(pnstrdup(name, strlen(name) - strlen(path + entry->stem)), "");
	else
		refuse("no table is specified for %s", path, "Use --table.");
	table->side_name = shorten(table->name, "_rejected");
}

/*
 * does a pattern match the collection, with or without its database, or, if it has the file's
 * ending, the file?
 */
static bool
matches(const SimpleStringList *patterns, const Entry *entry)
{
	const char *both = psprintf("%s.%s", entry->database, entry->name);
	const char *ending = entry->path + entry->stem;

	for (const SimpleStringListCell *cell = patterns->head; cell; cell = cell->next)
	{
		size_t		length = strlen(cell->val);

		if (fnmatch(cell->val, both, 0) == 0 || fnmatch(cell->val, entry->name, 0) == 0 ||
			(length >= strlen(ending) && strcmp(cell->val + length - strlen(ending), ending) == 0 &&
			 fnmatch(cell->val, entry->file, 0) == 0))
			return true;
	}
	return false;
}

/* do --include and --exclude select the collection? */
static bool
is_wanted(const Entry *entry)
{
	const Options *options = command.options;

	return (!options->include.head || matches(&options->include, entry)) &&
		!matches(&options->exclude, entry);
}

/* Name a file that is not loaded.  If it looks like data, the program fails. */
static void
skip_file(const char *path, bool is_data, const char *reason)
{
	if (is_data)
		pg_log_error("\"%s\" is not loaded: %s", path, reason);
	else
		pg_log_info("\"%s\" is skipped: %s", path, reason);
}

/* the file of a collection, which has the name in its metadata if these are there */
static void
add_data(Entry entry)
{
	const char *path = find_beside(&entry, true);
	bson_t	   *metadata = path ? read_metadata(path) : NULL;
	bson_iter_t iter;
	Collection *collection;
	Table	   *table;

	/* mongodump cuts long file names */
	if (metadata && bson_iter_init_find(&iter, metadata, "collectionName") &&
		BSON_ITER_HOLDS_UTF8(&iter))
		entry.name = pg_strdup(bson_iter_utf8(&iter, NULL));
	seen++;
	if (is_wanted(&entry))
	{
		collection = add_collection(&entry);
		collection->metadata = metadata ? path : NULL;
		table = &collection->table;
		if (table->schema == NULL)
			table->schema = shorten(entry.database, "");
		table->name = shorten(entry.name, "");
		table->side_name = shorten(table->name, "_rejected");
		if (strcmp(table->name, entry.name) != 0)
			pg_log_info("collection \"%s\" goes into table \"%s\"", entry.name, table->name);
	}
	bson_destroy(metadata);
}

/*
 * skip what mongodump writes for itself: the description of the dump, the oplog ("top": in the
 * directory of a dump), and MongoDB's own collections
 */
static bool
skip_special(const Entry *entry, bool top)
{
	bool		data = entry->status.st_size > 0 && is_wanted(entry);

	if (entry->content == JSON_DATA && strcmp(entry->name, "prelude") == 0)
		return has_option(read_metadata(entry->path), "ServerVersion");
	if (top && entry->content == BSON_DATA && strcmp(entry->name, "oplog") == 0)
		skip_file(entry->path, data, "the oplog is not applied");
	else if (entry->content != METADATA && strncmp(entry->name, "system.buckets.", 15) == 0)
		skip_file(entry->path, data,
				  "a time series collection must be exported with mongoexport");
	else if (strncmp(entry->name, "system.", 7) != 0 &&
			 strncmp(entry->name, "$admin.system.", 14) != 0)
		return false;
	else if (entry->content != METADATA)
		skip_file(entry->path, false, strcmp(entry->name, "system.indexes") == 0 ?
				  "indexes are read from files of metadata only" : "MongoDB uses it internally");
	return true;
}

/*
 * do metadata describe a time series collection whose documents are in its buckets, beside them?
 */
static bool
has_buckets(const Entry *entry, const bson_t *metadata)
{
	const char *file = psprintf("system.buckets.%s", entry->file);
	int			directory = (int) (strlen(entry->path) - strlen(entry->file));
	Entry		buckets = describe(psprintf("%.*s%s", directory, entry->path, file), file, NULL);

	return has_option(metadata, "options.timeseries") && find_beside(&buckets, false) != NULL;
}

/*
 * A file of a database's directory, or what has the name of one, but a problem.  mongodump writes
 * all metadata first, so if it is interrupted, files of documents are missing.
 */
static void
add_member(const Entry *entry)
{
	const char *problem = entry->problem;
	bson_t	   *metadata;

	/* names of tables and in tables are UTF-8 */
	if (problem == NULL &&
		(!is_utf8(entry->name) || !is_utf8(entry->database) || !is_utf8(entry->file)))
		problem = "its name is not UTF-8";
	if (entry->content == NOT_DATA)
		skip_file(entry->path, false,
				  problem ? problem : "its name does not look like data");
	else if (problem == NULL && entry->content != METADATA && entry->content != OTHER_DATA)
		add_data(*entry);
	else if (!is_wanted(entry) ||
			 (entry->content == METADATA && find_beside(entry, false)))
		return;
	else if (problem || entry->content == OTHER_DATA)
		skip_file(entry->path, true, problem ? problem :
				  "its name does not end in .bson, .json, .bson.gz or .json.gz");
	else
	{
		metadata = read_metadata(entry->path);
		if (has_option(metadata, "options.viewOn"))
			skip_file(entry->path, false, "it describes a view");
		else if (!has_buckets(entry, metadata) && command.options->post_data)
			add_data(*entry);
		else if (!has_buckets(entry, metadata))
			skip_file(entry->path, true, "the documents of this collection are missing");
		bson_destroy(metadata);
	}
}

static int
is_not_dots(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/*
 * The directory of a database, or, if "database" is NULL, of a dump.  If a directory in it has
 * collections, this is not the directory of a database.
 */
static void
add_directory(const char *path, const char *database)
{
	static const char layout[] =
	"a dump is a directory for each database, with files of collections";
	struct dirent **found;
	int			count = scandir(path, &found, is_not_dots, alphasort);
	Entry	   *entries = pg_malloc0(Max(count, 1) * sizeof(Entry));
	int			before = seen;
	bool		nested;

	if (count < 0)
		pg_fatal("could not read directory \"%s\": %m", path);
	if (database && count == 0)
		skip_file(path, false, "it is empty");
	for (int i = 0; i < count; i++)
	{
		const char *name = found[i]->d_name;
		const char *inner = psprintf("%s/%s", path, name);

		entries[i] = describe(inner, name, database);
		if (!S_ISDIR(entries[i].status.st_mode))
			continue;
		if (database == NULL && name[0] != '.')
			add_directory(inner, decode(name, strlen(name)));
		else
			skip_file(inner, name[0] != '.', layout);
	}
	nested = seen > before;
	if (database == NULL)
		database = decode(directory_name(path), strlen(directory_name(path)));
	for (int i = 0; i < count; i++)
	{
		Entry	   *entry = &entries[i];

		entry->database = nested ? "" : database;
		if (S_ISDIR(entry->status.st_mode) || skip_special(entry, nested))
			continue;
		if (nested && (entry->problem || entry->content != NOT_DATA))
			skip_file(entry->path, true, entry->problem ? entry->problem : layout);
		else
			add_member(entry);
	}
}

static int
compare_collections(const void *left, const void *right)
{
	const Table *a = &((const Collection *) left)->table;
	const Table *b = &((const Collection *) right)->table;
	int			order = strcmp(a->schema ? a->schema : "", b->schema ? b->schema : "");

	return order ? order : strcmp(a->name, b->name);
}

/*
 * sort_collections - in the order of their tables, in which all imports lock them; gives up if two
 * need the same table
 */
void
sort_collections(void)
{
	if (command.count > 1)
		qsort(command.collections, command.count, sizeof(Collection), compare_collections);
	for (int i = 1; i < command.count; i++)
	{
		const Collection *two = &command.collections[i - 1];

		if (compare_collections(&two[0], &two[1]) == 0)
			pg_fatal_hint(psprintf("Leave one out, in a directory with --exclude, which also "
								   "matches names of files such as \"%s\", and load it with "
								   "--table.", two[1].input.name),
						  "files \"%s\" and \"%s\" would go into one table",
						  two[0].input.path, two[1].input.path);
	}
}

/* a file or a directory of the command line */
static void
add_argument(const char *path)
{
	const Options *options = command.options;
	Entry		argument = describe(path, basename(pg_strdup(path)), NULL);
	int			before = command.count;

	if (argument.status.st_mode == 0 && strcmp(path, "-") != 0)
		pg_fatal("could not open file \"%s\": %s", path, argument.problem);
	if (!S_ISDIR(argument.status.st_mode))
	{
		if (options->include.head || options->exclude.head)
			pg_fatal("--include and --exclude are for a directory, and \"%s\" is a file", path);
		add_file(&argument);
		return;
	}
	if (options->table || options->format)
		pg_fatal("--table and --format are for a single file, and \"%s\" is a directory", path);
	add_directory(path, NULL);
	if (command.count == before)
		pg_fatal("directory \"%s\" has no collections to load", path);
}

/*
 * find_collections - the collections of the arguments, in the order of their tables; gives up
 * if there are none, or if two need the same table
 */
void
find_collections(void)
{
	for (int i = 0; i < command.options->path_count; i++)
		add_argument(command.options->paths[i]);
	sort_collections();

	/* a collection can have the name of another's table of rejected documents */
	for_each_collection(collection)
	{
		Table	   *table = &collection->table;
		Collection	key = {.table = {.schema = table->schema,.name = table->side_name}};

		for (int n = 1; command.count > 1 && bsearch(&key, command.collections, command.count,
													 sizeof(Collection), compare_collections); n++)
			key.table.name = table->side_name = shorten(table->name, psprintf("_rejected%d", n));
	}
}
