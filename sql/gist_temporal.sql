--
-- Temporal keys (18 and newer): an id WITHOUT OVERLAPS
--
\t on
SET timezone = 'UTC';
SELECT amproc::regprocedure FROM pg_amproc AS p JOIN pg_opfamily AS f ON f.oid = amprocfamily
WHERE opfname = 'objectid_gist_ops' AND amprocnum = 12;
CREATE TABLE price (item objectid, valid_at daterange, amount integer, PRIMARY KEY (item, valid_at WITHOUT OVERLAPS));
INSERT INTO price VALUES ('507f1f77bcf86cd799439011', '[2024-01-01, 2024-02-01)', 10),
                         ('507f1f77bcf86cd799439011', '[2024-02-01, 2024-03-01)', 11),
                         ('507f1f77bcf86cd799439012', '[2024-01-15, 2024-02-15)', 20);
\set VERBOSITY terse
INSERT INTO price VALUES ('507f1f77bcf86cd799439011', '[2024-01-31, 2024-02-02)', 12);
INSERT INTO price VALUES (NULL, '[2024-01-31, 2024-02-02)', 12);
CREATE TABLE sale (item objectid, valid_at daterange,
                   FOREIGN KEY (item, PERIOD valid_at) REFERENCES price (item, PERIOD valid_at));
INSERT INTO sale VALUES ('507f1f77bcf86cd799439011', '[2024-01-20, 2024-02-20)');
INSERT INTO sale VALUES ('507f1f77bcf86cd799439012', '[2024-01-20, 2024-02-20)');
DELETE FROM price WHERE item = '507f1f77bcf86cd799439011' AND amount = 11;
DELETE FROM price WHERE item = '507f1f77bcf86cd799439012';
\set VERBOSITY default
CREATE TABLE unique_price (item objectid, valid_at daterange, UNIQUE (item, valid_at WITHOUT OVERLAPS));
INSERT INTO unique_price SELECT item, valid_at FROM price;
SELECT count(*) FROM unique_price;
SELECT * FROM sale;
DROP TABLE sale, price, unique_price;
