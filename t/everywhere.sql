-- A database that uses the type in every possible place, for t/Everywhere.pm: all in "app"
CREATE EXTENSION IF NOT EXISTS objectid;
CREATE SCHEMA app;
SET search_path = app;
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

-- periods, in domains, too
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
CREATE VIEW in_shift AS SELECT event.* FROM event, shift WHERE event.id <@ shift.during AND tenant <@ shift.paid;
CREATE MATERIALIZED VIEW per_tenant AS
  SELECT tenant, min(id) AS first, max(id) AS last, objectid_time(min(id)) AS since,
         count(*) OVER (ORDER BY tenant RANGE BETWEEN interval '1 year' PRECEDING AND CURRENT ROW) AS in_a_year
  FROM event WHERE id >= timestamptz '2000-01-01 00:00:00+00' GROUP BY tenant;
CREATE UNIQUE INDEX per_tenant_key ON per_tenant (tenant);
ALTER TABLE tenant ENABLE ROW LEVEL SECURITY;
CREATE POLICY known ON tenant USING (id <> 'ffffffffffffffffffffffff');
CREATE RULE nothing AS ON DELETE TO ids WHERE old.id > timestamptz '2100-01-01 00:00:00+00' DO INSTEAD NOTHING;

--
-- What PostgreSQL prints by a name that the reader looks up, with an empty search_path in a dump: IS [NOT] DISTINCT FROM,
-- NULLIF, CASE x WHEN, USING, NATURAL, comparisons of rows (only the first operator has a schema), bodies of functions
--

-- functions: text, and parsed
CREATE FUNCTION rank_of(i objectid) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  first CONSTANT objectid := '507f1f77bcf86cd799439011';
BEGIN
  RETURN CASE i WHEN first THEN 1 WHEN 'ffffffffffffffffffffffff' THEN 2 ELSE 3 + (i IS DISTINCT FROM NULL AND i > first AND i < timestamptz '2020-01-01 00:00:00+00')::integer END;
END$$;
CREATE FUNCTION with_path(i objectid) RETURNS boolean LANGUAGE sql IMMUTABLE SET search_path = ''
  AS $$SELECT nullif(i, '507f1f77bcf86cd799439011') IS NULL OR (i, 1) > ('507f1f77bcf86cd799439011', 0)$$;
CREATE FUNCTION same(a objectid, b objectid DEFAULT nullif(objectid '507f1f77bcf86cd799439011', '000000000000000000000000')) RETURNS boolean IMMUTABLE
  RETURN a IS NOT DISTINCT FROM b OR CASE a WHEN b THEN true WHEN '507f1f77bcf86cd799439011' THEN false ELSE (a, 1) = (b, 1) END;
CREATE FUNCTION as_uuid(i objectid) RETURNS uuid IMMUTABLE STRICT RETURN ('00000000' || i::text)::uuid;
CREATE CAST (objectid AS uuid) WITH FUNCTION as_uuid(objectid);

-- operators, an operator class and an aggregate of one's own
CREATE OPERATOR ~< (FUNCTION = objectid_lt, LEFTARG = objectid, RIGHTARG = objectid, COMMUTATOR = ~>);
CREATE OPERATOR ~> (FUNCTION = objectid_gt, LEFTARG = objectid, RIGHTARG = objectid, COMMUTATOR = ~<);
CREATE OPERATOR CLASS own_ops FOR TYPE objectid USING btree AS OPERATOR 1 ~<, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 ~>, FUNCTION 1 objectid_cmp(objectid, objectid);
CREATE AGGREGATE first_id(objectid) (SFUNC = objectid_smaller, STYPE = objectid, INITCOND = 'ffffffffffffffffffffffff', SORTOP = ~<);

