-- The body of a DO block: refuse tables that are there for something else, and, for a superuser,
-- objects of roles that are not.  The lists of values are tables and the columns of their primary
-- keys, functions, and tables with their child tables.
DECLARE
  child pg_catalog.text;
  has_rows boolean;
  old_path pg_catalog.text := pg_catalog.current_setting('search_path');
  ejson_schema pg_catalog.name := pg_catalog.current_schema();
  problem pg_catalog.text;
BEGIN
  IF pg_catalog.to_regtype('objectid') IS NULL THEN
    RAISE EXCEPTION 'this database does not have the type objectid'
      USING HINT = 'Run CREATE EXTENSION objectid, or plain/objectid.sql, first.';
  END IF;
  PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', false);
  WITH wanted (name, columns) AS (VALUES
    @
  ), functions (schema, name) AS (VALUES
    @
  ), found (name, owner, known) AS (
    SELECT t.name, relowner, columns IS NULL OR columns IS NOT DISTINCT FROM (
      SELECT array_agg(attname::text ORDER BY n)
      FROM pg_index, unnest(indkey) WITH ORDINALITY AS k (attribute, n), pg_attribute
      WHERE indrelid = c.oid AND indisprimary AND attrelid = c.oid AND attnum = attribute)
    FROM wanted AS t JOIN pg_class AS c ON c.oid = to_regclass(t.name)
    UNION ALL
    SELECT p.oid::regprocedure::text, proowner, true
    FROM pg_proc AS p JOIN pg_namespace AS s ON s.oid = pronamespace
    WHERE (nspname, proname) IN (SELECT schema, name FROM functions)
      OR (proname LIKE 'ejson%' AND nspname = ejson_schema)
    UNION ALL
    SELECT format('function %s of a trigger', p.oid::regprocedure), proowner, true
    FROM wanted AS w JOIN pg_trigger ON tgrelid = to_regclass(w.name) JOIN pg_proc AS p ON p.oid = tgfoid
    UNION ALL
    SELECT DISTINCT nspname::text, nspowner, true FROM pg_namespace JOIN functions ON schema = nspname
    UNION ALL
    -- what the last script has made child tables of
    SELECT format('%s follows %s', c.oid::regclass, w.name), c.relowner, NULL
    FROM wanted AS w JOIN pg_depend AS d ON d.refobjid = to_regclass(w.name)
      JOIN pg_class AS parent ON parent.oid = d.refobjid
      JOIN pg_proc AS p ON p.oid = d.objid AND proargnames = '{relation,result,rows,first_keys}'
        AND pronamespace = parent.relnamespace
      JOIN pg_depend AS t ON t.classid = d.classid AND t.objid = d.objid AND t.refclassid = d.refclassid
      JOIN pg_class AS c ON c.oid = t.refobjid AND c.relkind IN ('r', 'p')
    WHERE d.classid = 'pg_proc'::regclass AND d.refclassid = 'pg_class'::regclass AND w.columns IS NULL
      AND c.oid NOT IN (SELECT to_regclass(name) FROM wanted WHERE to_regclass(name) IS NOT NULL)
  )
  SELECT CASE WHEN known IS NULL THEN format('%s, but not here', name)
    WHEN known THEN format('%s belongs to role "%s", which is not a superuser', name, rolname)
    ELSE format('table %s is there for something else', name) END
  INTO problem
  FROM found JOIN pg_roles AS r ON r.oid = owner
  WHERE known IS NOT TRUE OR current_setting('is_superuser') = 'on' AND NOT rolsuper
    AND rolname <> 'pg_database_owner'
    AND r.oid <> (SELECT datdba FROM pg_database WHERE datname = current_database())
  LIMIT 1;
  IF problem IS NOT NULL THEN
    RAISE EXCEPTION '%', problem
      USING HINT = 'Connect as that role, change the name in this script, or make it of all documents.';
  END IF;
  -- after --without-documents, doc can be NULL, and child tables have the only copy of their rows
  FOR problem, child IN
    SELECT parent, name FROM (VALUES
      @
    ) AS children (parent, name)
    WHERE to_regclass(name) IS NOT NULL AND EXISTS (
        SELECT FROM pg_attribute WHERE attrelid = to_regclass(parent) AND attname = 'doc' AND NOT attnotnull)
      AND NOT EXISTS (
        SELECT FROM pg_trigger
        WHERE tgrelid = to_regclass(parent) AND tgname = 'objectid_import_follow_truncate')
  LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %s)', child) INTO has_rows;
    IF has_rows THEN
      RAISE EXCEPTION 'table % has rows, but does not follow the documents of %', child, problem
        USING HINT = 'Drop it, or leave it as it is.  After --without-documents, this script is not needed.';
    END IF;
  END LOOP;
  PERFORM pg_catalog.set_config('search_path', old_path, false);
END
