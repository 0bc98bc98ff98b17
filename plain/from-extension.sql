/* plain/from-extension.sql */

--
-- Convert all columns from the extension to plain/objectid.sql, in the schema of the
-- extension.  See docs/managed.md.
--
--     psql -f plain/from-extension.sql && psql -c ANALYZE
--

\set ON_ERROR_STOP on
DO 'BEGIN RAISE feature_not_supported USING MESSAGE = ''this conversion does not work with the extension in pg_catalog''; END';
\set ON_ERROR_ROLLBACK off
BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
\ir settings.sql
CREATE SCHEMA objectid_move;
SET LOCAL search_path = objectid_move, pg_temp;
\ir objectid.sql
SET LOCAL search_path = pg_catalog, pg_temp;

DO $$
BEGIN
	PERFORM set_config('objectid_move.new', 'objectid_move', true),
		set_config('objectid_move.old', (
			SELECT nspname FROM pg_extension JOIN pg_namespace AS n ON n.oid = extnamespace
			WHERE extname = 'objectid' AND to_regtype(format('%I.objectid', nspname)) IN (SELECT oid FROM pg_type WHERE typtype = 'b')), true);
	IF current_setting('objectid_move.old') = '' THEN
		RAISE undefined_object USING MESSAGE = 'this database does not have the extension objectid in C';
	ELSIF NOT (SELECT pg_has_role(extowner, 'USAGE') FROM pg_extension WHERE extname = 'objectid') THEN
		RAISE insufficient_privilege USING
			MESSAGE = format('only %s can drop the extension objectid', (SELECT extowner::regrole FROM pg_extension WHERE extname = 'objectid'));
	END IF;
END$$;

\ir convert.sql
DROP EXTENSION objectid;
\ir move.sql
DROP SCHEMA objectid_move;
COMMIT;
