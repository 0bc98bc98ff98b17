--
-- btree: sorting, with and without abbreviated keys, and indexes.
--
\t on

--
-- Sorting: objectid sorts by its bytes, for every distribution of ids.  An abbreviated key consists
-- of the second and a digest of the other 8 bytes, which is exact near the first id of the sort, so
-- the distributions differ in where the other ids lie.  From 10,000 rows on a sort can give up
-- abbreviation.
--
CREATE TABLE shapes (shape text, n serial, id objectid);
-- one process, one bulk load
INSERT INTO shapes (shape, id) SELECT 'one process', gen_objectid() FROM generate_series(1, 30000);
-- ids of many years and processes
INSERT INTO shapes (shape, id) SELECT 'spread', substr(md5(n::text), 1, 24)::objectid
FROM generate_series(1, 30000) AS n;
-- many processes within one second
INSERT INTO shapes (shape, id) SELECT 'one second', ('65000000' || substr(md5(n::text), 1, 16))::objectid
FROM generate_series(1, 30000) AS n;
-- two processes within one second: many keys of the second process are equal, so abbreviation is
-- given up
INSERT INTO shapes (shape, id) VALUES ('crowd', '650000000000000000000000');
INSERT INTO shapes (shape, id) SELECT 'crowd', ('65000000aaaaaaaaaa' || lpad(to_hex(n), 6, '0'))::objectid
FROM generate_series(1, 30000) AS n;
-- the same id many times
INSERT INTO shapes (shape, id) SELECT 'constant', '507f1f77bcf86cd799439011' FROM generate_series(1, 30000) AS n;
-- around both ends of the exact part, for a low, a middle and a high first id
CREATE TABLE edges AS
SELECT first, edge + delta AS serial
FROM (VALUES (0::numeric), (2 ^ 24::numeric), (2 ^ 30::numeric), (2 ^ 63::numeric), (2 ^ 64::numeric - 1)) AS f(first),
     LATERAL (VALUES (0::numeric), (first - 2 ^ 23::numeric), (first - 2 ^ 22::numeric), (first),
                     (first + 2 ^ 22::numeric), (first + 2 ^ 23::numeric), (2 ^ 34::numeric), (2 ^ 56::numeric),
                     (2 ^ 63::numeric), (2 ^ 64::numeric - 1)) AS e(edge),
     generate_series(-3, 3) AS delta;
CREATE FUNCTION numeric_hex(value numeric) RETURNS text LANGUAGE sql AS
  $$SELECT lpad(to_hex(div(value, 4294967296)::bigint), 8, '0')
    || lpad(to_hex(mod(value, 4294967296)::bigint), 8, '0')$$;
INSERT INTO shapes (shape, id)
SELECT 'edges from ' || numeric_hex(first), ('65000000' || numeric_hex(serial))::objectid
FROM edges WHERE serial BETWEEN 0 AND 2 ^ 64::numeric - 1
ORDER BY first, serial <> first, md5(serial::text);
DROP TABLE edges; DROP FUNCTION numeric_hex;
-- the first process and period, which has no exact part
INSERT INTO shapes (shape, id) VALUES ('edges of 1970', '000000000000000000400005'),
  ('edges of 1970', '000800000000000000000001'), ('edges of 1970', '000000000000000c00000000');
SELECT shape, count(*),
       array_agg(id ORDER BY id) = array_agg(id ORDER BY id::bytea) AS ascending,
       array_agg(id ORDER BY id DESC) = array_agg(id ORDER BY id::bytea DESC) AS descending
FROM (SELECT * FROM shapes ORDER BY n OFFSET 0) AS s
WHERE shape NOT LIKE 'edges%' GROUP BY shape ORDER BY shape;
CREATE FUNCTION sorts(which text) RETURNS boolean LANGUAGE sql AS $$
  SELECT array_agg(id ORDER BY id) = array_agg(id ORDER BY id::bytea)
  FROM (SELECT id FROM shapes WHERE shape = which ORDER BY n OFFSET 0) AS s$$;
SELECT shape, count(*), sorts(shape) FROM shapes WHERE shape LIKE 'edges%' GROUP BY shape ORDER BY shape;

-- spilled to disk, and with a second key
SET work_mem = '64kB';
SELECT shape, sorts(shape) FROM shapes GROUP BY shape ORDER BY shape;
RESET work_mem;
SELECT count(*) FROM (SELECT id, n, lag(id) OVER w AS last_id, lag(n) OVER w AS last_n
                      FROM shapes WINDOW w AS (ORDER BY id, n)) AS s
WHERE (last_id, last_n) >= (id, n);
DROP FUNCTION sorts;

--
-- Indexes
--
CREATE TABLE bt (id objectid, n integer);
INSERT INTO bt SELECT substr(md5(n::text), 1, 24)::objectid, n FROM generate_series(1, 10000) AS n;
INSERT INTO bt VALUES (NULL, 0), (NULL, -1);
CREATE UNIQUE INDEX bt_id ON bt (id); ANALYZE bt;
INSERT INTO bt SELECT substr(md5('42'), 1, 24)::objectid, 42;
INSERT INTO bt SELECT substr(md5('42'), 1, 24)::objectid, 42 ON CONFLICT (id) DO NOTHING RETURNING n;

-- each operator gives the same result with and without the index
CREATE TABLE probe (q text);
INSERT INTO probe
SELECT format('id %s %L', op, id)
FROM unnest('{<,<=,=,>=,>}'::text[]) AS op,
     unnest('{a1d0c6e83f027327d8461063,80000000ffffffffffffffff}'::objectid[]) AS id
UNION ALL VALUES ($$id = ANY ('{a1d0c6e83f027327d8461063,202cb962ac59075b964b0715}')$$), ('id IS NULL');
SELECT * FROM compare('bt', scan => 'Index Scan');
SELECT * FROM compare('bt');
DROP TABLE probe;

-- equal ids share an index entry (deduplication needs equalimage)
CREATE TABLE same (id objectid, n bigint);
INSERT INTO same SELECT '507f1f77bcf86cd799439011', n FROM generate_series(1, 10000) AS n;
CREATE INDEX same_id ON same (id); CREATE INDEX same_n ON same (n);
SELECT pg_relation_size('same_id') < pg_relation_size('same_n') / 2 AS deduplicated;
DROP TABLE same;

DROP TABLE bt, shapes;
