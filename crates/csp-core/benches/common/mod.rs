//! The command line that benchmarks share: `[FILTER] [--data FOLDER]`.

use std::path::PathBuf;

/// The filter, empty if there is none, and the folder.
pub(crate) fn arguments() -> (String, Option<PathBuf>) {
    let mut filter = String::new();
    let mut data: Option<PathBuf> = None;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match &*arg {
            "--data" => data = args.next().map(PathBuf::from),
            "--bench" | "--test" => {}
            _ => filter = arg,
        }
    }
    (filter, data)
}
