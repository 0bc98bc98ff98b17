"""SQLModel; see t/python.pl"""
from bson import ObjectId
from pg_objectid.sqlalchemy import ObjectIdType
from sqlmodel import Column, Field, Session, SQLModel, create_engine, select


class Event(SQLModel, table=True):
    id: ObjectId = Field(default_factory=ObjectId, sa_column=Column(ObjectIdType, primary_key=True))
    what: str

    class Config:
        arbitrary_types_allowed = True


with Session(create_engine("postgresql+psycopg2://")) as session:
    event = Event(what="log in")
    session.add(event)
    session.commit()
    assert session.exec(select(Event).where(Event.id == event.id)).all() == [event] and isinstance(event.id, ObjectId)
