-- db.screenings.createIndex({'hall.name': 1, at: 1}, {unique: true, partialFilterExpression: {tags: '3D'}})
CREATE UNIQUE INDEX ON film.screenings ((doc->'hall'->>'name'), (ejson_date(doc->'at'))) WHERE doc->'tags' ? '3D';
CREATE UNIQUE INDEX ON film.screenings (hall_name, at) WHERE '3D' = ANY (tags);

-- db.movies.createIndex({title: 'text'}); db.movies.find({$text: {$search: 'one'}})
CREATE INDEX ON film.movies USING gin (to_tsvector('english', doc->>'title'));
CREATE INDEX ON film.movies USING gin (to_tsvector('english', title));
SELECT _id FROM film.movies WHERE to_tsvector('english', title) @@ websearch_to_tsquery('english', 'one');

-- db.screenings.createIndex({at: 1}, {expireAfterSeconds: 7776000})
DELETE FROM film.screenings WHERE ejson_date(doc->'at') < now() - interval '90 days';
DELETE FROM film.screenings WHERE at < now() - interval '90 days';
