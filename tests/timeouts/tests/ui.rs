//! Wrong uses of `timeout` are answered with what is wrong and what to write, as all others are
//! (`tests/shapes/tests/ui.rs`).

#[test]
fn wrong_uses() {
    if shapes::is_known_rust() {
        let cases = trybuild::TestCases::new();
        cases.compile_fail("../ui/timeout/*.rs");
        // With one that passes all are built, and not only checked: constants are judged then.
        cases.pass("../ui/timeout/fine/*.rs");
    }
}
