//! The state of the view: a player, whether it plays by itself and how fast, and what is shown. Keys and
//! time come in; it reads no clock and no terminal.

use std::{ops::ControlFlow, time::Duration};

use ratatui::{Frame, crossterm::event::KeyEvent};

use super::{Leaving, commands::Command, draw};
use crate::{Kind, Player};

/// Steps in two seconds, so that the slowest is a whole number.
const SPEEDS: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];

/// A story as it is shown: for [`watch`](super::watch), or in a terminal program of your own.
///
/// ```
/// use csp_trace::{Board, Kind, Player, Status, Step, Story, TreeNode, terminal::View};
/// use ratatui::{Terminal, backend::TestBackend, crossterm::event::KeyCode};
///
/// let story = Story {
///     boards: vec![Board::default()],
///     nodes: vec![TreeNode { parent: None, label: "start".into(), status: Status::Open }],
///     steps: vec![Step::new(Kind::Start, "Here we go."), Step::new(Kind::End, "That was all.")],
///     ..Story::default()
/// };
/// let mut view = View::new(Player::new(story)?);
/// let mut terminal = Terminal::new(TestBackend::new(40, 10))?;
/// assert!(view.key(KeyCode::Right.into()).is_continue());
/// terminal.draw(|frame| view.draw(frame))?;
/// assert!(terminal.backend().to_string().contains("End: That was all."));
/// assert!(view.key(KeyCode::Char('q').into()).is_break());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct View {
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
    pub fn new(player: Player) -> View {
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

    /// The player.
    pub fn player(&self) -> &Player {
        &self.player
    }

    /// Does what a key asks for, until it asks to leave.
    pub fn key(&mut self, key: KeyEvent) -> ControlFlow<Leaving> {
        Command::of(key).map_or(ControlFlow::Continue(()), |command| self.press(command))
    }

    /// Draws all panes that fit.
    pub fn draw(&self, frame: &mut Frame<'_>) {
        draw::draw(frame, self);
    }

    fn press(&mut self, command: Command) -> ControlFlow<Leaving> {
        self.notice.clear();
        let helped = std::mem::take(&mut self.helping);
        let found = match command {
            Command::Forward => self.player.forward() || self.no("later step"),
            Command::Back => self.player.back() || self.no("earlier step"),
            Command::NextDecision => self.player.next(Kind::Choice) || self.no("later decision"),
            Command::PreviousDecision => self.player.previous(Kind::Choice) || self.no("earlier decision"),
            Command::NextSolution => self.player.next(Kind::Solution) || self.no("later solution"),
            Command::PreviousSolution => self.player.previous(Kind::Solution) || self.no("earlier solution"),
            Command::NextBacktrack => self.player.next_backtrack() || self.no("later backtrack"),
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
    pub fn pass(&mut self, time: Duration) -> bool {
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
    pub fn until_next(&self) -> Option<Duration> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, Status, Step, Story, TreeNode};

    fn view() -> View {
        use Kind::{Choice, DeadEnd, Solution, Start, Undo};
        let kinds = [Start, Choice, Choice, DeadEnd, Undo, Choice, Solution];
        let story = Story {
            boards: vec![Board::default()],
            nodes: vec![TreeNode { parent: None, label: "start".into(), status: Status::Open }],
            steps: kinds.map(|kind| Step::new(kind, "…")).into(),
            ..Story::default()
        };
        View::new(Player::new(story).unwrap())
    }

    /// Where the view is after each command.
    fn places(view: &mut View, commands: &[Command]) -> Vec<usize> {
        let press = |&command| {
            assert_eq!(view.press(command), ControlFlow::Continue(()));
            view.player.at()
        };
        commands.iter().map(press).collect()
    }

    #[test]
    fn every_key_goes_where_it_says() {
        use Command::*;
        let commands = [Forward, Forward, Back, NextDecision, NextDecision, PreviousDecision, NextBacktrack];
        assert_eq!(places(&mut view(), &commands), [1, 2, 1, 2, 5, 2, 4]);
        let commands = [NextSolution, NextSolution, Restart, PreviousSolution, Finish, PreviousSolution];
        assert_eq!(places(&mut view(), &commands), [6, 6, 0, 0, 6, 6]);
    }

    #[test]
    fn what_is_not_there_is_said() {
        let mut view = view();
        places(&mut view, &[Command::Back]);
        assert_eq!(view.notice, "There is no earlier step.");
        places(&mut view, &[Command::Forward]);
        assert_eq!(view.notice, "");
    }

    #[test]
    fn it_plays_at_its_speed_and_stops_at_the_end() {
        let mut view = view();
        assert!(!view.pass(Duration::from_secs(9)));
        assert_eq!(view.until_next(), None);
        places(&mut view, &[Command::Play]);
        assert_eq!(view.until_next(), Some(Duration::from_millis(500)));
        assert!(!view.pass(Duration::from_millis(499)));
        assert!(view.pass(Duration::from_millis(1)));
        assert_eq!(view.player.at(), 1);
        places(&mut view, &[Command::Faster, Command::Faster]);
        assert_eq!(view.speed(), "8 steps a second");
        assert!(view.pass(Duration::from_millis(250)));
        assert_eq!(view.player.at(), 3);
        places(&mut view, &[Command::Play]);
        assert!(!view.pass(Duration::from_secs(1)));
        places(&mut view, &[Command::Play]);
        assert!(view.pass(Duration::from_secs(60)));
        assert_eq!((view.player.at(), view.playing), (6, false));
        // From the end it plays from the beginning.
        assert_eq!(places(&mut view, &[Command::Play]), [0]);
        assert!(view.playing);
    }

    #[test]
    fn the_speed_has_two_ends() {
        let mut view = view();
        places(&mut view, &[Command::Slower; 9]);
        assert_eq!(view.speed(), "1 step in 2 seconds");
        places(&mut view, &[Command::Faster; 19]);
        assert_eq!(view.speed(), "32 steps a second");
    }

    #[test]
    fn help_is_closed_by_what_would_leave() {
        let mut view = view();
        places(&mut view, &[Command::Help]);
        assert!(view.helping);
        places(&mut view, &[Command::Close]);
        assert!(!view.helping);
        assert_eq!(view.press(Command::Close), ControlFlow::Break(Leaving::Asked));
        assert_eq!(view.press(Command::Leave), ControlFlow::Break(Leaving::Asked));
        assert_eq!(view.press(Command::Interrupt), ControlFlow::Break(Leaving::Interrupted));
    }
}
