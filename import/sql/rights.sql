-- Fails without the rights to load, or if columns are generated
EXPLAIN INSERT INTO {table} (_id, doc) SELECT _id, doc FROM {table};
EXPLAIN INSERT INTO {side} (target, file, run, "position", reason, raw)
	VALUES ('', '', 0::bigint, 0::bigint, '', ''::bytea);
EXPLAIN UPDATE {imports} SET next_offset = 0, documents = 0, rejected = 0, changed = 0, equal = 0, without_id = false,
	duplicate = false, finished = now()
WHERE run = 0
