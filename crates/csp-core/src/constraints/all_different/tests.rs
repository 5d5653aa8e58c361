//! Random walks against slow oracles, on larger and tighter cases than the general harness makes: at
//! each node the domains must be what the oracle says, and each reason must suffice.

use crate::engine::{Atom, Cause, Engine, Fixpoint, MAX_VALUE, Poster, View};
use crate::model::{Consistency, Model};

/// Says where small numbers go, so that domains take all forms.
pub(super) type Spread = fn(i64) -> i64;

pub(super) const SPREADS: [Spread; 7] = [
    |k| k - 5,
    |k| k * 7 - 30,
    |k| k * 11,
    |k| k * 17 - 100,
    |k| k * k * 10 - 300,
    |k| k * 1_000_000_007,
    |k| if k % 2 == 0 { (1 << 61) + k } else { -(1 << 61) - k },
];

/// How a view relates to its variable.
pub(super) const SCALES: [&[i64]; 3] = [&[1], &[1, -1], &[1, -1, 2, -3]];

type Domains = Vec<Vec<i64>>;

/// The view's scale and offset, and its values.
#[derive(Clone, Debug)]
struct Case {
    views: Vec<(i64, i64)>,
    values: Domains,
}

fn random_case(rng: &mut fastrand::Rng, spread: Spread, scales: &[i64], size: usize) -> Case {
    let n = rng.usize(1..=size);
    let top = rng.usize(n.saturating_sub(1).max(1)..=n + 3) as i64;
    let dense = rng.bool();
    let (mut views, mut values) = (Vec::new(), Vec::new());
    for _ in 0..n {
        let few = if dense { top } else { rng.i64(1..=top.min(4)) };
        let scale = scales[rng.usize(0..scales.len())];
        let from = rng.i64(0..=top - few);
        let mut own: Vec<i64> = (from..from + few).filter(|_| rng.u32(0..4) > 0).map(spread).collect();
        own.sort_unstable();
        let offset = rng.i64(-3..=3) + if scale.abs() > 1 { 0 } else { own.first().copied().unwrap_or(0) };
        // A view has none but the values on its grid.
        own.retain(|v| (v - offset) % scale == 0);
        if own.is_empty() {
            own.push(scale * rng.i64(-2..=2) + offset);
        }
        views.push((scale, offset));
        values.push(own);
    }
    Case { views, values }
}

struct Probe {
    engine: Engine,
    map: Vec<View>,
    views: Vec<View>,
}

