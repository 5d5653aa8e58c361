// Joins the parts: every way of moving ends in `go`, and every move in `paint`.

const QUESTION = "Which square comes next? Click it (Enter leads to the board), or step on to see.";

class App {
  constructor(story) {
    this.player = new Player(story);
    this.panes = new Panes(this.player);
    this.boards = new Boards(this.player, byId("boards"), byId("domain-rows"), (place) => this.ask(place));
    this.tree = new Tree(this.player, byId("tree"), (step) => this.go(step));
    this.timer = null;
    this.speed = SPEEDS.indexOf(2);
    this.predicting = false;
    this.question = null;
    this.right = this.wrong = 0;
    this.controls = new Controls(this);
    document.addEventListener("click", (event) => {
      const square = event.target.closest(".square, .box, .value");
      if (square) this.ask(placeOf(square));
    });
    byId("slider").addEventListener("input", (event) => this.go(Number(event.target.value)));
    this.paint();
  }

  go(step) {
    this.question = null;
    this.player.go(step);
    if (this.player.at === this.player.last) this.pause();
    this.paint();
  }

  paint() {
    this.boards.mark(null);
    this.boards.paint();
    this.panes.paint();
    this.tree.paint();
  }

  notice(words) { this.panes.notice(words); }

  forward() { this.onward(this.player.at + 1); }

  // A move forward: in predict mode it stops at the first choice on the way, to ask for it. What was asked
  // for here is shown.
  onward(target) {
    const first = this.player.at + (this.question ? 2 : 1);
    for (let number = first; this.predicting && number <= Math.min(target, this.player.last); number++) {
      const square = this.player.choice(number);
      if (!square) continue;
      this.pause();
      this.go(number - 1);
      this.question = square;
      this.notice(QUESTION);
      return;
    }
    this.go(target);
  }

  // A square was clicked: an answer if there is a question, else a question itself.
  ask(place) {
    if (this.question) this.answer(place);
    else {
      this.boards.mark(place);
      this.panes.explain(this.boards, place);
    }
  }

  answer(place) {
    const { board, row, cell } = this.question;
    const right = place.board === board && place.row === row && (place.cell === null || place.cell === cell);
    if (right) this.right += 1;
    else this.wrong += 1;
    this.go(this.player.at + 1);
    this.notice(right ? "Right." : `No: it is ${this.boards.name(board, row, cell)}.`);
    this.panes.score(this.right, this.wrong);
  }

  // To the board the step is about, for those who have no mouse.
  toBoard() {
    this.boards.figures[this.player.board]?.grid.querySelector("[tabindex='0']")?.focus();
  }

  playOrPause() {
    if (this.timer) return this.pause();
    // Playing on would be no answer.
    if (this.question) return this.notice(QUESTION);
    if (this.player.at === this.player.last) this.go(0);
    this.timer = setInterval(() => this.forward(), 1000 / SPEEDS[this.speed]);
    byId("sentence").setAttribute("aria-live", "off");
    this.controls.relabel("play", "Pause");
  }

  pause() {
    if (!this.timer) return;
    clearInterval(this.timer);
    this.timer = null;
    byId("sentence").setAttribute("aria-live", "polite");
    this.controls.relabel("play", "Play");
  }

  faster(by) {
    this.speed = Math.max(0, Math.min(SPEEDS.length - 1, this.speed + by));
    const speed = SPEEDS[this.speed];
    if (this.timer) { this.pause(); this.playOrPause(); }
    this.notice(`${speed} ${speed === 1 ? "step" : "steps"} a second.`);
  }

  togglePredict() {
    this.predicting = !this.predicting;
    this.question = null;
    this.controls.press("predict", this.predicting);
    this.notice(this.predicting ? "You will be asked for each square before it is shown." : "");
    if (this.predicting) this.panes.score(this.right, this.wrong);
    else byId("score").hidden = true;
  }

  toggleFold() {
    this.tree.unfolded = !this.tree.unfolded;
    this.controls.press("unfold", this.tree.unfolded);
    this.tree.paint();
  }

  toggleHelp() {
    if (byId("help").open) byId("help").close();
    else { this.pause(); byId("help").showModal(); }
  }
}

new App(JSON.parse(byId("story").textContent));
