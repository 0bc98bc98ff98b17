-- What objectid-import makes of a collection of two documents
SET timezone = 'UTC';
SET datestyle = 'ISO';
CREATE TABLE movies (_id objectid PRIMARY KEY, doc jsonb NOT NULL);
INSERT INTO movies VALUES ('5ca4bbc7a2dd94ee5816238c', '{"_id": {"$oid": "5ca4bbc7a2dd94ee5816238c"}, "title": "One"}'),
                          ('5ca4bbc7a2dd94ee58162390', '{"_id": {"$oid": "5ca4bbc7a2dd94ee58162390"}, "title": "Three"}');
