-- Insert or replace one row, and say how: 'inserted', 'changed', 'equal', 'duplicate',
-- 'discarded' or an SQLSTATE.  The body of a function (document bytea, upsert boolean,
-- OUT state text, OUT why text).  The text may have characters that the database does not
-- have, so it is converted in the exception block.  Triggers need the search path of the
-- role, which may begin with a schema of others, so all names have their schemas.
#variable_conflict use_variable
DECLARE
	d pg_catalog.jsonb;
	id {type};
BEGIN
	d := pg_catalog.convert_from(document, 'UTF8')::pg_catalog.jsonb;
	id := CASE
		WHEN '{kind}' OPERATOR(pg_catalog.=) 'text' THEN d OPERATOR(pg_catalog.->>) '_id'
		WHEN '{kind}' OPERATOR(pg_catalog.=) 'bigint' THEN
			(d OPERATOR(pg_catalog.->>) '_id')::pg_catalog.numeric::pg_catalog.int8::pg_catalog.text
		WHEN '{kind}' OPERATOR(pg_catalog.=) 'uuid' THEN
			pg_catalog.encode(pg_catalog.decode(d OPERATOR(pg_catalog.->) '_id'
			OPERATOR(pg_catalog.->) '$binary' OPERATOR(pg_catalog.->>) 'base64', 'base64'), 'hex')
		WHEN '{kind}' OPERATOR(pg_catalog.=) 'jsonb' THEN (d OPERATOR(pg_catalog.->) '_id')::pg_catalog.text
		ELSE d OPERATOR(pg_catalog.->) '_id' OPERATOR(pg_catalog.->>) '$oid'
	END;
	IF NOT EXISTS (SELECT FROM {table} AS t WHERE t._id OPERATOR(pg_catalog.=) id) THEN
		INSERT INTO {table} (_id, doc) VALUES (id, d);
		state := CASE WHEN FOUND THEN 'inserted' ELSE 'discarded' END;
	ELSIF NOT upsert THEN
		state := 'duplicate';
		why := 'duplicate: the table has this _id already';
	ELSIF EXISTS (
		SELECT FROM {table} AS t
		WHERE t._id OPERATOR(pg_catalog.=) id AND t.doc::pg_catalog.text OPERATOR(pg_catalog.=) d::pg_catalog.text
	) THEN
		state := 'equal';
	ELSE
		UPDATE {table} AS t SET doc = d WHERE t._id OPERATOR(pg_catalog.=) id;
		state := CASE WHEN FOUND THEN 'changed' ELSE 'discarded' END;
	END IF;
	IF state OPERATOR(pg_catalog.=) 'discarded' THEN
		why := 'the server did not keep the row: a trigger discarded it';
	END IF;
EXCEPTION
	WHEN transaction_rollback OR insufficient_resources OR operator_intervention OR system_error THEN
		RAISE;
	WHEN assert_failure OR OTHERS THEN
		GET STACKED DIAGNOSTICS why = PG_EXCEPTION_DETAIL;
		state := SQLSTATE;
		why := SQLERRM OPERATOR(pg_catalog.||)
			CASE WHEN why OPERATOR(pg_catalog.<>) ''
				THEN ' (' OPERATOR(pg_catalog.||) why OPERATOR(pg_catalog.||) ')' ELSE '' END;
END
