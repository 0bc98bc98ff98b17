"""A program with types, for mypy --strict: see t/python.pl"""
from __future__ import annotations

from bson import ObjectId
from pg_objectid import psycopg, psycopg2
from pg_objectid.django import ObjectIdField
from pg_objectid.pydantic import PydanticObjectId
from pg_objectid.sqlalchemy import ObjectIdType, register
from psycopg_pool import AsyncConnectionPool, ConnectionPool
from pydantic import BaseModel
from sqlalchemy import create_engine
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class Event(Base):
    __tablename__ = "event"
    id: Mapped[ObjectId] = mapped_column(ObjectIdType, primary_key=True)


class Item(BaseModel):
    id: PydanticObjectId


adapted = psycopg2.register
ConnectionPool(configure=psycopg.register)
AsyncConnectionPool(configure=psycopg.register_async)
register(create_engine("postgresql+psycopg://"))
register(create_async_engine("postgresql+psycopg://"))
field: ObjectIdField = ObjectIdField(primary_key=True)
found: ObjectId | None = field.to_python("507f1f77bcf86cd799439011")
item: ObjectId = Item(id=ObjectId()).id
