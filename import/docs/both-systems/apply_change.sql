-- apply_change(event) applies an event of a change stream to the table "movies": see both-systems.md.  It ignores the search_path
-- of its caller, so that no object of a different role replaces what it uses.  Keep each "::text".  If your tables are not in
-- "public", replace "public." before each table.  In SET search_path, "public" is for the type of plain/objectid.sql.
-- With a text key, use event['documentKey']->>'_id'::text; with jsonb, event['documentKey']['_id'].  In a sharded cluster,
-- documentKey also has the shard key.
CREATE TABLE rejected_event (event text, reason text, rejected_at timestamptz DEFAULT now());
CREATE FUNCTION apply_change(event_text text) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  event jsonb;
  kind text;
  event_key public.movies._id%TYPE;
  failed_table text;
BEGIN
  event := event_text::jsonb;
  kind := event->>'operationType'::text;
  IF (kind IN ('insert', 'update', 'replace', 'delete')) IS NOT TRUE THEN
    RAISE 'event "%" cannot be applied', kind USING ERRCODE = 'feature_not_supported';
  ELSIF kind <> 'delete' AND event['fullDocument'] IS NULL THEN
    RAISE '% without fullDocument', kind USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Open the change stream with fullDocument: "updateLookup".';
  END IF;
  event_key := event['documentKey']['_id']->>'$oid'::text;
  IF event_key IS NULL THEN
    RAISE '_id is not an ObjectId' USING ERRCODE = 'data_exception';
  ELSIF kind = 'delete' THEN
    -- CASE makes text of the domain in plain/objectid.sql, so that = is that of pg_catalog
    DELETE FROM public.movies WHERE CASE WHEN true THEN _id END = CASE WHEN true THEN event_key END;
  ELSIF event['fullDocument']['_id'] = event['documentKey']['_id'] THEN
    INSERT INTO public.movies (_id, doc) VALUES (event_key, event['fullDocument'])
      ON CONFLICT (_id) DO UPDATE SET doc = excluded.doc;
  ELSIF kind <> 'update' OR event['fullDocument'] <> 'null' THEN -- null: deleted since
    RAISE 'fullDocument does not have the _id of documentKey' USING ERRCODE = 'data_exception';
  END IF;
EXCEPTION WHEN data_exception OR check_violation THEN
  GET STACKED DIAGNOSTICS failed_table = TABLE_NAME;
  IF failed_table <> '' THEN -- a constraint of the table, not of a domain
    RAISE;
  END IF;
  INSERT INTO public.rejected_event (event, reason) VALUES (event_text, SQLERRM);
END$$;
