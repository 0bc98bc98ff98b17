--
-- JSON_TABLE and COPY ... ON_ERROR (17 and newer)
--
\t on
SELECT * FROM JSON_TABLE(jsonb '[{"_id": "507f1f77bcf86cd799439011", "ref": {"$oid": "507f1f77bcf86cd799439012"}},
                                 {"_id": null}, {}]', '$[*]'
  COLUMNS (_id objectid PATH '$._id', ref objectid PATH '$.ref."$oid"'));
-- a column accepts scalars only, and with a QUOTES clause also Extended JSON
SELECT * FROM JSON_TABLE(jsonb '[{"_id": "507f1f77bcf86cd799439011"}, {"_id": {"$oid": "507f1f77bcf86cd799439012"}}]',
  '$[*]' COLUMNS (scalar objectid PATH '$._id', either objectid PATH '$._id' OMIT QUOTES));
SELECT * FROM JSON_TABLE(jsonb '[{"_id": "no id"}]', '$[*]'
  COLUMNS (_id objectid PATH '$._id' DEFAULT '000000000000000000000000' ON ERROR));
SELECT * FROM JSON_TABLE(jsonb '[{"_id": "no id"}]', '$[*]' COLUMNS (_id objectid PATH '$._id' ERROR ON ERROR));
SELECT JSON_VALUE(jsonb '{"_id": "507f1f77bcf86cd799439011"}', '$._id' RETURNING objectid),
       JSON_QUERY(jsonb '{"_id": {"$oid": "507f1f77bcf86cd799439011"}}', '$._id' RETURNING objectid);
CREATE TABLE loaded (id objectid);
COPY loaded FROM stdin (ON_ERROR ignore);
507f1f77bcf86cd799439011
no id
ObjectId(507f1f77bcf86cd799439012)
507f1f77bcf86cd79943901
\.
SELECT * FROM loaded;
DROP TABLE loaded;
