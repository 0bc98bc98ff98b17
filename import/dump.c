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

/* what a file contains, as its name says */
typedef enum Content
{
	METADATA, BSON_DATA, JSON_DATA,
	OTHER_DATA,					/* of a format that this program does not read */
	NOT_DATA
} Content;

/* what has been found */
typedef struct Search
{
	const Options *options;
	Collection *collections;
	int			count;
	int			seen;			/* the same, and those that patterns leave out */
	bool		complete;		/* no data is left out */
} Search;

/*
 * directory_name - the last name in a path, also if that is "." or ".."
 */
static const char *
directory_name(const char *path)
{
	const char *name = basename(pg_strdup(path));
	bool		dots = strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
	char	   *whole = dots ? realpath(path, NULL) : NULL;

	return whole ? basename(whole) : name;
}

/*
 * decode - undo what mongodump does to characters that a file name cannot
 * have
 */
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

/*
 * classify_name - classify a file by its name
 *
 * Sets *length to the length of the collection name in it, or to 0.
 */
static Content
classify_name(const char *name, int *length)
{
	static const struct
	{
		const char *name;
		Content		content;
	}			endings[] = {
		{".metadata.json", METADATA}, {".metadata.json.gz", METADATA},
		{".bson", BSON_DATA}, {".bson.gz", BSON_DATA},
		{".json", JSON_DATA}, {".json.gz", JSON_DATA}
	};
	static const char *const data[] = {".bson", ".json", ".csv", ".tsv", ".archive"};
	const char *found;

	*length = 0;
	if (name[0] == '.')
		return NOT_DATA;
	for (size_t i = 0; i < lengthof(endings); i++)
	{
		int			left = (int) strlen(name) - (int) strlen(endings[i].name);

		if (left <= 0 || strcmp(name + left, endings[i].name) != 0)
			continue;
		*length = left;
		return endings[i].content;
	}
	for (size_t i = 0; i < lengthof(data); i++)
		if ((found = strcasestr(name, data[i])) != NULL)
		{
			*length = (int) (found - name);
			return OTHER_DATA;
		}
	return NOT_DATA;
}

/*
 * find_metadata - the metadata file of a collection, the length of whose
 * path without endings is known, or NULL
 */
static const char *
find_metadata(const char *path, int length)
{
	static const char *const endings[] = {".metadata.json", ".metadata.json.gz"};

	for (size_t i = 0; i < lengthof(endings); i++)
	{
		const char *metadata = psprintf("%.*s%s", length, path, endings[i]);

		if (access(metadata, R_OK) == 0)
			return metadata;
	}
	return NULL;
}

/*
 * add_collection - add the collection in a file
 *
 * Exits if there is none.
 */
static Collection *
add_collection(Search *search, const char *path, bool json, bool empty)
{
	struct stat status = {.st_mode = 0};
	const char *schema = search->options->schema;
	Collection *collection;

	if (strcmp(path, "-") != 0 && stat(path, &status) != 0)
		pg_fatal("could not open file \"%s\": %m", path);
	search->collections = pg_realloc(search->collections,
									 (search->count + 1) * sizeof(Collection));
	collection = &search->collections[search->count++];
	*collection = (Collection)
	{
		.input =
		{
			path, basename(pg_strdup(path)), json, !S_ISREG(status.st_mode), empty, status
		},
			.table.schema = schema ? pg_strdup(schema) : NULL
	};
	return collection;
}

/*
 * refuse - exit because of a file that cannot be loaded
 *
 * "what" and "hint" are formats.
 */
static void
refuse(const char *what, const char *path, const char *hint)
{
	pg_log_error(what, strcmp(path, "-") == 0 ? "standard input" : psprintf("file \"%s\"", path));
	pg_log_error_hint("%s", psprintf(hint, path));
	exit(1);
}

/*
 * refuse_archive - exit if a file begins as the archives of mongodump do
 */
