-- The names of the table $2 in the schema $1, of the table $3 of its rejected documents, and of the record of loads, a
-- number for locks, the type objectid, whether the table is there, and that of rejected documents, whether that can be
-- read, and what is wrong with the names.  $4 is the search path of the role.
SELECT target, side, format('%I.objectid_import', $1),
	hashtextextended('objectid-import batch ' || target, 0),
	-- the extension's, or the first domain of plain SQL in the search path
	(SELECT format_type(y.oid, NULL) FROM pg_type AS y JOIN pg_namespace AS n ON n.oid = typnamespace
		WHERE typname = 'objectid' AND (typtype <> 'd' AND nspname = 'pg_catalog'
			OR typtype = 'd' AND typbasetype = 'text'::regtype AND nspname = ANY ($4::name[]))
		ORDER BY nspname <> 'pg_catalog', array_position($4::name[], nspname) LIMIT 1),
	to_regclass(target) IS NOT NULL, to_regclass(side) IS NOT NULL,
	-- nobody needs this right to verify a file without rejected documents
	has_table_privilege(to_regclass(side), 'SELECT'),
	CASE
		WHEN $1 = '' THEN 'there is no schema to create tables in'
		WHEN 'objectid_import' IN ($2, $3) THEN
			'the name "objectid_import" is reserved for the table that records the progress'
		WHEN $1 ~ '^(pg_|information_schema$)' THEN
			format('schema "%s" is reserved for the server', $1)
	END
FROM format('%I.%I', $1::text, $2::text) AS target, format('%I.%I', $1, $3::text) AS side
