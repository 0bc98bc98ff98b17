-- Insert all rows that wait, and count those that go on waiting: a foreign key (23503) may need a row that comes later.
WITH done AS (
	UPDATE pg_temp.objectid_import_rows SET (state, why) = (
		SELECT r.state, r.why FROM pg_temp.objectid_import_row(doc, $1::pg_catalog.bool) AS r)
	WHERE state IS NULL OR state OPERATOR(pg_catalog.=) '23503' RETURNING state)
SELECT pg_catalog.count(*) FROM done WHERE state OPERATOR(pg_catalog.=) '23503'
