#!/usr/bin/env python3
# Compare 200 random documents of a file of mongodump with the table that objectid-import
# loaded them into, which psql reads by the primary key:
#
#   python3 import/compare.py FILE.bson[.gz] TABLE
#
# Fails if a document differs or is missing.
import gzip, json, random, subprocess, sys
try:
    from bson import Binary, CodecOptions, ObjectId, decode, decode_file_iter
    from bson.binary import UuidRepresentation
    from bson.json_util import JSONMode, JSONOptions, dumps, loads
    from bson.raw_bson import RawBSONDocument
except ImportError:
    print('compare.py: error: this Python has no module "bson" of PyMongo, '
          'or a different one of this name\n'
          'compare.py: hint: apt install python3-pymongo, and run /usr/bin/python3',
          file=sys.stderr)
    sys.exit(2)

# the default for UUIDs depends on the version of PyMongo
codec = CodecOptions(uuid_representation=UuidRepresentation.UNSPECIFIED)
options = JSONOptions(json_mode=JSONMode.RELAXED,
                      uuid_representation=UuidRepresentation.UNSPECIFIED)

def text(value):
    return dumps(value, sort_keys=True, json_options=options)

# the keys of a table with a type: what they are in BSON, and as text of PostgreSQL
keys = {'objectid': (ObjectId, str), 'text': (str, str), 'bigint': (int, str),
        'uuid': (Binary, bytes.hex), 'jsonb': (object, text)}

def psql(query, **variables):
    arguments = [part for name, value in variables.items() for part in ('-v', name + '=' + value)]
    command = ['psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', *arguments]
    return subprocess.run(command, input=query, check=True, stdout=subprocess.PIPE,
                          universal_newlines=True).stdout.split('\n')[:-1]

file, table = sys.argv[1:]
sample = []
opened = (gzip.open if file.endswith('.gz') else open)(file, 'rb')
for n, document in enumerate(decode_file_iter(opened, CodecOptions(RawBSONDocument))):
    place = n if n < 200 else random.randrange(n + 1)
    if place < 200:
        sample[place:place + 1] = [decode(document.raw, codec)]
type = psql("SELECT format_type(atttypid, NULL) FROM pg_attribute "
            "WHERE attrelid = :'table'::regclass AND attname = '_id'", table=table)[0]
kind, convert = keys[type.split('.')[-1]]
ids = [convert(document['_id']) for document in sample if isinstance(document.get('_id'), kind)]
lines = psql("SELECT doc FROM %s WHERE _id = ANY (ARRAY("
             "SELECT key::%s FROM json_array_elements_text(:'ids') AS key))" % (table, type),
             ids=json.dumps(ids))
documents = (loads(line, json_options=options) for line in lines)
rows = {text(document['_id']): text(document) for document in documents}
missing = [d for d in sample if text(d.get('_id')) not in rows]
differ = [d for d in sample if rows.get(text(d.get('_id')), text(d)) != text(d)]
equal = len(sample) - len(missing) - len(differ)
print('%d equal, %d differ, %d not in the table' % (equal, len(differ), len(missing)))
for document in differ + missing:
    print(text(document.get('_id')))
sys.exit(1 if differ or missing else 0)
