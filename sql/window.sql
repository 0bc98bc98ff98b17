--
-- Window frames over time: in_range with interval
--
\t on
SET timezone = 'UTC';
SELECT setseed(0.5);
CREATE TABLE w (id objectid, n integer);
-- bursts with gaps, several ids a second, across the end of a short month and a change to summer time
INSERT INTO w SELECT gen_objectid(timestamptz '2024-02-28 00:00:00+00' + (random() * 40) ^ 2 * interval '1 hour'), n
FROM generate_series(1, 300) AS n;
INSERT INTO w SELECT gen_objectid(timestamptz '2024-03-01 00:00:00+00' + n / 5 * interval '1 second'), n
FROM generate_series(1, 50) AS n;

-- the frames that do not have the rows that a subquery counts
CREATE FUNCTION wrong(frames text[]) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  frame text[];
  wrong boolean;
BEGIN
  FOREACH frame SLICE 1 IN ARRAY frames LOOP
    EXECUTE format('SELECT bool_or(framed <> counted) FROM (
        SELECT id, count(*) OVER (ORDER BY id %s RANGE BETWEEN %s) AS framed,
               (SELECT count(*) FROM w AS o, LATERAL (SELECT objectid_time(o.id) AS ot, objectid_time(w.id) AS wt) AS t
                WHERE %s) AS counted
        FROM w) AS pairs', frame[1], frame[2], frame[3]) INTO wrong;
    IF wrong THEN
      RETURN NEXT frame;
    END IF;
  END LOOP;
END$$;
SELECT wrong(ARRAY[
  ['ASC', $$interval '1 hour' PRECEDING AND CURRENT ROW$$, $$ot >= wt - interval '1 hour' AND o.id <= w.id$$],
  ['ASC', $$interval '1 hour' PRECEDING AND interval '2 hours' FOLLOWING$$,
        $$ot BETWEEN wt - interval '1 hour' AND wt + interval '2 hours'$$],
  ['ASC', $$interval '0' PRECEDING AND interval '0' FOLLOWING$$, 'ot = wt'],
  ['ASC', $$interval '0.5 seconds' PRECEDING AND interval '0.5 seconds' FOLLOWING$$, 'ot = wt'],
  ['ASC', $$interval '1 second' FOLLOWING AND interval '2 seconds' FOLLOWING$$,
        $$ot BETWEEN wt + interval '1 second' AND wt + interval '2 seconds'$$],
  ['ASC', $$interval '1 day' PRECEDING AND interval '1 hour' PRECEDING$$,
        $$ot BETWEEN wt - interval '1 day' AND wt - interval '1 hour'$$],
  ['ASC', $$UNBOUNDED PRECEDING AND interval '1 day' FOLLOWING$$, $$ot <= wt + interval '1 day'$$],
  ['DESC', $$interval '1 hour' PRECEDING AND interval '2 hours' FOLLOWING$$,
        $$ot BETWEEN wt - interval '2 hours' AND wt + interval '1 hour'$$]]);
-- a day of 23 hours
SET timezone = 'Europe/Berlin';
SELECT wrong(ARRAY[['ASC', $$interval '1 day' PRECEDING AND CURRENT ROW$$,
  $$ot >= wt - interval '1 day' AND o.id <= w.id$$]]);
SET timezone = 'UTC';
-- months: the same as core on the seconds, even though both March 30 and 31 are a month after
-- February 29
SELECT count(*) FROM (
  SELECT count(*) OVER (ORDER BY id RANGE BETWEEN interval '1 month' PRECEDING
                        AND interval '1 month 1 day' FOLLOWING) AS by_id,
         count(*) OVER (ORDER BY objectid_time(id) RANGE BETWEEN interval '1 month' PRECEDING
                        AND interval '1 month 1 day' FOLLOWING) AS by_time
  FROM w) AS pairs WHERE by_id <> by_time;
-- and the counted rows, for dates where adding a month keeps the order
DELETE FROM w WHERE extract(day FROM objectid_time(id)) > 28;
SELECT wrong(ARRAY[
  ['ASC', $$interval '1 month' PRECEDING AND CURRENT ROW$$, $$ot >= wt - interval '1 month' AND o.id <= w.id$$],
  ['ASC', $$CURRENT ROW AND interval '1 month 1 day' FOLLOWING$$,
        $$ot <= wt + interval '1 month 1 day' AND o.id >= w.id$$],
  ['DESC', $$interval '1 month' PRECEDING AND CURRENT ROW$$, $$ot <= wt + interval '1 month' AND o.id >= w.id$$]]);
-- the ends of the range
INSERT INTO w VALUES ('000000000000000000000000', -1), ('ffffffffffffffffffffffff', -2), (NULL, -3);
SELECT n, framed = (SELECT count(id) FROM w) AS all_of_them
FROM (SELECT n, count(*) OVER (ORDER BY id RANGE BETWEEN interval '1000 years' PRECEDING
                               AND interval '1000 years' FOLLOWING) AS framed FROM w) AS f
WHERE n < 0 ORDER BY n;

-- no frame ends before it begins
SELECT count(*) OVER (ORDER BY id RANGE BETWEEN interval '-1 hour' PRECEDING AND CURRENT ROW) FROM w;
SELECT count(*) OVER (ORDER BY id RANGE BETWEEN CURRENT ROW AND interval '-1 second' FOLLOWING) FROM w;
\set VERBOSITY sqlstate
SELECT count(*) OVER (ORDER BY id RANGE BETWEEN interval '-1 hour' PRECEDING AND CURRENT ROW) FROM w;
\set VERBOSITY terse
SELECT count(*) OVER (ORDER BY id RANGE BETWEEN 5 PRECEDING AND CURRENT ROW) FROM w;
\set VERBOSITY default
DROP TABLE w; DROP FUNCTION wrong;
