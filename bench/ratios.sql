-- For the chart: what an operation takes, uuid v4's being 1.  Of rows a second, the time of one.
WITH line (ordinal, measure, label) AS (VALUES
	(1, 'generate, net of the query', 'generate'),
	(2, 'bulk insert with primary key', 'insert, bulk'),
	(3, 'single-row inserts', 'insert, single'),
	(4, 'single-row inserts, index larger than shared_buffers', 'insert, large index'),
	(5, 'CREATE INDEX, one bulk load', 'CREATE INDEX, as inserted'),
	(6, 'CREATE INDEX, shuffled', 'CREATE INDEX, shuffled'),
	(7, 'ORDER BY, shuffled', 'ORDER BY, shuffled'),
	(8, 'hash join', 'hash join'),
	(9, 'GROUP BY', 'GROUP BY'),
	(10, 'point lookup', 'lookup'),
	(11, 'COPY out, text', 'COPY out'),
	(12, 'COPY in, text', 'COPY in'),
	(13, 'table and primary key after inserts', 'bytes')
), ratio AS (
	SELECT l.ordinal, l.label, m.kind, CASE WHEN m.unit = 'rows/s' THEN v4.value / m.value ELSE m.value / v4.value END AS value
	FROM line AS l JOIN bench.median AS m USING (measure)
	JOIN bench.median AS v4 ON (v4.measure, v4.rows, v4.kind) = (m.measure, m.rows, 'uuid v4')
)
SELECT 'what', 'objectid', 'uuid v4', 'uuid v7', 'bigint identity', 'char(24)'
UNION ALL (
	SELECT label, coalesce(min(value) FILTER (WHERE kind = 'objectid')::text, '?'), '1',
		coalesce(min(value) FILTER (WHERE kind = 'uuid v7')::text, '?'),
		coalesce(min(value) FILTER (WHERE kind = 'bigint identity')::text, '?'),
		coalesce(min(value) FILTER (WHERE kind = 'char(24)')::text, '?')
	FROM ratio GROUP BY ordinal, label ORDER BY ordinal
);
