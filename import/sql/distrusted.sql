-- A role that is not trusted, and whose code would run where the relations are loaded, verified or changed: who owns
-- one of them, a table below it, its schema, or a type, function or operator that these, or parts of them, such as
-- triggers, rules, policies, constraints, defaults and indexes, depend on.  Trusted are superusers, the owner of the
-- database, and the session's role.  Not the current role, if SET ROLE has set a different one: its code can set the
-- role back.
WITH RECURSIVE objects(class, oid) AS (
	SELECT c.tableoid, c.oid
	FROM {relations} AS r JOIN pg_class AS c ON c.oid = r
	UNION
	SELECT next.* FROM objects AS o, LATERAL (
		SELECT classid, objid FROM pg_depend
		WHERE refclassid = class AND refobjid = o.oid AND deptype IN ('a', 'i', 'P', 'S')
		UNION ALL
		SELECT class, inhrelid FROM pg_inherits WHERE inhparent = o.oid AND class = 'pg_class'::regclass
		UNION ALL
		-- a foreign key runs no code of the table that it refers to
		SELECT refclassid, refobjid FROM pg_depend
		WHERE classid = class AND objid = o.oid AND (refclassid = ANY ('{pg_type,pg_proc,pg_operator}'::regclass[])
			OR refclassid = 'pg_class'::regclass AND class = ANY ('{pg_type,pg_rewrite,pg_policy}'::regclass[]))
	) AS next
)
SELECT rolname
-- of few objects: joins would read all functions
FROM objects AS o, LATERAL (
	SELECT unnest(ARRAY[relowner, nspowner])
	FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace WHERE class = c.tableoid AND c.oid = o.oid
	UNION ALL
	SELECT typowner FROM pg_type AS t WHERE class = t.tableoid AND t.oid = o.oid AND typtype IN ('c', 'd')
	UNION ALL
	SELECT proowner FROM pg_proc AS p WHERE class = p.tableoid AND p.oid = o.oid
	UNION ALL
	SELECT oprowner FROM pg_operator AS p WHERE class = p.tableoid AND p.oid = o.oid
) AS owners(owner) JOIN pg_roles AS r ON r.oid = owner
WHERE NOT (rolsuper OR rolname IN (session_user, 'pg_database_owner')
	OR r.oid = (SELECT datdba FROM pg_database WHERE datname = current_database()))
ORDER BY rolname COLLATE "C"
LIMIT 1
