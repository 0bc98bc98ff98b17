/* plain/move.sql */

--
-- For to-extension.sql and from-extension.sql: move the objects of plain/objectid.sql from the
-- schema objectid_move.new to the schema objectid_move.old (settings of the transaction).  So
-- both types objectid can exist at the same time.
--

DO $$
DECLARE
	source oid := (SELECT oid FROM pg_namespace WHERE nspname = current_setting('objectid_move.new'));
	command text;
BEGIN
	FOR command IN
		WITH functions AS (
			SELECT p.oid, proowner FROM pg_proc AS p JOIN pg_type AS t ON typnamespace = pronamespace AND typname = 'objectid' AND typowner = proowner
			WHERE pronamespace = source AND proname || '(' || replace(replace(oidvectortypes(proargtypes), format_type(t.oid, NULL), 'id'), 'timestamp with time zone', 'time') || ')'
				~ ('^(gen_objectid\((time)?\)|objectid_(clock_error\(\)|is_valid\(text\)|time\(id\)|(from_time|upper_bound|lower_bound)\(time\)'
					|| '|(lt|le|ge|gt)_timestamptz\(id, time\))|timestamptz_(lt|le|ge|gt)_objectid\(time, id\))$'))
		SELECT format('ALTER %s %s SET SCHEMA %I', type, identity, current_setting('objectid_move.old'))
		FROM (SELECT 'pg_proc'::regclass AS classid, oid FROM functions
			UNION ALL
			SELECT 'pg_operator'::regclass, oid FROM pg_operator WHERE oprnamespace = source AND (oprcode, oprowner) IN (SELECT oid, proowner FROM functions)
			UNION ALL
			SELECT 'pg_type'::regclass, oid FROM pg_type WHERE typnamespace = source AND typname = 'objectid') AS ours,
			pg_identify_object(classid, oid, 0)
	LOOP
		EXECUTE command;
	END LOOP;
END$$;
