"""Django: bson.ObjectId for columns of type objectid.

    id = ObjectIdField(primary_key=True, default=ObjectId)

Ids travel as text, so the driver needs no set-up.  Keys to a model with such a key are
of the type, too.  The extension has to be there before the first migration that uses
it: CreateExtension("objectid") of django.contrib.postgres.operations.

A date beside such a field is compared with the time of the ids: filter(id__gt=yesterday),
and filter(id__range=(first, last)).

ArrayField(ObjectIdField()) wants the adapter of the driver, psycopg or psycopg2, for
reading: register each connection,

    connection_created.connect(lambda connection, **kwargs: register(connection.connection), weak=False)
"""
from datetime import date

from bson import ObjectId
from bson.errors import InvalidId
from django.core.exceptions import ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models


class ObjectIdField(models.Field):
    description = "MongoDB's ObjectId"
    empty_strings_allowed = False

    def db_type(self, connection):
        return "objectid"

    def from_db_value(self, value, expression, connection):
        return self.to_python(value)

    def to_python(self, value):
        if value is None:
            return None
        try:
            return ObjectId(value)
        except (InvalidId, TypeError):
            raise ValidationError("“%(value)s” is not an ObjectId.", code="invalid", params={"value": value})

    def get_prep_value(self, value):
        if isinstance(value, date):
            return models.DateTimeField().get_prep_value(value)
        value = self.to_python(super().get_prep_value(value))
        return None if value is None else str(value)

    def formfield(self, **kwargs):
        return super().formfield(**{"empty_value": None, **kwargs})

    def value_to_string(self, obj):
        return self.get_prep_value(self.value_from_object(obj))


class ObjectIdEncoding:
    """For an encoder of JSON: the 24 digits.  Mix it into that of Django REST framework, too."""

    def default(self, value):
        return str(value) if isinstance(value, ObjectId) else super().default(value)


class ObjectIdEncoder(ObjectIdEncoding, DjangoJSONEncoder):
    """For JsonResponse(data, encoder=ObjectIdEncoder) and JSONField(encoder=ObjectIdEncoder)"""
