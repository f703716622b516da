//! Breaker, retry and time limit around one call: the parts that the program and the tests share.
//!
//! `orders.rs` is what this example is about; `client.rs` is the attempt that all orders share, and
//! `service.rs` the server that has the trouble.

pub mod client;
pub mod orders;
pub mod service;
