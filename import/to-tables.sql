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
-- rows of an old snapshot would not be all; and an error without a transaction
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SAVEPOINT needs_a_transaction;
SELECT pg_catalog.current_setting('search_path') AS path_before \gset
\if :{?relation}
\set schema ''
-- the only statement in which names of others could count
SELECT :'relation'::pg_catalog.regclass::pg_catalog.oid AS relation \gset
\else
\set relation 0
\endif
SET LOCAL search_path = pg_catalog, pg_temp;
\if :{?schema}
\else
\set schema ''
\endif

-- the functions of ejson.sql, as temporary ones
SELECT set_config('search_path', concat_ws(', ', 'pg_temp', nullif(:'path_before', '')), true) AS path \gset
\ir ejson.sql
SET LOCAL search_path = pg_catalog, pg_temp;
\ir distrusted.sql
SET LOCAL row_security = off;
SET LOCAL jit = off;
SET LOCAL client_min_messages = warning;

-- The tables, and their views that are ours: a comment is the path of a field.  Whoever makes a comment from now on
-- is too late.
CREATE TEMPORARY TABLE ours ON COMMIT DROP AS
WITH roots AS (
  SELECT c.oid AS root, a.attnum
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace JOIN pg_attribute AS a ON attrelid = c.oid
  WHERE (c.oid = :relation OR nspname = :'schema') AND relkind IN ('r', 'p') AND NOT relispartition
    AND attname = 'doc' AND atttypid = 'jsonb'::regtype
    AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = '_id')
)
SELECT root, root AS relation, root::regclass::text AS target, '' AS path, 0 AS level, '{_id}' AS names FROM roots
UNION
SELECT root, v.oid, v.oid::regclass::text, comment,
  length(regexp_replace(regexp_replace(comment, '"([^"\\]|\\.)*"', '', 'g'), '[^\[]', '', 'g')),
  ARRAY(SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = v.oid AND attnum > 0 ORDER BY attnum)
FROM roots JOIN pg_depend ON refobjid = root AND refobjsubid = attnum AND classid = 'pg_rewrite'::regclass
  JOIN pg_rewrite AS r ON r.oid = objid JOIN pg_class AS v ON v.oid = ev_class,
  obj_description(v.oid, 'pg_class') AS comment
WHERE relkind = 'v' AND comment ~ '\[\]$';

-- Refuse what has changed already, what would be lost, and what runs code of roles that are not trusted.
CREATE OR REPLACE PROCEDURE pg_temp.check_ours() LANGUAGE plpgsql AS $$
DECLARE
  role text := (SELECT min(pg_temp.distrusted(target, NULL, NULL)::text) FROM ours);
  ruled text := (SELECT min(target) FROM ours WHERE level > 0
    AND (EXISTS (SELECT FROM pg_trigger WHERE tgrelid = relation)
      OR EXISTS (SELECT FROM pg_rewrite WHERE ev_class = relation AND rulename <> '_RETURN')));
BEGIN
  IF NOT EXISTS (SELECT FROM ours) THEN
    RAISE EXCEPTION 'there is no such table with columns _id and doc';
  ELSIF role <> '' THEN
    RAISE EXCEPTION 'code of role "%" could run with your rights', role
      USING DETAIL = 'The role owns a table, a view of a path, their schema, or a function in them.',
        HINT = 'Connect as this role, or change the owner.';
  ELSIF ruled <> '' THEN
    RAISE EXCEPTION 'view % has triggers or rules', ruled USING HINT = 'Drop them first.';
  END IF;
END
$$;
CALL pg_temp.check_ours();

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
    -- no field beside those that are converted
    WHEN jsonb_typeof(value) = 'object' AND value::text !~
      '^{"\$\w+": ("[^"]*"|{"\$numberLong": "[^"]*"}|{"base64": "[^"]*", "subType": "[^"]*"})}$' THEN false
    WHEN jsonb_typeof(value) = 'string' THEN converted = value #>> '{}'
    WHEN type = 'bytea' THEN converted IS NOT NULL AND value->'$binary'->>'subType' = '00'
    WHEN type IN ('bigint', 'double precision', 'numeric') THEN converted::numeric = pg_temp.ejson_numeric(value)
    ELSE converted IS NOT NULL END;
END
$$;

