-- When the application writes columns instead of documents: make the columns that objectid-import has made of doc
-- plain, and its views tables, with the rows that they have.  It reads only the catalogue, and needs no dump.
--
--     psql -d mydb -1 -v relation=film.movies -f to-tables.sql     one collection
--     psql -d mydb -1 -v schema=film -f to-tables.sql              all of a schema
--
-- It removes nothing from doc, which becomes old_doc, because nothing writes it any more.  First it prints, for each
-- field, how many values only doc has: those that do not fit the type of their column, and those without a column.
-- Null, and empty objects and arrays, are not counted.
\set ON_ERROR_STOP on
\set QUIET on
\if :{?relation}
SELECT ARRAY[:'relation'::regclass::oid] AS relations \gset
\else
SELECT array_agg(c.oid ORDER BY relname) AS relations
FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_attribute ON attrelid = c.oid
  JOIN pg_catalog.pg_namespace AS n ON n.oid = relnamespace
WHERE nspname = :'schema' AND relkind IN ('r', 'p') AND NOT relispartition
  AND attname = 'doc' AND atttypid = 'pg_catalog.jsonb'::pg_catalog.regtype \gset
\endif

-- the functions of ejson.sql, as temporary ones
SELECT pg_catalog.current_setting('search_path') AS path_before \gset
SELECT pg_catalog.set_config('search_path', pg_catalog.concat('pg_temp, ', :'path_before'), true) AS path \gset
\ir ejson.sql
SET LOCAL search_path = pg_catalog, pg_temp;
SET LOCAL objectid_import.script = 'on';
SET LOCAL row_security = off;
SET LOCAL jit = off;
SET LOCAL client_min_messages = warning;

-- the views of a table that are ours, and the columns of these and of the table: our comments are paths of fields
CREATE OR REPLACE FUNCTION pg_temp.our_relations(root oid) RETURNS TABLE (relation oid, path text, level integer)
  LANGUAGE sql STABLE AS $$
SELECT root, '', 0
UNION
SELECT v.oid, comment,
  length(regexp_replace(regexp_replace(comment, '"([^"\\]|\\.)*"', '', 'g'), '[^\[]', '', 'g'))
FROM pg_attribute AS a JOIN pg_depend ON refobjid = root AND refobjsubid = attnum AND classid = 'pg_rewrite'::regclass
  JOIN pg_rewrite AS r ON r.oid = objid JOIN pg_class AS v ON v.oid = ev_class,
  obj_description(v.oid, 'pg_class') AS comment
WHERE attrelid = root AND attname = 'doc' AND relkind = 'v' AND comment ~ '\[\]$'
$$;
CREATE OR REPLACE FUNCTION pg_temp.our_columns(root oid) RETURNS TABLE (path text, type text)
  LANGUAGE sql STABLE AS $$
SELECT col_description(attrelid, attnum),
  CASE typname WHEN 'objectid' THEN typname ELSE format_type(atttypid, atttypmod) END
FROM pg_temp.our_relations(root) AS r JOIN pg_attribute ON attrelid = relation JOIN pg_type AS t ON t.oid = atttypid
WHERE attnum > 0 AND NOT attisdropped AND col_description(attrelid, attnum) <> ''
  AND (r.path <> '' OR attgenerated <> '')
$$;

-- Refuse what has changed already, and what runs code of roles that are not trusted.
CREATE OR REPLACE PROCEDURE pg_temp.check_tables(relations oid[]) LANGUAGE plpgsql AS $$
DECLARE
  problem text;
