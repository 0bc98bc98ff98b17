/* objectid--1.0.sql */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION objectid" to load this file. \quit

--
-- Type, text and binary form
--

CREATE TYPE objectid;
COMMENT ON TYPE objectid IS 'MongoDB ObjectId: 12-byte identifier that sorts by creation time';

CREATE FUNCTION objectid_in(cstring) RETURNS objectid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_in(cstring) IS 'internal: I/O';

CREATE FUNCTION objectid_out(objectid) RETURNS cstring
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_out(objectid) IS 'internal: I/O';

CREATE FUNCTION objectid_recv(internal) RETURNS objectid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_recv(internal) IS 'internal: I/O';

CREATE FUNCTION objectid_send(objectid) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_send(objectid) IS 'internal: I/O';

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
COMMENT ON FUNCTION objectid_time(objectid) IS 'creation time of an id';

CREATE FUNCTION objectid_from_time(timestamptz) RETURNS objectid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_from_time(timestamptz) IS 'smallest id of a second: a boundary for comparisons, not a new id';

--
-- Casts
--
-- No cast is implicit, because an implicit cast makes calls like max(id) ambiguous
-- and hides typing errors.  Text and bytea cast on assignment, because drivers send
-- parameters of an INSERT as these types.  The other casts must be written, because
-- assigning an id to bytea or timestamptz, or JSON to an id, is often a mistake.
--

CREATE CAST (text AS objectid) WITH INOUT AS ASSIGNMENT;
COMMENT ON CAST (text AS objectid) IS 'convert text to objectid, in every form of the input function';

CREATE CAST (varchar AS objectid) WITH INOUT AS ASSIGNMENT;
COMMENT ON CAST (varchar AS objectid) IS 'convert text to objectid, in every form of the input function';

CREATE CAST (bpchar AS objectid) WITH INOUT AS ASSIGNMENT;
COMMENT ON CAST (bpchar AS objectid) IS 'convert text to objectid, in every form of the input function';

CREATE FUNCTION objectid_from_bytea(bytea) RETURNS objectid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_from_bytea(bytea) IS 'internal: implementation of cast from bytea';
CREATE CAST (bytea AS objectid) WITH FUNCTION objectid_from_bytea(bytea) AS ASSIGNMENT;
COMMENT ON CAST (bytea AS objectid) IS 'convert 12 bytes to objectid';

CREATE FUNCTION objectid_to_bytea(objectid) RETURNS bytea
	AS 'MODULE_PATHNAME', 'objectid_send' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_to_bytea(objectid) IS 'internal: implementation of cast to bytea';
CREATE CAST (objectid AS bytea) WITH FUNCTION objectid_to_bytea(objectid);
COMMENT ON CAST (objectid AS bytea) IS 'convert objectid to its 12 bytes';

CREATE FUNCTION objectid_from_json(json) RETURNS objectid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_from_json(json) IS 'internal: implementation of cast from json';
CREATE CAST (json AS objectid) WITH FUNCTION objectid_from_json(json);
COMMENT ON CAST (json AS objectid) IS 'convert a JSON string or {"$oid": ...} to objectid, and JSON null to NULL';

CREATE FUNCTION objectid_from_jsonb(jsonb) RETURNS objectid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_from_jsonb(jsonb) IS 'internal: implementation of cast from jsonb';
CREATE CAST (jsonb AS objectid) WITH FUNCTION objectid_from_jsonb(jsonb);
COMMENT ON CAST (jsonb AS objectid) IS 'convert a JSON string or {"$oid": ...} to objectid, and JSON null to NULL';

