--
-- An unprivileged user cannot harm others through the extension, apart from what the owner of any
-- extension can do.
-- (For objects that exist before the extension, see t/upgrade_scripts.pl.)
--
\t on

-- LEAKPROOF means that a function reveals its arguments by its result only, in particular not by an
-- error (catalog.sql lists these functions).  So each of them is called with the ends of its
-- argument types and values near them, in all combinations.
CREATE TABLE attempt (type regtype, literal text);
INSERT INTO attempt VALUES
  ('objectid', '000000000000000000000000'), ('objectid', '000000000000000000000001'),
  ('objectid', '7fffffffffffffffffffffff'), ('objectid', '800000000000000000000000'),
  ('objectid', 'fffffffeffffffffffffffff'), ('objectid', 'ffffffff0000000000000000'),
  ('objectid', 'ffffffffffffffffffffffff'), ('objectid', '507f1f77bcf86cd799439011'),
  ('timestamptz', '-infinity'), ('timestamptz', '4714-11-24 00:00:00+00 BC'),
  ('timestamptz', '1969-12-31 23:59:59.999999+00'), ('timestamptz', '1970-01-01 00:00:00+00'),
  ('timestamptz', '2000-01-01 00:00:00+00'), ('timestamptz', '2106-02-07 06:28:15.999999+00'),
  ('timestamptz', '2106-02-07 06:28:16+00'), ('timestamptz', '294276-12-31 23:59:59.999999+00'),
  ('timestamptz', 'infinity'), ('tstzrange', 'empty'), ('tstzrange', '(,)'), ('tstzrange', '[-infinity,infinity]'),
  ('tstzrange', '(-infinity,infinity)'), ('tstzrange', '[1960-01-01,2200-01-01)'), ('objectid_period', 'empty'),
  ('objectid_period', '(,)'), ('objectid_period', '[-infinity,infinity]'),
  ('objectid_period', '(2024-01-01,2024-02-01]'), ('bigint', '-9223372036854775808'), ('bigint', '-1'),
  ('bigint', '0'), ('bigint', '1'), ('bigint', '9223372036854775807');

CREATE VIEW leakproof AS
SELECT p.oid::regprocedure AS function, proname, proargtypes::oid[] AS arguments
FROM pg_proc AS p JOIN pg_depend ON objid = p.oid AND classid = 'pg_proc'::regclass
WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
  AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'objectid')
  AND proleakproof;

-- prints the calls that fail, and the number of all
DO $$
DECLARE
  call text;
  calls integer := 0;
BEGIN
  FOR call IN
    SELECT format('SELECT %s(%L::%s)', proname, a.literal, a.type)
    FROM leakproof JOIN attempt AS a ON arguments[0] = a.type
    WHERE cardinality(arguments) = 1
    UNION ALL
    SELECT format('SELECT %s(%L::%s, %L::%s)', proname, a.literal, a.type, b.literal, b.type)
    FROM leakproof JOIN attempt AS a ON arguments[0] = a.type JOIN attempt AS b ON arguments[1] = b.type
  LOOP
    calls := calls + 1;
    BEGIN
      EXECUTE call;
    EXCEPTION WHEN OTHERS THEN
      RAISE NOTICE '%: %', call, SQLERRM;
    END;
  END LOOP;
  RAISE NOTICE '% calls', calls;
END$$;
-- there were arguments for every function
SELECT function FROM leakproof WHERE NOT arguments <@ (SELECT array_agg(type::oid) FROM attempt);

