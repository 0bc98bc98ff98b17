"""For "manage.py test", which creates a database, migrates it, and drops it: the admin, Django REST framework, and paths"""
from datetime import date
from types import SimpleNamespace
import warnings

from django.contrib import admin
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db import connection
from django.forms import modelform_factory
from django.http import HttpResponse
from django.test import TestCase
from django.urls import include, path, reverse
from django_filters.rest_framework import DjangoFilterBackend
from django_filters.filterset import filterset_factory
from graphene import ObjectType, Schema
from graphene_django import DjangoListField, DjangoObjectType
from pg_objectid.django import register
from rest_framework import routers, viewsets
from rest_framework.serializers import ModelSerializer

from checks import id, wrong
from .models import TENANT, Mark, Post, Remark

admin.site.register(Mark)
admin.site.register(Remark, list_filter=["post"], search_fields=["id"])
router = routers.SimpleRouter()
for model in Post, Remark:
    meta = type("Meta", (), {"model": model, "fields": "__all__"})
    serializer = type(f"{model.__name__}Serializer", (ModelSerializer,), {"Meta": meta})
    router.register(model.__name__.lower(), type("ViewSet", (viewsets.ModelViewSet,), {
        "queryset": model.objects.all(), "serializer_class": serializer,
        "filter_backends": [DjangoFilterBackend], "filterset_fields": ["id"]}))
urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/", include(router.urls)),
    path("post/<objectid:pk>", lambda request, pk: HttpResponse(type(pk).__name__), name="post"),
]


class PostTest(TestCase):
    def setUp(self):
        self.client.force_login(User.objects.create_superuser("admin"))
        self.post = Post.objects.create(title="news", related=[id, None])
        self.digits = str(self.post.id)

    def json(self, method, path, status, **data):
        path = f"/api/{path}" if "?" in path else f"/api/{path}/"
        response = getattr(self.client, method)(path, data or None, content_type="application/json")
        self.assertEqual(response.status_code, status, response.content)
        return response.json()

    def test_generic_foreign_key(self):
        Mark.objects.create(of=self.post)
        self.assertEqual(Mark.objects.get().of, self.post)
        self.assertEqual([mark.of for mark in Mark.objects.prefetch_related("of")], [self.post])

    def test_lookups(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # of a naive datetime
            self.assertEqual(Post.objects.get(id__gt=date(2020, 1, 1)), self.post)
        with self.assertRaises(ValidationError):
            Post.objects.filter(id=b"12 bytes long")

    def test_forms(self):
        form = modelform_factory(Mark, fields=["by"])
        for by in id, None:
            self.assertFalse(form({"by": str(by or "")}, instance=Mark(by=by)).has_changed())
        for value in wrong[:5]:
            self.assertIn("by", form({"by": value}).errors)
        form = modelform_factory(Post, fields=["title", "related"])
        self.assertIn("related", form({"title": "array", "related": "a,b"}).errors)
        given = {"title": "news", "related": f"{id},{self.digits}"}
        self.post.related = [id, self.post.id]
        self.assertFalse(form(given, instance=self.post).has_changed())
        self.assertEqual(form(given).save().related, [id, self.post.id])

    def test_paths(self):
        self.assertEqual(self.client.get(reverse("post", args=[self.post.id])).content, b"ObjectId")
        for value in wrong:
            self.assertEqual(self.client.get(f"/post/{value}").status_code, 404)

    def test_admin(self):
        given = {"content_type": ContentType.objects.get_for_model(Post).id, "object_id": self.digits}
        self.client.post("/admin/blog/mark/add/", given)
        mark = Mark.objects.get()
        self.assertEqual((mark.of, mark.by, mark.tenant), (self.post, None, TENANT))
        page = reverse("admin:blog_mark_change", args=[mark.id])
        self.assertContains(self.client.get(page), self.digits)
        self.client.post(page, {**given, "by": str(id)})
        self.assertEqual(Mark.objects.get().by, id)
        self.assertContains(self.client.post(page, {**given, "by": "zzz"}), "is not an ObjectId")
        # as with a malformed uuid
        self.assertRedirects(self.client.get("/admin/blog/mark/zzz/change/"), "/admin/")

        remark = self.post.remarks.create(body="first")
        for condition, found in (("post__id__exact=" + self.digits, 1), (f"post__id__exact={id}", 0), (f"q={remark.id}", 1)):
            self.assertContains(self.client.get(f"/admin/blog/remark/?{condition}"), f"{remark.id}/change", count=found)
        self.assertRedirects(self.client.get("/admin/blog/remark/?post__id__exact=zzz"), "/admin/blog/remark/?e=1")

    def test_rest_framework(self):
        shown = self.json("post", "post", 201, title="rest", related=[str(id)])
        self.assertEqual(shown["related"], [str(id)])
        self.assertEqual(shown, self.json("get", f"post/{shown['id']}", 200))
        self.assertEqual(self.json("get", f"post/{self.digits}", 200)["related"], [str(id), None])
        for value in wrong[:5]:
            self.json("post", "post", 400, title="wrong", related=[value])
            self.json("post", "remark", 400, body="wrong", post=value)
            self.json("post", "remark", 400, body="wrong", id=value)
            self.json("get", f"post/{value}", 404)
        remark = {"id": str(id), "post": self.digits, "body": "rest", "data": None}
        self.assertEqual(self.json("post", "remark", 201, **remark), remark)
        self.assertEqual(self.json("get", f"remark/?id={str(id).upper()}", 200), [remark])
        self.assertEqual(self.json("get", f"remark/?id={self.digits}", 200), [])
        self.json("get", "remark/?id=zzz", 400)
        self.assertEqual(self.json("options", "remark", 200)["actions"]["POST"]["id"]["type"], "string")

    def test_filter(self):
        mark, other = [Mark.objects.create(of=self.post, by=by) for by in (id, None)]
        Filter = filterset_factory(Mark, fields={"id": ["exact", "in"], "by": ["exact"]})
        for given in {"by": str(id)}, {"id": str(mark.id)}, {"id__in": f"{mark.id},{id}"}:
            self.assertEqual(list(Filter(given, Mark.objects.all()).qs), [mark])
        self.assertFalse(Filter({"by": "zzz"}).is_valid())

    def test_graphene(self):
        meta = type("Meta", (), {"model": Mark, "fields": ["id", "object_id", "by"]})
        marks = DjangoListField(type("Marks", (DjangoObjectType,), {"Meta": meta}))
        mark = Mark.objects.create(of=self.post)
        schema = Schema(query=type("Query", (ObjectType,), {"marks": marks}))
        self.assertEqual(schema.execute("{ marks { id objectId by } }").data,
                         {"marks": [{"id": str(mark.id), "objectId": self.digits, "by": None}]})
        for line in "id: ID!", "objectId: String!", "by: String\n":
            self.assertIn(line, str(schema))

    def test_wrapped_connection(self):
        """as agents that measure the performance do"""
        wrapped = SimpleNamespace(__wrapped__=connection.connection)
        register(None, SimpleNamespace(vendor=connection.vendor, Database=connection.Database, connection=wrapped))
