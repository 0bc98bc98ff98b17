"""pydantic and FastAPI: bson.ObjectId in models, parameters and answers.

    id: PydanticObjectId

It accepts an ObjectId and 24 digits, and writes the digits to JSON.
"""
from __future__ import annotations

from typing import TYPE_CHECKING

from bson import ObjectId

from . import PATTERN, parse

SCHEMA = {"type": "string", "pattern": f"^{PATTERN}$", "example": "507f1f77bcf86cd799439011"}

if TYPE_CHECKING:
    PydanticObjectId = ObjectId
else:
    from typing import Annotated

    from pydantic import PlainSerializer, PlainValidator, WithJsonSchema

    PydanticObjectId = Annotated[
        ObjectId, PlainValidator(parse), PlainSerializer(str, when_used="json"), WithJsonSchema(SCHEMA)]
