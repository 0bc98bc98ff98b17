-- What the scripts of --schema-only need beside their statements.  pg_temp.objectid_import_names has all names in
-- a script: the schema, the relation, its kind, a column or the table of an index or view, the type of that, and the
-- path of the field, which is a comment on what the script makes.
CREATE OR REPLACE FUNCTION pg_temp.find(schema text, name text) RETURNS regclass LANGUAGE sql STABLE
RETURN to_regclass(format('%I.%I', schema, name));

CREATE OR REPLACE FUNCTION pg_temp.is_table(schema text, name text) RETURNS boolean LANGUAGE sql STABLE
RETURN EXISTS (SELECT FROM pg_class WHERE oid = pg_temp.find(schema, name) AND relkind IN ('r', 'p'));

CREATE OR REPLACE FUNCTION pg_temp.has_documents(schema text, name text) RETURNS boolean LANGUAGE sql STABLE
RETURN EXISTS (SELECT FROM pg_attribute WHERE attrelid = pg_temp.find(schema, name) AND attname = 'doc');

-- Run statements for tables that there are.  A foreign key is no error if it is there, or if a value has no target.
CREATE OR REPLACE PROCEDURE pg_temp.run_if(condition boolean, statements text) LANGUAGE plpgsql AS $$
BEGIN
  IF condition THEN
    EXECUTE statements;
  END IF;
EXCEPTION
  WHEN duplicate_object THEN
    NULL;
  WHEN foreign_key_violation THEN
    RAISE WARNING '%', SQLERRM;
END
$$;

-- Refuse names that stand for something else, and code of roles that are not trusted: all, or those of one relation.
CREATE OR REPLACE PROCEDURE pg_temp.check_names(warn boolean, only_schema text DEFAULT NULL,
    only_relation text DEFAULT NULL) LANGUAGE plpgsql AS $$
DECLARE
  n record;
BEGIN
  FOR n IN
    SELECT w.*, c.oid::regclass AS target, relkind, attname, attgenerated,
      CASE typname WHEN 'objectid' THEN typname ELSE format_type(atttypid, atttypmod) END AS is,
      CASE kind WHEN 'column' THEN col_description(c.oid, attnum) ELSE obj_description(c.oid) END AS comment,
      CASE kind WHEN 'column' THEN NULL ELSE pg_temp.distrusted(c.oid::regclass::text, NULL, NULL) END AS role,
      (SELECT relname FROM pg_index JOIN pg_class AS t ON t.oid = indrelid WHERE indexrelid = c.oid) AS of_table
    FROM pg_temp.objectid_import_names AS w
      JOIN pg_class AS c ON c.oid = pg_temp.find(schema, relation)
      LEFT JOIN pg_attribute ON attrelid = c.oid AND attname = CASE kind WHEN 'column' THEN name ELSE '_id' END
      LEFT JOIN pg_type AS t ON t.oid = atttypid
    WHERE only_relation IS NULL OR (schema, relation) = (only_schema, only_relation)
    ORDER BY role, array_position('{table,view}', kind)
  LOOP
    IF n.role <> '' THEN
      RAISE EXCEPTION 'code of role "%" could run with your rights', n.role
        USING DETAIL = format('The role owns %s, its schema, or a function or type that it needs.', n.target),
          HINT = 'Connect as this role, or change the owner.';
    ELSIF n.kind = 'table' AND (n.relkind NOT IN ('r', 'p') OR n.is IS NULL)
        OR n.kind = 'view' AND (n.relkind <> 'v' OR n.comment IS DISTINCT FROM n.path)
        OR n.kind = 'index' AND (n.of_table IS DISTINCT FROM n.name OR n.comment IS DISTINCT FROM n.path) THEN
      RAISE EXCEPTION '% is there for something else', n.target
        USING DETAIL = concat_ws(' ', 'It is not the', n.kind, 'of this script', 'for ' || n.path) || '.',
          HINT = 'Rename it, or change its name in this script.';
    ELSIF n.kind = 'table' AND NOT pg_temp.has_documents(n.schema, n.relation) THEN
      RAISE EXCEPTION 'table % has no documents', n.target
        USING HINT = 'After to-tables.sql, this script is not needed.';
    ELSIF n.kind = 'table' AND n.is <> n.type THEN
      RAISE EXCEPTION 'the keys of table % are of type %, and these documents need %', n.target, n.is, n.type
        USING HINT = 'If it is empty, drop it, and run this script again.  Otherwise, make the script with --id-type.';
    ELSIF n.kind = 'column' AND n.attname IS NOT NULL AND n.comment IS DISTINCT FROM n.path THEN
      RAISE EXCEPTION 'column "%" of % is there for %, and not for %', n.name, n.target,
          coalesce(n.comment, 'something else'), n.path
        USING HINT = 'Rename it, or change its name in this script.  If it is right, make the path its comment.';
    ELSIF warn AND n.kind = 'column' AND n.relkind <> 'v' AND n.attgenerated = '' THEN
      RAISE WARNING 'column "%" of table % is not generated: it does not follow the documents', n.name, n.target;
    ELSIF warn AND n.kind = 'column' AND n.is <> coalesce(to_regtype(n.type)::text, n.type) THEN
      RAISE WARNING 'column "%" of % is of type %, and these documents need %', n.name, n.target, n.is, n.type
        USING HINT = 'Drop the column or the view, and run this script again.';
    END IF;
  END LOOP;
