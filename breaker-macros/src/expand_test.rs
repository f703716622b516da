//! The expansion as the documentation shows it, and the forms that differ from it.
//!
//! `UPDATE=1 cargo test -p breaker-macros` writes the documentation and the snapshots anew.

use proc_macro2::TokenStream;
use std::fs;
use std::path::{Path, PathBuf};

/// Opens what the documentation shows as written by the user, and as made of it.
const WRITTEN: &str = "# What it becomes\n";

/// The functions whose expansions are kept in `src/expansions`, each with a word on what it shows.
const SNAPSHOTS: [(&str, &str); 7] = [
    (
        "sync",
        "#[circuit_breaker] fn charge(card: Card, _: Key) -> Result<impl Read, Error> { pay(card) }",
    ),
    (
        "constants",
        "#[circuit_breaker(threshold = LIMIT, window = WINDOW)] fn charge() -> Result<(), Error> { pay() }",
    ),
    (
        "fallback",
        "#[circuit_breaker(fallback = Self::cached, classify = outcome_of)] async fn charge(&self, mut card: Card) -> u32 { pay(card).await }",
    ),
    (
        "future",
        "#[circuit_breaker(timeout = \"2s\")] fn charge(card: Card) -> impl Future<Output = Result<(), Error>> { log(); async move { pay(card).await } }",
    ),
    (
        "boxed",
        "#[circuit_breaker(breaker = &self.breaker)] fn charge(&self) -> BoxFuture<'_, Result<(), Error>> { self.client.charge() }",
    ),
    (
        "key",
        "#[circuit_breaker(key = host, capacity = 100, probes = 1)] async fn fetch(host: &str) -> Result<(), Error> { get(host).await }",
    ),
    (
        "handle",
        "#[circuit_breaker(handle = charge_breaker)] #[cfg(unix)] pub(crate) fn charge() -> Result<(), Error> { pay() }",
    ),
];

#[test]
fn the_documentation_shows_the_expansion() {
    let path = root().join("../src/attribute.md");
    let Ok(text) = fs::read_to_string(&path) else { return };
    let (before, shown) = text.split_once(WRITTEN).expect("the section");
    let blocks: Vec<&str> = shown.split("```\n").collect();
    let [intro, written, between, made, ..] = blocks.as_slice() else { panic!("two blocks") };
    let attribute = written.find("#[circuit_breaker").expect("the attribute");
    let hidden = "# use breakerbox::Rejected;\n";
    let expected = format!("{hidden}{}", expanded(&written[attribute..]));
    if std::env::var_os("UPDATE").is_some() {
        let text =
            format!("{before}{WRITTEN}{intro}```\n{written}```\n{between}```\n{expected}```\n");
        fs::write(path, text).expect("the documentation");
    } else {
        assert_eq!(*made, expected, "run with UPDATE=1 if this is meant");
    }
}

#[test]
fn snapshots() {
    for (name, written) in SNAPSHOTS {
        let path = root().join("src/expansions").join(name).with_extension("rs");
        let source = prettyplease::unparse(&syn::parse_str(written).expect("a function"));
        let expected = format!(
            "// What is written:\n\n{source}\n// What it becomes:\n\n{}",
            expanded(written)
        );
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, expected).expect("a snapshot");
        } else {
            let kept = fs::read_to_string(&path).expect("a snapshot");
            assert_eq!(kept, expected, "{name}: run with UPDATE=1 if this is meant");
        }
    }
}

#[test]
fn what_is_half_typed_goes_through() {
    for body in ["let x = ;", "client.", "match x { Some(", "if x { } else", "a b c ; ; .."] {
        let item = format!("fn charge(card: Card) -> Result<(), Error> {{ {} }}", closed(body));
        let item: TokenStream = item.parse().expect("tokens");
        let expansion = crate::protect(TokenStream::new(), item).to_string();
        assert!(!expansion.contains("compile_error"), "{expansion}");
        let kept: TokenStream = closed(body).parse().expect("tokens");
        assert!(expansion.contains(&kept.to_string()), "{expansion}");
    }
}

#[test]
fn a_half_typed_signature_is_left_to_the_compiler() {
    for signature in [
        "f(x: )",
        "f(x)",
        "f(x: u8, y)",
        "f(x: &mut)",
        "f() : R",
        "f() => R",
        "f() ->",
        "f() -> impl",
        "f() -> _",
        "f -> R",
    ] {
        let item: TokenStream = format!("fn {signature} {{ g() }}").parse().expect("tokens");
        let expansion = crate::protect(TokenStream::new(), item.clone()).to_string();
        assert_eq!(expansion, item.to_string());
    }
}

#[test]
fn the_function_is_kept_beside_every_error() {
    for (attribute, faults) in [
        ("threshold", 1),
        ("threshold =", 1),
        ("threshold = , rate", 2),
        ("thres", 1),
        ("= 5", 1),
        ("rate = 2, probes = 0, retries = 5", 3),
    ] {
        let item: TokenStream = "async fn charge() { half typed }".parse().expect("tokens");
        let attribute = attribute.parse().expect("tokens");
        let expansion = crate::protect(attribute, item.clone()).to_string();
        assert!(expansion.starts_with(&item.to_string()), "{expansion}");
        assert_eq!(expansion.matches("compile_error").count(), faults, "{expansion}");
    }
}

/// The text with its open brackets closed, as an editor sends it.
fn closed(text: &str) -> String {
    let mut open = Vec::new();
    for sign in text.chars() {
        match sign {
            '(' => open.push(')'),
            '{' => open.push('}'),
            ')' | '}' => drop(open.pop()),
            _ => {}
        }
    }
    text.chars().chain(open.into_iter().rev()).collect()
}

/// The expansion of the first attribute of a function, as a person would format it.
fn expanded(written: &str) -> String {
    let tokens: TokenStream = written.parse().expect("tokens");
    let tokens: Vec<_> = tokens.into_iter().collect();
    let [_, proc_macro2::TokenTree::Group(attribute), item @ ..] = tokens.as_slice() else {
        panic!("an attribute")
    };
    let attribute = attribute.stream().into_iter().nth(1);
    let attribute = match attribute {
        Some(proc_macro2::TokenTree::Group(arguments)) => arguments.stream(),
        _ => TokenStream::new(),
    };
    let expansion = crate::protect(attribute, item.iter().cloned().collect());
    let file = syn::parse2(expansion).expect("items");
    prettyplease::unparse(&file)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}
