#!/usr/bin/env python3
# Compare 200 random documents of a file of mongodump with the table that objectid-import
# loaded them into, which psql reads:
#
#   python3 import/compare.py FILE.bson TABLE
#
# Needs PyMongo (Debian: python3-pymongo).  Fails if a document differs or is missing.
import random, subprocess, sys
from bson import CodecOptions, decode, decode_file_iter
from bson.json_util import RELAXED_JSON_OPTIONS, dumps, loads
from bson.raw_bson import RawBSONDocument

def text(value):
    return dumps(value, sort_keys=True, json_options=RELAXED_JSON_OPTIONS)

file, table = sys.argv[1:]
sample = []
for n, document in enumerate(decode_file_iter(open(file, 'rb'), CodecOptions(RawBSONDocument))):
    place = n if n < 200 else random.randrange(n + 1)
    if place < 200:
        sample[place:place + 1] = [decode(document.raw)]
ids = text([document.get('_id') for document in sample])
query = "SELECT doc FROM %s WHERE doc->'_id' IN (SELECT jsonb_array_elements(:'ids'))" % table
lines = subprocess.run(['psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-v', 'ids=' + ids], input=query, check=True,
                       stdout=subprocess.PIPE, universal_newlines=True).stdout.split('\n')[:-1]
rows = {text(document['_id']): text(document) for document in map(loads, lines)}
missing = [d for d in sample if text(d.get('_id')) not in rows]
differ = [d for d in sample if rows.get(text(d.get('_id')), text(d)) != text(d)]
print('%d equal, %d differ, %d not in the table' % (len(sample) - len(missing) - len(differ), len(differ), len(missing)))
for document in differ + missing:
    print(text(document.get('_id')))
sys.exit(1 if differ or missing else 0)
