--
-- Row estimates for windows of time: within a factor of 2 of the truth wherever
-- the window holds a bin of the histogram.  Prints the ratios that are not.
--
CREATE TABLE event (id objectid);
INSERT INTO event SELECT gen_objectid(timestamptz '2020-01-01 00:00:00+00' + n * interval '157.68 seconds') FROM generate_series(1, 1000000) AS n;
CREATE FUNCTION estimate(condition text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
  plan json;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) SELECT * FROM event WHERE ' || condition INTO plan;
  RETURN (plan->0->'Plan'->>'Plan Rows')::float8;
END$$;
CREATE FUNCTION off_by(width interval) RETURNS TABLE (start timestamptz, ratio float8) LANGUAGE sql AS $$
  SELECT t, estimate / truth
  FROM (SELECT t, extract(epoch FROM width) / 157.68 AS truth,
               estimate(format('id >= timestamptz %L AND id < timestamptz %L', t, t + width)) AS estimate
        FROM generate_series(timestamptz '2020-02-01 00:00:00+00', timestamptz '2024-12-30 00:00:00+00' - width, interval '29 days 7 hours 11 minutes') AS t) AS e
  WHERE estimate NOT BETWEEN truth / 2 AND truth * 2 $$;

-- 100 bins of 18 days
ANALYZE event;
SELECT * FROM off_by('30 days');
SELECT * FROM off_by('1 year');
-- one-sided, and by now(), known when the plan is made
SELECT ratio FROM (SELECT estimate('id < timestamptz ''2021-01-01 00:00:00+00''') / 200000 AS ratio) AS r WHERE ratio NOT BETWEEN 0.9 AND 1.1;
SELECT ratio FROM (SELECT estimate('timestamptz ''2024-01-01 00:00:00+00'' <= id') / 200000 AS ratio) AS r WHERE ratio NOT BETWEEN 0.9 AND 1.1;
SELECT ratio FROM (SELECT estimate('id <= now()') / 1000000 AS ratio) AS r WHERE ratio NOT BETWEEN 0.9 AND 1.1;
SELECT estimate('id > now() + interval ''1 day''') < 1000 AS nothing_new;
-- a day needs bins shorter than that, and an hour more bins than there can be (10,000)
ALTER TABLE event ALTER id SET STATISTICS 3000;
ANALYZE event;
SELECT * FROM off_by('1 day');
SELECT * FROM off_by('30 days');
-- equality and the number of values
SELECT estimate('id = ''5e0be1000000000000000000''') AS one;
SELECT ratio FROM (SELECT -n_distinct AS ratio FROM pg_stats WHERE tablename = 'event' AND attname = 'id') AS r WHERE ratio <> 1;
DROP TABLE event;
DROP FUNCTION off_by, estimate;
