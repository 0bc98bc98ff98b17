/* plain/to-extension.sql */

--
-- Move from plain/objectid.sql to the extension: all columns, with their foreign
-- keys, constraints, indexes and defaults, in one transaction.  See
-- docs/managed.md.  Collect statistics afterwards.
--
--     psql -f plain/to-extension.sql && psql -c ANALYZE
--

\set ON_ERROR_STOP on
BEGIN;
\ir columns-to-text.sql
\ir drop.sql
CREATE EXTENSION objectid;
\ir columns-from-text.sql
COMMIT;
