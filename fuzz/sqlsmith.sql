-- Tables for script/sqlsmith: ids in every kind of column, index, partition and statistics.
CREATE EXTENSION objectid;
CREATE TYPE objectid_range AS RANGE (subtype = objectid);
CREATE DOMAIN order_id AS objectid CHECK (VALUE > '000000000000000000000000'::objectid);
CREATE DOMAIN recent_id AS objectid DEFAULT gen_objectid();
CREATE TYPE pair AS (a objectid, b objectid);
CREATE TABLE customer (id objectid DEFAULT gen_objectid() PRIMARY KEY, parent objectid, name text, n int,
    at timestamptz);
CREATE TABLE ord (id order_id DEFAULT gen_objectid() PRIMARY KEY, customer_id objectid REFERENCES customer (id),
    items objectid[], valid objectid_range, many objectid_multirange, p pair, raw bytea, doc jsonb, hex text, n int);
CREATE TABLE ev (id objectid DEFAULT gen_objectid(), customer_id objectid, kind int,
    PRIMARY KEY (id)) PARTITION BY RANGE (id);
CREATE TABLE ev_2023 PARTITION OF ev
  FOR VALUES FROM (objectid_from_time('2023-01-01')) TO (objectid_from_time('2024-01-01'));
CREATE TABLE ev_2024 PARTITION OF ev
  FOR VALUES FROM (objectid_from_time('2024-01-01')) TO (objectid_from_time('2025-01-01'));
CREATE TABLE ev_rest PARTITION OF ev DEFAULT;
CREATE TABLE hp (id recent_id, o objectid) PARTITION BY HASH (id);
CREATE TABLE hp0 PARTITION OF hp FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE hp1 PARTITION OF hp FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE hp2 PARTITION OF hp FOR VALUES WITH (MODULUS 3, REMAINDER 2);
CREATE TABLE lp (id objectid, k int) PARTITION BY LIST (id);
CREATE TABLE lp1 PARTITION OF lp FOR VALUES IN ('507f1f77bcf86cd799439011', NULL);
CREATE TABLE lp2 PARTITION OF lp DEFAULT;
CREATE TABLE ix (a objectid, b objectid, c objectid, d objectid, g objectid, n int);
CREATE TABLE tmp_k (id objectid, during objectid_range, n int);
INSERT INTO customer (id, name, n, at)
  SELECT gen_objectid(timestamptz '2023-01-01' + i * interval '1 hour'), 'c' || i, i % 7,
    timestamptz '2023-01-01' + i * interval '1 hour'
  FROM generate_series(1, 500) i;
UPDATE customer SET parent = (SELECT id FROM customer c2 WHERE c2.n = customer.n ORDER BY id LIMIT 1) WHERE n % 3 > 0;
INSERT INTO ord (customer_id, items, valid, many, p, raw, doc, hex, n)
SELECT id, ARRAY[id, gen_objectid(), NULL], objectid_range(id, gen_objectid()),
    objectid_multirange(objectid_range(id, gen_objectid())), ROW(id, parent)::pair, id::bytea,
    jsonb_build_object('$oid', id::text), id::text, n
  FROM customer;
INSERT INTO ev
  SELECT gen_objectid(timestamptz '2023-01-01' + i * interval '5 hours'), c.id, i % 5
  FROM generate_series(1, 2000) i JOIN LATERAL (SELECT id
  FROM customer OFFSET i % 400 LIMIT 1) c ON true;
INSERT INTO hp SELECT gen_objectid(), gen_objectid() FROM generate_series(1, 500);
INSERT INTO lp SELECT gen_objectid(), 1 FROM generate_series(1, 100);
INSERT INTO lp VALUES ('507f1f77bcf86cd799439011', 2), (NULL, 3);
INSERT INTO ix
  SELECT x, y, x, y, x, i % 10
  FROM (SELECT i, CASE WHEN i % 11 > 0 THEN gen_objectid(timestamptz '2024-01-01' + i * interval '1 minute') END x,
    gen_objectid() y
  FROM generate_series(1, 5000) i) s;
INSERT INTO tmp_k SELECT id, objectid_range(id, gen_objectid()), n FROM customer;
CREATE INDEX ON ix USING btree (a, b DESC NULLS LAST);
CREATE INDEX ON ix USING btree (n, c) INCLUDE (d) WHERE c > '507f1f77bcf86cd799439011';
CREATE INDEX ON ix USING gist (a, g);
-- one table for each kind of index
CREATE TEMP TABLE index_kind (name text, index text, condition text);
\copy index_kind FROM 't/index_kinds'
SELECT format('CREATE TABLE by_%s (id objectid, n int)', name), format('INSERT INTO by_%s SELECT a, n FROM ix', name),
    format('CREATE INDEX ON by_%s %s', name, index)
  FROM index_kind \gexec
CREATE INDEX ON ix USING btree ((objectid_time(a)), (a::text));
CREATE INDEX ON ord USING gin (items);
CREATE INDEX ON ord USING gist (valid);
CREATE INDEX ON ord USING spgist (valid);
CREATE INDEX ON ord (customer_id);
CREATE INDEX ON ev (customer_id, id);
CREATE INDEX ON ev USING brin (id);
CREATE INDEX ON tmp_k USING gist (id, during);
CREATE STATISTICS s1 (ndistinct, mcv) ON a, n FROM ix;
CREATE VIEW v AS
  SELECT e.id, c.name, objectid_time(e.id) AS at,
    max(e.id) OVER (PARTITION BY e.kind ORDER BY e.id RANGE BETWEEN interval '1 day' PRECEDING AND CURRENT ROW) AS last
  FROM ev e JOIN customer c ON c.id = e.customer_id
  WHERE e.id >= timestamptz '2023-03-01';
CREATE MATERIALIZED VIEW mv AS SELECT customer_id, min(id), max(id), count(*) FROM ev GROUP BY customer_id;
CREATE UNIQUE INDEX ON mv (customer_id);
CREATE FUNCTION same_id(objectid) RETURNS objectid LANGUAGE sql IMMUTABLE AS 'SELECT $1';
ALTER TABLE ev ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON ev USING (customer_id > '000000000000000000000000'::objectid);
ANALYZE;
CREATE ROLE smith LOGIN;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO smith;
GRANT CREATE ON SCHEMA public TO smith;
