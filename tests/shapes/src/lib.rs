//! What the tests of this package share.

use breakerbox::{Breaker, Totals};
use std::process::Command;

/// How many calls a breaker has seen end, whatever they counted as.
#[must_use]
pub fn calls(breaker: &Breaker) -> u64 {
    let Totals { success, failure, ignored, late, .. } = breaker.snapshot().totals;
    success + failure + ignored + late
}

/// The version of Rust whose messages the tests know word by word.
pub const KNOWN_RUST: &str = "rustc 1.95.";

/// Whether this is that version. Others say the same in other words.
///
/// # Panics
///
/// If there is no compiler.
#[must_use]
pub fn is_known_rust() -> bool {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler).arg("--version").output().expect("rustc");
    let is_known = String::from_utf8_lossy(&output.stdout).starts_with(KNOWN_RUST);
    if !is_known {
        eprintln!("not compared word by word: that is for {KNOWN_RUST}*");
    }
    is_known
}