impl Probe {
    fn new(case: &Case, post: &dyn Fn(&mut Poster<'_>, Vec<View>), conditional: bool) -> (Probe, Atom) {
        let (mut engine, mut model) = (Engine::new(), Model::new());
        let (mut map, mut affine) = (Vec::new(), Vec::new());
        for (&(scale, offset), values) in case.views.iter().zip(&case.values) {
            let mut own: Vec<(i64, i64)> =
                values.iter().map(|v| (v - offset) / scale).map(|v| (v, v)).collect();
            own.sort_unstable();
            let domain = crate::Domain::from_intervals(own);
            map.push(View::of(engine.add_variable(domain.intervals())));
            affine.push(model.int(domain) * scale + offset);
        }
        let condition = Atom::eq(engine.add_variable(&[(0, 1)]), 1);
        let views = {
            let mut poster = Poster { engine: &mut engine, map: &map, condition: None };
            if conditional {
                poster.under(condition, |poster| {
                    let views = poster.views(&affine);
                    post(poster, views)
                });
            } else {
                let views = poster.views(&affine);
                post(&mut poster, views);
            }
            poster.views(&affine)
        };
        (Probe { engine, map, views }, condition)
    }

    fn domains(&self) -> Domains {
        self.views.iter().map(|&x| self.engine.store.values(x).collect()).collect()
    }
}

/// Whether different values can be chosen, `fixed` being one that has been.
fn has_matching(domains: &Domains, fixed: Option<(usize, i64)>) -> bool {
    fn search(
        i: usize,
        domains: &Domains,
        fixed: Option<(usize, i64)>,
        owner: &mut Vec<(i64, usize)>,
        seen: &mut Vec<i64>,
    ) -> bool {
        let own = match fixed {
            Some((j, ref v)) if j == i => std::slice::from_ref(v),
            _ => &domains[i],
        };
        for &v in own {
            if seen.contains(&v) {
                continue;
            }
            seen.push(v);
            match owner.iter().position(|o| o.0 == v) {
                None => {
                    owner.push((v, i));
                    return true;
                }
                Some(p) => {
                    let j = owner[p].1;
                    if search(j, domains, fixed, owner, seen) {
                        let p = owner.iter().position(|o| o.0 == v).unwrap();
                        owner[p].1 = i;
                        return true;
                    }
                }
            }
        }
        false
    }
    let mut owner = Vec::new();
    (0..domains.len()).all(|i| search(i, domains, fixed, &mut owner, &mut Vec::new()))
}

fn supported(domains: &Domains) -> Domains {
    let keep = |(i, own): (usize, &Vec<i64>)| {
        own.iter().copied().filter(|&v| has_matching(domains, Some((i, v)))).collect()
    };
    domains.iter().enumerate().map(keep).collect()
}

/// Whether different integers can be chosen from the intervals.
fn intervals_feasible(intervals: &[(i64, i64)]) -> bool {
    intervals.iter().all(|&(low, _)| {
        intervals.iter().all(|&(_, high)| {
            let inside = intervals.iter().filter(|i| low <= i.0 && i.1 <= high).count();
            inside as i128 <= (i128::from(high) - i128::from(low) + 1).max(0)
        })
    })
}

fn bounds_supported(domains: &Domains) -> bool {
    let intervals: Vec<_> = domains.iter().map(|d| (d[0], d[d.len() - 1])).collect();
    (0..intervals.len()).all(|i| {
        [intervals[i].0, intervals[i].1].into_iter().all(|v| {
            let mut fixed = intervals.clone();
            fixed[i] = (v, v);
            intervals_feasible(&fixed)
        })
    })
}

/// Checks that the atoms imply `atom` (or a contradiction) over the domains of the case.
fn check_reason(case: &Case, probe: &Probe, reason: &[Atom], atom: Option<Atom>) {
    let mut domains = case.values.clone();
    for (x, domain) in probe.views.iter().zip(&mut domains) {
        let opposed = |a: &Atom, v: i64| a.var() == x.var() && !x.solve(v).is_some_and(|u| a.holds(u));
        domain.retain(|&v| !reason.iter().any(|a| opposed(a, v)));
        if let Some(atom) = atom.filter(|a| a.var() == x.var()) {
            domain.retain(|&v| opposed(&atom, v));
        }
    }
    assert!(!has_matching(&domains, None), "{atom:?} does not follow from {reason:?} in {case:?}");
}

/// What a run of walks came across.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) pruned_inside: u32,
    pub(super) failed: u32,
    pub(super) reasons: u32,
}

