-- the schema in $1 that has a relation $2, or $3
SELECT coalesce((
	SELECT nspname FROM pg_class JOIN pg_namespace AS n ON n.oid = relnamespace
	WHERE relname = $2 AND nspname = ANY ($1::name[])
	ORDER BY array_position($1::name[], nspname) LIMIT 1), $3)
