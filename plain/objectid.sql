/* plain/objectid.sql */

--
-- objectid in plain SQL, for servers that do not allow the extension.  Any user
-- with CREATE on a schema can run this file, once, in that schema:
--
--     psql -1 -v ON_ERROR_STOP=1 -f plain/objectid.sql
--
-- docs/managed.md lists what it creates and the differences from the extension.
-- Each name has its schema, except those that this file creates, and none of these is in
-- a string.  So nothing in anybody's search_path or temporary schema can replace them,
-- when this file runs or later.
--

--
-- Type
--

CREATE DOMAIN objectid AS pg_catalog.text COLLATE pg_catalog."C"
	CONSTRAINT objectid_is_24_lower_case_digits
	CHECK (pg_catalog.octet_length(VALUE) OPERATOR(pg_catalog.=) 24 AND VALUE OPERATOR(pg_catalog.!~) '[^0-9a-f]');
COMMENT ON DOMAIN objectid IS 'MongoDB ObjectId as 24 lower-case hexadecimal digits, sorted by creation time';
COMMENT ON CONSTRAINT objectid_is_24_lower_case_digits ON DOMAIN objectid IS 'other text forms must be converted first';
COMMENT ON TYPE objectid[] IS 'array of ObjectIds';

-- Citus finds no rows by a distribution column of a domain with a CHECK, and UPDATE or DELETE by it crashes.
DO $$BEGIN
	IF EXISTS (SELECT FROM pg_catalog.pg_extension WHERE extname OPERATOR(pg_catalog.=) 'citus') THEN
		RAISE WARNING 'do not distribute tables by a column of type objectid'
			USING DETAIL = 'With Citus, queries by such a column find no rows, and UPDATE and DELETE crash the server.',
				HINT = 'Distribute by another column, or see docs/managed.md.';
	END IF;
END$$;

CREATE FUNCTION objectid_is_valid(pg_catalog.text) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN pg_catalog.octet_length($1) OPERATOR(pg_catalog.=) 24 AND $1 COLLATE pg_catalog."C" OPERATOR(pg_catalog.!~) '[^0-9a-f]';
COMMENT ON FUNCTION objectid_is_valid(pg_catalog.text) IS 'is this text a value of the domain objectid?';

--
-- Time
--

CREATE FUNCTION objectid_time(objectid) RETURNS pg_catalog.timestamptz
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN pg_catalog.to_timestamp(('x' OPERATOR(pg_catalog.||) pg_catalog.left($1, 8))::bit(32)::bigint::double precision);
COMMENT ON FUNCTION objectid_time(objectid) IS 'the second in which the id was generated';

CREATE FUNCTION objectid_from_time(pg_catalog.timestamptz) RETURNS objectid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
	IF $1 OPERATOR(pg_catalog.<) '1970-01-01 00:00:00+00'::pg_catalog.timestamptz
		OR $1 OPERATOR(pg_catalog.>=) '2106-02-07 06:28:16+00'::pg_catalog.timestamptz THEN
		RAISE datetime_field_overflow
			USING MESSAGE = 'timestamp out of range for type objectid (1970-01-01 00:00:00 to 2106-02-07 06:28:15 UTC)';
	END IF;
	RETURN pg_catalog.lpad(pg_catalog.to_hex(pg_catalog.floor(pg_catalog.date_part('epoch'::pg_catalog.text, $1))::bigint), 8, '0'::pg_catalog.text)
		OPERATOR(pg_catalog.||) '0000000000000000'::pg_catalog.text;
END$$;
COMMENT ON FUNCTION objectid_from_time(pg_catalog.timestamptz) IS 'the smallest id of that second: a boundary, not a new id; out of range is an error';

--
-- Generators
--
-- The planner replaces a call of an SQL function by its expression, and then does
-- not check the domain.  So the expression must always return a valid id.
--
-- Below Gather, PostgreSQL evaluates two equal calls only once, so that both columns get
-- the same id.  So both are PARALLEL RESTRICTED.
--

-- volatile, so that the planner does not evaluate it in advance
CREATE FUNCTION objectid_clock_error() RETURNS pg_catalog.text
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
		WHEN pg_catalog.clock_timestamp() OPERATOR(pg_catalog.>=) '1970-01-01 00:00:00+00'::pg_catalog.timestamptz
			AND pg_catalog.clock_timestamp() OPERATOR(pg_catalog.<) '2106-02-07 06:28:15+00'::pg_catalog.timestamptz
		THEN pg_catalog.lpad(pg_catalog.to_hex(pg_catalog.floor(pg_catalog.date_part('epoch', pg_catalog.clock_timestamp()))::bigint), 8, '0')
			OPERATOR(pg_catalog.||) overlay(pg_catalog.gen_random_uuid()::pg_catalog.text PLACING '' FROM 9 FOR 20)
		ELSE objectid_clock_error()
	END;
