-- The tables of documents in schemas $1, or, if there are names $2, those of these pairs, and the views and tables of
-- their elements, whose comments are paths: a view depends on the table, and the first column of a table refers to its
-- owner.  $3: only if the table has documents.  A table precedes its elements, and outer arrays inner ones.
WITH RECURSIVE known(oid, root) AS (
	SELECT c.oid, c.oid
	FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace JOIN pg_attribute ON attrelid = c.oid
	WHERE CASE WHEN $2::name[] IS NULL THEN nspname = ANY ($1::name[])
			ELSE (nspname, relname) IN (SELECT * FROM unnest($1::name[], $2::name[])) END
		AND relkind IN ('r', 'p') AND NOT relispartition
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
SELECT c.oid, c.relkind, n.nspname, c.relname, path, level,
	c.relowner::regrole, array_to_string(c.reloptions, ', '), c.relnatts, documents
FROM (SELECT DISTINCT ON (oid) * FROM known ORDER BY oid, root) AS k JOIN pg_class AS c USING (oid)
	JOIN pg_namespace AS n ON n.oid = relnamespace
	JOIN pg_class AS r ON r.oid = root JOIN pg_namespace AS s ON s.oid = r.relnamespace,
	concat(CASE WHEN c.oid <> root THEN obj_description(c.oid, 'pg_class') END) AS path,
	regexp_count(regexp_replace(path, '"([^"\\]|\\.)*"', '', 'g'), '\[') AS level, LATERAL (
	SELECT EXISTS (SELECT FROM pg_attribute WHERE attrelid = k.oid AND attname = 'doc' AND atttypid = 'jsonb'::regtype),
		EXISTS (SELECT FROM pg_attribute WHERE attrelid = root AND attname = 'doc' AND atttypid = 'jsonb'::regtype)
	) AS d (documents, of_root)
WHERE of_root OR NOT $3
ORDER BY s.nspname, r.relname, level, c.oid
