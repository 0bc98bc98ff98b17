-- the columns of relations $1; an expression or a comment has the path
SELECT attrelid, attnum, attname,
	CASE WHEN typname = 'objectid' AND typtype IN ('b', 'd') THEN 'objectid'
		ELSE replace(format_type(atttypid, atttypmod), 'timestamp with time zone', 'timestamptz') END,
	CASE WHEN attgenerated <> '' THEN pg_get_expr(adbin, attrelid) END, col_description(attrelid, attnum), attnotnull
FROM pg_attribute JOIN pg_type AS t ON t.oid = atttypid
	LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
WHERE attrelid = ANY ($1::oid[]) AND attnum > 0 AND NOT attisdropped
ORDER BY attrelid, attnum
