-- Step 4: the new columns take the names of the old ones.  From now on, the trigger fills the old reference.
\ir settings.sql
BEGIN;
LOCK TABLE account, login IN SHARE UPDATE EXCLUSIVE MODE;
SET LOCAL lock_timeout = '200ms'; LOCK TABLE account, login;
ALTER TABLE login DROP CONSTRAINT login_account_fkey, DROP CONSTRAINT login_pkey,
  ALTER new_id SET NOT NULL, ALTER new_account SET NOT NULL;
ALTER TABLE account DROP CONSTRAINT account_pkey, ALTER new_id SET NOT NULL;
ALTER TABLE account RENAME id TO old_id;
ALTER TABLE account RENAME new_id TO id;
ALTER TABLE login RENAME id TO old_id;
ALTER TABLE login RENAME new_id TO id;
ALTER TABLE login RENAME account TO old_account;
ALTER TABLE login RENAME new_account TO account;
ALTER TABLE account ADD CONSTRAINT account_pkey PRIMARY KEY USING INDEX account_new_id, DROP CONSTRAINT has_new_id;
ALTER TABLE login ADD CONSTRAINT login_pkey PRIMARY KEY USING INDEX login_new_id, DROP CONSTRAINT has_new_id,
  ADD CONSTRAINT login_account_fkey FOREIGN KEY (account) REFERENCES account NOT VALID;
CREATE FUNCTION copy_old_account() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  NEW.old_account := (SELECT old_id FROM account WHERE CASE WHEN true THEN id END = CASE WHEN true THEN NEW.account END);
  RETURN NEW;
END$$;
REVOKE ALL ON FUNCTION copy_old_account() FROM PUBLIC;
DROP TRIGGER copy_account ON login;
CREATE TRIGGER copy_account BEFORE INSERT OR UPDATE OF account ON login FOR EACH ROW EXECUTE FUNCTION copy_old_account();
COMMIT;
