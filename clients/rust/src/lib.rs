#![doc = include_str!("../README.md")]
#[cfg(feature = "diesel")]
pub mod diesel;
mod objectid;
#[cfg(feature = "sqlx")]
mod sqlx;
#[cfg(feature = "tokio-postgres")]
mod tokio_postgres;

pub use objectid::ObjectId;
