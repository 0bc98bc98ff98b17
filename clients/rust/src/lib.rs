//! `ObjectId` of the crate `bson` for columns of PostgreSQL's type `objectid`.  Each driver is a feature.
//!
//! ```
//! let id: pg_objectid::ObjectId = bson::oid::ObjectId::new().into();
//! assert_eq!(id, id.to_string().parse().unwrap());
//! ```
#[cfg(feature = "diesel")]
pub mod diesel;
mod objectid;
#[cfg(feature = "sqlx")]
mod sqlx;
#[cfg(feature = "tokio-postgres")]
mod tokio_postgres;

pub use objectid::ObjectId;
