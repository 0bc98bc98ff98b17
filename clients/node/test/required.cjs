// By require(), the adapters have the ObjectId that require('bson') loads; see t/node.pl.
const { strictEqual } = require('node:assert');
const { ObjectId } = require('bson');

strictEqual(require('pg-objectid/node-postgres').ObjectId, ObjectId);
strictEqual(require('pg-objectid/postgres.js').ObjectId, ObjectId);
require('pg-objectid/drizzle');
require('pg-objectid/typeorm');
