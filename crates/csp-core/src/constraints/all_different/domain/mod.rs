//! All-different by domain: every value left belongs to a solution.
//!
//! Domain consistency (Régin 1994: a filtering algorithm for constraints of difference in CSPs). If the
//! views can be matched with different values, a value can go from a view exactly if it neither belongs
//! to the matching, nor lies on an alternating path from a value that nobody was matched with, nor on an
//! alternating cycle. Said otherwise: in the graph with an edge from each view to the view that was
//! matched with a value it can take, what leads from one strongly connected component into another from
//! which no unmatched value can be reached.
//!
//! It works in two stages: first [by value](super::value), and when everything cheaper has had its say, the
//! matching and the components (Gent, Miguel, Nightingale 2008: generalised arc consistency for the
//! AllDifferent constraint: an empirical survey). The matching is kept as *advice*: a call repairs only the
//! pairs whose value has gone.
//!
//! Three forms, chosen when the constraint is posted:
//!
//! - [`frame`]: up to 64 views whose domains are words and whose values lie within 64 numbers. Everything
//!   is done on words; well under a microsecond for a row of a Sudoku.
//! - [`rows`]: values within 2,048 numbers, unless there are very few to a view. Sets of values are a few
//!   words each.
//! - [`graph`]: anything else, by lists of edges. A call looks only at the components in which something
//!   changed, and only at views with fewer values than such a component has views, so that wide domains
//!   cost nothing.
//!
//! Explanation, written down at once: a value went because of a Hall set, as many views as they have
//! values; each of these views has no value but these.

mod bits;
mod blocks;
mod frame;
mod graph;
mod lists;
mod rows;

use frame::InFrame;
use graph::InGraph;
use rows::InRows;

use crate::engine::{Events, Poster, Priority, Propagator, View};

/// The most values for which there are rows.
const MOST_VALUES: u64 = 64 * 32;

pub(super) fn post(poster: &mut Poster<'_>, views: Vec<View>) {
    if let Some(propagator) = InFrame::new(poster, &views) {
        return add(poster, propagator, views);
    }
    let store = poster.store();
    let low = views.iter().map(|&x| store.min(x)).min().unwrap_or(0);
    let high = views.iter().map(|&x| store.max(x)).max().unwrap_or(0);
    // A row should not have more words than values, or a list is shorter.
    let words = high.abs_diff(low) / 64 + 1;
    let is_dense = views.iter().map(|&x| store.size(x).min(MOST_VALUES)).sum::<u64>()
        >= words.saturating_mul(views.len() as u64);
    match words {
        1 => add_rows::<1>(poster, views, low),
        2 if is_dense => add_rows::<2>(poster, views, low),
        3..=4 if is_dense => add_rows::<4>(poster, views, low),
        5..=8 if is_dense => add_rows::<8>(poster, views, low),
        9..=16 if is_dense => add_rows::<16>(poster, views, low),
        17..=32 if is_dense => add_rows::<32>(poster, views, low),
        _ => {
            let propagator = InGraph::new(poster, &views, low, high);
            add(poster, propagator, views);
        }
    }
}

fn add_rows<const W: usize>(poster: &mut Poster<'_>, views: Vec<View>, low: i64) {
    let propagator = InRows::<W>::new(poster, &views, low);
    add(poster, propagator, views);
}

fn add(poster: &mut Poster<'_>, propagator: impl Propagator + 'static, views: Vec<View>) {
    poster.add_indexed(propagator, Priority::Linear, views.into_iter().map(|x| (x, Events::ANY)));
}

#[cfg(test)]
mod tests {
    use super::super::{all_different, tests};
    use super::*;
    use crate::model::Consistency;

    #[test]
    fn the_harness_finds_nothing() {
        crate::testing::check("all_different by domain", 0..=5, |xs, _| {
            all_different(xs.iter().copied()).domain()
        });
    }

    #[test]
    fn domains_are_consistent_on_random_walks() {
        let tally = tests::walks(2000, 10, Consistency::Domain, &tests::SPREADS, &post);
        assert!(tally.pruned_inside > 1000 && tally.failed > 100 && tally.reasons > 1000, "{tally:?}");
    }

    fn low(poster: &Poster<'_>, views: &[View]) -> i64 {
        views.iter().map(|&x| poster.store().min(x)).min().unwrap_or(0)
    }

    #[test]
    fn rows_are_consistent_on_random_walks() {
        fn post<const W: usize>(poster: &mut Poster<'_>, views: Vec<View>) {
            let low = low(poster, &views);
            add_rows::<W>(poster, views, low);
        }
        for post in [post::<1>, post::<2>, post::<3>] {
            let tally = tests::walks(500, 10, Consistency::Domain, &tests::SPREADS[..1], &post);
            assert!(tally.pruned_inside > 200 && tally.failed > 50 && tally.reasons > 200, "{tally:?}");
        }
    }

    #[test]
    fn graphs_are_consistent_on_random_walks() {
        let post = |poster: &mut Poster<'_>, views: Vec<View>| {
            let low = low(poster, &views);
            let propagator = InGraph::new(poster, &views, low, low.saturating_add(1 << 13));
            add(poster, propagator, views);
        };
        let tally = tests::walks(1000, 10, Consistency::Domain, &tests::SPREADS[..5], &post);
        assert!(tally.pruned_inside > 500 && tally.failed > 100 && tally.reasons > 500, "{tally:?}");
    }
}
