-- The relations $1, and readers' views of them that may be replaced, and what they are: see tables_state.sql
SELECT name, state
FROM (
	SELECT oid::regclass::text FROM pg_class
	WHERE oid = ANY ($1::oid[]) OR relkind = 'v' AND oid IN (
		SELECT ev_class FROM pg_depend JOIN pg_rewrite AS w ON w.oid = objid
		WHERE refclassid = 'pg_class'::regclass AND refobjid = ANY ($1::oid[])
	) AND pg_has_role(relowner, 'USAGE') AND has_schema_privilege(relnamespace, 'USAGE')
) AS r (name), LATERAL ({state}) AS s
ORDER BY name
