# For the upgrade tests: the definition of the extension, as text to compare.
package Definition;
use strict;
use warnings FATAL => 'all';
use Exporter qw(import);
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw(definition);

# The definition of the extension in a database: a line for each statement with which
# pg_upgrade would create it, without OIDs, and one for each member with its comment, because
# pg_dump leaves out array types.
sub definition
{
	my ($node, $database) = @_;
	my ($dump, $error) = run_command(
		[
			'pg_dump', '--schema-only', '--binary-upgrade', '--exclude-schema=app',
			'--dbname', $node->connstr($database)
		]);
	die($error) if $error;
	$dump =~ s/^(?:--|\\|SELECT pg_catalog\.binary_upgrade_set_next).*\n//mg;
	my $members = $node->safe_psql(
		$database, q{
SET search_path = pg_catalog;
SELECT 'member: ' || pg_describe_object(classid, objid, 0) || ': ' || coalesce(obj_description(objid, classid::regclass::text), 'no comment')
FROM pg_depend WHERE deptype = 'e' AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'objectid')});
	return join("\n", sort((map { s/\s+/ /gr } split(/;\n/, $dump)), split(/\n/, $members)));
}

1;
