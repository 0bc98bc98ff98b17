/* objectid--1.0.sql */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION objectid" to load this file. \quit

--
-- Type, text and binary form
--

CREATE TYPE objectid;
COMMENT ON TYPE objectid IS 'MongoDB ObjectId: 12 bytes, sorted by the time they were made';

CREATE FUNCTION objectid_in(cstring) RETURNS objectid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_in(cstring) IS 'I/O';

CREATE FUNCTION objectid_out(objectid) RETURNS cstring
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_out(objectid) IS 'I/O';

CREATE FUNCTION objectid_recv(internal) RETURNS objectid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_recv(internal) IS 'I/O';

CREATE FUNCTION objectid_send(objectid) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_send(objectid) IS 'I/O';

CREATE TYPE objectid (
	INPUT = objectid_in,
	OUTPUT = objectid_out,
	RECEIVE = objectid_recv,
	SEND = objectid_send,
	INTERNALLENGTH = 12,
	ALIGNMENT = char,
	STORAGE = plain
);
COMMENT ON TYPE objectid[] IS 'array of ObjectIds';

CREATE FUNCTION objectid_is_valid(text) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_is_valid(text) IS 'is this text valid input for type objectid?';

--
-- Time
--

CREATE FUNCTION objectid_time(objectid) RETURNS timestamptz
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_time(objectid) IS 'the second in which the id was made';

CREATE FUNCTION objectid_from_time(timestamptz) RETURNS objectid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_from_time(timestamptz) IS 'the smallest id of that second: a boundary, not a new id';

--
-- Casts
--
-- None is implicit: an implicit cast makes calls like max(id) ambiguous, and
-- would let a typing error pass for an id.  Text and bytea may be assigned, for
-- that is how drivers send parameters of an INSERT.  JSON and timestamptz, which
-- an id should not end up in or come from unawares, want to be told.
--

CREATE CAST (text AS objectid) WITH INOUT AS ASSIGNMENT;
COMMENT ON CAST (text AS objectid) IS 'as the input function reads it';

CREATE CAST (varchar AS objectid) WITH INOUT AS ASSIGNMENT;
COMMENT ON CAST (varchar AS objectid) IS 'as the input function reads it';

CREATE FUNCTION objectid_from_bytea(bytea) RETURNS objectid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_from_bytea(bytea) IS 'convert 12 bytes to objectid';
CREATE CAST (bytea AS objectid) WITH FUNCTION objectid_from_bytea(bytea) AS ASSIGNMENT;
COMMENT ON CAST (bytea AS objectid) IS 'the 12 bytes';

CREATE FUNCTION objectid_to_bytea(objectid) RETURNS bytea
	AS 'MODULE_PATHNAME', 'objectid_send' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_to_bytea(objectid) IS 'convert objectid to its 12 bytes';
CREATE CAST (objectid AS bytea) WITH FUNCTION objectid_to_bytea(objectid);
COMMENT ON CAST (objectid AS bytea) IS 'the 12 bytes';

CREATE FUNCTION objectid_from_json(json) RETURNS objectid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_from_json(json) IS 'convert a JSON string, or MongoDB Extended JSON, to objectid';
CREATE CAST (json AS objectid) WITH FUNCTION objectid_from_json(json);
COMMENT ON CAST (json AS objectid) IS 'a string or {"$oid": ...}; JSON null gives NULL';

CREATE FUNCTION objectid_from_jsonb(jsonb) RETURNS objectid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_from_jsonb(jsonb) IS 'convert a JSON string, or MongoDB Extended JSON, to objectid';
CREATE CAST (jsonb AS objectid) WITH FUNCTION objectid_from_jsonb(jsonb);
COMMENT ON CAST (jsonb AS objectid) IS 'a string or {"$oid": ...}; JSON null gives NULL';

CREATE CAST (objectid AS timestamptz) WITH FUNCTION objectid_time(objectid);
COMMENT ON CAST (objectid AS timestamptz) IS 'the second in which the id was made';

--
-- Comparison
--

CREATE FUNCTION objectid_lt(objectid, objectid) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_lt(objectid, objectid) IS 'implementation of < operator';

CREATE FUNCTION objectid_le(objectid, objectid) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_le(objectid, objectid) IS 'implementation of <= operator';

CREATE FUNCTION objectid_eq(objectid, objectid) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_eq(objectid, objectid) IS 'implementation of = operator';

CREATE FUNCTION objectid_ge(objectid, objectid) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_ge(objectid, objectid) IS 'implementation of >= operator';

CREATE FUNCTION objectid_gt(objectid, objectid) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_gt(objectid, objectid) IS 'implementation of > operator';

CREATE FUNCTION objectid_ne(objectid, objectid) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_ne(objectid, objectid) IS 'implementation of <> operator';

