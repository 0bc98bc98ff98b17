-- the indexes of relations $1, by their places in it
SELECT n - 1, obj_description(indexrelid, 'pg_class'), pg_get_indexdef(indexrelid), indkey,
	pg_get_expr(indpred, indrelid), indisunique AND indimmediate, indisvalid
FROM unnest($1::oid[]) WITH ORDINALITY AS r (oid, n) JOIN pg_index ON indrelid = oid
