//! The attribute `#[circuit_breaker]` of [`breakerbox`](https://docs.rs/breakerbox), which exports
//! and documents it.
//!
//! Read on in the order in which the tokens pass:
//!
//! | file | subject |
//! |---|---|
//! | `args` | the attribute is cut into keys and values |
//! | `keys`, `config` | they become typed settings |
//! | `value`, `duration` | one value is read and judged |
//! | `judge` | keys that contradict each other |
//! | `function`, `output` | the signature is taken apart, the body is not looked into |
//! | `expand`, `capture`, `breaker`, `fallback` | the function with its new body |
//!
//! `tokens` answers small questions about raw tokens, `errors` collects what was found wrong.

mod args;
mod breaker;
mod capture;
mod config;
mod duration;
#[cfg(test)]
mod duration_test;
mod errors;
mod expand;
#[cfg(test)]
mod expand_test;
mod fallback;
mod function;
#[cfg(test)]
mod fuzz_test;
mod judge;
mod keys;
mod output;
mod tokens;
mod value;

use errors::Errors;
use function::Function;
use proc_macro2::TokenStream;

/// Protects a function with a circuit breaker; see the documentation of `breakerbox`.
#[proc_macro_attribute]
pub fn circuit_breaker(
    attribute: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    protect(attribute.into(), item.into()).into()
}

/// The protected function; or the function untouched, and every error, so that nothing else in the
/// user's crate breaks.
fn protect(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let settings = config::Settings::read(args::read(attribute, &mut errors), &mut errors);
    let function = Function::parse(item.clone()).unwrap_or_else(|error| {
        errors.add(error);
        None
    });
    if let Some(function) = &function {
        judge::against_function(&settings, function, &mut errors);
    }
    match (errors.report(), function) {
        (None, Some(function)) => expand::expand(&function, &settings),
        (report, _) => item.into_iter().chain(report.into_iter().flatten()).collect(),
    }
}
