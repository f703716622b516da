//! Wrong uses of `timeout` are answered with what is wrong and what to write, as all others are
//! (`tests/shapes/tests/ui.rs`).

#[test]
fn wrong_uses() {
    if shapes::is_known_rust() {
        trybuild::TestCases::new().compile_fail("../ui/timeout/*.rs");
    }
}
