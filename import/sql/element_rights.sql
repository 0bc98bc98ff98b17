-- The rights of the view $1 of elements, on the table $2 in its place, whose column $3 refers to the table $4, $5 of
-- documents.
SELECT line FROM (
	SELECT 1, format('ALTER TABLE %s OWNER TO %I', $2::text, rolname)
	FROM pg_class AS v JOIN pg_roles AS r ON r.oid = relowner WHERE v.oid = $1 AND rolname <> current_user
	UNION ALL
	-- default rights of new tables, which the view does not have
	SELECT 2, format('REVOKE ALL ON %s FROM %s', $2, string_agg(DISTINCT
		CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END, ', '))
	FROM pg_class AS v, pg_default_acl, aclexplode(defaclacl)
	WHERE v.oid = $1 AND defaclobjtype = 'r' AND grantee <> defaclrole AND defaclrole = current_user::regrole
		AND defaclnamespace IN (0, relnamespace)
	HAVING count(*) > 0
	UNION ALL
	SELECT 3, format('GRANT %s%s ON %s TO %s%s', privilege_type, ' (' || quote_ident(attname) || ')', $2,
		CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END,
		CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END)
	FROM (
		SELECT relowner, NULL AS attname, (aclexplode(relacl)).* FROM pg_class WHERE oid = $1
		UNION ALL
		SELECT relowner, attname, (aclexplode(attacl)).*
		FROM pg_attribute JOIN pg_class ON oid = attrelid WHERE oid = $1
	) AS acl WHERE grantee <> relowner
	UNION ALL
	-- a reader of the view sees the elements of the documents that row-level security shows
	SELECT 4, unnest(ARRAY[format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY%s', $2,
			CASE WHEN r.relforcerowsecurity THEN ', FORCE ROW LEVEL SECURITY' END),
		format('CREATE POLICY documents ON %s USING (EXISTS (SELECT FROM %s AS r '
			'WHERE r._id = %1$s.%3$s))', $2, $5::text,
			$3::text)])
	FROM pg_class AS v, pg_class AS r
	WHERE v.oid = $1 AND r.oid = $4 AND r.relrowsecurity AND v.reloptions::text ~ 'security_invoker=(true|on|1|yes)'
) AS s (n, line) ORDER BY n, line
