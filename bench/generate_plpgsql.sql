-- A new id, assigned in a PL/pgSQL loop
-- order: 20, kinds: key; string; generator
SELECT format('DO $$ DECLARE x %s; y %1$s := %s; BEGIN FOR i IN 1 .. %s LOOP x := %2$s; END LOOP; END $$', :'type', :'make', :rows) AS loop,
	format('DO $$ DECLARE x %s; y %1$s := %s; BEGIN FOR i IN 1 .. %s LOOP x := y; END LOOP; END $$', :'type', :'make', :rows) AS empty \gset
\ir start.psql
:loop;
\ir stop.psql
\set query :seconds
\ir start.psql
:empty;
\ir stop.psql
SELECT bench.record('generate in PL/pgSQL, net of the loop', 'ns', :'kind', :rows, (:query - :seconds) / :rows * 1e9);