-- Of each field, how many values do not fit the type of its column, or have none?
WITH columns (root, path, type) AS (
  SELECT root, col_description(attrelid, attnum),
    CASE typname WHEN 'objectid' THEN typname ELSE format_type(atttypid, atttypmod) END
  FROM ours JOIN pg_attribute ON attrelid = relation JOIN pg_type AS t ON t.oid = atttypid
  WHERE attnum > 0 AND NOT attisdropped AND col_description(attrelid, attnum) <> ''
    AND (level > 0 OR attgenerated <> '')
)
SELECT string_agg(format($query$
  SELECT %1$L AS "table", w.path AS field, %2$L::jsonb->>w.path AS "type of its column", count(*) AS "only in doc"
  FROM %1$s AS d, LATERAL (
    WITH RECURSIVE walk (path, value, stop) AS (
      SELECT ''::text, d.doc - '_id', false
      UNION ALL
      SELECT c.path, c.value, coalesce(pg_temp.fits(c.value, %2$L::jsonb->>c.path), false)
      FROM walk, LATERAL (
        SELECT concat(nullif(walk.path, '') || '.',
          CASE WHEN key ~ '^[A-Za-z0-9_$-]+$' THEN key ELSE to_json(key)::text END), e.value
        FROM jsonb_each(CASE jsonb_typeof(walk.value) WHEN 'object' THEN walk.value END) AS e
        UNION ALL
        SELECT walk.path || '[]', e.value
        FROM jsonb_array_elements(CASE jsonb_typeof(walk.value) WHEN 'array' THEN walk.value END) AS e
      ) AS c (path, value)
      WHERE NOT stop AND NOT (walk.path <> '' AND jsonb_typeof(walk.value) = 'object' AND walk.value ?| %3$L)
    )
    SELECT path FROM walk
    WHERE NOT stop AND value <> 'null' AND (jsonb_typeof(value) NOT IN ('object', 'array')
      OR path <> '' AND jsonb_typeof(value) = 'object' AND value ?| %3$L)
  ) AS w GROUP BY 2$query$, target,
  (SELECT coalesce(jsonb_object_agg(c.path, c.type ORDER BY c.type IN ('text', 'jsonb')), '{}') FROM (
    SELECT path, type FROM columns WHERE columns.root = ours.root
    UNION ALL
    SELECT path || '[]', left(type, -2) FROM columns WHERE columns.root = ours.root AND type LIKE '%[]'
  ) AS c),
  -- the values of Extended JSON that are objects
  '{$oid,$date,$binary,$numberDecimal,$numberDouble,$numberLong,$timestamp,$regularExpression,$code,$symbol,$minKey,'
  '$maxKey,$undefined,$dbPointer}'), ' UNION ALL ') || ' ORDER BY 1, 2'
FROM ours WHERE level = 0 \gexec

SELECT format('LOCK TABLE %s', string_agg(target, ', ')) FROM ours WHERE level = 0 \gexec
CALL pg_temp.check_ours();

-- A table in the place of each view, with its rows, outer arrays first, because inner ones refer to them.  Views and
-- functions that depend on the view read the table.
SELECT statement
FROM ours AS v JOIN pg_class AS c ON c.oid = relation,
  LATERAL (SELECT * FROM ours WHERE root = v.root AND level < v.level AND starts_with(v.path, path)
    ORDER BY level DESC LIMIT 1) AS above,
  LATERAL (SELECT 'of_documents_' || md5(relname) AS name, relnamespace::regnamespace AS schema,
    'WITH (' || array_to_string(reloptions, ', ') || ')' AS options) AS old,
  LATERAL (
    SELECT 1, format('ALTER VIEW %s RENAME TO %I', v.target, old.name)
    UNION ALL
    SELECT 2, format('CREATE TABLE %s AS SELECT * FROM %s.%I', v.target, schema, old.name)
    UNION ALL
    SELECT 3, format('ALTER TABLE %s ADD PRIMARY KEY (%s),
      ADD FOREIGN KEY (%s) REFERENCES %s (%s) ON UPDATE CASCADE ON DELETE CASCADE', v.target,
      array_to_string(v.names[1:v.level + 1], ', '), array_to_string(v.names[1:above.level + 1], ', '), above.target,
      array_to_string(above.names[1:above.level + 1], ', '))
    UNION ALL
    -- default rights of new tables, which the view does not have
    SELECT 4, format('REVOKE ALL ON %s FROM %s', v.target,
      CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END)
    FROM pg_default_acl, aclexplode(defaclacl) WHERE defaclobjtype = 'r' AND grantee <> defaclrole
    UNION ALL
    SELECT 5, format('ALTER TABLE %s OWNER TO %s', v.target, relowner::regrole)
    UNION ALL
    SELECT 6, format('GRANT %s%s ON %s TO %s%s', privilege_type, ' (' || quote_ident(attname) || ')', v.target,
      CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END,
      CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END)
    FROM (
      SELECT NULL AS attname, (aclexplode(relacl)).*
      UNION ALL
      SELECT attname, (aclexplode(attacl)).* FROM pg_attribute WHERE attrelid = v.relation
    ) AS acl WHERE grantee <> relowner
    UNION ALL
    SELECT 7, format('COMMENT ON TABLE %s IS %L', v.target, v.path)
    UNION ALL
    SELECT 7, format('COMMENT ON COLUMN %s.%I IS %L', v.target, attname, col_description(v.relation, attnum))
    FROM pg_attribute WHERE attrelid = v.relation AND attnum > 0
    UNION ALL
    -- a reader of the view sees the elements of the documents that row-level security shows
    SELECT 8, unnest(ARRAY[format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', v.target),
      format('CREATE POLICY documents ON %s USING (EXISTS (SELECT FROM %s AS r WHERE r._id = %s.%s))', v.target,
        v.root::regclass, v.target, v.names[1])])
    FROM pg_class AS t WHERE t.oid = v.root AND relrowsecurity AND options ~ 'security_invoker=(true|on|1)'
    UNION ALL
    SELECT 9, unnest(CASE WHEN EXISTS (
        SELECT FROM pg_depend LEFT JOIN pg_type AS y ON y.oid = reltype LEFT JOIN pg_rewrite AS r ON r.oid = objid
        WHERE r.ev_class IS DISTINCT FROM v.relation AND refclassid IN ('pg_class'::regclass, 'pg_type'::regclass)
          AND deptype = 'n' AND refobjid IN (v.relation, reltype, typarray))
      THEN ARRAY[format('CREATE OR REPLACE VIEW %s.%I %s AS SELECT * FROM %s', schema, old.name, options, v.target),
        format('DO %L', format('BEGIN RAISE WARNING USING MESSAGE = %L; END',
          format('%s is a table; views or functions that depend on the view read it through %s.%I', v.target, schema,
            old.name)))]
      ELSE ARRAY[format('DROP VIEW %s.%I', schema, old.name)] END)
  ) AS s (number, statement)
