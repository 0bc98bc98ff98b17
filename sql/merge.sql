--
-- MERGE (15 and newer)
--
CREATE TABLE target (id objectid PRIMARY KEY DEFAULT gen_objectid(), n integer);
INSERT INTO target VALUES ('507f1f77bcf86cd799439011', 1), ('507f1f77bcf86cd799439012', 2),
                          ('507f1f77bcf86cd799439013', 3);
CREATE TABLE source (id objectid, n integer);
INSERT INTO source VALUES ('507f1f77bcf86cd799439011', 10), ('507f1f77bcf86cd799439012', NULL),
                          ('507f1f77bcf86cd799439014', 40), (NULL, 50);
MERGE INTO target AS t USING source AS s ON t.id = s.id
WHEN MATCHED AND s.n IS NULL THEN DELETE
WHEN MATCHED THEN UPDATE SET n = s.n
WHEN NOT MATCHED AND s.id IS NULL THEN INSERT (n) VALUES (s.n)
WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.n);
SELECT CASE WHEN n <> 50 THEN id END AS id, n, id > timestamptz '2020-01-01' AS made FROM target ORDER BY n;
DROP TABLE target, source;
