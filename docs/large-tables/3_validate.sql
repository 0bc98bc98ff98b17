-- Step 3: check the rows while others read and write.
\ir settings.sql
ALTER TABLE account VALIDATE CONSTRAINT has_new_id;
ALTER TABLE login VALIDATE CONSTRAINT has_new_id;
