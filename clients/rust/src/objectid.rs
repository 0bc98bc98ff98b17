use bson::oid::ObjectId as Oid;
use std::{fmt, str::FromStr};

/// A wrapper, because Rust does not let a crate implement another crate's traits for a third crate's
/// type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "diesel", derive(diesel::expression::AsExpression, diesel::deserialize::FromSqlRow))]
#[cfg_attr(feature = "diesel", diesel(sql_type = crate::diesel::Objectid))]
#[serde(transparent)]
pub struct ObjectId(pub Oid);

impl From<Oid> for ObjectId {
    fn from(id: Oid) -> Self {
        ObjectId(id)
    }
}

impl From<ObjectId> for Oid {
    fn from(id: ObjectId) -> Self {
        id.0
    }
}

/// the 24 digits
impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(&self.0.to_hex())
    }
}

impl FromStr for ObjectId {
    type Err = bson::oid::Error;

    fn from_str(digits: &str) -> Result<Self, Self::Err> {
        digits.parse().map(ObjectId)
    }
}
