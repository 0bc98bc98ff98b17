-- The parts of the run $1, and how far they are
SELECT start_offset, end_offset, first_document, next_offset, documents, rejected, changed, equal, finished IS NOT NULL
FROM {imports} WHERE run OPERATOR(pg_catalog.=) $1 ORDER BY part
