"""Django: bson.ObjectId for columns of type objectid.

    INSTALLED_APPS = ["pg_objectid.django", ...]

    id = ObjectIdField(primary_key=True, default=ObjectId)
    ids = ArrayField(ObjectIdField(), null=True)

Foreign keys to a model with such a key have the same type.  A date compared with such a field is
compared with the time of the ids: filter(id__gt=yesterday), and filter(id__range=(first, last)).
"""
from __future__ import annotations

from datetime import date
from importlib import import_module
from typing import Any

from bson import ObjectId
from bson.errors import InvalidId
from django.contrib.postgres.operations import CreateExtension
from django.core.exceptions import ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models


class ObjectIdField(models.Field):
    description = "MongoDB's ObjectId"
    empty_strings_allowed = False

    def db_type(self, connection: Any) -> str:
        return "objectid"

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> ObjectId | None:
        return self.to_python(value)

    def to_python(self, value: Any) -> ObjectId | None:
        if value is None:
            return None
        try:
            return ObjectId(value)
        except (InvalidId, TypeError):
            raise ValidationError("“%(value)s” is not an ObjectId.", code="invalid", params={"value": value})

    def get_prep_value(self, value: Any) -> Any:
        if isinstance(value, date):
            return models.DateTimeField().get_prep_value(value)
        value = self.to_python(super().get_prep_value(value))
        return None if value is None else str(value)

    def formfield(self, **kwargs: Any) -> Any:
        return super().formfield(**{"empty_value": None, **kwargs})

    def value_to_string(self, obj: Any) -> Any:
        return self.get_prep_value(self.value_from_object(obj))


def register(sender: Any, connection: Any, **kwargs: Any) -> None:
    """The driver reads arrays of ids, and writes ObjectIds, on each new connection."""
    if connection.vendor == "postgresql":
        driver = type(connection.connection).__module__.partition(".")[0]
        import_module(f"pg_objectid.{driver}").register(connection.connection)


class ObjectIdExtension(CreateExtension):
    """Creates the extension, in a migration before the first one that uses the type"""

    def __init__(self) -> None:
        self.name = "objectid"

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        super().database_forwards(app_label, schema_editor, from_state, to_state)
        register(None, schema_editor.connection)  # the next migrations use the same connection


class ObjectIdEncoding:
    """Mix this into a JSON encoder, also that of Django REST framework, to write the 24 digits."""

    def default(self, value: Any) -> Any:
        return str(value) if isinstance(value, ObjectId) else super().default(value)  # type: ignore[misc]


class ObjectIdEncoder(ObjectIdEncoding, DjangoJSONEncoder):
    """For JsonResponse(data, encoder=ObjectIdEncoder) and JSONField(encoder=ObjectIdEncoder)"""
