-- Hashes of all keys of the table, in 256 buckets: how many, and sums of their halves.  A type's own hash folds 64 bits
-- of a bigint, and levels of jsonb.
SELECT hash & 255, count(*), sum((hash >> 32)::integer), sum((hash << 32 >> 32)::integer)
FROM (SELECT coalesce(hashtextextended(_id::text COLLATE "C", 0), 0) AS hash FROM {table}) AS hashed GROUP BY 1
