-- The rights of the view $1 of elements, on the table $2 in its place, whose column $3 refers to the table $4, $5
WITH acl AS (
	SELECT relowner, attname, (aclexplode(acl)).*
	FROM pg_class AS c, LATERAL (
		SELECT NULL, relacl UNION ALL SELECT quote_ident(attname), attacl FROM pg_attribute WHERE attrelid = c.oid
	) AS a (attname, acl) WHERE oid = $1
)
SELECT line FROM (
	SELECT 1, format('ALTER TABLE %s OWNER TO %I', $2::text, pg_get_userbyid(relowner))
	FROM pg_class WHERE oid = $1 AND pg_get_userbyid(relowner) <> current_user
	UNION ALL
	-- default rights of new tables, which the view does not have
	SELECT 2, format('REVOKE ALL ON %s FROM %s', $2,
		string_agg(DISTINCT coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC'), ', '))
	FROM pg_class AS v, pg_default_acl, aclexplode(defaclacl)
	WHERE v.oid = $1 AND defaclobjtype = 'r' AND grantee <> defaclrole AND pg_get_userbyid(defaclrole) = current_user
		AND defaclnamespace IN (0, relnamespace)
	HAVING count(*) > 0
	UNION ALL
	SELECT 3, format('GRANT %s%s ON %s TO %s%s', privilege_type, ' (' || attname || ')', $2,
		coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC'), CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END)
	FROM acl WHERE grantee <> relowner
	UNION ALL
	-- a reader of the view sees the elements of the documents that row-level security shows
	SELECT 4, unnest(ARRAY[format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY%s', $2,
			CASE WHEN r.relforcerowsecurity THEN ', FORCE ROW LEVEL SECURITY' END),
		format('CREATE POLICY documents ON %s USING (EXISTS (SELECT FROM %s AS r WHERE r._id = %1$s.%3$s))', $2,
			$5::text, $3::text)])
	FROM pg_class AS v, pg_class AS r
	WHERE v.oid = $1 AND r.oid = $4 AND r.relrowsecurity AND v.reloptions::text ~ 'security_invoker=(true|on|1|yes)'
) AS s (n, line) ORDER BY n, line
