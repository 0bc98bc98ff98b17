-- What the program that writes to MongoDB does for each batch, in psql: see both-systems.md.  Two statements, because the second
-- must also see what is committed while the first one runs.  LOCK TABLE prevents a deadlock with TRUNCATE.
-- A transaction that changes a row whose key is taken waits until this one commits: take fewer keys if MongoDB is slow.  With
-- row_security off, a policy that hides rows is an error, because a hidden row would look like a deleted one.
BEGIN ISOLATION LEVEL READ COMMITTED;
SET LOCAL search_path = pg_catalog, public, pg_temp;
SET LOCAL row_security = off;
LOCK TABLE public.movies IN ACCESS SHARE MODE;
WITH taken AS (
  DELETE FROM public.changed
  WHERE CASE WHEN true THEN _id END = ANY (ARRAY(SELECT CASE WHEN true THEN _id END FROM public.changed LIMIT 1000 FOR UPDATE SKIP LOCKED))
  RETURNING _id)
SELECT ARRAY(SELECT _id FROM taken) AS taken \gset
SELECT key AS _id, doc - '_id'::text AS doc
FROM pg_catalog.unnest(:'taken'::objectid[]) AS key LEFT JOIN public.movies ON CASE WHEN true THEN _id END = CASE WHEN true THEN key END
ORDER BY key;
COMMIT;