COMMENT ON FUNCTION gen_objectid() IS 'generate a new id for now';

CREATE FUNCTION gen_objectid(pg_catalog.timestamptz) RETURNS objectid
	LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED
	RETURN pg_catalog.left(objectid_from_time($1), 8)
		OPERATOR(pg_catalog.||) overlay(pg_catalog.gen_random_uuid()::pg_catalog.text PLACING '' FROM 9 FOR 20);
COMMENT ON FUNCTION gen_objectid(pg_catalog.timestamptz) IS 'generate a new id, stamped with that instant';

--
-- Instants: comparison of objectid and timestamptz
--
-- No id is later than 2106-02-07 06:28:15 UTC.  So the greatest id is the boundary for
-- later instants, and compares as later than all of them.
--

CREATE FUNCTION objectid_upper_bound(pg_catalog.timestamptz) RETURNS objectid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
	IF $1 OPERATOR(pg_catalog.<) '1970-01-01 00:00:00+00'::pg_catalog.timestamptz THEN
		RETURN '000000000000000000000000';
	ELSIF $1 OPERATOR(pg_catalog.>=) '2106-02-07 06:28:15+00'::pg_catalog.timestamptz THEN
		RETURN 'ffffffffffffffffffffffff';
	END IF;
	RETURN pg_catalog.lpad(pg_catalog.to_hex(pg_catalog.floor(pg_catalog.date_part('epoch'::pg_catalog.text, $1))::bigint OPERATOR(pg_catalog.+) 1::bigint), 8, '0'::pg_catalog.text)
		OPERATOR(pg_catalog.||) '0000000000000000'::pg_catalog.text;
END$$;
COMMENT ON FUNCTION objectid_upper_bound(pg_catalog.timestamptz) IS 'the smallest id that is > that instant, or else the greatest id; for any instant';

CREATE FUNCTION objectid_lower_bound(pg_catalog.timestamptz) RETURNS objectid
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
	IF $1 OPERATOR(pg_catalog.<=) '1970-01-01 00:00:00+00'::pg_catalog.timestamptz THEN
		RETURN '000000000000000000000000';
	ELSIF $1 OPERATOR(pg_catalog.>) '2106-02-07 06:28:15+00'::pg_catalog.timestamptz THEN
		RETURN 'ffffffffffffffffffffffff';
	END IF;
	RETURN pg_catalog.lpad(pg_catalog.to_hex(pg_catalog.ceil(pg_catalog.date_part('epoch'::pg_catalog.text, $1))::bigint), 8, '0'::pg_catalog.text)
		OPERATOR(pg_catalog.||) '0000000000000000'::pg_catalog.text;
END$$;
COMMENT ON FUNCTION objectid_lower_bound(pg_catalog.timestamptz) IS 'the smallest id that is >= that instant, or else the greatest id; for any instant';

CREATE FUNCTION objectid_lt_timestamptz(objectid, pg_catalog.timestamptz) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN $1 OPERATOR(pg_catalog.<) objectid_lower_bound($2);
COMMENT ON FUNCTION objectid_lt_timestamptz(objectid, pg_catalog.timestamptz) IS 'implementation of < operator';

CREATE FUNCTION objectid_le_timestamptz(objectid, pg_catalog.timestamptz) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN $1 OPERATOR(pg_catalog.<) objectid_upper_bound($2);
COMMENT ON FUNCTION objectid_le_timestamptz(objectid, pg_catalog.timestamptz) IS 'implementation of <= operator';

CREATE FUNCTION objectid_ge_timestamptz(objectid, pg_catalog.timestamptz) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN $1 OPERATOR(pg_catalog.>=) objectid_lower_bound($2);
COMMENT ON FUNCTION objectid_ge_timestamptz(objectid, pg_catalog.timestamptz) IS 'implementation of >= operator';

CREATE FUNCTION objectid_gt_timestamptz(objectid, pg_catalog.timestamptz) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN $1 OPERATOR(pg_catalog.>=) objectid_upper_bound($2);
COMMENT ON FUNCTION objectid_gt_timestamptz(objectid, pg_catalog.timestamptz) IS 'implementation of > operator';

CREATE FUNCTION timestamptz_lt_objectid(pg_catalog.timestamptz, objectid) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN $2 OPERATOR(pg_catalog.>=) objectid_upper_bound($1);
COMMENT ON FUNCTION timestamptz_lt_objectid(pg_catalog.timestamptz, objectid) IS 'implementation of < operator';

