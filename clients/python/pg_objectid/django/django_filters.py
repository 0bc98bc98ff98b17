"""django-filter: the filter of an ObjectIdField"""
from importlib import import_module

from django.apps import apps
from django_filters.filters import Filter

from . import ObjectIdField, ObjectIdFormField


class ObjectIdFilter(Filter):
    field_class = ObjectIdFormField


# the module for Django REST framework has a copy of the table
for name in ("", ".rest_framework") if apps.is_installed("rest_framework") else ("",):
    filterset = import_module(f"django_filters{name}.filterset")
    filterset.FILTER_FOR_DBFIELD_DEFAULTS[ObjectIdField] = {"filter_class": ObjectIdFilter}
