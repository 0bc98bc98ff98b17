-- COPY of the keys only, by the server: no client, no network
-- order: 160, after: data, kinds: key
\set text_file :directory '/copy.text'
\set binary_file :directory '/copy.binary'
COPY shuffled.:"kind" (id) TO :'text_file';
COPY shuffled.:"kind" (id) TO :'binary_file' (FORMAT binary);
CREATE TEMPORARY TABLE filled (id :type);
\ir start.psql
COPY filled FROM :'text_file';
\ir stop.psql
SELECT bench.record('COPY in, text', 's', :'kind', :rows, :seconds);
TRUNCATE filled;
\ir start.psql
COPY filled FROM :'binary_file' (FORMAT binary);
\ir stop.psql
SELECT bench.record('COPY in, binary', 's', :'kind', :rows, :seconds);
