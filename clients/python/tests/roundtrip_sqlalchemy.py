#!/usr/bin/python3
"""See t/ClientTest.pm.  HOW is the driver."""
import asyncio
from bson import ObjectId
from pg_objectid.sqlalchemy import ObjectIdType, register
from sqlalchemy import Column, ForeignKey, Text, create_engine, func, select, text
from sqlalchemy.orm import Session, declarative_base

from datetime import datetime, timedelta, timezone

from alembic.autogenerate import compare_metadata, produce_migrations, render_python_code
from alembic.migration import MigrationContext
from alembic.operations import Operations
import pandas
from pg_objectid.sqlalchemy import render_item
import sqlalchemy
from sqlalchemy import Integer, MetaData, Table, any_, bindparam, cast, delete, insert, literal
from sqlalchemy.dialects.postgresql import ARRAY, array
from sqlalchemy.exc import InvalidRequestError, StatementError
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine

from checks import after_date, arrays, check, date, id, plan, standard, wrong

Base = declarative_base()


class Event(Base):
    __tablename__ = "event"
    id = Column(ObjectIdType, primary_key=True, server_default=func.gen_objectid())
    what = Column(Text)


class Remark(Base):
    __tablename__ = "remark"
    id = Column(ObjectIdType, primary_key=True, default=ObjectId)
    event_id = Column(ObjectIdType, ForeignKey("event.id"))


def existing(name, **columns):
    return type(name.title(), (Base,), {"__tablename__": name, **columns})


Made = existing("made", how=Column(Text, primary_key=True), id=Column(ObjectIdType, primary_key=True), hex=Column(Text))
List = existing("list", n=Column(Integer, primary_key=True, autoincrement=False), ids=Column(ARRAY(ObjectIdType)))
Dated = existing("dated", id=Column(ObjectIdType, primary_key=True), n=Column(Integer))
IDS = ARRAY(ObjectIdType)
version_2 = sqlalchemy.__version__ >= "2"


def checks(session, how):
    def read(column, *conditions):
        return session.execute(select(column).where(*conditions).order_by(column)).scalars().all()

    def insert_made(ids):
        session.add_all([Made(how=how, id=i, hex=str(i)) for i in ids])
        session.commit()

    def echo(ids):
        try:
            return session.scalar(select(cast(ids, IDS)))
        finally:
            session.rollback()

    ids = standard(
        how, insert_made,
        every=lambda: read(Made.id, Made.how == how),
        equal=lambda i: read(Made.id, Made.how == how, Made.id == i),
        among=lambda ids: read(Made.id, Made.how == how, Made.id.in_(ids)),
        null=lambda: session.scalar(select(literal(None, ObjectIdType))),
        echo=echo,
        later=lambda date: read(Dated.n, Dated.id > date),
        # as with Uuid, any string
        right=lambda error, value: isinstance(error, StatementError) and str(value) in str(error), wrong=[*wrong, str(id)])

    past = sum(i.generation_time <= datetime.now(timezone.utc) for i in ids)
    check([len(read(Made.id, Made.how == how, condition)) for condition in (
        Made.id < ids[500], Made.id <= func.now(), Made.id == any_(literal(ids[:10], IDS)), Made.id == any_(literal([], IDS)))]
        == [500, past, 10, 0]
        and read(Dated.n, Dated.id.between(date, datetime.now(timezone.utc))) == [9989, *after_date], f"{how}: conditions")

    session.add_all([List(n=n, ids=array) for n, array in enumerate(arrays)])
    session.flush()
    check([read(List.n, condition) for condition in (
        List.ids.contains(arrays[0]), List.ids.any(id), List.ids == arrays[1], List.ids[2] == arrays[0][1])]
        == [[0], [0, 1], [1], [0]], f"{how}: conditions on arrays")
    session.rollback()

    found = session.execute(text("SELECT id, ARRAY[NULL, id] FROM made WHERE id = :id"), {"id": ids[500]}).first()
    check(found == (ids[500], [None, ids[500]])
          and read(func.array_agg(Made.id), Made.how == how, Made.id == ids[500]) == [[ids[500]]], f"{how}: text(), array_agg()")

    # 1.4 cannot write a list
    given = literal(ids[:2], IDS) if version_2 else array([literal(i, ObjectIdType) for i in ids[:2]])
    given = given.compile(session.get_bind(), compile_kwargs={"literal_binds": True})
    found = session.scalar(text(f"SELECT count(*) FROM made WHERE how = '{how}' AND id = ANY({given})"))
    check(found == 2, f"{how}: literal_binds of an array")

    # a retention job, while an object is loaded; SQLAlchemy 1.4 asks for "fetch"
    cutoff = datetime(2002, 1, 1, tzinfo=timezone.utc)
    for value in cutoff, bindparam("since", cutoff), cutoff.date():
        events_of = [Event(id=ObjectId.from_datetime(datetime(year, 1, 1)), what="to keep") for year in (2001, 2002)]
        session.add_all(events_of)
        session.flush()
        job = delete(Event).where(Event.id < value)
        try:
            deleted = session.execute(job).rowcount
        except InvalidRequestError:
            if version_2:
                raise
            deleted = session.execute(job.execution_options(synchronize_session="fetch")).rowcount
        check(deleted == 1 and events_of[0] not in session and events_of[1] in session,
              f"{how}: DELETE by date of a loaded object")
        session.rollback()


