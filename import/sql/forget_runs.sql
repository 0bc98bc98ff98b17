-- Runs of the file $2 into the table $1 to forget: all, if $3; else those that finished with other options than $7, and
-- those that were interrupted before they loaded anything, or, if $4, after that
SELECT run, sum(rejected) > 0 FROM {imports} WHERE target = $1 AND source = $2 GROUP BY run
HAVING $3 OR CASE WHEN bool_and(finished IS NOT NULL) THEN bool_and(size = $5 AND checksum = $6 AND options <> $7)
	ELSE $4 OR sum(documents) = sum(rejected) END
