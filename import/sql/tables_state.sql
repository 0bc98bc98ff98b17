	WITH RECURSIVE r (oid) AS (
		SELECT unnest(ARRAY[{tables}]::regclass[]::oid[])
		UNION SELECT ev_class FROM r JOIN pg_depend ON refclassid = 'pg_class'::regclass AND refobjid = r.oid
			JOIN pg_rewrite AS w ON classid = w.tableoid AND objid = w.oid)
	SELECT md5(string_agg(concat_ws(' ', relowner, relacl, reloptions, relrowsecurity, ev_action, (
		SELECT string_agg(concat_ws(' ', attname, attacl, adbin), ' ' ORDER BY attnum) FROM pg_attribute
			LEFT JOIN pg_attrdef ON (adrelid, adnum) = (attrelid, attnum) WHERE attrelid = c.oid AND attnum > 0)),
		' ' ORDER BY c.oid, w.oid))
	FROM r JOIN pg_class AS c ON c.oid = r.oid LEFT JOIN pg_rewrite AS w ON ev_class = c.oid
