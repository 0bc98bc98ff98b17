"""Django: bson.ObjectId for columns of type objectid.

    id = ObjectIdField(primary_key=True, default=ObjectId)

Ids travel as text, so the driver needs no set-up.  Keys to a model with such a key are
of the type, too.  The extension has to be there before the first migration that uses
it: CreateExtension("objectid") of django.contrib.postgres.operations.

ArrayField(ObjectIdField()) wants psycopg2's adapter for reading: register each connection,

    connection_created.connect(lambda connection, **kwargs: register(connection.connection), weak=False)
"""
from bson import ObjectId
from bson.errors import InvalidId
from django.core.exceptions import ValidationError
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
        value = self.to_python(super().get_prep_value(value))
        return None if value is None else str(value)

    def formfield(self, **kwargs):
        return super().formfield(**{"empty_value": None, **kwargs})

    def value_to_string(self, obj):
        return self.get_prep_value(self.value_from_object(obj))
