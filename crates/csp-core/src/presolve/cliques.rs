//! Views of which every two are said to be different, each pair by a constraint of its own.
//!
//! The constraints `x ≠ ±y + c` are the edges of a graph of variables; two variables may have several. Any edge
//! not yet in a clique begins one, as its two views. What goes with both are the candidates. Of the few whose
//! variables have most edges the one joins that leaves most of the others, until none is left: cliques are
//! maximal. A pairwise model of the N-Queens gives its three, whatever the order of its constraints: an edge
//! fixes by which offset other views can join.
//!
//! The best cover of a graph by cliques is hard to find (Kou, Stockmeyer, Wong 1978); this is a greedy one. Cost:
//! of each clique, its first degree and the square of its size, each times the logarithm of a degree. In all about
//! [`LOOKUPS_BY_EDGE`] lookups for each edge and some: after that, edges are left as they are. (A complete graph
//! and the N-Queens take two for each edge.)
//!
//! Each clique is posted as [`all_different`](Strength::Auto): filtered by domain where there are no more values
//! than views, by value elsewhere, which takes away what the constraints of pairs do. Measured on colourings
//! (`cargo bench --bench presolve`), domain filtering everywhere halves the nodes for five times the time.

use std::cmp::Reverse;

use super::aliases::Aliases;
use super::{Pair, domain};
use crate::constraints::{Operator, Strength, all_different};
use crate::engine::{MAX_VALUE, Poster, VarId, View};
use crate::model::{ConstraintId, Model};

/// So many candidates are tried, and the one that leaves most others joins the clique.
const TRIED: usize = 4;
/// How many times an edge may be looked for, for each edge there is.
const LOOKUPS_BY_EDGE: usize = 3;
/// As many more, so that small graphs are searched to the end.
const LOOKUPS: usize = 100_000;

/// Cliques, and the constraints they stand for.
#[derive(Debug, Default)]
pub(crate) struct Cliques {
    /// The views of each, all of different variables that stand for themselves. Their variables are numbers in the
    /// model.
    pub(crate) all: Vec<Vec<View>>,
    /// By number, up to the last one, whether a constraint is among those the cliques say.
    covered: Vec<bool>,
}

impl Cliques {
    /// The cliques among the pairs of a model.
    pub(super) fn new(model: &Model, aliases: &Aliases, pairs: &[Pair]) -> Cliques {
        let mut constraints: Vec<(VarId, View, ConstraintId)> = Vec::new();
        for pair in pairs.iter().filter(|pair| pair.operator == Operator::Ne) {
            let (x, y) = (aliases.view(pair.x.index()), aliases.view(pair.y.var().index()));
            // x = s·X and y = t·Y, so that s·X ≠ u·(t·Y) + c is X ≠ s·u·t·Y + s·c.
            if x.var() != y.var() {
                let scale = x.scale() * pair.y.scale() * y.scale();
                let y = View { var: y.var(), scale, offset: x.scale() * pair.y.offset() };
                let (x, y) = if x.var() < y.var() { (x.var(), y) } else { turned(x.var(), y) };
                constraints.push((x, y, pair.constraint));
            }
        }
        constraints.sort_unstable_by_key(|&(x, y, constraint)| (x, key(y), constraint));
        let mut edges: Vec<(VarId, View)> = constraints.iter().map(|&(x, y, _)| (x, y)).collect();
        edges.dedup();
        let Some(mut graph) = Graph::new(model, aliases, &edges) else { return Cliques::default() };
        let all = graph.cover(&edges);
        // Both lists are in the same order.
        let (mut covered, mut edge) = (Vec::new(), 0);
        for (x, y, constraint) in constraints {
            while edges[edge] != (x, y) {
                edge += 1;
            }
            if graph.covered[edge] {
                covered.resize(covered.len().max(constraint.index() + 1), false);
                covered[constraint.index()] = true;
            }
        }
        Cliques { all, covered }
    }

    /// Whether the cliques say what a constraint says.
    pub(crate) fn covers(&self, constraint: ConstraintId) -> bool {
        self.covered.get(constraint.index()).is_some_and(|&covered| covered)
    }

    /// Posts an `all_different` of one of them. After everything else: facts about domains are then known.
    pub(crate) fn post(clique: &[View], poster: &mut Poster<'_>) {
        // Their variables stand for themselves, so that each is one of the engine.
        let views = clique.iter().map(|x| View { var: poster.map[x.var().index()].var(), ..*x }).collect();
        all_different::post(poster, views, Strength::Auto);
    }
}

/// The order of edges of one variable.
fn key(y: View) -> (VarId, i64, i64) {
    (y.var(), y.scale(), y.offset())
}

/// `x ≠ y` as seen from the other variable.
fn turned(x: VarId, y: View) -> (VarId, View) {
    (y.var(), View { var: x, scale: y.scale(), offset: -y.scale() * y.offset() })
}

/// What `y`, given to be different from a variable, is for a view `frame` of that variable to be different from.
fn seen_from(frame: View, y: View) -> Option<View> {
    let offset = frame.scale().checked_mul(y.offset())?.checked_add(frame.offset())?;
    Some(View { var: y.var(), scale: frame.scale() * y.scale(), offset })
}

#[derive(Clone, Copy, Debug)]
struct Link {
    other: View,
    edge: u32,
}

