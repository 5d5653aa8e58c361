//! Stories beside independent counts, and each of their sentences beside the geometry of the board.

use std::{cmp::Ordering, collections::BTreeMap};

use csp_trace::{CellChange, CellState, Kind, Status, Step, Story};

use super::Telling;
use crate::{Queens, Square, attacks};

/// A board with queens, one with blocked squares, and what cannot be.
fn puzzles(size: usize) -> Vec<Queens> {
    let empty = Queens::new(size);
    let last = size - 1;
    let place = |puzzle: Queens, row, column| puzzle.place(row, column).unwrap();
    vec![
        place(empty.clone(), last, 0),
        place(empty.clone(), 0, size / 2).block(last, 0).unwrap().block(last / 2, last).unwrap(),
        place(place(empty.clone(), 0, 0), last, last),
        place(place(empty.clone(), last / 2, 0), last / 2, last),
        place(empty.clone(), 0, 0).block(0, 0).unwrap(),
        (0..size).fold(empty.clone(), |puzzle, column| puzzle.block(last, column).unwrap()),
        (1..size).fold(empty.clone(), |puzzle, column| puzzle.block(last, column).unwrap()),
        empty,
    ]
}

/// All solutions, by nothing but the definition.
fn solutions(puzzle: &Queens) -> Vec<Vec<usize>> {
    let mut boards = vec![Vec::new()];
    for row in 0..puzzle.size() {
        let next = |board: &Vec<usize>| -> Vec<Vec<usize>> {
            let safe = |&column: &usize| {
                board.iter().enumerate().all(|(above, &other)| !attacks((above, other), (row, column)))
            };
            let longer = |column| [&board[..], &[column]].concat();
            (0..puzzle.size()).filter(safe).map(longer).collect()
        };
        boards = boards.iter().flat_map(next).collect();
    }
    boards.retain(|board| puzzle.is_solution(board));
    boards
}

fn told(story: &Story) -> Vec<Vec<usize>> {
    let solutions = story.steps.iter().filter(|step| step.kind == Kind::Solution);
    solutions.map(|step| numbers(step.words.split_once(": ").unwrap().1)).collect()
}

/// The numbers in a sentence.
fn numbers(words: &str) -> Vec<usize> {
    words.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

/// The sentence with `#` for each number.
fn form(words: &str) -> String {
    let mut form = String::new();
    for letter in words.chars() {
        match letter.is_ascii_digit() {
            true if form.ends_with('#') => {}
            true => form.push('#'),
            false => form.push(letter),
        }
    }
    form
}

#[test]
fn four_queens_take_the_well_known_course() {
    let story = Telling::new().plain(&Queens::new(4)).unwrap();
    use Kind::{Choice, DeadEnd, End, Solution, Start};
    let kinds: Vec<Kind> = story.steps.iter().map(|step| step.kind).collect();
    let (head, tail) = ([Start, Choice, Choice, DeadEnd, Choice, Choice], [DeadEnd; 3]);
    assert_eq!(kinds, [&head[..], &tail, &[Choice; 4], &[Solution, End]].concat());
    let choices = story.steps.iter().filter(|step| step.kind == Choice);
    let labels: Vec<&str> = choices.map(|step| story.nodes[step.node].label.as_str()).collect();
    assert_eq!(labels, ["0,0", "1,2", "1,3", "2,1", "0,1", "1,3", "2,0", "3,2"]);
    assert_eq!(story.steps[13].words, "solution 1: [1, 3, 0, 2]");
    let words = &story.steps[3].words;
    assert!(words.starts_with("row 2 has no square left, so the queen on row 1 must move\n"), "{words}");
    let line = "\nrow 2, column 1 is out: the queen on row 1, column 2 attacks it along the anti-diagonal\n";
    assert!(words.contains(line), "{words}");
    // Nothing is shown that was not searched: a node for each choice, and the root.
    assert_eq!(story.nodes.len(), 9);
}

/// Nodes by level, and of those that have no queen on the last row, how many lead to no solution.
fn count(board: &mut Vec<usize>, size: usize, levels: &mut [usize], dead_ends: &mut usize) -> usize {
    let row = board.len();
    levels[row] += 1;
    if row == size {
        return 1;
    }
    let mut solutions = 0;
    for column in 0..size {
        if board.iter().enumerate().all(|(above, &other)| !attacks((above, other), (row, column))) {
            board.push(column);
            solutions += count(board, size, levels, dead_ends);
            board.pop();
        }
    }
    *dead_ends += usize::from(solutions == 0);
    solutions
}

#[test]
fn the_plain_story_has_the_known_nodes_on_each_level() {
    let mut sizes = 0;
    for line in include_str!("../../tests/data/backtrack_profile.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let (size, total) = (fields[0].parse::<usize>().unwrap(), fields[1].parse::<usize>().unwrap());
        let story = Telling::new().all(true).plain(&Queens::new(size)).unwrap();
        let mut depths: Vec<usize> = Vec::new();
        for node in &story.nodes {
            depths.push(node.parent.map_or(0, |parent| depths[parent] + 1));
        }
        let mut levels = vec![0; size + 1];
        depths.iter().for_each(|&depth| levels[depth] += 1);
        assert_eq!(levels, numbers(fields[2]), "{size}");
        assert_eq!(levels.iter().sum::<usize>(), total);

        let (mut independent, mut dead_ends) = (vec![0; size + 1], 0);
        let solutions = count(&mut Vec::new(), size, &mut independent, &mut dead_ends);
        let of = |kind| story.steps.iter().filter(|step| step.kind == kind).count();
        assert_eq!(levels, independent);
        assert_eq!((of(Kind::DeadEnd), of(Kind::Solution)), (dead_ends, solutions), "{size}");
        assert_eq!(of(Kind::Choice), total - 1);
        // Each row that was exhausted is told of, with a solution below it or without.
        assert_eq!(of(Kind::DeadEnd) + of(Kind::Undo), total - solutions);
        let failed = story.nodes.iter().filter(|node| node.status == Status::Failed).count();
        assert_eq!(failed, dead_ends);
        sizes += 1;
    }
    assert_eq!(sizes, 8);
}

/// A story that is replayed step by step, and what its sentences are measured by.
struct Replay<'a> {
    puzzle: &'a Queens,
    solutions: Vec<Vec<usize>>,
    before: Vec<Vec<CellState>>,
    now: Vec<Vec<CellState>>,
    is_plain: bool,
    /// The queen that the last dead end found attacked.
    lost: Option<Square>,
    /// How many sentences of each form were true.
    forms: BTreeMap<String, usize>,
}

