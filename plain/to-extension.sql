/* plain/to-extension.sql */

--
-- Convert all columns from plain/objectid.sql, or from its extension of pg_tle, to the
-- extension in C, with their foreign keys, constraints, indexes and defaults, in one
-- transaction.  See docs/managed.md.
--
--     psql -f plain/to-extension.sql && psql -c ANALYZE
--

\set ON_ERROR_STOP on
DO 'BEGIN RAISE feature_not_supported USING MESSAGE = ''this conversion does not work with the extension in pg_catalog''; END';
\set ON_ERROR_ROLLBACK off
BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
\ir settings.sql
CREATE SCHEMA objectid_move;
-- The user's search_path says which domain.  Then only pg_catalog is searched.
SELECT pg_catalog.set_config('objectid_move.old', 'objectid_move', true) AS old,
	pg_catalog.set_config('objectid_move.new', (
		SELECT nspname FROM pg_catalog.pg_namespace AS n JOIN pg_catalog.pg_type ON typnamespace OPERATOR(pg_catalog.=) n.oid
		WHERE typtype OPERATOR(pg_catalog.=) 'd' AND pg_type.oid OPERATOR(pg_catalog.=) pg_catalog.to_regtype('objectid')), true) AS new \gset
SET LOCAL search_path = pg_catalog, pg_temp;

DO $$
DECLARE
	extension oid;
	command text;
BEGIN
	IF current_setting('objectid_move.new') = '' THEN
		RAISE undefined_object USING MESSAGE = 'the search_path leads to no domain objectid of plain/objectid.sql';
	END IF;
	extension := (SELECT refobjid FROM pg_depend
		WHERE classid = 'pg_type'::regclass AND objid = to_regtype(format('%I.objectid', current_setting('objectid_move.new')))
			AND refclassid = 'pg_extension'::regclass AND deptype = 'e');
	IF EXISTS (SELECT FROM pg_extension WHERE extname = 'objectid' AND oid IS DISTINCT FROM extension) THEN
		RAISE duplicate_object USING MESSAGE = 'the extension objectid already exists, and the domain objectid is not part of it';
	END IF;
	-- Keep the objects of pg_tle's extension, but not the extension.  The array type leaves it with the domain.
	IF extension IS NOT NULL THEN
		FOR command IN
			SELECT format('ALTER EXTENSION objectid DROP %s %s', type, identity)
			FROM pg_depend, pg_identify_object(classid, objid, 0)
			WHERE refclassid = 'pg_extension'::regclass AND refobjid = extension AND deptype = 'e'
				AND NOT (classid = 'pg_type'::regclass AND objid IN (SELECT typarray FROM pg_type))
		LOOP
			EXECUTE command;
		END LOOP;
		DROP EXTENSION objectid;
		IF EXISTS (SELECT FROM pg_depend JOIN pg_extension AS e ON e.oid = refobjid
			WHERE extname = 'pg_tle' AND deptype = 'e' AND objid = to_regprocedure('pgtle.uninstall_extension(text)'))
		THEN
			PERFORM pgtle.uninstall_extension('objectid');
		END IF;
	END IF;
END$$;

\ir move.sql
SELECT pg_catalog.set_config('search_path', pg_catalog.quote_ident(pg_catalog.current_setting('objectid_move.new')), true) AS path \gset
CREATE EXTENSION objectid;
SET LOCAL search_path = pg_catalog, pg_temp;
\ir convert.sql
SET LOCAL search_path = objectid_move, pg_temp;
\ir drop.sql
DROP SCHEMA objectid_move;
COMMIT;
