// What the programs of this directory share: see t/ClientTest.pm.
use bson::oid::ObjectId as Oid;
use serde::{de::DeserializeOwned, Serialize};
use std::error::Error;

pub type Result<T> = std::result::Result<T, Box<dyn Error + Sync + Send>>;

pub fn check(condition: bool, what: &str) {
    println!("{}ok - {what}", if condition { "" } else { "not " });
}

/// 1,000 ids, sorted: the counter of the library may wrap
pub fn new_ids<T>(id: fn(Oid) -> T) -> Vec<T> {
    let mut ids: Vec<_> = (0..1000).map(|_| Oid::new()).collect();
    ids.sort();
    ids.into_iter().map(id).collect()
}

/// serde writes the ObjectId inside, and reads it
pub fn is_transparent<T: Copy + Serialize + DeserializeOwned + PartialEq>(id: T) -> Result<bool> {
    let written = bson::to_bson(&id)?;
    Ok(written.as_object_id().is_some() && bson::from_bson::<T>(written)? == id)
}

/// The checks of a driver of SQL.  $all!(type, query, parameters...) returns the only column of all rows.  $cast is that
/// of a date.
#[macro_export]
macro_rules! standard {
    ($all:ident, $cast:literal) => {{
        let ids = new_ids(ObjectId);
        for id in &ids {
            $all!(String, "INSERT INTO made VALUES ('binary', $1, $2)", id, &id.0.to_hex());
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
        check(is_transparent(ids[0])?, "serde");
        ids
    }};
}
