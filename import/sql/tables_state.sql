-- what a table or view is, so that a script says if it has changed since
	SELECT concat_ws('; ', 'owner ' || relowner::regrole, 'rights ' || relacl::text, 'options ' || reloptions::text,
		CASE WHEN relrowsecurity THEN 'row-level security' END, CASE WHEN relforcerowsecurity THEN 'of its owner' END, (
			SELECT 'columns ' || string_agg(concat_ws(' ', attname, atttypid::regtype, attacl), ', ' ORDER BY attnum)
			FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped
		), (
			SELECT 'read by ' || string_agg(DISTINCT ev_class::regclass::text, ', ')
			FROM pg_depend JOIN pg_rewrite AS w ON w.oid = objid
			WHERE refclassid = 'pg_class'::regclass AND refobjid = c.oid AND ev_class <> c.oid
		), CASE WHEN relkind = 'v' AND relhastriggers THEN 'triggers' END, (
			SELECT 'rules' FROM pg_rewrite WHERE ev_class = c.oid HAVING count(*) > 1
		), CASE relkind WHEN 'v' THEN regexp_replace(pg_get_viewdef(oid), '\s+', ' ', 'g') END) AS state
	FROM pg_class AS c WHERE oid = name::regclass
