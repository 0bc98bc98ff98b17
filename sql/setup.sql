--
-- The extension, and functions for the rest of the suite and for t/.
--
\set ECHO none
CREATE EXTENSION objectid;

-- PostgreSQL's defaults, if the server or the role is configured differently; servers of t/ have their own settings
DO $$
DECLARE
  setting record;
BEGIN
  FOR setting IN SELECT name, boot_val FROM pg_settings
                 WHERE context = 'user' AND source IN ('configuration file', 'command line', 'global', 'user')
                   AND name !~* '^(lc_|timezone|datestyle)'
                   AND current_database() <> 'postgres' LOOP
    EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET %I = %L',
                   current_database(), setting.name, setting.boot_val);
  END LOOP;
END$$;

-- the nodes of a plan, without what differs between server versions
CREATE FUNCTION plan_nodes(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    IF line ~ '->|^[[:alpha:]]' THEN
      RETURN NEXT substring(line FROM '(?:-> *)?([[:alpha:]].*)');
    ELSIF line ~ 'Cond:|Filter:' THEN
      RETURN NEXT '  ' || trim(line);
    END IF;
  END LOOP;
END$$;

-- the top node of a plan, with its numbers
CREATE FUNCTION top_node(query text, options text DEFAULT '') RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  plan json;
BEGIN
  EXECUTE format('EXPLAIN (%sFORMAT json) %s', options, query) INTO plan;
  RETURN plan->0->'Plan';
END$$;

-- the estimated number of rows
CREATE FUNCTION estimate(query text) RETURNS float8 LANGUAGE sql AS $$SELECT (top_node(query)->>'Plan Rows')::float8$$;

-- the first value of the result of a statement, or the SQLSTATE of its error
CREATE FUNCTION outcome(statement text, with_message boolean DEFAULT false) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  result text;
BEGIN
  EXECUTE statement INTO result;
  RETURN coalesce(result, 'NULL');
EXCEPTION WHEN OTHERS THEN
  RETURN concat_ws(' ', SQLSTATE, CASE WHEN with_message THEN SQLERRM END);
END$$;

-- Compares the index of a table ("TABLE_...") with a sequential scan, for each condition in the
-- table "probe".  Returns the number of rows found, the number of conditions with different results,
-- and whether every query used the index with the given kind of scan.
CREATE FUNCTION compare(source text, checksum text DEFAULT 'sum(n)',
                        scan text DEFAULT 'Bitmap Index Scan', kind text DEFAULT '%')
RETURNS TABLE (answers bigint, wrong bigint, used boolean) LANGUAGE plpgsql AS $$
DECLARE
  query text;
  expected record;
  found record;
BEGIN
  answers := 0;
  wrong := 0;
  used := true;
  FOR query IN SELECT format('SELECT count(*), (%s)::text FROM %I WHERE %s', checksum, source, q)
               FROM probe WHERE q LIKE kind LOOP
    SET LOCAL enable_seqscan = on;
    SET LOCAL enable_bitmapscan = off;
    SET LOCAL enable_indexscan = off;
    SET LOCAL enable_indexonlyscan = off;
    EXECUTE query INTO expected;
    SET LOCAL enable_seqscan = off;
    PERFORM set_config('enable_bitmapscan', (scan LIKE 'Bitmap%')::text, true),
            set_config('enable_indexscan', (scan LIKE 'Index%')::text, true),
            set_config('enable_indexonlyscan', (scan = 'Index Only Scan')::text, true);
    EXECUTE query INTO found;
    used := used AND EXISTS (SELECT FROM plan_nodes(query) AS node
                             WHERE node ~ format('^%s (on|using) %s_', scan, source));
    answers := answers + expected.count;
    wrong := wrong + (expected IS DISTINCT FROM found)::integer;
  END LOOP;
  RETURN NEXT;
END$$;

-- the last 8 of the 12 bytes: the generator's serial number.  The argument is not objectid, so that
-- the extension can be dropped.
CREATE FUNCTION serial(id anyelement) RETURNS bigint LANGUAGE sql IMMUTABLE AS
  $$SELECT ('x' || right(id::text, 16))::bit(64)::bigint$$;
