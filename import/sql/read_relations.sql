-- The tables of documents in schemas $1, and the views and tables of their elements, whose comments are paths: a view
-- depends on the table, and the first column of a table refers to its owner.
WITH RECURSIVE known(oid, root) AS (
	SELECT c.oid, c.oid
	FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace JOIN pg_attribute ON attrelid = c.oid
	WHERE nspname = ANY ($1::name[]) AND relkind IN ('r', 'p') AND NOT relispartition
		AND attname = '_id' AND obj_description(c.oid, 'pg_class') ~ '\[\]$' IS NOT TRUE
	UNION
	SELECT next.oid, root
	FROM known AS k, LATERAL (
		SELECT ev_class
		FROM pg_depend JOIN pg_rewrite AS r ON r.oid = objid
		WHERE classid = 'pg_rewrite'::regclass AND refclassid = 'pg_class'::regclass AND refobjid = k.oid
		UNION ALL
		SELECT conrelid FROM pg_constraint WHERE contype = 'f' AND confrelid = k.oid AND conkey[1] = 1
	) AS next(oid)
	WHERE obj_description(next.oid, 'pg_class') ~ '\[\]$'
)
SELECT c.oid, root, relkind, nspname, relname, path,
	regexp_count(regexp_replace(path, '"([^"\\]|\\.)*"', '', 'g'), '\['),
	relowner::regrole, array_to_string(reloptions, ', '), relnatts,
	EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'doc' AND atttypid = 'jsonb'::regtype)
FROM (SELECT DISTINCT ON (oid) * FROM known ORDER BY oid, root) AS k JOIN pg_class AS c USING (oid)
	JOIN pg_namespace AS n ON n.oid = relnamespace,
	concat(CASE WHEN c.oid <> root THEN obj_description(c.oid, 'pg_class') END) AS path
ORDER BY c.oid
