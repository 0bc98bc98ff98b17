#!/usr/bin/python3
"""See t/ClientTest.pm."""
import sys

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.operations import Operations
from bson import ObjectId
from sqlalchemy import BigInteger, Column, ForeignKey, Integer, MetaData, Table, Text, create_engine, event as events, func, select, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session, declarative_base, relationship

from objectid_sqlalchemy import ObjectIdType

sys.path.append("../psycopg2")
from objectid_psycopg2 import register  # noqa: E402

Base = declarative_base()


def check(condition, what):
    print("ok -" if condition else "not ok -", what)


def new_ids():
    """1,000, in order even where the library's counter wraps"""
    return sorted(ObjectId() for _ in range(1000))


class Event(Base):
    __tablename__ = "event"
    id = Column(ObjectIdType, primary_key=True, server_default=func.gen_objectid())
    what = Column(Text)
    remarks = relationship("Remark", back_populates="event", order_by="Remark.id")


class Remark(Base):
    __tablename__ = "remark"
    id = Column(ObjectIdType, primary_key=True, default=ObjectId)
    event_id = Column(ObjectIdType, ForeignKey("event.id"))
    body = Column(Text)
    event = relationship("Event", back_populates="remarks")


class Made(Base):
    __tablename__ = "made"
    how = Column(Text, primary_key=True)
    id = Column(ObjectIdType, primary_key=True)
    hex = Column(Text, nullable=False)


class Generated(Base):
    __tablename__ = "generated"
    id = Column(ObjectIdType, primary_key=True)
    seconds = Column(BigInteger)


class List(Base):
    __tablename__ = "list"
    n = Column(Integer, primary_key=True)
    ids = Column(ARRAY(ObjectIdType))


engine = create_engine("postgresql+psycopg2://")
Base.metadata.create_all(engine)  # "remark" is not there yet

with Session(engine) as session:
    # the example of docs/clients.md
    event = Event(what="log in")
    session.add(event)
    session.flush()
    found = session.execute(select(Event).where(Event.id == event.id)).scalar_one()
    assert isinstance(found.id, ObjectId)

    event.remarks = [Remark(body="first"), Remark(body="second")]
    session.commit()
    bodies = session.execute(select(Remark.body).join(Remark.event).where(Event.id == event.id).order_by(Remark.id))
    orphan = Remark(body="of none")
    session.add(orphan)
    session.commit()
    session.expire_all()
    check([row[0] for row in bodies] == ["first", "second"] and event.remarks[1].event is event, "a relation")
    check(orphan.event_id is None and isinstance(orphan.id, ObjectId), "text: NULL")

    ids = new_ids()
    session.add_all([Made(how="text", id=i, hex=str(i)) for i in ids])
    session.commit()
    check(session.execute(select(Made.id).order_by(Made.id)).scalars().all() == ids, "text: 1,000 ids come back equal")

    rows = session.execute(select(Generated.id, Generated.seconds)).all()
    check(len(rows) == 1004 and all(i.generation_time.timestamp() == s for i, s in rows),
          "text: generated ids have the time of objectid_time()")

    check(session.get(Made, ("text", ids[500])).id == ids[500]
          and session.query(Made).filter(Made.id < ids[500]).count() == 500
          and session.query(Made).filter(Made.id.in_(ids[:10])).count() == 10
          and session.query(Made).filter(Made.id <= func.now()).count() == 1000,
          "text: WHERE with an ObjectId")

    try:
        session.execute(text("SELECT CAST(:id AS objectid)"), {"id": "507f1f77bcf86cd79943901"})
        check(False, "an invalid id is SQLSTATE 22P02")
    except DBAPIError as error:
        check(error.orig.pgcode == "22P02", "an invalid id is SQLSTATE 22P02")

remark = Table("remark", MetaData(), autoload_with=engine)
check(isinstance(remark.c.event_id.type, ObjectIdType), "reflection")

# a migration by Alembic: what the models have beyond the database, and adding it
class Visit(Base):
    __tablename__ = "visit"
    id = Column(ObjectIdType, primary_key=True)


Remark.__table__.append_column(Column("reply_to", ObjectIdType, ForeignKey("remark.id")))
def to_do(context):
    """what is to be added, and any column whose type is not as in the model"""
    for step in compare_metadata(context, Base.metadata):
        if isinstance(step, tuple):
            if step[0].startswith("add"):
                yield step[0], step[-1].name
        else:
            yield from ((change[0], change[3]) for change in step if change[0] == "modify_type")


with engine.begin() as connection:
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    before = set(to_do(context))
    migrate = Operations(context)
    migrate.create_table("visit", Column("id", ObjectIdType, primary_key=True))
    migrate.add_column("remark", Column("reply_to", ObjectIdType, ForeignKey("remark.id")))
    check(before == {("add_table", "visit"), ("add_column", "reply_to"), ("add_fk", None)} and not set(to_do(context)),
          "a migration")

# arrays, by the driver's adapter
events.listen(engine, "connect", lambda connection, record: register(connection))
engine.dispose()
with Session(engine) as session:
    arrays = [ids[:3], [ids[0], None], [], None]
    session.add_all([List(n=n, ids=array) for n, array in enumerate(arrays)])
    session.commit()
    session.expire_all()
    check(session.execute(select(List.ids).order_by(List.n)).scalars().all() == arrays, "text: arrays")
    check(session.get(Made, ("text", ids[500])).id == ids[500], "with the driver's adapter")
