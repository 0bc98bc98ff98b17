/*-------------------------------------------------------------------------
 *
 * archive.c
 *	  From an archive of mongodump to the directory that mongodump would have written.
 *
 * An archive is a magic number and blocks.  A block is a header, documents and a
 * terminator.  The first block lists the collections, with their metadata.  Any
 * other has documents of one collection, or ends it, with a checksum of all its
 * documents.  Blocks of different collections alternate.
 *
 * The directory has a different name until all of the archive has been checked.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <signal.h>
#include <unistd.h>

#include "dump.h"
#include "message.h"

/* little-endian, as all numbers of an archive */
static const char magic[] = {0x6d, (char) 0xe2, (char) 0x99, (char) 0x81};
static const char terminator[] = {(char) 0xff, (char) 0xff, (char) 0xff, (char) 0xff};

#define FORMAT_VERSION "0.1"
#define TIME_SERIES_PREFIX "system.buckets."

/* characters that the name of a database cannot have, and its length */
#define NOT_IN_DATABASE "/\\. \"$"
#define MAX_DATABASE 63

/* CRC-64 of ECMA-182, reflected */
#define CRC64_POLYNOMIAL UINT64CONST(0xc96c5795d7870f42)

/* a collection of the archive */
typedef struct Member
{
	char	   *database;		/* of the oplog: empty */
	char	   *name;
	bool		time_series;	/* its documents can be in its system.buckets.* */
	bool		view;
	char	   *file_name;		/* of its documents; NULL: not known yet */
	bool		has_file;
	bool		ended;
	uint64		crc;
} Member;

typedef struct Archive
{
	InputFile	input;
	Source		source;
	Member	   *members;
	int			count;
} Archive;

/* where files are written, until all of them are complete; else empty */
static char partial[MAXPGPATH];
static char interrupt_message[2 * MAXPGPATH];

/* at exit: remove what has been written of a directory that is not complete */
static void
remove_partial(void)
{
	if (partial[0] && !rmtree(partial, true))
		pg_log_error_hint("Remove directory \"%s\".", partial);
}

/*
 * end the program, and leave what has been written under the name of something that is not
 * complete
 */
static void
leave_partial(int signal_number pg_attribute_unused())
{
	if (write(STDERR_FILENO, interrupt_message, strlen(interrupt_message)) < 0)
		_exit(130);
	_exit(130);
}

/* exit because of damage at a place in the window */
static void
__attribute__((noreturn))
fail_damaged(const Archive *archive, const char *at, const char *what)
{
	const Source *source = &archive->source;
	const Damage *damage = &source->damage;
	int64		offset = damage->what[0] ? damage->at : source->offset + (at - source->window);

	if (damage->changed)
		pg_log_error("file \"%s\" has changed while it was read", archive->input.path);
	else
		pg_log_error("file \"%s\" is damaged at byte " INT64_FORMAT ": %s", archive->input.name,
					 offset, damage->what[0] ? damage->what : what);
	pg_log_error_detail("Nothing is unpacked from a damaged archive.");
	give_up();
}

/* do these four bytes come next? */
static bool
starts_with(Source *source, const char *bytes)
{
	while (source->filled - source->next < 4 && !source->at_end)
		move_window(source);
	return source->filled - source->next >= 4 &&
		memcmp(source->window + source->next, bytes, 4) == 0;
}

/* read the next document of a block, or its terminator, and then return false */
static bool
read_document(Archive *archive, Document *document)
{
	Source	   *source = &archive->source;
	Finding		finding;

	if (starts_with(source, terminator))
	{
		source->next += sizeof(terminator);
		return false;
	}
	finding = find_document(source, document, true);
	if (finding != FOUND)
		fail_damaged(archive, source->window + source->next,
					 "the archive ends in the middle of a block");
	return true;
}

static void
read_header(Archive *archive, Document *document)
{
	if (!read_document(archive, document))
		fail_damaged(archive, archive->source.window + archive->source.next - sizeof(terminator),
					 "the block has no header");
}

/* find a field of this type in a document that describes others; gives up if there is none */
static void
get_field(Archive *archive, const Document *document, const char *name, bson_type_t type,
		  bson_iter_t *field)
{
	if (!bson_iter_init_from_data(field, document->bson, document->length) ||
		!bson_iter_find(field, name) || bson_iter_type(field) != type)
		fail_damaged(archive, document->data,
					 psprintf("the header that begins here has no valid \"%s\"", name));
}

/* the text in a field, valid as long as the document */
static const char *
get_text(Archive *archive, const Document *document, const char *name)
{
	bson_iter_t field;
	uint32_t	length;
	const char *text;

	get_field(archive, document, name, BSON_TYPE_UTF8, &field);
	text = bson_iter_utf8(&field, &length);
	if (strlen(text) != length)
		fail_damaged(archive, document->data, psprintf("NUL character in \"%s\"", name));
	return text;
}

/*
 * the names of a collection and of its database, which is that of a directory, too; valid as long
 * as the document
 */
