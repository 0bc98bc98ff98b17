-- What the scripts of --schema-only need beside their statements.  pg_temp.objectid_import_names has all names in
-- a script: the schema, the relation, its kind, a column or the table of an index, the type of that, and the path
-- of the field, which is a comment on what the script makes.
CREATE OR REPLACE FUNCTION pg_temp.find(schema text, name text) RETURNS regclass LANGUAGE sql STABLE
RETURN to_regclass(quote_ident(schema) || '.' || quote_ident(name));

CREATE OR REPLACE FUNCTION pg_temp.is_table(schema text, name text) RETURNS boolean LANGUAGE sql STABLE
RETURN EXISTS (SELECT FROM pg_class WHERE oid = pg_temp.find(schema, name) AND relkind IN ('r', 'p'));

CREATE OR REPLACE FUNCTION pg_temp.has_documents(schema text, name text) RETURNS boolean LANGUAGE sql STABLE
RETURN EXISTS (SELECT FROM pg_attribute WHERE attrelid = pg_temp.find(schema, name) AND attname = 'doc');

-- Refuse names that stand for something else, and code of roles that are not trusted.
CREATE OR REPLACE PROCEDURE pg_temp.check_names(warn boolean, only_schema text DEFAULT NULL,
    only_relation text DEFAULT NULL) LANGUAGE plpgsql AS $$
DECLARE
  n record;
BEGIN
  FOR n IN
    SELECT DISTINCT rolname FROM pg_temp.objectid_import_names JOIN pg_namespace AS s ON nspname = schema,
      LATERAL (
        SELECT nspowner
        UNION ALL
        SELECT oid FROM pg_roles WHERE rolname = pg_temp.distrusted(pg_temp.find(schema, relation)::text, NULL, NULL)
        UNION ALL SELECT proowner FROM pg_proc WHERE pronamespace = s.oid AND kind = 'functions' AND proname ~ '^ejson_'
      ) AS o (role) JOIN pg_roles ON oid = role
    WHERE kind <> 'column' AND role NOT IN (
{trusted}
      ) AND (only_relation IS NULL OR (schema, relation) = (only_schema, only_relation))
  LOOP
    RAISE EXCEPTION 'code of role "%" could run with your rights', n.rolname
      USING DETAIL = 'The role owns a relation, schema or function that is named in this script, or what these call.',
        HINT = 'Connect as this role, or change the owner.';
  END LOOP;
  FOR n IN
    SELECT w.*, format('%I.%I', schema, relation) AS target, c.oid, relkind, attname, attgenerated,
      CASE typname WHEN 'objectid' THEN typname ELSE format_type(atttypid, atttypmod) END AS is,
      CASE kind WHEN 'column' THEN col_description(c.oid, attnum) ELSE obj_description(c.oid) END AS comment,
      (SELECT relname FROM pg_index JOIN pg_class AS t ON t.oid = indrelid WHERE indexrelid = c.oid) AS of_table
    FROM pg_temp.objectid_import_names AS w
      JOIN pg_class AS c ON c.oid = pg_temp.find(schema, relation)
      LEFT JOIN pg_attribute ON attrelid = c.oid AND attname = CASE kind WHEN 'column' THEN name ELSE '_id' END
      LEFT JOIN pg_type AS t ON t.oid = atttypid
    WHERE only_relation IS NULL OR (schema, relation) = (only_schema, only_relation)
    ORDER BY array_position('{table,view}', kind)
  LOOP
    IF n.kind = 'table' AND (n.relkind NOT IN ('r', 'p') OR n.is IS NULL)
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

-- Lock a table that may have been there before, and check it again.
CREATE OR REPLACE PROCEDURE pg_temp.check_table(schema text, relation text) LANGUAGE plpgsql AS $$
BEGIN
  -- before the lock, too: a role that may not lock the table reads what is wrong with it
  CALL pg_temp.check_names(false, schema, relation);
  EXECUTE format('LOCK TABLE %I.%I', schema, relation);
  CALL pg_temp.check_names(false, schema, relation);
END
$$;

-- The clause that lets ALTER TABLE read each document once for all columns.  Empty if there are no
-- documents, or if something depends on doc.
CREATE OR REPLACE FUNCTION pg_temp.read_once(schema text, name text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  found boolean;
BEGIN
  SELECT INTO found true FROM pg_class AS c JOIN pg_attribute AS a ON attrelid = c.oid
  WHERE c.oid = pg_temp.find(schema, name) AND relkind = 'r' AND attname = 'doc' AND attinhcount = 0
    AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhparent = c.oid)
    AND NOT EXISTS (
      SELECT FROM pg_depend
      WHERE refclassid = 'pg_class'::regclass AND refobjid = c.oid AND refobjsubid = attnum
        -- indexes, but not the generated columns of PostgreSQL 14
        AND NOT (classid = 'pg_class'::regclass AND objsubid = 0)
        AND classid NOT IN ('pg_constraint'::regclass, 'pg_statistic_ext'::regclass));
  IF found THEN
    CALL pg_temp.check_table(schema, name);
    EXECUTE format('SELECT EXISTS (SELECT FROM %I.%I)', schema, name) INTO found;
  END IF;
  RETURN CASE WHEN found THEN 'ALTER doc TYPE jsonb USING doc || ''{}'',' ELSE '' END;
END
$$;

