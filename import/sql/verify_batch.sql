-- Compare the documents $2, whose keys are $1, with the rows that have these keys: the number of each document with
-- whether it is equal (0), differs (1) or is missing (2), and a hash of its key, once for each row, all in one value,
-- because rows take longer.  The bytes of jsonb differ if the text does: 1 and 1.0 are equal as jsonb.  $2 is NULL if
-- only the keys matter.
SELECT string_agg(int8send(4 * s.n + CASE
		WHEN t._id IS NULL THEN 2
		WHEN s.doc IS NULL OR ROW(t.doc)::record *= ROW(s.doc)::record THEN 0
		WHEN t.doc::text IS NOT DISTINCT FROM s.doc::text THEN 0
		ELSE 1 END) || int8send(coalesce(hashtextextended(t._id::text COLLATE "C", 0), 0)), '')
FROM unnest($1::{type}[], $2::jsonb[]) WITH ORDINALITY AS s (_id, doc, n)
	LEFT JOIN {table} AS t ON t._id OPERATOR(pg_catalog.=) s._id{collation}
