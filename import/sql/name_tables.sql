-- The schema of a table, its names, a number for locks, the type objectid, whether the table is there, and that of
-- rejected documents, whether that can be read, and what is wrong with the names.  The search path of the role finds
-- $5, $6 and $7.
SELECT target_schema, target, side, format('%I.objectid_import', target_schema),
	hashtextextended('objectid-import batch ' || target, 0),
	-- the extension's, or the first domain of plain SQL in the search path
	(SELECT format_type(y.oid, NULL) FROM pg_type AS y JOIN pg_namespace AS n ON n.oid = typnamespace
		WHERE typname = 'objectid' AND (typtype <> 'd' AND nspname = 'pg_catalog'
			OR typtype = 'd' AND typbasetype = 'text'::regtype AND nspname = ANY ($7::name[]))
		ORDER BY nspname <> 'pg_catalog', array_position($7::name[], nspname) LIMIT 1),
	to_regclass(target) IS NOT NULL, to_regclass(side) IS NOT NULL,
	-- nobody needs this right to verify a file without rejected documents
	has_table_privilege(to_regclass(side), 'SELECT'),
	CASE
		WHEN target_schema = '' THEN 'there is no schema to create tables in'
		WHEN 'objectid_import' IN ($2, $4) THEN
			'the name "objectid_import" is reserved for the table that records the progress'
		WHEN target_schema ~ '^(pg_|information_schema$)' THEN
			format('schema "%s" is reserved for the server', target_schema)
	END
FROM coalesce($1::text, (SELECT nspname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace
		WHERE c.oid = $6::oid)::text, $5::text, '') AS target_schema,
	format('%I.%I', target_schema, $2::text) AS target,
	format('%I.%I', coalesce($3::text, target_schema), $4::text) AS side
