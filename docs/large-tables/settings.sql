-- Each step of large-tables.md includes this.  Replace "public" if your tables are in other schemas, here and in all steps.
-- With pg_temp at the end, temporary tables and types have no priority.
SET search_path = public, pg_temp;
SET lock_timeout = 0; SET statement_timeout = 0;
