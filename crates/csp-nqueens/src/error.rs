//! What can be wrong with a puzzle, in words.

use csp_core::ModelError;

use crate::{CheckpointError, Method, Symmetry, Variant};

/// A puzzle that cannot be stated or that a method does not take.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueensError {
    /// A queen or a block lies outside the board.
    #[error("square {row},{column} is off the board: {}", extent(*size))]
    OffBoard {
        /// The row that was asked for.
        row: usize,
        /// The column that was asked for.
        column: usize,
        /// The size of the board.
        size: usize,
    },
    /// An excluded diagonal that the board does not have.
    #[error("there is no diagonal {number} on a board of size {size}: {}", diagonals(*size))]
    NoDiagonal {
        /// The diagonal that was asked for.
        number: usize,
        /// The size of the board.
        size: usize,
    },
    /// The board is larger than the method goes.
    #[error("size {size} is too large: method `{method}` goes up to {}{}", method.max_size(), advice(*size, *method))]
    TooLarge {
        /// The size of the board.
        size: usize,
        /// The method that was asked to solve it.
        method: Method,
    },
    /// The method counts solutions without visiting them, so it cannot list any.
    #[error("method `{method}` only counts: it has no solution to show")]
    OnlyCounts {
        /// The method that was asked for solutions.
        method: Method,
    },
    /// The method counts on an empty board only.
    #[error("method `{method}` takes an empty board: without queens placed and without blocked squares")]
    OnlyEmptyBoard {
        /// The method that was asked.
        method: Method,
    },
    /// The board is larger than symmetric solutions are searched for.
    #[error(
        "size {size} is too large: symmetric solutions are searched for up to size {}",
        Symmetry::MAX_SIZE
    )]
    TooLargeForSymmetry {
        /// The size of the board.
        size: usize,
    },
    /// A number of solutions that the symmetries of the board rule out.
    #[error(
        "there cannot be {all} solutions of size {size}: their images under turns and reflections do not come \
         out even"
    )]
    Miscounted {
        /// The size of the board.
        size: usize,
        /// The number that is wrong.
        all: u128,
    },
    /// The method finds one solution and was asked for more, or for their number.
    #[error("method `{method}` finds one solution: it neither lists nor counts")]
    FindsOne {
        /// The method.
        method: Method,
    },
    /// So many queens do not find room, placed one after another.
    #[error(
        "only {placed} of {wanted} queens could be placed at random: then every square was attacked or blocked"
    )]
    NoSquareLeft {
        /// The queens that were placed.
        placed: usize,
        /// The queens that were to be placed.
        wanted: usize,
    },
    /// A method handed out a board that is no solution. This is a fault in the method.
    #[error("method `{method}` came to a board that is no solution: this is a mistake in the program")]
    WrongSolution {
        /// The method.
        method: Method,
    },
    /// The board is larger than the variant goes.
    #[error("size {size} is too large: `{variant}` goes up to {most}")]
    LargeVariant {
        /// The size of the board.
        size: usize,
        /// What was asked for.
        variant: &'static str,
        /// The largest size.
        most: usize,
    },
    /// No variant has this name.
    #[error("there is no variant `{}`: the variants are {}", name.escape_debug(), Variant::ALL.map(Variant::name).join(", "))]
    UnknownVariant {
        /// The name that was given.
        name: String,
    },
    /// The engine does not take the model.
    #[error("the engine does not take the model: {0}")]
    Model(#[from] ModelError),
    /// The engine broke off a search. This is a fault in the engine, not in the puzzle.
    #[error("the engine broke off the search: {fault}")]
    Engine {
        /// What went wrong.
        fault: String,
    },
    /// There are more solutions than can be counted.
    #[error("there are more solutions than 128 bits can count")]
    TooMany,
    /// There is no such shard.
    #[error(
        "`{}` is no shard: a shard is its number and the number of all, such as 1/64 to 64/64",
        text.escape_debug()
    )]
    NoShard {
        /// What was given.
        text: String,
    },
    /// The checkpoint of a count cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// No method has this name.
    #[error("there is no method `{}`: the methods are {}", name.escape_debug(), names())]
    UnknownMethod {
        /// The name that was given.
        name: String,
    },
}

fn extent(size: usize) -> String {
    match size.checked_sub(1) {
        None => "a board of size 0 has no squares".to_owned(),
        Some(last) => format!("rows and columns run from 0 to {last}"),
    }
}

fn diagonals(size: usize) -> String {
    match size.checked_sub(1) {
        None => "it has none".to_owned(),
        Some(last) => format!("they are numbered from 0 to {}", last.saturating_mul(2)),
    }
}

/// Says which method goes that far, of the same kind if there is one.
fn advice(size: usize, method: Method) -> String {
    let farthest = |finds_one| {
        let methods = Method::ALL.into_iter().filter(move |method| method.finds_one() == finds_one);
        methods.max_by_key(|method| method.max_size()).filter(|method| size <= method.max_size())
    };
    match (farthest(method.finds_one()), farthest(true)) {
        (Some(other), _) => format!("; `{other}` goes up to {}", other.max_size()),
        (None, Some(other)) => format!("; `{other}` finds one solution up to {}", other.max_size()),
        (None, None) => ", and none goes that far; choose a smaller size".to_owned(),
    }
}

fn names() -> String {
    Method::ALL.map(Method::name).join(", ")
}
