// Run MongoDB's commands by mingo, each on its own copy of the collections.  Standard input has the collections, in
// Extended JSON, and the commands.  Prints for each command the rows it returns, or, if it writes, the whole collection.
const { Query, aggregate } = require('mingo');
const { updateMany, updateOne } = require('mingo/updater');

// ids are their text: mingo knows no ObjectId
function value(key, v) {
  if (v === null || typeof v !== 'object') return v;
  if ('$oid' in v) return v.$oid;
  if ('$date' in v) return new Date(v.$date);
  const number = v.$numberInt ?? v.$numberLong ?? v.$numberDouble;
  return number === undefined ? v : Number(number);
}

function commands(all, name) {
  const documents = all[name];
  const options = { collectionResolver: (other) => all[other] };
  const written = (run) => (...args) => {
    run(...args);
    return documents;
  };
  return {
    find: (condition, fields) => new Query(condition).find(documents, fields ?? { _id: 1 }),
    countDocuments: (condition) => [{ count: new Query(condition).find(documents).all().length }],
    distinct: (field) => aggregate(documents, [{ $group: { _id: `$${field}` } }]).map((d) => ({ value: d._id })),
    aggregate: (stages) => aggregate(documents, stages, options),
    updateOne: written((condition, change, { upsert } = {}) => {
      if (upsert && !new Query(condition).find(documents).all().length) documents.push({ ...condition });
      updateOne(documents, condition, change);
    }),
    updateMany: written((condition, change, settings) => updateMany(documents, condition, change, settings)),
    insertOne: written((document) => documents.push(document)),
    deleteMany: written((condition) => {
      const query = new Query(condition);
      documents.splice(0, Infinity, ...documents.filter((d) => !query.test(d)));
    }),
  };
}

const { collections, forms } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
const results = forms.map((form) => {
  const all = JSON.parse(JSON.stringify(collections), value);
  const db = Object.fromEntries(Object.keys(all).map((name) => [name, commands(all, name)]));
  const result = new Function('db', 'ObjectId', 'ISODate', `return ${form}`)(db, (id) => id, (text) => new Date(text));
  return Array.isArray(result) ? result : result.all();
});
console.log(JSON.stringify(results));
