use breakerbox::circuit_breaker;

use std::fmt::Display;

#[circuit_breaker]
fn fetch() -> impl Display {
    5
}

#[circuit_breaker(fallback = |_| 6)]
fn fetch_or() -> impl Display {
    5
}

#[circuit_breaker]
async fn fetch_later() -> impl Display {
    5
}

fn main() {
    println!("{}{}", fetch(), fetch_or());
    drop(fetch_later());
}
