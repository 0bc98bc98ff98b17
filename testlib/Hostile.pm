# A hostile role: "mallory" can create objects in "public" only, and creates one with each name that some
# code uses (hostile.sql).  No code of mallory's may run.
package Hostile;
use strict;
use warnings FATAL => 'all';
use Exporter       qw(import);
use File::Basename qw(dirname);
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw(attack run_sql create_hostile_objects none_has_run);

my ($node, $database);

# attack($node, $database) - what the other functions use from now on
sub attack
{
	($node, $database) = @_;
	return;
}

# run_sql($sql, $role, $path) - run statements as a role, by default the superuser, independent of the
# objects of others unless there is a search_path
sub run_sql
{
	my ($sql, $role, $path) = @_;
	$path //= 'pg_catalog, pg_temp';
	return $node->safe_psql(
		$database,
		"SET client_min_messages = warning; SET search_path = $path; $sql",
		extra_params => [ map { ('-U', $_) } $role // () ]);
}

# create_hostile_objects($code, @types) - with the names of the words and operators in this SQL, for
# these types, and one of mallory's
sub create_hostile_objects
{
	my ($code, @types) = @_;
	my %words = map { lc $_ => 1 } $code =~ /\w+/g;
	my %operators = map { $_ => 1 } $code =~ m{[-+*/<>=~!@#%^&|`?]+}g;
	run_sql('GRANT CREATE ON SCHEMA public TO mallory');
	run_sql(slurp_file(dirname(__FILE__) . '/hostile.sql'), 'mallory');
	run_sql(
		sprintf(
			q{
INSERT INTO public.evil_words SELECT unnest('{%s}'::text[]);
INSERT INTO public.evil_operators SELECT unnest('{%s}'::text[]);
INSERT INTO public.evil_types SELECT unnest('{%s}'::regtype[]);
SELECT public.evil_names('public'), public.evil_functions()},
			join(',', keys %words), join(',', keys %operators), join(',', @types, 'public.trap')),
		'mallory');
	return;
}

# none_has_run($what) - check that none of mallory's code has run
sub none_has_run
{
	my ($what) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is(run_sql(q{SELECT is_called, (SELECT rolsuper FROM pg_roles WHERE rolname = 'mallory') FROM public.evil_runs}),
		'f|f', "$what: no code of mallory's has run")
	  or do
	{
		diag($_) for keys %{ { map { $_ => 1 } slurp_file($node->logfile) =~ /LOG:  (evil: .*)/g } };
		run_sql(q{SELECT setval('public.evil_runs', 1, false); ALTER ROLE mallory NOSUPERUSER});
	};
	return;
}

1;
