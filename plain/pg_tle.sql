/* plain/pg_tle.sql: plain/objectid.sql as an extension of pg_tle.  Run it in the directory that contains plain/. */

\set script `cat plain/objectid.sql`
SELECT pgtle.install_extension('objectid', '1.0', 'MongoDB ObjectId in plain SQL', :'script');
