// What the programs of this directory share: see t/ClientTest.pm.
use bson::oid::ObjectId as Oid;
use pg_objectid::ObjectId;
use std::error::Error;

pub type Result<T> = std::result::Result<T, Box<dyn Error + Sync + Send>>;
pub type List = Option<Vec<Option<ObjectId>>>;

const WRONG: [&str; 6] =
    ["zzz", "507f1f77bcf86cd7994390112", "507f1f77bcf86cd79943901", "507f1f77bcf86cd7994390  ", "5", ""];

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
    let refused =
        |text: &&str| text.parse::<ObjectId>().is_err() && bson::from_bson::<ObjectId>((*text).into()).is_err();
    check(WRONG.iter().all(refused), "what is no id");
    Ok(())
}

/// The checks of a driver, by expressions of a value: an id to insert into "made", the ids there, those that are equal to
/// one, how many are in a slice, NULL, an array that is written and read, and "n" of "dated" after a date
#[macro_export]
macro_rules! standard {
    ($value:ident, insert = $insert:expr, every = $every:expr, equal = $equal:expr, among = $among:expr,
     null = $null:expr, echo = $echo:expr, later = $later:expr $(,)?) => {{
        let ids = new_ids();
        for $value in ids.iter().copied() {
            $insert;
        }
        check($every == ids, "binary: 1,000 ids come back equal");
        let mut right = true;
        for ($value, seconds) in vectors() {
            right &= $equal == [$value] && $value.0.timestamp().timestamp_millis() / 1000 == seconds;
        }
        check(right, "binary: vectors");
        let null: Option<ObjectId> = $null;
        check(null.is_none(), "binary: NULL");
        for list in [Some(vec![Some(ids[0]), Some(ids[1])]), Some(vec![Some(ids[0]), None]), Some(vec![]), None] {
            let $value: &List = &list;
            check($echo == list, "binary: arrays");
        }
        let ten = &ids[500..510];
        let $value = ten[0];
        let found = $equal;
        let $value = ten;
        check(found == ids[500..501] && $among == 10, "binary: WHERE with an ObjectId");
        let $value: chrono::DateTime<chrono::Utc> = "2025-02-20T05:00:00Z".parse()?;
        let later: Vec<i32> = $later;
        check(later.into_iter().eq(9990..10000), "binary: id > a date");
        traits(ids[0])?;
        ids
    }};
}