END
$$;

-- The clause that lets ALTER TABLE read each document once for all new columns.  Empty if there are none, or no
-- documents, if something else than our views depends on doc, or if doc would lose its storage.
CREATE OR REPLACE FUNCTION pg_temp.read_once(only_schema text, only_table text) RETURNS text LANGUAGE sql STABLE
RETURN coalesce((
  SELECT 'ALTER doc TYPE jsonb USING doc #> ''{}'',' FROM pg_class AS c JOIN pg_attribute AS a ON attrelid = c.oid
  WHERE c.oid = pg_temp.find(only_schema, only_table) AND relkind = 'r' AND attname = 'doc' AND attinhcount = 0
    AND attstorage = 'x' AND attcompression = ''
    AND pg_relation_size(c.oid) > 0 AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhparent = c.oid)
    AND EXISTS (
      SELECT FROM pg_temp.objectid_import_names AS w
      WHERE kind = 'column' AND (schema, relation) = (only_schema, only_table) AND type <> ''
        AND NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = w.name))
    AND NOT EXISTS (
      SELECT FROM pg_depend LEFT JOIN pg_rewrite AS r ON classid = r.tableoid AND objid = r.oid
      WHERE refclassid = 'pg_class'::regclass AND refobjid = c.oid AND refobjsubid = attnum
        -- indexes, but not the generated columns of PostgreSQL 14
        AND NOT (classid = 'pg_class'::regclass AND objsubid = 0)
        AND classid NOT IN ('pg_constraint'::regclass, 'pg_statistic_ext'::regclass)
        AND (ev_class IS NULL OR ev_class NOT IN (
          SELECT pg_temp.find(schema, md5(relation)) FROM pg_temp.objectid_import_names
          WHERE kind = 'view' AND pg_temp.find(schema, md5(relation)) IS NOT NULL)))), '');

-- CREATE OR REPLACE VIEW would forget its options.
CREATE OR REPLACE PROCEDURE pg_temp.define_view(view regclass, definition text) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE OR REPLACE VIEW %s %s AS %s', view,
    (SELECT 'WITH (' || array_to_string(reloptions, ', ') || ')' FROM pg_class WHERE oid = view), definition);
END
$$;

-- Our views of a table with their definitions, or without rows while ALTER TABLE changes doc for read_once().
CREATE OR REPLACE PROCEDURE pg_temp.show_views(shown boolean, only_schema text, only_table text)
LANGUAGE plpgsql AS $$
DECLARE
  v record;
BEGIN
  FOR v IN
    SELECT view, type AS definition, (
      SELECT 'SELECT ' || string_agg(concat('NULL::', format_type(atttypid, atttypmod), ' COLLATE '
        || nullif(attcollation, 0)::regcollation, ' AS ', quote_ident(attname)), ', ' ORDER BY attnum) || ' LIMIT 0'
      FROM pg_attribute WHERE attrelid = view AND attnum > 0) AS without_rows
    FROM pg_temp.objectid_import_names, pg_temp.find(schema, md5(relation)) AS view
    WHERE kind = 'view' AND (schema, name) = (only_schema, only_table) AND view IS NOT NULL
  LOOP
    CALL pg_temp.define_view(v.view, CASE WHEN shown THEN v.definition ELSE v.without_rows END);
  END LOOP;
END
$$;

-- A view that was there before gets the definition of the new one, its new columns at the end.  Columns whose type
-- has changed stay those of the old definition: keys find their rows.
CREATE OR REPLACE PROCEDURE pg_temp.keep_views() LANGUAGE plpgsql AS $$
DECLARE
  v record;
