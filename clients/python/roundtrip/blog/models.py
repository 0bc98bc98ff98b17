"""Models whose tables roundtrip.py creates, and models of existing tables."""
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


class Made(models.Model):
    id = ObjectIdField(primary_key=True)
    how = models.TextField()
    hex = models.TextField()

    class Meta:
        db_table = "made"
        managed = False


class Generated(models.Model):
    id = ObjectIdField(primary_key=True)
    seconds = models.BigIntegerField()

    class Meta:
        db_table = "generated"
        managed = False


class Dated(models.Model):
    id = ObjectIdField(primary_key=True)
    n = models.IntegerField()

    class Meta:
        db_table = "dated"
        managed = False


class Document(models.Model):
    id = ObjectIdField(primary_key=True)
    bson = models.BinaryField()

    class Meta:
        db_table = "document"
        managed = False


class Event(models.Model):
    id = ObjectIdField(primary_key=True, default=ObjectId)
    what = models.TextField()

    class Meta:
        db_table = "event"
        managed = False
