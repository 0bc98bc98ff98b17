/* objectid--1.0--1.0-after-pg-upgrade.sql */

-- complain if script is sourced in psql, rather than via ALTER EXTENSION
\echo Use "ALTER EXTENSION objectid UPDATE TO '1.0-after-pg-upgrade'" to load this file. \quit

--
-- Adds what is missing after pg_upgrade from an older server: the features of newer
-- servers and the privileges, as objectid--1.0.sql adds them to a new extension, and the
-- comments on array types, which pg_dump leaves out.  This is an intermediate version that is safe to run
-- repeatedly.  The update from it leads back to 1.0.
--
DO $$
BEGIN
	-- the schema of the extension comes first in the search_path of this script
	IF current_schema() <> 'pg_catalog' THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = 'extension objectid is not in schema pg_catalog',
			HINT = 'A build from before 1.0 has created it. Run "ALTER EXTENSION objectid SET SCHEMA pg_catalog" as a superuser, then dump and restore the database.';
	END IF;

	COMMENT ON TYPE objectid[] IS 'array of ObjectIds';
	COMMENT ON TYPE objectid_period[] IS 'array of periods';

	IF current_setting('server_version_num')::integer >= 180000 THEN
		-- btree: skip support
		IF NOT EXISTS (SELECT FROM pg_amproc JOIN pg_opfamily AS f ON f.oid = amprocfamily JOIN pg_am AS am ON am.oid = opfmethod
					   WHERE opfname = 'objectid_ops' AND opfnamespace = 'pg_catalog'::regnamespace AND amname = 'btree' AND amprocnum = 6) THEN
			CREATE FUNCTION objectid_skipsupport(internal) RETURNS void
				AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
			COMMENT ON FUNCTION objectid_skipsupport(internal) IS 'internal: skip support';
			ALTER OPERATOR FAMILY objectid_ops USING btree ADD
				FUNCTION 6 (objectid, objectid) objectid_skipsupport(internal);
		END IF;

		-- GiST: the strategy of "="
		IF NOT EXISTS (SELECT FROM pg_amproc JOIN pg_opfamily AS f ON f.oid = amprocfamily
					   WHERE opfname = 'objectid_gist_ops' AND opfnamespace = 'pg_catalog'::regnamespace AND amprocnum = 12) THEN
			ALTER OPERATOR FAMILY objectid_gist_ops USING gist ADD
				FUNCTION 12 ("any", "any") gist_translate_cmptype_common(integer);
		END IF;
	END IF;
END$$;

--
-- Privileges: those of a built-in type, if PUBLIC had none when the object was created.  Keep what somebody has revoked.
--
DO $$
DECLARE
	object text;
BEGIN
	FOR object IN
		SELECT CASE WHEN p.oid IS NOT NULL THEN 'EXECUTE ON ROUTINE ' || p.oid::regprocedure ELSE 'USAGE ON TYPE ' || t.oid::regtype END
		FROM pg_depend AS d JOIN pg_init_privs ON classoid = classid AND objoid = objid
		LEFT JOIN pg_proc AS p ON classid = 'pg_proc'::regclass AND objid = p.oid
		LEFT JOIN pg_type AS t ON classid = 'pg_type'::regclass AND objid = t.oid
		WHERE refclassid = 'pg_extension'::regclass AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'objectid')
		  AND d.deptype = 'e' AND NOT EXISTS (SELECT FROM aclexplode(initprivs) WHERE grantee = 0)
	LOOP
		EXECUTE 'GRANT ' || object || ' TO PUBLIC';
	END LOOP;
END$$;
