-- Step 3, after the indexes, and after 2_backfill.sql has found both counts 0 again
\ir settings.sql
BEGIN;
LOCK TABLE account, login IN SHARE UPDATE EXCLUSIVE MODE;
SET LOCAL lock_timeout = '200ms'; LOCK TABLE account, login;
ALTER TABLE account ADD CONSTRAINT has_new_id CHECK (new_id IS NOT NULL) NOT VALID;
ALTER TABLE login ADD CONSTRAINT has_new_id CHECK (new_id IS NOT NULL AND new_account IS NOT NULL) NOT VALID;
COMMIT;
