#!/usr/bin/python3
"""See clients/t/ClientTest.pm.  HOW is the driver."""
import asyncio
from datetime import datetime, timedelta, timezone
import os
import shutil
import tempfile

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from bson import ObjectId
from pg_objectid.sqlalchemy import ObjectIdType, register
from sqlalchemy import Column, ForeignKey, Text, create_engine, func, select, text
from sqlalchemy.orm import Session, declarative_base, relationship

import pandas
import sqlalchemy
from sqlalchemy import Integer, MetaData, Table, any_, bindparam, delete, event as events, insert, literal, tuple_
from sqlalchemy.dialects.postgresql import ARRAY, array
from sqlalchemy.exc import InvalidRequestError, StatementError
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine

from checks import after_date, check, check_elements, check_refused, check_vectors, date, new_ids, plan, wrong

Base = declarative_base()


class Event(Base):
    __tablename__ = "event"
    id = Column(ObjectIdType, primary_key=True, server_default=func.gen_objectid())
    what = Column(Text)
    remarks = relationship("Remark", back_populates="event", order_by="Remark.id")


class Remark(Base):
    __tablename__ = "remark"
    id = Column(ObjectIdType, primary_key=True, default=ObjectId)
    event_id = Column(ObjectIdType, ForeignKey("event.id"))
    event = relationship("Event", back_populates="remarks")


def existing(name, **columns):
    return type(name.title(), (Base,), {"__tablename__": name, **columns})


Made = existing("made", how=Column(Text, primary_key=True), id=Column(ObjectIdType, primary_key=True), hex=Column(Text))
List = existing("list", n=Column(Integer, primary_key=True, autoincrement=False), ids=Column(ARRAY(ObjectIdType)))
Dated = existing("dated", id=Column(ObjectIdType, primary_key=True), n=Column(Integer))


