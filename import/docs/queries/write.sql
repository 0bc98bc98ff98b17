-- db.screenings.insertOne({_id: ObjectId('660000000000000000000004'), hall: {name: 'C'}})
INSERT INTO film.screenings (_id, doc) VALUES ('660000000000000000000004', '{"_id": {"$oid": "660000000000000000000004"}, "hall": {"name": "C"}}');
INSERT INTO plain.screenings (_id, hall_name) VALUES ('660000000000000000000004', 'C');

-- db.screenings.updateOne({_id: ObjectId('660000000000000000000001')}, {$set: {'hall.seats': 90}, $unset: {at: ''}})
UPDATE film.screenings SET doc = jsonb_set(doc, '{hall,seats}', '90') - 'at' WHERE _id = '660000000000000000000001';
UPDATE plain.screenings SET hall_seats = 90, at = NULL WHERE _id = '660000000000000000000001';

-- db.screenings.updateMany({'hall.name': 'A'}, {$inc: {'hall.seats': 5}})
UPDATE film.screenings SET doc = jsonb_set(doc, '{hall,seats}', to_jsonb(coalesce(ejson_integer(doc->'hall'->'seats'), 0) + 5)) WHERE doc->'hall'->>'name' = 'A';
UPDATE plain.screenings SET hall_seats = coalesce(hall_seats, 0) + 5 WHERE hall_name = 'A';

-- db.screenings.updateMany({}, {$push: {tags: 'new'}})
UPDATE film.screenings SET doc = jsonb_set(doc, '{tags}', coalesce(doc->'tags', '[]') || '"new"');
UPDATE plain.screenings SET tags = array_append(tags, 'new');

-- db.screenings.updateMany({}, {$addToSet: {tags: 'late'}})
UPDATE film.screenings SET doc = jsonb_set(doc, '{tags}', coalesce(doc->'tags', '[]') || '"late"') WHERE (doc->'tags' ? 'late') IS NOT TRUE;
UPDATE plain.screenings SET tags = array_append(tags, 'late') WHERE ('late' = ANY (tags)) IS NOT TRUE;

-- db.screenings.updateMany({}, {$pull: {tags: '3D'}})
UPDATE film.screenings SET doc = jsonb_set(doc, '{tags}', (doc->'tags') - '3D') WHERE doc->'tags' ? '3D';
UPDATE plain.screenings SET tags = array_remove(tags, '3D') WHERE '3D' = ANY (tags);

-- db.screenings.updateOne({_id: ObjectId('660000000000000000000002')}, {$push: {sales: {kind: 'adult', n: 1}}})
UPDATE film.screenings SET doc = jsonb_set(doc, '{sales}', coalesce(doc->'sales', '[]') || '{"kind": "adult", "n": 1}') WHERE _id = '660000000000000000000002';
INSERT INTO plain.screenings_sales SELECT '660000000000000000000002', coalesce(max(position), 0) + 1, 'adult', 1 FROM plain.screenings_sales WHERE screenings_id = '660000000000000000000002';

-- db.screenings.updateMany({}, {$inc: {'sales.$[s].n': 1}}, {arrayFilters: [{'s.kind': 'child'}]})
UPDATE film.screenings SET doc = jsonb_set(doc, '{sales}', (SELECT jsonb_agg(CASE s->>'kind' WHEN 'child' THEN jsonb_set(s, '{n}', to_jsonb(ejson_integer(s->'n') + 1)) ELSE s END ORDER BY i) FROM jsonb_array_elements(doc->'sales') WITH ORDINALITY AS a (s, i))) WHERE doc @> '{"sales": [{"kind": "child"}]}';
UPDATE plain.screenings_sales SET n = n + 1 WHERE kind = 'child';

-- db.screenings.updateMany({}, {$pull: {sales: {n: {$lt: 20}}}})
UPDATE film.screenings SET doc = jsonb_set(doc, '{sales}', jsonb_path_query_array(doc, '$.sales[*] ? (!(@.n < 20))')) WHERE doc @? '$.sales[*] ? (@.n < 20)';
DELETE FROM plain.screenings_sales WHERE n < 20;

-- db.screenings.updateOne({_id: ObjectId('660000000000000000000005')}, {$set: {tags: ['2D']}}, {upsert: true})
INSERT INTO film.screenings AS s (_id, doc) VALUES ('660000000000000000000005', '{"_id": {"$oid": "660000000000000000000005"}, "tags": ["2D"]}') ON CONFLICT (_id) DO UPDATE SET doc = s.doc || excluded.doc;
INSERT INTO plain.screenings (_id, tags) VALUES ('660000000000000000000005', '{2D}') ON CONFLICT (_id) DO UPDATE SET tags = excluded.tags;

-- db.screenings.deleteMany({at: {$lt: ISODate('2026-03-02')}})
DELETE FROM film.screenings WHERE ejson_date(doc->'at') < '2026-03-02Z';
DELETE FROM plain.screenings WHERE at < '2026-03-02Z';
