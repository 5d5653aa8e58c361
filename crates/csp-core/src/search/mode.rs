//! Whether a search learns.

/// How a solver searches.
///
/// *Plain* search undoes one decision after the other. It is the fastest by node, walks a tree that can be
/// foretold, and is right for enumeration and counting. A search that *learns* traces every failure back to its
/// reasons and keeps what it finds as a clause, so that it fails for the same reason only once (lazy clause
/// generation: Ohrimenko, Stuckey and Codish, 2009). It costs several times as much by node and memory for the
/// clauses, and needs orders of magnitude fewer nodes where proofs are hard, as in scheduling. Enumeration then keeps one clause for
/// each solution, over all variables by which solutions differ, until the search ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Learning where one solution, or the best one, is asked for and no strategy was set, and under
    /// [assumptions](crate::Solver::set_assumptions); plain otherwise.
    #[default]
    Automatic,
    /// Never learning.
    Plain,
    /// Always learning. A strategy that was set is followed.
    Learning,
    /// Always learning. A strategy that was set and the search's own, which decides on what had a part in recent failures,
    /// take turns from restart to restart, by [`Restarts::luby(100)`](crate::Restarts::luby) if none were set: *free search*. Without a
    /// strategy of yours, as [`Learning`](Mode::Learning).
    Free,
}
