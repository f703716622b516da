//! What an annotated function costs to compile: makes crates of a thousand functions, bare, under
//! `#[tracing::instrument]` and under `#[circuit_breaker]`, and times cargo on them; then the clean
//! build of a crate that depends on one breaker and nothing else.
//!
//! ```sh
//! cargo run --release --package breaker-bench --bin compile_time
//! ```
//!
//! It needs the package registry, and takes some minutes.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs};

type Failure = Box<dyn Error>;

const FUNCTIONS: u32 = 1_000;
/// The time of a check or a build is the median of so many.
const TRIES: usize = 3;

struct Kind<'a> {
    name: &'a str,
    attribute: &'a str,
    dependencies: &'a str,
}

fn main() -> Result<(), Failure> {
    let root = fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))?;
    let scratch = env::temp_dir().join(format!("compile-time.{}", std::process::id()));
    let ours = format!("breakerbox = {{ path = {:?} }}\n", root.display().to_string());
    let with_tracing = format!("{ours}tracing = \"0.1\"\n");
    let kinds = [
        Kind { name: "bare", attribute: "", dependencies: &ours },
        Kind {
            name: "tracing::instrument",
            attribute: "#[tracing::instrument]",
            dependencies: &with_tracing,
        },
        Kind {
            name: "circuit_breaker",
            attribute: "#[breakerbox::circuit_breaker]",
            dependencies: &ours,
        },
    ];
    println!("| 1,000 functions | cargo check, s | cargo build, s | release, bytes each |");
    println!("|---|--:|--:|--:|");
    let mut bare_size = None;
    for kind in &kinds {
        let project = make(&scratch, kind)?;
        let check = median(|| cargo(&project, &["check"]))?;
        let build = median(|| cargo(&project, &["build"]))?;
        cargo(&project, &["build", "--release"])?;
        let size = fs::metadata(project.join("target/release/many"))?.len();
        let bare = *bare_size.get_or_insert(size);
        let each = size.saturating_sub(bare) / u64::from(FUNCTIONS);
        let (check, build) = (check.as_secs_f64(), build.as_secs_f64());
        println!("| {} | {check:.2} | {build:.2} | {each} |", kind.name);
    }

    println!("\n| a crate that depends on it alone | clean build, s | crates |");
    println!("|---|--:|--:|");
    let peers = [
        ("breakerbox", ours.as_str()),
        ("breaker 2.0", "breaker = \"2.0\"\n"),
        ("circuitbreaker-rs 0.1", "circuitbreaker-rs = \"0.1\"\n"),
        ("execution-policy 0.0.6", "execution-policy = \"0.0.6\"\n"),
        ("failsafe 1.3", "failsafe = \"1.3\"\n"),
        ("recloser 1.4", "recloser = \"1.4\"\n"),
        (
            "throttle-net 2.0",
            "throttle-net = { version = \"2.0\", features = [\"circuit-breaker\"] }\n",
        ),
        ("tower-resilience-circuitbreaker 0.14", "tower-resilience-circuitbreaker = \"0.14\"\n"),
    ];
    for (name, dependencies) in peers {
        let kind = Kind { name: "alone", attribute: "", dependencies };
        let project = make_with(&scratch, &kind, "fn main() {}\n")?;
        let _ = fs::remove_dir_all(project.join("target"));
        let clean = cargo(&project, &["build"])?;
        let tree = output(&project, &["tree", "--prefix", "none", "--edges", "normal,build"])?;
        let mut crates: Vec<_> = tree.lines().filter_map(|line| line.split(" (").next()).collect();
        crates.sort_unstable();
        crates.dedup();
        println!("| {name} | {:.1} | {} |", clean.as_secs_f64(), crates.len() - 1);
    }
    fs::remove_dir_all(&scratch)?;
    Ok(())
}

fn make(scratch: &Path, kind: &Kind<'_>) -> Result<PathBuf, Failure> {
    let mut source = String::from("use breakerbox::Rejected;\n\n");
    for number in 0..FUNCTIONS {
        writeln!(
            source,
            "{}\npub fn call_{number}(argument: u32) -> Result<u32, Rejected> {{\n    \
             if argument == {number} {{ return Ok(argument + 1); }}\n    Ok(argument)\n}}\n",
            kind.attribute
        )?;
    }
    source.push_str("fn main() {\n    let argument = std::env::args().count() as u32;\n");
    for number in 0..FUNCTIONS {
        writeln!(source, "    std::hint::black_box(call_{number}(argument)).ok();")?;
    }
    source.push_str("}\n");
    make_with(scratch, kind, &source)
}

fn make_with(scratch: &Path, kind: &Kind<'_>, source: &str) -> Result<PathBuf, Failure> {
    let project = scratch.join(kind.name.replace("::", "-"));
    fs::create_dir_all(project.join("src"))?;
    let manifest = format!(
        "[package]\nname = \"many\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\n{}\n[profile.release]\nstrip = true\n\n[workspace]\n",
        kind.dependencies
    );
    fs::write(project.join("Cargo.toml"), manifest)?;
    fs::write(project.join("src/main.rs"), source)?;
    let _ = fs::remove_file(project.join("Cargo.lock"));
    // What it depends on is fetched, and is not part of any time.
    output(&project, &["fetch"])?;
    Ok(project)
}

/// The time in the middle, after a run that builds what it depends on.
fn median(run: impl Fn() -> Result<Duration, Failure>) -> Result<Duration, Failure> {
    run()?;
    let mut times = Vec::new();
    for _ in 0..TRIES {
        times.push(run()?);
    }
    times.sort();
    Ok(times[TRIES / 2])
}

fn cargo(project: &Path, arguments: &[&str]) -> Result<Duration, Failure> {
    let source = project.join("src/main.rs");
    let text = fs::read(&source)?;
    fs::write(&source, text)?;
    let start = Instant::now();
    output(project, arguments)?;
    Ok(start.elapsed())
}

fn output(project: &Path, arguments: &[&str]) -> Result<String, Failure> {
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(arguments)
        .current_dir(project)
        .env("CARGO_INCREMENTAL", "0")
        .env_remove("CARGO_TARGET_DIR")
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}
