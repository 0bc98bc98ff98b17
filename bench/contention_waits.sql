-- While pgbench runs: the fraction of its sessions that wait for the lock of a page, measured 100 times
CREATE TEMPORARY TABLE seen (waiting double precision);
DO $$
BEGIN
	FOR i IN 1 .. 100 LOOP
		PERFORM pg_sleep(0.04), pg_stat_clear_snapshot();
		INSERT INTO seen SELECT avg(CASE WHEN wait_event ~ '^Buffer' THEN 100 ELSE 0 END) FROM pg_stat_activity WHERE application_name = 'pgbench' AND state = 'active';
	END LOOP;
END
$$;
SELECT bench.record('of ' || :'clients' || ' sessions in a procedure, those that wait for a page', '%', :'kind', 0, avg(waiting)) FROM seen;
