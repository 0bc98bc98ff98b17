-- Of each field, how many values do not fit the type of its column, or have none.  The columns have the paths $1 and
-- the types $2, and the views, which take an object for an array of one, the paths $3.
WITH u (path, type) AS (
	SELECT * FROM unnest($1::text[], $2::text[])
)
SELECT format('-- only in doc: %s of %s%s', count(*), w.path, ', whose column is ' || (types->>w.path))
FROM (SELECT doc FROM {table}) AS d, (
	SELECT coalesce(jsonb_object_agg(path, type ORDER BY type IN ('text', 'jsonb')), '{}')
	FROM (TABLE u UNION ALL SELECT path || '[]', left(type, -2) FROM u WHERE type LIKE '%[]') AS u
) AS t (types), LATERAL (
	WITH RECURSIVE walk (path, node, kind) AS (
		SELECT ''::text, d.doc - '_id', 'object'
		UNION ALL
		SELECT field, value, CASE
			WHEN type IN ('text', 'jsonb') THEN 'known'
			WHEN CASE
				-- no field beside those that are converted
				WHEN jsonb_typeof(value) = 'object' AND value::text !~
					'^{"\$\w+": ("[^"]*"|{"\$numberLong": "[^"]*"}|{"base64": "[^"]*", "subType": "[^"]*"})}$'
					THEN false
				WHEN converted IS NULL OR type = 'timestamptz' THEN converted <> ''
				WHEN jsonb_typeof(value) = 'string' THEN converted = value #>> '{}'
				WHEN type = 'bytea' THEN value->'$binary'->>'subType' = '00'
				WHEN type IN ('bigint', 'double precision', 'numeric') THEN
					converted::numeric = coalesce(value->>'$numberDecimal', value->>'$numberDouble',
					value->>'$numberLong', value->>'$numberInt', value #>> '{}')::numeric
				ELSE true END THEN 'known'
			WHEN jsonb_typeof(value) = 'object' AND field || '[]' = ANY ($3::text[]) THEN 'element'
			-- the values of Extended JSON that are objects
			WHEN value ?| '{$oid,$date,$binary,$numberDecimal,$numberDouble,$numberLong,$timestamp,$regularExpression,'
				'$code,$symbol,$minKey,$maxKey,$undefined,$dbPointer}' AND jsonb_typeof(value) = 'object' THEN 'value'
			ELSE jsonb_typeof(value) END
		FROM walk, LATERAL (
			SELECT concat(nullif(path, '') || '.',
				CASE WHEN key ~ '^[A-Za-z0-9_$-]+$' THEN key ELSE to_json(key)::text END), value
			FROM jsonb_each(CASE kind WHEN 'object' THEN node END)
			UNION ALL
			SELECT path || '[]', value FROM jsonb_array_elements(CASE kind WHEN 'array' THEN node END)
			UNION ALL
			SELECT path || '[]', node WHERE kind = 'element'
		) AS n (field, value), LATERAL (SELECT types->>field) AS t (type), LATERAL (SELECT {converted}) AS c (converted)
	)
	SELECT path FROM walk WHERE kind NOT IN ('known', 'element', 'object', 'array', 'null')
) AS w GROUP BY types, path ORDER BY path
