-- Of the table $1 with documents: what makes its columns plain, the calls that convert a value of a type, where roles
-- $2 own the functions, and how the tables of its arrays are stored.
SELECT (
		SELECT string_agg(action, E',\n  ' ORDER BY n) FROM (
			SELECT attnum, format('ALTER %I DROP EXPRESSION', attname)
			FROM pg_attribute AS a JOIN pg_attrdef AS d ON (adrelid, adnum) = (attrelid, attnum)
			WHERE attrelid = c.oid AND attgenerated = 's' AND d.oid IN (
				SELECT objid FROM pg_depend JOIN pg_attribute AS doc ON (attrelid, attnum) = (refobjid, refobjsubid)
				WHERE classid = d.tableoid AND refclassid = c.tableoid AND refobjid = c.oid AND attname = 'doc')
			UNION ALL
			SELECT 9998, 'ALTER _id SET DEFAULT ' || CASE WHEN typname = 'uuid' THEN 'gen_random_uuid()'
				-- a function of somebody else could also be called so
				WHEN (SELECT array_agg(proowner) FROM pg_proc WHERE proname = 'gen_objectid'
					AND pronamespace = typnamespace
					AND pronargs = pronargdefaults) = ARRAY[typowner] THEN format('%I.gen_objectid()', nspname) END
			FROM pg_attribute JOIN pg_type AS t ON t.oid = atttypid JOIN pg_namespace AS n ON n.oid = typnamespace
			WHERE attrelid = c.oid AND attname = '_id' AND typname IN ('objectid', 'uuid') AND NOT atthasdef
			UNION ALL
			VALUES (9999, 'ALTER doc DROP NOT NULL')
		) AS s (n, action)
	), (
		SELECT coalesce('CASE type' || string_agg(format(' WHEN %L THEN %I.%I(value)::text', CASE typname
				WHEN 'float8' THEN 'double precision' WHEN 'bool' THEN 'boolean' WHEN 'int8' THEN 'bigint'
				ELSE typname END,
			nspname, proname), '') || ' END', 'NULL::text')
		FROM pg_proc JOIN pg_namespace AS n ON n.oid = pronamespace JOIN pg_type AS t ON t.oid = prorettype
		WHERE pronamespace = relnamespace AND proowner = ANY ($2::oid[]) AND proname ~ '^ejson_(?!parse_)'
			AND proargtypes[0] = 'jsonb'::regtype AND pronargs = 1
	), CASE relpersistence WHEN 'u' THEN 'UNLOGGED ' END,
	(SELECT format(' TABLESPACE %I', spcname) FROM pg_tablespace AS s WHERE s.oid = reltablespace)
FROM pg_class AS c WHERE oid = $1
