-- The function of the name $2 in the schema $1 that compares columns and child tables with documents, and a role
-- that owns it and whose code a superuser must not run: neither a superuser nor the owner of the database.
SELECT format('%I.%I', $1::text, $2::text),
	CASE
		WHEN NOT rolsuper AND rolname NOT IN (current_user, 'pg_database_owner')
			AND r.oid <> (SELECT datdba FROM pg_database WHERE datname = current_database())
			-- a role that can become a superuser counts as one
			AND EXISTS (
				SELECT FROM pg_roles AS s
				WHERE s.rolsuper
					AND (pg_has_role(current_user, s.oid, 'MEMBER') OR pg_has_role(session_user, s.oid, 'MEMBER')))
		THEN rolname
	END
FROM pg_proc AS p JOIN pg_roles AS r ON r.oid = proowner
-- the snapshot may be old: the function that a call finds now must be in it
WHERE p.oid = to_regprocedure(format('%I.%I()', $1::text, $2::text)) AND prokind = 'f'