plan(65 if version_2 else 36)
engine = create_engine("postgresql+psycopg2://")
register(engine)
with engine.begin() as connection:
    connection.execute(text("CREATE EXTENSION IF NOT EXISTS objectid"))
    Base.metadata.create_all(connection)  # "remark" does not exist yet

since = datetime.now(timezone.utc) - timedelta(days=1)
with Session(engine) as session:
    # the example in README.md
    event = Event(what="log in")
    session.add(event)
    session.flush()
    found = session.execute(select(Event).where(Event.id == event.id)).scalar_one()
    late = session.execute(select(Event).where(Event.id > since)).scalars().all()
    assert isinstance(found.id, ObjectId) and late == [found]

    session.add(Remark(event_id=event.id))
    session.commit()
    check(session.execute(select(Event).join(Remark)).scalar_one() is event, "a relation")


def synchronous(driver):
    engine = create_engine(f"postgresql+{driver}://")
    with engine.begin() as connection:
        check(isinstance(connection.scalar(text("SELECT ARRAY[NULL::objectid]")), str)
              and connection.scalar(select(Event.id)) == event.id, f"{driver}: another engine is left alone")
    register(engine)
    with Session(engine) as session:
        checks(session, driver)


async def asynchronous(driver, how):
    engine = create_async_engine(f"postgresql+{driver}://")
    register(engine)
    async with AsyncSession(engine) as session:
        await session.run_sync(checks, how)
    await engine.dispose()


synchronous("psycopg2")
asyncio.run(asynchronous("asyncpg", "asyncpg"))
if version_2:  # 1.4 does not support psycopg 3
    synchronous("psycopg")
    asyncio.run(asynchronous("psycopg", "asynchronous psycopg"))

remark = Table("remark", MetaData(), autoload_with=engine)
check(isinstance(remark.c.event_id.type, ObjectIdType) and remark.c.event_id.type.python_type is ObjectId, "reflection")

# Alembic, in an empty database, with the migration that it generates from the models
empty = create_engine("postgresql+psycopg2:///empty", pool_size=1)
register(empty)
imports = set()


def render(kind, item, context):
    context.imports = imports
    return render_item(kind, item, context)


for _ in range(2):
    with empty.begin() as connection:
        connection.execute(text("CREATE EXTENSION objectid"))
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        steps = produce_migrations(context, Base.metadata).upgrade_ops
        code = render_python_code(steps, render_item=render, migration_context=context)
        exec("\n".join([*imports, "if True:", f"    {code}"]), {"op": Operations(context), "sa": sqlalchemy})
        check(not compare_metadata(context, Base.metadata), "Alembic finds no difference")
    with empty.begin() as connection:  # which the pool has returned
        connection.execute(insert(List).values(n=1, ids=arrays[1]))
        check(connection.execute(select(List.ids)).scalar_one() == arrays[1], "the first migration, and again")
        Base.metadata.drop_all(connection)
        connection.execute(text("DROP EXTENSION objectid"))
    empty.dispose()

with engine.begin() as connection:
    frame = pandas.read_sql(select(Dated.id, Dated.n).where(Dated.id > date), connection)
    frame.to_sql("frame", connection, dtype={"id": ObjectIdType}, index=False)
    again = pandas.read_sql(select(text("pg_typeof(id)::text AS type, id")).select_from(text("frame")), connection)
    check(isinstance(frame["id"][0], ObjectId) and sorted(frame["n"]) == after_date
          and set(again["type"]) == {"objectid"} and list(again["id"]) == list(frame["id"]), "pandas")
