//! Every wrong use is answered with what is wrong, what is allowed and what to write. The messages
//! are kept beside the cases; `TRYBUILD=overwrite cargo test -p shapes --test ui` writes them anew.
//!
//! Those under `types` are the compiler's own, about the types that the expansion asks for, and so
//! are compared with one version of it only.

#[test]
fn wrong_uses() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("../ui/args/*.rs");
    cases.compile_fail("../ui/signature/*.rs");
    if shapes::is_known_rust() {
        cases.compile_fail("../ui/types/*.rs");
    }
}