static Member
read_names(Archive *archive, const Document *document)
{
	const char *name = get_text(archive, document, "collection");
	const char *database = get_text(archive, document, "db");

	/* the oplog belongs to no database */
	if ((database[0] == '\0' && strcmp(name, "oplog") != 0) || strlen(database) > MAX_DATABASE ||
		strpbrk(database, NOT_IN_DATABASE) || !is_utf8(database))
		fail_damaged(archive, document->data,
					 psprintf("a database cannot have the name \"%s\"", database));
	if (name[0] == '\0')
		fail_damaged(archive, document->data, "a collection has no name");
	return (Member)
	{
		.database = unconstify(char *, database),.name = unconstify(char *, name)
	};
}

/* the collection of this name, from its byte "skip" on, or NULL */
static Member *
find_member(const Archive *archive, Member names, size_t skip)
{
	for (Member *member = archive->members; member < archive->members + archive->count; member++)
		if (strcmp(member->database, names.database) == 0 &&
			strcmp(member->name, names.name + skip) == 0)
			return member;
	return NULL;
}

/*
 * Read the header of a block of documents.  Returns the collection.  Sets *ends if this is its
 * end.
 */
static Member *
read_block_header(Archive *archive, bool *ends)
{
	Document	document;
	Member		names;
	Member	   *member;
	bson_iter_t field;
	const size_t prefix = strlen(TIME_SERIES_PREFIX);

	read_header(archive, &document);
	names = read_names(archive, &document);
	member = find_member(archive, names, 0);

	if (member == NULL && strncmp(names.name, TIME_SERIES_PREFIX, prefix) == 0)
		member = find_member(archive, names, prefix);
	if (member && !member->time_series && strcmp(member->name, names.name) != 0)
		member = NULL;
	if (member == NULL || member->ended)
		fail_damaged(archive, document.data,
					 psprintf("collection \"%s.%s\" %s", names.database, names.name,
							  member ? "has ended before" :
							  "is not in the list at the beginning"));
	if (member->file_name == NULL)
		member->file_name = collection_file_name(names.name);
	get_field(archive, &document, "EOF", BSON_TYPE_BOOL, &field);
	*ends = bson_iter_bool(&field);
	get_field(archive, &document, "CRC", BSON_TYPE_INT64, &field);
	if (*ends && (uint64) bson_iter_int64(&field) != member->crc)
		fail_damaged(archive, document.data,
					 psprintf("the checksum of collection \"%s.%s\" is wrong", names.database,
							  names.name));
	return member;
}

/* create a file of a database, or open it to append to it */
static FILE *
open_file(const char *database, const char *name, const char *ending, bool create)
{
	char	   *directory = psprintf("%s/%s", partial, database);
	char	   *path = psprintf("%s/%s%s", directory, name, ending);
	FILE	   *file;

	if (create && mkdir(directory, S_IRWXU | S_IRWXG | S_IRWXO) != 0 && errno != EEXIST)
		pg_fatal("could not create directory \"%s\": %m", directory);
	file = fopen(path, create ? "wbx" : "ab");
	if (file == NULL)
		pg_fatal("could not open file \"%s\": %m", path);
	return file;
}

static void
write_bytes(FILE *file, const void *bytes, size_t length)
{
	if (fwrite(bytes, 1, length, file) != length)
		pg_fatal("could not write to directory \"%s\": %m", partial);
}

static void
close_file(FILE *file)
{
	if (fclose(file) != 0)
		pg_fatal("could not write to directory \"%s\": %m", partial);
}

static void
write_text(FILE *file, const char *text)
{
	write_bytes(file, text, strlen(text));
	close_file(file);
}

static uint64
add_to_crc(uint64 crc, const uint8_t *bytes, size_t length)
{
	static uint64 table[256];

	for (int i = 0; i < 256 && table[255] == 0; i++)
	{
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? CRC64_POLYNOMIAL : 0);
	}
	crc = ~crc;
	for (size_t i = 0; i < length; i++)
		crc = table[(uint8) crc ^ bytes[i]] ^ crc >> 8;
	return ~crc;
}

/* a collection in the list at the beginning, and its metadata */
static void
add_member(Archive *archive, const Document *document)
{
	Member		member = read_names(archive, document);
	const char *metadata = get_text(archive, document, "metadata");
	bson_iter_t type;
	bson_t	   *bson;

	member.database = pg_strdup(member.database);
	member.name = pg_strdup(member.name);
	bson = parse_metadata(pg_strdup(metadata), NULL);
	member.view = has_option(bson, "options.viewOn");
	bson_destroy(bson);
	if (bson_iter_init_from_data(&type, document->bson, document->length) &&
		bson_iter_find(&type, "type") && BSON_ITER_HOLDS_UTF8(&type))
		member.time_series = strcmp(bson_iter_utf8(&type, NULL), "timeseries") == 0;
	if (metadata[0])
		write_text(open_file(member.database, collection_file_name(member.name),
							 ".metadata.json", true), metadata);
	*add_place(archive->members, archive->count) = member;
}