-- a domain, and a table with defaults, generated columns, constraints, indexes, statistics
CREATE DOMAIN real_id AS objectid CHECK (VALUE IS DISTINCT FROM '000000000000000000000000') CHECK (rank_of(VALUE) > 0);
CREATE TABLE node (
  id objectid DEFAULT coalesce(nullif(gen_objectid(), 'ffffffffffffffffffffffff'), '507f1f77bcf86cd799439011') PRIMARY KEY,
  parent objectid,
  kind real_id DEFAULT CASE gen_objectid() WHEN '507f1f77bcf86cd799439011' THEN objectid '507f1f77bcf86cd799439011' ELSE '507f1f77bcf86cd799439012' END,
  n integer,
  refs objectid[],
  real_parent objectid GENERATED ALWAYS AS (nullif(parent, '000000000000000000000000')) STORED,
  class integer GENERATED ALWAYS AS (CASE parent WHEN id THEN 2 ELSE rank_of(parent) END) STORED,
  CHECK (parent IS DISTINCT FROM id),
  CHECK ((id, n) > ('000000000000000000000000', -1)),
  CHECK (with_path(id) OR NOT same(id)),
  EXCLUDE USING gist (nullif(id, '000000000000000000000000') WITH =) WHERE (parent IS DISTINCT FROM '507f1f77bcf86cd799439013')
);
CREATE INDEX ON node ((CASE parent WHEN kind THEN 2 END), rank_of(parent), same(id, parent));
CREATE INDEX ON node (n) WHERE parent IS DISTINCT FROM '507f1f77bcf86cd799439011' AND (id, n) > ('507f1f77bcf86cd799439011', 5);
CREATE INDEX ON node USING brin (nullif(id, parent) objectid_minmax_multi_ops, id objectid_bloom_ops);
CREATE INDEX ON node (parent own_ops);
CREATE STATISTICS node_statistics ON nullif(parent, kind), (CASE kind WHEN parent THEN 1 END) FROM node;
INSERT INTO node (id, parent, n, refs) SELECT id, lag(id, 3) OVER (ORDER BY n), n, ARRAY[id, NULL] FROM ids WHERE id > '000000000000000000000000';

-- triggers, policies
CREATE FUNCTION count_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.parent IS NOT DISTINCT FROM OLD.parent OR (NEW.parent, 1) <> ('507f1f77bcf86cd799439011', 1) THEN
    RAISE 'wrong condition';
  END IF;
  NEW.n := NEW.n + 10000;
  RETURN NEW;
END$$;
CREATE TRIGGER moved BEFORE UPDATE ON node FOR EACH ROW
  WHEN (OLD.parent IS DISTINCT FROM NEW.parent AND CASE NEW.parent WHEN '507f1f77bcf86cd799439011' THEN true END AND (NEW.id, 1) > (OLD.parent, 0))
  EXECUTE FUNCTION count_changes();
ALTER TABLE node ENABLE ROW LEVEL SECURITY;
CREATE POLICY known ON node USING (nullif(parent, kind) IS NULL OR (id, n) IN (SELECT id, n FROM ids));

-- joins, rows, CASE, windows, order
CREATE VIEW node_joins AS
  SELECT id, j.n, m, CASE id WHEN g.m THEN 1 END AS same, nullif(id, k.id) AS other
  FROM node JOIN ids USING (id, n) AS j NATURAL JOIN (SELECT id, id AS m FROM by_gist WHERE n <= 3000) AS g FULL JOIN by_gin AS k USING (id);
CREATE VIEW node_rows AS
  SELECT id, n, (id, n) >= (parent, n) AS ge, (id, n) = ANY (SELECT id, n FROM ids) AS eq_any, (id, n) = (SELECT id, n FROM ids ORDER BY n LIMIT 1) AS eq_row,
    nullif(refs, ARRAY[id]) AS array, nullif((id, refs)::pair, (parent, refs)::pair) AS composite, parent NOT BETWEEN id AND kind AS "not between",
    first_value(nullif(id, kind)) OVER w AS first, count(*) OVER (w RANGE BETWEEN interval '1 year' PRECEDING AND CURRENT ROW EXCLUDE TIES) AS year
  FROM node WINDOW w AS (PARTITION BY nullif(parent, kind) ORDER BY id) ORDER BY id USING ~>;
