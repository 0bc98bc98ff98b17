--
-- The extension works in a schema that is not on the search path
--
-- drop the extension that "setup" created, if any
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS objectid CASCADE;
RESET client_min_messages;
CREATE SCHEMA away;
CREATE EXTENSION objectid SCHEMA away;
CREATE TABLE t (id away.objectid DEFAULT away.gen_objectid() PRIMARY KEY, ref away.objectid UNIQUE);
INSERT INTO t (ref) VALUES ('507f1f77bcf86cd799439011'), ('507f1f77bcf86cd799439012');
INSERT INTO t (ref) VALUES ('507f1f77bcf86cd799439011');
SELECT ref FROM t WHERE ref OPERATOR(away.=) '507f1f77bcf86cd799439012';
SELECT ref FROM t ORDER BY ref DESC;
SELECT DISTINCT ref FROM t ORDER BY ref USING OPERATOR(away.<);
SELECT away.max(ref) FROM t;
SELECT count(*) FROM t a JOIN t b ON a.ref OPERATOR(away.=) b.ref;
DROP TABLE t;

-- a schema whose name needs quotes
DROP EXTENSION objectid;
CREATE SCHEMA "Odd One";
CREATE EXTENSION objectid SCHEMA "Odd One";
SELECT "Odd One".objectid_time('507f1f77bcf86cd799439011') = '2012-10-17 21:13:27+00' AS works;
ALTER EXTENSION objectid SET SCHEMA away;
DROP SCHEMA "Odd One";
-- the extension works after ALTER EXTENSION ... SET SCHEMA
ALTER EXTENSION objectid SET SCHEMA public;
SELECT '507f1f77bcf86cd799439011'::objectid < gen_objectid() AS older;
DROP SCHEMA away;
DROP EXTENSION objectid;
