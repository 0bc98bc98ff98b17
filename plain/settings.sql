/* plain/settings.sql */

--
-- For to-extension.sql and from-extension.sql: settings of the transaction, with which names
-- and expressions are written and read alike.
--

SET LOCAL client_min_messages = warning;
SET LOCAL standard_conforming_strings = on;
SET LOCAL quote_all_identifiers = off;
SET LOCAL datestyle = ISO;
SET LOCAL intervalstyle = postgres;
SET LOCAL extra_float_digits = 1;
SET LOCAL array_nulls = on;
