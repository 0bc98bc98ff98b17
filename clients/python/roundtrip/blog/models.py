"""Models whose tables roundtrip_django.py creates, and models of existing tables."""
from bson import ObjectId
from django.db import models
from objectid_django import ObjectIdArrayField, ObjectIdEncoder, ObjectIdField


class Post(models.Model):
    id = ObjectIdField(primary_key=True, default=ObjectId)
    title = models.TextField()
    related = ObjectIdArrayField(null=True)


class Remark(models.Model):
    id = ObjectIdField(primary_key=True, default=ObjectId)
    data = models.JSONField(encoder=ObjectIdEncoder, null=True)
    post = models.ForeignKey(Post, models.CASCADE, null=True, related_name="remarks")
    body = models.TextField()


def existing(name, **fields):
    """A model of a table that t/ClientTest.pm creates"""
    meta = type("Meta", (), {"db_table": name, "managed": False})
    return type(name.title(), (models.Model,), {
        "__module__": __name__, "Meta": meta, "id": ObjectIdField(primary_key=True, default=ObjectId), **fields})


Made = existing("made", how=models.TextField(), hex=models.TextField())
Dated = existing("dated", n=models.IntegerField())
Event = existing("event", what=models.TextField())