BEGIN
  IF current_setting('objectid_import.script', true) IS DISTINCT FROM 'on'
      OR current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'this script needs a transaction whose isolation level is READ COMMITTED'
      USING HINT = 'Use psql -1.';
  END IF;
  SELECT INTO problem relation::regclass FROM unnest(relations) AS relation
  WHERE (SELECT count(*) FROM pg_attribute WHERE attrelid = relation AND attname IN ('_id', 'doc')) < 2;
  IF problem <> '' THEN
    RAISE EXCEPTION 'table % has no columns _id and doc', problem;
  END IF;
  WITH parts AS (
    SELECT DISTINCT relation AS oid FROM unnest(relations) AS root, pg_temp.our_relations(root)
  ), owners AS (
    SELECT unnest(ARRAY[relowner, nspowner]) AS owner
    FROM parts JOIN pg_class AS c USING (oid) JOIN pg_namespace AS n ON n.oid = relnamespace
    UNION
    SELECT unnest(ARRAY[proowner, nspowner])
    FROM parts AS p LEFT JOIN pg_rewrite AS r ON ev_class = p.oid LEFT JOIN pg_attrdef AS a ON adrelid = p.oid
      JOIN pg_depend AS d ON d.objid IN (r.oid, a.oid) AND refclassid = 'pg_proc'::regclass
      JOIN pg_proc AS f ON f.oid = refobjid JOIN pg_namespace AS n ON n.oid = pronamespace
  )
  SELECT INTO problem rolname FROM owners JOIN pg_roles AS r ON r.oid = owner
  WHERE NOT rolsuper AND rolname NOT IN (current_user, 'pg_database_owner')
    AND r.oid <> (SELECT datdba FROM pg_database WHERE datname = current_database());
  IF problem <> '' THEN
    RAISE EXCEPTION 'code of role "%" could run with your rights', problem
      USING DETAIL = 'The role owns a table, a view with a path as its comment, their schema, or a function in them.',
        HINT = 'Connect as this role, or change the owner.';
  END IF;
END
$$;
CALL pg_temp.check_tables(:'relations');

-- Has a column of this type all of a value?  PL/pgSQL prepares each expression once.
CREATE OR REPLACE FUNCTION pg_temp.fits(value jsonb, type text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  converted text := CASE type
    WHEN 'boolean' THEN pg_temp.ejson_boolean(value)::text
    WHEN 'timestamp with time zone' THEN pg_temp.ejson_date(value)::text
    WHEN 'objectid' THEN pg_temp.ejson_objectid(value)::text
    WHEN 'uuid' THEN pg_temp.ejson_uuid(value)::text
    WHEN 'bytea' THEN pg_temp.ejson_bytea(value)::text
    WHEN 'bigint' THEN pg_temp.ejson_integer(value)::text
    WHEN 'double precision' THEN pg_temp.ejson_double(value)::text
    WHEN 'numeric' THEN pg_temp.ejson_numeric(value)::text END;
BEGIN
  RETURN CASE
    WHEN type IN ('text', 'jsonb') THEN true
    WHEN jsonb_typeof(value) = 'string' THEN converted = value #>> '{}'
    WHEN type = 'bytea' THEN converted IS NOT NULL AND value->'$binary'->>'subType' = '00'
    WHEN type IN ('bigint', 'double precision', 'numeric') THEN converted::numeric = pg_temp.ejson_numeric(value)
    ELSE converted IS NOT NULL END;
END
$$;

-- Of each field, how many values do not fit the type of its column, or have none?
CREATE OR REPLACE FUNCTION pg_temp.only_in_doc(root oid)
  RETURNS TABLE (field text, "type of its column" text, "only in doc" bigint)
  LANGUAGE plpgsql AS $$
DECLARE
  types jsonb := (
    SELECT coalesce(jsonb_object_agg(c.path, c.type ORDER BY c.type IN ('text', 'jsonb')), '{}') FROM (
      SELECT * FROM pg_temp.our_columns(root)
      UNION ALL
      SELECT path || '[]', left(type, -2) FROM pg_temp.our_columns(root) WHERE type LIKE '%[]'
    ) AS c);
  -- the values of Extended JSON that are objects
  wrappers text[] := '{$oid,$date,$binary,$numberDecimal,$numberDouble,$numberLong,$timestamp,$regularExpression,$code,
    $symbol,$minKey,$maxKey,$undefined,$dbPointer}';
