--
-- What CREATE EXTENSION creates, and what it refuses.
-- (For objects that an attacker has planted before, see t/upgrade_scripts.pl.)
--
-- drop the extension that "setup" created, if any
\t on
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS objectid CASCADE;
RESET client_min_messages;
CREATE ROLE regress_objectid_owner;
SELECT current_database() AS datname \gset
GRANT CREATE ON DATABASE :"datname" TO regress_objectid_owner;
GRANT CREATE ON SCHEMA public TO regress_objectid_owner;
SET ROLE regress_objectid_owner;
CREATE EXTENSION objectid;
-- the update that is run after pg_upgrade
SELECT extversion AS version FROM pg_extension WHERE extname = 'objectid' \gset
\set upgraded :version '-after-pg-upgrade'
ALTER EXTENSION objectid UPDATE TO :'upgraded';
ALTER EXTENSION objectid UPDATE TO :'version';
RESET ROLE;

-- every reference resolved to core or to the extension itself
SELECT classid::regclass AS class, d.objid, d.refobjid,
       pg_describe_object(refclassid, d.refobjid, refobjsubid) AS depends_on
FROM pg_depend d
WHERE deptype = 'n' AND (classid, objid) IN (SELECT classid, objid FROM pg_depend
                           WHERE deptype = 'e' AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'objectid'))
  AND (refclassid, refobjid) NOT IN (SELECT classid, objid FROM pg_depend
                           WHERE deptype = 'e' AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'objectid')
                           -- (before 17 the array type is not a member)
                           UNION ALL SELECT 'pg_type'::regclass, 'objectid[]'::regtype);
-- all members with a schema are in pg_catalog
SELECT DISTINCT schema
FROM pg_depend, pg_identify_object(classid, objid, 0)
WHERE deptype = 'e' AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'objectid');
-- a superuser owns the members, whoever created the extension
SELECT pg_describe_object(classid, objid, 0) AS object, pg_shdepend.refobjid::regrole AS owner
FROM pg_shdepend JOIN pg_depend USING (classid, objid)
WHERE pg_shdepend.deptype = 'o' AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND pg_depend.deptype = 'e' AND pg_depend.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'objectid');
DROP OWNED BY regress_objectid_owner;
GRANT CREATE ON DATABASE :"datname" TO regress_objectid_owner;

--
-- The schema is pg_catalog
--
SET ROLE regress_objectid_owner;
CREATE SCHEMA app;
CREATE EXTENSION objectid SCHEMA app;
RESET ROLE;
CREATE EXTENSION objectid;
ALTER EXTENSION objectid SET SCHEMA app;
DROP EXTENSION objectid;

--
-- CREATE EXTENSION refuses to hide functions and types of the database, whatever their arguments
--
\set SHOW_CONTEXT never
SET ROLE regress_objectid_owner;
-- types, of each kind
CREATE DOMAIN app.objectid AS text;
CREATE DOMAIN app.objectid_eq AS text;
CREATE SCHEMA app3;
CREATE TYPE app3.objectid AS ENUM ();
CREATE TYPE app3._objectid AS (one integer);
CREATE TYPE app3.objectid_larger AS (one integer);
-- functions, of each kind, with the arguments of ours and others
CREATE FUNCTION app.gen_objectid() RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
CREATE FUNCTION app.gen_objectid(integer) RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
CREATE PROCEDURE app.objectid_from_time(text) LANGUAGE sql AS '';
CREATE AGGREGATE app.objectid_is_valid(text) (SFUNC = textcat, STYPE = text);
CREATE FUNCTION app3.objectid_time(VARIADIC text[]) RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
CREATE FUNCTION app3.objectid() RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
CREATE FUNCTION app3.objectid_hidden(text, text) RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
CREATE EXTENSION objectid;
RESET ROLE; DROP OWNED BY regress_objectid_owner;
GRANT CREATE ON DATABASE :"datname" TO regress_objectid_owner;
SET ROLE regress_objectid_owner;
-- Tables and views are a warning, and so are members of other extensions, so that a dump restores, with extensions in
-- the order of their names.  Not hidden: what has another name, or a name of core's, and what is temporary.
CREATE SCHEMA app
  CREATE TABLE objectid (objectid integer)
  CREATE VIEW _objectid AS SELECT 1 AS one
  CREATE INDEX objectid_time ON objectid (objectid);
