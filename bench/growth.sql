-- For the chart: cost by the number of rows
WITH grown AS (
	SELECT rows, split_part(measure, ': ', 2) AS what, kind, value FROM bench.median WHERE measure LIKE '% million rows: %'
)
SELECT 'rows', 'what', 'objectid', 'uuid v4', 'uuid v7', 'bigint identity'
UNION ALL (
	SELECT rows::text, what, coalesce(min(value) FILTER (WHERE kind = 'objectid')::text, '?'),
		coalesce(min(value) FILTER (WHERE kind = 'uuid v4')::text, '?'),
		coalesce(min(value) FILTER (WHERE kind = 'uuid v7')::text, '?'),
		coalesce(min(value) FILTER (WHERE kind = 'bigint identity')::text, '?')
	FROM grown GROUP BY grown.rows, what ORDER BY what, grown.rows
);
