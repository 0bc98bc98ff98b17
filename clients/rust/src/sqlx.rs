//! sqlx: ObjectId of the crate bson for columns of type objectid.  A column that may be NULL is an
//! Option, and an array is a Vec or a slice.  serde reads and writes it as the ObjectId inside.  If
//! the schema of the extension is not on the search path, add it to both names.
//! Without this file, cast ids to text and back (`id::text`, `$1::text::objectid`).
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArgumentBuffer, PgHasArrayType, PgTypeInfo, PgValueFormat, PgValueRef, Postgres};
use sqlx::{Decode, Encode, Type};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct ObjectId(pub bson::oid::ObjectId);

impl Type<Postgres> for ObjectId {
    fn type_info() -> PgTypeInfo {
        PgTypeInfo::with_name("objectid")
    }
}

impl PgHasArrayType for ObjectId {
    fn array_type_info() -> PgTypeInfo {
        PgTypeInfo::array_of("objectid")
    }
}

impl Encode<'_, Postgres> for ObjectId {
    fn encode_by_ref(&self, buf: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        buf.extend_from_slice(&self.0.bytes());
        Ok(IsNull::No)
    }
}

impl Decode<'_, Postgres> for ObjectId {
    fn decode(value: PgValueRef<'_>) -> Result<Self, BoxDynError> {
        Ok(ObjectId(match value.format() {
            PgValueFormat::Binary => bson::oid::ObjectId::from_bytes(value.as_bytes()?.try_into()?),
            PgValueFormat::Text => value.as_str()?.parse()?,
        }))
    }
}
