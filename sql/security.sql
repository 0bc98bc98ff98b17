--
-- An unprivileged user cannot harm others through the extension, apart from what the owner of any
-- extension can do.
-- (For objects that exist before the extension, see install.sql.)
--

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

CREATE FUNCTION try_all() RETURNS TABLE (called bigint, failed bigint) LANGUAGE plpgsql AS $$
DECLARE
  call text;
BEGIN
  called := 0;
  failed := 0;
  FOR call IN
    SELECT format('SELECT %s(%L::%s)', proname, a.literal, a.type)
    FROM leakproof JOIN attempt AS a ON arguments[0] = a.type
    WHERE cardinality(arguments) = 1
    UNION ALL
    SELECT format('SELECT %s(%L::%s, %L::%s)', proname, a.literal, a.type, b.literal, b.type)
    FROM leakproof JOIN attempt AS a ON arguments[0] = a.type JOIN attempt AS b ON arguments[1] = b.type
  LOOP
    called := called + 1;
    BEGIN
      EXECUTE call;
    EXCEPTION WHEN OTHERS THEN
      RAISE NOTICE '%: %', call, SQLERRM;
      failed := failed + 1;
    END;
  END LOOP;
  RETURN NEXT;
END$$;
SELECT * FROM try_all();
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
CREATE SCHEMA mallory;
CREATE EXTENSION objectid SCHEMA mallory;
\set VERBOSITY terse
\set ON_ERROR_ROLLBACK on
CREATE OR REPLACE FUNCTION mallory.objectid_eq(mallory.objectid, mallory.objectid) RETURNS boolean LANGUAGE sql AS
  'SELECT true';
ALTER FUNCTION mallory.objectid_cmp(mallory.objectid, mallory.objectid) RENAME TO objectid_cmp_of_old;
DROP FUNCTION mallory.gen_objectid();
DROP OPERATOR mallory.= (mallory.objectid, mallory.objectid);
ALTER TYPE mallory.objectid RENAME TO oid;
ALTER OPERATOR FAMILY mallory.objectid_ops USING btree DROP FUNCTION 1 (mallory.objectid, mallory.objectid);
CREATE SCHEMA elsewhere;
-- any member
\set VERBOSITY sqlstate
ALTER EXTENSION objectid SET SCHEMA elsewhere;
\set VERBOSITY terse
\set ON_ERROR_ROLLBACK off
\set VERBOSITY default
-- They can drop the extension itself, and the columns of others with it: see SECURITY.md
GRANT USAGE ON SCHEMA mallory TO regress_objectid_alice;
RESET ROLE;
CREATE SCHEMA alice AUTHORIZATION regress_objectid_alice;
SET LOCAL ROLE regress_objectid_alice;
CREATE TABLE alice.document (id mallory.objectid, title text);
SET LOCAL ROLE regress_objectid_mallory;
DROP EXTENSION objectid CASCADE;
RESET ROLE;
SELECT attname FROM pg_attribute WHERE attrelid = 'alice.document'::regclass AND attnum > 0 AND NOT attisdropped;
ROLLBACK;

--
-- Similar objects on the caller's search path: the references in the extension's functions were
-- resolved when the functions were created
--
GRANT CREATE ON DATABASE :"datname" TO regress_objectid_mallory;
SET ROLE regress_objectid_mallory;
CREATE SCHEMA mallory;
GRANT USAGE ON SCHEMA mallory TO PUBLIC;
CREATE FUNCTION mallory.trap(public.objectid, public.objectid) RETURNS boolean LANGUAGE plpgsql
  AS $$BEGIN RAISE EXCEPTION 'trap called'; END$$;
