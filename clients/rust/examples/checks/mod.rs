// What the programs of this directory share: see t/ClientTest.pm.
use bson::oid::ObjectId as Oid;
use serde::{de::DeserializeOwned, Deserialize, Serialize};
use std::error::Error;

pub type Result<T> = std::result::Result<T, Box<dyn Error + Sync + Send>>;

#[derive(Serialize, Deserialize)]
struct Document<T> {
    #[serde(rename = "_id")]
    id: T,
}

pub fn check(condition: bool, what: &str) {
    println!("{}ok - {what}", if condition { "" } else { "not " });
}

/// 1,000 ids, sorted: the counter of the library may wrap
pub fn new_ids<T>(id: fn(Oid) -> T) -> Vec<T> {
    let mut ids: Vec<_> = (0..1000).map(|_| Oid::new()).collect();
    ids.sort();
    ids.into_iter().map(id).collect()
}

/// The id in a document, if "id" serializes to the same document and equals it
pub fn decode<T: Copy + Serialize + DeserializeOwned + PartialEq>(id: T, encoded: &[u8]) -> Result<Option<T>> {
    let decoded: Document<T> = bson::from_slice(encoded)?;
    Ok((bson::to_vec(&Document { id })? == encoded && decoded.id == id).then_some(decoded.id))
}
