-- The table in the examples of docs/: an event every 10 minutes in 2024
CREATE EXTENSION objectid;
SET timezone = 'UTC';
SET datestyle = 'ISO';
SET max_parallel_workers_per_gather = 0;
CREATE TABLE event (id objectid DEFAULT gen_objectid() PRIMARY KEY, kind integer NOT NULL);
INSERT INTO event
SELECT gen_objectid(timestamptz '2024-01-01' + n * interval '10 minutes'), n % 7
FROM generate_series(0, 366 * 144 - 1) AS n;
VACUUM ANALYZE event;
