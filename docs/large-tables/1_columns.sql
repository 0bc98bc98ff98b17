-- Step 1: a column without a default first, which does not rewrite the table.  The trigger copies the reference, because
-- the application writes only the old one.  It has the rights of its owner, because the application may not read "account".
\ir settings.sql
BEGIN;
LOCK TABLE account, login IN SHARE UPDATE EXCLUSIVE MODE;
SET LOCAL lock_timeout = '200ms'; LOCK TABLE account, login;
ALTER TABLE account ADD new_id objectid;
ALTER TABLE account ALTER new_id SET DEFAULT gen_objectid();
ALTER TABLE login ADD new_id objectid, ADD new_account objectid;
ALTER TABLE login ALTER new_id SET DEFAULT gen_objectid();
CREATE FUNCTION copy_account() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  NEW.new_account := (SELECT new_id FROM account WHERE id = NEW.account);
  RETURN NEW;
END$$;
REVOKE ALL ON FUNCTION copy_account() FROM PUBLIC;
CREATE TRIGGER copy_account BEFORE INSERT OR UPDATE OF account ON login FOR EACH ROW EXECUTE FUNCTION copy_account();
COMMIT;
