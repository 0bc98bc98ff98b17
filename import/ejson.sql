-- Functions that turn values of relaxed Extended JSON, as objectid-import stores them, into
-- values of SQL.  A value of a different type, or out of range, gives NULL instead of an error,
-- so that one document cannot make a column or an index impossible.  They are immutable: no
-- cast of text to a date, which would depend on settings.
--
--     psql -1 -v ON_ERROR_STOP=1 -f ejson.sql

-- a date from 1970 to 9999 is text, any other the number of milliseconds since 1970
CREATE FUNCTION ejson_date(value jsonb) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN value->>'$date' ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?Z$' THEN
    make_timestamp(substr(value->>'$date', 1, 4)::integer, substr(value->>'$date', 6, 2)::integer,
                   substr(value->>'$date', 9, 2)::integer, substr(value->>'$date', 12, 2)::integer,
                   substr(value->>'$date', 15, 2)::integer, rtrim(substr(value->>'$date', 18), 'Z')::float8)
    AT TIME ZONE 'UTC'
  WHEN value->'$date'->>'$numberLong' ~ '^(-[0-9]{1,14}|[0-9]{1,15})$' THEN
    to_timestamp((value->'$date'->>'$numberLong')::bigint / 1000.0)
END;

-- integers, doubles, Decimal128, and text that is a number
CREATE FUNCTION ejson_numeric(value jsonb) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN jsonb_typeof(value) = 'number' THEN value::numeric
  WHEN coalesce(value->>'$numberDecimal', value->>'$numberDouble', value->>'$numberLong', value->>'$numberInt',
                value #>> '{}')
    ~ '^([+-]?[0-9]{1,50}([.][0-9]{1,50})?([eE][+-]?[0-9]{1,4})?|NaN|-?Infinity)$' THEN
    coalesce(value->>'$numberDecimal', value->>'$numberDouble', value->>'$numberLong', value->>'$numberInt',
             value #>> '{}')::numeric
END;

-- whole numbers
CREATE FUNCTION ejson_integer(value jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ejson_numeric(value) BETWEEN -9223372036854775808 AND 9223372036854775807 THEN
  CASE WHEN trunc(ejson_numeric(value)) = ejson_numeric(value) THEN ejson_numeric(value)::bigint END
END;

-- the cast raises an error for other numbers, which are beyond a double
CREATE FUNCTION ejson_double(value jsonb) RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ejson_numeric(value) IN (0, 'NaN', 'Infinity', '-Infinity')
              OR abs(ejson_numeric(value)) BETWEEN 4.9e-324 AND 1.7976931348623157e308
            THEN ejson_numeric(value)::float8 END;

CREATE FUNCTION ejson_boolean(value jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(value) = 'boolean' THEN value::boolean END;

CREATE FUNCTION ejson_objectid(value jsonb) RETURNS objectid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN objectid_is_valid(coalesce(value->>'$oid', value #>> '{}'))
            THEN coalesce(value->>'$oid', value #>> '{}')::objectid END;

CREATE FUNCTION ejson_bytea(value jsonb) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN value->'$binary'->>'base64' ~ '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$'
            THEN decode(value->'$binary'->>'base64', 'base64') END;

CREATE FUNCTION ejson_uuid(value jsonb) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN value->'$binary'->>'subType' = '04' AND length(ejson_bytea(value)) = 16
            THEN encode(ejson_bytea(value), 'hex')::uuid END;
