-- COPY of the keys only, by the server: no client, no network
-- order: 160, after: data, kinds: key
\set text_file :directory '/copy.text'
COPY shuffled.:"kind" (id) TO :'text_file';
CREATE TEMPORARY TABLE filled (id :type);
\ir start.psql
COPY filled FROM :'text_file';
\ir stop.psql
SELECT bench.record('COPY in, text', 's', :'kind', :rows, :seconds);
