// What can be done, each thing once: its key, its button and its line in the help come from one table.

const isChoice = (step) => step.k === "choice";
const isSolution = (step) => step.k === "solution";

const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32];

function commands(app) {
  // Where a search goes back: at an undo, or at a dead end that no undo follows.
  const backtracks = new Set();
  const following = new Map();
  for (const step of [...app.player.steps].reverse()) {
    const board = step.b ?? 0;
    if (step.k === "undo" || (step.k === "deadend" && following.get(board) !== "undo")) backtracks.add(step);
    following.set(board, step.k);
  }
  const jump = (direction, wanted, name) => () => {
    const target = app.player.find(direction, wanted);
    if (target === null) app.notice(`There is no ${direction > 0 ? "later" : "earlier"} ${name}.`);
    else if (direction > 0) app.onward(target);
    else app.go(target);
  };
  return [
    { id: "restart", key: "Home", label: "Restart", help: "to the first step", main: true, run: () => app.go(0) },
    { id: "previous-decision", key: "Shift+ArrowLeft", label: "‹ Decision", help: "to the decision before", main: true, run: jump(-1, isChoice, "decision") },
    { id: "back", key: "ArrowLeft", label: "‹ Step", help: "one step back", main: true, run: () => app.go(app.player.at - 1) },
    { id: "play", key: " ", label: "Play", help: "play and pause", main: true, run: () => app.playOrPause() },
    { id: "forward", key: "ArrowRight", label: "Step ›", help: "one step forward", main: true, run: () => app.forward() },
    { id: "next-decision", key: "Shift+ArrowRight", label: "Decision ›", help: "to the next decision", main: true, run: jump(1, isChoice, "decision") },
    { id: "finish", key: "End", label: "End", help: "to the last step", main: true, run: () => app.go(app.player.last) },
    { id: "previous-solution", key: "p", label: "‹ Solution", help: "to the solution before", run: jump(-1, isSolution, "solution") },
    { id: "next-solution", key: "n", label: "Solution ›", help: "to the next solution", run: jump(1, isSolution, "solution") },
    { id: "next-backtrack", key: "b", label: "Backtrack ›", help: "to where it next goes back", run: jump(1, (step) => backtracks.has(step), "backtrack") },
    { id: "slower", key: "-", label: "Slower", help: "play slower", run: () => app.faster(-1) },
    { id: "faster", key: "+", label: "Faster", help: "play faster", run: () => app.faster(1) },
    { id: "ask", key: "Enter", label: "Ask", help: "to the board: the arrow keys walk about in it, Enter asks why a square is out, Escape leaves", run: () => app.toBoard() },
    { id: "predict", key: "g", label: "Predict", help: "be asked for the next square before it is shown", toggle: true, run: () => app.togglePredict() },
    { id: "unfold", key: "u", label: "Unfold", help: "show failed subtrees unfolded", toggle: true, run: () => app.toggleFold() },
    { id: "help", key: "?", label: "Help", help: "this list", run: () => app.toggleHelp() },
  ];
}

const KEY_NAMES = { " ": "Space", ArrowLeft: "←", ArrowRight: "→", "-": "−" };

function keyName(key) {
  return key.split(/(?<=Shift)\+/).map((part) => KEY_NAMES[part] || part).join(" ");
}

class Controls {
  constructor(app) {
    this.table = commands(app);
    this.buttons = {};
    for (const command of this.table) {
      const button = element("button", { type: "button", "data-command": command.id, title: `${command.help} (${keyName(command.key)})` },
        element("span", {}, command.label), element("kbd", { "aria-hidden": "true" }, keyName(command.key)));
      button.setAttribute("aria-keyshortcuts", { " ": "Space", "+": "Plus" }[command.key] || command.key);
      if (command.toggle) button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", command.run);
      byId(command.main ? "main-buttons" : "more-buttons").append(button);
      this.buttons[command.id] = button;
      byId("help-keys").append(element("tr", {}, element("td", {}, element("kbd", {}, keyName(command.key))), element("td", {}, command.help)));
    }
    document.addEventListener("keydown", (event) => this.key(event));
    // A click leaves the focus where it is, so that the keys go on meaning steps.
    document.addEventListener("mousedown", (event) => {
      if (event.target.closest("button, [role=gridcell], [role=treeitem]")) event.preventDefault();
    });
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (byId("help").open && event.key !== "?") return;
    // A focused button is pressed by Space and Enter, as anywhere.
    if ([" ", "Enter"].includes(event.key) && event.target.closest?.("button")) return;
    const arrow = event.shiftKey && event.key.startsWith("Arrow");
    const key = arrow ? `Shift+${event.key}` : { "=": "+", "_": "-" }[event.key] || (event.key.length === 1 ? event.key.toLowerCase() : event.key);
    const command = this.table.find((each) => each.key === key);
    if (!command) return;
    event.preventDefault();
    command.run();
  }

  press(id, pressed) { this.buttons[id].setAttribute("aria-pressed", String(pressed)); }

  relabel(id, label) { this.buttons[id].firstChild.textContent = label; }
}
