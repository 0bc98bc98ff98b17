-- A role that is not trusted, and whose code would run where the relations $1, $2 and $3 are loaded, verified or
-- converted: who owns one of them, a table below it, its schema, a domain in it, or a function that its view, or a
-- trigger, constraint, default or index of these, calls.  Trusted are the current role, superusers, and the owner of
-- the database.
CREATE OR REPLACE FUNCTION pg_temp.distrusted(text, text, text) RETURNS name LANGUAGE sql STABLE
  SET search_path = pg_catalog, pg_temp AS $$
WITH RECURSIVE relations AS (
	SELECT c.oid
	FROM unnest(ARRAY[$1::text, $2::text, $3::text]) AS name JOIN pg_class AS c ON c.oid = to_regclass(name)
	UNION
	SELECT inhrelid FROM relations JOIN pg_inherits ON inhparent = relations.oid
), types AS (
	SELECT atttypid AS oid FROM relations AS r JOIN pg_attribute ON attrelid = r.oid AND NOT attisdropped
	UNION
	SELECT next FROM types AS t JOIN pg_type AS y ON y.oid = t.oid, unnest(ARRAY[typbasetype, typelem]) AS next
	WHERE next <> 0
), parts(class, oid) AS (
	SELECT 'pg_class'::regclass, oid FROM relations
	UNION ALL SELECT 'pg_class'::regclass, indexrelid FROM relations AS r JOIN pg_index ON indrelid = r.oid
	UNION ALL SELECT 'pg_constraint'::regclass, c.oid FROM relations AS r JOIN pg_constraint AS c ON conrelid = r.oid
	UNION ALL SELECT 'pg_constraint'::regclass, c.oid FROM types AS t JOIN pg_constraint AS c ON contypid = t.oid
	UNION ALL SELECT 'pg_attrdef'::regclass, d.oid FROM relations AS r JOIN pg_attrdef AS d ON adrelid = r.oid
	UNION ALL SELECT 'pg_trigger'::regclass, t.oid FROM relations AS r JOIN pg_trigger AS t ON tgrelid = r.oid
	UNION ALL SELECT 'pg_rewrite'::regclass, w.oid FROM relations AS r JOIN pg_rewrite AS w ON ev_class = r.oid
), owners(owner) AS (
	SELECT unnest(ARRAY[relowner, nspowner])
	FROM relations AS r JOIN pg_class AS c ON c.oid = r.oid JOIN pg_namespace AS n ON n.oid = relnamespace
	UNION
	SELECT typowner FROM types AS t JOIN pg_type AS y ON y.oid = t.oid WHERE typtype = 'd'
	UNION
	SELECT coalesce(proowner, oprowner)
	FROM parts AS t JOIN pg_depend ON classid = class AND objid = t.oid
		LEFT JOIN pg_proc AS p ON refclassid = 'pg_proc'::regclass AND p.oid = refobjid
		LEFT JOIN pg_operator AS o ON refclassid = 'pg_operator'::regclass AND o.oid = refobjid
)
SELECT rolname FROM owners JOIN pg_roles AS r ON r.oid = owner
WHERE NOT (rolsuper OR rolname IN (current_user, 'pg_database_owner')
	OR r.oid = (SELECT datdba FROM pg_database WHERE datname = current_database()))
ORDER BY rolname COLLATE "C"
LIMIT 1
$$;
