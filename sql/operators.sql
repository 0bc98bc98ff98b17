--
-- Order and equality: as memcmp() compares all 12 bytes, unsigned.
--
\t on
SELECT a, b, a < b AS lt, a <= b AS le, a = b AS eq, a >= b AS ge, a > b AS gt, a <> b AS ne
FROM (VALUES
  ('000000000000000000000000'::objectid, '000000000000000000000000'::objectid),
  ('000000000000000000000000', '000000000000000000000001'),
  ('0000000000000000000000ff', '000000000000000000000100'),
  ('00000000ffffffffffffffff', '000000010000000000000000'),
  ('7fffffff0000000000000000', '800000000000000000000000'),
  ('000000007fffffffffffffff', '000000008000000000000000'),
  ('010000000000000000000000', '000000000000000000000001'),
  ('ffffffffffffffffffffffff', '000000000000000000000000'),
  ('ffffffffffffffffffffffff', 'FFFFFFFFFFFFFFFFFFFFFFFF')
) AS t(a, b);

-- the same results as bytea's operators, for all pairs of 300 ids that differ in any byte
CREATE TABLE ids (id objectid, b bytea);
INSERT INTO ids SELECT id, id::bytea
FROM (SELECT CASE n % 3
             WHEN 0 THEN overlay('507f1f77bcf86cd799439011' PLACING substr(md5(n::text), 1, 2) FROM 1 + 2 * (n % 12))
             ELSE substr(md5(n::text), 1, 24) END::objectid AS id
      FROM generate_series(1, 300) AS n OFFSET 0) AS t;
SELECT count(*) FILTER (WHERE (x.id < y.id) <> (x.b < y.b)) AS lt,
       count(*) FILTER (WHERE (x.id <= y.id) <> (x.b <= y.b)) AS le,
       count(*) FILTER (WHERE (x.id = y.id) <> (x.b = y.b)) AS eq,
       count(*) FILTER (WHERE (x.id >= y.id) <> (x.b >= y.b)) AS ge,
       count(*) FILTER (WHERE (x.id > y.id) <> (x.b > y.b)) AS gt,
       count(*) FILTER (WHERE (x.id <> y.id) <> (x.b <> y.b)) AS ne,
       count(*) FILTER (WHERE sign(objectid_cmp(x.id, y.id)) <> sign(byteacmp(x.b, y.b))) AS cmp
FROM ids AS x, ids AS y;

-- an untyped literal is read as an id, and a typing error is an error
SELECT count(*) FROM ids WHERE id = '507f1f77bcf86cd799439011';
SELECT count(*) FROM ids WHERE id = '507f1f77bcf86cd79943901';
DROP TABLE ids;
