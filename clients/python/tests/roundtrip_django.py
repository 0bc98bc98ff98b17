#!/usr/bin/python3
"""See t/ClientTest.pm."""
from datetime import timedelta
import json
import os
import pathlib
import sys
import tempfile

from bson import ObjectId
import django
from django.conf import settings
from django.core import serializers
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import connection
from django.http import JsonResponse
from django.utils import timezone

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
    ROOT_URLCONF="blog.tests",
    STATIC_URL="/static/",
    MIGRATION_MODULES={"blog": "made_migrations"},
    USE_TZ=True,
    DATABASES={alias: {"ENGINE": "django.db.backends.postgresql", "NAME": name}
               for alias, name in (("default", os.environ["PGDATABASE"]), ("empty", "empty"))},
)
django.setup()
from blog.models import Dated, Event, Made, Post, Remark
from checks import arrays, check, date, plan, standard
from django.contrib.postgres.aggregates import ArrayAgg
from django.db.backends.signals import connection_created
from django.db.models import Value
from pg_objectid.django import ObjectIdEncoder, register

plan(16)

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

# from an empty database on, and again; then the database that "manage.py test" makes
for _ in range(2):
    call_command("migrate", database="empty", verbosity=0)
    Post.objects.using("empty").create(title="news", related=arrays[1])
    check(Post.objects.using("empty").get().related == arrays[1], "the first migration, and again")
    call_command("migrate", "blog", "zero", database="empty", verbosity=0)
call_command("test", "blog", verbosity=0, interactive=False)
check(True, "manage.py test")

event = Event.objects.create(what="log in")

since = timezone.now() - timedelta(days=1)
# the example in README.md
post = Post.objects.create(title="news")
first = post.remarks.create(body="first")
found = Remark.objects.get(post__id=post.id)
late = Post.objects.filter(id__gt=since)

check(list(late) == [post] and found == first and isinstance(found.post_id, ObjectId)
      and Remark.objects.select_related("post").get().post == post, "a relation")
with connection.cursor() as cursor:
    cursor.execute("SELECT ARRAY[id], %s FROM blog_post WHERE id = ANY(%s)", [post.id, [post.id]])
    check(cursor.fetchall() == [([post.id], post.id)]
          and list(Post.objects.raw("SELECT * FROM blog_post WHERE id = %s", [post.id])) == [post]
          and list(Post.objects.filter(id=Value(post.id))) == [post]
          and Post.objects.annotate(all=ArrayAgg("remarks__id")).get().all == [first.id], "ObjectIds without a field")

orphan = Remark.objects.create(body="of none")
made = Made.objects.order_by("id").values_list("id", flat=True)


def echo(ids):
    Post.objects.filter(id=post.id).update(related=ids)
    return Post.objects.get(id=post.id).related


ids = standard(
    "text",
    lambda ids: Made.objects.bulk_create(Made(id=i, how="text", hex=str(i)) for i in ids),
    every=lambda: list(made),
    equal=lambda i: list(made.filter(id=i)),
    among=lambda ids: list(made.filter(id__in=ids)),
    null=lambda: Remark.objects.get(post=None, id=orphan.id).post_id,
    echo=echo,
    later=lambda date: list(Dated.objects.filter(id__gt=date).order_by("n").values_list("n", flat=True)),
    right=lambda error, value: isinstance(error, ValidationError))
check([Dated.objects.filter(**condition).count() for condition in (
    {"id__gte": date + timedelta(seconds=1)}, {"id__range": (date, timezone.now())})] == [10, 11]
    and Remark.objects.filter(post__gt=date, post__id__gt=date).count() == 1, "dates")

for array in arrays:
    Post.objects.create(title="array", related=array)
with_array = Post.objects.filter(title="array").order_by("id")

first.data = {"of": post.id}
first.save()
first.refresh_from_db()
check(json.loads(JsonResponse({"id": post.id, "at": date}, encoder=ObjectIdEncoder).content)
      == {"id": str(post.id), "at": "2025-02-20T05:00:00Z"} and first.data == {"of": str(post.id)}, "DjangoJSONEncoder")

copies = [copy.object for copy in serializers.deserialize("json", serializers.serialize("json", [event, *with_array]))]
check(copies == [event, *with_array] and isinstance(copies[0].id, ObjectId) and copies[2].related == arrays[1],
      "dumpdata and loaddata")

# as with a connection that is older than the type
connection_created.disconnect(register)
connection.close()
check(Event.objects.get() == event, "a driver that is not registered")
