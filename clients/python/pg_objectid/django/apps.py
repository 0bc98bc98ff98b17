from importlib import import_module

from django.apps import AppConfig, apps
from django.db.backends.signals import connection_created
from django.urls import register_converter

from . import ObjectIdConverter, register


class ObjectIdConfig(AppConfig):
    name = "pg_objectid.django"
    label = "pg_objectid"

    def ready(self) -> None:
        connection_created.connect(register)
        register_converter(ObjectIdConverter, "objectid")
        for name in "rest_framework", "django_filters", "graphene_django":
            if apps.is_installed(name):
                import_module(f"pg_objectid.django.{name}")