/* the first block: versions, and the list of the collections */
static void
unpack_list(Archive *archive)
{
	Document	document;
	char	   *server;
	char	   *tool;

	read_header(archive, &document);
	if (strcmp(get_text(archive, &document, "version"), FORMAT_VERSION) != 0)
		fail_damaged(archive, document.data, "the version of the format is unknown");
	server = bson_utf8_escape_for_json(get_text(archive, &document, "server_version"), -1);
	tool = bson_utf8_escape_for_json(get_text(archive, &document, "tool_version"), -1);
	if (server == NULL || tool == NULL)
		fail_damaged(archive, document.data, "a version is not UTF-8");
	write_text(open_file("", "prelude", ".json", true),
			   psprintf("{ \"ServerVersion\" : \"%s\", \"ToolVersion\" : \"%s\" }", server, tool));
	while (read_document(archive, &document))
		add_member(archive, &document);
}

/* a block of documents, or the end of a collection */
static void
unpack_block(Archive *archive)
{
	bool		ends;
	Member	   *member = read_block_header(archive, &ends);
	FILE	   *file = NULL;
	Document	document;

	while (read_document(archive, &document))
	{
		if (ends)
			fail_damaged(archive, document.data, "a document follows the end of its collection");
		if (file == NULL)
			file = open_file(member->database, member->file_name, ".bson", !member->has_file);
		member->has_file = true;
		write_bytes(file, document.data, document.length);
		member->crc = add_to_crc(member->crc, document.bson, document.length);
	}
	member->ended = ends;

	/* a view has no documents, unless it was dumped as a collection */
	if (ends && !member->has_file && !member->view)
		file = open_file(member->database, member->file_name, ".bson", true);
	if (file)
		close_file(file);
}

/*
 * Create the directory, under a different name.  One of its name is removed if it is empty, so
 * that the new one can have its name in the end, and has its permissions.
 */
static void
create_partial(const char *directory)
{
	struct stat status = {.st_mode = S_IRWXU | S_IRWXG | S_IRWXO};
	bool		exists = stat(directory, &status) == 0;
	const char *path = psprintf("%s.partial", directory);

	if (strlen(path) >= sizeof(partial))
		pg_fatal("the name of directory \"%s\" is too long", directory);
	if (rmdir(directory) != 0 && (errno != ENOENT || directory[0] == '\0'))
		pg_fatal_hint("Use a directory that does not exist or is empty.",
					  "could not replace directory \"%s\": %m", directory);
	if (mkdir(path, S_IRWXU | S_IRWXG | S_IRWXO) != 0)
	{
		pg_log_error("could not create directory \"%s\": %m", path);
		if (errno == EEXIST)
			pg_log_error_hint("If no other program writes it, remove it.");
		give_up();
	}
	strlcpy(partial, path, sizeof(partial));
	snprintf(interrupt_message, sizeof(interrupt_message),
			 PROGRAM ": error: interrupted\n" PROGRAM ": hint: Remove directory \"%s\".\n",
			 printable(partial));
	atexit(remove_partial);
	signal(SIGINT, leave_partial);
	signal(SIGTERM, leave_partial);
	if (exists && chmod(path, status.st_mode & 07777) != 0)
		pg_fatal("could not change permissions of directory \"%s\": %m", path);
}

/* unpack_archive - write the directory that mongodump would have written, or give up */
void
unpack_archive(const char *path, const char *directory)
{
	const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
	Archive		archive = {.input = {.path = path,.name = name}};
	Source	   *source = &archive.source;
	struct stat *status = &archive.input.status;
	char	   *trimmed = pg_strdup(directory);

	for (size_t end = strlen(trimmed); end > 1 && trimmed[end - 1] == '/';)
		trimmed[--end] = '\0';
	if (strcmp(path, "-") != 0 && stat(path, status) != 0)
		pg_fatal("could not open file \"%s\": %m", path);
	if (S_ISDIR(status->st_mode))
		pg_fatal("\"%s\" is a directory, not an archive of mongodump", path);
	open_source(source, &archive.input);

	/* mongodump compresses with --gzip, whatever the name of the file */
	source->damage.what[0] = '\0';
	if (!starts_with(source, magic))
	{
		if (source->damage.what[0])
			fail_damaged(&archive, source->window, NULL);
		pg_fatal("file \"%s\" is not an archive of mongodump", archive.input.name);
	}
	create_partial(trimmed);
	source->next += sizeof(magic);
	unpack_list(&archive);
	while (starts_with(source, terminator) || source->next < source->filled ||
		   source->damage.what[0])
		unpack_block(&archive);
	for (int i = 0; i < archive.count; i++)
		if (!archive.members[i].ended)
			fail_damaged(&archive, source->window + source->next,
						 psprintf("the end of collection \"%s.%s\" is missing",
								  archive.members[i].database, archive.members[i].name));
	close_source(source);
	if (rename(partial, trimmed) != 0)
		pg_fatal("could not rename directory \"%s\" to \"%s\": %m", partial, trimmed);
	partial[0] = '\0';
	pg_log_info("the dump is in directory \"%s\"", trimmed);
}
