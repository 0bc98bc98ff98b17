-- The parts of the run $1, and how far they are, and when it began
SELECT start_offset, end_offset, first_document, next_offset, documents, rejected, changed, equal, finished IS NOT NULL,
	without_id, duplicate, pg_catalog.date_part('epoch', started)::pg_catalog.int8
FROM {imports} WHERE run OPERATOR(pg_catalog.=) $1 ORDER BY part
