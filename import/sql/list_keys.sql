-- The keys of the table in the buckets $1, as in sum_keys.sql
SELECT hash, key FROM (
	SELECT coalesce(hashtextextended(_id::text COLLATE "C", 0), 0) AS hash,
		coalesce(doc -> '_id', to_jsonb(_id::text))::text AS key FROM {table}) AS keys
WHERE hash & 255 = ANY ($1::bigint[])
