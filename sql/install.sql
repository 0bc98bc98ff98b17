--
-- CREATE EXTENSION and its update where an attacker was first, and off the search path.
--
-- A role that may create extensions in a database plants objects in the
-- extension's schema, and among its temporary tables, hoping that the scripts, which
-- run as superuser, pick them up instead of core's.  Each function raises when called.
--
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

--
-- In a schema that is on nobody's search path, everything still works
--
CREATE SCHEMA away;
CREATE EXTENSION objectid SCHEMA away;
CREATE TABLE t (id away.objectid DEFAULT away.gen_objectid() PRIMARY KEY, ref away.objectid UNIQUE);
INSERT INTO t (ref) VALUES ('507f1f77bcf86cd799439011'), ('507f1f77bcf86cd799439012');
INSERT INTO t (ref) VALUES ('507f1f77bcf86cd799439011');
SELECT ref FROM t WHERE ref OPERATOR(away.=) '507f1f77bcf86cd799439012';
SELECT ref FROM t ORDER BY ref DESC;
SELECT DISTINCT ref FROM t ORDER BY ref USING OPERATOR(away.<);
SELECT away.max(ref) FROM t;
SELECT count(*) FROM t a JOIN t b ON a.ref OPERATOR(away.=) b.ref;
DROP TABLE t;

-- a schema whose name needs quotes
DROP EXTENSION objectid;
CREATE SCHEMA "Odd One";
CREATE EXTENSION objectid SCHEMA "Odd One";
SELECT "Odd One".objectid_time('507f1f77bcf86cd799439011') = '2012-10-17 21:13:27+00' AS works;
ALTER EXTENSION objectid SET SCHEMA away;
DROP SCHEMA "Odd One";
-- moved, it is as good as new
ALTER EXTENSION objectid SET SCHEMA public;
SELECT '507f1f77bcf86cd799439011'::objectid < gen_objectid() AS older;
DROP SCHEMA away;
DROP EXTENSION objectid;

-- for the rest of the suite
CREATE EXTENSION objectid;

-- the nodes of a plan, as far as all server versions print them alike
CREATE FUNCTION plan_nodes(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    IF line ~ '->|^\w' THEN
      RETURN NEXT substring(line FROM '(?:-> *)?(\w.*)');
    ELSIF line ~ 'Cond:|Filter:' THEN
      RETURN NEXT '  ' || trim(line);
    END IF;
  END LOOP;
END$$;
