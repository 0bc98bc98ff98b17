--
-- Invalid text fails with 22P02 and leaves the table unchanged.
--
\t on
CREATE TABLE kept (id objectid);
INSERT INTO kept VALUES ('507f1f77bcf86cd799439011');
SELECT form, outcome FROM unnest(ARRAY[
  -- lengths; not hexadecimal; white space
  '', '5', '507f1f77bcf86cd79943901', '507f1f77bcf86cd7994390111', '507f1f77bcf86cd79943901g',
  '507f1f77bcf86cd79943901/', '507f1f77bcf86cd79943901:', '507f1f77bcf86cd79943901@', '507f1f77bcf86cd79943901`',
  '0x7f1f77bcf86cd799439011', '+07f1f77bcf86cd799439011', ' 507f1f77bcf86cd799439011', '507f1f77bcf86cd799439011 ',
  E'507f1f77bcf86cd799439011\n', '507f1f77 bcf86cd79943901', 'twelve bytes',
  -- constructors
  'ObjectId', 'ObjectId(', 'ObjectId()', 'ObjectId("")', 'ObjectId("507f1f77bcf86cd799439011"',
  'ObjectId("507f1f77bcf86cd799439011'')', 'ObjectId("507f1f77bcf86cd79943901")',
  'ObjectId( "507f1f77bcf86cd799439011" )', 'ObjectId("507f1f77bcf86cd799439011");',
  'objectid("507f1f77bcf86cd799439011")', 'new ObjectID("507f1f77bcf86cd799439011")',
  -- JSON
  '{}', '{"$oid":null}', '{"$oid":507f1f77bcf86cd799439011}', '{"$OID":"507f1f77bcf86cd799439011"}',
  '{"$oid":" 507f1f77bcf86cd799439011"}', '{"$oid":"507f1f77bcf86cd799439011"', '{"$oid":"507f1f77bcf86cd799439011"}}',
  '{"$oid":"507f1f77bcf86cd799439011","a":1}', '{"$oid":"507f1f77bcf86cd799439011"} ',
  E'{\x0b"$oid":"507f1f77bcf86cd799439011"}', '["507f1f77bcf86cd799439011"]', '"507f1f77bcf86cd799439011',
  -- bytea
  '\x', '\x507f1f77bcf86cd79943901', '\x50 7f1f77bcf86cd799439011', '\X507f1f77bcf86cd799439011']) AS form,
  outcome(format('INSERT INTO kept VALUES (%L)', form)) WHERE objectid_is_valid(form) OR outcome <> '22P02';
TABLE kept;
-- non-ASCII bytes, in each database encoding that has these characters
SELECT outcome($$SELECT objectid_is_valid('507f1f77bcf86cd7994390' || convert_from('\xc3a9', 'UTF8'))$$)
         IN ('false', '22P05') AS rejected,
       outcome($$SELECT objectid_is_valid(convert_from('\xc3bf', 'UTF8'))$$) IN ('false', '22P05') AS rejected;

-- complete error messages
SELECT '507f1f77bcf86cd79943901'::objectid;
INSERT INTO kept VALUES ('twelve bytes');
COPY kept FROM stdin;
507f1f77bcf86cd799439012
507f1f77bcf86cd799439013 
\.
SELECT count(*) FROM kept;

-- hints for common mistakes
CREATE FUNCTION explain_refusal(form text, OUT message text, OUT detail text, OUT hint text) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM form::objectid;
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
END$$;
-- times
SELECT form, hint <> '' AS hint FROM unnest('{2024-01-01,2024-01-01 10:30:00+00,1999-1-5T00:00Z,now,Today,YESTERDAY,
  tomorrow,nowhere,999-01-01,20240-01-01,2024/01/05,12345678-1234-1234-1234-123456789abc,""}'::text[]) AS form,
  explain_refusal(form);