impl<'a> Replay<'a> {
    fn new(puzzle: &'a Queens) -> Self {
        let board = vec![vec![CellState::Free; puzzle.size()]; puzzle.size()];
        Self {
            puzzle,
            solutions: solutions(puzzle),
            before: board.clone(),
            now: board,
            is_plain: false,
            lost: None,
            forms: BTreeMap::new(),
        }
    }

    /// Replays the steps of a story with one board, forwards and back.
    fn check(&mut self, story: &Story) -> Result<(), String> {
        story.check().map_err(|error| error.to_string())?;
        self.is_plain = story.boards[0].title == "plain backtracking";
        for (index, step) in story.steps.iter().enumerate() {
            self.before = self.now.clone();
            for change in &step.changes {
                self.now[change.row][change.cell] = change.to;
            }
            let whys = step.why.iter().map(|why| why.words.as_str());
            for sentence in step.words.lines().chain(whys) {
                match self.is_true(step, sentence) {
                    true => *self.forms.entry(form(sentence)).or_insert(0) += 1,
                    false => return Err(format!("step {}: {sentence}\n{:?}", index + 1, self.now)),
                }
            }
            self.check_board(step)?;
            let is_lost = |change: &&CellChange| change.from.is_taken() && step.kind == Kind::DeadEnd;
            self.lost = step.changes.iter().find(is_lost).map(|change| (change.row, change.cell));
        }
        for change in story.steps.iter().rev().flat_map(|step| step.changes.iter().rev()) {
            let state = &mut self.now[change.row][change.cell];
            if std::mem::replace(state, change.from) != change.to {
                return Err("going back leads elsewhere".to_owned());
            }
        }
        match self.now.iter().flatten().all(|&state| state == CellState::Free) {
            true => Ok(()),
            false => Err("going back does not lead to the start".to_owned()),
        }
    }

