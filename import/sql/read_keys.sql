SELECT conrelid, confrelid, quote_ident(conname), obj_description(oid, 'pg_constraint'),
	array_to_string(conkey, ' '), array_to_string(confkey, ' ')
FROM pg_constraint WHERE contype = 'f' AND conrelid = ANY ($1::oid[]) AND conparentid = 0
ORDER BY conrelid, conname