BEGIN
  RETURN QUERY EXECUTE format($query$
    SELECT w.path, $1->>w.path, count(*) FROM %s, LATERAL (
      WITH RECURSIVE walk (path, value, stop) AS (
        SELECT ''::text, doc - '_id', false
        UNION ALL
        SELECT c.path, c.value, coalesce(pg_temp.fits(c.value, $1->>c.path), false)
        FROM walk, LATERAL (
          SELECT concat(nullif(walk.path, '') || '.',
            CASE WHEN key ~ '^[A-Za-z0-9_$-]+$' THEN key ELSE to_json(key)::text END), e.value
          FROM jsonb_each(CASE jsonb_typeof(walk.value) WHEN 'object' THEN walk.value END) AS e
          UNION ALL
          SELECT walk.path || '[]', e.value
          FROM jsonb_array_elements(CASE jsonb_typeof(walk.value) WHEN 'array' THEN walk.value END) AS e
        ) AS c (path, value)
        WHERE NOT stop AND NOT (walk.path <> '' AND jsonb_typeof(walk.value) = 'object' AND walk.value ?| $2)
      )
      SELECT path FROM walk
      WHERE NOT stop AND value <> 'null' AND (jsonb_typeof(value) NOT IN ('object', 'array')
        OR path <> '' AND jsonb_typeof(value) = 'object' AND value ?| $2)
    ) AS w GROUP BY 1 ORDER BY 1$query$, root::regclass)
  USING types, wrappers;
END
$$;
SELECT root::regclass AS "table", o.* FROM unnest(:'relations'::oid[]) AS root, pg_temp.only_in_doc(root) AS o;

-- A table in the place of a view, with its rows.  Views and functions that depend on the view read the table.
CREATE OR REPLACE PROCEDURE pg_temp.make_table(root oid, view oid, level integer, parent text, parent_level integer)
  LANGUAGE plpgsql AS $$
DECLARE
  names text[] := ARRAY(
    SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = view AND attnum > 0 ORDER BY attnum);
  options text := (SELECT 'WITH (' || array_to_string(reloptions, ', ') || ')' FROM pg_class WHERE oid = view);
  target text := view::regclass;
  statements text[];
  statement text;
BEGIN
  IF EXISTS (SELECT FROM pg_trigger WHERE tgrelid = view)
      OR EXISTS (SELECT FROM pg_rewrite WHERE ev_class = view AND rulename <> '_RETURN') THEN
    RAISE EXCEPTION 'view % has triggers or rules', target USING HINT = 'Drop them first.';
  END IF;
  -- its owner, the rights of others, also on columns, and comments
  SELECT INTO statements ARRAY[format('ALTER TABLE %s OWNER TO %s', target, min(relowner)::regrole),
      format('COMMENT ON TABLE %s IS %L', target, obj_description(view, 'pg_class'))]
    || array_agg(format('COMMENT ON COLUMN %s.%I IS %L', target, attname, col_description(view, attnum)))
  FROM pg_class AS c JOIN pg_attribute ON attrelid = c.oid WHERE c.oid = view AND attnum > 0;
  statements := statements || ARRAY(
    SELECT format('GRANT %s%s ON %s TO %s%s', privilege_type, ' (' || quote_ident(attname) || ')', target,
      CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END,
      CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END)
    FROM (
      SELECT NULL AS attname, relowner, (aclexplode(relacl)).* FROM pg_class WHERE oid = view
      UNION ALL
      SELECT attname, relowner, (aclexplode(attacl)).*
      FROM pg_attribute JOIN pg_class AS c ON c.oid = attrelid WHERE c.oid = view
    ) AS acl WHERE grantee <> relowner);
  -- a reader of the view sees the elements of the documents that row-level security shows
  IF options ~ 'security_invoker=(true|on|1)' AND (SELECT relrowsecurity FROM pg_class WHERE oid = root) THEN
    statements := statements || format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target)
      || format('CREATE POLICY documents ON %s USING (EXISTS (SELECT FROM %s AS r WHERE r._id = %s.%s))',
        target, root::regclass, target, names[1]);
  END IF;
  EXECUTE format('ALTER VIEW %s RENAME TO %I', target,
    left((SELECT relname FROM pg_class WHERE oid = view), 40) || '_of_documents');
  EXECUTE format('CREATE TABLE %s AS SELECT * FROM %s', target, view::regclass);
  FOR statement IN
    SELECT format('REVOKE ALL ON %s FROM %s', target, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END)
    FROM pg_class, aclexplode(relacl) WHERE pg_class.oid = target::regclass AND grantee <> relowner
    UNION ALL
    SELECT format('ALTER TABLE %s ADD PRIMARY KEY (%s),
        ADD FOREIGN KEY (%s) REFERENCES %s ON UPDATE CASCADE ON DELETE CASCADE',
      target, array_to_string(names[1:level + 1], ', '), array_to_string(names[1:parent_level + 1], ', '), parent)
    UNION ALL
    SELECT unnest(statements)
  LOOP
    EXECUTE statement;
  END LOOP;
  BEGIN
    EXECUTE format('DROP VIEW %s', view::regclass);
  EXCEPTION WHEN dependent_objects_still_exist THEN
    EXECUTE format('CREATE OR REPLACE VIEW %s %s AS SELECT * FROM %s', view::regclass, options, target);
    RAISE WARNING '% is a table; views or functions that depend on the view read it through %', target, view::regclass;
  END;
