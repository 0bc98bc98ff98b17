-- The tables that the program of a driver has, in a database of its own

CREATE EXTENSION objectid;

-- for the example on the page, which inserts a row
CREATE TABLE event (id objectid DEFAULT gen_objectid() PRIMARY KEY, what text);

-- Filled by the program: for each way of sending ids, how, 1,000 ids that the BSON library generates,
-- and the vectors, each with the digits as the library writes them.
CREATE TABLE made (how text, id objectid, hex text NOT NULL, PRIMARY KEY (how, id));

-- for arrays
CREATE TABLE list (n integer PRIMARY KEY, ids objectid[]);

-- an id for each hour from 2024-01-01 00:00 UTC on, and the number n of the hour
CREATE TABLE dated AS
  SELECT n, gen_objectid(timestamptz '2024-01-01 00:00Z' + n * interval '1 hour') AS id FROM generate_series(0, 9999) AS n;
ALTER TABLE dated ADD PRIMARY KEY (id);
ANALYZE dated;

-- ids and their times
CREATE TABLE vector (hex text, seconds bigint);
INSERT INTO vector VALUES
  ('000000000000000000000000', 0),          -- the least
  ('ffffffffffffffffffffffff', 4294967295), -- the greatest
  ('7fffffffffffffffffffffff', 2147483647), -- 2038-01-19 03:14:07 UTC, the last time that has 31 bits
  ('800000000000000000000000', 2147483648),
  ('f4865700e5a1c2d3b4000001', 4102444800), -- 2100-01-01 00:00 UTC
  ('abcdefabcdefabcdefabcdef', 2882400171), -- of MongoDB's bson-corpus
  ('56e1fc72e0c917e9c4714161', 1457650802),
  ('507f1f77bcf86cd799439011', 1350508407), -- of its documentation
  ('507c7f79bcf86cd7994f6c0e', 1350336377),
  ('47cc67093475061e3d95369d', 1204578057), -- machine, process and counter, as before MongoDB 3.4
  ('65d4310c8f2a9b71c3ffffff', 1708405004), -- a random number, and a counter at its end
  ('65d4310c8f2a9b71c3000000', 1708405004),
  ('123456789012345678901234', 305419896),  -- a number
  ('5e3000000000000000000000', 1580204032), -- with an exponent
  ('65d4310c275c220a09002c7b', 1708405004); -- bytes that text must quote
