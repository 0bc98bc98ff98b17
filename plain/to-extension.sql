/* plain/to-extension.sql */

--
-- Convert all columns from plain/objectid.sql, or from its extension of pg_tle, to the
-- extension in C, with their foreign keys, constraints, indexes and defaults, in one
-- transaction.  See docs/managed.md.
--
--     psql -f plain/to-extension.sql && psql -c ANALYZE
--

\set ON_ERROR_STOP on
BEGIN;
SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'objectid') AS by_pg_tle \gset
\ir columns-to-text.sql
\if :by_pg_tle
	DROP EXTENSION objectid;
	DO $$BEGIN PERFORM pgtle.uninstall_extension('objectid'); END$$;
\else
	\ir drop.sql
\endif
CREATE EXTENSION objectid;
\ir columns-from-text.sql
COMMIT;
