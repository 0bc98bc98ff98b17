-- the indexes of relations $1
SELECT indrelid, obj_description(indexrelid, 'pg_class'), pg_get_indexdef(indexrelid), indkey,
	pg_get_expr(indpred, indrelid), indisunique AND indimmediate, indisvalid
FROM pg_index WHERE indrelid = ANY ($1::oid[])
