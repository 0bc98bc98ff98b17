use crate::ObjectId;
use bson::oid::ObjectId as Oid;
use bytes::{BufMut, BytesMut};
use std::error::Error;
use tokio_postgres::types::{to_sql_checked, FromSql, IsNull, Kind, ToSql, Type};

/// also a domain over it, as which the server sees a parameter for a column of the domain
fn is_objectid(ty: &Type) -> bool {
    match ty.kind() {
        Kind::Domain(base) => is_objectid(base),
        Kind::Simple => ty.name() == "objectid",
        _ => false,
    }
}

impl FromSql<'_> for ObjectId {
    fn from_sql(_: &Type, raw: &[u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Oid::from_bytes(raw.try_into()?).into())
    }
    fn accepts(ty: &Type) -> bool {
        is_objectid(ty)
    }
}

impl ToSql for ObjectId {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        out.put_slice(&self.0.bytes());
        Ok(IsNull::No)
    }
    fn accepts(ty: &Type) -> bool {
        is_objectid(ty)
    }
    to_sql_checked!();
}
