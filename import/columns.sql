-- What is in a table that objectid-import has loaded, and statements that make columns and
-- tables of its documents.  The statements are for review: nothing executes them.
--
--     psql -X -v table=film.movies -f columns.sql >movies.sql
--     psql -X -v table=film.movies -v sample=all -f columns.sql      reads all documents, not only 100,000
--
-- They call the functions of ejson.sql.  This script needs SELECT on the table, and changes
-- nothing.  docs/documents-to-tables.md explains what it prints.

\set ON_ERROR_STOP on
\set QUIET on
\pset format unaligned
\pset tuples_only on
\pset pager off
\if :{?table} \else
\warn 'usage: psql -X -v table=TABLE [-v sample=NUM|all] -f columns.sql'
\set table ''
\endif
\if :{?sample} \else
\set sample 100000
\endif

BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
SET LOCAL jit = off;

-- the table, its key, how to read the sample, and the type objectid
SELECT format('%I.%I', nspname, relname) AS table, c.oid, relname AS name, relnamespace AS schema,
  coalesce(format_type(atttypid, atttypmod), '') AS key,
  coalesce(nullif(:'sample', 'all')::bigint::text, 'ALL') AS limit,
  CASE WHEN relkind IN ('r', 'm') AND reltuples > nullif(:'sample', 'all')::float8
    THEN format('TABLESAMPLE %s (%s) REPEATABLE (0)',
      -- whole pages, if there are enough of them
      CASE WHEN relpages * nullif(:'sample', 'all')::float8 > 100 * reltuples THEN 'SYSTEM' ELSE 'BERNOULLI' END,
      100 * nullif(:'sample', 'all')::float8 / reltuples) ELSE '' END AS method,
  CASE WHEN typname = 'objectid' THEN format_type(atttypid, NULL) ELSE 'objectid' END AS objectid
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace
  LEFT JOIN pg_attribute ON attrelid = c.oid AND attname = '_id' LEFT JOIN pg_type AS t ON t.oid = atttypid
WHERE c.oid = (:'table')::regclass \gset source_

-- a query for all tables of the schema whose keys are ids: how many references have their target there
SELECT coalesce(string_agg(format('SELECT path, %L, count(*) FROM reference WHERE EXISTS '
    '(SELECT FROM %s AS t WHERE t._id OPERATOR(%I.=) id::%s) GROUP BY 1', target, target, operators, type),
    ' UNION ALL '),
  'SELECT path, NULL, 0 FROM reference WHERE false') AS lookups
FROM (
  SELECT format('%I.%I', n.nspname, relname) AS target,
    CASE typtype WHEN 'd' THEN 'pg_catalog' ELSE s.nspname END AS operators, format_type(atttypid, NULL) AS type
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace
    JOIN pg_attribute ON attrelid = c.oid AND attname = '_id'
    JOIN pg_type AS t ON t.oid = atttypid JOIN pg_namespace AS s ON s.oid = typnamespace
  WHERE relnamespace = :source_schema AND relkind IN ('r', 'p') AND typname = 'objectid'
    AND has_table_privilege(c.oid, 'SELECT')
    AND EXISTS (SELECT FROM pg_index
      WHERE indrelid = c.oid AND indisunique AND indpred IS NULL AND indnkeyatts = 1 AND indkey[0] = attnum)
  ORDER BY relname LIMIT 1000
) AS candidate \gset

