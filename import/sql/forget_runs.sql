-- Runs of the file $2 into the table $1 to forget: all, if $3; with the same contents, those that finished with other
-- options than $6, and those whose documents a later --upsert may have replaced; and those that were interrupted
-- before they loaded anything
SELECT run, rejected > 0 FROM (
	SELECT run, sum(documents) AS documents, sum(rejected) AS rejected, bool_and(finished IS NOT NULL) AS finished,
		bool_and(size = $4 AND checksum = $5) AS same, bool_and(options = $6) AS same_options,
		bool_and(options LIKE '--upsert%') AND
			run < (SELECT max(run) FROM {imports} WHERE target = $1 AND options LIKE '--upsert%') AS replaced
	FROM {imports} WHERE target = $1 AND source = $2 GROUP BY run
) AS runs
WHERE $3 OR same AND same_options AND replaced
	OR CASE WHEN finished THEN same AND NOT same_options ELSE documents = rejected END
