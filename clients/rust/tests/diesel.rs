// See clients/t/ClientTest.pm.
mod checks;

use bson::oid::ObjectId as Oid;
use checks::*;
use chrono::{DateTime, Duration, Utc};
use diesel::connection::SimpleConnection;
use diesel::dsl::{max, sql};
use diesel::prelude::*;
use diesel::sql_types::{Bool, Nullable, Text, Timestamptz};
use pg_objectid::{diesel::Objectid, ObjectId};

mod schema {
    // as "diesel print-schema" writes it
    macro_rules! tables {
        ($($name:ident ($key:ident) { $($column:ident -> $kind:ty,)* })*) => {
            $(diesel::table! {
                use diesel::sql_types::*;
                use pg_objectid::diesel::Objectid;
                $name ($key) { $($column -> $kind,)* }
            })*
        };
    }
    tables! {
        event (id) { id -> Objectid, what -> Nullable<Text>, }
        made (id) { how -> Text, id -> Objectid, hex -> Text, }
        list (n) { n -> Integer, ids -> Nullable<Array<Nullable<Objectid>>>, }
        dated (id) { n -> Integer, id -> Objectid, }
    }
}
use schema::{dated, event, list, made};

fn example(conn: &mut PgConnection) -> Result<()> {
    // the example in README.md
    let id = ObjectId::from(Oid::new());
    diesel::insert_into(event::table).values((event::id.eq(id), event::what.eq("log in"))).execute(conn)?;

    let found: ObjectId = event::table.find(id).select(event::id).first(conn)?;

    assert_eq!(found, id);
    let since = Utc::now() - Duration::hours(1);

    let recent = sql::<Bool>("event.id > ").bind::<Timestamptz, _>(since);
    let rows: Vec<(ObjectId, Option<String>)> = event::table.filter(recent).load(conn)?;

    assert_eq!(rows.len(), 1);
    Ok(())
}

/// in an empty database, and again, with a new connection
fn first_migration() -> Result<()> {
    let id = ObjectId::from(Oid::new());
    for _ in 0..2 {
        let conn = &mut PgConnection::establish("dbname=empty")?;
        conn.batch_execute("CREATE EXTENSION objectid; CREATE TABLE event (id objectid PRIMARY KEY, what text)")?;
        diesel::insert_into(event::table).values(event::id.eq(id)).execute(conn)?;
        let found: ObjectId = event::table.find(id).select(event::id).first(conn)?;
        check(found == id, "the first migration, and again");
        conn.batch_execute("DROP TABLE event; DROP EXTENSION objectid")?;
    }
    Ok(())
}

#[test]
fn test() -> Result<()> {
    println!("1..15");
    // PGHOST and the others
    let conn = &mut PgConnection::establish("")?;
    example(conn)?;
    first_migration()?;

    let id = Oid::new().to_hex();
    let text: String = diesel::select(sql::<Text>("").bind::<Text, _>(&id).sql("::objectid::text")).get_result(conn)?;
    check(text == id, "no set-up: String by a cast");

    let ids = new_ids();
    for id in &ids {
        let row = (made::how.eq("binary"), made::id.eq(id), made::hex.eq(id.to_string()));
        diesel::insert_into(made::table).values(row).execute(conn)?;
    }
    let found: Vec<ObjectId> =
        made::table.filter(made::how.eq("binary")).order(made::id).select(made::id).load(conn)?;
    check(found == ids, "binary: 1,000 ids come back equal");

    let null: Option<ObjectId> = diesel::select(None::<ObjectId>.into_sql::<Nullable<Objectid>>()).get_result(conn)?;
    check(null.is_none(), "binary: NULL");

    let lists = [Some(vec![Some(ids[0]), Some(ids[1])]), Some(vec![Some(ids[0]), None]), Some(vec![]), None];
    for (n, ids) in (0..).zip(lists) {
        let insert = diesel::insert_into(list::table).values((list::n.eq(n), list::ids.eq(&ids)));
        let back: Option<Vec<Option<ObjectId>>> = insert.returning(list::ids).get_result(conn)?;
        check(back == ids, "binary: arrays");
    }

    let found: Vec<ObjectId> = made::table.filter(made::id.eq(ids[500])).select(made::id).load(conn)?;
    let any: i64 = made::table.filter(made::id.eq_any(&ids[500..510])).count().get_result(conn)?;
    check(found == ids[500..501] && any == 10, "binary: WHERE with an ObjectId");

    let since: DateTime<Utc> = "2025-02-20T05:00:00Z".parse()?;
    let after: Vec<i32> = dated::table
        .filter(sql::<Bool>("id > ").bind::<Timestamptz, _>(since))
        .order(dated::n)
        .select(dated::n)
        .load(conn)?;
    check(after.into_iter().eq(9990..10000), "binary: id > a date");

    let mut right = true;
    for (id, time) in vectors() {
        let found: Vec<ObjectId> = made::table.filter(made::id.eq(id)).select(made::id).load(conn)?;
        right &= found == [id] && seconds(found[0]) == time;
    }
    check(right, "binary: vectors");

    let newest: Option<ObjectId> = made::table.select(max(made::id)).first(conn)?;
    check(newest == ids.last().copied(), "max");
    traits(ids[0])?;
    Ok(())
}
