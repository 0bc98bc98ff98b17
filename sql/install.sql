--
-- CREATE EXTENSION and its update, in a database that an attacker has prepared.
--
-- The scripts of the extension run as superuser.  A role that can create extensions creates objects in
-- the schemas of its search_path and in its temporary schema, which the scripts might call instead of
-- core's.  Each of these functions raises an error when called.
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
CREATE SCHEMA hostile;
CREATE FUNCTION hostile.plant() RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog AS $$
DECLARE
  name text;
  type text;
BEGIN
  FOR name IN SELECT unnest(string_to_array('hostile public pg_temp', ' ')) LOOP
    -- the last three are better matches than core's functions
    FOREACH type IN ARRAY ARRAY['boolean trap(anyelement, anyelement)', 'boolean trap(name, text)',
        'boolean trap(anyarray, anyarray)', 'boolean btequalimage(oid)', 'name current_schema()',
        'text concat(text, text, regrole, text)', 'text pg_describe_object(regclass, oid, integer)',
        'text quote_ident(name)'] LOOP
      EXECUTE format('CREATE FUNCTION %1$s.%2$s RETURNS %3$s LANGUAGE plpgsql AS
        $f$BEGIN RAISE EXCEPTION ''%2$s called by %%'', current_user; END$f$',
        name, substr(type, strpos(type, ' ') + 1), split_part(type, ' ', 1));
    END LOOP;
    EXECUTE format('CREATE OPERATOR %1$s.&& (FUNCTION = %1$s.trap, LEFTARG = anyarray, RIGHTARG = anyarray)', name);
    FOR type IN SELECT unnest(string_to_array('< <= = <> >= > || !~', ' ')) LOOP
      EXECUTE format($sql$
        CREATE OPERATOR %1$s.%2$s (FUNCTION = %1$s.trap, LEFTARG = anyelement, RIGHTARG = anyelement);
        CREATE OPERATOR %1$s.%2$s (FUNCTION = %1$s.trap, LEFTARG = name, RIGHTARG = text)
        $sql$, name, type);
    END LOOP;
    FOR type IN SELECT unnest(string_to_array('cstring bytea boolean internal oid regclass text', ' ')) LOOP
      EXECUTE format('CREATE DOMAIN %s.%s AS varchar', name, type);
    END LOOP;
  END LOOP;
  FOR name IN SELECT unnest(string_to_array('am depend extension namespace opfamily proc type', ' ')) LOOP
    EXECUTE format('CREATE TEMP TABLE pg_%s AS SELECT * FROM pg_catalog.pg_%1$s LIMIT 0', name);
  END LOOP;
END$$;
SELECT hostile.plant();
SET search_path = hostile, public, pg_temp, pg_catalog;
CREATE EXTENSION objectid;
-- the update that is run after pg_upgrade
SELECT extversion AS version FROM pg_catalog.pg_extension WHERE extname OPERATOR(pg_catalog.=) 'objectid' \gset
\set upgraded :version '-after-pg-upgrade'
ALTER EXTENSION objectid UPDATE TO :'upgraded';
ALTER EXTENSION objectid UPDATE TO :'version';
RESET ROLE; SET search_path = pg_catalog, pg_temp;

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
RESET search_path;
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
-- CREATE EXTENSION refuses to hide objects of the database.  The context differs between versions.
--
\set SHOW_CONTEXT never
SET ROLE regress_objectid_owner;
-- types: of each kind
CREATE DOMAIN app.objectid AS text;
CREATE SCHEMA app2
  CREATE TABLE objectid (id integer)
  CREATE VIEW _objectid AS SELECT 1 AS one;
CREATE SCHEMA app3;
CREATE TYPE app3.objectid AS ENUM ();
CREATE TYPE app3._objectid AS (one integer);
-- functions: the same arguments, of each kind
CREATE FUNCTION app.gen_objectid() RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
CREATE PROCEDURE app.objectid_from_time(timestamptz) LANGUAGE sql AS '';
CREATE AGGREGATE app.objectid_is_valid(text) (SFUNC = textcat, STYPE = text);
-- ... as defaults, or as VARIADIC
CREATE FUNCTION app2.gen_objectid(prefix text DEFAULT '', n integer DEFAULT 1) RETURNS text LANGUAGE sql
  AS $$SELECT 'theirs'$$;
CREATE FUNCTION app2.gen_objectid(timestamptz, n integer DEFAULT 1) RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
CREATE FUNCTION app2.objectid_from_time(VARIADIC timestamptz[]) RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
-- ... that match worse: a domain, a polymorphic type, another type of the category, any beside text
CREATE DOMAIN app3.instant AS timestamptz;
CREATE DOMAIN app3.bytes AS bytea;
CREATE FUNCTION app3.gen_objectid(app3.instant) RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
CREATE FUNCTION app3.objectid_from_bytea(app3.bytes) RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
CREATE FUNCTION app3.gen_objectid(anyelement) RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
CREATE FUNCTION app3.objectid_from_time(date) RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
CREATE FUNCTION app3.objectid_is_valid(jsonb) RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
-- ... the cast
CREATE FUNCTION app3.objectid(varchar) RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
CREATE EXTENSION objectid;
DROP OWNED BY regress_objectid_owner;
RESET ROLE;
GRANT CREATE ON DATABASE :"datname" TO regress_objectid_owner;
-- a member of another extension: a warning, so that a dump restores, with extensions in the order of their names
CREATE FUNCTION objectid_from_bytea(bytea) RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
ALTER FUNCTION objectid_from_bytea(bytea) OWNER TO regress_objectid_owner;
ALTER EXTENSION plpgsql ADD FUNCTION objectid_from_bytea(bytea);
CREATE EXTENSION objectid;
DROP EXTENSION objectid;
ALTER EXTENSION plpgsql DROP FUNCTION objectid_from_bytea(bytea);
DROP FUNCTION objectid_from_bytea(bytea);

-- not what it would not hide: other names, other arguments, what is temporary
SET ROLE regress_objectid_owner;
CREATE SCHEMA app
  CREATE TABLE object_id (objectid integer)
  CREATE INDEX objectid ON object_id (objectid);
CREATE SEQUENCE app._objectid;
CREATE FUNCTION app.objectid() RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
CREATE FUNCTION app.gen_objectid(integer) RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
CREATE FUNCTION app.gen_objectid(timestamptz, text) RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
CREATE FUNCTION app.objectid_from_time(text) RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
CREATE FUNCTION app.objectid_from_bytea(uuid) RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
CREATE FUNCTION app.objectid_time(uuid) RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
CREATE AGGREGATE app.max(point) (SFUNC = point_add, STYPE = point);
CREATE TEMP TABLE objectid (id integer);
CREATE FUNCTION pg_temp.gen_objectid() RETURNS text LANGUAGE sql AS $$SELECT 'theirs'$$;
CREATE EXTENSION objectid;
SET search_path = app;
-- they are still called
SELECT objectid(), gen_objectid(1), gen_objectid(now(), 'a'), objectid_from_time('2024-01-01'),
       objectid_time('a0000000-0000-0000-0000-000000000000'::uuid), pg_temp.gen_objectid(), row(1)::objectid;
RESET search_path; RESET ROLE;
DROP OWNED BY regress_objectid_owner;

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
