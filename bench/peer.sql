-- A kind of key from a different extension: TYPE DEFAULT EXPRESSION. The default also gives its
-- keys of five years.
CREATE EXTENSION IF NOT EXISTS :"name" CASCADE;
INSERT INTO bench.kind (name, type, ddl, make, spread, class)
	SELECT :'name' || ': ' || p[2], p[1], :'ddl', p[2], p[2], 'key' FROM regexp_match(:'ddl', '^(.*?)\s+DEFAULT\s+(.*)$', 'i') AS p;
