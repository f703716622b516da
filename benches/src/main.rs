//! What a call through a breaker costs.

fn main() {}
