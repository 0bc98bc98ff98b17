--
-- id OP instant means objectid_time(id) OP instant, for every instant.
--
\t on
SET timezone = 'UTC'; SET datestyle = 'ISO';
SELECT setseed(0.20180416);
CREATE TABLE ids (id objectid);
INSERT INTO ids VALUES
  ('000000000000000000000000'), ('000000000000000000000001'), ('00000000ffffffffffffffff'),
  ('000000010000000000000000'), ('386d437fffffffffffffffff'), ('386d43800000000000000000'),
  ('386d43800000000000000001'), ('386d4380ffffffffffffffff'), ('7fffffffffffffffffffffff'),
  ('800000000000000000000000'), ('fffffffeffffffffffffffff'), ('ffffffff0000000000000000'),
  ('fffffffffffffffffffffffe');
INSERT INTO ids SELECT gen_objectid(to_timestamp(random() * 4294967295)) FROM generate_series(1, 500);
CREATE TABLE instants (t timestamptz);
INSERT INTO instants VALUES
  ('-infinity'), ('4714-11-24 00:00:00+00 BC'), ('1969-12-31 23:59:59+00'), ('1969-12-31 23:59:59.999999+00'),
  ('1970-01-01 00:00:00+00'), ('1970-01-01 00:00:00.000001+00'), ('1970-01-01 00:00:00.999999+00'),
  ('1970-01-01 00:00:01+00'), ('1999-12-31 23:59:59.999999+00'), ('2000-01-01 00:00:00+00'),
  ('2000-01-01 00:00:00.5+00'), ('2000-01-01 00:00:01+00'), ('2038-01-19 03:14:07.999999+00'),
  ('2038-01-19 03:14:08+00'), ('2106-02-07 06:28:14.999999+00'), ('2106-02-07 06:28:15+00'),
  ('2106-02-07 06:28:15.000001+00'), ('2106-02-07 06:28:15.999999+00'),
  ('2106-02-07 06:28:16+00'), ('2107-01-01 00:00:00+00'), ('294276-12-31 23:59:59.999999+00'), ('infinity');
INSERT INTO instants SELECT to_timestamp(random() * 4294967295) FROM generate_series(1, 100);
-- instants within a second around an id
INSERT INTO instants SELECT objectid_time(id) + (random() * 2 - 1) * interval '1 second' FROM ids LIMIT 100;
INSERT INTO instants SELECT objectid_time(id) FROM ids;

SELECT count(*) > 300000 AS pairs,
       count(*) FILTER (WHERE (id < t, id <= t, id >= t, id > t, t > id, t >= id, t <= id, t < id) <>
                              (x < t, x <= t, x >= t, x > t, t > x, t >= x, t <= x, t < x)) AS different
FROM (SELECT id, objectid_time(id) AS x FROM ids) AS ids, instants;

-- the same without simplification of the call: ANY and ALL over arrays; NOT uses the negator
SELECT count(*) FILTER (WHERE (id < ANY (i), id <= ANY (i), id >= ALL (i), id > ALL (i), t > ANY (d), t >= ANY (d),
                               t <= ANY (d), t < ANY (d), NOT id < ANY (i), NOT id <= ANY (i), NOT id >= ANY (i),
                               NOT id > ANY (i), NOT t < ANY (d), NOT t <= ANY (d), NOT t >= ANY (d), NOT t > ANY (d))
                           <> (x < t, x <= t, x >= t, x > t, t > x, t >= x, t <= x, t < x, x >= t, x > t, x < t, x <= t,
                               t >= x, t > x, t < x, t <= x)) AS different
FROM (SELECT id, ARRAY[id] AS d, objectid_time(id) AS x FROM ids LIMIT 100) AS ids,
     (SELECT t, ARRAY[t] AS i FROM instants) AS instants;
SELECT count(*) FROM ids WHERE (id >= ANY ('{2000-01-01 00:00:00+00,2038-01-19 03:14:08+00}'::timestamptz[])) <>
                               (objectid_time(id) >= '2000-01-01 00:00:00+00');
SELECT count(*) FROM ids WHERE id < ALL ('{-infinity,infinity}'::timestamptz[]);
-- only the greatest id compares as later than an instant after the range of the type
SELECT t, objectid_time(id) < t AS time_lt, id < t AS lt, id >= t AS ge, t > id AS gt_id, t <= id AS le_id
FROM (VALUES ('ffffffffffffffffffffffff'::objectid)) AS v(id),
     (VALUES (timestamptz '2106-02-07 06:28:15+00'), ('2106-02-07 06:28:16+00'), ('infinity')) AS w(t);

-- NULL
SELECT id < NULL::timestamptz AS lt, NULL::timestamptz >= id AS ge, NULL::objectid > now() AS gt FROM ids LIMIT 1;

-- the boundaries
SELECT t, objectid_lower_bound(t), objectid_upper_bound(t) FROM instants
WHERE t IN ('-infinity', '1969-12-31 23:59:59.999999+00', '1970-01-01 00:00:00+00', '1970-01-01 00:00:00.000001+00',
            '2000-01-01 00:00:00+00', '2000-01-01 00:00:00.5+00', '2106-02-07 06:28:15+00',
            '2106-02-07 06:28:15.000001+00', '2106-02-07 06:28:16+00', 'infinity')
GROUP BY t ORDER BY t;

-- errors: equality, and an untyped literal that is not an id
SELECT id > '2024-01-01' FROM ids;
\set VERBOSITY terse
SELECT id = timestamptz '2024-01-01' FROM ids;
SELECT id <> timestamptz '2024-01-01' FROM ids;
SELECT id > 1704067200 FROM ids;
\set VERBOSITY default

-- date, timestamp, BETWEEN
SELECT id, id >= date '2024-01-01' AND id < date '2024-01-02' AS by_date,
       id BETWEEN timestamp '2024-01-01 00:00:00' AND timestamp '2024-01-01 23:59:59.999999' AS by_timestamp
FROM (VALUES ('6592007fffffffffffffffff'::objectid), ('659200800000000000000000'),
             ('659351ff0000000000000000'), ('659352000000000000000000')) AS v(id);

-- in a CHECK constraint and in the predicate of a partial index
CREATE TABLE checked (id objectid CHECK (id >= timestamptz '2020-01-01 00:00:00+00'
                                         AND timestamptz '2030-01-01 00:00:00+00' > id));
INSERT INTO checked VALUES (gen_objectid('2020-01-01 00:00:00+00')), (gen_objectid('2029-12-31 23:59:59.9+00'));
\set VERBOSITY sqlstate
INSERT INTO checked VALUES (gen_objectid('2019-12-31 23:59:59+00'));
INSERT INTO checked VALUES (gen_objectid('2030-01-01 00:00:00+00'));
\set VERBOSITY default
SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'checked'::regclass;
CREATE INDEX checked_recent ON checked (id) WHERE id >= timestamptz '2025-01-01 00:00:00+00';
SELECT pg_get_indexdef('checked_recent'::regclass);
DROP TABLE checked, ids, instants;
