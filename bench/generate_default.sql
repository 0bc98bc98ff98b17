-- A new id, as the default of a column
-- order: 30, kinds: key; string; generator
CREATE TEMPORARY TABLE made (id :ddl, v integer);
CREATE TEMPORARY TABLE given (id :ddl, v integer);
INSERT INTO given (v) VALUES (0);
SELECT id FROM given \gset
TRUNCATE given;
\ir start.psql
INSERT INTO made (v) SELECT i FROM generate_series(1, :rows) AS i;
\ir stop.psql
\set query :seconds
\ir start.psql
INSERT INTO given (id, v) SELECT :'id', i FROM generate_series(1, :rows) AS i;
\ir stop.psql
SELECT bench.record('generate as a default, net of the insert', 'ns', :'kind', :rows, (:query - :seconds) / :rows * 1e9);
