--
-- Valid text: every form gives the same value.
--
\t on
SELECT form FROM unnest(ARRAY[
  '507f1f77bcf86cd799439011', '507F1F77BCF86CD799439011', '507f1F77bCF86cd799439011',
  'ObjectId("507f1f77bcf86cd799439011")', 'ObjectId(''507f1f77bcf86cd799439011'')',
  'ObjectId(507f1f77bcf86cd799439011)', 'ObjectId("507F1F77BCF86CD799439011")',
  'ObjectID("507f1f77bcf86cd799439011")', 'ObjectID(''507f1f77bcf86cd799439011'')',
  'ObjectID(507f1f77bcf86cd799439011)', 'new ObjectId("507f1f77bcf86cd799439011")',
  'new ObjectId(''507f1f77bcf86cd799439011'')', 'new ObjectId(507f1f77bcf86cd799439011)',
  'BSON::ObjectId("507f1f77bcf86cd799439011")', 'BSON::ObjectId(''507f1f77bcf86cd799439011'')',
  'BSON::ObjectId(507f1f77bcf86cd799439011)', 'ObjectIdHex("507f1f77bcf86cd799439011")',
  'ObjectIdHex(''507f1f77bcf86cd799439011'')', 'ObjectIdHex(507f1f77bcf86cd799439011)',
  '{"$oid":"507f1f77bcf86cd799439011"}', '{"$oid": "507f1f77bcf86cd799439011"}',
  '{ "$oid" : "507f1f77bcf86cd799439011" }', '{"$oid":"507F1F77BCF86CD799439011"}',
  E'{\n\t"$oid"\r\n:\t \n"507f1f77bcf86cd799439011"\r\n}', '"507f1f77bcf86cd799439011"', '"507F1F77BCF86CD799439011"',
  '\x507f1f77bcf86cd799439011', '\x507F1F77BCF86CD799439011']) AS form
WHERE NOT objectid_is_valid(form) OR outcome(format('SELECT %L::objectid', form)) <> '507f1f77bcf86cd799439011';

-- all digits, in both cases, in every place
SELECT '0123456789abcdefABCDEF00'::objectid, '56e1fc72e0c917e9c4714161'::objectid;

-- output is 24 lower-case digits, for every value of every byte
SELECT count(*), count(DISTINCT id), bool_and(id::text = hex) AS same
FROM (SELECT hex, upper(hex)::objectid AS id
      FROM (SELECT repeat('00', place) || lpad(to_hex(byte), 2, '0') || repeat('ff', 11 - place) AS hex
            FROM generate_series(0, 255) AS byte, generate_series(0, 11) AS place) AS h
      OFFSET 0) AS ids;