static void
refuse_archive(const char *path)
{
	gzFile		file = gzopen(path, "rb");
	char		start[4];

	if (file == NULL)
		return;
	if (gzread(file, start, 4) == 4 && memcmp(start, "\x6d\xe2\x99\x81", 4) == 0)
		refuse("%s is an archive of mongodump", path,
			   "Unpack it, and load the directory: " PROGRAM " --unpack=DIRECTORY %s");
	gzclose(file);
}

/*
 * add_file - a single file, or standard input
 */
static void
add_file(Search *search, const char *path)
{
	const Options *options = search->options;
	const char *name = basename(pg_strdup(path));
	int			length;
	Content		content = classify_name(name, &length);
	bool		known = content == BSON_DATA || content == JSON_DATA;
	Collection *collection = add_collection(search, path, content == JSON_DATA, false);

	if (known)
		collection->metadata = find_metadata(path, (int) (strlen(path) - strlen(name)) + length);
	if (!is_utf8(name))
		refuse("the name of %s is not UTF-8", path, "Rename it.");
	if (!collection->input.stream)
		refuse_archive(path);
	if (options->format)
		collection->input.json = strcmp(options->format, "json") == 0;
	else if (content == OTHER_DATA && (strcasestr(name, ".csv") || strcasestr(name, ".tsv")))
		refuse("%s is not BSON or JSON", path,
			   "Export the collection with mongoexport --type=json.");
	else if (!known)
		refuse("the format of %s is unknown", path, "Use --format=bson or --format=json.");
	if (options->load.table == NULL && !known)
		refuse("no table is specified for %s", path, "Use --table.");
	if (options->load.table)
		parse_table_name(options->load.table, &collection->table.schema, &collection->table.name);
	else
		collection->table.name = shorten(pnstrdup(name, length), "");
	if (options->load.side_table)
		parse_table_name(options->load.side_table, &collection->table.side_schema,
						 &collection->table.side_name);
	else
		collection->table.side_name = shorten(collection->table.name, "_rejected");
}

/*
 * matches - does a pattern match the collection, with or without its
 * database, or, if it has the file's ending, the file?
 */
static bool
matches(const SimpleStringList *patterns, const char *database, const char *name,
		const char *file, int length)
{
	const char *both = psprintf("%s.%s", database, name);
	const char *ending = file + length;

	for (const SimpleStringListCell *cell = patterns->head; cell; cell = cell->next)
	{
		const char *pattern = cell->val;
		size_t		pattern_length = strlen(pattern);

		if (fnmatch(pattern, both, 0) == 0 || fnmatch(pattern, name, 0) == 0)
			return true;
		if (pattern_length >= strlen(ending) &&
			strcmp(pattern + pattern_length - strlen(ending), ending) == 0 &&
			fnmatch(pattern, file, 0) == 0)
			return true;
	}
	return false;
}

/*
 * is_wanted - do --include and --exclude select the collection, in a file
 * whose ending is at "length"?
 */
static bool
is_wanted(const Options *options, const char *database, const char *name, const char *file,
		  int length)
{
	return (!options->include.head || matches(&options->include, database, name, file, length)) &&
		!matches(&options->exclude, database, name, file, length);
}

/*
 * skip_file - name a file that is not loaded
 *
 * If it looks like data, the program fails.
 */
static void
skip_file(Search *search, const char *path, bool is_data, const char *reason)
{
	if (is_data)
	{
		pg_log_error("\"%s\" is not loaded: %s", path, reason);
		search->complete = false;
	}
	else
		pg_log_info("\"%s\" is skipped: %s", path, reason);
}

static bool
has_option(const bson_t *metadata, const char *option)
{
	bson_iter_t iter;
	bson_iter_t found;

	return metadata && bson_iter_init(&iter, metadata) &&
		bson_iter_find_descendant(&iter, option, &found);
}

/*
 * add_data - the file of a collection, of this name unless its metadata
 * knows better
 */
