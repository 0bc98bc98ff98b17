-- What objectid-import does on the server, as functions of its session.

-- See that a table has these columns, writable for us, or create it.
CREATE OR REPLACE FUNCTION pg_temp.objectid_import_table(name text, columns text, more text, rights text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	missing text;
BEGIN
	IF to_regclass(name) IS NULL THEN
		EXECUTE format('CREATE TABLE %1$s (%2$s)' || more, name, columns);
	END IF;
	SELECT string_agg(e, ', ') INTO missing
	FROM unnest(string_to_array(columns, ', ')) AS e
	WHERE NOT EXISTS (
		SELECT FROM pg_attribute
		WHERE attrelid = to_regclass(name) AND attgenerated = '' AND e = quote_ident(attname) || ' ' || format_type(atttypid, atttypmod)
			AND (SELECT bool_and(CASE r WHEN 'DELETE' THEN has_table_privilege(attrelid, r) ELSE has_column_privilege(attrelid, attnum, r) END)
					FROM unnest(string_to_array(rights, ', ')) AS r));
	IF missing IS NOT NULL THEN
		RAISE 'table % cannot be used', name
			USING DETAIL = format('It lacks these columns, or you lack rights to %s them: %s', rights, missing);
	END IF;
END$$;

-- Find out the full names of the tables, and lock them against other imports until the session ends.  After kill -9 the old
-- backend may still run: wait for its lock.
CREATE OR REPLACE FUNCTION pg_temp.objectid_import_lock(
	"table" text, schema text, name text, side_table text, side_name text, relation regclass, current text,
	OUT target text, OUT side text, OUT imports text, OUT bare_name text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	main text[] := CASE WHEN "table" IS NULL THEN ARRAY[schema, name] ELSE parse_ident("table") END;
	aside text[] := parse_ident(side_table);
	lock bigint;
BEGIN
	IF cardinality(main) > 2 OR cardinality(aside) > 2 THEN
		RAISE '"%" is not the name of a table', CASE WHEN cardinality(main) > 2 THEN "table" ELSE side_table END;
	END IF;
	name := main[cardinality(main)];
	schema := coalesce(CASE WHEN cardinality(main) = 2 THEN main[1] END,
		(SELECT nspname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace WHERE c.oid = relation), current);
	side_name := coalesce(aside[cardinality(aside)], side_name, name || '_rejected');
	IF schema IS NULL THEN
		RAISE 'there is no schema to create tables in';
	ELSIF greatest(octet_length(name), octet_length(side_name)) > 63 THEN
		RAISE 'the name "%" is longer than 63 bytes', CASE WHEN octet_length(name) > 63 THEN name ELSE side_name END
			USING HINT = 'Choose other names with --table and --side-table.';
	ELSIF 'objectid_import' IN (name, side_name) THEN
		RAISE 'the name "objectid_import" is reserved for the table that records the progress'
			USING HINT = 'Choose a different name with --table or --side-table. In a dump, leave the collection out with --exclude.';
	ELSIF schema = 'information_schema' OR schema ~ '^pg_' THEN
		RAISE 'schema "%" is reserved for the server', schema USING HINT = 'Choose a different one with --schema or --table.';
	END IF;
	target := format('%I.%I', schema, name);
	side := format('%I.%I', CASE WHEN cardinality(aside) = 2 THEN aside[1] ELSE schema END, side_name);
	imports := format('%I.objectid_import', schema);
	bare_name := name;
	lock := hashtextextended('objectid-import ' || target, 0);
	IF NOT pg_try_advisory_lock(lock) THEN
		RAISE INFO 'waiting for another import into table % to end', target;
		PERFORM pg_advisory_lock(lock);
	END IF;
END$$;

-- Make the tables ready for a file, and find out where its load stands, or record it if it is new: the parts of its run.
-- "key" is the type of its keys as they look, "given" the one that the user wants.  "visible" is the objectid of the search path:
-- without the extension, it is the domain of plain/objectid.sql.
CREATE OR REPLACE FUNCTION pg_temp.objectid_import_prepare(
	target text, side text, imports text, source text, key text, given text, fresh boolean, restart boolean,
	size bigint, checksum bigint, parts bigint[], visible regtype,
	OUT run bigint, OUT key_type integer, OUT rules boolean, OUT insert_only boolean, OUT created boolean, OUT part_start bigint,
	OUT part_end bigint, OUT part_first bigint, OUT part_next bigint, OUT part_documents bigint, OUT part_rejected bigint, OUT part_complete integer)
RETURNS SETOF record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	types text[] := ARRAY['objectid', 'text', 'bigint', 'uuid', 'jsonb', 'objectid'];
	objectid regtype := coalesce(
		(SELECT t.oid FROM pg_extension JOIN pg_type AS t ON typnamespace = extnamespace WHERE extname = 'objectid' AND typname = 'objectid'),
		(SELECT oid FROM pg_type WHERE oid = visible AND typtype = 'd' AND typbasetype = 'text'::regtype));
	problem text;
	old record;
	row_count bigint; loaded bigint;
BEGIN
	IF to_regnamespace(quote_ident((parse_ident(target))[1])) IS NULL THEN
		EXECUTE format('CREATE SCHEMA %I', (parse_ident(target))[1]);
	END IF;
	IF fresh THEN
		EXECUTE format('DROP TABLE IF EXISTS %s, %s', target, side);
	END IF;
	created := to_regclass(target) IS NULL OR to_regclass(side) IS NULL OR to_regclass(imports) IS NULL;

	-- the table
	IF to_regclass(target) IS NULL THEN
		key := coalesce(given, key);
		IF key = 'objectid' AND objectid IS NULL THEN
			RAISE undefined_object USING MESSAGE = format('database "%s" does not have the type objectid', current_database()),
				HINT = 'Run CREATE EXTENSION objectid there, or plain/objectid.sql if the server does not have the extension.';
		END IF;
		EXECUTE format('CREATE TABLE %s (_id %s PRIMARY KEY, doc jsonb NOT NULL)', target, CASE key WHEN 'objectid' THEN format_type(objectid, NULL) ELSE key END);
		IF given IS NULL AND key <> 'objectid' THEN
			RAISE INFO '%: the keys of the first documents are of type %', source, key;
		END IF;
	END IF;
	SELECT CASE
			WHEN c.relkind NOT IN ('r', 'p') THEN 'It is not a table.'
			WHEN t.type IS NULL THEN 'It has no column "_id" of type objectid, text, bigint, uuid or jsonb.'
			WHEN d.attnum IS NULL THEN 'It has no column "doc" of type jsonb.'
			WHEN i.attgenerated <> '' OR i.attidentity = 'a' OR d.attgenerated <> '' THEN 'Its column "_id" or "doc" is generated.'
			WHEN NOT EXISTS (SELECT FROM pg_index WHERE indrelid = c.oid AND indisunique AND indisvalid AND indimmediate AND indpred IS NULL
				AND indnkeyatts = 1 AND indkey[0] = i.attnum)
				THEN 'Its column "_id" has no primary key or unique index, or only one that is deferrable or partial.'
			WHEN NOT (has_column_privilege(c.oid, i.attnum, 'SELECT') AND has_column_privilege(c.oid, i.attnum, 'INSERT')
				AND has_column_privilege(c.oid, d.attnum, 'INSERT')) THEN 'You need the rights to SELECT and INSERT.'
			WHEN types[t.type] <> given THEN format('Its column "_id" is of type %s.', types[t.type])
		END, t.type - 1, row_security_active(c.oid),
		-- rules, or triggers that may take inserted rows away
		EXISTS (SELECT FROM pg_rewrite WHERE ev_class = c.oid AND ev_type = '3') OR
		EXISTS (SELECT FROM pg_trigger WHERE tgrelid IN (SELECT c.oid UNION SELECT relid FROM pg_partition_tree(c.oid))
			AND NOT tgisinternal AND tgtype & 4 <> 0 AND tgtype & 66 = 0)
	INTO problem, key_type, insert_only, rules
	FROM pg_class AS c
		LEFT JOIN pg_attribute AS i ON i.attrelid = c.oid AND i.attname = '_id'
		LEFT JOIN pg_attribute AS d ON d.attrelid = c.oid AND d.attname = 'doc' AND d.atttypid = 'jsonb'::regtype
		LEFT JOIN pg_type AS y ON y.oid = i.atttypid,
		coalesce(CASE WHEN y.typname = 'objectid' AND y.typtype = 'd' AND y.typbasetype = 'text'::regtype THEN 6 END,
			array_position(ARRAY[objectid, 'text', 'bigint', 'uuid', 'jsonb']::regtype[], i.atttypid::regtype)) AS t(type)
	WHERE c.oid = to_regclass(target);
	IF problem IS NOT NULL THEN
		RAISE 'table % cannot be loaded', target USING DETAIL = problem;
	END IF;

	-- the others
	PERFORM pg_temp.objectid_import_table(side, 'file text, run bigint, "position" bigint, reason text, raw bytea', '', 'INSERT');
	PERFORM pg_temp.objectid_import_table(imports,
		'run bigint, part integer, target text, source text, size bigint, checksum bigint, start_offset bigint, end_offset bigint, '
		'first_document bigint, next_offset bigint, documents bigint, rejected bigint, started timestamp with time zone, '
		'finished timestamp with time zone',
		'; ALTER TABLE %1$s ADD PRIMARY KEY (run, part), ALTER run ADD GENERATED BY DEFAULT AS IDENTITY', 'SELECT, INSERT, UPDATE, DELETE');

	-- the record; unfinished runs that loaded nothing are ignored
	IF restart THEN
		EXECUTE format('DELETE FROM %s WHERE file = $2 AND run IN (SELECT run FROM %s WHERE target = $1 AND source = $2)', side, imports)
			USING target, source;
	END IF;
	EXECUTE format('DELETE FROM %1$s AS i WHERE target = $1 AND ($3 OR source = $2 AND ($4 OR NOT EXISTS '
		'(SELECT FROM %1$s AS o WHERE o.run = i.run AND (next_offset > start_offset OR finished IS NOT NULL))))', imports)
		USING target, source, fresh, restart;
	EXECUTE format('SELECT run, bool_and(size = $3 AND checksum = $4) AS same, bool_and(finished IS NOT NULL) AS finished, '
		'max(finished)::timestamptz(0) AS at, sum(documents) AS documents, max(size) AS size '
		'FROM %s WHERE target = $1 AND source = $2 GROUP BY run '
		'HAVING NOT bool_and(finished IS NOT NULL) OR bool_and(size = $3 AND checksum = $4) '
		'ORDER BY same DESC, run DESC LIMIT 1', imports)
		INTO old USING target, source, size, checksum;
	run := old.run;
	IF run IS NULL THEN
		FOR i IN 1 .. cardinality(parts) BY 3 LOOP
			EXECUTE format('INSERT INTO %s (run, part, target, source, size, checksum, start_offset, end_offset, first_document, '
				'next_offset, documents, rejected, started) '
				'VALUES (%s, $1, $2, $3, $4, $5, $6, $7, $8, $6, 0, 0, now()) RETURNING run', imports, coalesce(run::text, 'DEFAULT'))
				INTO run USING i / 3, target, source, size, checksum, parts[i], parts[i + 1], parts[i + 2];
		END LOOP;
	ELSIF NOT old.same THEN
		RAISE 'the load of a different file "%" into table % was interrupted', source, target
			USING DETAIL = format('That file has %s bytes; %s of its documents have been read.', old.size, old.documents),
				HINT = 'Finish it with that file, or use --restart to forget it.';
	ELSE
		IF NOT insert_only THEN
			EXECUTE format('SELECT (SELECT count(*) FROM %s), sum(documents - rejected) FROM %s WHERE target = $1 AND run >= $2', target, imports)
				INTO row_count, loaded USING target, run;
			IF row_count < loaded THEN
				RAISE 'table % has lost documents that were loaded from "%"', target, source
					USING DETAIL = format('%s documents were loaded; the table has %s rows.', loaded, row_count),
						HINT = 'Use --restart to load the file from its beginning again.';
			END IF;
		END IF;
		IF old.finished THEN
			RAISE INFO '%: already loaded on % (run %)', source, old.at, run;
		ELSE
			RAISE INFO '%: continuing run % after % documents', source, run, old.documents;
		END IF;
	END IF;
	RETURN QUERY EXECUTE format(
		'SELECT run, $1, $2, $3, $4, start_offset, end_offset, first_document, next_offset, documents, rejected, '
		'(finished IS NOT NULL)::integer FROM %s WHERE run = $5 ORDER BY part', imports) USING key_type, rules, insert_only OR rules, created, run;
END$$;

-- Make the function that inserts a batch row by row, and returns which rows are refused, and why.  What may have characters
-- that the database has not is text only within its exception block.  Constraints are checked at once.  A foreign key may want
-- a row that is still to come, so those go round again, until a round gains nothing.
CREATE OR REPLACE FUNCTION pg_temp.objectid_import_stage(target text, key text, rules boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $stage$
DECLARE
	id_type text := (SELECT format_type(atttypid, NULL) FROM pg_attribute WHERE attrelid = to_regclass(target) AND attname = '_id');
	equals text := (SELECT quote_ident(CASE typtype WHEN 'd' THEN 'pg_catalog' ELSE nspname END)
		FROM pg_attribute JOIN pg_type AS t ON t.oid = atttypid JOIN pg_namespace AS n ON n.oid = typnamespace
		WHERE attrelid = to_regclass(target) AND attname = '_id');
BEGIN
	CREATE TEMPORARY TABLE IF NOT EXISTS objectid_import_batch (n integer, doc bytea) ON COMMIT DROP;
	TRUNCATE pg_temp.objectid_import_batch;
	EXECUTE 'CREATE OR REPLACE FUNCTION pg_temp.objectid_import_rows(OUT refused integer, OUT why text) RETURNS SETOF record '
		'LANGUAGE plpgsql AS ' || quote_literal(format($$
#variable_conflict use_variable
DECLARE
	r record; d jsonb; id %1$s; rows bigint; more text; waiting integer[]; failed integer[]; reasons text[];
BEGIN
	SET CONSTRAINTS ALL IMMEDIATE;
	LOOP
		failed := '{}'; reasons := '{}';
		FOR r IN SELECT b.* FROM pg_temp.objectid_import_batch AS b
			WHERE waiting IS NULL OR b.n IN (SELECT pg_catalog.unnest(waiting)) ORDER BY b.n LOOP
			BEGIN
				why := NULL;
				d := pg_catalog.convert_from(r.doc, 'UTF8')::pg_catalog.jsonb;
				id := %2$s;
				IF EXISTS (SELECT FROM %3$s AS t WHERE t._id OPERATOR(%4$s.=) id) THEN
					why := 'duplicate: the table has this _id already';
				ELSE
					INSERT INTO %3$s (_id, doc) VALUES (id, d);
					GET DIAGNOSTICS rows = ROW_COUNT;
					IF rows = 0 OR %5$L AND NOT EXISTS (SELECT FROM %3$s AS t WHERE t._id OPERATOR(%4$s.=) id) THEN
						why := 'the server did not keep the row: a trigger or a rule discarded it';
					END IF;
				END IF;
			EXCEPTION
				WHEN transaction_rollback OR insufficient_resources OR operator_intervention OR system_error THEN RAISE;
				WHEN assert_failure OR OTHERS THEN
					GET STACKED DIAGNOSTICS more = PG_EXCEPTION_DETAIL;
					why := SQLERRM || CASE WHEN more <> '' THEN ' (' || more || ')' ELSE '' END;
					IF SQLSTATE = '23503' THEN
						failed := pg_catalog.array_append(failed, r.n); reasons := pg_catalog.array_append(reasons, why); why := NULL;
					END IF;
			END;
			IF why IS NOT NULL THEN refused := r.n; RETURN NEXT; END IF;
		END LOOP;
		EXIT WHEN pg_catalog.cardinality(failed) IN (0, pg_catalog.cardinality(waiting));
		waiting := failed;
	END LOOP;
	RETURN QUERY SELECT * FROM ROWS FROM (pg_catalog.unnest(failed), pg_catalog.unnest(reasons)) AS f;
END$$, id_type,
		CASE key WHEN 'objectid' THEN format('(d->''_id''->>''$oid'')::%s', id_type)
			WHEN 'uuid' THEN 'pg_catalog.encode(pg_catalog.decode(d->''_id''->''$binary''->>''base64'', ''base64''), ''hex'')::uuid'
			WHEN 'jsonb' THEN 'd->''_id'''
			ELSE '(d->>''_id'')::' || CASE key WHEN 'bigint' THEN 'numeric::bigint' ELSE key END END,
		target, equals, rules));
END$stage$;

-- How many documents of a file have been loaded in unfinished runs?
CREATE OR REPLACE FUNCTION pg_temp.objectid_import_loaded(target text, source text, imports text, OUT loaded bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF to_regclass(imports) IS NOT NULL THEN
		EXECUTE format('SELECT sum(documents - rejected) FROM %1$s WHERE target = $1 AND source = $2 AND run IN '
			'(SELECT run FROM %1$s WHERE finished IS NULL)', imports) INTO loaded USING target, source;
	END IF;
END$$;
