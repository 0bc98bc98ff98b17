-- the names of relations, types and constraints in schemas $1
SELECT nspname, name
FROM pg_namespace AS n JOIN (
	SELECT relnamespace, relname FROM pg_class
	UNION ALL
	SELECT connamespace, conname FROM pg_constraint
	UNION ALL
	SELECT typnamespace, typname FROM pg_type WHERE typrelid = 0 AND typcategory <> 'A'
) AS c (schema, name) ON schema = n.oid
WHERE nspname = ANY ($1::name[])
