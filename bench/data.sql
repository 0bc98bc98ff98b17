-- The tables for the measurements with "after: data", for one kind of key.
-- kinds: key
CREATE SCHEMA IF NOT EXISTS ordered;
CREATE SCHEMA IF NOT EXISTS shuffled;
CREATE SCHEMA IF NOT EXISTS bulk;
DROP TABLE IF EXISTS ordered.:"kind", shuffled.:"kind", bulk.:"kind";

-- keys of five years, in order and in random order
CREATE TABLE ordered.:"kind" (id :type, v integer);
INSERT INTO ordered.:"kind"
	SELECT id, v FROM (SELECT :spread AS id, i AS v FROM generate_series(1, :rows) AS i OFFSET 0) AS s ORDER BY id;
CREATE TABLE shuffled.:"kind" (id :type, v integer);
INSERT INTO shuffled.:"kind" SELECT id, v FROM ordered.:"kind" ORDER BY random();

-- keys of one process and few seconds, in the order of generation
CREATE TABLE bulk.:"kind" (id :type, v integer);
INSERT INTO bulk.:"kind" SELECT :make, i FROM generate_series(1, :rows) AS i;

VACUUM (FREEZE, ANALYZE) ordered.:"kind", shuffled.:"kind", bulk.:"kind";
CHECKPOINT;
