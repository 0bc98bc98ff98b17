// See t/ClientTest.pm.
mod checks;

use bson::oid::ObjectId as Oid;
use checks::*;
use futures_util::pin_mut;
use pg_objectid::ObjectId;
use std::time::{Duration, SystemTime};
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::{FromSqlOwned, ToSql, Type};
use tokio_postgres::{Client, NoTls};

async fn connect(database: &str) -> Result<Client> {
    let env = |name| std::env::var(name).unwrap();
    let source = format!("host={} port={} user={} dbname={database}", env("PGHOST"), env("PGPORT"), env("PGUSER"));
    let (client, connection) = tokio_postgres::connect(&source, NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}

/// the only column of all rows
async fn read<T: FromSqlOwned>(client: &Client, query: &str, args: &[&(dyn ToSql + Sync)]) -> Result<Vec<T>> {
    Ok(client.query(query, args).await?.iter().map(|row| row.get(0)).collect())
}

/// the only column of the only row
async fn one<T: FromSqlOwned>(client: &Client, query: &str, args: &[&(dyn ToSql + Sync)]) -> Result<T> {
    Ok(client.query_one(query, args).await?.try_get(0)?)
}

async fn example(client: &Client) -> Result<()> {
    // the example in README.md
    let id = ObjectId::from(Oid::new());
    client.execute("INSERT INTO event (id, what) VALUES ($1, $2)", &[&id, &"log in"]).await?;

    let row = client.query_one("SELECT id FROM event WHERE id = $1", &[&id]).await?;
    let found: ObjectId = row.get("id");

    assert_eq!(found, id);
    let since = SystemTime::now() - Duration::from_secs(3600);

    client.query("SELECT id, what FROM event WHERE id > $1::timestamptz", &[&since]).await?;
    Ok(())
}

/// in an empty database, and again, with the same connection
async fn first_migration() -> Result<()> {
    let client = &connect("empty").await?;
    let id = ObjectId::from(Oid::new());
    for _ in 0..2 {
        client.batch_execute("CREATE EXTENSION objectid; CREATE TABLE event (id objectid PRIMARY KEY)").await?;
        client.execute("INSERT INTO event (id) VALUES ($1)", &[&id]).await?;
        let found = one::<ObjectId>(client, "SELECT id FROM event WHERE id = ANY($1)", &[&vec![id]]).await?;
        check(found == id, "the first migration, and again");
        client.batch_execute("DROP TABLE event; DROP EXTENSION objectid").await?;
    }
    Ok(())
}

/// the server compares these ids with their digits
async fn copy(client: &Client) -> Result<()> {
    let objectid = client.prepare("SELECT $1::objectid").await?.params()[0].clone();
    let writer = BinaryCopyInWriter::new(
        client.copy_in("COPY made FROM STDIN WITH (FORMAT binary)").await?,
        &[Type::TEXT, objectid, Type::TEXT],
    );
    pin_mut!(writer);
    for id in new_ids() {
        writer.as_mut().write(&[&"copy", &id, &id.to_string()]).await?;
    }
    writer.finish().await?;
    Ok(())
}

async fn run() -> Result<()> {
    let client = &connect("postgres").await?;
    example(client).await?;
    first_migration().await?;

    let key = ObjectId::from(Oid::new());
    client
        .batch_execute("CREATE DOMAIN key AS objectid CHECK (value IS NOT NULL); CREATE TEMP TABLE owned (id key)")
        .await?;
    let owned = one::<ObjectId>(client, "INSERT INTO owned VALUES ($1) RETURNING id", &[&key]).await?;
    client.batch_execute("DROP TABLE owned; DROP DOMAIN key; CREATE TYPE pg_temp.objectid AS ENUM ('a')").await?;
    let other = client.query("SELECT $1::pg_temp.objectid", &[&key]).await;
    let refused = other.is_err_and(|error| error.as_db_error().is_none());
    check(owned == key && refused, "a domain over the type, and an enum of its name");
    client.batch_execute("DROP TYPE pg_temp.objectid").await?;
    check(format!("{key:>26}|{key:.8}") == format!("  {key}|{}", &key.to_string()[..8]), "the width of a format");

    let id = Oid::new().to_hex();
    check(one::<String>(client, "SELECT $1::text::objectid::text", &[&id]).await? == id, "no set-up: String by a cast");

    standard!(
        value,
        insert = client.execute("INSERT INTO made VALUES ('binary', $1, $2)", &[&value, &value.to_string()]).await?,
        every = read::<ObjectId>(client, "SELECT id FROM made ORDER BY id", &[]).await?,
        equal = read::<ObjectId>(client, "SELECT id FROM made WHERE id = $1", &[&value]).await?,
        among = one::<i64>(client, "SELECT count(*) FROM made WHERE id = ANY($1)", &[&value]).await?,
        null = one(client, "SELECT $1::objectid", &[&None::<ObjectId>]).await?,
        echo = one::<List>(client, "SELECT $1::objectid[]", &[value]).await?,
        later = read(client, "SELECT n FROM dated WHERE id > $1::timestamptz ORDER BY n", &[&value]).await?,
    );
    copy(client).await
}

#[test]
fn test() -> Result<()> {
    println!("1..17");
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(run())
}
