-- Step 5: drop the old keys.
\ir settings.sql
BEGIN;
LOCK TABLE account, login IN SHARE UPDATE EXCLUSIVE MODE;
SET LOCAL lock_timeout = '200ms'; LOCK TABLE account, login;
DROP TRIGGER copy_account ON login;
DROP ROUTINE copy_account(), copy_old_account(), backfill(text, integer);
ALTER TABLE login DROP old_id, DROP old_account;
ALTER TABLE account DROP old_id;
COMMIT;