CREATE OPERATOR mallory.< (FUNCTION = mallory.trap, LEFTARG = public.objectid, RIGHTARG = public.objectid);
CREATE OPERATOR mallory.<= (FUNCTION = mallory.trap, LEFTARG = public.objectid, RIGHTARG = public.objectid);
CREATE OPERATOR mallory.= (FUNCTION = mallory.trap, LEFTARG = public.objectid, RIGHTARG = public.objectid);
CREATE OPERATOR mallory.>= (FUNCTION = mallory.trap, LEFTARG = public.objectid, RIGHTARG = public.objectid);
CREATE OPERATOR mallory.> (FUNCTION = mallory.trap, LEFTARG = public.objectid, RIGHTARG = public.objectid);
CREATE FUNCTION mallory.objectid_lower_bound(timestamptz) RETURNS public.objectid LANGUAGE plpgsql
  AS $$BEGIN RAISE EXCEPTION 'lower_bound called'; END$$;
CREATE FUNCTION mallory.objectid_upper_bound(timestamptz) RETURNS public.objectid LANGUAGE plpgsql
  AS $$BEGIN RAISE EXCEPTION 'upper_bound called'; END$$;
CREATE FUNCTION mallory.objectid_cmp(public.objectid, public.objectid) RETURNS integer LANGUAGE plpgsql
  AS $$BEGIN RAISE EXCEPTION 'cmp called'; END$$;
RESET ROLE;
CREATE TABLE ledger (id objectid PRIMARY KEY, owner text, amount integer);
INSERT INTO ledger SELECT gen_objectid(timestamptz '2024-01-01 00:00:00+00' + n * interval '1 hour'),
  CASE n % 10 WHEN 0 THEN 'regress_objectid_alice' ELSE 'others' END, n FROM generate_series(1, 20000) AS n;
INSERT INTO ledger VALUES ('65922fd00000000000000001', 'regress_objectid_alice', 0);
VACUUM ANALYZE ledger;
SET search_path = mallory, public;
SELECT count(*) FROM ledger
WHERE id >= timestamptz '2024-02-01 00:00:00+00' AND id < timestamptz '2024-02-02 00:00:00+00';
SELECT count(*) FROM ledger WHERE public.objectid_ge_timestamptz(id, now() - interval '100 years');
SELECT min(id) < now() AS past, count(DISTINCT id) FROM ledger;
SELECT amount, sum(amount) OVER (ORDER BY id RANGE interval '2 hours' PRECEDING) FROM ledger ORDER BY id LIMIT 3;
-- an operator in the caller's query uses the caller's search path
\set VERBOSITY terse
SELECT count(*) FROM ledger WHERE id = '65922fd00000000000000001';
\set VERBOSITY default
RESET search_path;

--
-- Row-level security: a leakproof condition can use the index before the policy, any other
-- condition is evaluated after it
--
ALTER TABLE ledger ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON ledger USING (owner = current_user);
GRANT SELECT ON ledger TO regress_objectid_alice;
CREATE FUNCTION peek(id objectid) RETURNS boolean COST 0.0000001 LANGUAGE plpgsql
  AS $$BEGIN RAISE NOTICE 'saw %', objectid_time(id); RETURN true; END$$;
SET timezone = 'UTC';
SET ROLE regress_objectid_alice;
SELECT plan_nodes($$SELECT * FROM ledger WHERE id = '65922fd00000000000000001'$$);
SELECT plan_nodes($$SELECT * FROM ledger
  WHERE id >= timestamptz '2024-02-01 00:00:00+00' AND id < timestamptz '2024-02-01 02:00:00+00'$$);
SELECT plan_nodes($$SELECT * FROM ledger WHERE id >= now()$$);
SELECT plan_nodes($$SELECT * FROM ledger WHERE id = '65922fd00000000000000001' AND peek(id)$$);
SELECT plan_nodes($$SELECT * FROM ledger WHERE id::text = '65922fd00000000000000001'$$);
SELECT amount FROM ledger WHERE id < timestamptz '2024-01-01 12:00:00+00' AND peek(id);
RESET ROLE;

DROP TABLE ledger;
DROP FUNCTION peek, try_all;
DROP VIEW leakproof;
DROP TABLE attempt;
DROP OWNED BY regress_objectid_mallory;
DROP ROLE regress_objectid_mallory, regress_objectid_alice;
