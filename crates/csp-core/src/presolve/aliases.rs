//! Which variables of a model are the same.
//!
//! A constraint `x = y` or `x = −y`, also where fixed variables stand beside them and cancel out, makes one a view of the
//! other: one variable less, and no propagator. Nothing changes for the user: what is asked of `x` is answered by the
//! view. (Not so `x = y + c`: a multiple of `x` may be small where those of `y` and `c` are out of range.)
//! Cost: linear in the size of the model.

use super::{Pair, domain};
use crate::constraints::Operator;
use crate::engine::{VarId, View};
use crate::model::{Domain, Model};

/// Each variable of a model as a view of one that stands for it, without an offset. The views' variables are numbers
/// in the model, and no number is less than that of the variable it stands for.
#[derive(Debug)]
pub(crate) struct Aliases {
    views: Vec<View>,
    /// What is left for variables that others are views of.
    domains: Vec<Option<Domain>>,
}

impl Aliases {
    /// The aliases of a model whose constraints say so of two variables.
    pub(super) fn new(model: &Model, pairs: &[Pair]) -> Aliases {
        let count = model.variable_count();
        let views = (0..count as u32).map(|i| View::of(VarId(i))).collect();
        let mut aliases = Aliases { views, domains: Vec::new() };
        let mut found = false;
        for pair in pairs.iter().filter(|pair| pair.operator == Operator::Eq && pair.y.offset() == 0) {
            found |= aliases.unite(pair.x.index(), pair.y);
        }
        if found {
            aliases.intersect(model);
        }
        aliases
    }

    /// The view that a variable is; one of itself, if it stands for itself.
    pub(crate) fn view(&self, x: usize) -> View {
        self.views[x]
    }

    /// The domain of a variable that stands for itself, if it is not that of the model.
    pub(crate) fn domain(&self, x: usize) -> Option<&Domain> {
        self.domains.get(x)?.as_ref()
    }

    /// The view of a variable that stands for itself.
    fn find(&mut self, x: usize) -> View {
        let (mut view, mut path) = (self.views[x], vec![x]);
        while view.var().index() != path[path.len() - 1] {
            path.push(view.var().index());
            view = self.views[view.var().index()];
        }
        // From the end of the path, so that each step is to a variable that stands for itself.
        for &step in path.iter().rev().skip(1) {
            let next = self.views[step];
            self.views[step] = through(next, self.views[next.var().index()]);
        }
        self.views[x]
    }

    /// Notes that variable `x` is the view `y`; `false` if nothing new is in that.
    fn unite(&mut self, x: usize, y: View) -> bool {
        let left = self.find(x);
        let right = through(y, self.find(y.var().index()));
        if left.var() == right.var() {
            return false;
        }
        // The later of the two becomes a view of the earlier one.
        let (later, earlier) = if left.var() < right.var() { (right, left) } else { (left, right) };
        self.views[later.var().index()] = View::scaled(earlier.var(), later.scale() * earlier.scale());
        true
    }

    /// Leaves each variable that others are views of only what they all can be.
    fn intersect(&mut self, model: &Model) {
        self.domains.resize(self.views.len(), None);
        for i in 0..self.views.len() {
            let view = self.find(i);
            let base = view.var().index();
            if base == i {
                continue;
            }
            let Some(own) = domain(model, i) else { continue };
            let seen = own.seen_through(view.scale(), 0);
            let left = self.domains[base].as_ref().or_else(|| domain(model, base));
            self.domains[base] = left.map(|left| left.intersection(&seen));
        }
    }
}