/// Walks through random cases of up to `size` views.
pub(super) fn walks(
    cases: u64,
    size: usize,
    promise: Consistency,
    spreads: &[Spread],
    post: &dyn Fn(&mut Poster<'_>, Vec<View>),
) -> Tally {
    let mut tally = Tally::default();
    for seed in 0..cases {
        let mut rng = fastrand::Rng::with_seed(seed);
        let spread = spreads[rng.usize(0..spreads.len())];
        let scales = SCALES[rng.usize(0..3)];
        let case = random_case(&mut rng, spread, scales, size);
        walk(&case, &mut rng, promise, post, &mut tally);
    }
    tally
}

fn walk(
    case: &Case,
    rng: &mut fastrand::Rng,
    promise: Consistency,
    post: &dyn Fn(&mut Poster<'_>, Vec<View>),
    tally: &mut Tally,
) {
    let (conditional, logged) = (rng.bool(), rng.bool());
    let (mut probe, condition) = Probe::new(case, post, conditional);
    if logged {
        probe.engine.store.start_log();
    }
    let mut stack: Vec<Vec<u64>> = Vec::new();
    let mut before = probe.domains();
    let mut from = 0;
    for _ in 0..40 {
        let reached = probe.engine.propagate();
        let in_force = !conditional || probe.engine.store.truth(condition) == Some(true);
        let expected = if in_force { supported(&before) } else { before.clone() };
        let feasible = !expected.iter().any(Vec::is_empty);
        match reached {
            Fixpoint::Failed => {
                assert!(!feasible, "failed wrongly on {before:?} of {case:?}");
                tally.failed += 1;
                if logged {
                    let reason = probe.engine.explain_failure().unwrap();
                    check_reason(case, &probe, reason.atoms(), None);
                }
            }
            _ => {
                let now = probe.domains();
                for ((now, must), was) in now.iter().zip(&expected).zip(&before) {
                    assert!(now.iter().all(|v| was.contains(v)));
                    assert!(must.iter().all(|v| now.contains(v)), "lost a value on {before:?} of {case:?}");
                }
                if in_force {
                    match promise {
                        Consistency::Domain => {
                            assert!(feasible, "no failure on {before:?} of {case:?}");
                            assert_eq!(now, expected, "from {before:?} of {case:?}");
                        }
                        Consistency::Bounds => {
                            assert!(bounds_supported(&now), "{now:?} from {before:?} of {case:?}");
                        }
                        _ => {}
                    }
                }
                tally.pruned_inside += u32::from(now != before && !stack.is_empty());
            }
        }
        if logged {
            for position in from..probe.engine.store.log.now() {
                let entry = probe.engine.store.log.entry(position);
                if entry.reason.cause() != Cause::Decision {
                    let reason = probe.engine.explain(position, entry.atom());
                    check_reason(case, &probe, reason.atoms(), Some(entry.atom()));
                    tally.reasons += 1;
                }
            }
        }
        let open: Vec<View> =
            probe.map.iter().copied().filter(|&x| !probe.engine.store.is_fixed(x)).collect();
        let turn_back = reached == Fixpoint::Failed || open.is_empty() || rng.u32(0..5) == 0;
        if turn_back {
            for _ in 0..rng.usize(1..=stack.len().max(1)) {
                let Some(words) = stack.pop() else { return };
                probe.engine.pop_level();
                assert!(probe.engine.store.trail.words().eq(words.iter().copied()));
            }
            // What is below was propagated; a decision follows, or there is nothing more to see.
        }
        let open: Vec<View> =
            probe.map.iter().copied().filter(|&x| !probe.engine.store.is_fixed(x)).collect();
        if open.is_empty() {
            return;
        }
        stack.push(probe.engine.store.trail.words().collect());
        probe.engine.push_level();
        from = probe.engine.store.log.now();
        for _ in 0..rng.usize(1..=2) {
            let atom = random_atom(&probe, &open, condition, conditional, rng);
            if probe.engine.store.truth(atom).is_none() {
                probe.engine.decide(atom).unwrap();
            }
        }
        before = probe.domains();
    }
}

fn random_atom(
    probe: &Probe,
    open: &[View],
    condition: Atom,
    conditional: bool,
    rng: &mut fastrand::Rng,
) -> Atom {
    if conditional && rng.u32(0..4) == 0 {
        return condition;
    }
    let x = open[rng.usize(0..open.len())];
    let v = probe.engine.store.nth(x, rng.u64(0..probe.engine.store.size(x)));
    match rng.u32(0..4) {
        0 => Atom::eq(x.var(), v),
        1 => Atom::ge(x.var(), v),
        2 => Atom::le(x.var(), v),
        _ => Atom::ne(x.var(), v),
    }
}

/// Three views over everything there is, two of which are at one end or the other: the third must keep away.
#[test]
fn the_widest_domains_are_pruned_at_their_ends() {
    use super::{Strength, all_different};
    for strength in [Strength::Bounds, Strength::Domain] {
        for end in [MAX_VALUE - 1..=MAX_VALUE, -MAX_VALUE..=1 - MAX_VALUE] {
            let mut model = Model::new();
            let pair = model.ints(2, end.clone());
            let wide = model.ints(3, -MAX_VALUE..=MAX_VALUE);
            model.post(all_different(pair.iter().chain(&wide)).strength(strength));
            let mut solver = model.solver().unwrap();
            assert!(solver.propagate());
            for &x in &wide {
                let left = solver.domain(x).unwrap();
                assert!(end.clone().all(|v| !left.contains(v)), "{strength:?}: {left:?}");
                assert!(left.contains(0) && left.contains(end.end() / 2));
            }
            assert!(solver.first().solution().is_some());
        }
    }
}

#[test]
fn the_default_passes_the_harness() {
    crate::testing::check("all_different", 0..=5, |xs, _| super::all_different(xs.iter().copied()));
}

#[test]
fn a_view_listed_twice_ends_the_search_at_its_root() {
    use super::Strength::{Auto, Bounds, Domain, Value};
    for strength in [Auto, Value, Bounds, Domain] {
        let mut model = Model::new();
        let (x, y, b) = (model.int(0..=1_000_000), model.int(0..=9), model.bool());
        let twice = || super::all_different([x + 1, y + 0, x + 1]).strength(strength);
        model.post(crate::when(b, twice()));
        let mut solver = model.solver().unwrap();
        // Under a condition it makes that false.
        assert_eq!(solver.first().solution().map(|first| first.is_true(b)), Some(false), "{strength:?}");
        model.post(twice());
        let mut solver = model.solver().unwrap();
        assert_eq!(solver.count().solutions, 0);
        assert!(solver.statistics().nodes <= 1, "{strength:?}");
    }
}
