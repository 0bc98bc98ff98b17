-- Runs of the file $2 into the table $1 to forget: all, if $3; with the same contents, those that finished with other
-- options than $7, and those whose documents a later --upsert may have replaced; and those that were interrupted
-- before they loaded anything, or, if $4, after that
SELECT run, rejected > 0 FROM (
	SELECT run, sum(documents) AS documents, sum(rejected) AS rejected, bool_and(finished IS NOT NULL) AS finished,
		bool_and(size = $5 AND checksum = $6) AS same, bool_and(options = $7) AS same_options,
		bool_and(options LIKE '--upsert%') AND
			run < (SELECT max(run) FROM {imports} WHERE target = $1 AND options LIKE '--upsert%') AS replaced
	FROM {imports} WHERE target = $1 AND source = $2 GROUP BY run
) AS runs
WHERE $3 OR same AND same_options AND replaced
	OR CASE WHEN finished THEN same AND NOT same_options ELSE $4 OR documents = rejected END
