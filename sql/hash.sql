--
-- hash: equal ids have equal hashes, and every feature that uses hashing works.
--
\t on

-- the extended hash equals the standard hash for seed 0, and differs for other seeds
CREATE TABLE h (id objectid);
INSERT INTO h SELECT substr(md5(n::text), 1, 24)::objectid FROM generate_series(1, 10000) AS n;
SELECT count(*) AS ids,
       count(*) FILTER (WHERE objectid_hash(id)::bit(32) <> objectid_hash_extended(id, 0)::bit(32)) AS seed_0_differs,
       count(*) FILTER (WHERE objectid_hash_extended(id, 0) = objectid_hash_extended(id, 1)) AS seed_1_same,
       count(*) FILTER (WHERE objectid_hash_extended(id, 0) = objectid_hash_extended(id, 4294967296))
         AS large_seed_same,
       count(*) FILTER (WHERE objectid_hash(id) <> objectid_hash(upper(id::text)::objectid)) AS equal_differ,
       count(DISTINCT objectid_hash_extended(id, 0)) AS hashes
FROM h;
-- every byte changes the hash
SELECT count(DISTINCT objectid_hash(overlay('507f1f77bcf86cd799439011' PLACING 'aa' FROM 2 * place - 1)::objectid))
FROM generate_series(1, 12) AS place;

-- hash index
CREATE INDEX h_hash ON h USING hash (id); ANALYZE h;
SELECT plan_nodes($$SELECT * FROM h WHERE id = 'a1d0c6e83f027327d8461063'$$);
SELECT * FROM h WHERE id = 'a1d0c6e83f027327d8461063';
SELECT * FROM h WHERE id = 'a1d0c6e83f027327d8461064';

-- hash partitions
CREATE TABLE hp (id objectid) PARTITION BY HASH (id);
CREATE TABLE hp0 PARTITION OF hp FOR VALUES WITH (MODULUS 4, REMAINDER 0);
CREATE TABLE hp1 PARTITION OF hp FOR VALUES WITH (MODULUS 4, REMAINDER 1);
CREATE TABLE hp2 PARTITION OF hp FOR VALUES WITH (MODULUS 4, REMAINDER 2);
CREATE TABLE hp3 PARTITION OF hp FOR VALUES WITH (MODULUS 4, REMAINDER 3);
INSERT INTO hp SELECT id FROM h;
SELECT bool_and(n BETWEEN 2000 AND 3000) AS even, sum(n)
FROM (SELECT tableoid, count(*) AS n FROM hp GROUP BY tableoid) AS p;
SELECT count(*) FROM hp2 WHERE NOT satisfies_hash_partition('hp'::regclass, 4, 2, id);
SELECT count(*) FROM h JOIN hp ON hp.id = h.id;
SELECT bool_and(n = 1) AS pruned
FROM (SELECT h.id, count(*) AS n FROM h, LATERAL plan_nodes(format('SELECT * FROM hp WHERE id = %L', id)) AS node
      WHERE node LIKE '%Scan%' GROUP BY h.id LIMIT 20) AS p;
DROP TABLE hp, h;
