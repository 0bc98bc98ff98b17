--
-- Binary form: exactly the 12 bytes.
--
\t on
SELECT objectid_send('0123456789abcdef01234567'), objectid_send('ffffffffffffffffffffffff');

-- COPY BINARY round trip
CREATE TABLE sent (n integer, id objectid, ids objectid[]);
INSERT INTO sent SELECT n, substr(md5(n::text), 1, 24)::objectid, ARRAY[gen_objectid(), NULL, gen_objectid()]
FROM generate_series(1, 1000) AS n;
INSERT INTO sent VALUES (0, NULL, '{}'), (-1, '000000000000000000000000', NULL), (-2, 'ffffffffffffffffffffffff', NULL);
SELECT current_setting('data_directory') || '/objectid_binary.copy' AS file \gset
COPY sent TO :'file' (FORMAT binary);
CREATE TABLE received (LIKE sent);
COPY received FROM :'file' (FORMAT binary);
SELECT (SELECT count(*) FROM received), (SELECT count(*) FROM (TABLE sent EXCEPT TABLE received) AS lost),
       (SELECT count(*) FROM (TABLE received EXCEPT TABLE sent) AS made_up);

-- any other length is a protocol violation and loads nothing: alone, in a domain, between two ids of an
-- array, and in a row
CREATE TABLE bytes (b bytea);
CREATE DOMAIN order_id AS objectid; CREATE TYPE pair AS (n integer, id objectid);
CREATE TABLE loaded (alone objectid, domain order_id, list objectid[], row pair);
CREATE FUNCTION field(b bytea) RETURNS bytea LANGUAGE sql RETURN int4send(length(b)) || b;
CREATE FUNCTION receive(kind text, value bytea, file text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  type bytea := int4send('objectid'::regtype::oid::bigint::integer);
  right_one bytea := field(decode(repeat('00', 12), 'hex'));
BEGIN
  TRUNCATE bytes, loaded;
  INSERT INTO bytes VALUES (CASE kind
    WHEN 'list' THEN int4send(1) || int4send(0) || type || int4send(3) || int4send(1) || right_one || field(value)
      || right_one
    WHEN 'row' THEN int4send(2) || int4send('integer'::regtype::oid::integer) || field(int4send(5)) || type
      || field(value)
    ELSE value END);
  EXECUTE format('COPY bytes TO %L (FORMAT binary)', file);
  EXECUTE format('COPY loaded (%I) FROM %L (FORMAT binary)', kind, file);
  RETURN (SELECT coalesce(alone, domain, list[2], (row).id)::bytea FROM loaded);
END$$;
SELECT kind, received, count(*), min(length), max(length)
FROM unnest('{alone,domain,list,row}'::text[]) AS kind, generate_series(0, 64) AS length,
     LATERAL (SELECT decode(repeat('c5', length), 'hex')) AS v(value),
     LATERAL (SELECT CASE outcome(format('SELECT receive(%L, %L, %L)', kind, value, :'file'), true)
                     WHEN value::text THEN 'the same'
                     WHEN '08P01 invalid length of binary value for type objectid: ' || length
                     THEN 'an error' END) AS r(received)
GROUP BY kind, received ORDER BY kind COLLATE "C", received COLLATE "C";
SELECT length, outcome(format('SELECT receive(''alone'', %L, %L)', decode(repeat('00', length), 'hex'), :'file'), true)
         AS receive
FROM unnest('{11,1000}'::integer[]) AS length;
TABLE loaded;

-- leave the file of this test empty
COPY (SELECT WHERE false) TO :'file';
DROP FUNCTION receive, field; DROP TABLE sent, received, bytes, loaded; DROP TYPE pair, order_id;
