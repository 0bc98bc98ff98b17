-- A database that uses the type in every possible place, for t/Everywhere.pm and script/sqlsmith:
-- the extension in the schema of the variable "schema", what uses it in "app".
CREATE SCHEMA IF NOT EXISTS :schema;
CREATE EXTENSION objectid SCHEMA :schema;
CREATE SCHEMA app;
SET search_path = app, :schema;
SET timezone = 'UTC';

-- ids of now, of some years, and the ends
CREATE TABLE ids (id objectid DEFAULT gen_objectid(), n integer);
INSERT INTO ids (n) SELECT n FROM generate_series(1, 500) AS n;
INSERT INTO ids SELECT gen_objectid('2000-01-01 00:00:00+00'::timestamptz + n * interval '30 days'), n FROM generate_series(501, 1000) AS n;
INSERT INTO ids VALUES ('507f1f77bcf86cd799439011', 1001), ('000000000000000000000000', 1002), ('ffffffffffffffffffffffff', 1003), (NULL, 1004);

-- one table for each kind of index
CREATE TEMP TABLE index_kind (name text, index text, condition text);
\copy index_kind FROM 't/index_kinds'
SELECT format('CREATE TABLE by_%s (id objectid, n integer)', name), format('CREATE INDEX by_%s_index ON by_%1$s %s', name, index),
       format('INSERT INTO by_%s TABLE ids', name)
FROM index_kind \gexec

-- types made of it
CREATE DOMAIN made_id AS objectid DEFAULT gen_objectid() NOT NULL
  CHECK (VALUE <> '000000000000000000000000') CHECK (VALUE > timestamptz '1980-01-01 00:00:00+00');
CREATE TYPE pair AS (one objectid, more objectid[]);
CREATE TYPE id_range AS RANGE (SUBTYPE = objectid);
CREATE FUNCTION sent_at(id objectid DEFAULT '507f1f77bcf86cd799439011') RETURNS timestamptz IMMUTABLE RETURN objectid_time(id);

-- columns: defaults, constraints, a generated one, what is made of the type
CREATE TABLE tenant (id objectid DEFAULT gen_objectid() PRIMARY KEY, n integer UNIQUE);
INSERT INTO tenant SELECT * FROM ids WHERE id IS NOT NULL;
CREATE TABLE event (
  id made_id PRIMARY KEY,
  tenant objectid REFERENCES tenant ON UPDATE CASCADE,
  kind objectid DEFAULT '507f1f77bcf86cd799439011',
  day objectid DEFAULT objectid_from_time('2012-10-17 00:00:00+00'),
  made timestamptz GENERATED ALWAYS AS (sent_at(id)) STORED,
  refs objectid[] DEFAULT ARRAY[gen_objectid(), NULL],
  both_ids pair,
  span id_range,
  spans id_multirange,
  during tstzrange,
  raw bytea GENERATED ALWAYS AS (tenant::bytea) STORED,
  doc jsonb DEFAULT '{"$oid": "507f1f77bcf86cd799439011"}',
  n integer,
  CHECK (kind <> id),
  CONSTRAINT one_at_a_time EXCLUDE USING gist (tenant WITH =, during WITH &&)
);
CREATE INDEX event_refs ON event USING gin (refs);
CREATE INDEX event_tenant_refs ON event USING gin (tenant, refs);
CREATE INDEX event_span ON event USING gist (span);
CREATE STATISTICS event_statistics ON tenant, kind, n FROM event;
INSERT INTO event (tenant, both_ids, span, spans, during, n)
SELECT id, (id, ARRAY[id, NULL])::pair, id_range(id, NULL), id_multirange(id_range(id, NULL)), tstzrange('2024-01-01', '2024-02-01'), n FROM tenant;

