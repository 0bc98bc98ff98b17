/* plain/convert.sql */

--
-- For to-extension.sql and from-extension.sql: convert all columns of type objectid and
-- objectid[] from the type in the schema objectid_move.old to that in the schema
-- objectid_move.new (settings of the transaction), one of which is the schema objectid_move.
--
-- First find out whether all can be converted: definitions are tried on empty twins of the
-- tables.  One error names all that cannot.
--
-- Definitions are read with pg_catalog as the search_path, so each name that is not in
-- pg_catalog has its schema.  Then the names of the old type become those of the new one.
--

\if :{?trust_owners}
	SELECT set_config('objectid_move.trust_owners', :'trust_owners', true) AS trust_owners \gset
\endif
-- unlogged, because a publication FOR ALL TABLES has no unlogged tables
CREATE UNLOGGED TABLE objectid_move.objectid_steps (
	step integer, level integer, -- the order
	classid oid, objid oid, relid oid, -- the object, if its definition is to be tried, and its table
	before text, prefix text, suffix text); -- SQL that drops it, and SQL around the table's name that creates it again

-- the expressions of a constraint, index or default
CREATE FUNCTION objectid_move.objectid_expression(classid oid, objid oid) RETURNS text LANGUAGE sql
	RETURN CASE classid
		WHEN 'pg_attrdef'::regclass THEN (SELECT adbin::text FROM pg_attrdef WHERE oid = objid)
		WHEN 'pg_class'::regclass THEN (SELECT concat(indexprs, indpred) FROM pg_index WHERE indexrelid = objid)
		ELSE (SELECT concat(conbin, indexprs, indpred) FROM pg_constraint AS c LEFT JOIN pg_index ON indexrelid = conindid WHERE c.oid = objid)
	END;
-- the collations of its functions and operators, in their order
CREATE FUNCTION objectid_move.objectid_collations(classid oid, objid oid) RETURNS text[] LANGUAGE sql
	RETURN ARRAY(SELECT m[1] FROM regexp_matches(
		regexp_replace(objectid_move.objectid_expression(classid, objid), ':(?!inputcollid)\w+ [^:]*', '', 'g'), '\d+', 'g') AS m);

