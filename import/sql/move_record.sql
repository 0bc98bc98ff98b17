-- Record how far the part $2 of the run $1 is, which was at $3
UPDATE {imports} SET next_offset = $4, documents = $5, rejected = $6, changed = $8, equal = $9,
	without_id = $10, duplicate = $11, finished = CASE WHEN $7::pg_catalog.bool THEN pg_catalog.clock_timestamp() END
WHERE run OPERATOR(pg_catalog.=) $1 AND part OPERATOR(pg_catalog.=) $2 AND next_offset OPERATOR(pg_catalog.=) $3
