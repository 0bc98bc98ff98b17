/* plain/compares-text.sql */

--
-- List the definitions that depend on ids and have a cast to text.  In plain SQL, and after
-- a move to the extension, they compare texts: see docs/managed.md.
--

WITH ids AS (SELECT oid FROM pg_type WHERE 'objectid'::regtype IN (oid, typbasetype, typelem)),
  users AS (
    SELECT classid, objid FROM pg_depend JOIN pg_attribute ON (attrelid, attnum) = (refobjid, refobjsubid)
    WHERE refclassid = 'pg_class'::regclass AND atttypid IN (TABLE ids)
    UNION SELECT classid, objid FROM pg_depend WHERE refclassid = 'pg_type'::regclass AND refobjid IN (TABLE ids))
SELECT pg_describe_object(classid, objid, 0) AS object, definition
FROM users, LATERAL (SELECT CASE classid
  WHEN 'pg_class'::regclass THEN concat(pg_get_indexdef(objid), pg_get_partkeydef(objid))
  WHEN 'pg_rewrite'::regclass THEN pg_get_ruledef(objid)
  WHEN 'pg_constraint'::regclass THEN pg_get_constraintdef(objid)
  WHEN 'pg_trigger'::regclass THEN pg_get_triggerdef(objid)
  WHEN 'pg_statistic_ext'::regclass THEN pg_get_statisticsobjdef(objid)
  WHEN 'pg_proc'::regclass THEN concat(pg_get_function_arguments(objid), pg_get_function_sqlbody(objid))
  WHEN 'pg_attrdef'::regclass THEN (SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE oid = objid)
  WHEN 'pg_policy'::regclass THEN (SELECT concat(pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) FROM pg_policy WHERE oid = objid)
  END) AS d(definition)
WHERE definition LIKE '%::text%'
ORDER BY object;
