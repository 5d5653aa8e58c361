//! Writing changes to the log; only called when a hook is set.

use super::Store;
use crate::engine::log::Side;
use crate::engine::reason::{Reason, Why};
use crate::engine::view::VarId;

impl Store {
    #[cold]
    pub(super) fn record_removal(
        &mut self,
        x: VarId,
        value: i64,
        old: (i64, i64),
        new: (i64, i64),
        why: impl Why,
    ) {
        let reason = why.reason(self.running, &mut self.log);
        self.log.push(x, Side::Hole, value, value, reason);
        if new.0 != old.0 {
            self.log.push(x, Side::Min, old.0, new.0, Reason::DOMAIN);
        }
        if new.1 != old.1 {
            self.log.push(x, Side::Max, old.1, new.1, Reason::DOMAIN);
        }
    }

    #[cold]
    pub(super) fn record_min(&mut self, x: VarId, old: i64, asked: i64, why: impl Why) {
        let reason = why.reason(self.running, &mut self.log);
        self.log.push(x, Side::Min, old, asked, reason);
        let new = self.var_min(x);
        if new != asked {
            self.log.push(x, Side::Min, asked, new, Reason::DOMAIN);
        }
    }

    #[cold]
    pub(super) fn record_max(&mut self, x: VarId, old: i64, asked: i64, why: impl Why) {
        let reason = why.reason(self.running, &mut self.log);
        self.log.push(x, Side::Max, old, asked, reason);
        let new = self.var_max(x);
        if new != asked {
            self.log.push(x, Side::Max, asked, new, Reason::DOMAIN);
        }
    }

    #[cold]
    pub(super) fn record_fix(&mut self, x: VarId, value: i64, old: (i64, i64), why: impl Why) {
        let reason = why.reason(self.running, &mut self.log);
        if value != old.0 {
            self.log.push(x, Side::Min, old.0, value, reason);
        }
        if value != old.1 {
            self.log.push(x, Side::Max, old.1, value, reason);
        }
    }
}
