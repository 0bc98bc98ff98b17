use crate::ObjectId;
use bson::oid::ObjectId as Oid;
use bytes::{BufMut, BytesMut};
use std::error::Error;
use tokio_postgres::types::{to_sql_checked, FromSql, IsNull, ToSql, Type};

impl FromSql<'_> for ObjectId {
    fn from_sql(_: &Type, raw: &[u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Oid::from_bytes(raw.try_into()?).into())
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
