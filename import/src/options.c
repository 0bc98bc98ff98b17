/*-------------------------------------------------------------------------
 *
 * options.c
 *	  The command line.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "command.h"
#include "fe_utils/option_utils.h"
#include "getopt_long.h"
#include "message.h"

#include "usage.inc"

Command		command;

static Options options = {.id_type = ID_UNKNOWN,.max_rejected = -1,.jobs = 1};
static const char *id_type;
static bool several_actions;

/* where an option goes: one of these, or take_option() knows it by its letter */
static const struct
{
	const char *name;
	char		letter;			/* 0: it has none */
	const char **string;
	SimpleStringList *list;
	int		   *number;
	int			least;
	int			greatest;
	bool	   *flag;
	Action		action;
}			table[] =

{
	{"dbname", 'd',.string = &options.connection.dbname},
	{"host", 'h',.string = &options.connection.pghost},
	{"port", 'p',.string = &options.connection.pgport},
	{"username", 'U',.string = &options.connection.pguser},
	{.name = "no-password",.letter = 'w'},
	{.name = "password",.letter = 'W'},
	{"table", 't',.string = &options.table},
	{"schema", 'n',.string = &options.schema},
	{"format",.string = &options.format},
	{"id-type",.string = &id_type},
	{"include",.list = &options.include},
	{"exclude",.list = &options.exclude},
	{"max-rejected",.number = &options.max_rejected, 0, PG_INT32_MAX},
	{"upsert",.flag = &options.upsert},
	{"generate-id",.flag = &options.generate_id},
	{"restart",.flag = &options.restart},
	{"truncate",.flag = &options.truncate},
	{"drop",.flag = &options.drop},
	{"dry-run",.action = DRY_RUN},
	{"verify",.action = VERIFY},
	{"schema-only",.action = PRINT_SCHEMA},
	{"section",.string = &options.section},
	{"offline",.flag = &options.offline},
	{"to-tables",.action = TO_TABLES},
	{"file", 'f',.string = &options.file},
	{"unpack",.string = &options.unpack},
	{"jobs", 'j',.number = &options.jobs, 1, MAX_JOBS},
	{"progress", 'P',.flag = &options.progress},
	{"quiet", 'q',.flag = &options.quiet},
	{"verbose", 'v',.flag = &options.verbose},
};

static void
fail_usage(void)
{
	pg_log_error_hint("Try \"%s --help\" for more information.", PROGRAM);
	give_up();
}

static void
take_action(Action action)
{
	several_actions |= options.action != LOAD && options.action != action;
	options.action = action;
}

/* store an option, whose argument is in optarg */
static void
take_option(int i)
{
	if (table[i].string)
		*table[i].string = optarg;
	else if (table[i].list)
		simple_string_list_append(table[i].list, optarg);
	else if (table[i].number)
	{
		if (!option_parse_int(optarg, psprintf("--%s", table[i].name), table[i].least,
							  table[i].greatest, table[i].number))
			give_up();
	}
	else if (table[i].flag)
		*table[i].flag = true;
	else if (table[i].action == LOAD)
		options.connection.prompt_password = table[i].letter == 'w' ? TRI_NO : TRI_YES;
	else
		take_action(table[i].action);
	if (table[i].string == &id_type && (options.id_type = find_id_type(id_type)) == ID_UNKNOWN)
		pg_fatal("--id-type must be objectid, text, bigint, uuid or jsonb");
	if (table[i].string == &options.section)
		take_action(PRINT_SCHEMA);
	if (table[i].letter == 'q')
		pg_logging_set_level(PG_LOG_ERROR);
	else if (table[i].letter == 'v')
		pg_logging_increase_verbosity();
}

/* give up if they do not go together */
static void
check_options(void)
{
	bool		prints = options.action == PRINT_SCHEMA || options.action == TO_TABLES;

	options.post_data = options.section && strcmp(options.section, "post-data") == 0;
	if (options.format && strcmp(options.format, "bson") != 0 &&
		strcmp(options.format, "json") != 0)
		pg_fatal("--format must be bson or json");
	if (options.section && strcmp(options.section, "pre-data") != 0 && !options.post_data)
		pg_fatal("--section must be pre-data or post-data");
	if (options.file && !prints)
		pg_fatal("--file is for --schema-only, --section and --to-tables");
	if (options.offline && (options.action != PRINT_SCHEMA || options.post_data))
		pg_fatal("--offline is for --schema-only");
	if (options.table && options.schema)
		pg_fatal("--table and --schema cannot be used together");
	if (several_actions)
		pg_fatal("--dry-run, --verify, --schema-only and --to-tables exclude each other");
	if ((prints || options.action == VERIFY) &&
		(options.upsert || options.restart || options.drop || options.truncate))
		pg_fatal("--upsert, --restart, --drop and --truncate are for a load");
	if (prints && options.max_rejected >= 0)
		pg_fatal("--max-rejected is for a load or --verify");
	if (options.drop && options.truncate)
		pg_fatal("--drop and --truncate exclude each other");
	if (options.upsert && options.generate_id)
		pg_fatal_hint("Use --truncate to replace all documents: one without _id in one file is "
					  "none of those in another.",
					  "--upsert and --generate-id exclude each other");
}

/*
 * parse_options - the options and the argument, or NULL if there is nothing to do but to print.
 * Gives up if anything is wrong.
 */
const Options *
parse_options(int argc, char **argv)
{
	struct option long_options[lengthof(table) + 1] = {0};
	char		letters[2 * lengthof(table) + 1] = "";
	int			option;
	bool		others = false; /* than --unpack, --quiet and --verbose */

	for (int i = 1; i < argc; i++)
	{
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-?") == 0)
			fputs(usage_txt, stdout);
		else if (strcmp(argv[i], "--version") == 0 || strcmp(argv[i], "-V") == 0)
			puts(PROGRAM " (objectid) " IMPORT_VERSION);
		else
			continue;
		return NULL;
	}
	for (int i = 0; i < (int) lengthof(table); i++)
	{
		bool		argument = table[i].string || table[i].list || table[i].number;

		long_options[i] = (struct option)
		{
			table[i].name, argument ? required_argument : no_argument, NULL, 256 + i
		};
		if (table[i].letter)
			sprintf(letters + strlen(letters), "%c%s", table[i].letter, argument ? ":" : "");
	}
	while ((option = getopt_long(argc, argv, letters, long_options, NULL)) != -1)
	{
		int			i = option - 256;

		if (option == '?')
			fail_usage();
		if (i < 0)
			for (i = 0; table[i].letter != option;)
				i++;
		others |= table[i].string != &options.unpack && table[i].letter != 'q' &&
			table[i].letter != 'v';
		take_option(i);
	}
	options.paths = argv + optind;
	options.path_count = argc - optind;
	if (options.action == TO_TABLES && options.path_count > 0)
		pg_fatal("--to-tables reads only the database: \"%s\" is not needed", argv[optind]);
	if (options.path_count == 0 && options.action != TO_TABLES)
	{
		pg_log_error("no file or directory is specified");
		fail_usage();
	}
	if (options.path_count > 1 && (options.unpack || options.table || options.format))
		pg_fatal("--table, --format and --unpack are for a single file");
	if (options.unpack && others)
		pg_fatal("--unpack can be used only with --quiet and --verbose");
	if (options.unpack)
		options.action = UNPACK;
	check_options();
	return &options;
}
