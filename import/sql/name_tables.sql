-- The names of the tables, a number for locks, the type objectid, why a domain of this name is
-- not taken, and what is wrong with the names.
WITH given AS (
	SELECT parse_ident($1) AS table_option, parse_ident($2) AS side_option,
		$3 AS schema, $4 AS name, $5 AS side_name,
		-- what the search path of the role finds
		$6 AS default_schema, $7::oid AS relation, $8::name[] AS path
), objectid AS (
	-- the extension's, or the first domain of plain SQL in the search path
	SELECT y.oid, typtype, rolname, array_position(path, nspname) AS place,
		typtype <> 'd' OR rolsuper OR rolname = current_user
			OR r.oid = (SELECT datdba FROM pg_database WHERE datname = current_database()) AS trusted
	FROM given, pg_type AS y JOIN pg_namespace AS n ON n.oid = typnamespace JOIN pg_roles AS r ON r.oid = typowner
	WHERE typname = 'objectid' AND (
		typtype <> 'd' AND typnamespace = (SELECT extnamespace FROM pg_extension WHERE extname = 'objectid')
		OR typtype = 'd' AND typbasetype = 'text'::regtype AND nspname = ANY (path))
), target AS (
	SELECT given.*,
		coalesce(
			CASE WHEN cardinality(table_option) > 1 THEN table_option[1] END, schema,
			(SELECT nspname::text FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace
			WHERE c.oid = relation),
			default_schema, '') AS target_schema,
		coalesce(table_option[cardinality(table_option)], name) AS target_name
	FROM given
), side AS (
	SELECT *,
		coalesce(CASE WHEN cardinality(side_option) > 1 THEN side_option[1] END, target_schema) AS side_schema,
		coalesce(side_option[cardinality(side_option)], side_name, target_name || '_rejected') AS rejected_name
	FROM target
)
SELECT target_schema, target_name,
	format('%I.%I', target_schema, target_name), format('%I.%I', side_schema, rejected_name),
	format('%I.objectid_import', target_schema),
	hashtextextended(format('objectid-import batch %I.%I', target_schema, target_name), 0),
	(SELECT format_type(oid, NULL) FROM objectid WHERE trusted ORDER BY typtype, place LIMIT 1),
	(SELECT format('The domain %s belongs to role "%s", whose checks would run with your rights.',
			format_type(oid, NULL), rolname)
		FROM objectid WHERE NOT trusted ORDER BY place LIMIT 1),
	CASE
		WHEN cardinality(table_option) > 2 OR cardinality(side_option) > 2 THEN
			format('"%s" is not the name of a table', CASE WHEN cardinality(table_option) > 2 THEN $1 ELSE $2 END)
		WHEN target_schema = '' THEN 'there is no schema to create tables in'
		WHEN octet_length(target_name) > 63 THEN format('the name "%s" is longer than 63 bytes', target_name)
		WHEN octet_length(rejected_name) > 63 THEN format('the name "%s" is longer than 63 bytes', rejected_name)
		WHEN 'objectid_import' IN (target_name, rejected_name) THEN
			'the name "objectid_import" is reserved for the table that records the progress'
		WHEN target_schema ~ '^(pg_|information_schema$)' THEN
			format('schema "%s" is reserved for the server', target_schema)
	END
FROM side
