//! A random walk through the tree of a case: decide, propagate, check, undo, go on.

use crate::engine::{Atom, VarId};
use crate::model::{Consistency, Constraint};

use super::case::Step;
use super::consistency;
use super::fault::{Fault, FaultKind};
use super::probe::Probe;
use super::reasons::Reasons;
use super::subject::{Form, Subject};
use super::{Relaxed, Report};

/// Walks the case by the given steps. Two engines go the same way, one of them with the log on.
pub(super) fn walk(
    subject: &Subject,
    steps: &[Step],
    relaxed: Option<&Relaxed>,
    report: &mut Report,
) -> Result<(), Fault> {
    let mut walk = Walk::new(subject, relaxed);
    let result = walk.run(steps).map_err(|fault| fault.at(walk.words()));
    report.nodes += walk.nodes;
    report.failures += walk.failures;
    report.too_wide += walk.too_wide;
    report.reasons += walk.reasons.checked;
    report.pruned += u64::from(walk.pruned && subject.form == Form::Plain);
    result
}

/// Says what lies behind wrong solutions, by a search of the whole tree in which each node is checked.
pub(super) fn look_closer(subject: &Subject, fault: Fault) -> Fault {
    let mut walk = Walk::new(subject, None);
    match walk.run_through() {
        Ok(()) => fault,
        Err(closer) => closer.at(walk.words()),
    }
}

struct Walk<'a> {
    subject: &'a Subject,
    relaxed: Option<&'a Relaxed>,
    plain: Probe,
    logged: Probe,
    reasons: Reasons<'a>,
    /// What was asserted, with the level it was asserted on.
    path: Vec<(u32, Atom)>,
    levels: Vec<Level>,
    /// Something was undone before.
    undone: bool,
    /// Something was pruned below the root.
    pruned: bool,
    nodes: u64,
    failures: u64,
    too_wide: u64,
}

/// What a level must come back to when it is undone.
struct Level {
    plain: Vec<u64>,
    logged: Vec<u64>,
    domains: Vec<Vec<i64>>,
    decision: Atom,
}

