/* plain/objectid.sql */

--
-- objectid in plain SQL, for servers that do not allow the extension.  Any user
-- with CREATE on a schema can run this file, once, in that schema:
--
--     psql -1 -v ON_ERROR_STOP=1 -f plain/objectid.sql
--
-- docs/managed.md lists what it creates and the differences from the extension.
-- Functions in PL/pgSQL look up names when they run.  So they only call functions
-- that pg_catalog has for exactly these argument types: no search_path can replace
-- them, unless it names pg_catalog after another schema.
--

--
-- Type
--

CREATE DOMAIN objectid AS text COLLATE "C"
	CONSTRAINT objectid_is_24_lower_case_digits
	CHECK (octet_length(VALUE) = 24 AND VALUE !~ '[^0-9a-f]');
COMMENT ON DOMAIN objectid IS 'MongoDB ObjectId as 24 lower-case hexadecimal digits, sorted by creation time';
COMMENT ON CONSTRAINT objectid_is_24_lower_case_digits ON DOMAIN objectid IS 'other text forms must be converted first';
COMMENT ON TYPE objectid[] IS 'array of ObjectIds';

CREATE FUNCTION objectid_is_valid(text) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN octet_length($1) = 24 AND $1 COLLATE "C" !~ '[^0-9a-f]';
COMMENT ON FUNCTION objectid_is_valid(text) IS 'is this text a value of the domain objectid?';

--
-- Time
--

