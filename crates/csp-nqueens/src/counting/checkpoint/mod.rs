//! Finished parts in a file, so that a run can go on where another was killed.
//!
//! The file is text that only grows: a header, which says what is counted, and a line for each part
//! that is finished. Each line ends with a checksum, and that of a part covers the header too, so a
//! line does not fit into another count's file. A line is written at once, so that a kill costs no
//! more than the parts in work; that it reaches the disk is seen to every second or so.
//!
//! ```text
//! nqueens-count 1 size=6 method=bit-masks placed=none blocked=0,3;2,2 cut=1 parts=9 shard=1/3 #f08b…
//! part=0 solutions=0 nodes=7 #37c1…
//! ```
//!
//! A last line that was cut short by a kill is dropped. Whatever else does not fit is refused, and
//! the file is left as it is.

mod contents;
mod error;
mod header;
mod log;

pub use error::CheckpointError;

pub(super) use contents::Contents;
pub(super) use header::Header;
pub(super) use log::Log;

/// A checksum of 64 bits that any change of a single byte changes (FNV-1a: Fowler, Noll and Vo, 1991).
fn checksum(texts: &[&str]) -> u64 {
    let bytes = texts.iter().flat_map(|text| text.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
