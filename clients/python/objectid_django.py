"""Django: bson.ObjectId for columns of type objectid.

    id = ObjectIdField(primary_key=True, default=ObjectId)
    ids = ObjectIdArrayField(null=True)

Ids are sent and read as text, so the driver needs no set-up.  Foreign keys to a model with such
a key have the same type.  Create the extension in a migration before the first one that uses the
type: CreateExtension("objectid") of django.contrib.postgres.operations.

A date compared with such a field is compared with the time of the ids: filter(id__gt=yesterday),
and filter(id__range=(first, last)).
"""
from datetime import date
import json
import re

from bson import ObjectId
from bson.errors import InvalidId
from django.contrib.postgres.fields import ArrayField
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


class ObjectIdArrayField(ArrayField):
    """ArrayField(ObjectIdField()), which also reads the text that drivers return for an objectid[]"""

    def __init__(self, base_field=None, **kwargs):
        super().__init__(base_field or ObjectIdField(), **kwargs)

    def _from_db_value(self, value, expression, connection):
        if isinstance(value, str):  # {507f1f77bcf86cd799439011,NULL} is almost JSON
            text = re.sub("([0-9a-f]{24})", r'"\1"', value).replace("NULL", "null")
            value = json.loads(text.replace("{", "[").replace("}", "]"))
        return super()._from_db_value(value, expression, connection)


class ObjectIdEncoding:
    """Mix this into a JSON encoder, also that of Django REST framework, to write the 24 digits."""

    def default(self, value):
        return str(value) if isinstance(value, ObjectId) else super().default(value)


class ObjectIdEncoder(ObjectIdEncoding, DjangoJSONEncoder):
    """For JsonResponse(data, encoder=ObjectIdEncoder) and JSONField(encoder=ObjectIdEncoder)"""
