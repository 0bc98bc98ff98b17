--
-- min and max
--
\t on
SELECT min(id) IS NULL AS min, max(id) IS NULL AS max FROM (SELECT NULL::objectid AS id WHERE false) AS t;
SELECT min(id) IS NULL AS min, max(id) IS NULL AS max FROM (VALUES (NULL::objectid), (NULL)) AS t(id);
SELECT min(id), max(id)
FROM (VALUES ('800000000000000000000000'::objectid), (NULL), ('7fffffffffffffffffffffff'),
             ('000000010000000000000000')) AS t(id);
SELECT min(id), max(id) FROM (VALUES ('507f1f77bcf86cd799439011'::objectid)) AS t(id);

CREATE TABLE agg (id objectid, g integer);
INSERT INTO agg SELECT substr(md5(n::text), 1, 24)::objectid, n % 3 FROM generate_series(1, 10000) AS n;
CREATE VIEW extremes AS SELECT min(id), max(id) FROM agg;
SELECT * FROM extremes;
SELECT (SELECT min(id::bytea::text COLLATE "C") FROM agg) = (SELECT min::bytea::text FROM extremes) AS min,
       (SELECT max(id::bytea::text COLLATE "C") FROM agg) = (SELECT max::bytea::text FROM extremes) AS max;
SELECT g, min(id), max(id) FROM agg GROUP BY g ORDER BY g;

-- parallel
BEGIN; SET LOCAL parallel_setup_cost = 0; SET LOCAL parallel_tuple_cost = 0;
SET LOCAL min_parallel_table_scan_size = 0; SET LOCAL max_parallel_workers_per_gather = 2;
SELECT plan_nodes('SELECT min(id), max(id) FROM agg');
SELECT * FROM extremes;
COMMIT;

-- an index answers the query
CREATE INDEX agg_id ON agg (id); VACUUM ANALYZE agg;
SELECT node FROM plan_nodes('SELECT min(id), max(id) FROM agg') AS node WHERE node ~ 'Scan|Cond';
SELECT * FROM extremes;
DROP VIEW extremes; DROP TABLE agg;