-- partitions
CREATE TABLE by_time (id objectid DEFAULT gen_objectid(), n integer, PRIMARY KEY (id)) PARTITION BY RANGE (id);
CREATE TABLE by_time_old PARTITION OF by_time FOR VALUES FROM (MINVALUE) TO ('507f1f77bcf86cd799439011');
CREATE TABLE by_time_2012 PARTITION OF by_time FOR VALUES FROM ('507f1f77bcf86cd799439011') TO (objectid_from_time('2013-01-01 00:00:00+00'));
CREATE TABLE by_time_new PARTITION OF by_time FOR VALUES FROM (objectid_from_time('2013-01-01 00:00:00+00')) TO (MAXVALUE);
CREATE TABLE by_list (id objectid, n integer) PARTITION BY LIST (id);
CREATE TABLE by_list_known PARTITION OF by_list FOR VALUES IN ('507f1f77bcf86cd799439011', NULL);
CREATE TABLE by_list_other PARTITION OF by_list DEFAULT;
CREATE TABLE by_modulus (id objectid, n integer) PARTITION BY HASH (id);
CREATE TABLE by_modulus_0 PARTITION OF by_modulus FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE by_modulus_1 PARTITION OF by_modulus FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO by_time SELECT * FROM ids WHERE id IS NOT NULL;
INSERT INTO by_list SELECT * FROM ids;
INSERT INTO by_modulus SELECT * FROM ids;

-- periods, in domains, because sqlsmith has operands of exactly the operators' types only
CREATE DOMAIN some_time AS tstzrange CHECK (NOT isempty(VALUE));
CREATE DOMAIN shift_period AS objectid_period CHECK (NOT isempty(VALUE));
CREATE FUNCTION year_from(id objectid) RETURNS objectid_period STABLE RETURN tstzrange(objectid_time(id), objectid_time(id) + interval '1 year');
CREATE TABLE shift (id objectid, n integer, during objectid_period, worked some_time, paid shift_period, breaks objectid_period[]);
CREATE INDEX shift_during ON shift USING gist (during);
CREATE INDEX shift_worked ON shift USING gist (worked, id);
INSERT INTO shift SELECT id, n, period, period, period, ARRAY[period, 'empty', NULL] FROM ids, year_from(id) AS period;
INSERT INTO shift (during) VALUES ('empty'), ('(,)'), ('[-infinity,infinity]');

-- queries that are kept
CREATE VIEW last_day AS SELECT * FROM event WHERE id >= now() - interval '1 day' AND '507f1f77bcf86cd799439011' < id;
CREATE VIEW in_shift AS SELECT event.* FROM event, shift WHERE event.id <@ shift.during AND shift.paid @> tenant;
CREATE MATERIALIZED VIEW per_tenant AS
  SELECT tenant, min(id) AS first, max(id) AS last, objectid_time(min(id)) AS since,
         count(*) OVER (ORDER BY tenant RANGE BETWEEN interval '1 year' PRECEDING AND CURRENT ROW) AS in_a_year
  FROM event WHERE id >= timestamptz '2000-01-01 00:00:00+00' GROUP BY tenant;
CREATE UNIQUE INDEX per_tenant_key ON per_tenant (tenant);
ALTER TABLE tenant ENABLE ROW LEVEL SECURITY;
CREATE POLICY known ON tenant USING (id <> 'ffffffffffffffffffffffff');
CREATE RULE nothing AS ON DELETE TO ids WHERE old.id > timestamptz '2100-01-01 00:00:00+00' DO INSTEAD NOTHING;

-- features of newer servers
SELECT current_setting('server_version_num')::integer >= 180000 AND
  EXISTS (SELECT FROM pg_amproc JOIN pg_opfamily AS f ON f.oid = amprocfamily WHERE opfname = 'objectid_gist_ops' AND amprocnum = 12) AS temporal \gset
\if :temporal
  CREATE TABLE price (item objectid, valid_at daterange, amount integer, PRIMARY KEY (item, valid_at WITHOUT OVERLAPS));
  INSERT INTO price SELECT id, daterange('2024-01-01', '2024-02-01'), n FROM tenant;
\endif
ANALYZE;
