-- Views $1, now called $2, have tables in their place, called $3.  Readers' views that depend on them, and that this
-- role can replace, read these instead.  What else depends on one reads its table through it; otherwise, it is dropped.
WITH old AS (
	SELECT v.*, reloptions, d.*, ev_class, rulename = '_RETURN' AS is_view
	FROM unnest($1::oid[], $2::text[], $3::text[]) AS v (view, old, target) JOIN pg_class AS c ON c.oid = view
		JOIN pg_type AS t ON t.oid = reltype
		LEFT JOIN (pg_depend AS d LEFT JOIN pg_rewrite AS w ON classid = w.tableoid AND objid = w.oid)
		ON deptype = 'n' AND ev_class IS DISTINCT FROM view AND (refclassid = c.tableoid AND refobjid = view
			OR refclassid = t.tableoid AND refobjid IN (reltype, typarray))
), readers AS (
	SELECT r.oid, format('%I.%I', nspname, relname) AS target, reloptions
	FROM pg_class AS r JOIN pg_namespace AS n ON n.oid = relnamespace
	WHERE r.oid IN (SELECT ev_class FROM old) AND relkind = 'v' AND NOT r.oid = ANY ($1::oid[])
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
		SELECT old, target, reloptions, string_agg(pg_describe_object(classid, objid, objsubid), ', ')
			FILTER (WHERE NOT (EXISTS (SELECT FROM readers WHERE oid = ev_class) AND is_view)) AS others
		FROM old GROUP BY old, target, reloptions
	) AS o, LATERAL (
		SELECT 1, format('-- %s: through %s', others, old) WHERE others <> ''
		UNION ALL
		SELECT 2, CASE WHEN others <> '' THEN format('CREATE OR REPLACE VIEW %s%s AS TABLE %s', old,
			' WITH (' || array_to_string(reloptions, ', ') || ')', target) ELSE 'DROP VIEW ' || old END
	) AS s (n, line)
) AS s (n, target, line) ORDER BY n > 0, target, n, line