CREATE FUNCTION objectid_array_from_json(json) RETURNS objectid[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_array_from_json(json) IS 'internal: implementation of cast from json to objectid[]';
CREATE CAST (json AS objectid[]) WITH FUNCTION objectid_array_from_json(json);
COMMENT ON CAST (json AS objectid[]) IS 'convert a JSON array of strings, {"$oid": ...} and nulls to objectid[], and JSON null to NULL';

CREATE FUNCTION objectid_array_from_jsonb(jsonb) RETURNS objectid[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_array_from_jsonb(jsonb) IS 'internal: implementation of cast from jsonb to objectid[]';
CREATE CAST (jsonb AS objectid[]) WITH FUNCTION objectid_array_from_jsonb(jsonb);
COMMENT ON CAST (jsonb AS objectid[]) IS 'convert a JSON array of strings, {"$oid": ...} and nulls to objectid[], and JSON null to NULL';

CREATE CAST (objectid AS timestamptz) WITH FUNCTION objectid_time(objectid);
COMMENT ON CAST (objectid AS timestamptz) IS 'creation time of an id';

--
-- Comparison
--

CREATE FUNCTION objectid_lt(objectid, objectid) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_lt(objectid, objectid) IS 'internal: implementation of < operator';

CREATE FUNCTION objectid_le(objectid, objectid) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_le(objectid, objectid) IS 'internal: implementation of <= operator';

CREATE FUNCTION objectid_eq(objectid, objectid) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_eq(objectid, objectid) IS 'internal: implementation of = operator';

CREATE FUNCTION objectid_ge(objectid, objectid) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_ge(objectid, objectid) IS 'internal: implementation of >= operator';

CREATE FUNCTION objectid_gt(objectid, objectid) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_gt(objectid, objectid) IS 'internal: implementation of > operator';

CREATE FUNCTION objectid_ne(objectid, objectid) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_ne(objectid, objectid) IS 'internal: implementation of <> operator';

-- for all of "<", "<=", ">=", ">"
CREATE FUNCTION objectid_ineqsel(internal, oid, internal, integer) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_ineqsel(internal, oid, internal, integer) IS 'internal: restriction selectivity of comparison operators';

CREATE OPERATOR < (
	FUNCTION = objectid_lt, LEFTARG = objectid, RIGHTARG = objectid,
	COMMUTATOR = >, NEGATOR = >=,
	RESTRICT = objectid_ineqsel, JOIN = scalarltjoinsel
);
COMMENT ON OPERATOR < (objectid, objectid) IS 'less than';

CREATE OPERATOR <= (
	FUNCTION = objectid_le, LEFTARG = objectid, RIGHTARG = objectid,
	COMMUTATOR = >=, NEGATOR = >,
	RESTRICT = objectid_ineqsel, JOIN = scalarlejoinsel
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
	RESTRICT = objectid_ineqsel, JOIN = scalargejoinsel
);
COMMENT ON OPERATOR >= (objectid, objectid) IS 'greater than or equal';

CREATE OPERATOR > (
	FUNCTION = objectid_gt, LEFTARG = objectid, RIGHTARG = objectid,
	COMMUTATOR = <, NEGATOR = <=,
	RESTRICT = objectid_ineqsel, JOIN = scalargtjoinsel
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
COMMENT ON FUNCTION objectid_cmp(objectid, objectid) IS 'internal: less-equal-greater';

CREATE FUNCTION objectid_sortsupport(internal) RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_sortsupport(internal) IS 'internal: sort support';

-- stable, because adding an interval to an instant depends on the session's time zone
CREATE FUNCTION objectid_in_range(objectid, objectid, interval, boolean, boolean) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_in_range(objectid, objectid, interval, boolean, boolean) IS 'internal: window RANGE support';

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
	FUNCTION 3 (objectid, interval) objectid_in_range(objectid, objectid, interval, boolean, boolean),
	FUNCTION 4 btequalimage(oid);
COMMENT ON OPERATOR CLASS objectid_ops USING btree IS 'order of ObjectIds';

--
-- hash
--

CREATE FUNCTION objectid_hash(objectid) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_hash(objectid) IS 'internal: hash';

CREATE FUNCTION objectid_hash_extended(objectid, bigint) RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_hash_extended(objectid, bigint) IS 'internal: hash';

CREATE OPERATOR FAMILY objectid_ops USING hash;
COMMENT ON OPERATOR FAMILY objectid_ops USING hash IS 'equality of ObjectIds';

CREATE OPERATOR CLASS objectid_ops
	DEFAULT FOR TYPE objectid USING hash FAMILY objectid_ops AS
	OPERATOR 1 =,
	FUNCTION 1 objectid_hash(objectid),
	FUNCTION 2 objectid_hash_extended(objectid, bigint);
COMMENT ON OPERATOR CLASS objectid_ops USING hash IS 'equality of ObjectIds';

--
-- BRIN
--

CREATE FUNCTION objectid_distance(objectid, objectid) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_distance(objectid, objectid) IS 'internal: BRIN minmax-multi support: distance';

CREATE OPERATOR FAMILY objectid_minmax_ops USING brin;
COMMENT ON OPERATOR FAMILY objectid_minmax_ops USING brin IS 'ranges of ObjectIds';

CREATE OPERATOR CLASS objectid_minmax_ops
	DEFAULT FOR TYPE objectid USING brin FAMILY objectid_minmax_ops AS
	OPERATOR 1 <,
	OPERATOR 2 <=,
	OPERATOR 3 =,
	OPERATOR 4 >=,
	OPERATOR 5 >,
	FUNCTION 1 brin_minmax_opcinfo(internal),
	FUNCTION 2 brin_minmax_add_value(internal, internal, internal, internal),
	FUNCTION 3 brin_minmax_consistent(internal, internal, internal),
	FUNCTION 4 brin_minmax_union(internal, internal, internal);
COMMENT ON OPERATOR CLASS objectid_minmax_ops USING brin IS 'ranges of ObjectIds';

CREATE OPERATOR FAMILY objectid_minmax_multi_ops USING brin;
COMMENT ON OPERATOR FAMILY objectid_minmax_multi_ops USING brin IS 'several ranges of ObjectIds';

CREATE OPERATOR CLASS objectid_minmax_multi_ops
	FOR TYPE objectid USING brin FAMILY objectid_minmax_multi_ops AS
	OPERATOR 1 <,
	OPERATOR 2 <=,
	OPERATOR 3 =,
	OPERATOR 4 >=,
	OPERATOR 5 >,
	FUNCTION 1 brin_minmax_multi_opcinfo(internal),
	FUNCTION 2 brin_minmax_multi_add_value(internal, internal, internal, internal),
	FUNCTION 3 brin_minmax_multi_consistent(internal, internal, internal, integer),
	FUNCTION 4 brin_minmax_multi_union(internal, internal, internal),
	FUNCTION 5 brin_minmax_multi_options(internal),
	FUNCTION 11 objectid_distance(objectid, objectid);
COMMENT ON OPERATOR CLASS objectid_minmax_multi_ops USING brin IS 'several ranges of ObjectIds';

CREATE OPERATOR FAMILY objectid_bloom_ops USING brin;
COMMENT ON OPERATOR FAMILY objectid_bloom_ops USING brin IS 'Bloom filters of ObjectIds';

CREATE OPERATOR CLASS objectid_bloom_ops
	FOR TYPE objectid USING brin FAMILY objectid_bloom_ops AS
	OPERATOR 1 =,
	FUNCTION 1 brin_bloom_opcinfo(internal),
	FUNCTION 2 brin_bloom_add_value(internal, internal, internal, internal),
	FUNCTION 3 brin_bloom_consistent(internal, internal, internal, integer),
	FUNCTION 4 brin_bloom_union(internal, internal, internal),
	FUNCTION 5 brin_bloom_options(internal),
	FUNCTION 11 objectid_hash(objectid);
COMMENT ON OPERATOR CLASS objectid_bloom_ops USING brin IS 'Bloom filters of ObjectIds';

--
-- GiST
--
-- The strategy numbers follow core's convention for R-trees.  It has none for <>,
-- which has number 6, as in btree_gist.
--

CREATE FUNCTION objectid_gist_consistent(internal, objectid, smallint, oid, internal) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_gist_consistent(internal, objectid, smallint, oid, internal) IS 'internal: GiST support';

CREATE FUNCTION objectid_gist_union(internal, internal) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_gist_union(internal, internal) IS 'internal: GiST support';

CREATE FUNCTION objectid_gist_compress(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_gist_compress(internal) IS 'internal: GiST support';

CREATE FUNCTION objectid_gist_penalty(internal, internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_gist_penalty(internal, internal, internal) IS 'internal: GiST support';

CREATE FUNCTION objectid_gist_picksplit(internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_gist_picksplit(internal, internal) IS 'internal: GiST support';

CREATE FUNCTION objectid_gist_same(bytea, bytea, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_gist_same(bytea, bytea, internal) IS 'internal: GiST support';

CREATE FUNCTION objectid_gist_fetch(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_gist_fetch(internal) IS 'internal: GiST support';

CREATE FUNCTION objectid_gist_sortsupport(internal) RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_gist_sortsupport(internal) IS 'internal: GiST sort support';

CREATE OPERATOR FAMILY objectid_gist_ops USING gist;
COMMENT ON OPERATOR FAMILY objectid_gist_ops USING gist IS 'order of ObjectIds';

CREATE OPERATOR CLASS objectid_gist_ops
	DEFAULT FOR TYPE objectid USING gist FAMILY objectid_gist_ops AS
	OPERATOR 6 <>,
	OPERATOR 18 =,
	OPERATOR 20 <,
	OPERATOR 21 <=,
	OPERATOR 22 >,
	OPERATOR 23 >=,
	FUNCTION 1 objectid_gist_consistent(internal, objectid, smallint, oid, internal),
	FUNCTION 2 objectid_gist_union(internal, internal),
	FUNCTION 3 objectid_gist_compress(internal),
	FUNCTION 5 objectid_gist_penalty(internal, internal, internal),
	FUNCTION 6 objectid_gist_picksplit(internal, internal),
	FUNCTION 7 objectid_gist_same(bytea, bytea, internal),
	FUNCTION 9 objectid_gist_fetch(internal),
	FUNCTION 11 objectid_gist_sortsupport(internal),
	STORAGE bytea;
COMMENT ON OPERATOR CLASS objectid_gist_ops USING gist IS 'order of ObjectIds';

--
-- GIN
--

CREATE FUNCTION objectid_gin_extract_value(objectid, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_gin_extract_value(objectid, internal) IS 'internal: GIN support';

CREATE FUNCTION objectid_gin_extract_query(objectid, internal, smallint, internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_gin_extract_query(objectid, internal, smallint, internal, internal) IS 'internal: GIN support';

CREATE FUNCTION objectid_gin_consistent(internal, smallint, objectid, integer, internal, internal) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_gin_consistent(internal, smallint, objectid, integer, internal, internal) IS 'internal: GIN support';

CREATE FUNCTION objectid_gin_compare_partial(objectid, objectid, smallint, internal) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_gin_compare_partial(objectid, objectid, smallint, internal) IS 'internal: GIN support';

CREATE OPERATOR FAMILY objectid_gin_ops USING gin;
COMMENT ON OPERATOR FAMILY objectid_gin_ops USING gin IS 'order of ObjectIds';

CREATE OPERATOR CLASS objectid_gin_ops
	DEFAULT FOR TYPE objectid USING gin FAMILY objectid_gin_ops AS
	OPERATOR 1 <,
	OPERATOR 2 <=,
	OPERATOR 3 =,
	OPERATOR 4 >=,
	OPERATOR 5 >,
	FUNCTION 1 objectid_cmp(objectid, objectid),
	FUNCTION 2 objectid_gin_extract_value(objectid, internal),
	FUNCTION 3 objectid_gin_extract_query(objectid, internal, smallint, internal, internal),
	FUNCTION 4 objectid_gin_consistent(internal, smallint, objectid, integer, internal, internal),
	FUNCTION 5 objectid_gin_compare_partial(objectid, objectid, smallint, internal);
COMMENT ON OPERATOR CLASS objectid_gin_ops USING gin IS 'order of ObjectIds';

--
-- Aggregates
--

CREATE FUNCTION objectid_smaller(objectid, objectid) RETURNS objectid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_smaller(objectid, objectid) IS 'internal: smaller of two';

CREATE FUNCTION objectid_larger(objectid, objectid) RETURNS objectid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_larger(objectid, objectid) IS 'internal: larger of two';

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
-- No id repeats, and ids increase, from one start of the server to the next.  A crash of one
-- session restarts the server.  See docs/uniqueness.md.
--
-- Below Gather, core evaluates two equal calls only once, so that both columns get the same id.
-- So these functions are PARALLEL RESTRICTED.
--

CREATE FUNCTION gen_objectid() RETURNS objectid
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_objectid() IS 'generate a new id';

CREATE FUNCTION gen_objectid(timestamptz) RETURNS objectid
	AS 'MODULE_PATHNAME', 'gen_objectid_at' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION gen_objectid(timestamptz) IS 'generate a new id with a given creation time';

--
-- Instants: comparison of objectid and timestamptz
--
-- "id OP instant" means "objectid_time(id) OP instant".  The support functions replace
-- it with a comparison of two ids, so that everything that works for "id >= boundary"
-- works: indexes, partition pruning, estimates.
--
-- These operators are in no operator family.  In the btree family of objectid they
-- would put timestamptz into two families, and the planner would no longer know which
-- "timestamptz = timestamptz" makes values interchangeable.  There is no "=", because
-- an id is not an instant.
--
-- From 2106-02-07 06:28:15 UTC on there is no later id, so the greatest id serves as the
-- boundary.  This one id therefore compares as later than any such instant.
--

CREATE FUNCTION objectid_lower_bound(timestamptz) RETURNS objectid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_lower_bound(timestamptz) IS 'internal: smallest id >= an instant, or else the greatest id; in plans of id >= instant and id < instant';

CREATE FUNCTION objectid_upper_bound(timestamptz) RETURNS objectid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_upper_bound(timestamptz) IS 'internal: smallest id > an instant, or else the greatest id; in plans of id > instant and id <= instant';

CREATE FUNCTION objectid_instant_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_instant_support(internal) IS 'internal: planner support for id OP instant and instant OP id';

CREATE FUNCTION objectid_lt_timestamptz(objectid, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT objectid_instant_support;
COMMENT ON FUNCTION objectid_lt_timestamptz(objectid, timestamptz) IS 'internal: implementation of < operator';

CREATE FUNCTION objectid_le_timestamptz(objectid, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT objectid_instant_support;
COMMENT ON FUNCTION objectid_le_timestamptz(objectid, timestamptz) IS 'internal: implementation of <= operator';

CREATE FUNCTION objectid_ge_timestamptz(objectid, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT objectid_instant_support;
COMMENT ON FUNCTION objectid_ge_timestamptz(objectid, timestamptz) IS 'internal: implementation of >= operator';

CREATE FUNCTION objectid_gt_timestamptz(objectid, timestamptz) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT objectid_instant_support;
COMMENT ON FUNCTION objectid_gt_timestamptz(objectid, timestamptz) IS 'internal: implementation of > operator';

CREATE FUNCTION timestamptz_lt_objectid(timestamptz, objectid) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT objectid_instant_support;
COMMENT ON FUNCTION timestamptz_lt_objectid(timestamptz, objectid) IS 'internal: implementation of < operator';

CREATE FUNCTION timestamptz_le_objectid(timestamptz, objectid) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT objectid_instant_support;
COMMENT ON FUNCTION timestamptz_le_objectid(timestamptz, objectid) IS 'internal: implementation of <= operator';

CREATE FUNCTION timestamptz_ge_objectid(timestamptz, objectid) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT objectid_instant_support;
COMMENT ON FUNCTION timestamptz_ge_objectid(timestamptz, objectid) IS 'internal: implementation of >= operator';

CREATE FUNCTION timestamptz_gt_objectid(timestamptz, objectid) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT objectid_instant_support;
COMMENT ON FUNCTION timestamptz_gt_objectid(timestamptz, objectid) IS 'internal: implementation of > operator';

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

--
-- Periods: comparison of objectid and tstzrange
--
-- "id <@ period" means "objectid_time(id) <@ period".
--
-- The operator takes a domain over tstzrange, which accepts every tstzrange.  With tstzrange
-- itself, it would match "'[2024-01-01,2024-02-01)' <@ during" better than core's operator
-- does, and the literal or the untyped parameter would be read as an id.  There is no
-- "period @> id", because "id <@ period" is enough.
--

CREATE DOMAIN objectid_period AS tstzrange;
COMMENT ON DOMAIN objectid_period IS 'tstzrange, as the argument type of objectid <@ period';
COMMENT ON TYPE objectid_period[] IS 'array of periods';

CREATE FUNCTION objectid_first_in(tstzrange) RETURNS objectid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_first_in(tstzrange) IS 'internal: smallest id of a period, or else the greatest id; in plans of id <@ period';

CREATE FUNCTION objectid_last_in(tstzrange) RETURNS objectid
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION objectid_last_in(tstzrange) IS 'internal: greatest id of a period, or else the smallest id; in plans of id <@ period';

CREATE FUNCTION objectid_period_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_period_support(internal) IS 'internal: planner support for id <@ period';

CREATE FUNCTION objectid_periodsel(internal, oid, internal, integer) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_periodsel(internal, oid, internal, integer) IS 'internal: restriction selectivity of id <@ period';

CREATE FUNCTION objectid_contained_by_period(objectid, objectid_period) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
	SUPPORT objectid_period_support;
COMMENT ON FUNCTION objectid_contained_by_period(objectid, objectid_period) IS 'internal: implementation of <@ operator';

CREATE OPERATOR <@ (
	FUNCTION = objectid_contained_by_period, LEFTARG = objectid, RIGHTARG = objectid_period,
	RESTRICT = objectid_periodsel, JOIN = contjoinsel
);
COMMENT ON OPERATOR <@ (objectid, objectid_period) IS 'is the creation time of the id in the period?';

--
-- Features of newer servers only
--
DO $$
BEGIN
	IF current_setting('server_version_num')::integer >= 180000 THEN
		-- btree: skip support
		CREATE FUNCTION objectid_skipsupport(internal) RETURNS void
			AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
		COMMENT ON FUNCTION objectid_skipsupport(internal) IS 'internal: skip support';
		ALTER OPERATOR FAMILY objectid_ops USING btree ADD
			FUNCTION 6 (objectid, objectid) objectid_skipsupport(internal);

		-- GiST: the strategy of "=", for PRIMARY KEY (id, during WITHOUT OVERLAPS)
		ALTER OPERATOR FAMILY objectid_gist_ops USING gist ADD
			FUNCTION 12 ("any", "any") gist_translate_cmptype_common(integer);
	END IF;
END$$;

--
-- Objects of the database that the extension hides
--
-- pg_catalog comes before all other schemas in every search_path.  So a name without a schema silently
-- means the extension, or a call is ambiguous, in each query and body of a function.  Temporary objects
-- are not hidden: temporary types come first, and temporary functions need their schema.
--
-- Members of other extensions are not refused, because pg_dump creates extensions in the order of their
-- names, nor are tables and views, which FROM goes on finding.
--

CREATE FUNCTION objectid_hidden(only_refused boolean DEFAULT false) RETURNS SETOF text
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
	WITH object AS (
		SELECT 'pg_proc'::regclass AS class, oid, proname AS name, pronamespace AS schema, proowner AS owner,
			0 AS relation, false AS is_array
		FROM pg_proc
		UNION ALL
		-- an array type belongs to the type of its elements
		SELECT 'pg_type'::regclass, coalesce(element.oid, type.oid), type.typname, type.typnamespace, type.typowner,
			type.typrelid, element.oid IS NOT NULL
		FROM pg_type AS type LEFT JOIN pg_type AS element ON element.typarray = type.oid
	), member AS (
		SELECT classid, objid, extname
		FROM pg_depend JOIN pg_extension AS e ON refobjid = e.oid
		WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
	), own_name AS (
		SELECT name FROM object WHERE (class, oid) IN (SELECT classid, objid FROM member WHERE extname = 'objectid')
		EXCEPT
		-- names of core
		SELECT name FROM object WHERE oid < 16384
	)
	SELECT line
	FROM object AS o JOIN own_name USING (name) JOIN pg_namespace AS n ON n.oid = schema
	LEFT JOIN pg_class AS c ON c.oid = relation
	LEFT JOIN member ON classid = class AND objid = o.oid OR classid = 'pg_class'::regclass AND objid = relation,
	pg_identify_object(CASE relation WHEN 0 THEN class ELSE 'pg_class'::regclass END,
					   CASE relation WHEN 0 THEN o.oid ELSE relation END, 0) AS i,
	concat(i.type, ' ', identity, ', owned by ', owner::regrole, ', a member of extension ' || quote_ident(extname)) AS line
	WHERE nspname <> 'pg_catalog' AND nspname !~ '^pg_temp_' AND NOT is_array
	  AND NOT (only_refused AND (extname IS NOT NULL OR relation <> 0 AND relkind <> 'c'))
	ORDER BY line COLLATE "C";
END;
COMMENT ON FUNCTION objectid_hidden(boolean) IS 'functions and types that need their schema, because the extension has one of that name; or only those that it refuses';

--
-- Privileges: those of a built-in type, whatever the default privileges are
--
DO $$
DECLARE
	object text;
BEGIN
	FOR object IN
		SELECT CASE WHEN p.oid IS NOT NULL THEN 'EXECUTE ON ROUTINE ' || p.oid::regprocedure ELSE 'USAGE ON TYPE ' || t.oid::regtype END
		FROM pg_depend AS d
		LEFT JOIN pg_proc AS p ON classid = 'pg_proc'::regclass AND objid = p.oid
		LEFT JOIN pg_type AS t ON classid = 'pg_type'::regclass AND objid = t.oid
		WHERE refclassid = 'pg_extension'::regclass AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'objectid')
		  AND d.deptype = 'e' AND coalesce(proacl, typacl) IS NOT NULL
	LOOP
		EXECUTE 'GRANT ' || object || ' TO PUBLIC';
	END LOOP;
END$$;

--
-- Refuse to hide objects.  In a function, because servers from 18 on print the statement with the error.
--
CREATE FUNCTION objectid_refuse() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	refused text := (SELECT string_agg(object, E'\n') FROM objectid_hidden(only_refused => true) AS object);
	hidden text := (SELECT string_agg(object, E'\n') FROM objectid_hidden() AS object);
BEGIN
	IF refused IS NOT NULL THEN
		RAISE duplicate_object USING DETAIL = refused,
			MESSAGE = 'cannot create extension objectid because it would hide other objects',
			HINT = 'Rename them, because their names without a schema would mean the extension. For the type of plain/objectid.sql, see docs/managed.md.';
	ELSIF hidden IS NOT NULL THEN
		RAISE WARNING USING MESSAGE = 'extension objectid hides other objects', DETAIL = hidden,
			HINT = 'Write their names with their schema.';
	END IF;
END$$;
SELECT objectid_refuse();
DROP FUNCTION objectid_refuse();
