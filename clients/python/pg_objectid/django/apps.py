from django.apps import AppConfig
from django.db.backends.signals import connection_created

from . import register


class ObjectIdConfig(AppConfig):
    name = "pg_objectid.django"
    label = "pg_objectid"

    def ready(self) -> None:
        connection_created.connect(register)
