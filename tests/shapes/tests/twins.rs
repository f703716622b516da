//! The compiler and clippy say the same of a user's code with and without the attribute: the same
//! warnings and the same errors, at the same places, once.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the compiler says of a closure in other words than of a function, at the same place.
const OTHER_WORDS: [(&str, &str); 5] = [
    (
        "cannot assign to immutable argument `number`",
        "cannot assign to `number`, as it is not declared as mutable",
    ),
    (
        "cannot return value referencing function parameter `text`",
        "cannot return value referencing local data `text`",
    ),
    ("value passed to `number` is never read", "value captured by `number` is never read"),
    ("value passed to `other` is never read", "value captured by `other` is never read"),
    ("`break` outside of a loop or labeled block", "`break` inside of a closure"),
];

/// The lints that say other things of a protected function, or nothing; the documentation of the
/// attribute says why.
const LOST: [&str; 9] = [
    "clippy::boxed_local",
    "clippy::missing_const_for_fn",
    "clippy::needless_lifetimes",
    "clippy::needless_pass_by_ref_mut",
    "clippy::needless_pass_by_value",
    "clippy::needless_question_mark",
    "clippy::unnecessary_wraps",
    "clippy::unused_async",
    "unconditional_recursion",
];

/// What was said: in which target, at which level, where, what, and by which lint.
/// How often.
type Said = BTreeMap<(String, String, u64, u64, String, String), usize>;

#[test]
fn warnings_and_errors_are_the_same() {
    if !shapes::is_known_rust() {
        return;
    }
    let lost: Vec<_> = LOST.into_iter().filter(|lint| !lint.starts_with("clippy::")).collect();
    compare("check", &lost, 60);
}

#[test]
fn lints_of_style_are_the_same() {
    if !shapes::is_known_rust() || !has_clippy() {
        return;
    }
    compare("clippy", &LOST, 80);
}

/// Compares what a command of cargo says of the twins. Of some lints, which must be among it, some
/// may be lost.
fn compare(command: &str, lost: &[&str], least: usize) {
    let project = laid_out(command);
    let plain = said(&project, command, &[]);
    let protected = said(&project, command, &["--features", "protected"]);
    for lint in lost {
        assert!(plain.keys().any(|said| said.5 == *lint), "{lint} is not tried");
    }
    assert!(plain.len() > least, "only {} kinds of diagnostics", plain.len());
    let differs = |one: &Said, other: &Said| -> Vec<_> {
        one.iter()
            .filter(|said| other.get(said.0) != Some(said.1))
            .map(|said| said.0.clone())
            .collect()
    };
    let mut missing = differs(&plain, &protected);
    missing.retain(|said| !lost.contains(&said.5.as_str()));
    let added = differs(&protected, &plain);
    assert!(missing.is_empty() && added.is_empty(), "lost: {missing:#?}\nadded: {added:#?}");
}

fn has_clippy() -> bool {
    let output = Command::new(env!("CARGO")).args(["clippy", "--version"]).output();
    let has_clippy = output.is_ok_and(|output| output.status.success());
    if !has_clippy {
        eprintln!("lints of style are not compared: there is no clippy");
    }
    has_clippy
}

/// A copy of `tests/twins` under `target` for a command of cargo, locked to the versions of the
/// workspace.
fn laid_out(command: &str) -> PathBuf {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the root");
    let project = root.join("target/tests/twins").join(command);
    for folder in ["src", "src/bin"] {
        let from = root.join("tests/twins").join(folder);
        fs::create_dir_all(project.join(folder)).expect("a folder");
        for entry in fs::read_dir(from).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_file() {
                let name = path.file_name().expect("a name");
                fs::copy(&path, project.join(folder).join(name)).expect("a copy");
            }
        }
    }
    let manifest = fs::read_to_string(root.join("tests/twins/Cargo.toml")).expect("a manifest");
    let manifest = manifest.replace("../..", root.to_str().expect("a path in UTF-8"));
    fs::write(project.join("Cargo.toml"), manifest).expect("a manifest");
    fs::copy(root.join("Cargo.lock"), project.join("Cargo.lock")).expect("a lock file");
    project
}

fn said(project: &Path, command: &str, features: &[&str]) -> Said {
    let output = Command::new(env!("CARGO"))
        .args([command, "--quiet", "--lib", "--bins", "--keep-going", "--message-format=json"])
        .args(features)
        .current_dir(project)
        .env_remove("RUSTFLAGS")
        .env("CARGO_TARGET_DIR", project.join("target"))
        .output()
        .expect("cargo check");
    let mut said = Said::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(line) = serde_json::from_str::<Value>(line) else { continue };
        let is_twin = line["manifest_path"].as_str().is_some_and(|path| path.contains("twins"));
        let message = &line["message"];
        if !is_twin || line["target"]["kind"][0] == "test" || line["profile"]["test"] == true {
            continue;
        }
        let Some(spans) = message["spans"].as_array() else { continue };
        for span in spans.iter().filter(|span| span["is_primary"] == true) {
            let words = message["message"].as_str().unwrap_or_default();
            let code = message["code"]["code"].as_str().unwrap_or_default();
            let same = OTHER_WORDS.iter().find(|(_, protected)| words == *protected);
            let key = (
                line["target"]["name"].to_string(),
                message["level"].to_string(),
                span["line_start"].as_u64().unwrap_or_default(),
                span["column_end"].as_u64().unwrap_or_default(),
                same.map_or(words, |(plain, _)| plain).to_owned(),
                if message["level"] == "error" { String::new() } else { code.to_owned() },
            );
            *said.entry(key).or_default() += 1;
        }
    }
    assert!(!said.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    said
}
