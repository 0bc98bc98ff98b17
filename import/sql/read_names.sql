-- the names in schemas $1: schemas, relations, types and functions of ejson.sql; are their owners among $2?
SELECT nspname, NULL, 'schema', nspowner = ANY ($2::oid[]), nspowner::regrole, NULL
FROM pg_namespace WHERE nspname = ANY ($1::name[])
UNION ALL
SELECT nspname, name, kind, owner = ANY ($2::oid[]), owner::regrole, comment
FROM pg_namespace AS n, LATERAL (
	SELECT relname, CASE WHEN relkind IN ('r', 'p') AND NOT relispartition THEN 'table' ELSE 'other' END, relowner, NULL
	FROM pg_class WHERE relnamespace = n.oid
	UNION ALL
	SELECT typname, 'other', typowner, NULL FROM pg_type
	WHERE typnamespace = n.oid AND typrelid = 0 AND typcategory <> 'A'
	UNION ALL
	SELECT proname, 'function', proowner, obj_description(oid, 'pg_proc') FROM pg_proc
	WHERE pronamespace = n.oid AND proname ~ '^ejson_' AND proargtypes IN ('3802', '25')
) AS names(name, kind, owner, comment)
WHERE nspname = ANY ($1::name[])