CREATE OPERATOR < (
	FUNCTION = objectid_lt, LEFTARG = objectid, RIGHTARG = objectid,
	COMMUTATOR = >, NEGATOR = >=,
	RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (objectid, objectid) IS 'less than';

CREATE OPERATOR <= (
	FUNCTION = objectid_le, LEFTARG = objectid, RIGHTARG = objectid,
	COMMUTATOR = >=, NEGATOR = >,
	RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
COMMENT ON OPERATOR <= (objectid, objectid) IS 'less than or equal';

CREATE OPERATOR = (
	FUNCTION = objectid_eq, LEFTARG = objectid, RIGHTARG = objectid,
	COMMUTATOR = =, NEGATOR = <>,
	RESTRICT = eqsel, JOIN = eqjoinsel,
	HASHES, MERGES
);
COMMENT ON OPERATOR = (objectid, objectid) IS 'equal';

CREATE OPERATOR >= (
	FUNCTION = objectid_ge, LEFTARG = objectid, RIGHTARG = objectid,
	COMMUTATOR = <=, NEGATOR = <,
	RESTRICT = scalargesel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (objectid, objectid) IS 'greater than or equal';

CREATE OPERATOR > (
	FUNCTION = objectid_gt, LEFTARG = objectid, RIGHTARG = objectid,
	COMMUTATOR = <, NEGATOR = <=,
	RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);
COMMENT ON OPERATOR > (objectid, objectid) IS 'greater than';

CREATE OPERATOR <> (
	FUNCTION = objectid_ne, LEFTARG = objectid, RIGHTARG = objectid,
	COMMUTATOR = <>, NEGATOR = =,
	RESTRICT = neqsel, JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (objectid, objectid) IS 'not equal';

--
-- btree
--

CREATE FUNCTION objectid_cmp(objectid, objectid) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_cmp(objectid, objectid) IS 'less-equal-greater';

CREATE FUNCTION objectid_sortsupport(internal) RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_sortsupport(internal) IS 'sort support';

CREATE OPERATOR FAMILY objectid_ops USING btree;
COMMENT ON OPERATOR FAMILY objectid_ops USING btree IS 'order of ObjectIds';

CREATE OPERATOR CLASS objectid_ops
	DEFAULT FOR TYPE objectid USING btree FAMILY objectid_ops AS
	OPERATOR 1 <,
	OPERATOR 2 <=,
	OPERATOR 3 =,
	OPERATOR 4 >=,
	OPERATOR 5 >,
	FUNCTION 1 objectid_cmp(objectid, objectid),
	FUNCTION 2 objectid_sortsupport(internal),
	FUNCTION 4 btequalimage(oid);
COMMENT ON OPERATOR CLASS objectid_ops USING btree IS 'order of ObjectIds';

--
-- hash
--

CREATE FUNCTION objectid_hash(objectid) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_hash(objectid) IS 'hash';

CREATE FUNCTION objectid_hash_extended(objectid, bigint) RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_hash_extended(objectid, bigint) IS 'hash';

CREATE OPERATOR FAMILY objectid_ops USING hash;
COMMENT ON OPERATOR FAMILY objectid_ops USING hash IS 'equality of ObjectIds';

CREATE OPERATOR CLASS objectid_ops
	DEFAULT FOR TYPE objectid USING hash FAMILY objectid_ops AS
	OPERATOR 1 =,
	FUNCTION 1 objectid_hash(objectid),
	FUNCTION 2 objectid_hash_extended(objectid, bigint);
COMMENT ON OPERATOR CLASS objectid_ops USING hash IS 'equality of ObjectIds';

--
-- Aggregates
--

CREATE FUNCTION objectid_smaller(objectid, objectid) RETURNS objectid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_smaller(objectid, objectid) IS 'smaller of two';

CREATE FUNCTION objectid_larger(objectid, objectid) RETURNS objectid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_larger(objectid, objectid) IS 'larger of two';

CREATE AGGREGATE min(objectid) (
	SFUNC = objectid_smaller, STYPE = objectid, COMBINEFUNC = objectid_smaller,
	SORTOP = <, PARALLEL = SAFE
);
COMMENT ON AGGREGATE min(objectid) IS 'minimum value of all objectid input values';

CREATE AGGREGATE max(objectid) (
	SFUNC = objectid_larger, STYPE = objectid, COMBINEFUNC = objectid_larger,
	SORTOP = >, PARALLEL = SAFE
);
COMMENT ON AGGREGATE max(objectid) IS 'maximum value of all objectid input values';

--
-- Generators
--

CREATE FUNCTION gen_objectid() RETURNS objectid
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL SAFE;
COMMENT ON FUNCTION gen_objectid() IS 'generate a new id for now';

CREATE FUNCTION gen_objectid(timestamptz) RETURNS objectid
	AS 'MODULE_PATHNAME', 'gen_objectid_at' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION gen_objectid(timestamptz) IS 'generate a new id, stamped with that instant';
