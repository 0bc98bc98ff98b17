-- The tables of large-tables.md: try its steps on them first.
CREATE TABLE account (id bigserial PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now(), name text);
CREATE TABLE login (id bigserial PRIMARY KEY, account bigint NOT NULL REFERENCES account, at timestamptz NOT NULL DEFAULT now());
INSERT INTO account (created_at, name) SELECT timestamptz '2023-05-01' + n * interval '1 hour', 'user ' || n FROM generate_series(1, 1000) AS n;
INSERT INTO login (account, at) SELECT 1 + n % 1000, timestamptz '2023-07-01' + n * interval '1 minute' FROM generate_series(1, 5000) AS n;
