// See t/ClientTest.pm.
mod checks;

use bson::oid::ObjectId as Oid;
use checks::*;
use chrono::{Duration, Utc};
use pg_objectid::ObjectId;
use serde::{Serialize, Serializer};
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::Row;
use std::collections::HashMap;

/// for an API: JSON has the 24 digits, not {"$oid": ...}
#[derive(Serialize)]
struct Item {
    #[serde(serialize_with = "digits")]
    id: ObjectId,
}

fn digits<S: Serializer>(id: &ObjectId, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_str(&id.0)
}

async fn example(pool: &PgPool) -> Result<()> {
    // the example in README.md
    let id = ObjectId::from(Oid::new());
    sqlx::query("INSERT INTO event (id, what) VALUES ($1, $2)").bind(id).bind("log in").execute(pool).await?;

    let found: ObjectId = sqlx::query_scalar("SELECT id FROM event WHERE id = $1").bind(id).fetch_one(pool).await?;

    assert_eq!(found, id);
    let since = Utc::now() - Duration::hours(1);

    sqlx::query("SELECT id, what FROM event WHERE id > $1").bind(since).fetch_all(pool).await?;
    Ok(())
}

async fn run() -> Result<()> {
    // PGHOST and the others
    let pool = &PgPoolOptions::new().connect_with(PgConnectOptions::new()).await?;
    example(pool).await?;

    macro_rules! read {
        ($query:expr $(, $parameter:expr)*) => {
            sqlx::query_scalar($query)$(.bind($parameter))*.fetch_all(pool).await?
        };
    }
    let ids: Vec<ObjectId> = standard!(
        value,
        insert =
            read!("INSERT INTO made VALUES ('binary', $1, $2) RETURNING hex", value, value.to_string()) as Vec<String>,
        every = read!("SELECT id FROM made ORDER BY id") as Vec<ObjectId>,
        equal = read!("SELECT id FROM made WHERE id = $1", value) as Vec<ObjectId>,
        among = (read!("SELECT count(*) FROM made WHERE id = ANY($1)", value) as Vec<i64>)[0],
        null = read!("SELECT $1::objectid", None::<ObjectId>)[0],
        echo = (read!("SELECT $1::objectid[]", value) as Vec<List>)[0],
        later = read!("SELECT n FROM dated WHERE id > $1 ORDER BY n", value),
    );
    // raw_sql returns text
    let found = sqlx::raw_sql("SELECT id FROM made WHERE how = 'binary' ORDER BY id").fetch_all(pool).await?;
    check(found.iter().map(|row| row.get::<ObjectId, _>(0)).eq(ids.iter().copied()), "text: 1,000 ids come out equal");

    let id = ids[0];
    let item = serde_json::to_string(&Item { id })?;
    check(item == format!(r#"{{"id":"{}"}}"#, id.0), "JSON");
    let map = HashMap::from([(id, 1)]);
    let read: HashMap<ObjectId, i32> = serde_json::from_str(&format!(r#"{{"{id}":1}}"#))?;
    check(read == map && serde_json::to_string(&map).is_err(), "JSON: digits are read as keys, and not written");
    Ok(())
}

#[test]
fn test() -> Result<()> {
    println!("1..15");
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(run())
}
