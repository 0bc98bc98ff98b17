# Logical decoding for other systems: the 24 digits in the text that pgoutput and wal2json
# write, and the 12 bytes in pgoutput's binary format.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use TestServer;

need('scale_decoding');
my $node = start_node('decoding', conf => "wal_level = logical\nmax_replication_slots = 3");

# newer minor versions load other plugins than core's only if this setting names them
my $known = $node->safe_psql('postgres', q{SELECT setting FROM pg_settings WHERE name = 'output_plugin_libraries'});
if ($known)
{
	$node->append_conf('postgresql.conf', "output_plugin_libraries = '$known, wal2json'");
	$node->restart;
}
$node->safe_psql(
	'postgres', q{
CREATE EXTENSION objectid;
CREATE TABLE made (id objectid PRIMARY KEY, refs objectid[]);
CREATE PUBLICATION made FOR TABLE made;
SELECT pg_create_logical_replication_slot(plugin || '_' || n, plugin)
FROM (VALUES ('wal2json', 1), ('pgoutput', 1), ('pgoutput', 2)) AS s (plugin, n);
INSERT INTO made VALUES ('507f1f77bcf86cd799439011', '{507f1f77bcf86cd799439012,NULL}');
DELETE FROM made;
});

query_is(
	$node, q{
SELECT change -> 'columntypes', change -> 'columnvalues', change -> 'oldkeys' -> 'keyvalues'
FROM pg_logical_slot_get_changes('wal2json_1', NULL, NULL), jsonb_path_query(data::jsonb, '$.change[*]') AS change
},
	'["objectid", "objectid[]"]|["507f1f77bcf86cd799439011", "{507f1f77bcf86cd799439012,NULL}"]|' . "\n"
	  . '||["507f1f77bcf86cd799439011"]',
	'wal2json');

# a column is t or b, its length, and its data
for ([ 1, false => "t\\000\\000\\000\\030507f1f77bcf86cd799439011" ],
	[ 2, true => 'b\\000\\000\\000\\014\\120\\177\\037\\167\\274\\370\\154\\327\\231\\103\\220\\021' ])
{
	my ($n, $binary, $column) = @$_;
	query_is(
		$node, qq{
SELECT count(*) FROM pg_logical_slot_get_binary_changes('pgoutput_$n', NULL, NULL, 'proto_version', '2',
  'publication_names', 'made', 'binary', '$binary')
WHERE get_byte(data, 0) IN (ascii('I'), ascii('D')) AND position('$column'::bytea IN data) > 0
}, '2', "pgoutput, binary $binary");
}
$node->stop;
done_testing();
