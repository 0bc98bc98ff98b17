// What the programs of this directory share: see clients/t/ClientTest.pm.
use bson::oid::ObjectId as Oid;
use pg_objectid::ObjectId;
use std::error::Error;

pub type Result<T> = std::result::Result<T, Box<dyn Error + Sync + Send>>;

pub fn check(condition: bool, what: &str) {
    println!("{}ok - {what}", if condition { "" } else { "not " });
}

/// the ids of VECTORS, with their seconds
pub fn vectors() -> Vec<(ObjectId, i64)> {
    let vector = |line: &str| {
        let (digits, seconds) = line.split_once(' ')?;
        let id = Oid::parse_str(digits).ok()?;
        assert_eq!(id.to_hex(), digits);
        assert_eq!(id.bytes(), u128::from_str_radix(digits, 16).ok()?.to_be_bytes()[4..]);
        Some((id.into(), seconds.parse().ok()?))
    };
    std::env::var("VECTORS").unwrap().lines().map(|line| vector(line).unwrap()).collect()
}

pub fn seconds(id: ObjectId) -> i64 {
    id.0.timestamp().timestamp_millis() / 1000
}

/// 1,000 ids and the vectors, sorted
pub fn new_ids() -> Vec<ObjectId> {
    let mut ids: Vec<ObjectId> = (0..1000).map(|_| Oid::new().into()).collect();
    ids.extend(vectors().into_iter().map(|vector| vector.0));
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
                && $all!(i64, "SELECT count(*) FROM made WHERE id = ANY($1)", &&ids[500..510]) == [10],
            "binary: WHERE with an ObjectId",
        );

        let since: DateTime<Utc> = "2025-02-20T05:00:00Z".parse()?;
        let hours: Vec<i32> = (9990..10000).collect();
        check(
            $all!(i32, concat!("SELECT n FROM dated WHERE id > $1", $cast, " ORDER BY n"), &since) == hours,
            "binary: id > a date",
        );

        let mut right = true;
        for (id, time) in vectors() {
            let found = $all!(ObjectId, "SELECT id FROM made WHERE id = $1", &id);
            right &= found == [id] && seconds(found[0]) == time;
        }
        check(right, "binary: vectors");
        traits(ids[0])?;
        ids
    }};
}
