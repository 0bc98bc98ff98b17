-- What reads the documents of table $1, beside our views $2, and columns, which become plain.
SELECT '-- reads old documents: ' || pg_describe_object(classid, objid, objsubid)
FROM pg_depend JOIN pg_attribute AS a ON (a.attrelid, a.attnum) = (refobjid, refobjsubid)
	LEFT JOIN pg_rewrite AS w ON classid = w.tableoid AND objid = w.oid
	LEFT JOIN pg_attrdef AS d ON classid = d.tableoid AND objid = d.oid
	LEFT JOIN pg_attribute AS g ON (g.attrelid, g.attnum) = (adrelid, adnum)
WHERE refclassid = 'pg_class'::regclass AND refobjid = $1 AND a.attname = 'doc'
	AND deptype IN ('n', 'a') AND g.attgenerated IS DISTINCT FROM 's'
	AND NOT coalesce(ev_class = ANY ($2::oid[]), false)
	-- NOT NULL, since PostgreSQL 18
	AND NOT EXISTS (SELECT FROM pg_constraint AS n WHERE n.tableoid = classid AND n.oid = objid AND contype = 'n')
UNION
SELECT '-- perhaps reads old documents: trigger ' || tgname FROM pg_trigger WHERE tgrelid = $1 AND NOT tgisinternal
ORDER BY 1
