/* plain/columns-to-text.sql */

--
-- For to-extension.sql and from-extension.sql: convert all columns of type objectid and
-- objectid[] to text, and write the statements for the way back into a temporary table.
-- The search_path becomes the schema of the type, so the new objects are in the same
-- schema.
--
-- Views, policies, triggers with WHEN, generated columns and partition keys that use such
-- columns are not converted: ALTER TABLE or DROP reports them, and nothing is changed.
--

CREATE TEMPORARY TABLE objectid_move (step integer, before text, after text) ON COMMIT DROP;

DO $$
DECLARE
	home regnamespace := (SELECT typnamespace FROM pg_type WHERE oid = 'objectid'::regtype);
	type oid := 'objectid'::regtype;
	types oid[] := ARRAY[type, 'objectid[]'::regtype];
	step record;
BEGIN
	-- so that definitions contain the schema of each object
	PERFORM set_config('search_path', 'pg_catalog', true);

	-- types, functions and operators of objectid that expressions can contain
	CREATE TEMPORARY TABLE objectid_uses ON COMMIT DROP AS
	SELECT DISTINCT d.classid, d.objid, d.objsubid
	FROM pg_depend AS d
	JOIN (SELECT 'pg_type'::regclass AS classid, unnest(types) AS oid
		UNION ALL
		SELECT 'pg_proc'::regclass, oid FROM pg_proc
		WHERE prorettype = ANY (types) OR proargtypes::oid[] && types OR pronamespace = home AND proname = 'objectid_is_valid'
		UNION ALL
		SELECT 'pg_operator'::regclass, oid FROM pg_operator
		WHERE oprleft = ANY (types) OR oprright = ANY (types)) AS ours
	ON d.refclassid = ours.classid AND d.refobjid = ours.oid;

	-- foreign keys whose columns have the type
	INSERT INTO objectid_move
	SELECT 1, format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
		format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(c.oid))
	FROM pg_constraint AS c
	WHERE contype = 'f' AND conparentid = 0 AND EXISTS (
		SELECT FROM pg_attribute
		WHERE attrelid = conrelid AND attnum = ANY (conkey) AND atttypid = ANY (types));

	-- constraints, indexes and defaults whose expressions use the type
	INSERT INTO objectid_move
	SELECT 2, format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
		format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(c.oid))
	FROM pg_constraint AS c
	WHERE contype = 'c' AND conrelid <> 0 AND coninhcount = 0
		AND EXISTS (SELECT FROM objectid_uses WHERE classid = 'pg_constraint'::regclass AND objid = c.oid);
	-- DROP INDEX on a partitioned table also drops the indexes of its partitions
	INSERT INTO objectid_move
	SELECT 4, CASE WHEN relispartition THEN '' ELSE format('DROP INDEX %s', indexrelid::regclass) END, pg_get_indexdef(indexrelid)
	FROM pg_index JOIN pg_class AS c ON c.oid = indexrelid
	WHERE (indexprs IS NOT NULL OR indpred IS NOT NULL)
		AND EXISTS (SELECT FROM objectid_uses WHERE classid = 'pg_class'::regclass AND objid = indexrelid)
		AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid);
	INSERT INTO objectid_move
	SELECT 3, '', format('ALTER INDEX %s ATTACH PARTITION %s', inhparent::regclass, inhrelid::regclass)
	FROM pg_inherits
	WHERE EXISTS (SELECT FROM objectid_move AS m WHERE m.step = 4 AND m.after = pg_get_indexdef(inhrelid));
	INSERT INTO objectid_move
	SELECT 5, format('ALTER TABLE ONLY %s ALTER %I DROP DEFAULT', adrelid::regclass, attname),
		format('ALTER TABLE ONLY %s ALTER %I SET DEFAULT %s', adrelid::regclass, attname, pg_get_expr(adbin, adrelid))
	FROM pg_attrdef AS d JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
	WHERE attgenerated = '' AND EXISTS (SELECT FROM objectid_uses WHERE classid = 'pg_attrdef'::regclass AND objid = d.oid);

	-- the columns; ALTER TABLE on a parent also changes its children
	INSERT INTO objectid_move
	SELECT 6, format('ALTER TABLE %s %s', attrelid::regclass,
			string_agg(format('ALTER %I TYPE text%s COLLATE "C" USING %1$I::text%2$s', attname, brackets), ', ' ORDER BY attnum)),
		format('ALTER TABLE %s %s', attrelid::regclass,
			string_agg(format('ALTER %I TYPE %s.objectid%s USING %1$I::%2$s.objectid%3$s', attname, home, brackets), ', ' ORDER BY attnum))
	FROM pg_attribute JOIN pg_class AS c ON c.oid = attrelid, LATERAL (SELECT CASE WHEN atttypid = type THEN '' ELSE '[]' END AS brackets) AS b
	WHERE atttypid = ANY (types) AND attinhcount = 0 AND NOT attisdropped AND relkind IN ('r', 'p', 'f')
	GROUP BY attrelid;

	FOR step IN SELECT before FROM objectid_move ORDER BY objectid_move.step LOOP
		EXECUTE step.before;
	END LOOP;

	PERFORM set_config('search_path', home::text, true);
END$$;