/// A view of something that is itself a view.
fn through(outer: View, inner: View) -> View {
    View::scaled(inner.var(), outer.scale() * inner.scale())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{IntVar, sum};
    use crate::search::branch;

    fn aliases(model: &Model) -> Aliases {
        Aliases::new(model, &super::super::pairs(model))
    }

    /// The engine's views of the variables.
    fn views(model: &Model) -> Vec<View> {
        let aliases = aliases(model);
        (0..model.variable_count()).map(|i| aliases.view(i)).collect()
    }

    #[test]
    fn equalities_of_two_variables_make_views_of_the_earlier_one() {
        let mut model = Model::new();
        let (zero, five) = (model.int(0..=0), model.int(5..=5));
        let (x, y, z, w) = (model.int(0..=9), model.int(0..=9), model.int(-9..=9), model.int(-30..=-2));
        model.post(y.eq(x - zero));
        model.post(sum([z, y, five]).eq(5));
        model.post((3 * w).eq(3 * z));
        let views = views(&model);
        assert_eq!(views[3], View::scaled(VarId(2), 1));
        assert_eq!(views[4], View::scaled(VarId(2), -1));
        assert_eq!(views[5], View::scaled(VarId(2), -1));
        let aliases = aliases(&model);
        assert_eq!(aliases.domain(2).map(|d| d.to_string()), Some("2..=9".to_owned()));
    }

    #[test]
    fn what_only_looks_like_an_equality_is_none() {
        let mut model = Model::new();
        let (x, y, z, b) = (model.int(0..=9), model.int(0..=9), model.int(0..=9), model.bool());
        model.post(x.le(y));
        model.post(x.ne(y));
        model.post(x.eq(2 * y));
        model.post((2 * x).eq(2 * y + 2));
        model.post(x.eq(y - 3));
        model.post(x.eq(y + z));
        model.post(x.eq(y) | b);
        model.post(x.eq((y - 1).abs()));
        assert!(views(&model).iter().enumerate().all(|(i, &v)| v == View::of(VarId(i as u32))));
    }

    #[test]
    fn answers_are_those_of_the_equality_as_a_constraint() {
        let mut rng = fastrand::Rng::with_seed(20);
        let mut some = 0;
        for _ in 0..500 {
            let mut model = Model::new();
            let xs: Vec<IntVar> = (0..5)
                .map(|_| model.int((0..rng.usize(1..6)).map(|_| rng.i64(-3..=3)).collect::<Vec<i64>>()))
                .collect();
            let mut equal = Vec::new();
            for _ in 0..rng.usize(1..5) {
                let (i, j) = (rng.usize(0..5), rng.usize(0..5));
                let (sign, c) = (if rng.bool() { 1 } else { -1 }, rng.i64(-2..=2));
                model.post(xs[i].eq(sign * xs[j] + c));
                equal.push((i, j, sign, c));
            }
            let domains: Vec<Vec<i64>> = xs
                .iter()
                .map(|&x| (-3..=3).filter(|&v| model.domain(x).is_some_and(|d| d.contains(v))).collect())
                .collect();
            let mut expected = Vec::new();
            for &a in &domains[0] {
                for &b in &domains[1] {
                    for &c in &domains[2] {
                        for &d in &domains[3] {
                            for &e in &domains[4] {
                                let v = [a, b, c, d, e];
                                if equal.iter().all(|&(i, j, s, k)| v[i] == s * v[j] + k) {
                                    expected.push(v.to_vec());
                                }
                            }
                        }
                    }
                }
            }
            let mut solver = model.solver().unwrap();
            let mut found: Vec<Vec<i64>> = solver.solutions().map(|s| s.values(&xs)).collect();
            found.sort();
            assert_eq!(found, expected, "{model}");
            some += usize::from(!found.is_empty());
            // At the root every variable tells the values it has in some solution of two equal ones.
            if solver.propagate() && equal.len() == 1 && equal[0].0 != equal[0].1 {
                for (i, &x) in xs.iter().enumerate() {
                    let domain = solver.domain(x).unwrap();
                    let seen: Domain = expected.iter().map(|v| v[i]).collect();
                    assert_eq!(domain, seen, "{model}");
                }
            }
            // Which variables are projected on does not depend on which of them stands for another.
            let shown = [xs[rng.usize(0..5)], xs[rng.usize(0..5)]];
            solver.set_projection(shown);
            solver.set_search(branch(&xs));
            let mut different: Vec<Vec<i64>> =
                expected.iter().map(|v| shown.map(|x| v[x.index().unwrap()]).to_vec()).collect();
            different.sort();
            different.dedup();
            let mut found: Vec<Vec<i64>> = solver.solutions().map(|s| s.values(shown)).collect();
            found.sort();
            assert_eq!(found, different, "{model}");
        }
        assert!(some > 50 && some < 450, "{some}");
    }

    #[test]
    fn a_long_chain_is_followed_without_recursion() {
        let mut model = Model::new();
        let xs = model.ints(50_000, -5..=100_000);
        for pair in xs.windows(2).rev() {
            model.post(pair[1].eq(-pair[0]));
        }
        let mut solver = model.solver().unwrap();
        assert!(solver.propagate());
        assert_eq!(solver.domain(xs[49_999]).unwrap().to_string(), "-5..=5");
        let solution = solver.first().solution().unwrap();
        assert_eq!((solution[xs[0]], solution[xs[49_999]]), (-5, 5));
    }

    /// Where a view of another variable with an offset would leave the range of numbers.
    #[test]
    fn far_equalities_keep_their_solutions() {
        const MAX: i64 = (1 << 62) - 1;
        let mut model = Model::new();
        let (r, y, x) = (model.int(-MAX..=-MAX + 1), model.int(0..=1), model.int(MAX - 1..=MAX));
        model.post(x.eq(y + (MAX - 1)));
        model.post(y.eq(r + MAX));
        assert_eq!(model.solver().unwrap().count().solutions, 2);
        for (base, factor) in
            [(1_700_000_000_000_000_000, 10), (1_000_000_000_000, 1_000_000_000), (MAX - 9, 100)]
        {
            let mut model = Model::new();
            let (y, x, z) = (model.int(base..=base + 9), model.int(0..=9), model.int(0..=9 * factor));
            model.post(x.eq(y - base));
            model.post(z.eq(factor * x));
            let mut solver = model.solver().unwrap();
            assert_eq!(solver.count().solutions, 10);
            assert_eq!(solver.maximise(factor * x).unwrap().value(), Some(9 * factor));
            solver.post((factor * x).ge(5 * factor)).unwrap();
            assert_eq!(solver.count().solutions, 5);
        }
        // A multiple of one that is small, where the other was declared wide.
        let mut model = Model::new();
        let (y, x) = (model.int(-MAX..=MAX), model.int(0..=9));
        model.post(x.eq(-y));
        model.post((x * (MAX / 9)).ge(5 * (MAX / 9)));
        assert_eq!(model.solver().unwrap().count().solutions, 5);
    }
}
