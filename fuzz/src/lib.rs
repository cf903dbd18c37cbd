//! What do our parsers do with bytes that nobody meant?
//!
//! Every parser of outside bytes has a [`target`]: a function that takes any bytes, must end soon, must not panic, and
//! asserts what always holds (what is written again reads the same, caps hold). A [`mutate`]d seed of `fuzz/corpus`,
//! with words of `fuzz/dictionary`, is one input; the seed of the run and the number of the round fix it. [`round`]
//! runs inputs in a process of their own, so that a crash, a hang and a panic all leave the input behind, and [`shrink`]
//! makes it small.
//!
//! `./test` gives all targets a minute together; `cargo xtask soak fuzz` as long as you like, and under libFuzzer
//! (`guided.rs`) where there is a C++ compiler: that one sees which code an input reaches, and goes on from there.

pub mod mutate;
pub mod round;
pub mod seeds;
pub mod shrink;
pub mod target;