impl<'a> Walk<'a> {
    fn new(subject: &'a Subject, relaxed: Option<&'a Relaxed>) -> Walk<'a> {
        Walk {
            subject,
            relaxed,
            plain: Probe::new(subject),
            logged: Probe::new(subject).logged(),
            reasons: Reasons::new(subject),
            path: Vec::new(),
            levels: Vec::new(),
            undone: false,
            pruned: false,
            nodes: 0,
            failures: 0,
            too_wide: 0,
        }
    }

    fn run(&mut self, steps: &[Step]) -> Result<(), Fault> {
        // A domain may be empty from the start.
        if self.plain.engine.has_failed() {
            return Ok(());
        }
        let mut alive = self.arrive()?;
        for step in steps {
            let decision = if alive && step.action % 4 != 0 { self.choose(*step) } else { None };
            alive = match decision {
                Some(atom) => self.go_down(atom)?,
                None if self.levels.is_empty() && !alive => return Ok(()),
                None => self.go_back(step.relation % 3 != 0)?,
            };
        }
        while !self.levels.is_empty() {
            self.go_back(false)?;
        }
        Ok(())
    }

    fn run_through(&mut self) -> Result<(), Fault> {
        let mut alive = self.arrive()?;
        for step in 0..u16::MAX {
            // Any order will do.
            let step = Step { action: 1, variable: step, relation: step / 3, value: step };
            match if alive { self.choose(step) } else { None } {
                Some(atom) => alive = self.go_down(atom)?,
                None if self.levels.is_empty() => return Ok(()),
                None => alive = self.go_back(true)?,
            }
        }
        Ok(())
    }

    fn level(&self) -> u32 {
        self.levels.len() as u32
    }

    /// An atom that is neither true nor false.
    fn choose(&self, step: Step) -> Option<Atom> {
        let open: Vec<usize> =
            (1..=self.subject.domains.len()).filter(|&x| self.plain.values(x).len() > 1).collect();
        let x = *open.get(usize::from(step.variable) % open.len().max(1))?;
        let (values, var) = (self.plain.values(x), VarId(x as u32));
        let (first, last) = (values[0], values[values.len() - 1]);
        // For bounds also a number beside a value, which is often a hole.
        let near = values[usize::from(step.value / 2) % values.len()] + i64::from(step.value % 2);
        Some(match step.relation % 4 {
            0 => Atom::eq(var, values[usize::from(step.value) % values.len()]),
            1 => Atom::ne(var, values[usize::from(step.value) % values.len()]),
            2 => Atom::ge(var, near.clamp(first + 1, last)),
            _ => Atom::le(var, near.clamp(first, last - 1)),
        })
    }

    fn go_down(&mut self, decision: Atom) -> Result<bool, Fault> {
        self.levels.push(Level {
            plain: self.plain.words(),
            logged: self.logged.words(),
            domains: self.plain.domains(),
            decision,
        });
        self.plain.engine.push_level();
        self.logged.engine.push_level();
        self.decide(decision)
    }

    /// Undoes a level, and takes the other branch if told to.
    fn go_back(&mut self, other: bool) -> Result<bool, Fault> {
        let Some(level) = self.levels.pop() else { return Ok(true) };
        self.plain.engine.pop_level();
        self.logged.engine.pop_level();
        self.undone = true;
        let depth = self.level();
        self.path.retain(|&(l, _)| l <= depth);
        if self.plain.words() != level.plain || self.logged.words() != level.logged {
            return Err(Fault::new(FaultKind::Undo, "a trailed word differs after undo"));
        }
        if self.plain.domains() != level.domains || self.logged.domains() != level.domains {
            return Err(Fault::new(FaultKind::Undo, "a domain differs after undo"));
        }
        if other { self.decide(level.decision.negated()) } else { Ok(true) }
    }

    fn decide(&mut self, atom: Atom) -> Result<bool, Fault> {
        self.path.push((self.level(), atom));
        if self.plain.engine.decide(atom).is_err() || self.logged.engine.decide(atom).is_err() {
            let words = format!("{} was open, but cannot be made true", self.subject.words(atom));
            return Err(Fault::new(FaultKind::Undo, words));
        }
        self.arrive()
    }

    /// Propagates at a new node and checks all there is to check. Says whether it did not fail.
    fn arrive(&mut self) -> Result<bool, Fault> {
        self.nodes += 1;
        let from = self.logged.engine.store.log.now();
        let before = if self.levels.is_empty() { Vec::new() } else { self.plain.domains() };
        let alive = self.plain.propagate();
        self.failures += u64::from(!alive);
        let node = Node { subject: self.subject, relaxed: self.relaxed, path: &self.path };
        match node.check(&mut self.plain, alive) {
            Ok(narrow) => self.too_wide += u64::from(!narrow),
            Err(fault) if self.undone && node.is_right_without_undo() => return Err(fault.by_undo()),
            Err(fault) => return Err(fault),
        }
        if self.logged.propagate() != alive {
            return Err(Fault::new(
                FaultKind::LogDiffers,
                format!("with the log off it is {alive} that there is no failure"),
            ));
        }
        self.reasons.check_changes(&self.logged, from)?;
        if !alive {
            self.reasons.check_failure(&self.logged)?;
            return Ok(false);
        }
        let domains = self.plain.domains();
        if self.logged.domains() != domains {
            let words = format!("{:?} with the log on, {domains:?} with it off", self.logged.domains());
            return Err(Fault::new(FaultKind::LogDiffers, words));
        }
        self.pruned |= !before.is_empty() && before != domains;
        Ok(true)
    }

    /// Where the walk is, in words.
    fn words(&self) -> String {
        let mut words = String::from("the root");
        for &(level, atom) in &self.path {
            words += &format!(", then {} on level {level}", self.subject.words(atom));
        }
        words
    }
}

/// What is right at one node, whatever came before.
struct Node<'a> {
    subject: &'a Subject,
    relaxed: Option<&'a Relaxed>,
    path: &'a [(u32, Atom)],
}

