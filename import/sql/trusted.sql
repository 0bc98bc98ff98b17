-- The roles whose code may run when the current role loads, runs a script or verifies: itself, superusers, and
-- the owner of the database.
SELECT t.oid FROM pg_roles AS t
WHERE t.rolsuper OR t.rolname IN (current_user, 'pg_database_owner')
	OR t.oid = (SELECT datdba FROM pg_database WHERE datname = current_database())
