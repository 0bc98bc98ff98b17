-- Triggers record the keys of the rows of "movies" that the application has changed: see both-systems.md.
CREATE TABLE changed (_id objectid PRIMARY KEY);
CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.changed
    SELECT _id FROM (SELECT OLD._id UNION SELECT NEW._id) AS keys WHERE _id IS NOT NULL
    ON CONFLICT (_id) DO UPDATE SET _id = excluded._id; -- waits for a reader that takes this key
  RETURN NULL;
END$$;
CREATE FUNCTION note_truncate() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp SET row_security = off AS $$
BEGIN
  IF current_setting('transaction_isolation') NOT LIKE 'read %' THEN -- its snapshot may lack rows
    RAISE 'TRUNCATE needs READ COMMITTED' USING ERRCODE = 'feature_not_supported';
  END IF;
  INSERT INTO public.changed SELECT _id FROM public.movies ON CONFLICT (_id) DO UPDATE SET _id = excluded._id;
  RETURN NULL;
END$$;
CREATE TRIGGER note_change AFTER INSERT OR UPDATE OR DELETE ON movies FOR EACH ROW
  WHEN (current_setting('app.from_mongodb', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION note_change();
CREATE TRIGGER note_truncate BEFORE TRUNCATE ON movies
  WHEN (current_setting('app.from_mongodb', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION note_truncate();
