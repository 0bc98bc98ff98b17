-- Why COPY cannot load the table $1, the type of its keys, whether that is a domain, their collation, which columns to
-- analyze, what changes if the table or its column "doc" is replaced, and if it is truncated or gets a rule; $2: are
-- documents to be replaced?
SELECT
	CASE
		WHEN relkind NOT IN ('r', 'p') THEN 'It is not a table.'
		WHEN type IS NULL THEN 'It has no column "_id" of type objectid, text, bigint, uuid or jsonb.'
		WHEN NOT EXISTS (
			SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'doc' AND atttypid = 'jsonb'::regtype
		) THEN 'It has no column "doc" of type jsonb.'
		WHEN NOT EXISTS (
			SELECT FROM pg_index
			WHERE indrelid = c.oid AND indisunique AND indisvalid AND indimmediate AND indpred IS NULL
				AND indnkeyatts = 1 AND indkey[0] = attnum
		) THEN 'Its column "_id" has no primary key or unique index, or only one that is deferrable or partial.'
		WHEN EXISTS (
			SELECT FROM pg_rewrite WHERE ev_class = c.oid AND (ev_type = '3' OR ev_type = '2' AND $2::boolean)
		) THEN 'It has a rule for INSERT, or, with --upsert, for UPDATE.'
		WHEN row_security_active(c.oid) THEN 'Row-level security applies to your role.'
		WHEN $2::boolean AND EXISTS (
			SELECT FROM pg_collation AS l WHERE l.oid = attcollation AND NOT collisdeterministic
		) THEN
			'The collation of its column "_id" takes different keys for equal, '
			'so --upsert would replace other documents.'
	END,
	type, typtype = 'd', quote_ident(nspname) || '.' || quote_ident(typname),
	atttypid::oid,
	(SELECT format(' COLLATE %I.%I', s.nspname, collname)
		FROM pg_collation AS l JOIN pg_namespace AS s ON s.oid = collnamespace WHERE l.oid = attcollation),
	(SELECT '(' || string_agg(quote_ident(o.attname), ', ') || ')'
		FROM pg_attribute AS o WHERE o.attrelid = c.oid AND o.attnum > 0 AND NOT o.attisdropped AND o.attname <> 'doc'
			AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = c.oid AND indexprs IS NOT NULL)),
	concat(c.oid, ' ', (SELECT attnum FROM pg_attribute WHERE attrelid = c.oid AND attname = 'doc')),
	concat(pg_relation_filenode(c.oid), ' ', (
		SELECT sum(pg_relation_filenode(relid)::bigint) FROM pg_partition_tree(c.oid)
	), ' ', (SELECT max(oid) FROM pg_rewrite WHERE ev_class = c.oid))
FROM pg_class AS c
	LEFT JOIN pg_attribute ON attrelid = c.oid AND attname = '_id'
	LEFT JOIN pg_type AS y ON y.oid = atttypid
	LEFT JOIN pg_namespace AS n ON n.oid = typnamespace,
	LATERAL (SELECT CASE
		-- a table's domain may be in no schema of the search path
		WHEN typname = 'objectid' AND typtype = 'd' AND typbasetype = 'text'::regtype THEN 'objectid'
		WHEN atttypid = to_regtype('pg_catalog.objectid') THEN 'objectid'
		WHEN atttypid IN ('text'::regtype, 'bigint'::regtype, 'uuid'::regtype, 'jsonb'::regtype) THEN
			format_type(atttypid, NULL)
	END AS type) AS key
WHERE c.oid = to_regclass($1)
