--
-- Binary form: exactly the 12 bytes.
--
SELECT objectid_send('0123456789abcdef01234567');
SELECT objectid_send('ffffffffffffffffffffffff');

-- COPY BINARY round trip
CREATE TABLE sent (n integer, id objectid, ids objectid[]);
INSERT INTO sent SELECT n, substr(md5(n::text), 1, 24)::objectid, ARRAY[gen_objectid(), NULL, gen_objectid()]
FROM generate_series(1, 1000) AS n;
INSERT INTO sent VALUES (0, NULL, '{}'), (-1, '000000000000000000000000', NULL), (-2, 'ffffffffffffffffffffffff', NULL);
SELECT current_setting('data_directory') || '/objectid_binary.copy' AS file \gset
COPY sent TO :'file' (FORMAT binary);
CREATE TABLE received (LIKE sent);
COPY received FROM :'file' (FORMAT binary);
SELECT count(*) FROM received;
SELECT count(*) FROM (TABLE sent EXCEPT TABLE received) AS lost;
SELECT count(*) FROM (TABLE received EXCEPT TABLE sent) AS made_up;

-- any other length is a protocol violation and loads nothing
CREATE TABLE bytes (b bytea);
CREATE TABLE strict (id objectid);
CREATE FUNCTION receive(length integer, file text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE bytes;
  INSERT INTO bytes VALUES (decode(repeat('ab', length), 'hex'));
  EXECUTE format('COPY bytes TO %L (FORMAT binary)', file);
  EXECUTE format('COPY strict FROM %L (FORMAT binary)', file);
  RETURN 'accepted';
END$$;
SELECT length, outcome(format('SELECT receive(%s, %L)', length, :'file'), true) AS receive
FROM unnest(ARRAY[0, 1, 4, 8, 11, 12, 13, 16, 24, 64, 1000]) AS length;
SELECT * FROM strict;

-- leave the file of this test empty
COPY (SELECT WHERE false) TO :'file';
DROP FUNCTION receive;
DROP TABLE sent, received, bytes, strict;