    /// What holds of the board after any step.
    fn check_board(&self, step: &Step) -> Result<(), String> {
        let size = self.puzzle.size();
        let queens = [self.squares(CellState::Chosen), self.squares(CellState::Forced)].concat();
        let squares = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
        for square in squares {
            let state = self.now[square.0][square.1];
            let is_given = self.puzzle.placed().any(|given| given == square);
            let ok = match state {
                CellState::Free => !is_given,
                CellState::Given => is_given,
                CellState::Chosen => true,
                // The plain search infers nothing.
                CellState::Forced => !self.is_plain,
                // Tried squares and those out by a constraint are told of in sentences.
                CellState::Out { rule } => (rule == 5) == self.puzzle.blocked().any(|other| other == square),
            };
            // In the plain search what is attacked from above is out at once, and nothing else.
            let free = matches!(state, CellState::Free | CellState::Given);
            let attacked = queens.iter().any(|&queen| queen.0 < square.0 && attacks(queen, square));
            if !ok || (self.is_plain && step.kind == Kind::Choice && free && attacked) {
                return Err(format!("{square:?} is {state:?} after {}", step.words));
            }
        }
        Ok(())
    }

    fn squares(&self, state: CellState) -> Vec<Square> {
        let rows = self.now.iter().enumerate();
        rows.flat_map(|(row, cells)| {
            let cells = cells.iter().enumerate();
            cells.filter(move |&(_, &other)| other == state).map(move |(column, _)| (row, column))
        })
        .collect()
    }

    fn is_out(&self, row: usize, column: usize) -> bool {
        matches!(self.now[row][column], CellState::Out { .. })
    }

    fn is_out_by(&self, row: usize, column: usize, rule: u8) -> bool {
        self.now[row][column] == CellState::Out { rule }
    }

    fn has_queen(&self, square: Square) -> bool {
        let is_there = |board: &Vec<Vec<CellState>>| board[square.0][square.1].is_taken();
        is_there(&self.now) || is_there(&self.before) || self.puzzle.placed().any(|given| given == square)
    }

    /// The solutions with a queen there that fit what is chosen and out in the other rows; in the plain
    /// search in those above, since the rows below may know of the next queen already.
    fn led_to(&self, square: Square) -> usize {
        let fits = |columns: &&Vec<usize>| {
            columns.iter().enumerate().all(|(row, &column)| match row.cmp(&square.0) {
                Ordering::Equal => column == square.1,
                Ordering::Greater if self.is_plain => true,
                _ => {
                    let is_queen = |state: &CellState| matches!(state, CellState::Chosen | CellState::Forced);
                    let queen = self.now[row].iter().position(is_queen);
                    !self.is_out(row, column) && queen.is_none_or(|queen| queen == column)
                }
            })
        };
        self.solutions.iter().filter(fits).count()
    }

    /// Whether nothing is left to the plain search. The engine's last dead end stands to its end.
    fn is_over(&self) -> bool {
        !self.is_plain || (0..self.puzzle.size()).all(|column| self.is_out(0, column))
    }

