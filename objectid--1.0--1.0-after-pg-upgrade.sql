/* objectid--1.0--1.0-after-pg-upgrade.sql */

-- complain if script is sourced in psql, rather than via ALTER EXTENSION
\echo Use "ALTER EXTENSION objectid UPDATE TO '1.0-after-pg-upgrade'" to load this file. \quit

--
-- Adds what is missing after pg_upgrade from an older server: the features of newer
-- servers, as objectid--1.0.sql adds them to a new extension, and the comments on array
-- types, which pg_dump leaves out.  This is an intermediate version that is safe to run
-- repeatedly.  The update from it leads back to 1.0.
--
DO $$
DECLARE
	schema text;
	search_path text := pg_catalog.current_setting('search_path');
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	SELECT quote_ident(nspname) INTO STRICT schema
	FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace
	WHERE e.extname = 'objectid';

	EXECUTE format('COMMENT ON TYPE %s.objectid[] IS %L', schema, 'array of ObjectIds');
	EXECUTE format('COMMENT ON TYPE %s.objectid_period[] IS %L', schema, 'array of periods');

	IF current_setting('server_version_num')::integer >= 180000 THEN
		-- btree: skip support
		IF NOT EXISTS (SELECT FROM pg_amproc JOIN pg_opclass ON opcfamily = amprocfamily
					   WHERE opcname = 'objectid_ops' AND opcnamespace = schema::regnamespace
						 AND opcmethod = (SELECT oid FROM pg_am WHERE amname = 'btree') AND amprocnum = 6) THEN
			EXECUTE format($sql$
				CREATE FUNCTION %1$s.objectid_skipsupport(internal) RETURNS void
					AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
				COMMENT ON FUNCTION %1$s.objectid_skipsupport(internal) IS 'internal: skip support';
				ALTER OPERATOR FAMILY %1$s.objectid_ops USING btree ADD
					FUNCTION 6 (%1$s.objectid, %1$s.objectid) %1$s.objectid_skipsupport(internal);
				$sql$, schema);
		END IF;

		-- GiST: the strategy of "="
		IF NOT EXISTS (SELECT FROM pg_amproc JOIN pg_opclass ON opcfamily = amprocfamily
					   WHERE opcname = 'objectid_gist_ops' AND opcnamespace = schema::regnamespace
						 AND opcmethod = (SELECT oid FROM pg_am WHERE amname = 'gist') AND amprocnum = 12) THEN
			EXECUTE format($sql$
				ALTER OPERATOR FAMILY %1$s.objectid_gist_ops USING gist ADD
					FUNCTION 12 ("any", "any") pg_catalog.gist_translate_cmptype_common(integer);
				$sql$, schema);
		END IF;
	END IF;
	PERFORM set_config('search_path', search_path, true);
END$$;
