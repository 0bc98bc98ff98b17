"""django-filter: the filter of an ObjectIdField"""
from django_filters.filters import Filter
from django_filters.filterset import FILTER_FOR_DBFIELD_DEFAULTS

from . import ObjectIdField, ObjectIdFormField


class ObjectIdFilter(Filter):
    field_class = ObjectIdFormField


FILTER_FOR_DBFIELD_DEFAULTS[ObjectIdField] = {"filter_class": ObjectIdFilter}
