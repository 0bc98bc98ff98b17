#!/usr/bin/python3
"""See clients/t/ClientTest.pm."""
from datetime import timedelta
from django.utils import timezone

import json
import os
import pathlib
import sys
import tempfile

from bson import ObjectId
import django
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core import serializers
from django.db import connection
from django.http import JsonResponse

migrations = tempfile.TemporaryDirectory()
sys.path.append(migrations.name)
INSTALLED_APPS = ["pg_objectid.django", "blog"]
apps = ["admin", "auth", "contenttypes", "messages", "sessions"]
middleware = ["sessions.middleware.SessionMiddleware", "auth.middleware.AuthenticationMiddleware",
              "messages.middleware.MessageMiddleware"]
processors = ["django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
              "django.contrib.messages.context_processors.messages"]
settings.configure(
    INSTALLED_APPS=[*(f"django.contrib.{app}" for app in apps), "rest_framework", "django_filters", "graphene_django",
                    *INSTALLED_APPS],
    MIDDLEWARE=[f"django.contrib.{name}" for name in middleware],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True,
                "OPTIONS": {"context_processors": processors}}],
    SECRET_KEY="secret",
    ROOT_URLCONF="blog.urls",
    STATIC_URL="/static/",
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    MIGRATION_MODULES={"blog": "made_migrations"},
    USE_TZ=True,
    DATABASES={alias: {"ENGINE": "django.db.backends.postgresql", "NAME": name}
               for alias, name in (("default", os.environ["PGDATABASE"]), ("empty", "empty"))},
)
django.setup()
from blog.models import Dated, Event, Made, Post, Remark
from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Value
from django.forms import modelform_factory
from checks import after_date, check, check_elements, check_refused, check_vectors, date, new_ids, plan
from rest_framework import serializers as rest
from pg_objectid.django import ObjectIdEncoder
from rest_framework.renderers import JSONRenderer

plan(22)

# the first migration creates the extension; the second is generated from the models
made = pathlib.Path(migrations.name, "made_migrations")
made.mkdir()
made.joinpath("__init__.py").touch()
made.joinpath("0001_objectid.py").write_text("""
from django.db import migrations
from pg_objectid.django import ObjectIdExtension

class Migration(migrations.Migration):
    operations = [ObjectIdExtension()]
""")
call_command("makemigrations", "blog", verbosity=0)
call_command("migrate", verbosity=0)
call_command("makemigrations", "blog", check_changes=True, dry_run=True, verbosity=0)
with connection.cursor() as cursor:
    cursor.execute("SELECT attname, atttypid::regtype::text FROM pg_attribute"
                   " WHERE attrelid IN ('blog_post'::regclass, 'blog_remark'::regclass)"
                   " AND atttypid IN ('objectid'::regtype, 'objectid[]'::regtype) ORDER BY attname")
    check(cursor.fetchall() == [("id", "objectid"), ("id", "objectid"), ("post_id", "objectid"), ("related", "objectid[]")],
          "a migration")

# from an empty database on, and again; then the database that "manage.py test" makes
related = [ObjectId(), None]
for _ in range(2):
    call_command("migrate", database="empty", verbosity=0)
    Post.objects.using("empty").create(title="news", related=related)
    check(Post.objects.using("empty").get().related == related, "the first migration, and again")
    call_command("migrate", "blog", "zero", database="empty", verbosity=0)
call_command("test", "blog", verbosity=0, interactive=False)
check(True, "manage.py test")

event = Event.objects.create(what="log in")

# the example in README.md
post = Post.objects.create(title="news")
first = post.remarks.create(body="first")
found = Remark.objects.get(post__id=post.id)
assert isinstance(found.post_id, ObjectId) and found.post_id == post.id
late = Post.objects.filter(id__gt=timezone.now() - timedelta(days=1))

check(list(late) == [post] and found == first and Remark.objects.select_related("post").get().post == post, "a relation")

second = post.remarks.create(body="second")
aggregated = [Post.objects.annotate(all=ArrayAgg("remarks__id", ordering="remarks__id")).get().all]
if django.VERSION >= (4, 0):
    from django.contrib.postgres.expressions import ArraySubquery
    aggregated.append(Post.objects.annotate(all=ArraySubquery(Remark.objects.order_by("id").values("id"))).get().all)
