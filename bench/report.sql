-- Medians of the results, and a table in Markdown
CREATE VIEW bench.median AS
	SELECT measure, unit, rows, kind, k.ordinal AS kind_ordinal, min(r.ordinal) AS ordinal,
		percentile_cont(0.5) WITHIN GROUP (ORDER BY value) AS value
	FROM bench.result AS r JOIN bench.kind AS k ON k.name = r.kind
	GROUP BY measure, unit, rows, kind, k.ordinal;

-- three significant digits
CREATE FUNCTION bench.print(value double precision) RETURNS text IMMUTABLE
LANGUAGE sql AS $$
	SELECT CASE WHEN value = 0 THEN '0' ELSE round(value::numeric, greatest(0, 2 - floor(log(abs(value)))::integer))::text END
$$;

-- The medians in Markdown: a line for each measure and a column for each kind
CREATE FUNCTION bench.report() RETURNS SETOF text STABLE
LANGUAGE sql AS $$
	SELECT '| | ' || string_agg(name, ' | ' ORDER BY ordinal) || E' |\n|---|' || repeat('---|', count(*)::integer)
	FROM bench.kind WHERE name IN (SELECT kind FROM bench.result)
	UNION ALL (
		SELECT '| ' || measure || ', ' || unit || ' | ' || string_agg(cell, ' | ' ORDER BY kind_ordinal) || ' |'
		FROM (
			SELECT l.measure, l.unit, l.ordinal, k.ordinal AS kind_ordinal,
				coalesce(bench.print(m.value), '') AS cell
			FROM (SELECT measure, unit, rows, min(ordinal) AS ordinal FROM bench.median GROUP BY measure, unit, rows) AS l
			CROSS JOIN (SELECT * FROM bench.kind WHERE name IN (SELECT kind FROM bench.result)) AS k
			LEFT JOIN bench.median AS m ON (m.measure, m.rows, m.kind) = (l.measure, l.rows, k.name)
		) AS c
		GROUP BY measure, unit, ordinal ORDER BY ordinal)
$$;
