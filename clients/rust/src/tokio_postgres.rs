//! tokio-postgres, and postgres: ObjectId of the crate bson for columns of type objectid.
//! A column that may be NULL is an Option, and an array is a Vec or a slice.  serde reads and writes
//! it as the ObjectId inside.
//! Without this file, cast ids to text and back (`id::text`, `$1::text::objectid`).
use bytes::{BufMut, BytesMut};
use std::error::Error;
use tokio_postgres::types::{to_sql_checked, FromSql, IsNull, ToSql, Type};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct ObjectId(pub bson::oid::ObjectId);

impl FromSql<'_> for ObjectId {
    fn from_sql(_: &Type, raw: &[u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(ObjectId(bson::oid::ObjectId::from_bytes(raw.try_into()?)))
    }
    fn accepts(ty: &Type) -> bool {
        ty.name() == "objectid"
    }
}

impl ToSql for ObjectId {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        out.put_slice(&self.0.bytes());
        Ok(IsNull::No)
    }
    fn accepts(ty: &Type) -> bool {
        ty.name() == "objectid"
    }
    to_sql_checked!();
}