CREATE FUNCTION objectid_time(objectid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN to_timestamp(('x' || left($1, 8))::bit(32)::bigint);
COMMENT ON FUNCTION objectid_time(objectid) IS 'the second in which the id was generated';

CREATE FUNCTION objectid_from_time(timestamptz) RETURNS objectid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
	IF $1 < '1970-01-01 00:00:00+00'::timestamptz OR $1 >= '2106-02-07 06:28:16+00'::timestamptz THEN
		RAISE datetime_field_overflow
			USING MESSAGE = 'timestamp out of range for type objectid (1970-01-01 00:00:00 to 2106-02-07 06:28:15 UTC)';
	END IF;
	RETURN lpad(to_hex(floor(date_part('epoch'::text, $1))::bigint), 8, '0'::text) || '0000000000000000'::text;
END$$;
COMMENT ON FUNCTION objectid_from_time(timestamptz) IS 'the smallest id of that second: a boundary, not a new id; out of range is an error';

--
-- Generators
--
-- The planner replaces a call of an SQL function by its expression, and then does
-- not check the domain.  So the expression must always return a valid id.
--
-- Below Gather, PostgreSQL evaluates two equal calls only once, so that both columns get
-- the same id.  So gen_objectid() is PARALLEL RESTRICTED.  gen_objectid(timestamptz) is
-- PARALLEL UNSAFE, because CREATE TABLE AS with a parallel plan cannot call a volatile
-- function in PL/pgSQL.
--

-- volatile, so that the planner does not evaluate it in advance
CREATE FUNCTION objectid_clock_error() RETURNS text
	LANGUAGE plpgsql VOLATILE PARALLEL SAFE AS $$
BEGIN
	RAISE datetime_field_overflow
		USING MESSAGE = 'system clock out of range for type objectid (1970-01-01 00:00:00 to 2106-02-07 06:28:15 UTC)';
END$$;
COMMENT ON FUNCTION objectid_clock_error() IS 'implementation of gen_objectid()';

-- excludes the last second of the range, because the clock is read again after the check
CREATE FUNCTION gen_objectid() RETURNS objectid
	LANGUAGE sql VOLATILE PARALLEL RESTRICTED
	RETURN CASE
		WHEN clock_timestamp() >= timestamptz '1970-01-01 00:00:00+00' AND clock_timestamp() < timestamptz '2106-02-07 06:28:15+00'
		THEN lpad(to_hex(floor(date_part('epoch', clock_timestamp()))::bigint), 8, '0') ||
			overlay(gen_random_uuid()::text PLACING '' FROM 9 FOR 20)
		ELSE objectid_clock_error()
	END;
COMMENT ON FUNCTION gen_objectid() IS 'generate a new id for now';

CREATE FUNCTION gen_objectid(timestamptz) RETURNS objectid
	LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE AS $$
BEGIN
	IF $1 < '1970-01-01 00:00:00+00'::timestamptz OR $1 >= '2106-02-07 06:28:16+00'::timestamptz THEN
		RAISE datetime_field_overflow
			USING MESSAGE = 'timestamp out of range for type objectid (1970-01-01 00:00:00 to 2106-02-07 06:28:15 UTC)';
	END IF;
	RETURN lpad(to_hex(floor(date_part('epoch'::text, $1))::bigint), 8, '0'::text) ||
		overlay(gen_random_uuid()::text PLACING ''::text FROM 9 FOR 20);
END$$;
COMMENT ON FUNCTION gen_objectid(timestamptz) IS 'generate a new id, stamped with that instant';

--
-- Instants: comparison of objectid and timestamptz
--
-- No id is later than 2106-02-07 06:28:15 UTC.  So the greatest id is the boundary for
-- later instants, and compares as later than all of them.
--

CREATE FUNCTION objectid_upper_bound(timestamptz) RETURNS objectid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
	IF $1 < '1970-01-01 00:00:00+00'::timestamptz THEN
		RETURN '000000000000000000000000';
	ELSIF $1 >= '2106-02-07 06:28:15+00'::timestamptz THEN
		RETURN 'ffffffffffffffffffffffff';
	END IF;
	RETURN lpad(to_hex(floor(date_part('epoch'::text, $1))::bigint + 1::bigint), 8, '0'::text) || '0000000000000000'::text;
END$$;
COMMENT ON FUNCTION objectid_upper_bound(timestamptz) IS 'the smallest id that is > that instant, or else the greatest id; for any instant';

CREATE FUNCTION objectid_lower_bound(timestamptz) RETURNS objectid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
	IF $1 <= '1970-01-01 00:00:00+00'::timestamptz THEN
		RETURN '000000000000000000000000';
	ELSIF $1 > '2106-02-07 06:28:15+00'::timestamptz THEN
		RETURN 'ffffffffffffffffffffffff';
	END IF;
	RETURN lpad(to_hex(ceil(date_part('epoch'::text, $1))::bigint), 8, '0'::text) || '0000000000000000'::text;
END$$;
COMMENT ON FUNCTION objectid_lower_bound(timestamptz) IS 'the smallest id that is >= that instant, or else the greatest id; for any instant';

CREATE FUNCTION objectid_lt_timestamptz(objectid, timestamptz) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN $1 < objectid_lower_bound($2);
COMMENT ON FUNCTION objectid_lt_timestamptz(objectid, timestamptz) IS 'implementation of < operator';

CREATE FUNCTION objectid_le_timestamptz(objectid, timestamptz) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN $1 < objectid_upper_bound($2);
COMMENT ON FUNCTION objectid_le_timestamptz(objectid, timestamptz) IS 'implementation of <= operator';

CREATE FUNCTION objectid_ge_timestamptz(objectid, timestamptz) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN $1 >= objectid_lower_bound($2);
COMMENT ON FUNCTION objectid_ge_timestamptz(objectid, timestamptz) IS 'implementation of >= operator';

CREATE FUNCTION objectid_gt_timestamptz(objectid, timestamptz) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN $1 >= objectid_upper_bound($2);
COMMENT ON FUNCTION objectid_gt_timestamptz(objectid, timestamptz) IS 'implementation of > operator';

CREATE FUNCTION timestamptz_lt_objectid(timestamptz, objectid) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN $2 >= objectid_upper_bound($1);
COMMENT ON FUNCTION timestamptz_lt_objectid(timestamptz, objectid) IS 'implementation of < operator';

CREATE FUNCTION timestamptz_le_objectid(timestamptz, objectid) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN $2 >= objectid_lower_bound($1);
COMMENT ON FUNCTION timestamptz_le_objectid(timestamptz, objectid) IS 'implementation of <= operator';

CREATE FUNCTION timestamptz_ge_objectid(timestamptz, objectid) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN $2 < objectid_upper_bound($1);
COMMENT ON FUNCTION timestamptz_ge_objectid(timestamptz, objectid) IS 'implementation of >= operator';

CREATE FUNCTION timestamptz_gt_objectid(timestamptz, objectid) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN $2 < objectid_lower_bound($1);
COMMENT ON FUNCTION timestamptz_gt_objectid(timestamptz, objectid) IS 'implementation of > operator';

CREATE OPERATOR < (
	FUNCTION = objectid_lt_timestamptz, LEFTARG = objectid, RIGHTARG = timestamptz,
	COMMUTATOR = >, NEGATOR = >=,
	RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (objectid, timestamptz) IS 'less than';

CREATE OPERATOR <= (
	FUNCTION = objectid_le_timestamptz, LEFTARG = objectid, RIGHTARG = timestamptz,
	COMMUTATOR = >=, NEGATOR = >,
	RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (objectid, timestamptz) IS 'less than or equal';

CREATE OPERATOR >= (
	FUNCTION = objectid_ge_timestamptz, LEFTARG = objectid, RIGHTARG = timestamptz,
	COMMUTATOR = <=, NEGATOR = <,
	RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (objectid, timestamptz) IS 'greater than or equal';

CREATE OPERATOR > (
	FUNCTION = objectid_gt_timestamptz, LEFTARG = objectid, RIGHTARG = timestamptz,
	COMMUTATOR = <, NEGATOR = <=,
	RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (objectid, timestamptz) IS 'greater than';

CREATE OPERATOR < (
	FUNCTION = timestamptz_lt_objectid, LEFTARG = timestamptz, RIGHTARG = objectid,
	COMMUTATOR = >, NEGATOR = >=,
	RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (timestamptz, objectid) IS 'less than';

CREATE OPERATOR <= (
	FUNCTION = timestamptz_le_objectid, LEFTARG = timestamptz, RIGHTARG = objectid,
	COMMUTATOR = >=, NEGATOR = >,
	RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (timestamptz, objectid) IS 'less than or equal';

CREATE OPERATOR >= (
	FUNCTION = timestamptz_ge_objectid, LEFTARG = timestamptz, RIGHTARG = objectid,
	COMMUTATOR = <=, NEGATOR = <,
	RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (timestamptz, objectid) IS 'greater than or equal';

CREATE OPERATOR > (
	FUNCTION = timestamptz_gt_objectid, LEFTARG = timestamptz, RIGHTARG = objectid,
	COMMUTATOR = <, NEGATOR = <=,
	RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (timestamptz, objectid) IS 'greater than';
