//! What can happen to a domain, as a set of bits.

/// A set of domain events, as a bit mask.
///
/// A propagator subscribes to the events it wants; a change raises all events that apply to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Events(pub(crate) u8);

impl Events {
    /// No event.
    pub const NONE: Events = Events(0);
    /// One value is left.
    pub const FIXED: Events = Events(1);
    /// The smallest value grew.
    pub const MIN: Events = Events(2);
    /// The largest value shrank.
    pub const MAX: Events = Events(4);
    /// Either bound changed.
    pub const BOUNDS: Events = Events(6);
    /// Some value was removed; raised by every change.
    pub const ANY: Events = Events(8);

    /// The events of both sets.
    pub const fn union(self, other: Events) -> Events {
        Events(self.0 | other.0)
    }

    /// Whether the two sets share an event.
    pub const fn intersects(self, other: Events) -> bool {
        self.0 & other.0 != 0
    }

    /// The same events seen through a view of negative scale: its minimum is the variable's maximum.
    pub(crate) const fn mirrored(self) -> Events {
        let (min, max) = (self.0 & Self::MIN.0, self.0 & Self::MAX.0);
        Events(self.0 & !Self::BOUNDS.0 | min << 1 | max >> 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirroring_swaps_the_bounds_only() {
        assert_eq!(Events::MIN.mirrored(), Events::MAX);
        assert_eq!(Events::MAX.union(Events::FIXED).mirrored(), Events::MIN.union(Events::FIXED));
        assert_eq!(Events::ANY.mirrored(), Events::ANY);
    }
}
