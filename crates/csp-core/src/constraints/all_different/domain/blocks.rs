//! A partition that is only ever refined, and comes back on undo.

use crate::engine::{Context, Poster, Slot};

/// The numbers below `n` in blocks.
///
/// Blocks stand side by side in `order`. Refining one shuffles the numbers in it only, so the order is
/// *advice*: on undo blocks grow together again, and their order inside does not matter. Where blocks
/// start is *trailed*, one bit for each place.
#[derive(Debug)]
pub(super) struct Blocks {
    order: Vec<u32>,
    place: Vec<u32>,
    starts: Vec<Slot>,
}

impl Blocks {
    /// One block.
    pub(super) fn new(poster: &mut Poster<'_>, n: usize) -> Blocks {
        let order: Vec<u32> = (0..n as u32).collect();
        Blocks { place: order.clone(), order, starts: (0..n / 64 + 1).map(|_| poster.state(0)).collect() }
    }

    /// The places of the block of a number, from the first to before the end.
    pub(super) fn block(&self, ctx: &Context<'_>, number: u32) -> (u32, u32) {
        let place = self.place[number as usize];
        let mut i = place as usize / 64;
        let mut word = ctx.get(self.starts[i]) & u64::MAX >> (63 - place % 64);
        while word == 0 && i > 0 {
            i -= 1;
            word = ctx.get(self.starts[i]);
        }
        let start = if word == 0 { 0 } else { 64 * i as u32 + 63 - word.leading_zeros() };
        let mut i = (place as usize + 1) / 64;
        let mut word = self.starts.get(i).map_or(0, |&s| ctx.get(s)) & u64::MAX << ((place + 1) % 64);
        while word == 0 && i + 1 < self.starts.len() {
            i += 1;
            word = ctx.get(self.starts[i]);
        }
        let end = if word == 0 { self.order.len() as u32 } else { 64 * i as u32 + word.trailing_zeros() };
        (start, end)
    }

    /// The numbers in a block.
    pub(super) fn members(&self, (start, end): (u32, u32)) -> &[u32] {
        &self.order[start as usize..end as usize]
    }

    /// Moves a number to a place within its block.
    pub(super) fn put(&mut self, number: u32, place: u32) {
        let (old, other) = (self.place[number as usize], self.order[place as usize]);
        self.order.swap(old as usize, place as usize);
        self.place[number as usize] = place;
        self.place[other as usize] = old;
    }

    /// Makes a block start at a place.
    pub(super) fn start_at(&self, ctx: &mut Context<'_>, place: u32) {
        if let Some(&slot) = self.starts.get(place as usize / 64) {
            ctx.set(slot, ctx.get(slot) | 1 << (place % 64));
        }
    }
}