impl Node<'_> {
    /// Checks a node just propagated. `Ok(false)` if its domains were too wide for a part of it.
    fn check(&self, probe: &mut Probe, alive: bool) -> Result<bool, Fault> {
        let on_path = |row: &&Vec<i64>| self.path.iter().all(|(_, a)| a.holds(row[a.var().index()]));
        let mut supports = self.subject.extended.iter().filter(on_path);
        if !alive {
            return supports.next().map_or(Ok(true), |row| {
                let words = self.subject.words_of(&row[1..=self.subject.domains.len()]);
                Err(Fault::new(FaultKind::Unsound, format!("fails though this is a solution: {words}")))
            });
        }
        let domains = probe.domains();
        for row in supports {
            if let Some(x) = (0..row.len()).find(|&x| !probe.contains(x, row[x])) {
                let atom = self.subject.words(Atom::eq(VarId(x as u32), row[x]));
                let words = self.subject.words_of(&row[1..=self.subject.domains.len()]);
                let words = format!("{atom} is no longer possible though this is a solution: {words}");
                return Err(Fault::new(FaultKind::Unsound, words));
            }
        }
        let own = &domains[1..=self.subject.domains.len()];
        self.check_full(own)?;
        self.check_condition(own)?;
        let narrow = self.check_consistency(own)?;
        self.check_fixpoint(probe, &domains)?;
        Ok(narrow)
    }

    fn check_full(&self, own: &[Vec<i64>]) -> Result<(), Fault> {
        if own.iter().any(|d| d.len() != 1) {
            return Ok(());
        }
        let values: Vec<i64> = own.iter().map(|d| d[0]).collect();
        if self.subject.whole.is_satisfied(&self.subject.model.assignment(|x| values[x.id as usize])) {
            return Ok(());
        }
        Err(Fault::new(FaultKind::Accepted, self.subject.words_of(&values)))
    }

    /// Checks that an equivalence whose one side is decided has decided the other.
    fn check_condition(&self, own: &[Vec<i64>]) -> Result<(), Fault> {
        let Some(b) = self.subject.condition.filter(|_| self.subject.form == Form::Iff) else {
            return Ok(());
        };
        if own[b].len() > 1 && own[..b].iter().all(|d| d.len() == 1) {
            let values: Vec<i64> = own[..b].iter().map(|d| d[0]).collect();
            return Err(Fault::new(FaultKind::Undecided, self.subject.words_of(&values)));
        }
        Ok(())
    }

    fn check_consistency(&self, own: &[Vec<i64>]) -> Result<bool, Fault> {
        let mut narrow = true;
        if !self.subject.distinct {
            return Ok(narrow);
        }
        for &demand in &self.subject.demands {
            let b = self.subject.condition.map(|b| &own[b]);
            if b.zip(demand.condition).is_none_or(|(b, value)| b[..] == [value]) {
                narrow &= consistency::check(self.subject, demand, self.relaxed, own)?;
            }
        }
        Ok(narrow)
    }

    /// Checks that propagating once more, and posting anew, changes nothing.
    fn check_fixpoint(&self, probe: &mut Probe, domains: &[Vec<i64>]) -> Result<(), Fault> {
        let changed = |what: &str, new: Option<&[Vec<i64>]>| {
            let words = match new {
                Some(new) => format!("{what}, {domains:?} becomes {new:?}"),
                None => format!("{what}, {domains:?} fails"),
            };
            Err(Fault::new(FaultKind::NotAtFixpoint, words))
        };
        probe.engine.push_level();
        probe.engine.wake_all();
        let alive = probe.propagate();
        let again = alive.then(|| probe.domains());
        probe.engine.pop_level();
        if again.as_deref() != Some(domains) {
            return changed("propagated again", again.as_deref());
        }
        if probe.domains() != domains {
            return Err(Fault::new(FaultKind::Undo, "a domain differs after undo"));
        }
        let own = 1..=self.subject.domains.len();
        let mut fresh = Probe::over(self.subject, &domains[own.clone()]);
        let anew = fresh.propagate().then(|| fresh.domains()[own.clone()].to_vec());
        // On narrower domains the same constraint may be propagated otherwise.
        let strict = self.subject.distinct
            && self.subject.whole.consistency() != Consistency::Check
            && fresh.are_words(own.clone()) == probe.are_words(own.clone());
        if strict && anew.as_deref() != Some(&domains[own.clone()]) {
            return changed("posted anew", anew.as_deref());
        }
        // Where that may remove more, it must not remove a solution.
        let inside = |row: &&[i64]| row.iter().zip(&domains[own.clone()]).all(|(v, d)| d.contains(v));
        let rows = self.subject.extended.iter().map(|row| &row[own.clone()]);
        for row in rows.filter(inside) {
            if anew.as_ref().is_none_or(|anew| row.iter().zip(anew).any(|(v, d)| !d.contains(v))) {
                let words = format!("posted anew on {domains:?}, loses {}", self.subject.words_of(row));
                return Err(Fault::new(FaultKind::Unsound, words));
            }
        }
        Ok(())
    }

    /// Whether the same node, reached straight, shows no fault.
    fn is_right_without_undo(&self) -> bool {
        let mut probe = Probe::new(self.subject);
        let mut alive = probe.propagate();
        for &(level, atom) in self.path {
            if !alive {
                return false;
            }
            while probe.engine.level() < level {
                probe.engine.push_level();
            }
            alive = probe.assert(&[atom]);
        }
        self.check(&mut probe, alive).is_ok()
    }
}