static void
add_data(Search *search, const char *path, const char *file, const char *database, char *name,
		 int length, bool json, bool empty)
{
	const char *metadata_path = find_metadata(path, (int) (strlen(path) - strlen(file)) + length);
	bson_t	   *metadata = metadata_path ? read_metadata(metadata_path) : NULL;
	bson_iter_t iter;
	Collection *collection;
	Table	   *table;

	/* mongodump cuts long file names */
	if (metadata && bson_iter_init_find(&iter, metadata, "collectionName") &&
		BSON_ITER_HOLDS_UTF8(&iter))
		name = pg_strdup(bson_iter_utf8(&iter, NULL));
	search->seen++;
	if (is_wanted(search->options, database, name, file, length))
	{
		collection = add_collection(search, path, json, empty);
		collection->metadata = metadata ? metadata_path : NULL;
		table = &collection->table;
		if (table->schema == NULL)
			table->schema = shorten(database, "");
		table->name = shorten(name, "");
		table->side_name = shorten(table->name, "_rejected");
		if (strcmp(table->name, name) != 0)
			pg_log_info("collection \"%s\" goes into table \"%s\"", name, table->name);
	}
	bson_destroy(metadata);
}

/*
 * add_metadata - a metadata file: a collection without documents, unless
 * the file of the collection is there, or it describes something else
 */
static void
add_metadata(Search *search, const char *path, const char *file, const char *database, char *name,
			 int length, const char *problem)
{
	static const char *const suffixes[] = {".bson", ".bson.gz", ".json", ".json.gz"};
	int			stem = (int) (strlen(path) - strlen(file)) + length;
	bson_t	   *metadata;

	for (size_t i = 0; i < lengthof(suffixes); i++)
		if (access(psprintf("%.*s%s", stem, path, suffixes[i]), F_OK) == 0)
			return;
	metadata = problem ? NULL : read_metadata(path);
	if (metadata == NULL)
		skip_file(search, path, true, problem ? problem :
				  "the documents of this collection are missing");
	else if (has_option(metadata, "options.viewOn"))
		skip_file(search, path, false, "it describes a view");
	else if (!has_option(metadata, "options.timeseries"))
		add_data(search, path, file, database, name, length, false, true);
	bson_destroy(metadata);
}

/*
 * skip_special - skip what mongodump writes for itself: the description of
 * the dump, the oplog ("top": in the directory of a dump), and MongoDB's own
 * collections
 */
static bool
skip_special(Search *search, const char *path, const char *file, const char *database, bool top)
{
	int			length;
	Content		content = classify_name(file, &length);
	const char *name = decode(file, length);
	struct stat status;
	bool		data = stat(path, &status) == 0 && status.st_size > 0 &&
	is_wanted(search->options, database, name, file, length);

	if (content == JSON_DATA && strcmp(name, "prelude") == 0)
	{
		bson_t	   *description = read_metadata(path);
		bool		found = has_option(description, "ServerVersion");

		bson_destroy(description);
		return found;
	}
	if (top && content == BSON_DATA && strcmp(name, "oplog") == 0)
		skip_file(search, path, data, "the oplog is not applied");
	else if (content != METADATA && strncmp(name, "system.buckets.", 15) == 0)
		skip_file(search, path, data, "a time series collection must be exported with mongoexport");
	else if (strncmp(name, "system.", 7) != 0)
		return false;
	else if (content != METADATA)
		skip_file(search, path, false, "MongoDB uses it internally");
	return true;
}

/*
 * add_member - a file of a database's directory, or what has the name of
 * one: then "problem" says what is wrong with it
 */
static void
add_member(Search *search, const char *path, const char *file, const char *database,
		   const char *problem)
{
	int			length;
	Content		content = classify_name(file, &length);
	char	   *name = decode(file, length);

	/* names of tables and in tables are UTF-8 */
	if (problem == NULL && (!is_utf8(name) || !is_utf8(database) || !is_utf8(file)))
		problem = "its name is not UTF-8";
	if (content == NOT_DATA)
		skip_file(search, path, false, problem ? problem : "its name does not look like data");
	else if (problem == NULL && content != METADATA && content != OTHER_DATA)
		add_data(search, path, file, database, name, length, content == JSON_DATA, false);
	else if (!is_wanted(search->options, database, name, file, length))
		return;
	else if (content == METADATA)
		add_metadata(search, path, file, database, name, length, problem);
	else
		skip_file(search, path, true, problem ? problem :
				  "its name does not end in .bson, .json, .bson.gz or .json.gz");
}

