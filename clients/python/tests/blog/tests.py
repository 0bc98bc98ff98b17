"""For "manage.py test", which creates a database, migrates it, and drops it"""
from bson import ObjectId
from django.test import TestCase

from .models import Post


class PostTest(TestCase):
    def test_array(self):
        related = [ObjectId(), None]
        Post.objects.create(title="news", related=related)
        self.assertEqual(Post.objects.get().related, related)
