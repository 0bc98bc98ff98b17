-- schemas $1 and the names in them, and who owns them and functions of ejson.sql, unless that is one of $2
SELECT nspname, kind, name, quoted, CASE WHEN owner <> ALL ($2::oid[]) THEN owner::regrole END, comment
FROM pg_namespace AS n, LATERAL (
	SELECT 'schema', nspname, quote_ident(nspname), nspowner, NULL
	UNION ALL
	SELECT 'function', proname, format('%I.%I', nspname, proname), proowner, obj_description(oid, 'pg_proc')
	FROM pg_proc WHERE pronamespace = n.oid AND proname ~ '^ejson_' AND proargtypes IN ('3802', '25')
	UNION ALL
	SELECT CASE WHEN relkind IN ('r', 'p') AND NOT relispartition THEN 'table' ELSE 'other' END, relname,
		NULL, NULL, NULL
	FROM pg_class WHERE relnamespace = n.oid
	UNION ALL
	SELECT 'other', typname, NULL, NULL, NULL FROM pg_type
	WHERE typnamespace = n.oid AND typrelid = 0 AND typcategory <> 'A'
) AS names (kind, name, quoted, owner, comment)
WHERE nspname = ANY ($1::name[])
