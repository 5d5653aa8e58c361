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
  const top = item.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop;
  pane.scrollTop = Math.round(top - (pane.clientHeight - item.offsetHeight) / 2);
}

// Lets the arrow keys walk among the items of a composite: one of them is in the tab order, Enter or
// Space acts on it, Escape leaves.
function walkable(whole, selector, act) {
  const items = () => [...whole.querySelectorAll(selector)];
  const focus = (item) => {
    items().forEach((each) => { each.tabIndex = each === item ? 0 : -1; });
    item.focus();
  };
  const first = items()[0];
  if (first) first.tabIndex = 0;
  whole.addEventListener("keydown", (event) => {
    const all = items(), here = all.indexOf(document.activeElement);
    if (here < 0 || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const row = all[here].parentElement.querySelectorAll(selector).length;
    const across = whole.getAttribute("role") === "grid" ? row : 1;
    const target = { ArrowLeft: here - 1, ArrowRight: here + 1, ArrowUp: here - across, ArrowDown: here + across }[event.key];
    if (target !== undefined) { if (all[target]) focus(all[target]); }
    else if (event.key === "Enter" || event.key === " ") act(all[here]);
    else if (event.key === "Escape") document.activeElement.blur();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

const KINDS = {
  start: "Start", choice: "Choice", removal: "Removal", deadend: "Dead end",
  undo: "Undo", solution: "Solution", fixpoint: "Fixpoint", end: "End",
};

class Panes {
  constructor(player) {
    this.player = player;
    document.body.classList.toggle("two", player.story.boards.length > 1);
    byId("title").textContent = player.story.title;
    byId("slider").max = player.last;
    byId("alarm").hidden = !player.fault;
    byId("alarm").textContent = player.fault || "";
    byId("rules").append(...player.story.constraints.map((rule) => element("li", {},
      element("span", { class: "swatch", "data-colour": rule.colour % 8 }, rule.letter), rule.name)));
    byId("legend").hidden = player.story.constraints.length === 0;
    this.lines = player.story.pseudocode.map((line) => element("li", {}, element("code", {}, line)));
    byId("pseudocode").append(...this.lines);
    byId("code").hidden = this.lines.length === 0;
    byId("search").hidden = player.story.nodes.length === 0;
    byId("domains").hidden = player.story.boards.every((board) => board.look === "plain");
  }

  paint() {
    const { step, at, last } = this.player;
    byId("kind").textContent = KINDS[step.k] || step.k;
    byId("kind").className = step.k;
    byId("sentence").textContent = step.w;
    byId("position").textContent = `Step ${at + 1} of ${last + 1}`;
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

  // What is known of a square, or of each square of a row.
  explain(boards, { board, row, cell }) {
    const cells = cell === null ? this.player.boards[board][row].map((_, c) => c) : [cell];
    byId("why").replaceChildren(...cells.map((c) => {
      const state = this.player.state(board, row, c), rule = this.player.rule(state);
      const reason = this.player.reason(board, row, c);
      const mark = element("span", { class: "swatch" }, rule ? rule.letter : state === FREE ? "" : "✓");
      if (rule) mark.dataset.colour = rule.colour % 8;
      const words = reason ? reason.words : this.standard(state, rule);
      return element("p", { "data-cell": c }, mark, element("span", {}, element("b", {}, `${boards.name(board, row, c)}: `), words));
    }));
  }

  standard(state, rule) {
    if (state === FREE) return "nothing rules it out so far.";
    if (state === CHOSEN) return "it is taken.";
    if (state === GIVEN) return "it was given.";
    return rule ? `it is out because of ${rule.name}.` : "it is out.";
  }

  score(right, wrong) {
    byId("score").hidden = false;
    byId("score").textContent = `Predicted: ${right} right, ${wrong} wrong.`;
  }
}
