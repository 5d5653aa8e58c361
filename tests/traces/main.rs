//! Traces, held against a checker that shares nothing with the library: each value that went has no support given
//! what is blamed, each failure is one, each solution is one, and what is undone is undone exactly. And the story of each
//! trace has what the trace has, and says nothing that is false.
//!
//! For N-Queens up to n = 8, 20 Sudokus, and random models of the fuzzer: `CSP_TRACE_MODELS` says how many, 50 if it is not
//! set.

#[path = "../fuzz/case.rs"]
#[allow(dead_code)]
mod case;
mod checker;
mod falsehoods;
#[path = "../fuzz/formula.rs"]
mod formula;
#[path = "../fuzz/generate.rs"]
#[allow(dead_code)]
mod generate;
mod limits;
mod puzzles;
mod random;
mod sentences;
mod told;
#[path = "../fuzz/translate.rs"]
#[allow(dead_code)]
mod translate;
mod words;
