"""Django REST framework: a serializer field, and the encoder of keys to other models"""
from __future__ import annotations

from typing import Any

from rest_framework.renderers import JSONRenderer
from rest_framework.serializers import CharField, ModelSerializer

from . import ObjectIdEncoding, ObjectIdField
from .. import parse


class ObjectIdSerializerField(CharField):
    """A CharField, so that generators of schemas take it for a string"""
    default_error_messages = {"invalid": "Must be a valid ObjectId."}

    def to_internal_value(self, data: Any) -> Any:
        try:
            return parse(data)
        except ValueError:
            self.fail("invalid")

    def to_representation(self, value: Any) -> str:
        return str(value)


class ObjectIdJSONEncoder(ObjectIdEncoding, JSONRenderer.encoder_class):
    pass


ModelSerializer.serializer_field_mapping[ObjectIdField] = ObjectIdSerializerField
JSONRenderer.encoder_class = ObjectIdJSONEncoder
