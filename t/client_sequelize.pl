# Sequelize with node-postgres, and bson of npm, in clients/node/sequelize.
use lib 't';
use ClientTest;

test_client(
	driver => 'node/sequelize',
	program => npm(qw(sequelize pg bson)) . '/sequelize/roundtrip.js',
	run => [ 'node', 'roundtrip.js' ],
	how => [qw(text)],
	checks => [
		standard('text'), 'a relation',
		'an array is a string',
		'create() accepts an ObjectId, where does not',
		'an invalid id is SQLSTATE 22P02',
		'an empty database: migrate, use, revert, migrate again'
	]);
