--
-- Time: the first 4 bytes are seconds since 1970, unsigned.
--
\t on
SET timezone = 'UTC'; SET datestyle = 'ISO';

-- the four timestamps of MongoDB's specification
SELECT id, objectid_time(id)
FROM (VALUES
  ('00000000ffffffffffffffff'::objectid),
  ('7fffffffffffffffffffffff'),
  ('80000000ffffffffffffffff'),
  ('ffffffffffffffffffffffff')
) AS t(id);
-- and other published examples
SELECT objectid_time('507f1f77bcf86cd799439011'), objectid_time('4df2dcec2cdcd20936a8b817'),
       objectid_time('56e1fc72e0c917e9c4714161');

-- the smallest id of a second
SELECT instant, id, objectid_from_time(instant) FROM (VALUES
  (timestamptz '1970-01-01 00:00:00+00', objectid '000000000000000000000000'),
  ('1970-01-01 00:00:00.000001+00', '000000000000000000000000'),
  ('1970-01-01 00:00:00.999999+00', '000000000000000000000000'),
  ('1970-01-01 00:00:01+00', '000000010000000000000000'), ('1999-12-31 23:59:59+00', '386d437f0000000000000000'),
  ('1999-12-31 23:59:59.5+00', '386d437f0000000000000000'),
  ('1999-12-31 23:59:59.999999+00', '386d437f0000000000000000'),
  ('2000-01-01 00:00:00+00', '386d43800000000000000000'), ('2000-01-01 00:00:00.999999+00', '386d43800000000000000000'),
  ('2012-10-17 21:13:27+00', '507f1f770000000000000000'), ('2038-01-19 03:14:07+00', '7fffffff0000000000000000'),
  ('2038-01-19 03:14:08+00', '800000000000000000000000'), ('2106-02-07 06:28:15+00', 'ffffffff0000000000000000'),
  ('2106-02-07 06:28:15.999999+00', 'ffffffff0000000000000000'),
  ('2012-10-17 23:13:27+02', '507f1f770000000000000000')) AS v(instant, id)
WHERE objectid_from_time(instant) <> id;

-- instants outside the range of the type
SELECT objectid_from_time('1969-12-31 23:59:59.999999+00');
SELECT f, t, outcome
FROM unnest('{objectid_from_time,gen_objectid}'::text[]) AS f, unnest('{1969-12-31 23:59:59.999999+00,
  2106-02-07 06:28:16+00,-infinity,infinity,4714-11-24 00:00:00+00 BC,294276-12-31 23:59:59.999999+00}'::text[]) AS t,
  outcome(format('SELECT %s(%L)', f, t), true)
WHERE outcome <> '22008 timestamp out of range for type objectid (1970-01-01 00:00:00 to 2106-02-07 06:28:15 UTC)';

-- the session's time zone does not matter
SET timezone = 'Asia/Kathmandu';
SELECT objectid_time('ffffffffffffffffffffffff'), objectid_from_time('2012-10-18 02:58:27');
SET timezone = 'UTC';

-- over the whole range: the boundary is the smallest id of its second
SELECT count(*) FROM (
  SELECT id, objectid_from_time(objectid_time(id)) AS boundary
  FROM (SELECT substr(md5(n::text), 1, 24)::objectid AS id FROM generate_series(1, 10000) AS n OFFSET 0) AS ids) AS b
WHERE NOT (boundary <= id AND boundary::bytea = substring(id::bytea, 1, 4) || '\x0000000000000000'
           AND objectid_time(boundary) = objectid_time(id));
-- the type of each function's result
CREATE TABLE functions AS
SELECT id, gen_objectid() AS gen, gen_objectid(made) AS gen_at, objectid_time(id) AS time,
       objectid_from_time(made) AS from_time,
       objectid_is_valid(id::text) AS is_valid, id::bytea AS bytea, id::timestamptz AS cast_time
FROM (SELECT '507f1f77bcf86cd799439011'::objectid AS id, now() AS made) AS timed;
SELECT string_agg(format('%s: %s', attname, atttypid::regtype), ', ' ORDER BY attnum) FROM pg_attribute
WHERE attrelid = 'functions'::regclass AND attnum > 0;
DROP TABLE functions;
