-- Swaps the keys back, between steps 4 and 5 of large-tables.md.
\ir settings.sql
BEGIN;
LOCK TABLE account, login IN SHARE UPDATE EXCLUSIVE MODE;
SET LOCAL lock_timeout = '200ms'; LOCK TABLE account, login;
ALTER TABLE login DROP CONSTRAINT login_account_fkey, DROP CONSTRAINT login_pkey;
ALTER TABLE account DROP CONSTRAINT account_pkey;
ALTER TABLE account RENAME id TO new_id;
ALTER TABLE account RENAME old_id TO id;
ALTER TABLE login RENAME id TO new_id;
ALTER TABLE login RENAME old_id TO id;
ALTER TABLE login RENAME account TO new_account;
ALTER TABLE login RENAME old_account TO account;
ALTER TABLE account ADD CONSTRAINT account_pkey PRIMARY KEY USING INDEX account_old_id;
ALTER TABLE login ADD CONSTRAINT login_pkey PRIMARY KEY USING INDEX login_old_id,
  ADD CONSTRAINT login_account_fkey FOREIGN KEY (account) REFERENCES account NOT VALID;
DROP TRIGGER copy_account ON login;
CREATE TRIGGER copy_account BEFORE INSERT OR UPDATE OF account ON login FOR EACH ROW EXECUTE FUNCTION copy_account();
DROP FUNCTION copy_old_account();
COMMIT;
ALTER TABLE login VALIDATE CONSTRAINT login_account_fkey;
