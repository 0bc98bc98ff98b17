-- Functions that turn values of relaxed Extended JSON, as objectid-import stores them, into values of SQL.  A value of
-- a different type, or out of range, gives NULL instead of an error, so that one document cannot make a column or an
-- index impossible.  They are immutable: no cast of text to a date, which would depend on settings.
--
--     psql -f ejson.sql          in the current schema; --schema-only creates them in that of its tables
--
-- They use only pg_catalog and the type objectid: the extension's, or a domain that belongs to this role, a superuser
-- or the owner of the database.
\set ON_ERROR_STOP on
SELECT pg_catalog.quote_ident(pg_catalog.current_schema()) AS ejson, pg_catalog.current_schemas(true) AS path \gset
BEGIN;
SET LOCAL search_path = pg_catalog, pg_temp;
SELECT quote_ident(nspname) AS ids
FROM pg_type AS t JOIN pg_namespace AS n ON n.oid = typnamespace JOIN pg_roles AS r ON r.oid = typowner
WHERE typname = 'objectid' AND (nspname = 'pg_catalog'
  OR typtype = 'd' AND nspname = ANY (:'path'::name[]) AND (rolsuper OR rolname IN (current_user, 'pg_database_owner')
    OR r.oid = (SELECT datdba FROM pg_database WHERE datname = current_database())))
ORDER BY nspname <> 'pg_catalog', array_position(:'path'::name[], nspname) LIMIT 1 \gset