-- the hint, in each place where the message appears
CREATE TABLE parted (id objectid) PARTITION BY RANGE (id);
CREATE TABLE part PARTITION OF parted FOR VALUES FROM ('2024-01-01') TO (MAXVALUE);
CREATE TABLE part PARTITION OF parted FOR VALUES FROM (objectid_from_time('2024-01-01')) TO (MAXVALUE);
PREPARE since AS SELECT count(*) FROM parted WHERE id >= $1;
EXECUTE since('yesterday');
DEALLOCATE since;
PREPARE since AS SELECT count(*) FROM parted WHERE id >= $1::timestamptz;
EXECUTE since('yesterday');
DEALLOCATE since;
SELECT count(*) FROM parted WHERE id BETWEEN '2024-01-01' AND 'now';
SELECT count(*) FROM parted WHERE id BETWEEN timestamptz '2024-01-01' AND timestamptz 'now';
DROP TABLE parted;
-- white space
SELECT replace(quote_literal(form), E'\n', '\n') AS form, hint
FROM (VALUES (' 507f1f77bcf86cd799439011'), (E'507f1f77bcf86cd799439011\n'), ('507f1f77bcf86cd799439011 '),
             (E'\n ObjectId("507f1f77bcf86cd799439011")  '), (' '), ('507f1f77 bcf86cd799439011'), ('')) AS t(form),
     explain_refusal(form);
-- digits, and the first other character
SELECT form, detail FROM unnest('{"",5,507f1f77bcf86cd79943901,507F1F77BCF86CD7994390111,12345678901234567890,
  507f1f77bcf86cd79943901g,507f1f77-bcf8-6cd7-9943-9011,507f1f77bcf86cd799439011;,"507f1f77bcf86cd799439011 ",
  507Of1f77bcf,g07f1f77bcf86cd799439011,BSON::ObjectId(507f)}'::text[]) AS form, explain_refusal(form);
SELECT detail FROM explain_refusal('5' || repeat('!', 101));
-- characters that are not printable ASCII, by their number, wherever they are; those of other encodings by their bytes
SELECT to_hex(n) AS character, detail, hint
FROM unnest(ARRAY[1, 9, 10, 31, 127]) AS n, explain_refusal(chr(n) || '507f1f77bcf86cd799439011');
DO $$
DECLARE
  other text;
  detail text;
BEGIN
  FOR n IN 128..65535 LOOP
    CONTINUE WHEN getdatabaseencoding() <> 'UTF8' OR n BETWEEN x'd800'::integer AND x'dfff'::integer;
    other := format(' this text has U+%s.', upper(lpad(to_hex(n), 4, '0')));
    detail := (explain_refusal(chr(n) || '507f1f77bcf86cd799439011')).detail;
    ASSERT detail LIKE '%At position 1,' || other, detail;
    CONTINUE WHEN n % 16 <> 0;
    detail := (explain_refusal('507f1f77bcf86cd799439011' || chr(n))).detail;
    ASSERT detail LIKE '%At position 25,' || other, detail;
    detail := (explain_refusal('{"$oid": "' || chr(n) || '507f1f77bcf86cd799439011"}')).detail;
    ASSERT detail LIKE '%At position 11,' || other, detail;
  END LOOP;
END$$;
-- the hint about white space, also for characters that cannot be seen
SELECT getdatabaseencoding() <> 'UTF8' OR count(*) = 0 AS hinted
FROM unnest('{160,173,5760,8195,8203,8239,8288,12288,65279,161,1072,65296}'::integer[]) AS n,
  outcome(format('SELECT hint LIKE ''%%white space%%'' FROM explain_refusal(''507f'' || chr(%s))', n)) AS hint
WHERE (n NOT IN (161, 1072, 65296))::text <> CASE hint WHEN 'NULL' THEN 'false' ELSE hint END;
-- at most 100 bytes of the input, and only whole characters
SELECT message FROM explain_refusal(repeat('0123456789', 10) || '!');
SELECT message FROM explain_refusal(repeat('0123456789', 9) || '012345678!');
SELECT n, right(message, 5) AS message FROM unnest('{100,101}'::integer[]) AS n, explain_refusal(rpad('2024-01-01', n));
SELECT getdatabaseencoding() <> 'UTF8' OR outcome($$SELECT message LIKE '%!..."'
  FROM explain_refusal(repeat('!', 99) || convert_from('\xc3a9', 'UTF8'))$$) = 'true' AS clipped,
       getdatabaseencoding() <> 'UTF8' OR outcome($$SELECT message NOT LIKE '%...%'
         FROM explain_refusal(repeat('!', 98) || convert_from('\xc3a9', 'UTF8'))$$) = 'true' AS whole;
DROP FUNCTION explain_refusal;

-- a long string
SELECT objectid_is_valid(repeat('a', 10000000)), objectid_is_valid('{' || repeat(' ', 10000000)),
       objectid_is_valid('{' || repeat(' ', 10000000) || '"$oid":"507f1f77bcf86cd799439011"}');

DROP TABLE kept;
