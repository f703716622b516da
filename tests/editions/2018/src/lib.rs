//! The attribute in a crate of edition 2018: the tests are those of every edition.

#[cfg(test)]
#[path = "../../drop_order.rs"]
mod drop_order;

#[cfg(test)]
#[path = "../../shapes.rs"]
mod shapes;