CREATE FUNCTION timestamptz_le_objectid(pg_catalog.timestamptz, objectid) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN $2 OPERATOR(pg_catalog.>=) objectid_lower_bound($1);
COMMENT ON FUNCTION timestamptz_le_objectid(pg_catalog.timestamptz, objectid) IS 'implementation of <= operator';

CREATE FUNCTION timestamptz_ge_objectid(pg_catalog.timestamptz, objectid) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN $2 OPERATOR(pg_catalog.<) objectid_upper_bound($1);
COMMENT ON FUNCTION timestamptz_ge_objectid(pg_catalog.timestamptz, objectid) IS 'implementation of >= operator';

CREATE FUNCTION timestamptz_gt_objectid(pg_catalog.timestamptz, objectid) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN $2 OPERATOR(pg_catalog.<) objectid_lower_bound($1);
COMMENT ON FUNCTION timestamptz_gt_objectid(pg_catalog.timestamptz, objectid) IS 'implementation of > operator';

CREATE OPERATOR < (
	FUNCTION = objectid_lt_timestamptz, LEFTARG = objectid, RIGHTARG = pg_catalog.timestamptz,
	COMMUTATOR = >, NEGATOR = >=,
	RESTRICT = pg_catalog.scalarltsel, JOIN = pg_catalog.scalarltjoinsel
);
COMMENT ON OPERATOR < (objectid, pg_catalog.timestamptz) IS 'less than';

CREATE OPERATOR <= (
	FUNCTION = objectid_le_timestamptz, LEFTARG = objectid, RIGHTARG = pg_catalog.timestamptz,
	COMMUTATOR = >=, NEGATOR = >,
	RESTRICT = pg_catalog.scalarlesel, JOIN = pg_catalog.scalarlejoinsel
);
COMMENT ON OPERATOR <= (objectid, pg_catalog.timestamptz) IS 'less than or equal';

CREATE OPERATOR >= (
	FUNCTION = objectid_ge_timestamptz, LEFTARG = objectid, RIGHTARG = pg_catalog.timestamptz,
	COMMUTATOR = <=, NEGATOR = <,
	RESTRICT = pg_catalog.scalargesel, JOIN = pg_catalog.scalargejoinsel
);
COMMENT ON OPERATOR >= (objectid, pg_catalog.timestamptz) IS 'greater than or equal';

CREATE OPERATOR > (
	FUNCTION = objectid_gt_timestamptz, LEFTARG = objectid, RIGHTARG = pg_catalog.timestamptz,
	COMMUTATOR = <, NEGATOR = <=,
	RESTRICT = pg_catalog.scalargtsel, JOIN = pg_catalog.scalargtjoinsel
);
COMMENT ON OPERATOR > (objectid, pg_catalog.timestamptz) IS 'greater than';

CREATE OPERATOR < (
	FUNCTION = timestamptz_lt_objectid, LEFTARG = pg_catalog.timestamptz, RIGHTARG = objectid,
	COMMUTATOR = >, NEGATOR = >=,
	RESTRICT = pg_catalog.scalarltsel, JOIN = pg_catalog.scalarltjoinsel
);
COMMENT ON OPERATOR < (pg_catalog.timestamptz, objectid) IS 'less than';

CREATE OPERATOR <= (
	FUNCTION = timestamptz_le_objectid, LEFTARG = pg_catalog.timestamptz, RIGHTARG = objectid,
	COMMUTATOR = >=, NEGATOR = >,
	RESTRICT = pg_catalog.scalarlesel, JOIN = pg_catalog.scalarlejoinsel
);
COMMENT ON OPERATOR <= (pg_catalog.timestamptz, objectid) IS 'less than or equal';

CREATE OPERATOR >= (
	FUNCTION = timestamptz_ge_objectid, LEFTARG = pg_catalog.timestamptz, RIGHTARG = objectid,
	COMMUTATOR = <=, NEGATOR = <,
	RESTRICT = pg_catalog.scalargesel, JOIN = pg_catalog.scalargejoinsel
);
COMMENT ON OPERATOR >= (pg_catalog.timestamptz, objectid) IS 'greater than or equal';

CREATE OPERATOR > (
	FUNCTION = timestamptz_gt_objectid, LEFTARG = pg_catalog.timestamptz, RIGHTARG = objectid,
	COMMUTATOR = <, NEGATOR = <=,
	RESTRICT = pg_catalog.scalargtsel, JOIN = pg_catalog.scalargtjoinsel
);
COMMENT ON OPERATOR > (pg_catalog.timestamptz, objectid) IS 'greater than';
