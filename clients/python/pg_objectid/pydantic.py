"""pydantic 1 and 2, FastAPI: bson.ObjectId in models, parameters and answers.

    id: PydanticObjectId

It accepts an ObjectId and 24 digits, and writes the digits to JSON.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from bson import ObjectId
import pydantic

from . import PATTERN, parse

SCHEMA = {"type": "string", "pattern": f"^{PATTERN}$", "example": "507f1f77bcf86cd799439011"}

if TYPE_CHECKING:
    PydanticObjectId = ObjectId
elif pydantic.VERSION.startswith("1."):
    from pydantic.json import ENCODERS_BY_TYPE

    ENCODERS_BY_TYPE[ObjectId] = str

    class PydanticObjectId(ObjectId):
        @classmethod
        def __get_validators__(cls) -> Iterator[Any]:
            yield parse

        @classmethod
        def __modify_schema__(cls, schema: dict[str, Any]) -> None:
            schema.update(SCHEMA)
else:
    from typing import Annotated

    from pydantic import PlainSerializer, PlainValidator, WithJsonSchema

    PydanticObjectId = Annotated[
        ObjectId, PlainValidator(parse), PlainSerializer(str, when_used="json"), WithJsonSchema(SCHEMA)]
