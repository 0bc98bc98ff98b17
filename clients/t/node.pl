# Node.js: the package of clients/node with each driver and bson of npm, also by require() and with
# TypeScript, and as npm's own tools check it; and plain/objectid.sql in PGlite.
# Takes long.
use ClientTest;

need('node');
my ($installed) = shell('clients/node', 'npm ls');
plan skip_all => 'the packages of clients/node/package.json are not installed (script/setup clients)' unless $installed;
test_clients(
	tcp => 1,
	install => <<'END',
ln -s $CLIENT/node_modules package
npm pack ./package --loglevel=error
cp -R $CLIENT/test/. .
echo '{ "type": "module" }' >package.json
npm install --offline --legacy-peer-deps --no-audit --no-fund --loglevel=error ./pg-objectid-*.tgz
ln -s $CLIENT/node_modules/* node_modules
END
	run => 'cd $DIRECTORY/$DRIVER; node $PROGRAM');

__END__
# driver	program	ways	needs
drizzle	node/test/drizzle/roundtrip.js	text	node
knex	node/test/knex/roundtrip.js	text	node
kysely	node/test/kysely/roundtrip.js	text	node
mikro-orm	node/test/mikro-orm/roundtrip.js	text	node
node-postgres	node/test/node-postgres/roundtrip.js	text	node
objection	node/test/objection/roundtrip.js	text	node
pg-promise	node/test/pg-promise/roundtrip.js	text	node
postgres.js	node/test/postgres.js/roundtrip.js	text	node
prisma	node/test/prisma/roundtrip.js	text	prisma
sequelize	node/test/sequelize/roundtrip.js	text	node
typeorm	node/test/typeorm/roundtrip.js node/test/types.ts	text	node
# check	needs	command	allowed
an adapter also works as a copy of its file	node	! grep "from '\." $CLIENT/src/*.ts
its files	node	tar -tzf pg-objectid-*.tgz | cut -d / -f 2 | sort -u | diff <(printf '%s\n' LICENSE README.md dist package.json) -
publint	node	node node_modules/publint/src/cli.js --strict pg-objectid-*.tgz	^(Running publint |Unpacking tarball|Linting|All good!|$)
attw	node	node node_modules/@arethetypeswrong/cli/dist/index.js --quiet pg-objectid-*.tgz
require()	node	node required.cjs
TypeScript	node	sh compile.sh	^\S*node_modules/drizzle-orm/|^\s
PGlite	node	cd $CLIENT/test; node pglite.js
kanel, pgtyped, LoopBack, pg-mem	node	node tools.js >printed 2>&1 || ! cat printed