def standard(session, how):
    ids = new_ids()
    session.add_all([Made(how=how, id=i, hex=str(i)) for i in ids])
    session.commit()
    found = session.execute(select(Made.id).where(Made.how == how).order_by(Made.id)).scalars().all()
    check(found == ids, f"{how}: 1,000 ids come back equal")

    orphan = Remark()
    session.add(orphan)
    session.commit()
    check(orphan.event_id is None and isinstance(orphan.id, ObjectId), f"{how}: NULL")

    made = session.query(Made).filter(Made.how == how)
    check_vectors(how, found, lambda i: [row.id for row in made.filter(Made.id == i)])
    past = sum(i.generation_time <= datetime.now(timezone.utc) for i in ids)
    pairs = tuple_(Made.how, Made.id)
    check(session.get(Made, (how, ids[500])).id == ids[500]
          and [made.filter(condition).count() for condition in (
              Made.id < ids[500], Made.id <= func.now(), Made.id.in_(ids[:10]), Made.id.in_([]), ~Made.id.in_(ids[:10]),
              pairs.in_([(how, ids[0]), (how, ids[1]), ("", ids[2])]), pairs.in_([]),
              Made.id == any_(literal(ids[:10], ARRAY(ObjectIdType))), Made.id == any_(literal([], ARRAY(ObjectIdType))),
              Made.id.in_(select(Event.id)))] == [500, past, 10, 0, len(ids) - 10, 2, 0, 10, 0, 0],
          f"{how}: WHERE with an ObjectId")

    late = [session.execute(select(Dated.n).where(condition).order_by(Dated.n)).scalars().all()
            for condition in (Dated.id > date, Dated.id.between(date, datetime.now(timezone.utc)))]
    check(late == [after_date, [9989, *after_date]], f"{how}: id > a date")

    values = [[ObjectId(), ObjectId()], [ObjectId(), None], [], None]
    session.add_all([List(n=n, ids=array) for n, array in enumerate(values)])
    session.commit()
    session.expire_all()
    check(session.execute(select(List.ids).order_by(List.n)).scalars().all() == values
          and [session.execute(select(List.n).where(condition)).scalars().all() for condition in (
              List.ids.contains(values[0]), List.ids.any(values[1][0]), List.ids == values[1],
              List.ids[2] == values[0][1])] == [[0], [1], [1], [0]], f"{how}: arrays")
    session.execute(text("DELETE FROM list"))
    session.commit()

    def echo(ids):
        try:
            return session.scalar(select(literal(ids, ARRAY(ObjectIdType))))
        finally:
            session.rollback()

    check_elements(how, echo)
    check(session.scalar(select(func.array_agg(Made.id)).where(Made.id == ids[500])) == [ids[500]]
          and session.scalar(text("SELECT ARRAY[NULL::objectid]")) == [None], f"{how}: array_agg()")

    found = session.execute(text("SELECT id FROM made WHERE how = :how AND id = :id"), {"how": how, "id": ids[500]})
    check(found.scalar_one() == ids[500], f"{how}: text()")

    given = array([literal(i, ObjectIdType) for i in ids[:2]])
    if sqlalchemy.__version__ >= "2":  # 1.4 cannot write a list
        given = literal(ids[:2], ARRAY(ObjectIdType))
    given = given.compile(session.get_bind(), compile_kwargs={"literal_binds": True})
    found = session.scalar(text(f"SELECT count(*) FROM made WHERE how = '{how}' AND id = ANY({given})"))
    check(found == 2, f"{how}: literal_binds of an array")

    # a retention job, while an object is loaded; SQLAlchemy 1.4 asks for "fetch"
    events_of = [Event(id=ObjectId.from_datetime(datetime(year, 1, 1)), what="to keep") for year in (2001, 2002)]
    session.add_all(events_of)
    session.flush()
    cutoff = datetime(2002, 1, 1, tzinfo=timezone.utc)
    for value in cutoff, bindparam("since", cutoff), cutoff.date():
        job = delete(Event).where(Event.id < value)
        try:
            deleted = session.execute(job).rowcount
        except InvalidRequestError:
            deleted = session.execute(job.execution_options(synchronize_session="fetch")).rowcount
        check(deleted == (value is cutoff) and events_of[0] not in session and events_of[1] in session,
              f"{how}: DELETE by date of a loaded object")
    session.rollback()

    statements = []
    connection = session.connection()
    events.listen(connection, "before_cursor_execute", lambda *arguments: statements.append(arguments[2]))
    session.add_all([Remark() for _ in range(50)])
    session.flush()
    session.rollback()
    one = sqlalchemy.__version__ >= "2" or how == "psycopg2"
    check(len(statements) == (1 if one else 50), f"{how}: one INSERT of 50 rows with default=ObjectId")

    # several rows in one INSERT, with and without their ids
    given = [{"id": i, "what": "to go"} for i in ids[:2 if sqlalchemy.__version__ >= "2" else 1]]
    returned = session.execute(insert(Event).returning(Event.id), given).scalars().all()
    session.add_all([Event(what="to go"), Event(what="to go")])
    session.flush()
    found = session.execute(text("DELETE FROM event WHERE what = 'to go' RETURNING id")).all()
    session.commit()
    check(set(returned) == {row["id"] for row in given} and len(found) == len(given) + 2, f"{how}: INSERT ... RETURNING")


plan(72 if sqlalchemy.__version__ >= "2" else 41)
engine = create_engine("postgresql+psycopg2://")
register(engine)
with engine.begin() as connection:
    connection.execute(text("CREATE EXTENSION IF NOT EXISTS objectid"))
    Base.metadata.create_all(connection)  # "remark" does not exist yet

with Session(engine) as session:
    # the example in README.md
    event = Event(what="log in", remarks=[Remark()])
    session.add(event)
    session.flush()
    found = session.execute(select(Event).where(Event.id == event.id)).scalar_one()
    late = session.execute(select(Event).where(Event.id > datetime.now(timezone.utc) - timedelta(days=1))).scalars().all()
    assert isinstance(found.id, ObjectId) and late == [found]

    session.commit()
    found = session.execute(select(Remark).join(Remark.event).where(Event.id == event.id)).scalar_one()
    check(found.event is event and event.remarks == [found], "a relation")


