// What the programs of this directory share: see t/ClientTest.pm.
use bson::oid::ObjectId as Oid;
use pg_objectid::ObjectId;
use std::error::Error;

pub type Result<T> = std::result::Result<T, Box<dyn Error + Sync + Send>>;

pub fn check(condition: bool, what: &str) {
    println!("{}ok - {what}", if condition { "" } else { "not " });
}

/// 1,000 ids, sorted: the counter of the library may wrap
pub fn new_ids() -> Vec<ObjectId> {
    let mut ids: Vec<ObjectId> = (0..1000).map(|_| Oid::new().into()).collect();
    ids.sort();
    ids
}

/// serde writes the ObjectId inside, and reads it; text is the digits
pub fn traits(id: ObjectId) -> Result<()> {
    let written = bson::to_bson(&id)?;
    check(written.as_object_id() == Some(id.into()) && bson::from_bson::<ObjectId>(written)? == id, "serde");
    check(id.to_string() == id.0.to_hex() && id.to_string().parse::<ObjectId>()? == id, "Display and FromStr");
    Ok(())
}

/// The checks of a driver of SQL.  $all!(type, query, parameters...) returns the only column of all rows.  $cast is that
/// of a date.
#[macro_export]
macro_rules! standard {
    ($all:ident, $cast:literal) => {{
        let ids = new_ids();
        for id in &ids {
            $all!(String, "INSERT INTO made VALUES ('binary', $1, $2)", id, &id.to_string());
        }
        check(
            $all!(ObjectId, "SELECT id FROM made WHERE how = 'binary' ORDER BY id") == ids,
            "binary: 1,000 ids come back equal",
        );

        check($all!(Option<ObjectId>, "SELECT $1::objectid", &None::<ObjectId>) == [None], "binary: NULL");

        for list in [Some(vec![Some(ids[0]), Some(ids[1])]), Some(vec![Some(ids[0]), None]), Some(vec![]), None] {
            check($all!(Option<Vec<Option<ObjectId>>>, "SELECT $1::objectid[]", &list) == [list], "binary: arrays");
        }

        check(
            $all!(ObjectId, "SELECT id FROM made WHERE id = $1", &ids[500]) == ids[500..501]
                && $all!(i64, "SELECT count(*) FROM made WHERE id = ANY($1)", &&ids[..10]) == [10],
            "binary: WHERE with an ObjectId",
        );

        let since: DateTime<Utc> = "2025-02-20T05:00:00Z".parse()?;
        let hours: Vec<i32> = (9990..10000).collect();
        check(
            $all!(i32, concat!("SELECT n FROM dated WHERE id > $1", $cast, " ORDER BY n"), &since) == hours,
            "binary: id > a date",
        );
        traits(ids[0])?;
        ids
    }};
}