BEGIN
  FOR v IN
    SELECT relation, format('%I.%I', schema, relation) AS target, type AS definition,
      pg_temp.find(schema, md5(relation)) AS old, pg_temp.find(schema, relation) AS new, c.*
    FROM pg_temp.objectid_import_names, LATERAL (
      SELECT string_agg(CASE WHEN (o.atttypid, o.atttypmod) <> (n.atttypid, n.atttypmod) THEN 'o.' ELSE 'n.' END
          || quote_ident(attname), ', ' ORDER BY o.attnum, n.attnum) AS columns,
        string_agg(quote_ident(attname), ', ')
          FILTER (WHERE o.attnum > 0 AND col_description(o.attrelid, o.attnum) IS NULL) AS keys,
        string_agg(attname, ', ') FILTER (WHERE n.attnum IS NULL) AS gone,
        count(*) FILTER (WHERE o.attnum IS NULL) AS added,
        coalesce(bool_or((o.atttypid, o.atttypmod) <> (n.atttypid, n.atttypmod)), false) AS differ
      FROM (SELECT * FROM pg_attribute WHERE attrelid = pg_temp.find(schema, md5(relation)) AND attnum > 0) AS o
        FULL JOIN (SELECT * FROM pg_attribute WHERE attrelid = pg_temp.find(schema, relation) AND attnum > 0) AS n
        USING (attname)
    ) AS c
    WHERE kind = 'view' AND pg_temp.find(schema, md5(relation)) IS NOT NULL
  LOOP
    IF v.added > 0 AND v.gone <> '' THEN
      RAISE EXCEPTION 'view % also has %', v.target, v.gone
        USING HINT = 'Make this script of all documents, or drop the view and run it again.';
    END IF;
    CALL pg_temp.define_view(v.old, CASE
      WHEN v.gone <> '' OR v.differ AND v.added = 0 THEN v.definition
      ELSE format('SELECT %s FROM (%s) AS n %s', v.columns, rtrim(pg_get_viewdef(v.new), ';'), CASE WHEN v.differ THEN
        format('JOIN (%s) AS o USING (%s)', rtrim(v.definition, ';'), v.keys) END) END);
    EXECUTE format('DROP VIEW IF EXISTS %s', v.target);
    EXECUTE format('ALTER VIEW %s RENAME TO %I', v.old, v.relation);
  END LOOP;
END
$$;

-- Check, create schemas, drop our foreign keys and unique indexes, so that tables can be emptied and loaded in any
-- order, and rename our views: CREATE OR REPLACE VIEW cannot add a column before others.
CALL pg_temp.check_names(true);
UPDATE pg_temp.objectid_import_names SET type = pg_get_viewdef(pg_temp.find(schema, relation)) WHERE kind = 'view';
SELECT DISTINCT format('CREATE SCHEMA %I', schema) FROM pg_temp.objectid_import_names
WHERE kind = 'table' AND NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = schema)
UNION ALL
SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname)
FROM pg_temp.objectid_import_names JOIN pg_constraint ON conrelid = pg_temp.find(schema, relation)
WHERE kind = 'table' AND contype = 'f'
  AND obj_description(pg_constraint.oid, 'pg_constraint') ~ ', by objectid-import$'
UNION ALL
SELECT format('DROP INDEX %s', indexrelid::regclass)
FROM pg_temp.objectid_import_names JOIN pg_index ON indrelid = pg_temp.find(schema, relation)
WHERE kind = 'table' AND indisunique AND obj_description(indexrelid, 'pg_class') ~ ', by objectid-import$'
UNION ALL
SELECT format('ALTER VIEW %I.%I RENAME TO %I', schema, relation, md5(relation)) FROM pg_temp.objectid_import_names
WHERE kind = 'view' AND pg_temp.find(schema, relation) IS NOT NULL \gexec
{functions}{read_once}:script
-- The rights of a reader of a view are those on the table: row-level security holds.
SELECT unnest(ARRAY[format('ALTER VIEW %s OWNER TO %s', view, relowner::regrole),
  CASE WHEN :SERVER_VERSION_NUM >= 150000 THEN format('ALTER VIEW %s SET (security_invoker = true)', view) END])
FROM pg_temp.objectid_import_names JOIN pg_class AS t ON t.oid = pg_temp.find(schema, name),
  pg_temp.find(schema, relation) AS view
WHERE kind = 'view' AND view IS NOT NULL AND pg_temp.find(schema, md5(relation)) IS NULL \gexec
CALL pg_temp.keep_views();
SELECT CASE kind WHEN 'column' THEN format('COMMENT ON COLUMN %s.%I IS %L', target, name, path)
  ELSE format('COMMENT ON %s %s IS %L', kind, target, path) END
FROM pg_temp.objectid_import_names, pg_temp.find(schema, relation) AS target
WHERE path IS NOT NULL AND target IS NOT NULL
  AND (kind <> 'column' OR EXISTS (SELECT FROM pg_attribute WHERE attrelid = target AND attname = name)) \gexec
CALL pg_temp.check_names(false);
{end}
