/* plain/from-extension.sql */

--
-- Convert all columns from the extension to plain/objectid.sql.
--
--     psql -f plain/from-extension.sql && psql -c ANALYZE
--

\set ON_ERROR_STOP on
BEGIN;
\ir columns-to-text.sql
DROP EXTENSION objectid;
\ir objectid.sql
\ir columns-from-text.sql
COMMIT;