-- The others call the first two for text.  PL/pgSQL is not inlined, else the text would be computed many times.  It
-- looks names up when it runs, so they have their schemas.
CREATE FUNCTION :ejson.ejson_parse_date(value text) RETURNS timestamptz
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  zone pg_catalog.text := coalesce(pg_catalog.substring(value, '[+-][0-9:]+$'), '+00');
BEGIN
  IF value OPERATOR(pg_catalog.~) ('^([1-9][0-9]{3}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])'
    '|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))'
    '|([1-9][0-9](0[48]|[2468][048]|[13579][26])|([2468][048]|[13579][26])00)-02-29)'
    '[T ]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]+)?(Z|[+-](0[0-9]|1[0-4]):?[0-5][0-9])$') THEN
    RETURN (pg_catalog.make_timestamp(
      pg_catalog.substr(value, 1, 4)::integer, pg_catalog.substr(value, 6, 2)::integer,
      pg_catalog.substr(value, 9, 2)::integer, pg_catalog.substr(value, 12, 2)::integer,
      pg_catalog.substr(value, 15, 2)::integer,
      pg_catalog.substring(pg_catalog.substr(value, 18), '^[0-9.]+')::double precision)
      OPERATOR(pg_catalog.-) pg_catalog.make_interval(
        hours => pg_catalog.substr(zone, 1, 3)::integer,
        mins => pg_catalog.concat(pg_catalog.substr(zone, 1, 1), pg_catalog.right(zone, 2))::integer))
      AT TIME ZONE 'UTC';
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION :ejson.ejson_parse_numeric(value jsonb) RETURNS numeric
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  number pg_catalog.text := coalesce(
    value OPERATOR(pg_catalog.->>) '$numberDecimal', value OPERATOR(pg_catalog.->>) '$numberDouble',
    value OPERATOR(pg_catalog.->>) '$numberLong', value OPERATOR(pg_catalog.->>) '$numberInt',
    value OPERATOR(pg_catalog.#>>) '{}');
BEGIN
  IF number OPERATOR(pg_catalog.~)
      '^([+-]?[0-9]{1,50}([.][0-9]{1,50})?([eE][+-]?[0-9]{1,4})?|NaN|-?Infinity)$' THEN
    RETURN number::numeric;
  END IF;
  RETURN NULL;
END
$$;

-- a date from 1970 to 9999 is text, any other the number of milliseconds since 1970
CREATE FUNCTION :ejson.ejson_date(value jsonb) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE jsonb_typeof(coalesce(value->'$date', value))
  WHEN 'string' THEN :ejson.ejson_parse_date(coalesce(value->>'$date', value #>> '{}'))
  WHEN 'object' THEN
    CASE WHEN :ejson.ejson_parse_numeric(value->'$date') BETWEEN -210866803200000 AND 9224318015999999 THEN
      -- days and milliseconds, because intervals are multiplied by doubles
      (timestamp '1970-01-01' + div(:ejson.ejson_parse_numeric(value->'$date'), 86400000)::integer * interval '1 day'
        + mod(:ejson.ejson_parse_numeric(value->'$date'), 86400000)::integer * interval '0.001 second')
      AT TIME ZONE 'UTC'
    END
END;

-- integers, doubles, Decimal128, and text that is a number
CREATE FUNCTION :ejson.ejson_numeric(value jsonb) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE jsonb_typeof(value) WHEN 'number' THEN value::numeric ELSE :ejson.ejson_parse_numeric(value) END;

-- whole numbers; not by ejson_numeric, which takes 15 % longer
CREATE FUNCTION :ejson.ejson_integer(value jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE jsonb_typeof(value)
  WHEN 'number' THEN
    CASE WHEN mod(value::numeric, 1) = 0 AND abs(value::numeric + 0.5) < 9223372036854775808 THEN value::bigint END
  ELSE
    CASE WHEN mod(:ejson.ejson_parse_numeric(value), 1) = 0
           AND abs(:ejson.ejson_parse_numeric(value) + 0.5) < 9223372036854775808
         THEN :ejson.ejson_parse_numeric(value)::bigint END
END;

-- the cast raises an error for other numbers, which are beyond a double
CREATE FUNCTION :ejson.ejson_double(value jsonb) RETURNS double precision
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN numrange(4.9e-324, 1.7976931348623157e308, '[]') @> abs(:ejson.ejson_numeric(value))
              OR :ejson.ejson_numeric(value) IN (0, 'NaN', 'Infinity', '-Infinity')
            THEN :ejson.ejson_numeric(value)::float8 END;

CREATE FUNCTION :ejson.ejson_boolean(value jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) = 'boolean' THEN value::boolean END;

CREATE FUNCTION :ejson.ejson_objectid(value jsonb) RETURNS :ids.objectid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN :ids.objectid_is_valid(coalesce(value->>'$oid', value #>> '{}'))
            THEN CAST(coalesce(value->>'$oid', value #>> '{}') AS :ids.objectid) END;

CREATE FUNCTION :ejson.ejson_bytea(value jsonb) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN value->'$binary'->>'base64' ~ '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$'
            THEN decode(value->'$binary'->>'base64', 'base64') END;

CREATE FUNCTION :ejson.ejson_uuid(value jsonb) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN value->'$binary'->>'subType' = '04' AND length(:ejson.ejson_bytea(value)) = 16
            THEN encode(:ejson.ejson_bytea(value), 'hex')::uuid END;

-- the elements of an array; an object in its place is one, but not the object that a value is written as
CREATE FUNCTION :ejson.ejson_elements(value jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE jsonb_typeof(value) WHEN 'array' THEN value WHEN 'object' THEN
  CASE WHEN value::text !~ ('^{"[$](oid|number(Double|Decimal)|date|binary|regularExpression|timestamp|code|symbol'
                            '|dbPointer|minKey|maxKey|undefined)":')
       THEN jsonb_build_array(value) END END;

-- arrays, whose elements keep their places; NULL for anything else
CREATE FUNCTION :ejson.ejson_dates(value jsonb) RETURNS timestamptz[] LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  CASE jsonb_typeof(value) WHEN 'array' THEN ARRAY(SELECT :ejson.ejson_date(e) FROM jsonb_array_elements(value) AS e) END;

CREATE FUNCTION :ejson.ejson_numerics(value jsonb) RETURNS numeric[] LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  CASE jsonb_typeof(value) WHEN 'array' THEN ARRAY(SELECT :ejson.ejson_numeric(e) FROM jsonb_array_elements(value) AS e) END;

CREATE FUNCTION :ejson.ejson_integers(value jsonb) RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  CASE jsonb_typeof(value) WHEN 'array' THEN ARRAY(SELECT :ejson.ejson_integer(e) FROM jsonb_array_elements(value) AS e) END;

CREATE FUNCTION :ejson.ejson_doubles(value jsonb) RETURNS double precision[] LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  CASE jsonb_typeof(value) WHEN 'array' THEN ARRAY(SELECT :ejson.ejson_double(e) FROM jsonb_array_elements(value) AS e) END;

CREATE FUNCTION :ejson.ejson_booleans(value jsonb) RETURNS boolean[] LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  CASE jsonb_typeof(value) WHEN 'array' THEN ARRAY(SELECT :ejson.ejson_boolean(e) FROM jsonb_array_elements(value) AS e) END;

CREATE FUNCTION :ejson.ejson_texts(value jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  CASE jsonb_typeof(value) WHEN 'array' THEN ARRAY(SELECT e #>> '{}' FROM jsonb_array_elements(value) AS e) END;

CREATE FUNCTION :ejson.ejson_byteas(value jsonb) RETURNS bytea[] LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  CASE jsonb_typeof(value) WHEN 'array' THEN ARRAY(SELECT :ejson.ejson_bytea(e) FROM jsonb_array_elements(value) AS e) END;

CREATE FUNCTION :ejson.ejson_uuids(value jsonb) RETURNS uuid[] LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  CASE jsonb_typeof(value) WHEN 'array' THEN ARRAY(SELECT :ejson.ejson_uuid(e) FROM jsonb_array_elements(value) AS e) END;

SELECT format('COMMENT ON FUNCTION %s IS ''values 1, by objectid-import''', oid::regprocedure)
FROM pg_proc WHERE pronamespace = :'ejson'::regnamespace AND proname ~ '^ejson_' \gexec
COMMIT;
