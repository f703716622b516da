//! Replays traffic through circuit breakers and says how they did: `cargo run -p tune -- --help`.

use clap::Parser;
use std::io::{self, Write, stderr, stdout};
use std::process::ExitCode;
use tune::args::Args;

fn main() -> ExitCode {
    let args = Args::parse();
    let Err(error) = tune::run(&args, &mut stdout().lock(), &mut stderr()) else {
        return ExitCode::SUCCESS;
    };
    let reader_left = error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
    if reader_left {
        return ExitCode::SUCCESS;
    }
    // Where even that cannot be said, the exit code says it.
    let _ = writeln!(stderr(), "error: {error:#}");
    ExitCode::FAILURE
}
