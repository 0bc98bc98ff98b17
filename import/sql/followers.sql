-- What follows the table $1 since --schema-only: the function that compares it with its columns and
-- child tables, and the child tables, which are the other tables that the function depends on.
SELECT p.oid::regprocedure, (
	SELECT string_agg(DISTINCT c.oid::regclass::text, ', ')
	FROM pg_depend AS child JOIN pg_class AS c ON c.oid = child.refobjid
	WHERE child.classid = d.classid AND child.objid = d.objid AND child.refclassid = d.refclassid
		AND c.relkind IN ('r', 'p') AND c.oid <> d.refobjid
		AND EXISTS (
			SELECT FROM pg_trigger
			WHERE tgrelid = d.refobjid AND tgname = 'objectid_import_follow_truncate'))
FROM pg_depend AS d JOIN pg_proc AS p ON p.oid = d.objid JOIN pg_class AS r ON r.oid = d.refobjid
WHERE d.classid = 'pg_proc'::regclass AND d.refclassid = 'pg_class'::regclass
	AND d.refobjid = to_regclass($1) AND proargnames = '{relation,result,rows,first_keys}'
	AND pronamespace = r.relnamespace AND proowner = r.relowner
LIMIT 1
