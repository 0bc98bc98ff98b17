use crate::ObjectId;
use bson::oid::ObjectId as Oid;
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArgumentBuffer, PgHasArrayType, PgTypeInfo, PgValueFormat, PgValueRef, Postgres};
use sqlx::{Decode, Encode, Type};

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
        Ok(match value.format() {
            PgValueFormat::Binary => Oid::from_bytes(value.as_bytes()?.try_into()?).into(),
            PgValueFormat::Text => value.as_str()?.parse()?,
        })
    }
}
