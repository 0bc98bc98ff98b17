-- Hashes of the keys in $1 that are in the table, and the numbers of those that are not; as verify_batch.sql
SELECT array_agg(hash_record_extended(ROW(t._id), 0)) FILTER (WHERE t._id IS NOT NULL),
	array_agg(n) FILTER (WHERE t._id IS NULL), NULL, NULL
FROM unnest($1::{type}[]) WITH ORDINALITY AS s (_id, n)
	LEFT JOIN {table} AS t ON t._id OPERATOR(pg_catalog.=) s._id{collation}