DO $$
#variable_conflict use_column
<<convert>>
DECLARE
	old name := current_setting('objectid_move.old');
	new name := current_setting('objectid_move.new');
	home name := CASE old WHEN 'objectid_move' THEN new ELSE old END;
	to_extension boolean := new = home;
	types oid[] := ARRAY(SELECT unnest(ARRAY[oid, typarray]) FROM pg_type WHERE oid = to_regtype(format('%I.objectid', old)));
	twin text := 'objectid_move.objectid_twin';
	problems text[];
	command text;
	target record;
	step record;
	suffix text;
	-- regular expressions of columns, literals and operators, and what replaces operators
	id text;
	ids text;
	hex text := $r$'[0-9a-f]{24}'$r$;
	comparison text := '(=|<>|<=|>=|<|>)';
	old_schema text := regexp_replace(quote_ident(old), '\W', '\\\&', 'g');
	new_schema text := replace(quote_ident(new), '\', '\\');
	operator text := format('OPERATOR(%s.\2)', new_schema);
	boundary text := format('%s\.objectid_(?:lower_bound|upper_bound|from_time)\([^()]*\)', regexp_replace(quote_ident(new), '\W', '\\\&', 'g'));
BEGIN
	-- twice, because others can change definitions until the tables are locked
	FOR attempt IN 1 .. 2 LOOP
		DROP TABLE IF EXISTS objectid_move.objectid_columns, objectid_move.objectid_uses, objectid_move.objectid_tables;
		CREATE UNLOGGED TABLE objectid_move.objectid_columns AS
		SELECT attrelid AS relid, attnum, attname, atttypid, attinhcount, attgenerated, attstorage, attcompression,
			attcollation <> typcollation AS has_collation
		FROM pg_attribute JOIN pg_class AS c ON c.oid = attrelid JOIN pg_type AS t ON t.oid = atttypid
		WHERE atttypid = ANY (types) AND NOT attisdropped AND relkind IN ('r', 'p', 'f');

		-- what depends on the type, on its functions and operators, or on a column
		CREATE UNLOGGED TABLE objectid_move.objectid_uses AS
		WITH ours AS (
			SELECT 'pg_type'::regclass::oid AS classid, unnest(types) AS oid
			UNION
			SELECT classid, objid FROM pg_depend JOIN pg_extension AS e ON refobjid = e.oid
			WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e' AND extname = 'objectid' AND NOT to_extension
			UNION
			SELECT 'pg_proc'::regclass, oid FROM pg_proc WHERE pronamespace = old::text::regnamespace AND to_extension
			UNION
			SELECT 'pg_operator'::regclass, oid FROM pg_operator WHERE oprnamespace = old::text::regnamespace AND to_extension)
		SELECT d.classid, d.objid, d.objsubid
		FROM pg_depend AS d JOIN ours ON d.refclassid = ours.classid AND d.refobjid = ours.oid
		WHERE (d.classid, d.objid) NOT IN (SELECT * FROM ours) AND d.deptype <> 'i' AND d.classid NOT IN ('pg_amop'::regclass, 'pg_amproc'::regclass)
		UNION
		SELECT classid, objid, objsubid
		FROM pg_depend JOIN objectid_move.objectid_columns ON refclassid = 'pg_class'::regclass AND refobjid = relid AND refobjsubid = attnum;

		-- their tables
		CREATE UNLOGGED TABLE objectid_move.objectid_tables AS
		SELECT oid AS relid, format('%I.%I', nspname, relname) AS name, relkind, reltype, relforcerowsecurity, rolname AS owner, rolsuper,
			relpersistence = 't' AND relnamespace <> pg_my_temp_schema() AS is_theirs
		FROM pg_class AS c
		JOIN pg_namespace AS n (nspoid, nspname) ON nspoid = relnamespace
		JOIN (SELECT oid, rolname, rolsuper FROM pg_roles) AS r (roloid) ON roloid = relowner
		WHERE c.oid IN (
			SELECT relid FROM objectid_move.objectid_columns
			UNION SELECT conrelid FROM pg_constraint JOIN objectid_move.objectid_uses ON classid = 'pg_constraint'::regclass AND objid = oid
			UNION SELECT indrelid FROM pg_index JOIN objectid_move.objectid_uses ON classid = 'pg_class'::regclass AND objid = indexrelid
			UNION SELECT adrelid FROM pg_attrdef JOIN objectid_move.objectid_uses ON classid = 'pg_attrdef'::regclass AND objid = oid);

		-- ALTER TABLE calls functions of the owner in constraints and indexes.  SET ROLE is no protection, because they can reset it.
		SELECT array_agg(format('table %s belongs to %I', name, owner) ORDER BY name) INTO problems
		FROM objectid_move.objectid_tables
		WHERE NOT CASE WHEN (SELECT bool_or(rolsuper) FROM pg_roles WHERE rolname IN (current_user, session_user)) THEN rolsuper ELSE owner = current_user END;
		IF problems IS NOT NULL AND current_setting('objectid_move.trust_owners', true) IS DISTINCT FROM 'on' THEN
			RAISE insufficient_privilege USING
				MESSAGE = format('%I cannot convert tables of other roles', current_user),
				DETAIL = array_to_string(problems, E'\n'),
				HINT = 'Their constraints and indexes can call functions of the owner, which would run with your rights. Connect as the owner, or, if you trust all owners, run psql with -v trust_owners=on.';
		END IF;

		-- in the order that most applications use
		SELECT string_agg(name, ', ' ORDER BY relid) INTO command FROM objectid_move.objectid_tables WHERE relkind <> 'f' AND NOT is_theirs;
		EXECUTE coalesce('LOCK TABLE ' || command, '');
	END LOOP;

	-- FORCE ROW LEVEL SECURITY would hide rows from the check of a new foreign key
	INSERT INTO objectid_move.objectid_steps (step, relid, before, prefix, suffix)
	SELECT 0, relid, format('ALTER TABLE %s NO FORCE ROW LEVEL SECURITY', name), 'ALTER TABLE ', ' FORCE ROW LEVEL SECURITY'
	FROM objectid_move.objectid_tables WHERE relforcerowsecurity;

	-- foreign keys
	INSERT INTO objectid_move.objectid_steps (step, relid, before, prefix, suffix)
	SELECT 1, relid, format('ALTER TABLE %s DROP CONSTRAINT %I', name, conname),
		'ALTER TABLE ', format(' ADD CONSTRAINT %I %s', conname, pg_get_constraintdef(oid))
	FROM pg_constraint JOIN objectid_move.objectid_tables ON relid = conrelid
	WHERE contype = 'f' AND conparentid = 0 AND oid IN (SELECT objid FROM objectid_move.objectid_uses WHERE classid = 'pg_constraint'::regclass);

	-- CHECK and EXCLUDE.  Dropping the parent's constraint keeps a child's own constraint of the same name.
	INSERT INTO objectid_move.objectid_steps
	SELECT 2, (WITH RECURSIVE ancestor AS (
			SELECT conrelid AS relid, 0 AS level UNION ALL SELECT inhparent, level + 1 FROM ancestor JOIN pg_inherits ON inhrelid = relid)
			SELECT max(level) FROM ancestor),
		'pg_constraint'::regclass, oid, relid,
		CASE WHEN contype IN ('c', 'x') THEN format('ALTER TABLE %s DROP CONSTRAINT %I', name, conname) END,
		'ALTER TABLE ', format(' ADD CONSTRAINT %I %s', conname, pg_get_constraintdef(oid))
	FROM pg_constraint JOIN objectid_move.objectid_tables ON relid = conrelid LEFT JOIN pg_index ON indexrelid = conindid
	WHERE (contype = 'c' OR contype <> 'f' AND indisexclusion) AND conislocal
		AND (oid IN (SELECT objid FROM objectid_move.objectid_uses WHERE classid = 'pg_constraint'::regclass)
			OR conindid IN (SELECT objid FROM objectid_move.objectid_uses WHERE classid = 'pg_class'::regclass));

	-- Indexes.  ALTER TABLE rebuilds those without expressions.  DROP INDEX on a partitioned table also drops those of its partitions.
	INSERT INTO objectid_move.objectid_steps
	SELECT 4, 0, 'pg_class'::regclass, indexrelid, indrelid,
		CASE WHEN indexprs IS NOT NULL OR indpred IS NOT NULL THEN
			CASE WHEN relispartition THEN '' ELSE format('DROP INDEX %s', indexrelid::regclass) END
		END, left(definition, place - 1), substr(definition, place + length(name))
	FROM pg_index JOIN pg_class AS c ON c.oid = indexrelid JOIN objectid_move.objectid_tables ON relid = indrelid,
		pg_get_indexdef(indexrelid) AS definition,
		LATERAL (SELECT strpos(definition, quote_ident(relname) || ' ON ') + length(quote_ident(relname)) AS after) AS a,
		LATERAL (SELECT after + strpos(substr(definition, after + 1), name || ' USING ') AS place) AS p
	WHERE indexrelid IN (SELECT objid FROM objectid_move.objectid_uses WHERE classid = 'pg_class'::regclass)
		AND NOT indisexclusion;
	INSERT INTO objectid_move.objectid_steps (step, before, prefix)
	SELECT 3, '', format('ALTER INDEX %s ATTACH PARTITION %s', inhparent::regclass, inhrelid::regclass)
	FROM pg_inherits WHERE inhrelid IN (SELECT objid FROM objectid_move.objectid_steps AS s WHERE s.step = 4 AND before = '');

	-- defaults
	INSERT INTO objectid_move.objectid_steps
	SELECT 5, 0, 'pg_attrdef'::regclass, oid, relid, format('ALTER TABLE ONLY %s ALTER %I DROP DEFAULT', name, attname),
		'ALTER TABLE ONLY ', format(' ALTER %I SET DEFAULT %s', attname, pg_get_expr(adbin, adrelid))
	FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum JOIN objectid_move.objectid_tables ON relid = adrelid
	WHERE attgenerated = '' AND oid IN (SELECT objid FROM objectid_move.objectid_uses WHERE classid = 'pg_attrdef'::regclass);

	-- the columns; ALTER TABLE on a parent also changes its children, and resets the storage of arrays
	INSERT INTO objectid_move.objectid_steps (step, relid, before, prefix, suffix)
	SELECT 7, relid, '', 'ALTER TABLE ', string_agg(format(
			CASE relkind WHEN 'f' THEN ' ALTER %I TYPE %I.objectid%s' ELSE ' ALTER %I TYPE %I.objectid%s USING %1$I::text%3$s::%2$I.objectid%3$s' END,
			attname, new, CASE WHEN atttypid = types[1] THEN '' ELSE '[]' END), ',' ORDER BY attnum)
	FROM objectid_move.objectid_columns JOIN objectid_move.objectid_tables USING (relid) WHERE attinhcount = 0 GROUP BY relid;
	INSERT INTO objectid_move.objectid_steps (step, relid, before, prefix, suffix)
	SELECT 6, relid, '', 'ALTER TABLE ONLY ', format(' ALTER %I SET STORAGE %s', attname,
			CASE attstorage WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' ELSE 'EXTENDED' END)
		|| CASE attcompression WHEN 'p' THEN format(', ALTER %I SET COMPRESSION pglz', attname) WHEN 'l' THEN format(', ALTER %I SET COMPRESSION lz4', attname) ELSE '' END
	FROM objectid_move.objectid_columns WHERE atttypid = types[2];

	-- what ALTER TABLE or DROP would refuse
	problems := ARRAY(
		SELECT DISTINCT CASE
				WHEN rule.relkind IN ('v', 'm') THEN pg_describe_object('pg_class'::regclass, rule.oid, 0)
				WHEN c.relkind = 'p' AND objsubid = 0 THEN format('partition key of %s', pg_describe_object(classid, objid, 0))
				WHEN c.relkind IN ('v', 'm') THEN pg_describe_object(classid, objid, 0)
				ELSE pg_describe_object(classid, objid, objsubid)
			END
		FROM objectid_move.objectid_uses LEFT JOIN pg_class AS c ON classid = 'pg_class'::regclass AND c.oid = objid
		LEFT JOIN (pg_rewrite AS r JOIN pg_class AS rule ON rule.oid = ev_class) ON classid = 'pg_rewrite'::regclass AND r.oid = objid
		WHERE NOT CASE classid
				WHEN 'pg_class'::regclass THEN c.relkind IN ('i', 'I', 'S')
					OR (objid, objsubid) IN (SELECT relid, attnum FROM objectid_move.objectid_columns WHERE attgenerated = '')
				WHEN 'pg_constraint'::regclass THEN EXISTS (SELECT FROM pg_constraint WHERE oid = objid AND (conrelid <> 0 OR contypid = types[1]))
				WHEN 'pg_attrdef'::regclass THEN NOT EXISTS (
					SELECT FROM pg_attrdef AS d JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum WHERE d.oid = objid AND attgenerated <> '')
				WHEN 'pg_trigger'::regclass THEN (SELECT tgisinternal FROM pg_trigger WHERE oid = objid)
				WHEN 'pg_statistic_ext'::regclass THEN pg_get_statisticsobjdef_expressions(objid) IS NULL
				ELSE false
			END
		UNION
		SELECT format('partition key of table %s', name)
		FROM objectid_move.objectid_columns JOIN objectid_move.objectid_tables USING (relid) JOIN pg_partitioned_table ON partrelid = relid WHERE attnum = ANY (partattrs)
		UNION
		SELECT format('column %I of table %s, which several tables inherit to it', attname, name)
		FROM objectid_move.objectid_columns JOIN objectid_move.objectid_tables USING (relid) WHERE attinhcount > 1
		UNION
		SELECT format('column %I of table %s, which has a collation of its own', attname, name)
		FROM objectid_move.objectid_columns JOIN objectid_move.objectid_tables USING (relid) WHERE has_collation
		UNION
		SELECT format('column %I of foreign table %s, which is inherited', attname, name)
		FROM objectid_move.objectid_columns JOIN objectid_move.objectid_tables USING (relid) WHERE relkind = 'f' AND attinhcount > 0
		UNION
		SELECT format('%s, which is invalid', pg_describe_object(classid, objid, 0))
		FROM objectid_move.objectid_uses JOIN pg_index ON indexrelid = objid JOIN pg_class AS c ON c.oid = objid
		WHERE classid = 'pg_class'::regclass AND relkind = 'i' AND NOT indisvalid
		UNION
		SELECT format('temporary table %s of a different session', name)
		FROM objectid_move.objectid_tables WHERE is_theirs
		UNION
		SELECT format('%s, whose type is that of table %s', pg_describe_object('pg_class'::regclass, attrelid, attnum), name)
		FROM pg_attribute JOIN objectid_move.objectid_tables ON atttypid IN (reltype, (SELECT typarray FROM pg_type WHERE oid = reltype))
		UNION
		SELECT format('%s, whose columns have different types', pg_describe_object('pg_constraint'::regclass, f.oid, 0))
		FROM pg_constraint AS f, unnest(conkey, confkey) AS pair(key, fkey)
		JOIN pg_attribute AS a ON true JOIN pg_attribute AS b ON true
		WHERE contype = 'f' AND a.attrelid = conrelid AND a.attnum = key AND b.attrelid = confrelid AND b.attnum = fkey
			AND (a.atttypid = types[1]) <> (b.atttypid = types[1])
		UNION
		SELECT format('%s, whose triggers are disabled', pg_describe_object('pg_constraint'::regclass, tgconstraint, 0))
		FROM pg_trigger JOIN pg_constraint AS f ON f.oid = tgconstraint
		WHERE contype = 'f' AND tgenabled <> 'O' AND tgconstraint IN (SELECT objid FROM objectid_move.objectid_uses WHERE classid = 'pg_constraint'::regclass));

	-- Casts that differ: the domain's convert the 24 digits, the extension's the 12 bytes
	WITH cast_ids AS (
		DELETE FROM objectid_move.objectid_steps
		WHERE CASE WHEN to_extension THEN objectid_move.objectid_expression(classid, objid) ~ 'COERCEVIAIO' ELSE EXISTS (
				SELECT FROM regexp_matches(objectid_move.objectid_expression(classid, objid),
						'FUNCEXPR :funcid (\d+) :funcresulttype \d+ :funcretset \w+ :funcvariadic \w+ :funcformat [12] ', 'g') AS m
				JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = m[1]::oid JOIN pg_extension AS x ON x.oid = refobjid
				WHERE deptype = 'e' AND extname = 'objectid')
			END
		RETURNING classid, objid)
	SELECT problems || array_agg(format('%s, which casts an id', pg_describe_object(classid, objid, 0))) INTO problems FROM cast_ids;

	-- The changes below remove the schema from comparisons.
	WITH of_others AS (
		DELETE FROM objectid_move.objectid_steps AS s
		WHERE NOT to_extension AND EXISTS (
			SELECT FROM pg_depend AS d JOIN pg_operator AS o ON o.oid = d.refobjid JOIN pg_namespace AS n ON n.oid = oprnamespace
			WHERE d.classid = s.classid AND d.objid = s.objid AND d.refclassid = 'pg_operator'::regclass AND nspname = home AND oprname ~ ('^' || comparison || '$')
				AND NOT EXISTS (SELECT FROM pg_depend AS e JOIN pg_extension AS x ON x.oid = e.refobjid
					WHERE e.classid = 'pg_operator'::regclass AND e.objid = o.oid AND e.deptype = 'e' AND extname = 'objectid'))
		RETURNING classid, objid)
	SELECT problems || array_agg(format('%s, which has operators of other types in the schema of the extension', pg_describe_object(classid, objid, 0))) INTO problems
	FROM of_others;

	-- literals that look like code to them
	WITH literals AS (
		DELETE FROM objectid_move.objectid_steps
		WHERE objid IS NOT NULL AND EXISTS (
			SELECT FROM regexp_matches(suffix, $r$("(?:[^"]|"")*"|'(?:[^']|'')*')$r$, 'g') AS m WHERE m[1] ~ ('^''.*(::| WITH [<=>]|OPERATOR\(|' || old_schema || '\.)'))
		RETURNING classid, objid)
	SELECT problems || array_agg(format('%s, which has a literal that contains SQL', pg_describe_object(classid, objid, 0))) INTO problems FROM literals;

	-- the definitions, on empty tables
	PERFORM set_config('search_path', 'pg_catalog, objectid_move, pg_temp', true);
	FOR target IN
		SELECT * FROM objectid_move.objectid_tables
		WHERE relid IN (SELECT relid FROM objectid_move.objectid_steps WHERE objid IS NOT NULL)
	LOOP
		EXECUTE format('CREATE UNLOGGED TABLE %s (LIKE %s)', twin, target.name);
		SELECT string_agg(name, '|') FILTER (WHERE atttypid = types[1]), string_agg(name, '|') FILTER (WHERE atttypid = types[2]),
			string_agg(format('ALTER %I TYPE %I.objectid%s USING NULL', attname, new, CASE WHEN atttypid = types[2] THEN '[]' END), ', ')
		INTO id, ids, command
		FROM objectid_move.objectid_columns, regexp_replace(quote_ident(attname), '\W', '\\\&', 'g') AS name
		WHERE relid = target.relid;
		EXECUTE coalesce(format('ALTER TABLE %s ', twin) || command, '');

		FOR step IN
			SELECT s.*, coalesce(conname, relname) AS name, coalesce(contype IN ('c', 'x') OR indisunique, false) AS is_constraint
			FROM objectid_move.objectid_steps AS s LEFT JOIN pg_constraint AS o ON classid = 'pg_constraint'::regclass AND o.oid = objid
			LEFT JOIN (pg_class AS c JOIN pg_index ON indexrelid = c.oid) ON classid = 'pg_class'::regclass AND c.oid = objid
			WHERE relid = target.relid AND objid IS NOT NULL
		LOOP
			IF to_extension THEN
				suffix := regexp_replace(step.suffix, '\mobjectid_move\.', new_schema || '.', 'g');
				-- The domain compares text: ((id)::text >= (('65a0...'::text)::objectid)::text)
				suffix := regexp_replace(suffix, format('\(\((%s::text)\)::%s\.objectid\)::text', hex, regexp_replace(quote_ident(new), '\W', '\\\&', 'g')), '\1', 'g');
				suffix := regexp_replace(suffix, format('\(\((%1$s)\)::text %2$s (?:\((%1$s|%4$s)\)::text|(%3$s)::text)\)', id, comparison, hex, boundary), '(\1 ' || operator || ' \3\4)', 'g');
				suffix := regexp_replace(suffix, format('\((%3$s)::text %2$s \((%1$s)\)::text\)', id, comparison, hex), '(\1 ' || operator || ' \3)', 'g');
				suffix := regexp_replace(suffix, format('\(\((%3$s)\)::text %2$s \((%1$s)\)::text\)', id, comparison, boundary), '(\1 ' || operator || ' \3)', 'g');
				suffix := regexp_replace(suffix, format('\(\((%s)\)::text (=|<>) (ANY|ALL) \((''\{[0-9a-f]{24}(?:,[0-9a-f]{24})*\}'')::text\[\]\)\)', id),
					format('(\1 %s \3 (\4::%s.objectid[]))', operator, new_schema), 'g');
				suffix := regexp_replace(suffix, format('\(\((%1$s)\)::text (=|<>) (ANY|ALL) \((ARRAY\[%2$s::text(?:, %2$s::text)*\])\)\)', id, hex),
					format('(\1 %s \3 ((\4)::%s.objectid[]))', operator, new_schema), 'g');
				suffix := regexp_replace(suffix, format('([(,] ?(?:%s)) WITH %s', id, comparison), '\1 WITH ' || operator, 'g');
				suffix := regexp_replace(suffix, format('\(\((%1$s)\)::text (=|<>) (ANY|ALL) \(\((%2$s)\)::text\[\]\)\)', id, ids), '(\1 ' || operator || ' \3 (\4))', 'g');
			ELSE
				-- The extension's operators are those of pg_catalog for text, or those of the domain for timestamptz.
				suffix := regexp_replace(step.suffix, format('OPERATOR\(%s\.%s\)', old_schema, comparison), '\1', 'g');
				IF step.classid <> 'pg_attrdef'::regclass THEN
					suffix := regexp_replace(suffix, format('(%s)::%s\.objectid\M(?!\[)', hex, old_schema), '\1::text', 'g');
					suffix := regexp_replace(suffix, format('\((%s::text)\)::%s\.objectid\M(?!\[)', hex, old_schema), '\1', 'g');
				END IF;
				suffix := regexp_replace(suffix, format('(?<![\w".])%s\.((gen_objectid|objectid|objectid_time|objectid_from_time|objectid_is_valid|objectid_(upper|lower)_bound)\M)', old_schema),
					new_schema || '.\1', 'g');
			END IF;
			BEGIN
				EXECUTE step.prefix || twin || suffix;
				-- The domain's text has the collation "C" (950).  A cast of the extension's type has the collation of the database (100).
				FOR attempt IN 0 .. 1 LOOP
					EXIT WHEN NOT step.is_constraint OR NOT EXISTS (
						SELECT FROM (SELECT 'pg_constraint'::regclass AS classid, oid, conname AS name FROM pg_constraint WHERE conrelid = twin::regclass
							UNION ALL
							SELECT 'pg_class'::regclass, indexrelid, relname FROM pg_index JOIN pg_class AS c ON c.oid = indexrelid WHERE indrelid = twin::regclass) AS t,
							unnest(objectid_move.objectid_collations(classid, step.objid), objectid_move.objectid_collations(classid, oid)) AS pair(a, b)
						WHERE classid = step.classid AND name = step.name AND (a IS NULL OR b IS NULL OR (a, b) IN (('100', '950'), ('950', '100'))));
					IF attempt = 1 THEN
						RAISE collation_mismatch USING MESSAGE = 'it compares the text of an id in a different collation';
					END IF;
					suffix := regexp_replace(suffix, format('\((%s)\)::text(?!\[)', id),
						format('((\1)::text COLLATE pg_catalog."%s")', CASE WHEN to_extension THEN 'C' ELSE 'default' END), 'g');
					EXECUTE CASE step.classid WHEN 'pg_class'::regclass THEN format('DROP INDEX objectid_move.%I', step.name)
						ELSE format('ALTER TABLE %s DROP CONSTRAINT %I', twin, step.name) END;
					EXECUTE step.prefix || twin || suffix;
				END LOOP;
				UPDATE objectid_move.objectid_steps AS s SET suffix = convert.suffix WHERE objid = step.objid;
			EXCEPTION WHEN OTHERS THEN
				problems := problems || format('%s: %s', pg_describe_object(step.classid, step.objid, 0), SQLERRM);
			END;
		END LOOP;
		EXECUTE 'DROP TABLE ' || twin;
	END LOOP;
	IF problems <> '{}' THEN
		RAISE dependent_objects_still_exist USING
			MESSAGE = 'some objects that depend on the type objectid cannot be converted',
			DETAIL = replace(array_to_string(problems, E'\n'), 'objectid_move.objectid', 'objectid'),
			HINT = 'Drop these objects, convert the columns, and create the objects again.';
	END IF;

	FOR command IN SELECT before FROM objectid_move.objectid_steps AS s WHERE before IS NOT NULL ORDER BY s.step, level LOOP
		EXECUTE command;
	END LOOP;
	FOR command IN
		SELECT concat(prefix, name, s.suffix) FROM objectid_move.objectid_steps AS s LEFT JOIN objectid_move.objectid_tables USING (relid)
		WHERE before IS NOT NULL ORDER BY s.step DESC, level DESC
	LOOP
		EXECUTE command;
	END LOOP;
END$$;

DROP TABLE objectid_move.objectid_steps, objectid_move.objectid_uses, objectid_move.objectid_columns, objectid_move.objectid_tables;
DROP FUNCTION objectid_move.objectid_collations, objectid_move.objectid_expression;
