//! Annotated functions in a crate that denies every warning there is and allows nothing, and forbids
//! some, so that an `allow` in the expansion would be an error. That it compiles, also under clippy, is
//! the test.

#![deny(
    warnings,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::absolute_paths,
    clippy::as_conversions,
    clippy::infinite_loop,
    clippy::items_after_statements,
    clippy::let_underscore_must_use,
    clippy::let_underscore_untyped,
    clippy::panic,
    clippy::shadow_reuse,
    clippy::shadow_same,
    clippy::shadow_unrelated,
    clippy::str_to_string,
    clippy::unused_result_ok,
    clippy::unwrap_used,
    future_incompatible,
    keyword_idents,
    let_underscore,
    let_underscore_drop,
    missing_copy_implementations,
    missing_debug_implementations,
    missing_docs,
    nonstandard_style,
    rust_2018_idioms,
    rust_2021_compatibility,
    rust_2024_compatibility,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unreachable_pub,
    unsafe_code,
    unused,
    unused_import_braces,
    unused_lifetimes,
    unused_qualifications,
    unused_results,
    variant_size_differences
)]
#![forbid(dead_code, unreachable_code, unused_imports, unused_must_use, unused_variables)]

pub mod asynchronous;
pub mod keys;
pub mod methods;
pub mod synchronous;