-- Before the statements: check, create schemas, drop our foreign keys and unique indexes, so that tables can be
-- emptied and loaded in any order, and rename our views: CREATE OR REPLACE VIEW cannot add a column before others.
CREATE OR REPLACE PROCEDURE pg_temp.begin_script() LANGUAGE plpgsql AS $$
DECLARE
  statement text;
BEGIN
  CALL pg_temp.check_names(true);
  FOR statement IN
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
    WHERE kind = 'view' AND pg_temp.find(schema, relation) IS NOT NULL
  LOOP
    EXECUTE statement;
  END LOOP;
END
$$;

-- A view that was there before gets the definition of the new one, its new columns at the end.
CREATE OR REPLACE PROCEDURE pg_temp.keep_view(schema text, relation text) LANGUAGE plpgsql AS $$
DECLARE
  old oid := pg_temp.find(schema, md5(relation));
  new oid := pg_temp.find(schema, relation);
  target text := format('%I.%I', schema, relation);
  c record;
BEGIN
  SELECT INTO c string_agg(format('%I', coalesce(o.attname, n.attname)), ', ' ORDER BY o.attnum, n.attnum) AS columns,
    string_agg(o.attname, ', ') FILTER (WHERE n.attname IS NULL) AS gone,
    count(*) FILTER (WHERE o.attname IS NULL) AS added,
    bool_or((o.atttypid, o.atttypmod) <> (n.atttypid, n.atttypmod)) AS differ,
    bool_and(coalesce(o.attnum = n.attnum, o.attnum IS NULL)) AS in_order
  FROM (SELECT * FROM pg_attribute WHERE attrelid = old AND attnum > 0) AS o
    FULL JOIN (SELECT * FROM pg_attribute WHERE attrelid = new AND attnum > 0) AS n USING (attname);
  IF c.added > 0 AND c.gone <> '' THEN
    RAISE EXCEPTION 'view % also has %', target, c.gone
      USING HINT = 'Make this script of all documents, or drop the view and run it again.';
  ELSIF new IS NOT NULL AND c.gone IS NULL AND NOT c.differ THEN
    EXECUTE format('CREATE OR REPLACE VIEW %s %s AS SELECT %s FROM (%s) AS v', old::regclass,
      (SELECT 'WITH (' || array_to_string(reloptions, ', ') || ')' FROM pg_class WHERE oid = old), c.columns,
      rtrim(pg_get_viewdef(new), ';'));
  END IF;
  IF new IS NOT NULL THEN
    EXECUTE format('DROP VIEW %s', target);
  END IF;
  EXECUTE format('ALTER VIEW %s RENAME TO %I', old::regclass, relation);
END
$$;

-- After the statements: views, comments, and a check of what is there now.
CREATE OR REPLACE PROCEDURE pg_temp.end_script() LANGUAGE plpgsql AS $$
DECLARE
  n record;
  owner name;
BEGIN
  FOR n IN
    SELECT *, format('%I.%I', schema, relation) AS target FROM pg_temp.objectid_import_names WHERE kind <> 'functions'
    ORDER BY kind <> 'view'
  LOOP
    IF n.kind = 'view' AND pg_temp.find(n.schema, md5(n.relation)) IS NOT NULL THEN
      CALL pg_temp.keep_view(n.schema, n.relation);
    ELSIF n.kind = 'view' AND pg_temp.find(n.schema, n.relation) IS NOT NULL THEN
      -- the rights of a reader are those on the table: row-level security holds
      IF current_setting('server_version_num')::integer >= 150000 THEN
        EXECUTE format('ALTER VIEW %s SET (security_invoker = true)', n.target);
      END IF;
      owner := (SELECT rolname FROM pg_class JOIN pg_roles AS r ON r.oid = relowner
        WHERE pg_class.oid = pg_temp.find(n.schema, n.name));
      EXECUTE format('ALTER VIEW %s OWNER TO %I', n.target, owner);
    END IF;
    IF pg_temp.find(n.schema, n.relation) IS NULL OR n.path IS NULL THEN
      CONTINUE;
    ELSIF n.kind IN ('view', 'index') THEN
      EXECUTE format('COMMENT ON %s %s IS %L', n.kind, n.target, n.path);
    ELSIF EXISTS (
        SELECT FROM pg_attribute WHERE attrelid = pg_temp.find(n.schema, n.relation) AND attname = n.name) THEN
      EXECUTE format('COMMENT ON COLUMN %s.%I IS %L', n.target, n.name, n.path);
    END IF;
  END LOOP;
  CALL pg_temp.check_names(false);
END
$$;

-- Add a foreign key, which is not an error if it is there, or if a key has no target.
CREATE OR REPLACE PROCEDURE pg_temp.add_foreign_key(schema text, relation text, name text, path text, definition text)
  LANGUAGE plpgsql AS $$
DECLARE
  target text := format('%I.%I', schema, relation);
BEGIN
  IF pg_temp.is_table(schema, relation)
      AND NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = pg_temp.find(schema, relation) AND conname = name) THEN
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s', target, name, definition);
    EXECUTE format('COMMENT ON CONSTRAINT %I ON %s IS %L', name, target, path || ', by objectid-import');
  END IF;
EXCEPTION WHEN foreign_key_violation THEN
  RAISE WARNING '%', SQLERRM;
END
$$;
