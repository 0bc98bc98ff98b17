-- Replace the rows that differ, insert those that are new, and count changed, equal and inserted ones.  Bytes are
-- compared first, which takes less time, although documents with the same text can have different bytes.
WITH equal AS (
	SELECT s._id FROM {table} AS t
		JOIN pg_temp.objectid_import_batch AS s ON t._id OPERATOR(pg_catalog.=) s._id
	WHERE ROW(t.doc)::pg_catalog.record OPERATOR(pg_catalog.*=) ROW(s.doc)::pg_catalog.record
		OR t.doc::pg_catalog.text OPERATOR(pg_catalog.=) s.doc::pg_catalog.text),
changed AS (
	UPDATE {table} AS t SET doc = s.doc FROM pg_temp.objectid_import_batch AS s
	WHERE t._id OPERATOR(pg_catalog.=) s._id
		AND ROW(t.doc)::pg_catalog.record OPERATOR(pg_catalog.*<>) ROW(s.doc)::pg_catalog.record
		AND t.doc::pg_catalog.text OPERATOR(pg_catalog.<>) s.doc::pg_catalog.text RETURNING s._id),
inserted AS (
	INSERT INTO {table} (_id, doc) SELECT s._id, s.doc FROM pg_temp.objectid_import_batch AS s
	WHERE NOT EXISTS (SELECT FROM {table} AS t WHERE t._id OPERATOR(pg_catalog.=) s._id) RETURNING 1)
SELECT (SELECT pg_catalog.count(*) FROM changed), (SELECT pg_catalog.count(*) FROM equal),
	(SELECT pg_catalog.count(*) FROM inserted),
	-- a key that is there twice may be changed and equal
	(SELECT pg_catalog.count(*) OPERATOR(pg_catalog.-) pg_catalog.count(DISTINCT _id)
		FROM (SELECT _id FROM changed UNION ALL SELECT _id FROM equal) AS old)