--
-- A non-superuser who creates the extension cannot alter its members
--
CREATE ROLE regress_objectid_mallory;
CREATE ROLE regress_objectid_alice;
SELECT current_database() AS datname \gset
GRANT CREATE ON DATABASE :"datname" TO regress_objectid_mallory;
BEGIN;
SET LOCAL client_min_messages = warning;
DROP EXTENSION objectid CASCADE;
SET LOCAL ROLE regress_objectid_mallory;
CREATE EXTENSION objectid;
\set VERBOSITY terse
\set ON_ERROR_ROLLBACK on
CREATE OR REPLACE FUNCTION pg_catalog.objectid_eq(objectid, objectid) RETURNS boolean LANGUAGE sql AS 'SELECT true';
ALTER FUNCTION objectid_cmp(objectid, objectid) RENAME TO objectid_cmp_of_old;
DROP FUNCTION gen_objectid(); DROP OPERATOR = (objectid, objectid);
ALTER TYPE objectid RENAME TO oid;
ALTER OPERATOR FAMILY objectid_ops USING btree DROP FUNCTION 1 (objectid, objectid);
\set ON_ERROR_ROLLBACK off
\set VERBOSITY default
-- They can drop the extension itself, and the columns of others with it: see SECURITY.md
RESET ROLE;
CREATE SCHEMA alice AUTHORIZATION regress_objectid_alice;
SET LOCAL ROLE regress_objectid_alice;
CREATE TABLE alice.document (id objectid, title text);
SET LOCAL ROLE regress_objectid_mallory;
DROP EXTENSION objectid CASCADE;
RESET ROLE;
SELECT attname FROM pg_attribute WHERE attrelid = 'alice.document'::regclass AND attnum > 0 AND NOT attisdropped;
ROLLBACK;

--
-- Similar objects on the caller's search path, even with our names and arguments: pg_catalog comes first
--
GRANT CREATE ON DATABASE :"datname" TO regress_objectid_mallory;
SET ROLE regress_objectid_mallory;
CREATE SCHEMA mallory;
GRANT USAGE ON SCHEMA mallory TO PUBLIC;
CREATE FUNCTION mallory.trap(objectid, objectid) RETURNS boolean LANGUAGE plpgsql
  AS $$BEGIN RAISE EXCEPTION 'trap called'; END$$;
SELECT format('CREATE OPERATOR mallory.%s (FUNCTION = mallory.trap, LEFTARG = objectid, RIGHTARG = objectid)', name)
FROM unnest('{<,<=,=,>=,>}'::text[]) AS name \gexec
CREATE FUNCTION mallory.objectid_lower_bound(timestamptz) RETURNS objectid LANGUAGE plpgsql
  AS $$BEGIN RAISE EXCEPTION 'lower_bound called'; END$$;
RESET ROLE;
CREATE TABLE ledger (id objectid PRIMARY KEY, owner text, amount integer);
INSERT INTO ledger SELECT gen_objectid(timestamptz '2024-01-01 00:00:00+00' + n * interval '1 hour'),
  CASE n % 10 WHEN 0 THEN 'regress_objectid_alice' ELSE 'others' END, n FROM generate_series(1, 20000) AS n;
INSERT INTO ledger VALUES ('65922fd00000000000000001', 'regress_objectid_alice', 0);
VACUUM ANALYZE ledger;
CREATE FUNCTION query_all() RETURNS TABLE (path text, result text) LANGUAGE plpgsql AS $body$
DECLARE
  query text;
BEGIN
  path := current_setting('search_path');
  FOREACH query IN ARRAY ARRAY[
    $$SELECT count(*) FROM public.ledger
      WHERE id >= timestamptz '2024-02-01 00:00:00+00' AND id < timestamptz '2024-02-02 00:00:00+00'$$,
    $$SELECT count(*) FROM public.ledger WHERE objectid_ge_timestamptz(id, now() - interval '100 years')$$,
    $$SELECT (min(id) < now(), count(DISTINCT id)) FROM public.ledger$$,
    $$SELECT sum(amount) OVER (ORDER BY id RANGE interval '2 hours' PRECEDING) FROM public.ledger
      ORDER BY id LIMIT 1 OFFSET 2$$,
    $$SELECT owner FROM public.ledger WHERE id = '65922fd00000000000000001'$$,
    $$SELECT count(*) FROM public.ledger WHERE id IS NOT DISTINCT FROM '65922fd00000000000000001'
      AND (id, amount) <= (nullif(id, '000000000000000000000000'), 0)$$,
    $$SELECT count(*) FROM public.ledger JOIN (SELECT id FROM public.ledger) AS l USING (id)
      WHERE CASE id WHEN '65922fd00000000000000001' THEN true END$$] LOOP
    EXECUTE query INTO result;
    RETURN NEXT;
  END LOOP;
