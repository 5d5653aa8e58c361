// The panes beside the board, and small helpers for all of them.

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function byId(id) { return document.getElementById(id); }

function picture(id) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#${id}`);
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}

// Scrolls a pane so that the item is in its middle: where it stands depends on the step alone, not on
// the way there, and the page itself does not move.
function centre(pane, item) {
  const inside = item.getBoundingClientRect(), around = pane.getBoundingClientRect();
  pane.scrollTo({
    top: Math.round(inside.top - around.top + pane.scrollTop - (pane.clientHeight - item.offsetHeight) / 2),
    left: Math.round(inside.left - around.left + pane.scrollLeft - (pane.clientWidth - item.offsetWidth) / 2),
    behavior: "instant",
  });
}

// Lets the arrow keys walk among the items of a composite: one of them is in the tab order, Enter or
// Space acts on it, Escape leaves. `next` names the item an arrow leads to, if any.
function walkable(whole, selector, next, act) {
  const first = whole.querySelector(selector);
  if (first) first.tabIndex = 0;
  whole.addEventListener("keydown", (event) => {
    const here = document.activeElement.closest(selector);
    if (!here || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.key.startsWith("Arrow")) {
      const target = next(here, event.key.slice("Arrow".length));
      if (target) {
        whole.querySelectorAll("[tabindex='0']").forEach((each) => { each.tabIndex = -1; });
        target.tabIndex = 0;
        target.focus();
      }
    } else if (event.key === "Enter" || event.key === " ") act(here);
    else if (event.key === "Escape") here.blur();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

// Where an arrow leads in a grid of rows, which need not be of one length.
function besideInGrid(cell, arrow) {
  const row = cell.closest("[role=row]"), cells = (line) => [...(line?.querySelectorAll("[role=gridcell]") || [])];
  const at = cells(row).indexOf(cell);
  if (arrow === "Left") return cells(row)[at - 1];
  if (arrow === "Right") return cells(row)[at + 1];
  const line = cells(arrow === "Up" ? row.previousElementSibling : row.nextElementSibling);
  return line[Math.min(at, line.length - 1)];
}

const KINDS = {
  start: "Start", choice: "Choice", removal: "Removal", deadend: "Dead end",
  undo: "Undo", solution: "Solution", fixpoint: "Fixpoint", end: "End",
};

class Panes {
  constructor(player) {
    this.player = player;
    document.body.classList.toggle("two", player.story.boards.length > 1);
    document.body.classList.toggle("large", player.story.boards.some((board) => board.look === "queens" && board.rows.length > 12));
    byId("title").textContent = player.story.title;
    byId("slider").max = player.last;
    byId("alarm").hidden = !player.fault;
    byId("alarm").textContent = player.fault || "";
    byId("rules").append(...this.legend());
    byId("legend").hidden = byId("rules").children.length === 0;
    // A line that is broken goes on under its own beginning.
    this.lines = player.story.pseudocode.map((line) => element("li", { style: `--indent: ${line.search(/\S|$/)}ch` }, element("code", {}, line)));
    byId("pseudocode").append(...this.lines);
    byId("code").hidden = this.lines.length === 0;
    byId("search").hidden = player.story.nodes.length === 0;
    byId("domains").hidden = player.story.boards.every((board) => board.look === "plain");
    document.body.classList.toggle("bare", byId("domains").hidden);
  }

  // The states that squares are in at some step: taken how, and out by whom.
  legend() {
    const { player } = this, queens = player.story.boards.some((board) => board.look === "queens");
    const taken = [[CHOSEN, "chosen"], [FORCED, "forced: nothing else was left"], [GIVEN, "given"]];
    const entries = taken.filter(([state]) => player.shows(state)).map(([state, words]) => element("li", {},
      element("span", { class: `swatch taken ${STATE_NAMES[state]}` }, queens ? picture("queen") : "5"), words));
    const rules = player.story.constraints.filter((_, number) => player.shows(FIRST_RULE + number));
    if (rules.length > 0) entries.push(element("li", { class: "out-by" }, "out by:"));
    return entries.concat(rules.map((rule) => element("li", {},
      element("span", { class: "swatch", "data-colour": rule.colour % 8 }, rule.letter), rule.name)));
  }

  paint() {
    const { step, at, last } = this.player;
    byId("kind").textContent = KINDS[step.k] || step.k;
    // Of two methods, which one speaks.
    const { boards } = this.player.story;
    if (boards.length > 1) byId("kind").append(element("span", {}, ` · ${boards[this.player.board].title}`));
    byId("kind").className = step.k;
    const [sentence, ...reasons] = step.w.split("\n");
    byId("sentence").textContent = sentence;
    byId("reasons").replaceChildren(...reasons.map((words) => {
      const place = this.player.squareOf(words);
      return element("li", {}, this.mark(place ? this.player.state(...place) : FREE), element("span", {}, words));
    }));
    byId("reasons").tabIndex = reasons.length > 0 ? 0 : -1;
    byId("reasons").scrollTop = 0;
    byId("position").textContent = `Step ${at + 1} of ${last + 1}`;
    byId("position").style.minWidth = `${`Step  of ${last + 1}${last + 1}`.length}ch`;
    byId("slider").value = at;
    byId("slider").setAttribute("aria-valuetext", `Step ${at + 1} of ${last + 1}`);
    this.lines.forEach((line, number) => {
      const active = number === (step.l || 0);
      line.className = active ? "active" : "";
      line.setAttribute("aria-current", active ? "step" : "false");
    });
    const line = this.lines[step.l || 0];
    if (line) centre(byId("pseudocode"), line);
    byId("notice").textContent = "";
    byId("why").replaceChildren();
  }

  notice(words) { byId("notice").textContent = words; }

  // What is known of a square, or of each square of a row: those that are free are named together.
  explain(boards, { board, row, cell }) {
    const states = this.player.boards[board][row], { label, cells } = this.player.story.boards[board].rows[row];
    if (cell !== null) return byId("why").replaceChildren(this.explained(boards, board, row, cell));
    const free = cells.filter((_, c) => states[c] === FREE);
    const summary = free.length > 0 ? [element("p", {}, element("span", {}, element("b", {}, `${label}: `), `may still be ${free.join(", ")}.`))] : [];
    const others = cells.flatMap((_, c) => (states[c] === FREE ? [] : [this.explained(boards, board, row, c)]));
    byId("why").replaceChildren(...summary, ...others);
  }

  explained(boards, board, row, cell) {
    const state = this.player.state(board, row, cell), name = boards.name(board, row, cell);
    const words = this.player.reason(board, row, cell)?.words ?? this.standard(state, this.player.rule(state));
    // A reason may name its square or its row itself.
    const { label } = this.player.story.boards[board].rows[row];
    const named = [name, label].find((part) => words.startsWith(`${part} `));
    return element("p", {}, this.mark(state), element("span", {}, element("b", {}, named ?? `${name}: `), words.slice(named?.length ?? 0)));
  }

  // The letter of the rule that took a square, on its colour.
  mark(state) {
    const rule = this.player.rule(state);
    const mark = element("span", { class: "swatch", "aria-hidden": "true" }, rule ? rule.letter : state === FREE ? "·" : "✓");
    if (rule) mark.dataset.colour = rule.colour % 8;
    return mark;
  }

  standard(state, rule) {
    if (state === FREE) return "nothing rules it out so far.";
    if (state === CHOSEN) return "it is taken.";
    if (state === GIVEN) return "it was given.";
    if (state === FORCED) return "it is taken: nothing else was left.";
    return rule ? `it is out because of ${rule.name}.` : "it is out.";
  }

  score(right, wrong) {
    byId("score").hidden = false;
    byId("score").textContent = `Predicted: ${right} right, ${wrong} wrong.`;
  }
}
