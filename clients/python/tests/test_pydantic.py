"""pydantic and FastAPI; see t/python.pl"""
import json
import re
from typing import List, Optional

from bson import ObjectId
import fastapi
from fastapi.encoders import ENCODERS_BY_TYPE, jsonable_encoder
from fastapi.testclient import TestClient
from pg_objectid.pydantic import PydanticObjectId
import pydantic

from checks import wrong


class Item(pydantic.BaseModel):
    id: PydanticObjectId
    others: List[PydanticObjectId] = []
    parent: Optional[PydanticObjectId] = None


app = fastapi.FastAPI()


@app.post("/items")
def post(item: Item) -> Item:
    return item


@app.get("/items/{id}")
def get(id: PydanticObjectId, after: Optional[PydanticObjectId] = None, others: List[PydanticObjectId] = fastapi.Query([])):
    return [repr(i) for i in (id, after, *others)]


client = TestClient(app)
made = ObjectId()
digits = str(made)
given = {"id": digits, "others": [digits], "parent": None}
item = Item(**{**given, "id": made})
assert json.loads(item.model_dump_json()) == given
assert client.post("/items", json={**given, "id": digits.upper()}).json() == given
assert client.get(f"/items/{digits}?after={digits}&others={digits}").json() == [repr(made)] * 3
assert {client.post("/items", json={**given, **body}).status_code for i in wrong
        for body in ({"id": i}, {"others": [i]}, {"parent": i}, {"id": None})} == {422}
assert {client.get(f"/items/{path}").status_code for i in wrong[:5]
        for path in (i, f"{digits}?after={i}", f"{digits}?others={i}")} == {422}
components = client.get("/openapi.json").json()
schemas = [components["components"]["schemas"]["Item"]["properties"]["id"],
           components["paths"]["/items/{id}"]["get"]["parameters"][0]["schema"]]
assert all(schema["type"] == "string" and re.fullmatch(schema["pattern"], schema["example"]) for schema in schemas)
ENCODERS_BY_TYPE[ObjectId] = str
assert json.loads(json.dumps({"id": made}, default=str)) == jsonable_encoder({"id": made}) == {"id": digits}