/*
 * is_directory - is it a directory?
 *
 * "problem" is set if it is not a regular file either.
 */
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
 * add_directory - the directory of a database, or, if "database" is NULL,
 * of a dump
 *
 * If a directory in it has collections, this is not the directory of a
 * database.
 */
static void
add_directory(Search *search, const char *path, const char *database)
{
	static const char layout[] =
	"a dump is a directory for each database, with files of collections";
	struct dirent **entries;
	int			entry_count = scandir(path, &entries, is_not_dots, alphasort);
	int			before = search->seen;
	bool		nested;
	const char *problem;
	int			length;

	if (entry_count < 0)
		pg_fatal("could not read directory \"%s\": %m", path);
	if (database && entry_count == 0)
		skip_file(search, path, false, "it is empty");
	for (int i = 0; i < entry_count; i++)
	{
		const char *name = entries[i]->d_name;
		char	   *inner = psprintf("%s/%s", path, name);

		if (!is_directory(inner, &problem))
			continue;
		if (database == NULL && name[0] != '.')
			add_directory(search, inner, decode(name, strlen(name)));
		else
			skip_file(search, inner, name[0] != '.', layout);
	}
	nested = search->seen > before;
	if (database == NULL)
		database = decode(directory_name(path), strlen(directory_name(path)));
	for (int i = 0; i < entry_count; i++)
	{
		const char *name = entries[i]->d_name;
		char	   *inner = psprintf("%s/%s", path, name);

		if (is_directory(inner, &problem))
			continue;
		if (skip_special(search, inner, name, nested ? "" : database, nested))
			continue;
		if (nested && (problem || classify_name(name, &length) != NOT_DATA))
			skip_file(search, inner, true, problem ? problem : layout);
		else
			add_member(search, inner, name, database, problem);
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

/*
 * is_taken - has a collection the name of this table's side table?
 */
static bool
is_taken(const Search *search, const Table *table)
{
	Collection	key = {.table = {.schema = table->schema,.name = table->side_name}};

	return bsearch(&key, search->collections, search->count, sizeof(Collection),
				   compare_collections) != NULL;
}

/*
 * find_collections - the collections of the argument, in the order of their
 * tables; exits if there are none, or if two need the same table
 *
 * *complete is false if some data is left out.
 */
Collection *
find_collections(const Options *options, int *count, bool *complete)
{
	const char *path = options->path;
	Search		search = {.options = options,.complete = true};
	Collection *found;
	struct stat status;

	if (strcmp(path, "-") == 0 || stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
		add_file(&search, path);
	else if (options->load.table || options->load.side_table || options->format)
		pg_fatal("--table, --side-table and --format are for a single file, "
				 "and \"%s\" is a directory", path);
	else
		add_directory(&search, path, NULL);
	if (search.count == 0)
		pg_fatal("directory \"%s\" has no collections to load", path);
	found = search.collections;
	if (search.count > 1)
		qsort(found, search.count, sizeof(Collection), compare_collections);
	for (int i = 1; i < search.count; i++)
		if (compare_collections(&found[i - 1], &found[i]) == 0)
		{
			pg_log_error("files \"%s\" and \"%s\" would go into one table",
						 found[i - 1].input.path, found[i].input.path);
			pg_log_error_hint("Leave one out with --exclude, which also matches names of files "
							  "such as \"%s\", and load it with --table.", found[i].input.name);
			exit(1);
		}
	/* a collection can have the name of another's table of rejected documents */
	for (int i = 0; i < search.count && search.count > 1; i++)
	{
		Table	   *table = &found[i].table;

		for (int n = 1; is_taken(&search, table); n++)
			table->side_name = shorten(table->name, psprintf("_rejected%d", n));
	}
	*count = search.count;
	*complete = search.complete;
	return found;
}