CREATE MATERIALIZED VIEW node_kept AS
  SELECT id, nullif(parent, '507f1f77bcf86cd799439011') AS parent, with_path(id) FROM node JOIN ids USING (id);
CREATE UNIQUE INDEX ON node_kept (id);

-- rules and procedures with each statement
CREATE VIEW node_rules AS SELECT id, parent, n FROM node;
CREATE RULE insert AS ON INSERT TO node_rules DO INSTEAD INSERT INTO node (id, parent, n) VALUES (NEW.id, nullif(NEW.parent, NEW.id), NEW.n)
  ON CONFLICT (id objectid_ops) WHERE n > 0 DO UPDATE SET parent = excluded.parent WHERE node.parent IS DISTINCT FROM excluded.parent;
CREATE RULE update_itself AS ON UPDATE TO node_rules DO INSTEAD UPDATE node SET (parent, n) = (SELECT nullif(NEW.parent, OLD.id), NEW.n) FROM by_hash JOIN by_gin USING (id) WHERE node.id IS NOT DISTINCT FROM OLD.id;
CREATE RULE delete AS ON DELETE TO node_rules DO INSTEAD DELETE FROM node USING ids NATURAL JOIN by_hash WHERE node.id = ids.id AND node.id IS NOT DISTINCT FROM OLD.id RETURNING node.id, nullif(node.parent, node.id), node.n;
CREATE PROCEDURE change(INOUT id objectid, x objectid DEFAULT CASE gen_objectid() WHEN '507f1f77bcf86cd799439011' THEN NULL ELSE objectid '507f1f77bcf86cd799439011' END) BEGIN ATOMIC
  INSERT INTO node (id, parent) SELECT change.id, nullif(i.id, x) FROM ids AS i JOIN by_gin USING (id) WHERE i.id IS NOT DISTINCT FROM x ON CONFLICT DO NOTHING;
  UPDATE node SET parent = CASE parent WHEN x THEN NULL ELSE x END FROM ids NATURAL JOIN by_hash AS h WHERE h.id = node.id AND (node.id, node.n) = (change.id, h.n);
  DELETE FROM node USING ids JOIN by_hash USING (id) WHERE node.id = ids.id AND (node.id, node.n) IN (SELECT id, n FROM by_gin) AND node.id IS NOT DISTINCT FROM '000000000000000000000000';
  SELECT nullif(change.id, x);
END;

-- partitions by an expression
CREATE TABLE by_nullif (id objectid, n integer) PARTITION BY RANGE (nullif(id, '000000000000000000000000'), (CASE id WHEN 'ffffffffffffffffffffffff' THEN 1 ELSE rank_of(id) END));
CREATE TABLE by_nullif_old PARTITION OF by_nullif FOR VALUES FROM (MINVALUE, MINVALUE) TO ('507f1f77bcf86cd799439011', MAXVALUE);
CREATE TABLE by_nullif_rest PARTITION OF by_nullif DEFAULT;
CREATE TABLE by_own (id objectid, n integer) PARTITION BY RANGE (id own_ops);
CREATE TABLE by_own_all PARTITION OF by_own (CHECK (id IS DISTINCT FROM '000000000000000000000000')) FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
INSERT INTO by_nullif SELECT * FROM ids;
INSERT INTO by_own SELECT * FROM ids WHERE id > '000000000000000000000000';

-- temporal keys, from 18 on
SELECT current_setting('server_version_num')::integer >= 180000 AND
  EXISTS (SELECT FROM pg_amproc JOIN pg_opfamily AS f ON f.oid = amprocfamily WHERE opfname = 'objectid_gist_ops' AND amprocnum = 12) AS temporal \gset
\if :temporal
  CREATE TABLE price (item objectid, valid_at daterange, amount integer, PRIMARY KEY (item, valid_at WITHOUT OVERLAPS));
  INSERT INTO price SELECT id, daterange('2024-01-01', '2024-02-01'), n FROM tenant;
\endif
ANALYZE;
