-- Views $1, now called $2, have tables in their place, called $3.  Readers' views that depend on them, and that this
-- role can replace, read these instead.  What else depends on one reads its table through it; otherwise, it is dropped.
WITH old AS (
	SELECT v.*, d.classid, d.objid, d.objsubid, ev_class AS reader
	FROM unnest($1::oid[], $2::text[], $3::text[]) AS v (oid, old, target) JOIN pg_class AS c USING (oid)
		JOIN pg_type AS t ON t.oid = reltype
		LEFT JOIN (pg_depend AS d LEFT JOIN pg_rewrite AS w ON classid = w.tableoid AND objid = w.oid)
		ON deptype = 'n' AND ev_class IS DISTINCT FROM v.oid AND (refclassid = c.tableoid AND refobjid = v.oid
			OR refclassid = t.tableoid AND refobjid IN (reltype, typarray))
), readers AS (
	SELECT r.oid, w.oid AS rule, format('%I.%I', nspname, relname) AS target, reloptions
	FROM pg_class AS r JOIN pg_namespace AS n ON n.oid = relnamespace JOIN pg_rewrite AS w ON ev_class = r.oid
	WHERE r.oid IN (SELECT reader FROM old) AND relkind = 'v' AND rulename = '_RETURN' AND NOT r.oid = ANY ($1::oid[])
		AND pg_has_role(relowner, 'USAGE') AND has_schema_privilege(n.oid, 'CREATE')
		-- no column has the type of a view's rows
		AND NOT EXISTS (SELECT FROM old WHERE objid = r.oid)
)
SELECT line FROM (
	SELECT 0, '', format(E'CREATE OR REPLACE VIEW %s%s AS\n%s', target,
		' WITH (' || array_to_string(reloptions, ', ') || ')', rtrim(pg_get_viewdef(oid), ';'))
	FROM readers
	UNION ALL
	SELECT n, target, line FROM (
		SELECT oid, old, target, string_agg(pg_describe_object(classid, objid, objsubid), ', ')
			FILTER (WHERE NOT EXISTS (SELECT FROM readers WHERE rule = objid)) AS others
		FROM old GROUP BY oid, old, target
	) AS o JOIN pg_class AS c USING (oid), LATERAL (
		SELECT 1, format('-- %s: through %s', others, old) WHERE others <> ''
		UNION ALL
		SELECT 2, CASE WHEN others <> '' THEN format('CREATE OR REPLACE VIEW %s%s AS TABLE %s', old,
			' WITH (' || array_to_string(reloptions, ', ') || ')', target) ELSE 'DROP VIEW ' || old END
	) AS s (n, line)
) AS s (n, target, line) ORDER BY n > 0, target, n, line
