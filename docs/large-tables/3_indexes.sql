-- Step 3: the indexes on "id" are for going back.
\ir settings.sql
CREATE UNIQUE INDEX CONCURRENTLY account_new_id ON account (new_id);
CREATE UNIQUE INDEX CONCURRENTLY account_old_id ON account (id);
CREATE UNIQUE INDEX CONCURRENTLY login_new_id ON login (new_id);
CREATE UNIQUE INDEX CONCURRENTLY login_old_id ON login (id);
CREATE INDEX CONCURRENTLY login_account ON login (new_account);
SELECT indexrelid::regclass AS invalid FROM pg_index WHERE NOT indisvalid;
