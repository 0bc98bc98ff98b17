-- Step 2: ids for the rows that have none, in batches, outside a transaction: first the table, then those that refer to it.
-- It skips rows that a transaction has locked, so it never waits for a row.  Repeat it until both counts are 0.
\ir settings.sql
CREATE OR REPLACE PROCEDURE backfill(statement text, batch integer) LANGUAGE plpgsql AS $$
DECLARE
  last bigint;
BEGIN
  last := '-9223372036854775808';
  LOOP
    SET LOCAL search_path = public, pg_temp; -- as an option of the procedure, it would forbid COMMIT
    EXECUTE statement INTO last USING last, batch;
    COMMIT;
    EXIT WHEN last IS NULL;
  END LOOP;
END$$;
CALL backfill('
  WITH batch AS (SELECT id FROM account WHERE id > $1 AND new_id IS NULL ORDER BY id LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED),
       filled AS (UPDATE account SET new_id = gen_objectid(created_at) FROM batch WHERE account.id = batch.id)
  SELECT max(id) FROM batch', 1000);
CALL backfill('
  WITH batch AS (SELECT id FROM login WHERE id > $1 AND (new_id IS NULL OR new_account IS NULL)
                 ORDER BY id LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED),
       filled AS (UPDATE login SET new_id = coalesce(login.new_id, gen_objectid(at)),
                    new_account = coalesce(login.new_account, (SELECT new_id FROM account WHERE account.id = login.account))
                  FROM batch WHERE login.id = batch.id)
  SELECT max(id) FROM batch', 1000);
SELECT (SELECT count(*) FROM account WHERE new_id IS NULL) AS accounts,
       (SELECT count(*) FROM login WHERE new_id IS NULL OR new_account IS NULL) AS logins;
