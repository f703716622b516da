//! The tests of this package run under `--cfg loom` only; see `tests/`.
