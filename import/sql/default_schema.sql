-- The schema of the table $1 that the search path of the role finds, or else the first schema of the path
SELECT coalesce((SELECT nspname FROM pg_catalog.pg_class AS c
		JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) relnamespace
		WHERE c.oid OPERATOR(pg_catalog.=) pg_catalog.to_regclass(pg_catalog.quote_ident($1))),
	pg_catalog.current_schema(), '')
