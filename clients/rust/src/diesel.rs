//! Diesel: ObjectId of the crate bson for columns of type Objectid.  A column that may be NULL is
//! an Option, and an array is a Vec.  serde reads and writes it as the ObjectId inside.
//! `diesel print-schema` writes Objectid if `diesel.toml` has `import_types =
//! ["diesel::sql_types::*", "pg_objectid::diesel::Objectid"]` and
//! `generate_missing_sql_type_definitions = false`.
use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::pg::{Pg, PgValue};
use diesel::query_builder::QueryId;
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::sql_types::SqlType;
use std::io::Write;

/// Add `schema = "..."` after the name if the schema is not on the search path.
#[derive(SqlType, QueryId)]
#[diesel(postgres_type(name = "objectid"))]
pub struct Objectid;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[derive(AsExpression, FromSqlRow)]
#[diesel(sql_type = Objectid)]
#[serde(transparent)]
pub struct ObjectId(pub bson::oid::ObjectId);

impl ToSql<Objectid, Pg> for ObjectId {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        out.write_all(&self.0.bytes())?;
        Ok(IsNull::No)
    }
}

impl FromSql<Objectid, Pg> for ObjectId {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        Ok(ObjectId(bson::oid::ObjectId::from_bytes(value.as_bytes().try_into()?)))
    }
}
