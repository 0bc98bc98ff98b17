-- Compare the documents $2, whose keys are $1, with the rows that have these keys: hashes of the keys that are
-- there, and the numbers of the documents that are missing, differ, or are there, once for each row.  The bytes of
-- jsonb differ if the text does: 1 and 1.0 are equal as jsonb.
SELECT array_agg(hash) FILTER (WHERE NOT missing), array_agg(DISTINCT n) FILTER (WHERE missing),
	array_agg(DISTINCT n) FILTER (WHERE NOT missing AND NOT same),
	array_agg(n) FILTER (WHERE NOT missing)
FROM (
	SELECT s.n, t._id IS NULL AS missing, hash_record_extended(ROW(t._id), 0) AS hash,
		ROW(t.doc)::record *= ROW(s.doc)::record OR t.doc::text IS NOT DISTINCT FROM s.doc::text AS same
	FROM unnest($1::{type}[], $2::jsonb[]) WITH ORDINALITY AS s (_id, doc, n)
		LEFT JOIN {table} AS t ON t._id OPERATOR(pg_catalog.=) s._id{collation}
) AS compared
