-- the indexes of relations $1, and then their foreign keys
SELECT indexrelid, indrelid, relname, quote_ident(nspname) || '.' || quote_ident(relname),
	obj_description(indexrelid, 'pg_class'), pg_get_indexdef(indexrelid), indkey, pg_get_expr(indpred, indrelid),
	indisunique AND indimmediate, indisvalid
FROM pg_index JOIN pg_class AS c ON c.oid = indexrelid JOIN pg_namespace AS n ON n.oid = relnamespace
WHERE indrelid = ANY ($1::oid[])
ORDER BY indrelid, relname
