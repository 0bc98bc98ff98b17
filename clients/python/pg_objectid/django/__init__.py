"""Django: bson.ObjectId for columns of type objectid.

    INSTALLED_APPS = ["pg_objectid.django", ...]

    id = ObjectIdField(primary_key=True, default=ObjectId)
    ids = ArrayField(ObjectIdField(), null=True)

Foreign keys to a model with such a key have the same type, and path("<objectid:pk>") takes 24
digits.  Forms know the field, and Django REST framework, django-filter and graphene-django do if
they are in INSTALLED_APPS.  A date compared with such a field is compared with the time of the ids:
filter(id__gt=yesterday), and filter(id__range=(first, last)).
"""
from __future__ import annotations

from datetime import date, datetime, time
from importlib import import_module
from typing import Any

from bson import ObjectId
from django.conf import settings
from django.contrib.postgres.operations import CreateExtension
from django.core.exceptions import ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.migrations.serializer import BaseSerializer
from django.db.migrations.writer import MigrationWriter
from django.forms import CharField
from django.utils import timezone

from .. import PATTERN, parse


def parse_or_invalid(value: Any) -> ObjectId:
    try:
        return parse(value)
    except ValueError:
        raise ValidationError("“%(value)s” is not an ObjectId.", code="invalid", params={"value": value})


class ObjectIdFormField(CharField):
    """A CharField, whose value is an ObjectId, so that an id that stays the same is no change"""

    def to_python(self, value: Any) -> ObjectId | None:
        value = super().to_python(value)
        return None if value in self.empty_values else parse_or_invalid(value)


class ObjectIdConverter:
    """path("<objectid:pk>")"""
    regex = PATTERN
    to_python = ObjectId
    to_url = str


class ObjectIdField(models.Field):
    description = "MongoDB's ObjectId"
    empty_strings_allowed = False

    def db_type(self, connection: Any) -> str:
        return "objectid"

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> ObjectId | None:
        return self.to_python(value)

    def to_python(self, value: Any) -> ObjectId | None:
        return None if value is None else parse_or_invalid(value)

    # an ObjectId and not the digits, because a GenericForeignKey compares it with the key of its object
    def get_prep_value(self, value: Any) -> Any:
        value = super().get_prep_value(value)
        if not isinstance(value, date):
            return self.to_python(value)
        if not isinstance(value, datetime):
            value = datetime.combine(value, time())
            if settings.USE_TZ:
                value = timezone.make_aware(value)
        return models.DateTimeField().get_prep_value(value)

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        value = super().get_db_prep_value(value, connection, prepared)
        return str(value) if isinstance(value, ObjectId) else value

    def formfield(self, **kwargs: Any) -> Any:
        return super().formfield(**{"form_class": ObjectIdFormField, **kwargs})


class ObjectIdSerializer(BaseSerializer):
    """A constant in a migration"""

    def serialize(self) -> tuple[str, set[str]]:
        return f"bson.ObjectId('{self.value}')", {"import bson"}


MigrationWriter.register_serializer(ObjectId, ObjectIdSerializer)


def register(sender: Any, connection: Any, **kwargs: Any) -> None:
    """The driver reads arrays of ids, and writes ObjectIds, on each new connection."""
    if connection.vendor == "postgresql":
        # an agent that measures the performance may wrap the connection
        wrapped = getattr(connection.connection, "__wrapped__", connection.connection)
        import_module(f"pg_objectid.{connection.Database.__name__}").register(wrapped)


class ObjectIdExtension(CreateExtension):
    """Creates the extension, in a migration before the first one that uses the type"""

    def __init__(self) -> None:
        self.name = "objectid"

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        super().database_forwards(app_label, schema_editor, from_state, to_state)
        register(None, schema_editor.connection)  # the next migrations use the same connection


class ObjectIdEncoding:
    """Mix this into a JSON encoder, to write the 24 digits."""

    def default(self, value: Any) -> Any:
        return str(value) if isinstance(value, ObjectId) else super().default(value)  # type: ignore[misc]


class ObjectIdEncoder(ObjectIdEncoding, DjangoJSONEncoder):
    """For JsonResponse(data, encoder=ObjectIdEncoder) and JSONField(encoder=ObjectIdEncoder)"""
