--
-- CREATE EXTENSION and its update, in a database that an attacker has prepared.
--
-- The scripts of the extension run as superuser.  A role that can create extensions creates objects
-- in the extension's schema and in its temporary schema, which the scripts might call instead of core's.
-- Each of these functions raises an error when called.
--
-- drop the extension that "setup" created, if any
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS objectid CASCADE;
RESET client_min_messages;
CREATE ROLE regress_objectid_owner;
SELECT current_database() AS datname \gset
GRANT CREATE ON DATABASE :"datname" TO regress_objectid_owner;
SET ROLE regress_objectid_owner;
CREATE SCHEMA hostile;
SET search_path = hostile, pg_catalog;
CREATE FUNCTION trap(anyelement, anyelement) RETURNS boolean LANGUAGE plpgsql
  AS $$BEGIN RAISE EXCEPTION 'trap called by %', current_user; END$$;
CREATE FUNCTION btequalimage(oid) RETURNS boolean LANGUAGE plpgsql
  AS $$BEGIN RAISE EXCEPTION 'btequalimage called by %', current_user; END$$;
-- a better match than core's quote_ident(text)
CREATE FUNCTION quote_ident(name) RETURNS text LANGUAGE plpgsql
  AS $$BEGIN RAISE EXCEPTION 'quote_ident called by %', current_user; END$$;
CREATE TEMP TABLE pg_extension (extname name, extnamespace oid);
CREATE TEMP TABLE pg_namespace (oid oid, nspname name);
CREATE OPERATOR < (FUNCTION = trap, LEFTARG = anyelement, RIGHTARG = anyelement);
CREATE OPERATOR <= (FUNCTION = trap, LEFTARG = anyelement, RIGHTARG = anyelement);
CREATE OPERATOR = (FUNCTION = trap, LEFTARG = anyelement, RIGHTARG = anyelement);
CREATE OPERATOR >= (FUNCTION = trap, LEFTARG = anyelement, RIGHTARG = anyelement);
CREATE OPERATOR > (FUNCTION = trap, LEFTARG = anyelement, RIGHTARG = anyelement);
CREATE DOMAIN cstring AS text;
CREATE DOMAIN bytea AS text;
CREATE DOMAIN boolean AS text;
CREATE EXTENSION objectid SCHEMA hostile;
-- the update that is run after pg_upgrade
SELECT extversion AS version FROM pg_catalog.pg_extension WHERE extname = 'objectid' \gset
\set upgraded :version '-after-pg-upgrade'
ALTER EXTENSION objectid UPDATE TO :'upgraded';
ALTER EXTENSION objectid UPDATE TO :'version';
DROP TABLE pg_temp.pg_extension, pg_temp.pg_namespace;
RESET ROLE;
RESET search_path;

-- every reference resolved to core or to the extension itself
SELECT classid::regclass AS class, d.objid, d.refobjid,
       pg_describe_object(refclassid, d.refobjid, refobjsubid) AS depends_on
FROM pg_depend d
WHERE deptype = 'n' AND refclassid <> 'pg_namespace'::regclass
  AND (classid, objid) IN (SELECT classid, objid FROM pg_depend
                           WHERE deptype = 'e' AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'objectid'))
  AND (refclassid, refobjid) NOT IN (SELECT classid, objid FROM pg_depend
                           WHERE deptype = 'e' AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'objectid')
                           -- (before 17 the array type is not a member)
                           UNION ALL SELECT 'pg_type'::regclass, 'hostile.objectid[]'::regtype);
-- a superuser owns the members, whoever created the extension
SELECT pg_describe_object(classid, objid, 0) AS object, pg_shdepend.refobjid::regrole AS owner
FROM pg_shdepend JOIN pg_depend USING (classid, objid)
WHERE pg_shdepend.deptype = 'o' AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND pg_depend.deptype = 'e' AND pg_depend.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'objectid');

-- a name that exists already stops the script, which replaces nothing
DROP EXTENSION objectid;
SET ROLE regress_objectid_owner;
CREATE FUNCTION hostile.objectid_is_valid(text) RETURNS boolean LANGUAGE sql AS 'SELECT true';
\set VERBOSITY terse
CREATE EXTENSION objectid SCHEMA hostile;
\set VERBOSITY default
RESET ROLE;
DROP OWNED BY regress_objectid_owner;
DROP ROLE regress_objectid_owner;
