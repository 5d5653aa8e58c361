// The story and where in it we are. Nothing in this file knows the page.

const FREE = 0, CHOSEN = 1, GIVEN = 2, FORCED = 3, FIRST_RULE = 4;
const STATE_NAMES = ["free", "chosen", "given", "forced"];

class Player {
  constructor(story) {
    this.story = story;
    this.steps = story.steps.length > 0 ? story.steps : [{ k: "start", w: "Nothing was recorded." }];
    this.at = 0;
    this.boards = emptyBoards(story);
    this.fault = null;
    this.index();
    this.boards = emptyBoards(story);
    this.apply(0);
  }

  get last() { return this.steps.length - 1; }
  get step() { return this.steps[this.at]; }
  get board() { return this.step.b || 0; }

  // To the given step, undoing or doing each one between.
  go(target) {
    target = Math.max(0, Math.min(this.last, target));
    while (this.at < target) this.apply(++this.at);
    while (this.at > target) this.takeBack(this.at--);
  }

  apply(number) {
    const step = this.steps[number];
    for (const [row, cell, , to] of step.c || []) this.boards[step.b || 0][row][cell] = to;
  }

  takeBack(number) {
    const step = this.steps[number];
    for (const [row, cell, from] of (step.c || []).toReversed()) this.boards[step.b || 0][row][cell] = from;
  }

  // The nearest step after (direction 1) or before (-1) this one that is as wanted, or null.
  find(direction, wanted) {
    for (let number = this.at + direction; number >= 0 && number <= this.last; number += direction) {
      if (wanted(this.steps[number])) return number;
    }
    return null;
  }

  // The square a step chooses, if it is a choice that takes one.
  choice(number) {
    const step = this.steps[number], chosen = step.k === "choice" && (step.c || []).find(([, , , to]) => to === CHOSEN);
    return chosen ? { board: step.b || 0, row: chosen[0], cell: chosen[1] } : null;
  }

  // Whether some step puts a square in a state.
  shows(state) { return this.states.has(state); }

  state(board, row, cell) { return this.boards[board][row][cell]; }

  rule(state) { return state < FIRST_RULE ? null : this.story.constraints[state - FIRST_RULE] || null; }

  // What the last step that left the square as it is now said of it.
  reason(board, row, cell) {
    const state = this.state(board, row, cell);
    const said = this.said.get(`${board},${row},${cell}`) || [];
    return said.findLast((entry) => entry.step <= this.at && entry.state === state) || null;
  }

  // The square of the step's board whose reason, as it stands, is this sentence; null if there is none.
  squareOf(words) {
    const place = this.about.get(`${this.board}:${words}`);
    return place && this.reason(...place)?.words === words ? place : null;
  }

  // Of each board the square that was last changed, as [row, cell].
  get focus() { return this.focuses[this.at]; }

  // What has happened on a board up to this step.
  counters(board) { return this.counts[board].map((column) => column[this.at]); }

  totals(board) { return this.counts[board].map((column) => column[this.last]); }

  // One walk through the story, to count, to remember what was said, and to see that each step fits
  // the ones before it.
  index() {
    const { story, steps } = this;
    const running = story.boards.map(() => [0, 0, 0, 0]);
    this.counts = story.boards.map(() => [0, 1, 2, 3].map(() => new Uint32Array(steps.length)));
    this.said = new Map();
    this.about = new Map();
    this.focuses = [];
    this.states = new Set();
    this.firstStep = story.nodes.map(() => Infinity);
    steps.forEach((step, number) => {
      const board = step.b || 0, node = step.n || 0;
      this.check(step, number);
      for (const [row, cell, words] of step.y || []) {
        const key = `${board},${row},${cell}`;
        if (!this.said.has(key)) this.said.set(key, []);
        this.said.get(key).push({ step: number, state: this.boards[board]?.[row]?.[cell], words });
        this.about.set(`${board}:${words}`, [board, row, cell]);
      }
      const count = running[board];
      if (count) {
        count[0] += 1;
        if (this.firstStep[node] === Infinity) count[1] += 1;
        if (step.k === "deadend") count[2] += 1;
        if (step.k === "solution") count[3] += 1;
      }
      running.forEach((row, which) => row.forEach((value, column) => { this.counts[which][column][number] = value; }));
      if (node < this.firstStep.length) this.firstStep[node] = Math.min(this.firstStep[node], number);
      const before = this.focuses[number - 1] || story.boards.map(() => [0, 0]), focus = focusOf(step);
      this.focuses.push(focus ? before.with(board, focus) : before);
    });
  }

  check(step, number) {
    const board = this.boards[step.b || 0];
    const complain = (what) => { this.fault ??= `Step ${number + 1} ${what}: the story is incomplete.`; };
    const changes = (step.c || []).filter(([row, cell]) => board?.[row]?.[cell] !== undefined);
    if (changes.length < (step.c || []).length) {
      complain("speaks of a square that is not there");
      step.c = changes;
    }
    for (const [row, cell, from, to] of changes) {
      if (board[row][cell] !== from) complain("does not fit the steps before it");
      board[row][cell] = to;
      this.states.add(to);
    }
    if (this.story.boards.length > 0 && !board) {
      complain("speaks of a board that is not there");
      step.b = 0;
    }
    if (this.story.nodes.length > 0 && (step.n || 0) >= this.story.nodes.length) {
      complain("speaks of a node that is not there");
      step.n = 0;
    }
  }
}

function emptyBoards(story) {
  return story.boards.map((board) => board.rows.map((row) => row.cells.map(() => FREE)));
}

// The square a step is about, if it changes any.
function focusOf(step) {
  const changes = step.c || [];
  return (changes.find(([, , , to]) => to === CHOSEN || to === FORCED) || changes[0])?.slice(0, 2);
}
