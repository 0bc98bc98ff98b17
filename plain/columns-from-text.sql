/* plain/columns-from-text.sql */

--
-- For to-extension.sql and from-extension.sql: put together again what
-- columns-to-text.sql took apart, with the type objectid that is there now.
--

DO $$
DECLARE
	step record;
BEGIN
	FOR step IN SELECT after FROM objectid_move ORDER BY objectid_move.step DESC LOOP
		EXECUTE step.after;
	END LOOP;
END$$;
