-- the database, roles, trusted roles, and the schema of the type objectid, or of its domain in $1
SELECT current_database(), session_user, current_user, trusted, (
	SELECT CASE nspname WHEN 'pg_catalog' THEN '' ELSE quote_ident(nspname) || '.' END
	FROM pg_type AS t JOIN pg_namespace AS n ON n.oid = typnamespace
	WHERE typname = 'objectid' AND (nspname = 'pg_catalog' AND typtype = 'b'
		OR typtype = 'd' AND typbasetype = 'text'::regtype AND nspname = ANY ($1::name[]) AND typowner = ANY (trusted))
	ORDER BY nspname <> 'pg_catalog', array_position($1::name[], nspname) LIMIT 1)
FROM (
	SELECT array_agg(oid) AS trusted FROM pg_roles
	WHERE rolsuper OR rolname IN (session_user, 'pg_database_owner')
		OR oid = (SELECT datdba FROM pg_database WHERE datname = current_database())) AS r
