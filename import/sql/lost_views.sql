-- a view among the relations $1 that has what would be lost
SELECT oid::regclass FROM pg_class AS c
WHERE oid = ANY ($1::oid[]) AND relkind = 'v' AND EXISTS (
	SELECT FROM pg_trigger WHERE tgrelid = c.oid
	UNION ALL
	SELECT FROM pg_rewrite WHERE ev_class = c.oid AND rulename <> '_RETURN')
