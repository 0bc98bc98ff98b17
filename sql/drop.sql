--
-- DROP EXTENSION, and CREATE EXTENSION again
--
\t on
CREATE TABLE kept (id objectid DEFAULT gen_objectid() PRIMARY KEY, n integer);
INSERT INTO kept (n) VALUES (1);
\set VERBOSITY terse
DROP EXTENSION objectid;
\set VERBOSITY default
SELECT count(*) FROM kept;
SET client_min_messages = warning;
DROP EXTENSION objectid CASCADE;
RESET client_min_messages;
SELECT * FROM kept;
SELECT typname FROM pg_type WHERE typname LIKE '%objectid%'
UNION SELECT proname FROM pg_proc WHERE proname LIKE '%objectid%'
UNION SELECT opcname FROM pg_opclass WHERE opcname LIKE '%objectid%'
UNION SELECT opfname FROM pg_opfamily WHERE opfname LIKE '%objectid%';
CREATE EXTENSION objectid;
ALTER TABLE kept ADD COLUMN id objectid DEFAULT gen_objectid();
SELECT n, objectid_time(id) <= now() AS made FROM kept;
DROP TABLE kept; DROP FUNCTION plan_nodes, top_node, estimate, outcome, compare, serial;
DROP EXTENSION objectid;
