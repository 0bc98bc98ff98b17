-- Hashes of the keys in $1 that are in the table
SELECT array_agg(hash_record_extended(ROW(t._id), 0))
FROM unnest($1::{type}[]) AS s (_id) JOIN {table} AS t ON t._id OPERATOR({operators}.=) s._id{collation}
