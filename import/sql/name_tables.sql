-- The schema of a table, its names, a number for locks, the type objectid, why a domain of this name is not
-- taken, whether the table is there, and that of rejected documents, whether that can be read, and what is wrong with
-- the names.
WITH given AS (
	SELECT coalesce($1::text,
			(SELECT nspname::text FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace
			WHERE c.oid = $6::oid),
			$5, '') AS target_schema,
		$2::text AS target_name, $3::text AS side_schema, $4::text AS side_name,
		-- what the search path of the role finds
		$7::name[] AS path
), objectid AS (
	-- the extension's, or the first domain of plain SQL in the search path
	SELECT y.oid, typtype, rolname, array_position(path, nspname) AS place, r.oid IN (SELECT oid FROM (
{trusted}
		) AS trusted) AS trusted
	FROM given, pg_type AS y JOIN pg_namespace AS n ON n.oid = typnamespace JOIN pg_roles AS r ON r.oid = typowner
	WHERE typname = 'objectid' AND (typtype <> 'd' AND nspname = 'pg_catalog'
		OR typtype = 'd' AND typbasetype = 'text'::regtype AND nspname = ANY (path))
), named AS (
	SELECT *, format('%I.%I', target_schema, target_name) AS target,
		format('%I.%I', coalesce(side_schema, target_schema), side_name) AS side
	FROM given
)
SELECT target_schema, target, side, format('%I.objectid_import', target_schema),
	hashtextextended('objectid-import batch ' || target, 0),
	(SELECT format_type(oid, NULL) FROM objectid WHERE trusted ORDER BY typtype, place LIMIT 1),
	(SELECT format('The domain %s belongs to role "%s", whose checks would run with your rights.',
			format_type(oid, NULL), rolname)
		FROM objectid WHERE NOT trusted ORDER BY place LIMIT 1),
	to_regclass(target) IS NOT NULL, to_regclass(side) IS NOT NULL,
	-- nobody needs this right to verify a file without rejected documents
	has_table_privilege(to_regclass(side), 'SELECT'),
	CASE
		WHEN target_schema = '' THEN 'there is no schema to create tables in'
		WHEN 'objectid_import' IN (target_name, side_name) THEN
			'the name "objectid_import" is reserved for the table that records the progress'
		WHEN target_schema ~ '^(pg_|information_schema$)' THEN
			format('schema "%s" is reserved for the server', target_schema)
	END
FROM named
