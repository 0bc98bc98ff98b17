"""graphene-django: the type of an ObjectIdField"""
from __future__ import annotations

from typing import Any

from graphene import ID, String
from graphene_django.converter import convert_django_field

from . import ObjectIdField


def convert(field: Any, registry: Any = None) -> Any:
    return (ID if field.primary_key else String)(description=field.help_text or None, required=not field.null)


convert_django_field.register(ObjectIdField, convert)