END
$$;

CREATE OR REPLACE PROCEDURE pg_temp.to_tables(relations oid[]) LANGUAGE plpgsql AS $$
DECLARE
  this oid;
  v record;
  above record;
  list text := (SELECT string_agg(oid::regclass::text, ', ') FROM unnest(relations) AS oid);
BEGIN
  EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', list);
  -- whoever makes a comment from now on is too late
  CREATE TEMPORARY TABLE made ON COMMIT DROP AS
    SELECT r AS root, relation, relation::regclass::text AS target, path, level
    FROM unnest(relations) AS r, pg_temp.our_relations(r);
  CALL pg_temp.check_tables(relations);
  FOREACH this IN ARRAY relations LOOP
    -- outer arrays first, because inner ones refer to them
    FOR v IN SELECT * FROM made WHERE root = this AND level > 0 ORDER BY level, path LOOP
      SELECT INTO above * FROM made
      WHERE root = this AND level < v.level AND starts_with(v.path, path) ORDER BY level DESC LIMIT 1;
      CALL pg_temp.make_table(this, v.relation, v.level, above.target, above.level);
    END LOOP;
    FOR list IN
      SELECT format('ALTER %I DROP EXPRESSION', attname) FROM pg_attribute
      WHERE attrelid = this AND attgenerated = 's' AND col_description(this, attnum) <> ''
      UNION ALL
      SELECT 'ALTER _id SET DEFAULT ' || CASE typname WHEN 'uuid' THEN 'gen_random_uuid()'
        ELSE format('%I.gen_objectid()', nspname) END
      FROM pg_attribute JOIN pg_type AS t ON t.oid = atttypid JOIN pg_namespace AS n ON n.oid = typnamespace
      WHERE attrelid = this AND attname = '_id' AND typname IN ('objectid', 'uuid') AND NOT atthasdef
      UNION ALL
      VALUES ('ALTER doc DROP NOT NULL'), ('RENAME doc TO old_doc')
    LOOP
      EXECUTE format('ALTER TABLE %s %s', this::regclass, list);
    END LOOP;
    EXECUTE format('COMMENT ON COLUMN %s.old_doc IS %L', this::regclass,
      'the document before the application wrote columns: nothing writes it');
  END LOOP;
END
$$;
CALL pg_temp.to_tables(:'relations');
SELECT DISTINCT root::regclass AS "table", pg_describe_object(classid, objid, objsubid) AS "reads old documents"
FROM unnest(:'relations'::oid[]) AS root JOIN pg_attribute ON attrelid = root AND attname = 'old_doc'
  JOIN pg_depend ON refclassid = 'pg_class'::regclass AND refobjid = root AND refobjsubid = attnum;
SELECT pg_catalog.set_config('search_path', :'path_before', false) AS search_path \gset
