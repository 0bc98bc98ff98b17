# Node.js: the package with each driver and bson of npm, also by require() and with
# TypeScript, and as npm's own tools check it; and plain/objectid.sql in PGlite.
# Takes long.
use ClientTest;

need('node');
my ($installed) = shell('.', 'npm ls');
plan skip_all => 'the packages of package.json are not installed (script/setup clients)' unless $installed;
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
drizzle	test/drizzle/roundtrip.js	text	node
knex	test/knex/roundtrip.js	-	node
kysely	test/kysely/roundtrip.js	-	node
mikro-orm	test/mikro-orm/roundtrip.js	-	node
node-postgres	test/node-postgres/roundtrip.js	text	node
objection	test/objection/roundtrip.js	-	node
pg-promise	test/pg-promise/roundtrip.js	-	node
postgres.js	test/postgres.js/roundtrip.js	text	node
prisma	test/prisma/roundtrip.js	-	node20
sequelize	test/sequelize/roundtrip.js	-	node
typeorm	test/typeorm/roundtrip.js test/types.ts	text	node
# check	needs	command	allowed
an adapter also works as a copy of its file	node	! grep "from '\." $CLIENT/src/*.ts
its files	node	tar -tzf pg-objectid-*.tgz | cut -d / -f 2 | sort -u | diff <(printf '%s\n' LICENSE README.md dist package.json) -
publint	node	node node_modules/publint/src/cli.js --strict pg-objectid-*.tgz	^(Running publint |Unpacking tarball|Linting|All good!|$)
attw	node	node node_modules/@arethetypeswrong/cli/dist/index.js --quiet pg-objectid-*.tgz
require()	node	node required.cjs
TypeScript	node	sh compile.sh	^\S*node_modules/drizzle-orm/|^\s
PGlite	node sources	cd $CLIENT/test; node pglite.js
kanel, pgtyped, LoopBack, pg-mem	node20	node tools.js >printed 2>&1 || ! cat printed
