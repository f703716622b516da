//! The attribute and files read the same durations.

use std::fs;
use std::path::Path;

#[test]
fn both_packages_read_durations_by_the_same_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let of_the_runtime = root.join("../breaker-runtime/src/duration.rs");
    // Only in the workspace: the published package stands alone.
    let Ok(of_the_runtime) = fs::read_to_string(of_the_runtime) else { return };
    let own = fs::read_to_string(root.join("src/duration.rs")).expect("the file");
    assert_eq!(own, of_the_runtime, "copy src/duration.rs to breaker-runtime");
}
