/* plain/drop.sql */

--
-- Drop what plain/objectid.sql has created, in the first schema of the search_path.
-- An error names the columns and other objects that still use it.
--
--     psql -1 -v ON_ERROR_STOP=1 -f plain/drop.sql
--

DROP OPERATOR
	< (objectid, pg_catalog.timestamptz), <= (objectid, pg_catalog.timestamptz), >= (objectid, pg_catalog.timestamptz), > (objectid, pg_catalog.timestamptz),
	< (pg_catalog.timestamptz, objectid), <= (pg_catalog.timestamptz, objectid), >= (pg_catalog.timestamptz, objectid), > (pg_catalog.timestamptz, objectid);
DROP FUNCTION
	objectid_lt_timestamptz(objectid, pg_catalog.timestamptz), objectid_le_timestamptz(objectid, pg_catalog.timestamptz),
	objectid_ge_timestamptz(objectid, pg_catalog.timestamptz), objectid_gt_timestamptz(objectid, pg_catalog.timestamptz),
	timestamptz_lt_objectid(pg_catalog.timestamptz, objectid), timestamptz_le_objectid(pg_catalog.timestamptz, objectid),
	timestamptz_ge_objectid(pg_catalog.timestamptz, objectid), timestamptz_gt_objectid(pg_catalog.timestamptz, objectid),
	objectid_upper_bound(pg_catalog.timestamptz), objectid_lower_bound(pg_catalog.timestamptz),
	gen_objectid(), gen_objectid(pg_catalog.timestamptz), objectid_clock_error(),
	objectid_time(objectid), objectid_from_time(pg_catalog.timestamptz), objectid_is_valid(pg_catalog.text);
DROP DOMAIN objectid;
