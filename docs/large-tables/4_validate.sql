-- Step 4: check the references while others read and write.
\ir settings.sql
ALTER TABLE login VALIDATE CONSTRAINT login_account_fkey;
