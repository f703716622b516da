//! A command line, as the program reads it.

use clap::Parser;
use tune::args::Args;

/// What the program is told, as a shell would hand it over.
pub(crate) fn args(line: &str) -> Args {
    let words = shlex::split(line).expect("quotes that close");
    let words = std::iter::once("tune".to_owned()).chain(words);
    Args::try_parse_from(words).unwrap_or_else(|error| panic!("{error}"))
}
