/* plain/columns-from-text.sql */

--
-- For to-extension.sql and from-extension.sql: convert the columns back to objectid, which
-- is now the other type, and create again what columns-to-text.sql has dropped.
--

DO $$
DECLARE
	step record;
BEGIN
	FOR step IN SELECT after FROM objectid_move ORDER BY objectid_move.step DESC LOOP
		EXECUTE step.after;
	END LOOP;
END$$;
