-- What objectid-import does on the server after it has refused a batch: a function that inserts row by row, each in an exception
-- block of its own.

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