    /// Whether a sentence is true of the board after the step.
    fn is_true(&self, step: &Step, sentence: &str) -> bool {
        let numbers = numbers(sentence);
        // Each square of the row is out, and each has its sentence.
        let all_out = |row: usize| {
            let is_told = |column: usize| {
                let start = format!("row {row}, column {column} is out: ");
                step.words.lines().filter(|line| line.starts_with(&start)).count() == 1
            };
            (0..self.puzzle.size()).all(|column| self.is_out(row, column) && is_told(column))
        };
        let attack = |line: &str, rule: u8| {
            let (square, queen) = ((numbers[0], numbers[1]), (numbers[2], numbers[3]));
            let lies = match line {
                "column" => square.1 == queen.1,
                "diagonal" => square.1 as i64 - square.0 as i64 == queen.1 as i64 - queen.0 as i64,
                "anti-diagonal" => square.1 + square.0 == queen.1 + queen.0,
                _ => square.0 == queen.0,
            };
            lies && square != queen && self.has_queen(queen) && self.is_out_by(square.0, square.1, rule)
        };
        let led_to = |solutions: usize| {
            let square = (numbers[0], numbers[1]);
            self.is_out_by(square.0, square.1, 4) && self.led_to(square) == solutions
        };
        let becomes = |state: CellState, row: usize, column: usize| {
            self.now[row][column] == state && self.before[row][column] != state
        };
        let chosen = |row: usize, column: usize| becomes(CellState::Chosen, row, column);
        // A removal tells of what it removes.
        if step.kind == Kind::Removal && sentence.contains(" is out: ") {
            let is_removed = |change: &CellChange| (change.row, change.cell) == (numbers[0], numbers[1]);
            if !step.changes.iter().any(is_removed) {
                return false;
            }
        }
        match form(sentence).as_str() {
            "row #, column # is out: the queen on row #, column # attacks it along the column" => {
                attack("column", 0)
            }
            "row #, column # is out: the queen on row #, column # attacks it along the diagonal" => {
                attack("diagonal", 1)
            }
            "row #, column # is out: the queen on row #, column # attacks it along the anti-diagonal" => {
                attack("anti-diagonal", 2)
            }
            "row #, column # is out: the queen on row #, column # attacks it along the row" => {
                attack("row", 3)
            }
            "row #, column # is out: a queen there led to no solution" => led_to(0),
            "row #, column # is out: a queen there led to # solution"
            | "row #, column # is out: a queen there led to # solutions" => led_to(numbers[2]),
            "row #, column # is out: it is blocked" => {
                self.puzzle.blocked().any(|square| square == (numbers[0], numbers[1]))
            }
            "row #, column # has a queen from the start" => {
                self.puzzle.placed().any(|square| square == (numbers[0], numbers[1]))
            }
            "row # has one square left: its queen stands on column #" => {
                let left = |&column: &usize| !self.is_out(numbers[0], column);
                (0..self.puzzle.size()).filter(left).eq([numbers[1]])
                    && becomes(CellState::Forced, numbers[0], numbers[1])
            }
            "row #: a queen on column #" | "row #: choose column # for its queen" => {
                chosen(numbers[0], numbers[1])
            }
            "row #: the queen moves from column # to column #" => {
                self.is_out_by(numbers[0], numbers[1], 4) && chosen(numbers[0], numbers[2])
            }
            "row #: the choice of column # is taken back, and what followed from it" => {
                let (square, state) =
                    ((numbers[0], numbers[1]), |board: &Vec<Vec<CellState>>| board[numbers[0]][numbers[1]]);
                let was_chosen = state(&self.before) == CellState::Chosen || self.lost == Some(square);
                was_chosen && state(&self.now) != CellState::Chosen
            }
            "row # has no square left" | "row # has no further square" => all_out(numbers[0]),
            "row # has no square left, so the queen on row # must move"
            | "row # has no further square, so the queen on row # must move"
            | "row # has no square left, and the queen on row # cannot move"
            | "row # has no further square, and the queen on row # cannot move" => {
                let given = self.puzzle.placed().any(|(row, _)| row == numbers[1]);
                numbers[0] == numbers[1] + 1
                    && all_out(numbers[0])
                    && given == sentence.ends_with("cannot move")
                    && self.now[numbers[1]].contains(&CellState::Chosen)
            }
            "nothing more follows" => {
                // No square that is left is attacked by a queen that is fixed.
                let taken = [CellState::Chosen, CellState::Given, CellState::Forced];
                let queens: Vec<Square> = taken.into_iter().flat_map(|state| self.squares(state)).collect();
                let left = [self.squares(CellState::Free), queens.clone()].concat();
                left.iter().all(|&square| queens.iter().all(|&queen| !attacks(queen, square)))
            }
            over if over.starts_with("the search is over") && !self.is_over() => false,
            "the search is over: there is no solution" => self.solutions.is_empty(),
            "the search is over, with # solution" | "the search is over, with # solutions" => {
                numbers[0] == self.solutions.len()
            }
            "start: # row of # square" | "start: # rows of # squares" | "start: no row of no square" => {
                numbers.iter().all(|&number| number == self.puzzle.size())
            }
            "the story ends here, with the first solution" => true,
            solution if solution.starts_with("solution #: [") => {
                self.puzzle.is_solution(&numbers[1..])
                    && numbers[1..].iter().enumerate().all(|square| self.has_queen((square.0, *square.1)))
            }
            _ => false,
        }
    }
}

#[test]
fn each_sentence_is_true() {
    let mut forms: BTreeMap<String, usize> = BTreeMap::new();
    for size in 1..=8 {
        let puzzles = if size < 7 { puzzles(size) } else { vec![Queens::new(size)] };
        for puzzle in puzzles {
            for telling in [Telling::new(), Telling::new().all(true)] {
                for story in [telling.plain(&puzzle).unwrap(), telling.engine(&puzzle).unwrap()] {
                    let mut replay = Replay::new(&puzzle);
                    replay
                        .check(&story)
                        .unwrap_or_else(|error| panic!("{puzzle:?}: {}: {error}", story.title));
                    if telling == Telling::new().all(true) {
                        let (mut all, mut told) = (solutions(&puzzle), told(&story));
                        all.sort();
                        told.sort();
                        assert_eq!(told, all, "{puzzle:?}: {}", story.title);
                    }
                    for (form, count) in replay.forms {
                        *forms.entry(form).or_insert(0) += count;
                    }
                }
            }
        }
    }
    for line in ["column", "diagonal", "anti-diagonal", "row"] {
        let form =
            format!("row #, column # is out: the queen on row #, column # attacks it along the {line}");
        assert!(forms[&form] > 100, "{forms:?}");
    }
    assert!(forms.len() > 25, "{forms:#?}");
}

