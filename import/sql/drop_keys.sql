-- The foreign keys and unique indexes that post-data has made for tables $1: a load is in any order.  Others may need
-- an index.
WITH ours AS (
	SELECT oid, conrelid, conname FROM pg_constraint
	WHERE contype = 'f' AND conparentid = 0 AND conrelid = ANY ($1::oid[])
		AND obj_description(oid, 'pg_constraint') ~ ', by objectid-import$'
), d (n, line) AS (
	SELECT 1, format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) FROM ours
	UNION ALL
	SELECT 2, format('DROP INDEX %s', indexrelid::regclass) FROM pg_index
	WHERE indisunique AND indrelid = ANY ($1::oid[])
		AND obj_description(indexrelid, 'pg_class') ~ ', by objectid-import$'
		AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND oid NOT IN (SELECT oid FROM ours))
)
SELECT line FROM (
	SELECT 0, format('-- drops %s foreign key%s and %s unique index%s: post-data makes them again', sum(2 - n),
		CASE WHEN sum(2 - n) <> 1 THEN 's' END, sum(n - 1), CASE WHEN sum(n - 1) <> 1 THEN 'es' END)
	FROM d HAVING count(*) > 0
	UNION ALL
	TABLE d
) AS s (n, line) ORDER BY n, line