CREATE SEQUENCE app.objectid_period;
CREATE FUNCTION app.objectid_to_text(integer) RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
CREATE AGGREGATE app.max(point) (SFUNC = point_add, STYPE = point);
CREATE TYPE app.max AS ENUM ();
CREATE TEMP TABLE objectid (id integer);
CREATE FUNCTION pg_temp.gen_objectid() RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
CREATE FUNCTION app.objectid_from_bytea(bytea) RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
RESET ROLE;
ALTER EXTENSION plpgsql ADD FUNCTION app.objectid_from_bytea(bytea);
CREATE EXTENSION objectid;
ALTER EXTENSION plpgsql DROP FUNCTION app.objectid_from_bytea(bytea);
SET ROLE regress_objectid_owner;
-- at any time, any role can ask, whoever is in front
CREATE TYPE app.objectid_lt AS ENUM (); CREATE VIEW app.pg_proc AS SELECT 1 AS oid;
CREATE DOMAIN app.regclass AS text; CREATE DOMAIN app.name AS text;
CREATE OPERATOR app.|| (FUNCTION = textcat, LEFTARG = text, RIGHTARG = text);
SET search_path = app, pg_temp, pg_catalog;
SELECT objectid_hidden();
SELECT objectid_hidden(only_refused => true);
TABLE app.objectid;
RESET search_path; RESET ROLE;
DROP OWNED BY regress_objectid_owner; DROP EXTENSION objectid;

--
-- Everybody may use the extension, as uuid, if default privileges say otherwise
--
ALTER DEFAULT PRIVILEGES REVOKE ALL ON FUNCTIONS FROM PUBLIC;
ALTER DEFAULT PRIVILEGES REVOKE ALL ON TYPES FROM PUBLIC;
CREATE EXTENSION objectid;
CREATE FUNCTION privileges() RETURNS SETOF text LANGUAGE sql AS $$
  SELECT pg_describe_object(classid, objid, 0)
  FROM pg_depend LEFT JOIN pg_proc AS p ON classid = 'pg_proc'::regclass AND objid = p.oid
  LEFT JOIN pg_type AS t ON classid = 'pg_type'::regclass AND objid = t.oid AND typcategory <> 'A'
  WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
    AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'objectid')
    AND NOT coalesce(has_function_privilege('public', p.oid, 'EXECUTE'),
                     has_type_privilege('public', t.oid, 'USAGE'), true) $$;
SELECT privileges();
-- none of this is for a dump
SELECT count(proacl) > 50 AS granted, count(*) FILTER (WHERE proacl <> initprivs) AS to_dump
FROM pg_proc AS p LEFT JOIN pg_init_privs AS i ON objoid = p.oid AND classoid = 'pg_proc'::regclass
WHERE pronamespace = 'pg_catalog'::regnamespace AND probin LIKE '%objectid';
-- the update that is run after pg_upgrade mends what was created so, and keeps what somebody has revoked
REVOKE EXECUTE ON FUNCTION gen_objectid(), objectid_eq FROM PUBLIC; REVOKE USAGE ON TYPE objectid FROM PUBLIC;
UPDATE pg_init_privs SET initprivs = proacl FROM pg_proc AS p WHERE objoid = p.oid AND proname = 'objectid_eq';
GRANT EXECUTE ON FUNCTION objectid_eq TO regress_objectid_owner WITH GRANT OPTION;
UPDATE pg_init_privs SET initprivs = typacl FROM pg_type AS t WHERE objoid = t.oid AND typname = 'objectid';
SELECT privileges();
ALTER EXTENSION objectid UPDATE TO :'upgraded';
SELECT privileges();
ALTER DEFAULT PRIVILEGES GRANT EXECUTE ON FUNCTIONS TO PUBLIC;
ALTER DEFAULT PRIVILEGES GRANT USAGE ON TYPES TO PUBLIC;
DROP FUNCTION privileges; DROP EXTENSION objectid;

--
-- Stored expressions keep what they had.  Names in the text of a function and in queries do not.
--
CREATE FUNCTION gen_objectid() RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
CREATE TABLE document (n integer, id text DEFAULT gen_objectid(), again text);
CREATE VIEW made AS SELECT gen_objectid() AS id;
CREATE FUNCTION parsed() RETURNS text RETURN gen_objectid();
CREATE FUNCTION as_text() RETURNS text LANGUAGE sql AS $$SELECT gen_objectid()::text$$;
ALTER FUNCTION gen_objectid() RENAME TO own_objectid;
CREATE EXTENSION objectid;
ALTER TABLE document ALTER again SET DEFAULT gen_objectid();
INSERT INTO document VALUES (1);
SELECT document.id, again::objectid < now() AS again, made.id AS made, parsed(), as_text()::objectid < now() AS as_text
FROM document, made;
SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'document'::regclass ORDER BY adnum;
DROP TABLE document; DROP VIEW made; DROP FUNCTION parsed, as_text, own_objectid; DROP EXTENSION objectid;
DROP ROLE regress_objectid_owner;