#[derive(Debug)]
struct Graph {
    /// By variable, where its links begin; and the end.
    start: Vec<usize>,
    /// In the order of [`key`] for each variable.
    links: Vec<Link>,
    /// The smallest and largest value of each variable.
    ranges: Vec<(i64, i64)>,
    /// By edge.
    covered: Vec<bool>,
    /// How many lookups are left.
    budget: usize,
}

impl Graph {
    /// A graph of at least three edges, which are sorted.
    fn new(model: &Model, aliases: &Aliases, edges: &[(VarId, View)]) -> Option<Graph> {
        if edges.len() < 3 || u32::try_from(edges.len()).is_err() {
            return None;
        }
        let last = edges.iter().map(|edge| edge.1.var().index()).max()?;
        let mut start = vec![0; last + 2];
        for &(x, y) in edges {
            start[x.index() + 1] += 1;
            start[y.var().index() + 1] += 1;
        }
        (0..=last).for_each(|x| start[x + 1] += start[x]);
        let mut links = vec![Link { other: edges[0].1, edge: 0 }; 2 * edges.len()];
        let mut next = start.clone();
        let mut add = |x: VarId, link: Link| {
            links[next[x.index()]] = link;
            next[x.index()] += 1;
        };
        // First those to earlier variables, so that what is sorted next is nearly so.
        for (edge, &(x, y)) in (0..).zip(edges) {
            let (y, x) = turned(x, y);
            add(y, Link { other: x, edge });
        }
        for (edge, &(x, y)) in (0..).zip(edges) {
            add(x, Link { other: y, edge });
        }
        start
            .windows(2)
            .for_each(|ends| links[ends[0]..ends[1]].sort_unstable_by_key(|link| key(link.other)));
        let range = |x: usize| {
            let domain = aliases.domain(x).or_else(|| domain(model, x));
            // An empty domain makes everything infeasible anyway.
            domain.and_then(|d| Some((d.min()?, d.max()?))).unwrap_or((0, 0))
        };
        Some(Graph {
            start,
            links,
            ranges: (0..=last).map(range).collect(),
            covered: vec![false; edges.len()],
            budget: LOOKUPS_BY_EDGE * edges.len() + LOOKUPS,
        })
    }

    fn links(&self, x: VarId) -> &[Link] {
        &self.links[self.start[x.index()]..self.start[x.index() + 1]]
    }

    /// Whether the values of a view are numbers the engine can take.
    fn fits(&self, view: View) -> bool {
        let (low, high) = self.ranges[view.var().index()];
        [low, high].into_iter().all(|x| {
            let value = i128::from(view.scale()) * i128::from(x) + i128::from(view.offset());
            value.abs() <= MAX_VALUE.into()
        })
    }

    /// The edge that says that two views are different.
    fn edge(&self, x: View, y: View) -> Option<u32> {
        // s·X + a ≠ t·Y + b is X ≠ s·t·Y + s·(b − a).
        let offset = y.offset().checked_sub(x.offset())?.checked_mul(x.scale())?;
        let wanted = View { var: y.var(), scale: x.scale() * y.scale(), offset };
        let links = self.links(x.var());
        let place = links.partition_point(|link| key(link.other) < key(wanted));
        links.get(place).filter(|link| link.other == wanted).map(|link| link.edge)
    }

    /// Cliques of three or more, as far as the budget goes.
    fn cover(&mut self, edges: &[(VarId, View)]) -> Vec<Vec<View>> {
        let mut cliques = Vec::new();
        for (edge, &(x, y)) in edges.iter().enumerate() {
            if self.budget == 0 {
                break;
            }
            if self.covered[edge] {
                continue;
            }
            if let Some(clique) = self.grow(View::of(x), y) {
                self.cover_edges(&clique);
                cliques.push(clique);
            }
        }
        cliques
    }

    /// A clique with two views that are different.
    fn grow(&mut self, x: View, y: View) -> Option<Vec<View>> {
        let (few, many) =
            if self.links(x.var()).len() <= self.links(y.var()).len() { (x, y) } else { (y, x) };
        let mut candidates: Vec<View> = self
            .links(few.var())
            .iter()
            .filter_map(|link| seen_from(few, link.other))
            .filter(|&view| self.fits(view) && self.edge(many, view).is_some())
            .collect();
        self.spend(self.links(few.var()).len());
        if candidates.is_empty() || !self.fits(x) || !self.fits(y) {
            return None;
        }
        candidates.sort_unstable_by_key(|&view| (Reverse(self.links(view.var()).len()), key(view)));
        let mut clique = vec![x, y];
        while !candidates.is_empty() {
            let mut best: Option<(View, Vec<View>)> = None;
            for &next in candidates.iter().take(TRIED) {
                let left: Vec<View> =
                    candidates.iter().copied().filter(|&view| self.edge(next, view).is_some()).collect();
                self.spend(candidates.len());
                let leaves_all = left.len() + 1 == candidates.len();
                if best.as_ref().is_none_or(|best| best.1.len() < left.len()) {
                    best = Some((next, left));
                }
                if leaves_all {
                    break;
                }
            }
            let Some((next, left)) = best else { break };
            clique.push(next);
            candidates = left;
        }
        Some(clique)
    }

    fn spend(&mut self, lookups: usize) {
        self.budget = self.budget.saturating_sub(lookups);
    }

    fn cover_edges(&mut self, clique: &[View]) {
        for (i, &x) in clique.iter().enumerate() {
            self.spend(i);
            for &y in &clique[..i] {
                if let Some(edge) = self.edge(x, y) {
                    self.covered[edge as usize] = true;
                }
            }
        }
    }
}
