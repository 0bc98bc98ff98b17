"""bson.ObjectId for PostgreSQL columns of type objectid: one module for each driver, ORM and framework"""
from __future__ import annotations

import re
from typing import Any

from bson import ObjectId

PATTERN = "[0-9a-fA-F]{24}"


def parse(value: Any) -> ObjectId:
    """An ObjectId of an ObjectId or of 24 digits.  ObjectId() makes a new id of None, and 11 bytes of digits and spaces."""
    if isinstance(value, str) and re.fullmatch(PATTERN, value):
        return ObjectId(value)
    if isinstance(value, ObjectId):
        return value
    raise ValueError(f"not an ObjectId: {value!r}")
