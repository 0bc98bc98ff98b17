-- ORDER BY of ids in realistic distributions: of one process or of many, of seconds or of years,
-- and in the layout before 2018.  A PostgreSQL server is one process.  With abbreviated keys; with
-- whole values, as PostgreSQL compares if it expects to stop early; and the same bytes as uuid.
-- order: 50, kinds: objectid; objectid, whole values; uuid v4
SELECT to_regnamespace('shape') IS NULL AS make \gset
\if :make
	CREATE SCHEMA shape;
	-- the n-th of :rows ids that this number of processes generate in this number of seconds, each
	-- with its own random part and counter
	CREATE FUNCTION shape.hex(n bigint, rows bigint, processes integer, seconds bigint) RETURNS text IMMUTABLE PARALLEL SAFE
	LANGUAGE sql AS $$
		SELECT lpad(to_hex(1700000000 + n * seconds / rows), 8, '0') || left(md5('process ' || n % processes), 10)
			|| lpad(to_hex((n / processes + ('x' || left(md5('counter ' || n % processes), 6))::bit(24)::integer) % 16777216), 6, '0')
	$$;
	-- the layout before 2018: machine, process and counter; four processes of two machines
	CREATE FUNCTION shape.legacy(n bigint, rows bigint, seconds bigint) RETURNS text IMMUTABLE PARALLEL SAFE
	LANGUAGE sql AS $$
		SELECT lpad(to_hex(1300000000 + n * seconds / rows), 8, '0') || left(md5('machine ' || n % 2), 6) || left(md5('pid ' || n % 4), 4)
			|| lpad(to_hex((n / 4 + 777777) % 16777216), 6, '0')
	$$;
	-- the n-th of :rows ids of a PostgreSQL server, which generates as many for nine other tables
	CREATE FUNCTION shape.server(n bigint, rows bigint, seconds bigint) RETURNS text IMMUTABLE PARALLEL SAFE
	LANGUAGE sql AS $$
		SELECT lpad(to_hex(1700000000 + n * seconds / rows), 8, '0') || lpad(to_hex(x'123456789abcdef0'::bigint + 10 * n), 16, '0')
	$$;
	CREATE TABLE shape.kind (ordinal integer, name text, hex text, arrival text);
	INSERT INTO shape.kind VALUES
		(1, '1 process, 10 s', 'shape.hex(n, :rows, 1, 10)', 'random()'),
		(2, 'random ids', 'left(md5(n::text), 24)', 'random()'),
		(3, '2 processes, 10 s', 'shape.hex(n, :rows, 2, 10)', 'random()'),
		(4, '8 processes, 10 s', 'shape.hex(n, :rows, 8, 10)', 'random()'),
		(5, '8 processes, 10 s, in order of arrival', 'shape.hex(n, :rows, 8, 10)', 'n'),
		(6, '64 processes, 10 s', 'shape.hex(n, :rows, 64, 10)', 'random()'),
		(7, '8 processes, 1000 s', 'shape.hex(n, :rows, 8, 1000)', 'random()'),
		(8, '8 processes, 5 years', 'shape.hex(n, :rows, 8, 157680000)', 'random()'),
		(9, 'before 2018, 10 s', 'shape.legacy(n, :rows, 10)', 'random()'),
		(10, 'before 2018, 1000 s', 'shape.legacy(n, :rows, 1000)', 'random()'),
		(11, 'one table of a server, 1000 s', 'shape.server(n, :rows, 1000)', 'random()'),
		(12, 'one table of a server, 1 day', 'shape.server(n, :rows, 86400)', 'random()');
	SELECT format('CREATE TABLE shape.%I AS SELECT hex::objectid AS objectid, (hex || ''00000000'')::uuid AS uuid
	               FROM (SELECT %s AS hex FROM generate_series(0, %s - 1) AS n ORDER BY %s) AS made', name, replace(hex, ':rows', :'rows'), :rows, arrival)
	FROM shape.kind ORDER BY ordinal \gexec
	VACUUM (FREEZE, ANALYZE);
	CREATE FUNCTION shape.seconds(query text) RETURNS double precision
	LANGUAGE plpgsql AS $$
	DECLARE
		started timestamptz := clock_timestamp();
	BEGIN
		EXECUTE query;
		RETURN extract(epoch FROM clock_timestamp() - started);
	END
	$$;
\endif
SELECT bench.record('ORDER BY, ' || name, 's', :'kind', :rows,
	shape.seconds(format('SELECT count(*) FROM (SELECT %I FROM shape.%I ORDER BY 1 OFFSET 0%s) AS s', :'type', name,
		CASE WHEN :'kind' ~ 'whole values' THEN format(' LIMIT %s', 2 * :rows) ELSE '' END)))
FROM (SELECT * FROM shape.kind ORDER BY ordinal OFFSET 0) AS k;
