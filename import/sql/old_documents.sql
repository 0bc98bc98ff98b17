-- What reads the documents of table $1, beside our views $2, and columns, which become plain
SELECT '-- reads old documents: ' || pg_describe_object(classid, objid, objsubid)
FROM pg_depend JOIN pg_attribute ON (attrelid, attnum) = (refobjid, refobjsubid)
	LEFT JOIN pg_rewrite AS w ON classid = w.tableoid AND objid = w.oid
	LEFT JOIN pg_constraint AS n ON classid = n.tableoid AND objid = n.oid
WHERE refclassid = 'pg_class'::regclass AND refobjid = $1 AND attname = 'doc' AND deptype IN ('n', 'a')
	AND classid <> 'pg_attrdef'::regclass AND NOT coalesce(ev_class = ANY ($2::oid[]), false)
	-- NOT NULL, since PostgreSQL 18
	AND contype IS DISTINCT FROM 'n'
UNION
SELECT '-- perhaps reads old documents: trigger ' || tgname FROM pg_trigger WHERE tgrelid = $1 AND NOT tgisinternal
ORDER BY 1
