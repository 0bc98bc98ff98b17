-- A key to text, and text to a key, without the time for reading the column
-- order: 170, after: data, kinds: key; char(24); bytea
CREATE TEMPORARY TABLE as_text AS SELECT id::text AS id FROM bulk.:"kind";
VACUUM (FREEZE) as_text;
\ir start.psql
SELECT count(id) FROM bulk.:"kind";
\ir stop.psql
\set read :seconds
\ir start.psql
SELECT count(id::text) FROM bulk.:"kind";
\ir stop.psql
SELECT bench.record('text output, net', 'ns', :'kind', :rows, (:seconds - :read) / :rows * 1e9);
\ir start.psql
SELECT count(id) FROM as_text;
\ir stop.psql
\set read :seconds
\ir start.psql
SELECT count(id:::type) FROM as_text;
\ir stop.psql
SELECT bench.record('text input, net', 'ns', :'kind', :rows, (:seconds - :read) / :rows * 1e9);
