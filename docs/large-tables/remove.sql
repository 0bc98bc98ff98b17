-- Removes what steps 1 to 3 of large-tables.md added, before the swap or after go_back.sql.
\ir settings.sql
BEGIN;
LOCK TABLE account, login IN SHARE UPDATE EXCLUSIVE MODE;
SET LOCAL lock_timeout = '200ms'; LOCK TABLE account, login;
DROP TRIGGER copy_account ON login;
DROP ROUTINE IF EXISTS copy_account(), backfill(text, integer);
ALTER TABLE login DROP new_id, DROP new_account;
ALTER TABLE account DROP new_id;
DROP INDEX IF EXISTS account_old_id, login_old_id;
COMMIT;
