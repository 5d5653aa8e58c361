//! N-Queens, as a model for a constraint engine and beside it every classic approach.
//!
//! Put *n* queens on a board of *n* rows and columns so that no two share a row, a column or a
//! diagonal. [`Queens`] states the puzzle: the size, queens that already stand, squares where
//! none may stand. [`Queens::model`] turns it into a model, which is the page to read first, and
//! [`Queens::solver`] gives a first solution, all of them lazily, or their number.
//!
//! ```
//! use csp_nqueens::{Format, Method, Queens};
//!
//! // Nauck's question of 1850: two queens stand; how many ways are there to go on?
//! let puzzle = Queens::new(8).place(3, 1)?.place(4, 3)?;
//! let mut solver = puzzle.solver()?;
//! assert_eq!(solver.count(), 2);
//! for columns in solver.all() {
//!     println!("{}\n", Format::Board.show(&columns));
//! }
//!
//! // Any other method must agree.
//! assert_eq!(Method::BitMasks.count(&puzzle)?, 2);
//! # Ok::<(), csp_nqueens::QueensError>(())
//! ```
//!
//! [`Method`] is the ladder of approaches behind one interface, from testing every placement to
//! bit masks and the engine; [`Method::search`] streams solutions to a visitor and stops when the
//! visitor, a time limit or another thread ([`Control`]) wants it. [`Counting`] counts on several
//! threads, keeps what is finished in a file and shares a count out to several machines, and
//! [`Merged`] adds it up. [`Format`] writes and reads solutions. The program `nqueens` is made of these.
//!
//! [`Variant`] has relatives of the puzzle: boards that wrap round, symmetric solutions, kings' distance. [`Domination`],
//! [`Peaceable`] and [`Largest`] ask for best sets of queens, [`Regions`] is the newspapers' puzzle.
//!
//! The empty board has one solution, the empty one; sizes 2 and 3 have none.

mod counting;
mod error;
mod formats;
mod methods;
mod model;
mod problem;
mod random;
mod search;
mod solver;
mod variants;

pub use counting::{CheckpointError, Counting, Merged, Shard, Symmetry, is_fundamental, unique_count};
pub use error::QueensError;
pub use formats::{Format, FormatError, Listing};
pub use methods::{Cost, Method};
pub use model::QueensModel;
pub use problem::{Queens, Square, attacks};
pub use search::{Control, Outcome, PartsDone, Report};
pub use solver::QueensSolver;
pub use variants::{
    Armies, Best, Domination, DominationModel, Largest, LargestModel, Peaceable, PeaceableModel, Regions,
    RegionsError, Variant, count_kings, count_toroidal,
};
