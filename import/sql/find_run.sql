-- The run of the file $2 into the table $1 that can be resumed, or has finished with the same contents, of size $3 and
-- checksum $4, and options $5; and which command began it, if that cleared by the same options $6, and whether it has
-- not finished
SELECT run, bool_and(size = $3 AND checksum = $4), bool_and(finished IS NOT NULL), max(finished)::timestamptz(0),
	sum(documents), max(size), bool_and(options = $5), sum(documents - rejected),
	max(command) FILTER (WHERE size = $3 AND checksum = $4 AND options = $5 AND cleared = $6),
	bool_or(finished IS NULL)
FROM {imports} WHERE target = $1 AND source = $2 GROUP BY run
HAVING NOT bool_and(finished IS NOT NULL) OR bool_and(size = $3 AND checksum = $4 AND options = $5)
ORDER BY bool_and(size = $3 AND checksum = $4 AND options = $5) DESC, run DESC LIMIT 1
