/*-------------------------------------------------------------------------
 *
 * options.c
 *	  The command line.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "command.h"
#include "getopt_long.h"

#include "usage.inc"

static Options options = {.load.id_type = ID_UNKNOWN,.load.max_rejected = -1,.jobs = 1};

/* where an option goes: the first of these that there is */
static const struct
{
	struct option option;
	const char **text;
	bool	   *flag;
	SimpleStringList *list;
}			table[] =

{
	{{"dbname", required_argument, NULL, 'd'}, &options.load.connection.dbname, NULL, NULL},
	{{"host", required_argument, NULL, 'h'}, &options.load.connection.pghost, NULL, NULL},
	{{"port", required_argument, NULL, 'p'}, &options.load.connection.pgport, NULL, NULL},
	{{"username", required_argument, NULL, 'U'}, &options.load.connection.pguser, NULL, NULL},
	{{"table", required_argument, NULL, 't'}, &options.load.table, NULL, NULL},
	{{"schema", required_argument, NULL, 'n'}, &options.schema, NULL, NULL},
	{{"side-table", required_argument, NULL, 1}, &options.load.side_table, NULL, NULL},
	{{"format", required_argument, NULL, 2}, &options.format, NULL, NULL},
	{{"progress", no_argument, NULL, 'P'}, NULL, &options.progress, NULL},
	{{"restart", no_argument, NULL, 3}, NULL, &options.load.restart, NULL},
	{{"upsert", no_argument, NULL, 10}, NULL, &options.load.upsert, NULL},
	{{"drop", no_argument, NULL, 4}, NULL, &options.load.drop, NULL},
	{{"truncate", no_argument, NULL, 16}, NULL, &options.load.truncate, NULL},
	{{"generate-id", no_argument, NULL, 17}, NULL, &options.load.generate_id, NULL},
	{{"dry-run", no_argument, NULL, 5}, NULL, &options.dry_run, NULL},
	{{"verify", no_argument, NULL, 14}, NULL, &options.load.verify, NULL},
	{{"schema-only", no_argument, NULL, 11}, NULL, &options.schema_only, NULL},
	{{"section", required_argument, NULL, 12}, &options.section, NULL, NULL},
	{{"file", required_argument, NULL, 'f'}, &options.file, NULL, NULL},
	{{"include", required_argument, NULL, 6}, NULL, NULL, &options.include},
	{{"exclude", required_argument, NULL, 7}, NULL, NULL, &options.exclude},
	{{"unpack", required_argument, NULL, 15}, &options.unpack, NULL, NULL},
	{{"jobs", required_argument, NULL, 'j'}, NULL, NULL, NULL},
	{{"no-password", no_argument, NULL, 'w'}, NULL, NULL, NULL},
	{{"password", no_argument, NULL, 'W'}, NULL, NULL, NULL},
	{{"quiet", no_argument, NULL, 'q'}, NULL, NULL, NULL},
	{{"verbose", no_argument, NULL, 'v'}, NULL, NULL, NULL},
	{{"id-type", required_argument, NULL, 8}, NULL, NULL, NULL},
	{{"max-rejected", required_argument, NULL, 9}, NULL, NULL, NULL},
};

/*
 * parse_number - a number of this range, or exit
 */
static int64
parse_number(const char *text, const char *option, int64 least, int64 greatest)
{
	int64		value;

	if (!parse_integer(text, strlen(text), &value) || value < least || value > greatest)
		pg_fatal("%s must be from " INT64_FORMAT " to " INT64_FORMAT, option, least,
				 greatest);
	return value;
}

static void
fail_usage(void)
{
	pg_log_error_hint("Try \"%s --help\" for more information.", PROGRAM);
	exit(1);
}

/*
 * take_option - store an option, whose argument is in optarg
 */
static void
take_option(int option)
{
	for (size_t i = 0; i < lengthof(table); i++)
	{
		if (table[i].option.val != option)
			continue;
		if (table[i].text)
			*table[i].text = optarg;
		if (table[i].flag)
			*table[i].flag = true;
		if (table[i].list)
			simple_string_list_append(table[i].list, optarg);
	}
	if (option == 'w' || option == 'W')
		options.load.connection.prompt_password = option == 'w' ? TRI_NO : TRI_YES;
	else if (option == 'j')
		options.jobs = (int) parse_number(optarg, "--jobs", 1, MAX_JOBS);
	else if (option == 'q')
	{
		options.quiet = true;
		pg_logging_set_level(PG_LOG_ERROR);
	}
	else if (option == 'v')
	{
		options.verbose = true;
		pg_logging_increase_verbosity();
	}
	else if (option == 8 && (options.load.id_type = find_id_type(optarg)) == ID_UNKNOWN)
		pg_fatal("--id-type must be objectid, text, bigint, uuid or jsonb");
	else if (option == 9)
		options.load.max_rejected = parse_number(optarg, "--max-rejected", 0,
												 PG_INT64_MAX);
	else if (option == '?')
		fail_usage();
}

/*
 * parse_options - the options and the argument
 *
 * Exits if there is anything wrong, or nothing to do but to print.
 */
const Options *
parse_options(int argc, char **argv)
{
	struct option long_options[lengthof(table) + 1] = {0};
	int			option;
	bool		others = false; /* than --unpack, --quiet and --verbose */

	for (int i = 1; i < argc; i++)
	{
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-?") == 0)
			fputs(usage_txt, stdout);
		else if (strcmp(argv[i], "--version") == 0 || strcmp(argv[i], "-V") == 0)
			puts(PROGRAM " (objectid) " OBJECTID_VERSION);
		else
			continue;
		exit(0);
	}
	for (size_t i = 0; i < lengthof(table); i++)
		long_options[i] = table[i].option;
	while ((option = getopt_long(argc, argv, "d:f:h:p:U:wWj:n:Pqt:v", long_options, NULL)) != -1)
	{
		others |= option != 15 && option != 'q' && option != 'v';
		take_option(option);
	}
	if (optind != argc - 1)
	{
		pg_log_error(optind == argc ? "no file or directory is specified" :
					 "more than one file or directory is specified");
		fail_usage();
	}
	if (options.format && strcmp(options.format, "bson") != 0 &&
		strcmp(options.format, "json") != 0)
		pg_fatal("--format must be bson or json");
	if (options.section && strcmp(options.section, "pre-data") != 0 &&
		strcmp(options.section, "post-data") != 0)
		pg_fatal("--section must be pre-data or post-data");
	if ((options.section || options.file) && !options.schema_only)
		pg_fatal("--section and --file are for --schema-only");
	if (options.load.table && options.schema)
		pg_fatal("--table and --schema cannot be used together");
	if (options.unpack && others)
		pg_fatal("--unpack can be used only with --quiet and --verbose");
	if (options.dry_run + options.load.verify + options.schema_only > 1)
		pg_fatal("--dry-run, --verify and --schema-only exclude each other");
	if ((options.load.verify || options.schema_only) &&
		(options.load.upsert || options.load.restart || options.load.drop ||
		 options.load.truncate))
		pg_fatal("--upsert, --restart, --drop and --truncate are for a load");
	if (options.schema_only && options.load.max_rejected >= 0)
		pg_fatal("--max-rejected is for a load or --verify");
	if (options.load.drop && options.load.truncate)
		pg_fatal("--drop and --truncate exclude each other");
	options.path = argv[optind];
	return &options;
}
