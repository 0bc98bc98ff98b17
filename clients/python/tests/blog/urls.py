"""The admin, Django REST framework, and a path with an id"""
from django.contrib import admin
from django.http import HttpResponse
from django.urls import include, path
from django_filters.rest_framework import DjangoFilterBackend
from rest_framework import routers, viewsets
from rest_framework.serializers import ModelSerializer

from .models import Mark, Post, Remark

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
