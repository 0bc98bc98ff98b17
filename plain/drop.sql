/* plain/drop.sql */

--
-- Drop what plain/objectid.sql has created, in the first schema of the search_path.
-- An error names the columns and other objects that still use it.
--
--     psql -1 -v ON_ERROR_STOP=1 -f plain/drop.sql
--

DROP OPERATOR
	< (objectid, timestamptz), <= (objectid, timestamptz), >= (objectid, timestamptz), > (objectid, timestamptz),
	< (timestamptz, objectid), <= (timestamptz, objectid), >= (timestamptz, objectid), > (timestamptz, objectid);
DROP FUNCTION
	objectid_lt_timestamptz(objectid, timestamptz), objectid_le_timestamptz(objectid, timestamptz),
	objectid_ge_timestamptz(objectid, timestamptz), objectid_gt_timestamptz(objectid, timestamptz),
	timestamptz_lt_objectid(timestamptz, objectid), timestamptz_le_objectid(timestamptz, objectid),
	timestamptz_ge_objectid(timestamptz, objectid), timestamptz_gt_objectid(timestamptz, objectid),
	objectid_upper_bound(timestamptz), objectid_lower_bound(timestamptz),
	gen_objectid(), gen_objectid(timestamptz), objectid_clock_error(),
	objectid_time(objectid), objectid_from_time(timestamptz), objectid_is_valid(text);
DROP DOMAIN objectid;
