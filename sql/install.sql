--
-- CREATE EXTENSION and its update where an attacker was first.
--
-- A role that may create extensions in a database plants objects in the
-- extension's schema, and among its temporary tables, hoping that the scripts, which
-- run as superuser, pick them up instead of core's.  Each function raises when called.
--
-- there may be one, of "setup"
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
-- what a name goes to rather than to core's quote_ident(text)
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
-- what is run after pg_upgrade
SELECT extversion AS version FROM pg_catalog.pg_extension WHERE extname = 'objectid' \gset
\set upgraded :version '-after-pg-upgrade'
ALTER EXTENSION objectid UPDATE TO :'upgraded';
ALTER EXTENSION objectid UPDATE TO :'version';
DROP TABLE pg_temp.pg_extension, pg_temp.pg_namespace;
RESET ROLE;
RESET search_path;

-- every reference went to core or to the extension itself
SELECT classid::regclass AS class, d.objid, d.refobjid,
       pg_describe_object(refclassid, d.refobjid, refobjsubid) AS depends_on
FROM pg_depend d
WHERE deptype = 'n' AND refclassid <> 'pg_namespace'::regclass
  AND (classid, objid) IN (SELECT classid, objid FROM pg_depend
                           WHERE deptype = 'e' AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'objectid'))
  AND (refclassid, refobjid) NOT IN (SELECT classid, objid FROM pg_depend
                           WHERE deptype = 'e' AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'objectid')
                           -- (up to 16 the array type is no member)
                           UNION ALL SELECT 'pg_type'::regclass, 'hostile.objectid[]'::regtype);
-- the members belong to the superuser, whoever created the extension
SELECT pg_describe_object(classid, objid, 0) AS object, pg_shdepend.refobjid::regrole AS owner
FROM pg_shdepend JOIN pg_depend USING (classid, objid)
WHERE pg_shdepend.deptype = 'o' AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND pg_depend.deptype = 'e' AND pg_depend.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'objectid');

-- a name that is taken stops the script: it replaces nothing
DROP EXTENSION objectid;
SET ROLE regress_objectid_owner;
CREATE FUNCTION hostile.objectid_is_valid(text) RETURNS boolean LANGUAGE sql AS 'SELECT true';
\set VERBOSITY terse
CREATE EXTENSION objectid SCHEMA hostile;
\set VERBOSITY default
RESET ROLE;
DROP OWNED BY regress_objectid_owner;
DROP ROLE regress_objectid_owner;
