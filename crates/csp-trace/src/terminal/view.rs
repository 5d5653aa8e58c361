//! The state of the view: a player, whether it plays by itself and how fast, and what is pointed at. Keys
//! and time come in; it reads no clock and no terminal.

use std::{ops::ControlFlow, time::Duration};

use ratatui::{Frame, crossterm::event::KeyEvent};

use super::{
    Leaving,
    commands::{Command, HELP},
    draw,
    focus::{Cursor, Direction, Focus, panes, walk_tree},
    prediction::{Prediction, Question},
};
use crate::{Kind, OutlineLine, Player, Square};

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
    /// The first key of the help that is shown, while it is.
    pub(super) help: Option<usize>,
    pub(super) unfolded: bool,
    pub(super) focus: Focus,
    /// Where a board was pointed at last.
    cursor: Option<Cursor>,
    pub(super) prediction: Prediction,
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
            help: None,
            unfolded: false,
            focus: Focus::Steps,
            cursor: None,
            prediction: Prediction::default(),
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
        let (at, help) = (self.player.at(), self.help.take());
        let found = match command {
            Command::Walk(direction) => self.walk(direction, help),
            Command::Forward => self.forward() || self.no("later step"),
            Command::Back => self.player.back() || self.no("earlier step"),
            Command::NextDecision => {
                self.onward(|player| player.next(Kind::Choice)) || self.no("later decision")
            }
            Command::PreviousDecision => self.player.previous(Kind::Choice) || self.no("earlier decision"),
            Command::NextSolution => {
                self.onward(|player| player.next(Kind::Solution)) || self.no("later solution")
            }
            Command::PreviousSolution => self.player.previous(Kind::Solution) || self.no("earlier solution"),
            Command::NextBacktrack => self.onward(Player::next_backtrack) || self.no("later backtrack"),
            Command::Restart => self.go(0),
            Command::Finish => self.go(self.player.last()),
            Command::Play => self.play_or_pause(),
            Command::Faster => self.set_speed(self.speed + 1),
            Command::Slower => self.set_speed(self.speed.saturating_sub(1)),
            Command::NextPane => self.change_pane(1),
            Command::PreviousPane => self.change_pane(-1),
            Command::Enter => self.enter(),
            Command::Label(label) => self.point_at_label(label),
            Command::Predict => self.toggle_prediction(),
            Command::Unfold => self.toggle_folding(),
            Command::Help => {
                self.help = help.is_none().then_some(0);
                self.playing = false;
                true
            }
            Command::Close if help.is_some() => true,
            Command::Close if self.focus != Focus::Steps => self.enter_pane(Focus::Steps),
            Command::Close | Command::Leave => return ControlFlow::Break(Leaving::Asked),
            Command::Interrupt => return ControlFlow::Break(Leaving::Interrupted),
        };
        if !found || self.player.at() == self.player.last() {
            self.playing = false;
        }
        if self.player.at() != at {
            self.settle();
        }
        ControlFlow::Continue(())
    }

    /// After a move: a question is answered or no longer of interest, and the tree is where the step is.
    fn settle(&mut self) {
        let at = self.player.at();
        if let Some(Question { before, .. }) = self.prediction.question.take_if(|question| question.at != at)
        {
            self.focus = before;
        }
        if let Focus::Tree(_) = self.focus {
            self.focus = Focus::Tree(self.player.step().node);
        }
    }

    /// One step forward, or the question what it will be; whether there was one.
    fn forward(&mut self) -> bool {
        self.onward(Player::forward)
    }

    /// A move forward, which stops at the first choice on the way that is to be asked for; whether there
    /// was one. What was asked for here is shown.
    fn onward(&mut self, moves: impl FnOnce(&mut Player) -> bool) -> bool {
        let at = self.player.at();
        let moved = moves(&mut self.player);
        let first = at + 1 + usize::from(self.prediction.question.is_some());
        let last = if self.prediction.is_on { self.player.at() } else { at };
        let choice = |step: usize| Some((step - 1, self.player.choice(step)?));
        if let Some((before, square)) = (first..=last).find_map(choice) {
            self.player.go(before);
            self.settle();
            self.ask(square);
        }
        moved
    }

    /// Asks for the square that comes next.
    fn ask(&mut self, square: Square) {
        self.playing = false;
        let question = Question { square, at: self.player.at(), before: self.focus };
        self.prediction.question = Some(question);
        let cursor = self.cursor.unwrap_or_else(|| Cursor::at_step(&self.player));
        self.enter_pane(Focus::Board(cursor.moved_to(square.board, self.player.story())));
    }

    fn walk(&mut self, direction: Direction, help: Option<usize>) -> bool {
        match (help, self.focus, direction) {
            (Some(line), _, Direction::Up) => self.help = Some(line.saturating_sub(1)),
            (Some(line), _, Direction::Down) => self.help = Some((line + 1).min(HELP.len() - 1)),
            (_, Focus::Steps, Direction::Right) => return self.forward() || self.no("later step"),
            (_, Focus::Steps, Direction::Left) => return self.player.back() || self.no("earlier step"),
            (_, Focus::Steps, _) => (),
            (_, Focus::Board(cursor), _) => {
                self.enter_pane(Focus::Board(cursor.walk(direction, self.player.story())));
            }
            (_, Focus::Tree(node), _) => {
                self.focus = Focus::Tree(walk_tree(&self.outline(), node, direction));
            }
        }
        true
    }

    fn enter(&mut self) -> bool {
        match (self.focus, self.prediction.question) {
            (Focus::Board(cursor), Some(Question { square, .. })) => {
                self.notice = match self.prediction.answer(square, cursor) {
                    true => "Right.".to_owned(),
                    false => format!("No: it is {}.", self.player.name(square)),
                };
                self.player.forward()
            }
            (Focus::Tree(node), _) => self.player.go_to_node(node),
            _ => true,
        }
    }

    fn change_pane(&mut self, by: isize) -> bool {
        let cursor = self.cursor.unwrap_or_else(|| Cursor::at_step(&self.player));
        let panes = panes(&self.player, cursor);
        let is_here = |pane: &Focus| match (pane, self.focus) {
            (Focus::Board(there), Focus::Board(here)) => there.board == here.board,
            (there, here) => std::mem::discriminant(there) == std::mem::discriminant(&here),
        };
        let here = panes.iter().position(is_here).unwrap_or(0);
        let next = here.checked_add_signed(by).unwrap_or(panes.len() - 1) % panes.len();
        self.enter_pane(panes[next])
    }

    fn enter_pane(&mut self, focus: Focus) -> bool {
        self.focus = focus;
        if let Focus::Board(cursor) = focus {
            self.cursor = Some(cursor);
        }
        true
    }

    fn point_at_label(&mut self, label: char) -> bool {
        if let Focus::Board(cursor) = self.focus
            && let Some(cursor) = cursor.with_label(label, self.player.story())
        {
            self.focus = Focus::Board(cursor);
        }
        true
    }

    fn toggle_prediction(&mut self) -> bool {
        if let Some(Question { before, .. }) = self.prediction.question.take() {
            self.focus = before;
        }
        self.prediction.is_on = !self.prediction.is_on;
        self.notice = match self.prediction.is_on {
            true => "You will be asked for each square before it is shown.".to_owned(),
            false => String::new(),
        };
        true
    }

    /// The nodes that are shown.
    pub(super) fn outline(&self) -> Vec<OutlineLine> {
        self.player.outline().lines(self.player.at(), self.player.step().node, self.unfolded)
    }

    /// Some time has passed; whether that changed anything.
    pub fn pass(&mut self, time: Duration) -> bool {
        /// What a machine that slept has missed is not played at once.
        const MOST: Duration = Duration::from_secs(2);
        let was_playing = self.playing;
        self.waited = (self.waited + time).min(MOST);
        let mut moved = false;
        while self.playing && self.waited >= self.period() {
            self.waited -= self.period();
            let at = self.player.at();
            self.forward();
            self.playing &= self.player.at() < self.player.last();
            if self.player.at() != at {
                moved = true;
                self.settle();
            }
        }
        moved || self.playing != was_playing
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
        // Playing on would be no answer.
        if self.prediction.question.is_some() {
            return true;
        }
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
        if let Focus::Tree(node) = self.focus
            && !self.outline().iter().any(|line| line.node == node)
        {
            self.focus = Focus::Tree(self.player.step().node);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, CellChange, CellState, Row, Status, Step, Story, TreeNode};

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
        let commands = [
            Forward,
            Walk(Direction::Right),
            Walk(Direction::Left),
            NextDecision,
            NextDecision,
            PreviousDecision,
            NextBacktrack,
        ];
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

    /// Two rows of two squares with a decision in each, the second of which fails.
    fn tree() -> View {
        use CellState::{Chosen, Free};
        let node = |parent, label: &str, status| TreeNode { parent, label: label.into(), status };
        let choice = |node, row, cell| Step {
            node,
            changes: vec![CellChange::new(row, cell, Free, Chosen)],
            ..Step::new(Kind::Choice, "…")
        };
        let rows = vec![Row::numbered("row 0", 2), Row::numbered("row 1", 2)];
        let story = Story {
            boards: vec![Board { rows, ..Board::default() }],
            nodes: vec![
                node(None, "start", Status::Open),
                node(Some(0), "0,1", Status::Open),
                node(Some(1), "1,0", Status::Open),
            ],
            steps: vec![Step::new(Kind::Start, "…"), choice(1, 0, 1), choice(2, 1, 0)],
            ..Story::default()
        };
        View::new(Player::new(story).unwrap())
    }

    /// The same after a step that does nothing, with a solution behind it.
    fn solved() -> View {
        let mut story = tree().player.story().clone();
        story.steps.insert(1, Step::new(Kind::Fixpoint, "…"));
        story.steps.push(Step { node: 2, ..Step::new(Kind::Solution, "…") });
        View::new(Player::new(story).unwrap())
    }

    #[test]
    fn arrows_walk_in_the_pane_and_the_pane_can_be_left() {
        use Command::*;
        use Direction::*;
        let mut view = tree();
        let board = |row, cell| Focus::Board(Cursor { board: 0, row, cell: Some(cell) });
        let mut focus_after = |commands: &[Command]| {
            places(&mut view, commands);
            (view.focus, view.player.at())
        };
        assert_eq!(focus_after(&[NextPane]), (board(0, 0), 0));
        assert_eq!(focus_after(&[Walk(Down), Walk(Right), Walk(Right)]), (board(1, 1), 0));
        assert_eq!(focus_after(&[Forward]), (board(1, 1), 1));
        assert_eq!(focus_after(&[NextPane]), (Focus::Tree(1), 1));
        assert_eq!(focus_after(&[Forward]), (Focus::Tree(2), 2));
        assert_eq!(focus_after(&[Walk(Up)]), (Focus::Tree(1), 2));
        assert_eq!(focus_after(&[Enter]), (Focus::Tree(1), 1));
        assert_eq!(focus_after(&[Walk(Left), Walk(Up)]), (Focus::Tree(0), 1));
        assert_eq!(focus_after(&[Walk(Right), Walk(Right)]), (Focus::Tree(1), 1));
        assert_eq!(focus_after(&[NextPane, Walk(Right)]), (Focus::Steps, 2));
        assert_eq!(focus_after(&[PreviousPane, PreviousPane]), (board(1, 1), 2));
        assert_eq!(focus_after(&[Close, Walk(Left)]), (Focus::Steps, 1));
    }

    #[test]
    fn a_guess_comes_before_its_step_and_is_counted() {
        use Command::*;
        use Direction::*;
        let mut view = tree();
        let score = |view: &View| view.prediction.score().unwrap();
        assert_eq!(places(&mut view, &[Predict, Walk(Right)]), [0, 0]);
        assert!(view.prediction.question.is_some());
        // Where the cursor starts is not the answer.
        assert_eq!(places(&mut view, &[Enter]), [1]);
        assert_eq!((view.notice.as_str(), view.focus), ("No: it is row 0 = 1.", Focus::Steps));
        assert_eq!(score(&view), "predicted: 0 right, 1 wrong");
        // To the left of where the last guess was, and down.
        assert_eq!(places(&mut view, &[Walk(Right), Walk(Down), Enter]), [1, 1, 2]);
        assert_eq!(view.notice, "Right.");
        assert_eq!(score(&view), "predicted: 1 right, 1 wrong");
        // What is not answered is shown when asked again, and not counted.
        assert_eq!(places(&mut view, &[Restart, Forward, Forward]), [0, 0, 1]);
        assert_eq!(view.focus, Focus::Steps);
        assert_eq!(score(&view), "predicted: 1 right, 1 wrong");
        // No guess is asked for by a way back, or when it is off.
        assert_eq!(places(&mut view, &[Forward, Back, Predict, Forward]), [1, 0, 0, 1]);
        assert_eq!(view.prediction.score(), None);
    }

    #[test]
    fn playing_stops_to_ask() {
        let mut view = tree();
        places(&mut view, &[Command::Predict, Command::Play]);
        assert!(view.pass(Duration::from_secs(2)));
        assert_eq!((view.player.at(), view.playing), (0, false));
        assert!(view.prediction.question.is_some());
        // It does not play on over the question, but after it is answered, to the next.
        places(&mut view, &[Command::Play]);
        assert!(!view.pass(Duration::from_secs(2)));
        assert_eq!((view.player.at(), view.playing), (0, false));
        assert_eq!(places(&mut view, &[Command::Enter, Command::Play]), [1, 1]);
        assert!(view.pass(Duration::from_secs(2)));
        assert_eq!((view.player.at(), view.playing), (1, false));
        assert!(view.prediction.question.is_some());
    }

    #[test]
    fn jumps_stop_to_ask() {
        use Command::*;
        let mut view = tree();
        let mut after = |command| (places(&mut view, &[command])[0], view.prediction.question.is_some());
        assert_eq!(after(Predict), (0, false));
        assert_eq!(after(NextDecision), (0, true));
        // Jumping on shows what was asked for, and asks for what comes next.
        assert_eq!(after(NextDecision), (1, false));
        assert_eq!(after(NextDecision), (1, true));
        assert_eq!(after(Restart), (0, false));
        // The end and the nodes of the tree are there for those who want to see.
        assert_eq!(after(Finish), (2, false));
    }

    #[test]
    fn a_jump_over_a_choice_asks_for_it_first() {
        let mut view = solved();
        places(&mut view, &[Command::Predict, Command::NextSolution]);
        assert_eq!((view.player.at(), view.prediction.question.is_some()), (1, true));
        let square = view.prediction.question.map(|question| question.square);
        assert_eq!(square, Some(Square { board: 0, row: 0, cell: 1 }));
        // Past the first, to the second.
        places(&mut view, &[Command::NextSolution]);
        assert_eq!((view.player.at(), view.prediction.question.is_some()), (2, true));
        places(&mut view, &[Command::NextSolution]);
        assert_eq!((view.player.at(), view.prediction.question.is_some()), (4, false));
    }

    #[test]
    fn help_is_closed_by_what_would_leave() {
        let mut view = view();
        places(&mut view, &[Command::Help]);
        assert!(view.help.is_some());
        places(&mut view, &[Command::Close]);
        assert!(view.help.is_none());
        assert_eq!(view.press(Command::Close), ControlFlow::Break(Leaving::Asked));
        assert_eq!(view.press(Command::Leave), ControlFlow::Break(Leaving::Asked));
        assert_eq!(view.press(Command::Interrupt), ControlFlow::Break(Leaving::Interrupted));
    }
}
