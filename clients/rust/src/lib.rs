//! ObjectId of the crate bson for columns of PostgreSQL's type objectid.  Each driver is a feature.
#[cfg(feature = "diesel")]
pub mod diesel;
#[cfg(feature = "sqlx")]
pub mod sqlx;
#[cfg(feature = "tokio-postgres")]
pub mod tokio_postgres;
