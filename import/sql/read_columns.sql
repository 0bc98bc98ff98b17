-- The columns of relations $1, by their places in it.  The path of the only field of "doc" that an expression reads is
-- made of the texts behind its arrows; other columns have it as their comment.
SELECT r.n - 1, attnum, attname,
	CASE WHEN typname = 'objectid' AND typtype IN ('b', 'd') THEN 'objectid'
		ELSE replace(format_type(atttypid, atttypmod), 'timestamp with time zone', 'timestamptz') END,
	comment, CASE WHEN attgenerated <> '' THEN field
		WHEN attname = '_id' AND obj_description(attrelid, 'pg_class') ~ '\[\]$' IS NOT TRUE THEN '_id'
		ELSE comment END,
	attgenerated <> '', attnotnull,
	EXISTS (SELECT FROM pg_constraint WHERE conrelid = attrelid AND contype = 'f' AND conkey[1] = attnum)
FROM unnest($1::oid[]) WITH ORDINALITY AS r (oid, n) JOIN pg_attribute ON attrelid = oid
	JOIN pg_type AS t ON t.oid = atttypid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum,
	LATERAL (SELECT col_description(attrelid, attnum), pg_get_expr(adbin, attrelid), $$'(?:[^']|'')*'|"[^"]*"$$
		) AS e (comment, expression, quoted)
	LEFT JOIN LATERAL (
		SELECT string_agg(CASE WHEN key ~ '^[A-Za-z0-9_$-]+$' THEN key ELSE to_json(key)::text END, '.' ORDER BY step)
		FROM regexp_matches(expression, '(->>? )?(' || quoted || ')', 'g') WITH ORDINALITY AS m (found, step),
			replace(substr(found[2], 2, length(found[2]) - 2), '''''', '''') AS key
		WHERE found[1] IS NOT NULL AND found[2] LIKE '''%'
		-- a schema may be called so, too; each arrow has a text; and subscripts and paths are other ways
		HAVING regexp_count(regexp_replace(expression, quoted, '', 'g'), '\mdoc\M(?!\.)') = 1
			AND regexp_count(regexp_replace(expression, quoted, '', 'g'), '->|#>|\[') = count(*)
	) AS p (field) ON true
WHERE attnum > 0 AND NOT attisdropped
ORDER BY r.n, attnum
