//! Whole-program tests of the example `sudoku`.
