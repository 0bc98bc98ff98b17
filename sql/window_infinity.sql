--
-- Infinite intervals (17 and newer) in a window frame
--
\t on
CREATE TABLE w (id objectid, n integer);
INSERT INTO w SELECT gen_objectid(timestamptz '2024-01-01 00:00:00+00' + n * interval '1 day'), n
FROM generate_series(1, 5) AS n;
SELECT n, count(*) OVER (ORDER BY id RANGE BETWEEN interval 'infinity' PRECEDING AND CURRENT ROW) AS before,
          count(*) OVER (ORDER BY id RANGE BETWEEN interval '1 day' PRECEDING
                         AND interval 'infinity' FOLLOWING) AS after
FROM w ORDER BY id;
SELECT count(*) OVER (ORDER BY id RANGE BETWEEN interval '-infinity' PRECEDING AND CURRENT ROW) FROM w;
DROP TABLE w;
