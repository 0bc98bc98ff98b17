/* plain/to-pg_catalog.sql */

--
-- Move what plain/objectid.sql has created in "public" to pg_catalog, in a scratch database
-- that is then dumped for the extension: see docs/managed.md.  Needs a superuser.
--
--     psql -d scratch -1 -v ON_ERROR_STOP=1 -f plain/to-pg_catalog.sql
--

SET search_path = pg_catalog;
ALTER DOMAIN public.objectid SET SCHEMA pg_catalog;
SELECT format('ALTER FUNCTION public.%s SET SCHEMA pg_catalog', signature)
FROM (VALUES ('gen_objectid()'), ('gen_objectid(timestamptz)'), ('objectid_clock_error()'), ('objectid_is_valid(text)'), ('objectid_time(objectid)'),
	('objectid_from_time(timestamptz)'), ('objectid_lower_bound(timestamptz)'), ('objectid_upper_bound(timestamptz)'),
	('objectid_lt_timestamptz(objectid, timestamptz)'), ('objectid_le_timestamptz(objectid, timestamptz)'),
	('objectid_ge_timestamptz(objectid, timestamptz)'), ('objectid_gt_timestamptz(objectid, timestamptz)'),
	('timestamptz_lt_objectid(timestamptz, objectid)'), ('timestamptz_le_objectid(timestamptz, objectid)'),
	('timestamptz_ge_objectid(timestamptz, objectid)'), ('timestamptz_gt_objectid(timestamptz, objectid)')) AS function(signature)
\gexec
SELECT format('ALTER OPERATOR public.%s (%s) SET SCHEMA pg_catalog', name, operands)
FROM (VALUES ('<'), ('<='), ('>='), ('>')) AS operator(name), (VALUES ('objectid, timestamptz'), ('timestamptz, objectid')) AS types(operands)
\gexec
