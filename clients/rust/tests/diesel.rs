// See t/ClientTest.pm.
mod checks;

use bson::oid::ObjectId as Oid;
use checks::*;
use chrono::{Duration, Utc};
use diesel::dsl::{max, sql};
use diesel::prelude::*;
use diesel::sql_types::{Array, Bool, Nullable, Timestamptz};
use pg_objectid::{diesel::Objectid, ObjectId};

mod schema {
    // as "diesel print-schema" writes it
    macro_rules! tables {
        ($($name:ident { $($column:ident -> $kind:ty,)* })*) => {
            $(diesel::table! {
                use diesel::sql_types::*;
                use pg_objectid::diesel::Objectid;
                $name (id) { $($column -> $kind,)* }
            })*
        };
    }
    tables! {
        event { id -> Objectid, what -> Nullable<Text>, }
        made { how -> Text, id -> Objectid, hex -> Text, }
        dated { n -> Integer, id -> Objectid, }
    }
}
use schema::{dated, event, made};

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

#[test]
fn test() -> Result<()> {
    println!("1..13");
    // PGHOST and the others
    let conn = &mut PgConnection::establish("")?;
    example(conn)?;

    let ids = standard!(
        value,
        insert = diesel::insert_into(made::table)
            .values((made::how.eq("binary"), made::id.eq(value), made::hex.eq(value.to_string())))
            .execute(conn)?,
        every = made::table.order(made::id).select(made::id).load::<ObjectId>(conn)?,
        equal = made::table.filter(made::id.eq(value)).select(made::id).load::<ObjectId>(conn)?,
        among = made::table.filter(made::id.eq_any(value)).count().get_result::<i64>(conn)?,
        null = diesel::select(None::<ObjectId>.into_sql::<Nullable<Objectid>>()).get_result(conn)?,
        echo = diesel::select(value.into_sql::<Nullable<Array<Nullable<Objectid>>>>()).get_result::<List>(conn)?,
        later = dated::table
            .filter(sql::<Bool>("id > ").bind::<Timestamptz, _>(value))
            .order(dated::n)
            .select(dated::n)
            .load(conn)?,
    );
    let newest: Option<ObjectId> = made::table.select(max(made::id)).first(conn)?;
    check(newest == ids.last().copied(), "max");
    Ok(())
}
