-- Which columns $2 of the table $1 could be NOT NULL; {counts} are those of their values
SELECT concat('-- ALTER TABLE ', $1::text, string_agg(' ALTER ' || name || ' SET NOT NULL', ','),
	';  -- in all ', k, ' rows')
FROM (SELECT count(*) AS k, ARRAY[{counts}] AS counts FROM {table}) AS c, unnest(counts, $2::text[]) AS u (n, name)
WHERE k > 0 AND n = k GROUP BY k
