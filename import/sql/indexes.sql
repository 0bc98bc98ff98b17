-- The statements for a collection's indexes: each index is a comment, and a statement, if
-- that means the same.  $1 is the metadata, $2 the table as it is quoted, $3 its name.
SELECT regexp_replace(
	format(E'-- Collection %s: review before use.  An index on a field that holds arrays would be\n'
		'-- GIN, (doc -> ''field'') jsonb_path_ops, with conditions by @>.\n',
		regexp_replace($3::text, E'[\x01-\x1f\x7f]', '?', 'g')) ||
	coalesce((
		SELECT string_agg(format(E'-- The option "%s" of the collection is not translated: %s\n',
			regexp_replace(key, E'[\x01-\x1f\x7f]', '?', 'g'), value), '')
		FROM json_each($1::json->'options')), '') ||
	coalesce(string_agg(format(E'\n-- %s\n%s%s\n', i, comment, statement), '' ORDER BY number), ''),
	-- control characters, which may not reach a terminal; those in statements are refused below
	E'[\\x01-\\x09\\x0b-\\x1f\\x7f-\\x9f]', '?', 'g')
FROM json_array_elements($1::json->'indexes') WITH ORDINALITY AS indexes(i, number),
-- its columns: ascending and descending fields, or one that is hashed
LATERAL (
	SELECT string_agg(expression || CASE WHEN kind ~ '^-' THEN ' DESC' ELSE '' END, ', ' ORDER BY n) AS columns,
		coalesce(bool_and(path !~ '^$|[$]'
				AND concat($3::text, path, i->>'name') !~ E'[\\x01-\\x09\\x0b-\\x1f\\x7f-\\x9f]'
				AND (kind ~ '^-?[0-9.]+$' OR kind = '"hashed"' AND single)), false)
			AND i->'partialFilterExpression' IS NULL AND i->'collation' IS NULL AS known,
		CASE WHEN bool_or(kind = '"hashed"') THEN 'hash' ELSE 'btree' END AS method
	FROM (
		SELECT key, value::text, ordinality, count(*) OVER () = 1
		FROM json_each(CASE json_typeof(i->'key') WHEN 'object' THEN i->'key' END) WITH ORDINALITY
	) AS fields(path, kind, n, single),
	LATERAL (
		SELECT CASE path WHEN '_id' THEN path
			ELSE '(doc' || string_agg(' -> ' || quote_literal(part), '' ORDER BY m) || ')' END AS expression
		FROM unnest(string_to_array(path, '.')) WITH ORDINALITY AS parts(part, m)
	) AS field
) AS key,
LATERAL (SELECT $3::text || '_' || coalesce(i->>'name', 'index') AS name) AS named,
-- a long name ends in its checksum
LATERAL (
	SELECT CASE WHEN octet_length(name) < 64 THEN name
		ELSE left(name, max(n)) || '_' || lpad(to_hex(hashtext(name)), 8, '0') END AS identifier
	FROM generate_series(1, 54) AS n WHERE octet_length(left(name, n)) < 55
) AS short,
LATERAL (
	SELECT
		CASE WHEN i->'expireAfterSeconds' IS NOT NULL THEN E'-- TTL: let a job delete old documents\n' END AS comment,
		CASE WHEN known THEN format('CREATE %sINDEX %I ON %s USING %s (%s);',
			CASE WHEN i->>'unique' NOT IN ('false', '0', '0.0') THEN 'UNIQUE ' END,
			identifier, $2::text, method, columns)
		ELSE '-- is not translated' END AS statement
) AS written
-- that of _id is the primary key
WHERE NOT known OR columns <> '_id'
