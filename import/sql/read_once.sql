-- The clause that lets ALTER TABLE read each document once for all columns.  Empty if there are no
-- documents, or if something depends on doc.
CREATE OR REPLACE FUNCTION pg_temp.read_once(relation regclass) RETURNS text LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  documents boolean;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT FROM %s)', relation) INTO documents;
  RETURN CASE WHEN documents AND EXISTS (
      SELECT FROM pg_class AS c JOIN pg_attribute AS a ON attrelid = c.oid
      WHERE c.oid = relation AND relkind = 'r' AND attname = 'doc' AND attinhcount = 0
        AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhparent = c.oid)
        AND NOT EXISTS (
          SELECT FROM pg_depend
          WHERE refclassid = 'pg_class'::regclass AND refobjid = c.oid AND refobjsubid = attnum
            -- indexes, but not the generated columns of PostgreSQL 14
            AND NOT (classid = 'pg_class'::regclass AND objsubid = 0)
            AND classid NOT IN ('pg_constraint'::regclass, 'pg_statistic_ext'::regclass)))
    THEN 'ALTER doc TYPE jsonb USING doc || ''{}'',' ELSE '' END;
END
$$;

-- Warn of columns of other types, or that do not follow the documents.
CREATE OR REPLACE PROCEDURE pg_temp.check_columns(relation regclass, generated boolean, columns text[], types text[])
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  c record;
BEGIN
  FOR c IN
    SELECT attname, format_type(atttypid, atttypmod) AS is, type, attgenerated
    FROM unnest(columns, types) AS wanted (name, type)
      JOIN pg_attribute ON attrelid = relation AND attname = name JOIN pg_type AS t ON t.oid = atttypid
    WHERE CASE type WHEN 'objectid' THEN typname <> type ELSE atttypid <> to_regtype(type) END
      OR (generated AND attgenerated = '')
  LOOP
    IF generated AND c.attgenerated = '' THEN
      RAISE WARNING 'column "%" of table % is not generated: it does not follow the documents', c.attname, relation;
    ELSE
      RAISE WARNING 'column "%" of table % is of type %, and these documents need %', c.attname, relation, c.is, c.type
        USING HINT = 'Drop the column, and run this script again.';
    END IF;
  END LOOP;
END
$$;