def synchronous(driver):
    engine = create_engine(f"postgresql+{driver}://")
    with engine.begin() as connection:
        check(isinstance(connection.scalar(text("SELECT ARRAY[NULL::objectid]")), str), f"{driver}: another engine is left alone")
    register(engine)
    with Session(engine) as session:
        standard(session, driver)


async def asynchronous(driver, how):
    engine = create_async_engine(f"postgresql+{driver}://")
    register(engine)
    async with AsyncSession(engine) as session:
        await session.run_sync(standard, how)
    await engine.dispose()


synchronous("psycopg2")
asyncio.run(asynchronous("asyncpg", "asyncpg"))
if sqlalchemy.__version__ >= "2":  # 1.4 does not support psycopg 3
    synchronous("psycopg")
    asyncio.run(asynchronous("psycopg", "asynchronous psycopg"))

remark = Table("remark", MetaData(), autoload_with=engine)
check(isinstance(remark.c.event_id.type, ObjectIdType) and remark.c.event_id.type.python_type is ObjectId, "reflection")
for use in (lambda session, value: session.get(Event, value),
            lambda session, value: session.scalar(select(Event.id).where(Event.id == value)),
            lambda session, value: session.execute(insert(Remark), [{"id": value}])):
    def refuse(value):
        with Session(engine) as session:
            use(session, value)

    check_refused("a string is a StatementError, as with Uuid", refuse,
                  lambda error, value: isinstance(error, StatementError) and str(value) in str(error), [*wrong, str(ObjectId())])

# Alembic, in an empty database: the first migration creates the extension, the second is generated from the models
with tempfile.TemporaryDirectory() as directory:
    empty = create_engine("postgresql+psycopg2:///empty", pool_size=1)
    register(empty)
    config = Config()
    config.set_main_option("script_location", directory)
    config.attributes.update(engine=empty, metadata=Base.metadata)
    os.mkdir(f"{directory}/versions")
    shutil.copy(f"{config.get_template_directory()}/generic/script.py.mako", directory)
    with open(f"{directory}/env.py", "w") as env, open(f"{directory}/versions/first.py", "w") as first:
        env.write("""
from alembic import context
from pg_objectid.sqlalchemy import render_item
attributes = context.config.attributes
with attributes["engine"].begin() as connection:
    context.configure(connection=connection, target_metadata=attributes["metadata"], render_item=render_item)
    context.run_migrations()
""")
        first.write("""
from alembic import op
revision, down_revision = "first", None

def upgrade():
    op.execute("CREATE EXTENSION IF NOT EXISTS objectid")

def downgrade():
    op.execute("DROP EXTENSION objectid")
""")
    command.upgrade(config, "head")
    command.revision(config, autogenerate=True)
    ids = [ObjectId(), None]
    for _ in range(2):
        command.upgrade(config, "head")  # on the connection that the pool then returns
        with empty.begin() as connection:
            connection.execute(insert(List).values(n=1, ids=ids))
            check(connection.execute(select(List.ids)).scalar_one() == ids, "the first migration, and again")
            differences = compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), Base.metadata)
        # alembic_version is not in the models
        check([step[0] for step in differences] in ([], ["remove_table"]), "Alembic finds no difference")
        command.downgrade(config, "base")
        empty.dispose()

with engine.begin() as connection:
    frame = pandas.read_sql(select(Dated.id, Dated.n).where(Dated.id > date), connection)
    frame.to_sql("frame", connection, dtype={"id": ObjectIdType}, index=False)
    again = pandas.read_sql(select(text("pg_typeof(id)::text AS type, id")).select_from(text("frame")), connection)
    check(isinstance(frame["id"][0], ObjectId) and sorted(frame["n"]) == after_date
          and set(again["type"]) == {"objectid"} and list(again["id"]) == list(frame["id"]), "pandas")