#[test]
fn a_false_sentence_or_a_lost_step_shows() {
    let puzzle = Queens::new(5);
    for story in
        [Telling::new().all(true).plain(&puzzle).unwrap(), Telling::new().all(true).engine(&puzzle).unwrap()]
    {
        let check = |story: &Story| Replay::new(&puzzle).check(story);
        assert_eq!(check(&story), Ok(()));
        for index in 0..story.steps.len() {
            let mut lost = story.clone();
            lost.steps.remove(index);
            // A step that says that nothing more follows changes nothing.
            let is_missed = check(&lost).is_ok() && story.steps[index].kind != Kind::Fixpoint;
            assert!(!is_missed, "{}: {}", story.title, story.steps[index].words);

            // Another line, another square, another queen.
            let words = &story.steps[index].words;
            for (from, to) in [
                ("the anti-diagonal", "the row"),
                ("column 1 is", "column 2 is"),
                ("queen on row", "queen on row 1"),
            ] {
                let mut wrong = story.clone();
                wrong.steps[index].words = words.replacen(from, to, 1);
                let is_missed = words.contains(from) && check(&wrong).is_ok();
                assert!(!is_missed, "{}: {}", story.title, story.steps[index].words);
            }
        }
    }
}

#[test]
fn a_story_that_is_cut_says_so() {
    let puzzle = Queens::new(6);
    for limit in [0, 2, 3, 17, 40] {
        let telling = Telling::new().all(true).limit(limit);
        for story in [telling.plain(&puzzle).unwrap(), telling.engine(&puzzle).unwrap()] {
            assert_eq!(story.steps.len(), limit.max(2), "{}", story.title);
            assert_eq!(story.check(), Ok(()));
            let words = &story.steps[limit.max(2) - 1].words;
            assert_eq!(
                *words,
                format!("the story ends here, after {} steps: the search goes on", limit.max(2) - 1)
            );
        }
    }
    // The first solution is told with the last step but one that there is room for.
    assert_eq!(told(&Telling::new().limit(15).plain(&Queens::new(4)).unwrap()).len(), 1);
    assert_eq!(told(&Telling::new().limit(14).plain(&Queens::new(4)).unwrap()).len(), 0);
}

#[test]
fn a_large_board_is_cut_and_a_larger_one_refused() {
    let puzzle = Queens::new(Telling::MAX_SIZE);
    for story in
        [Telling::new().limit(2000).plain(&puzzle), Telling::new().limit(2000).all(true).engine(&puzzle)]
    {
        assert_eq!(story.unwrap().steps.len(), 2000);
    }
    let error = Telling::new().both(&Queens::new(33)).unwrap_err();
    assert_eq!(error.to_string(), "size 33 is too large: a search is told of up to size 32");
}

#[test]
fn both_stories_stand_side_by_side() {
    let puzzle = Queens::new(5);
    let telling = Telling::new().all(true);
    let (plain, engine) = (telling.plain(&puzzle).unwrap(), telling.engine(&puzzle).unwrap());
    let both = telling.both(&puzzle).unwrap();
    assert_eq!(both.check(), Ok(()));
    assert_eq!(both.constraints, plain.constraints);
    for (board, story) in [(0, &plain), (1, &engine)] {
        let words = both.steps.iter().filter(|step| step.board == board).map(|step| &step.words);
        assert!(words.eq(story.steps.iter().map(|step| &step.words)));
    }
}

#[test]
fn the_empty_board_has_its_story() {
    let puzzle = Queens::new(0);
    for story in [Telling::new().plain(&puzzle).unwrap(), Telling::new().all(true).engine(&puzzle).unwrap()] {
        assert_eq!(told(&story), [Vec::<usize>::new()]);
        assert_eq!(story.check(), Ok(()));
    }
}
