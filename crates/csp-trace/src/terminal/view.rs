//! The state of the view: a player, whether it plays by itself and how fast, and what is shown. Pure:
//! keys and time come in, nothing is drawn.

use std::{ops::ControlFlow, time::Duration};

use super::{Leaving, commands::Command};
use crate::{Kind, Player};

/// Steps in two seconds, so that the slowest is a whole number.
const SPEEDS: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];

#[derive(Debug)]
pub(super) struct View {
    pub(super) player: Player,
    pub(super) playing: bool,
    pub(super) helping: bool,
    pub(super) unfolded: bool,
    /// What the last key has to say; empty for nothing.
    pub(super) notice: String,
    /// An index into the speeds.
    speed: usize,
    /// The time since the last step that was played.
    waited: Duration,
}

impl View {
    /// Paused at the step the player is at.
    pub(super) fn new(player: Player) -> View {
        View {
            player,
            playing: false,
            helping: false,
            unfolded: false,
            notice: String::new(),
            speed: 2,
            waited: Duration::ZERO,
        }
    }

    /// Does what a key asks for.
    pub(super) fn press(&mut self, command: Command) -> ControlFlow<Leaving> {
        self.notice.clear();
        let helped = std::mem::take(&mut self.helping);
        let found = match command {
            Command::Forward => self.player.forward() || self.no("later step"),
            Command::Back => self.player.back() || self.no("earlier step"),
            Command::NextDecision => self.player.next(Kind::Choice) || self.no("later decision"),
            Command::PreviousDecision => self.player.previous(Kind::Choice) || self.no("earlier decision"),
            Command::NextSolution => self.player.next(Kind::Solution) || self.no("later solution"),
            Command::PreviousSolution => self.player.previous(Kind::Solution) || self.no("earlier solution"),
            Command::NextBacktrack => self.player.next(self.player.backtrack()) || self.no("later backtrack"),
            Command::Restart => self.go(0),
            Command::Finish => self.go(self.player.last()),
            Command::Play => self.play_or_pause(),
            Command::Faster => self.set_speed(self.speed + 1),
            Command::Slower => self.set_speed(self.speed.saturating_sub(1)),
            Command::Unfold => self.toggle_folding(),
            Command::Help => {
                self.helping = !helped;
                self.playing = false;
                true
            }
            Command::Close if helped => true,
            Command::Close | Command::Leave => return ControlFlow::Break(Leaving::Asked),
            Command::Interrupt => return ControlFlow::Break(Leaving::Interrupted),
        };
        if !found || self.player.at() == self.player.last() {
            self.playing = false;
        }
        ControlFlow::Continue(())
    }

    /// Some time has passed; whether that changed anything.
    pub(super) fn pass(&mut self, time: Duration) -> bool {
        /// What a machine that slept has missed is not played at once.
        const MOST: Duration = Duration::from_secs(2);
        let at = self.player.at();
        self.waited = (self.waited + time).min(MOST);
        while self.playing && self.waited >= self.period() {
            self.waited -= self.period();
            self.player.forward();
            self.playing = self.player.at() < self.player.last();
        }
        self.player.at() != at
    }

    /// The time until the next step is played, if one will be.
    pub(super) fn until_next(&self) -> Option<Duration> {
        self.playing.then(|| self.period().saturating_sub(self.waited))
    }

    /// The speed in words.
    pub(super) fn speed(&self) -> String {
        match SPEEDS[self.speed] {
            1 => "1 step in 2 seconds".to_owned(),
            2 => "1 step a second".to_owned(),
            halves => format!("{} steps a second", halves / 2),
        }
    }

    fn period(&self) -> Duration {
        Duration::from_secs(2) / SPEEDS[self.speed]
    }

    fn no(&mut self, thing: &str) -> bool {
        self.notice = format!("There is no {thing}.");
        false
    }

    fn go(&mut self, target: usize) -> bool {
        self.player.go(target);
        true
    }

    fn play_or_pause(&mut self) -> bool {
        if !self.playing && self.player.at() == self.player.last() {
            self.player.go(0);
        }
        self.playing = !self.playing;
        self.waited = Duration::ZERO;
        true
    }

    fn set_speed(&mut self, speed: usize) -> bool {
        self.speed = speed.min(SPEEDS.len() - 1);
        self.notice = format!("{}.", self.speed());
        true
    }

    fn toggle_folding(&mut self) -> bool {
        self.unfolded = !self.unfolded;
        true
    }
}