check(all(ids == [first.id, second.id] for ids in aggregated), "ArrayAgg and ArraySubquery")
second.delete()
with connection.cursor() as cursor:
    cursor.execute("SELECT ARRAY[id], %s FROM blog_post WHERE id = ANY(%s)", [post.id, [post.id]])
    check(cursor.fetchall() == [([post.id], post.id)]
          and list(Post.objects.raw("SELECT * FROM blog_post WHERE id = %s", [post.id])) == [post]
          and list(Post.objects.filter(id=Value(post.id))) == [post], "ObjectIds without a field")

orphan = Remark.objects.create(body="of none")
check(Remark.objects.get(post=None) == orphan and Remark.objects.get(id=orphan.id).post_id is None, "text: NULL")

ids = new_ids()
Made.objects.bulk_create(Made(id=i, how="text", hex=str(i)) for i in ids)
found = list(Made.objects.order_by("id").values_list("id", flat=True))
check(found == ids, "text: 1,000 ids come back equal")
check_vectors("text", found, lambda i: Made.objects.filter(id=i).values_list("id", flat=True))

check(Made.objects.get(pk=ids[500]).hex == str(ids[500])
      and Made.objects.filter(id__in=ids[:10]).count() == 10,
      "text: WHERE with an ObjectId")

late = [list(Dated.objects.filter(**condition).order_by("n").values_list("n", flat=True))
        for condition in ({"id__gt": date}, {"id__gte": date + timedelta(seconds=1)},
                          {"id__range": (date, timezone.now())})]
check(late == [after_date] * 2 + [list(range(9989, 10000))]
      and Remark.objects.filter(post__gt=date, post__id__gt=date).count() == 1, "text: id > a date")

remark = post.remarks.create(body="third", data={"of": post.id})
remark.refresh_from_db()
check(json.loads(JsonResponse({"id": post.id, "at": date}, encoder=ObjectIdEncoder).content)
      == {"id": str(post.id), "at": "2025-02-20T05:00:00Z"}
      and remark.data == {"of": str(post.id)}, "DjangoJSONEncoder")


class RemarkSerializer(rest.ModelSerializer):
    class Meta:
        model = Remark
        fields = ["id", "post", "body"]


shown = JSONRenderer().render(RemarkSerializer(remark).data)
given = RemarkSerializer(data=json.loads(shown))
wrong = RemarkSerializer(data={"id": "no id", "post": "none", "body": ""})
check(json.loads(shown) == {"id": str(remark.id), "post": str(post.id), "body": "third"}
      and not given.is_valid() and set(given.errors) == {"id"}
      and not wrong.is_valid() and set(wrong.errors) == {"id", "post", "body"}, "Django REST framework")
remark.delete()
given = RemarkSerializer(data=json.loads(shown))
check(given.is_valid() and str(given.save().id) == json.loads(shown)["id"] and given.instance.post == post,
      "Django REST framework saves")

copy, = serializers.deserialize("json", serializers.serialize("json", [event]))
check(copy.object == event and isinstance(copy.object.id, ObjectId), "dumpdata and loaddata")
check(Remark._meta.get_field("id").formfield(required=False).clean("") is None, "an empty value is None")

form = modelform_factory(Event, exclude=[])({"what": "of a form"})


class EventSerializer(rest.ModelSerializer):
    class Meta:
        model = Event
        fields = ["id", "what"]


given = EventSerializer(data={"what": "of a serializer"})
for saved in form.save(), given.is_valid() and given.save():
    check(isinstance(saved.id, ObjectId), "a key that is not editable is generated")
    saved.delete()

arrays = [ids[:3], [ids[0], None], [], None]
for array in arrays:
    Post.objects.create(title="array", related=array)
with_array = Post.objects.filter(title="array").order_by("id")
check([post.related for post in with_array] == arrays
      and [with_array.filter(**condition).count() for condition in (
          {"related__contains": ids[1:3]}, {"related__0": ids[0]}, {"related__len": 2}, {"related": arrays[1]},
          {"related__overlap": ids[:1]}, {"related__isnull": True})] == [1, 2, 1, 1, 2, 1]
      and json.loads(serializers.serialize("json", with_array[1:2]))[0]["fields"]["related"] == json.dumps([str(ids[0]), None]),
      "text: arrays")


def echo(ids):
    Post.objects.filter(id=post.id).update(related=ids)
    return Post.objects.get(id=post.id).related


check_elements("text", echo)

check_refused("an invalid id is a ValidationError", lambda value: Made.objects.filter(id=value),
              lambda error, value: isinstance(error, ValidationError))
