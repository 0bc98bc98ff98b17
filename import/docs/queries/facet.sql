-- db.screenings.aggregate([{$bucket: {groupBy: '$hall.seats', boundaries: [0, 50, 100], output: {n: {$sum: 1}}}}])
SELECT ('{0,50,100}'::int[])[width_bucket(ejson_integer(doc->'hall'->'seats'), '{0,50,100}'::bigint[])] AS _id, count(*) AS n FROM film.screenings GROUP BY 1 ORDER BY 1;
SELECT ('{0,50,100}'::int[])[width_bucket(hall_seats, '{0,50,100}'::bigint[])] AS _id, count(*) AS n FROM film.screenings GROUP BY 1 ORDER BY 1;

-- db.screenings.aggregate([{$facet: {halls: [{$group: {_id: '$hall.name'}}, {$sort: {_id: 1}}], total: [{$count: 'n'}]}}])
SELECT (SELECT jsonb_agg(DISTINCT jsonb_build_object('_id', doc->'hall'->'name')) FROM film.screenings) AS halls, (SELECT jsonb_build_array(jsonb_build_object('n', count(*))) FROM film.screenings) AS total;
SELECT (SELECT jsonb_agg(DISTINCT jsonb_build_object('_id', hall_name)) FROM film.screenings) AS halls, (SELECT jsonb_build_array(jsonb_build_object('n', count(*))) FROM film.screenings) AS total;