-- A field is known by "root" and "rest".  "root" is {} for the fields of the table itself.  For
-- those in arrays it is the path of the innermost array, and NULL for the step to an element.
-- "rest" is the path from there, {} for the elements themselves.
WITH RECURSIVE node AS (
  SELECT '{}'::text[] AS root, '{}'::text[] AS rest, 'object' AS kind, doc AS inside, NULL::text AS id
  FROM (SELECT _id, doc FROM :source_table :source_method LIMIT :source_limit) AS d
  UNION ALL
  SELECT CASE WHEN key IS NULL THEN array_append(root || rest, key) ELSE root END,
    CASE WHEN key IS NULL THEN '{}' ELSE array_append(rest, key) END,
    k.kind, CASE WHEN k.kind IN ('object', 'array') THEN value END, CASE k.kind WHEN 'objectid' THEN value->>'$oid' END
  FROM node,
    LATERAL (SELECT key, value FROM jsonb_each(CASE node.kind WHEN 'object' THEN inside END)
             UNION ALL
             SELECT NULL, value FROM jsonb_array_elements(CASE node.kind WHEN 'array' THEN inside END)) AS child,
    LATERAL (SELECT CASE jsonb_typeof(value)
      WHEN 'number' THEN CASE
        WHEN value::text ~ '[.]' OR value::numeric NOT BETWEEN -9223372036854775808 AND 9223372036854775807
        THEN 'double' ELSE 'integer' END
      WHEN 'object' THEN CASE
        WHEN value = '{}' OR value - ('{$oid,$date,$numberInt,$numberLong,$numberDouble,$numberDecimal,$binary,'
            '$timestamp,$regularExpression,$code,$scope,$symbol,$dbPointer,$minKey,$maxKey,$undefined}')::text[] <> '{}'
          THEN 'object'
        WHEN value->>'$oid' ~ '^[0-9A-Fa-f]{24}$' THEN 'objectid'
        WHEN value->>'$date' ~ '^[0-9]{4}-.*Z$'
          OR value->'$date'->>'$numberLong' ~ '^(-[0-9]{1,14}|[0-9]{1,15})$' THEN 'date'
        WHEN value ? '$date' THEN 'date out of range'
        WHEN value ?| '{$numberInt,$numberLong}' THEN 'integer'
        WHEN value ? '$numberDouble' THEN 'double'
        WHEN value ? '$numberDecimal' THEN 'decimal'
        WHEN value->'$binary'->>'subType' = '04' AND value->'$binary'->>'base64' ~ '^.{22}==$' THEN 'uuid'
        WHEN value->'$binary' ? 'base64' THEN 'binary'
        WHEN value ?| '{$oid,$binary}' OR value ? '$scope' AND NOT value ? '$code' THEN 'object'
        ELSE (SELECT ltrim(min(k), '$') FROM jsonb_object_keys(value) AS k) END
      ELSE jsonb_typeof(value) END AS kind) AS k
), seen AS (
  SELECT root, rest, root || rest AS path, kind, count(*) AS n FROM node GROUP BY 1, 2, 4
), reference AS (
  SELECT path, id FROM (SELECT path, id, row_number() OVER (PARTITION BY path ORDER BY md5(id)) AS nth
    FROM (SELECT DISTINCT root || rest AS path, id FROM node WHERE id IS NOT NULL) AS d
    WHERE path <> '{_id}') AS numbered
  WHERE nth <= 500
), target AS (
  SELECT DISTINCT ON (path) path, target, hits, total
  FROM (:lookups) AS found (path, target, hits)
    JOIN (SELECT path, count(*) AS total FROM reference GROUP BY 1) AS t USING (path)
  WHERE 2 * hits >= total ORDER BY path, hits DESC, target
), map AS (
  -- an object whose keys are data, not names: many keys, each of them in few of the objects
  SELECT path
  FROM (SELECT trim_array(path, 1) AS path, count(DISTINCT path) AS keys, sum(n) AS n
        FROM seen WHERE rest <> '{}' GROUP BY 1) AS inside
    JOIN (SELECT path, n AS objects FROM seen WHERE kind = 'object' AND path <> '{}') AS o USING (path)
  WHERE keys > 100 AND n < 0.1 * keys * objects
), field AS (
  -- numbers of several kinds, and binary values, have a type in common
  SELECT root, rest, path, sum(n) AS n,
    string_agg(kind || ' ' || n, ', ' ORDER BY n DESC, kind)
      || CASE WHEN is_map THEN ' with many keys' ELSE '' END AS kinds,
    bool_or(kind = 'array') AS is_array,
    count(DISTINCT class) + count(*) FILTER (WHERE kind IN ('object', 'array')) > 1 AS mixed,
    CASE WHEN is_map THEN 'map' ELSE
      (array_agg(CASE WHEN of_kinds > 1 THEN class ELSE kind END ORDER BY of_class DESC, class)
        FILTER (WHERE class IS NOT NULL))[1] END AS type
  FROM (SELECT *, sum(n) OVER same AS of_class, count(*) OVER same AS of_kinds, path IN (SELECT path FROM map) AS is_map
        FROM seen,
          LATERAL (SELECT CASE WHEN kind IN ('integer', 'double', 'decimal') THEN 'numeric'
                     WHEN kind IN ('uuid', 'binary') THEN 'binary'
                     WHEN kind NOT IN ('null', 'object', 'array') THEN kind END AS class) AS c
        WHERE NOT EXISTS (SELECT FROM map WHERE seen.path[:cardinality(map.path)] = map.path AND seen.path <> map.path)
        WINDOW same AS (PARTITION BY root, rest, class)) AS s
  GROUP BY root, rest, path, is_map
), part AS (
  -- the path in a comment, as an expression, and as a name; the first two of one line, whatever the field's name is
  SELECT path,
    ltrim(string_agg(CASE WHEN step IS NULL THEN '[]' WHEN step ~ '^[A-Za-z_$][A-Za-z0-9_$-]*$' THEN '.' || step
      ELSE '.' || json END, '' ORDER BY nth), '.') AS shown,
    coalesce(string_agg('->' || literal, '' ORDER BY nth)
      FILTER (WHERE nth > cardinality(root) AND nth < cardinality(path)), '') AS before,
    max(literal) FILTER (WHERE nth > cardinality(root) AND nth = cardinality(path)) AS last,
    repeat('(', cardinality(path)) || 'doc' || string_agg(' -> ' || quoted || '::text)', '' ORDER BY nth) AS stored,
    string_agg(snake, '_' ORDER BY nth) FILTER (WHERE nth > cardinality(root)) AS name,
    string_agg(snake, '_' ORDER BY nth) AS full_name
  FROM field, LATERAL unnest(path) WITH ORDINALITY AS p (step, nth), LATERAL (SELECT to_json(step)::text AS json) AS j,
    LATERAL (SELECT '''' || replace(step, '''', '''''') || '''' AS quoted) AS q,
    LATERAL (SELECT CASE WHEN json = '"' || step || '"' THEN quoted
      ELSE 'E''' || replace(substr(json, 2, length(json) - 2), '''', '''''') || '''' END AS literal) AS l,
    LATERAL (SELECT regexp_replace(regexp_replace(step COLLATE "C", '([a-z0-9])([A-Z])', '\1_\2', 'g'),
      '([A-Z])([A-Z][a-z])', '\1_\2', 'g') AS words) AS w,
    LATERAL (SELECT CASE WHEN step IS NULL AND path[nth - 1] IS NULL THEN 'element' WHEN step IS NOT NULL THEN
      coalesce(nullif(regexp_replace(
        regexp_replace(lower(words), '^[\u0001-/:-@[-^`{-\u007f]+|[\u0001-/:-@[-^`{-\u007f]+$', '', 'g'),
        '[\u0001-/:-@[-^`{-\u007f]+', '_', 'g'), ''), 'field') END AS snake) AS s
  GROUP BY path
), owner AS (
  SELECT CASE WHEN singular ~ '^(position[0-9]*|ctid|xmin|xmax|cmin|cmax|tableoid)$' THEN singular || '_id'
    ELSE singular END AS owner
  FROM (SELECT regexp_replace(:'source_name', '([^s])s$', '\1') AS singular) AS s
), made AS (
  -- what an earlier run has made: columns, by their expression without its function, and tables, by their comment
  SELECT 'column {}' AS scope, path, min(attname::text) AS name
  FROM part JOIN pg_attrdef ON stored = regexp_replace(regexp_replace(pg_get_expr(adbin, adrelid),
      '^[^(]+[(](.*[)])(, ''null''::jsonb)?[)]$', '\1'), ' ->> (''([^'']|'''')*''::text[)])$', ' -> \1')
    JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
  WHERE adrelid = :source_oid AND attgenerated <> '' GROUP BY path
  UNION ALL SELECT 'table', path, min(relname::text)
  FROM part JOIN pg_class AS c ON obj_description(c.oid, 'pg_class') = concat(shown, ' of ', :'source_table')
  WHERE relnamespace = :source_schema GROUP BY path
), wanted AS (
  -- the names of columns, and those of tables, are unique in their scope: one is given a number that no other has
  SELECT 'column ' || root::text AS scope, path, coalesce(name, 'value') AS name FROM field LEFT JOIN part USING (path)
  WHERE type IS NOT NULL AND path <> '{_id}' AND ('column ' || root::text, path) NOT IN (SELECT scope, path FROM made)
  UNION ALL SELECT 'table', path, :'source_name' || '_' || full_name
  FROM field JOIN part USING (path) WHERE rest = '{}' AND path <> '{}'
    AND ('table', path) NOT IN (SELECT scope, path FROM made)
), base AS (
  -- at most 57 bytes, and a number
  SELECT scope, path,
    substr((repeat('x', 6) || CASE WHEN name ~ '^[0-9]' THEN '_' || name ELSE name END)::name::text, 7) AS name
  FROM wanted
), taken AS (
  SELECT 'column {}' AS scope, attname::text AS name FROM pg_attribute WHERE attrelid = :source_oid
  UNION SELECT 'column ' || root::text,
    unnest(ARRAY[owner, 'position', 'ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid'])
  FROM field, owner WHERE root <> '{}'
  UNION SELECT 'column ' || root::text, 'position' || i FROM field, generate_series(2, cardinality(root)) AS i
  UNION SELECT 'table', relname FROM pg_class WHERE relnamespace = :source_schema
  UNION SELECT 'table', typname FROM pg_type WHERE typnamespace = :source_schema
), used AS (
  SELECT scope, name FROM taken UNION SELECT scope, name FROM base
), named AS (
  SELECT scope, path, CASE nth WHEN 0 THEN name ELSE (
    SELECT name || '_' || i
    FROM generate_series(2, 2 + nth
      + (SELECT count(*) FROM used AS u WHERE u.scope = b.scope AND starts_with(u.name, b.name || '_'))) AS i
    WHERE NOT EXISTS (SELECT FROM used AS u WHERE u.scope = b.scope AND u.name = b.name || '_' || i)
    ORDER BY i OFFSET nth - 1 LIMIT 1) END AS name, false AS made
  FROM (SELECT *,
          row_number() OVER (PARTITION BY scope, name
            ORDER BY path[cardinality(path)] = name DESC, path COLLATE "C") - 1
          + (EXISTS (SELECT FROM taken AS t WHERE t.scope = base.scope AND t.name = base.name))::integer AS nth
        FROM base) AS b
  UNION ALL SELECT *, true FROM made
), tab AS (
  -- the table itself, and one for each array: in it the elements of the array are the column "element" of this level
  SELECT '{}'::text[] AS root, 0 AS level, :'source_table' AS name, '' AS parent, 'doc' AS element, 'm._id' AS keys,
    false AS made, owner AS names, quote_ident(owner) AS columns,
    format('%s AS m', :'source_table') AS source FROM owner
  UNION ALL
  SELECT array_append(f.path, NULL), level + 1,
    format('%I.%I', (SELECT nspname FROM pg_namespace WHERE oid = :source_schema), n.name) COLLATE "default", tab.name,
    format('a%s.element', level + 1), format('%s, a%s.position', keys, level + 1), n.made, tab.names,
    concat(columns, ', position', nullif(level + 1, 1)),
    format(E'%s,\n  jsonb_array_elements(CASE jsonb_typeof(%s) WHEN ''array'' THEN %s END) '
      'WITH ORDINALITY AS a%s (element, position)', source, array_value, array_value, level + 1) COLLATE "default"
  FROM tab JOIN field AS f USING (root) LEFT JOIN part USING (path)
    JOIN named AS n ON scope = 'table' AND n.path = array_append(f.path, NULL),
    LATERAL (SELECT concat(CASE level WHEN 0 THEN 'm.doc' ELSE element END, before, '->' || last) AS array_value) AS v
  WHERE f.is_array
), col AS (
  SELECT tab.*, f.path, shown, choice, CASE WHEN choice THEN shown || ': ' || kinds ELSE shown END AS remark,
    row_number() OVER (PARTITION BY root ORDER BY choice, f.path COLLATE "C" DESC) AS from_end,
    quote_ident(named.name) AS col, sqltype,
    CASE WHEN sqltype <> 'text' THEN concat(function, '(', element, before, '->' || last,
        CASE function WHEN 'nullif' THEN ', ''null''' END, ')')
      WHEN last IS NULL THEN element || ' #>> ''{}''' ELSE concat(element, before, '->>', last) END AS expression
  FROM (SELECT *, mixed OR root = '{}'
            AND row_number() OVER (PARTITION BY root ORDER BY mixed, n DESC, path COLLATE "C") > 1500 AS choice
        FROM field WHERE type IS NOT NULL) AS f
    JOIN part USING (path) JOIN tab USING (root) JOIN named ON named.path = f.path AND scope = 'column ' || root::text,
    LATERAL (SELECT coalesce(max(c.sqltype), 'jsonb') AS sqltype, coalesce(max(c.function), 'nullif') AS function
      FROM (VALUES ('objectid', :'source_objectid', 'ejson_objectid'), ('date', 'timestamptz', 'ejson_date'),
        ('integer', 'bigint', 'ejson_integer'),
        ('double', 'double precision', 'ejson_double'), ('decimal', 'numeric', 'ejson_numeric'),
        ('numeric', 'numeric', 'ejson_numeric'),
        ('boolean', 'boolean', 'ejson_boolean'), ('string', 'text', ''), ('uuid', 'uuid', 'ejson_uuid'),
        ('binary', 'bytea', 'ejson_bytea')) AS c (type, sqltype, function)
      WHERE c.type = f.type) AS c
  WHERE NOT tab.made AND NOT named.made
), output AS (
  SELECT 1 AS section, '{}'::text[] AS path, 0 AS nth, 0 AS from_end, true AS remark,
    concat(:'source_table', ': ', (SELECT sum(n) FROM seen WHERE path = '{}'), ' documents') AS line
  UNION ALL SELECT 1, '{}', 1, 0, true, 'First run ejson.sql, whose functions these statements call.'
    WHERE to_regprocedure('ejson_numeric(jsonb)') IS NULL
  UNION ALL SELECT 1, path, 2, 0, true,
    concat(format('%s: %s of %s: %s', shown, n, (SELECT sum(n) FROM seen WHERE seen.path = field.root), kinds),
      (SELECT format('; %s %s', split_part(scope, ' ', 1), name) FROM made WHERE made.path = field.path))
    FROM field JOIN part USING (path) WHERE path <> '{}'
  UNION ALL SELECT 2, '{}', 0, 0, bool_and(choice), 'ALTER TABLE ' || :'source_table'
    FROM col WHERE level = 0 HAVING count(*) > 0
  UNION ALL SELECT 2, '{}', 1, from_end, choice, format('  ADD %s %s GENERATED ALWAYS AS (%s) STORED%s -- %s',
      col, sqltype, expression, CASE from_end WHEN 1 THEN ';' ELSE ',' END, remark)
    FROM col WHERE level = 0
  UNION ALL SELECT 3, root, 0, 0, false, format('CREATE TABLE %s (', name) FROM tab WHERE level > 0 AND NOT made
  UNION ALL SELECT 3, root, 1, 0, false, format('  %I %s NOT NULL%s,%s', names, :'source_key',
      CASE level WHEN 1 THEN format(' REFERENCES %s (_id) ON DELETE CASCADE', parent) END,
      (SELECT string_agg(format(E'\n  position%s integer,', nullif(i, 1)), '') FROM generate_series(1, level) AS i))
    FROM tab WHERE level > 0 AND NOT made
  UNION ALL SELECT 3, root, 2, from_end, choice, format('  %s %s, -- %s', col, sqltype, remark) FROM col WHERE level > 0
  UNION ALL SELECT 3, root, 3, 0, false,
    format(E'%s  PRIMARY KEY (%s)\n);\nCOMMENT ON TABLE %s IS %L;\nINSERT INTO %s\nSELECT %s',
      CASE WHEN level > 1 THEN format(E'  FOREIGN KEY (%s) REFERENCES %s ON DELETE CASCADE,\n',
          regexp_replace(columns, ', position[0-9]*$', ''), parent) END, columns, name,
      concat((SELECT shown FROM part WHERE path = root), ' of ', :'source_table'), name, keys)
    FROM tab WHERE level > 0 AND NOT made
  UNION ALL SELECT 3, root, 4, from_end, choice, format('  , %s -- %s', expression, col) FROM col WHERE level > 0
  UNION ALL SELECT 3, root, 5, 0, false, format('FROM %s;', source) FROM tab WHERE level > 0 AND NOT made
  UNION ALL SELECT 4, path, 0, 0, true,
      format('%s: %s of %s ids are keys of %s.  References without a target:', shown, hits, total, target)
    FROM col JOIN target USING (path)
  UNION ALL SELECT 4, path, 1, 0, choice, format('SELECT %1$s, %2$s FROM %3$s AS t WHERE NOT EXISTS '
      '(SELECT FROM %4$s AS r WHERE r._id = t.%2$s) AND %2$s IS NOT NULL;',
      CASE level WHEN 0 THEN '_id' ELSE columns END, col, name, target) FROM col JOIN target USING (path)
  UNION ALL SELECT 4, path, 2, 0, choice, format('CREATE INDEX ON %s (%s);', name, col)
    FROM col JOIN target USING (path)
  UNION ALL SELECT 4, path, 3, 0, choice OR hits < total,
      format('ALTER TABLE %s ADD FOREIGN KEY (%s) REFERENCES %s (_id);', name, col, target)
    FROM col JOIN target USING (path)
)
-- an empty line before each part; a comment stays in its line
SELECT CASE WHEN nth = 0 AND section > 1 THEN E'\n' ELSE '' END
  || CASE WHEN remark THEN '-- ' || translate(line, E'\n\r', '  ') ELSE line END
FROM output ORDER BY section, path COLLATE "C", nth, from_end DESC;
COMMIT;
