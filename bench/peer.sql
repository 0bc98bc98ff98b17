-- A kind of key of another extension: TYPE DEFAULT EXPRESSION.  Its keys of five years are what that gives.
CREATE EXTENSION IF NOT EXISTS :"name" CASCADE;
INSERT INTO bench.kind (name, type, ddl, make, spread, class)
	SELECT :'name' || ': ' || p[2], p[1], :'ddl', p[2], p[2], 'key' FROM regexp_match(:'ddl', '^(.*?)\s+DEFAULT\s+(.*)$', 'i') AS p;
