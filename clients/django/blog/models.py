"""What roundtrip.py makes the tables of, and four that are there."""
from bson import ObjectId
from django.contrib.postgres.fields import ArrayField
from django.db import models
from objectid_django import ObjectIdField


class Post(models.Model):
    id = ObjectIdField(primary_key=True, default=ObjectId)
    title = models.TextField()


class Remark(models.Model):
    id = ObjectIdField(primary_key=True, default=ObjectId)
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


class List(models.Model):
    n = models.IntegerField(primary_key=True)
    ids = ArrayField(ObjectIdField(), null=True)

    class Meta:
        db_table = "list"
        managed = False


class Event(models.Model):
    id = ObjectIdField(primary_key=True, default=ObjectId)
    what = models.TextField()

    class Meta:
        db_table = "event"
        managed = False
