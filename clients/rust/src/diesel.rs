//! Diesel's type of the column.
use crate::ObjectId;
use bson::oid::ObjectId as Oid;
use diesel::deserialize::{self, FromSql};
use diesel::pg::{Pg, PgValue};
use diesel::query_builder::QueryId;
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::sql_types::{SqlOrd, SqlType};
use std::io::Write;

#[derive(SqlType, QueryId)]
#[diesel(postgres_type(name = "objectid"))]
pub struct Objectid;

/// for min() and max()
impl SqlOrd for Objectid {}

impl ToSql<Objectid, Pg> for ObjectId {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        out.write_all(&self.0.bytes())?;
        Ok(IsNull::No)
    }
}

impl FromSql<Objectid, Pg> for ObjectId {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        Ok(Oid::from_bytes(value.as_bytes().try_into()?).into())
    }
}