WHERE v.level > 0 ORDER BY v.level, v.path, v.target, number \gexec

SELECT format('ALTER TABLE %s %s', target, action)
FROM ours, LATERAL (
  SELECT format('ALTER %I DROP EXPRESSION', attname) FROM pg_attribute
  WHERE attrelid = relation AND attgenerated = 's' AND col_description(relation, attnum) <> ''
  UNION ALL
  SELECT 'ALTER _id SET DEFAULT ' || CASE WHEN typname = 'uuid' THEN 'gen_random_uuid()'
    -- a function of somebody else could also be called so
    WHEN (SELECT array_agg(proowner) FROM pg_proc WHERE proname = 'gen_objectid' AND pronamespace = typnamespace
      AND pronargs = pronargdefaults) = ARRAY[typowner] THEN format('%I.gen_objectid()', nspname) END
  FROM pg_attribute JOIN pg_type AS t ON t.oid = atttypid JOIN pg_namespace AS n ON n.oid = typnamespace
  WHERE attrelid = relation AND attname = '_id' AND typname IN ('objectid', 'uuid') AND NOT atthasdef
  UNION ALL
  VALUES ('ALTER doc DROP NOT NULL'), ('RENAME doc TO old_doc')
) AS s (action)
WHERE level = 0 AND action <> ''
UNION ALL
SELECT format('COMMENT ON COLUMN %s.old_doc IS %L', target,
  'the document before the application wrote columns: nothing writes it')
FROM ours WHERE level = 0 \gexec
SELECT format('DO %L', format('BEGIN RAISE WARNING USING MESSAGE = %L; END', target || '._id has no default'))
FROM ours JOIN pg_attribute ON attrelid = relation AND attname = '_id'
WHERE level = 0 AND format_type(atttypid, NULL) ~ 'objectid$' AND NOT atthasdef \gexec
SELECT target AS "table", pg_describe_object(classid, objid, objsubid) AS "reads old documents"
FROM ours JOIN pg_attribute ON attrelid = relation AND attname = 'old_doc'
  JOIN pg_depend ON refclassid = 'pg_class'::regclass AND refobjid = relation AND refobjsubid = attnum
-- of empty collections, no index has old documents
WHERE classid <> 'pg_class'::regclass OR pg_relation_size(relation) > 0
  OR EXISTS (SELECT FROM pg_inherits WHERE inhparent = relation)
UNION
SELECT target, format('perhaps trigger %I', tgname) FROM ours JOIN pg_trigger ON tgrelid = relation
WHERE level = 0 AND NOT tgisinternal
ORDER BY 1, 2;
SELECT pg_catalog.set_config('search_path', :'path_before', false) AS search_path \gset