END$body$;
SET search_path = mallory, public;
SELECT * FROM public.query_all();
SET search_path = pg_catalog, mallory;
SELECT * FROM public.query_all();
SET search_path = '';
SELECT * FROM public.query_all();
-- unless it is in the path, behind the others: this is so for core's types, too
SET search_path = mallory, pg_catalog;
\set VERBOSITY terse
SELECT count(*) FROM public.ledger WHERE id = '65922fd00000000000000001';
\set VERBOSITY default
RESET search_path;
DROP FUNCTION query_all;

--
-- Functions without a search_path, and what PostgreSQL runs with a safe one: index builds, REFRESH
--
CREATE FUNCTION without_path(i objectid) RETURNS boolean LANGUAGE sql IMMUTABLE SECURITY DEFINER SET search_path = ''
  AS $$SELECT i = '65922fd00000000000000001' OR nullif(i, '65922fd00000000000000002') IS NULL$$;
CREATE FUNCTION is_first(i objectid) RETURNS boolean LANGUAGE sql IMMUTABLE
  AS $$SELECT i = '65922fd00000000000000001'$$;
CREATE FUNCTION is_first_too(i objectid) RETURNS boolean LANGUAGE plpgsql IMMUTABLE
  AS $$BEGIN RETURN i IS NOT DISTINCT FROM '65922fd00000000000000001' AND i < date '2025-01-01'; END$$;
CREATE INDEX ON ledger (without_path(id), is_first(id), is_first_too(id));
CREATE INDEX ON ledger (amount) WHERE is_first(id);
ALTER TABLE ledger ADD CHECK (NOT is_first(id) OR is_first_too(id));
CREATE MATERIALIZED VIEW firsts AS
  SELECT count(*) FROM ledger WHERE is_first(id) AND is_first_too(id) AND without_path(id);
INSERT INTO ledger VALUES ('65922fd00000000000000002', 'others', 0);
REINDEX TABLE ledger;
CLUSTER ledger USING ledger_pkey;
VACUUM FULL ANALYZE ledger;
REFRESH MATERIALIZED VIEW firsts;
SELECT count AS firsts, (SELECT count(*) FROM ledger WHERE without_path(id)) AS without_path FROM firsts;
DROP MATERIALIZED VIEW firsts; DROP FUNCTION without_path, is_first, is_first_too CASCADE;
DELETE FROM ledger WHERE id = '65922fd00000000000000002';

--
-- Row-level security: a leakproof condition can use the index before the policy, any other
-- condition is evaluated after it
--
ALTER TABLE ledger ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON ledger USING (owner = current_user);
GRANT SELECT ON ledger TO regress_objectid_alice;
CREATE FUNCTION peek(id objectid) RETURNS boolean COST 0.0000001 LANGUAGE plpgsql
  AS $$BEGIN RAISE NOTICE 'saw %', objectid_time(id); RETURN true; END$$;
SET timezone = 'UTC'; SET ROLE regress_objectid_alice;
SELECT plan_nodes('SELECT * FROM ledger WHERE ' || condition)
FROM unnest(ARRAY[$$id = '65922fd00000000000000001'$$, 'id >= now()', $$id = '65922fd00000000000000001' AND peek(id)$$,
  $$id >= timestamptz '2024-02-01 00:00:00+00' AND id < timestamptz '2024-02-01 02:00:00+00'$$,
  $$id::text = '65922fd00000000000000001'$$]) AS condition;
SELECT amount FROM ledger WHERE id < timestamptz '2024-01-01 12:00:00+00' AND peek(id);
RESET ROLE;

DROP TABLE ledger; DROP FUNCTION peek; DROP VIEW leakproof; DROP TABLE attempt;
DROP OWNED BY regress_objectid_mallory; DROP ROLE regress_objectid_mallory, regress_objectid_alice;
