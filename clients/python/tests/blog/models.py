"""Models whose tables roundtrip_django.py creates, and models of existing tables."""
from django import VERSION

from bson import ObjectId
from django.contrib.postgres.fields import ArrayField
from django.db import models
from pg_objectid.django import ObjectIdEncoder, ObjectIdField

from django.contrib.contenttypes.fields import GenericForeignKey
from django.contrib.contenttypes.models import ContentType


class Post(models.Model):
    id = ObjectIdField(primary_key=True, default=ObjectId, editable=False)
    title = models.TextField()
    related = ArrayField(ObjectIdField(), null=True)


class Remark(models.Model):
    id = ObjectIdField(primary_key=True, default=ObjectId)
    post = models.ForeignKey(Post, models.CASCADE, null=True, related_name="remarks")
    body = models.TextField()
    data = models.JSONField(encoder=ObjectIdEncoder, null=True)


TENANT = ObjectId("507f1f77bcf86cd799439011")


class Mark(models.Model):
    id = ObjectIdField(primary_key=True, default=ObjectId, editable=False)
    tenant = ObjectIdField(default=TENANT, choices=[(TENANT, "the first")], editable=False)
    content_type = models.ForeignKey(ContentType, models.CASCADE)
    object_id = ObjectIdField()
    of = GenericForeignKey()
    by = ObjectIdField(null=True, blank=True)

    class Meta:
        constraints = [models.CheckConstraint(
            **{"condition" if VERSION >= (5, 1) else "check": models.Q(tenant__gte=TENANT)}, name="a_tenant")]


def existing(name, **fields):
    """A model of a table that t/ClientTest.pm creates; Django 5 can leave the key to the server"""
    generated = {"db_default": models.Func(function="gen_objectid")} if VERSION >= (5, 0) else {"default": ObjectId}
    meta = type("Meta", (), {"db_table": name, "managed": False})
    return type(name.title(), (models.Model,), {
        "__module__": __name__, "Meta": meta, "id": ObjectIdField(primary_key=True, **generated), **fields})


Made = existing("made", how=models.TextField(), hex=models.TextField())
Dated = existing("dated", n=models.IntegerField())
Event = existing("event", what=models.TextField())
