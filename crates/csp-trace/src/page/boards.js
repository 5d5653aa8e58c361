// The boards. Each square is one element per place it is shown at; only squares that differ from what
// they show are painted.

class Boards {
  constructor(player, place, domainPlace, onAsk) {
    this.player = player;
    this.onAsk = onAsk;
    // For each board, row and cell: its elements, and what they show.
    this.squares = player.story.boards.map((board) => board.rows.map((row) => row.cells.map(() => ({ elements: [], shown: null }))));
    this.fresh = [];
    this.figures = player.story.boards.map((board, which) => this.figure(board, which));
    place.append(...this.figures.map((figure) => figure.element));
    for (const { grid } of this.figures) this.fit(grid);
    this.domains = player.story.boards.map((board, which) => (board.look === "plain" ? null : this.domainTable(board, which)));
    domainPlace.append(...this.domains.filter(Boolean).map((table) => table.element));
    this.domainPlace = domainPlace;
  }

  figure(board, which) {
    const side = Math.sqrt(board.rows.length);
    const digits = board.look === "digits" && Number.isInteger(side) && side > 0;
    const grid = element("div", { class: `board ${digits ? "digits" : board.look === "queens" ? "queens" : "plain"}`, role: "grid" });
    grid.setAttribute("aria-label", board.title || "Board");
    const lines = [];
    if (board.rows.length === 0) grid.append(element("p", { class: "nothing" }, "No variable has few enough values to show."));
    if (digits) this.digitGrid(grid, board, which, side);
    else this.rowGrid(grid, board, which, lines);
    walkable(grid, "[role=gridcell]", besideInGrid, (cell) => this.onAsk(placeOf(cell)));
    const counters = element("dl", { class: "counters" });
    const values = ["Step", "Nodes", "Dead ends", "Solutions"].map((name) => {
      const value = element("dd", { "data-counter": name });
      counters.append(element("div", {}, element("dt", {}, name), value));
      return value;
    });
    const caption = element("figcaption", {}, board.title);
    caption.hidden = !board.title || this.player.story.boards.length === 1;
    return { element: element("figure", { "data-board": which }, caption, grid, counters), grid, values, lines };
  }

  // How large a square is, the style of a probe works out from the room there is. It is handed on as a plain
  // length: a thousand squares that each ask for the room are slow.
  fit(grid) {
    const probe = element("i", { class: "probe", "aria-hidden": "true" });
    grid.append(probe);
    const measure = () => {
      grid.style.setProperty("--side", `${probe.getBoundingClientRect().width}px`);
      this.scroll();
    };
    measure();
    new ResizeObserver(measure).observe(probe);
  }

  // Brings what was changed last into the middle of what does not fit.
  scroll() {
    const focus = this.player.focus;
    this.figures.forEach(({ grid }, b) => {
      const [row, cell] = focus[b], square = this.squares[b][row]?.[cell]?.elements[0];
      if (square) centre(grid, square);
    });
    const line = this.domains?.[this.player.board]?.lines[focus[this.player.board][0]];
    if (line) centre(this.domainPlace, line);
  }

  // A table of rows: label, then a square for each value.
  rowGrid(grid, board, which, lines) {
    const width = Math.max(1, ...board.rows.map((row) => row.cells.length));
    grid.style.setProperty("--columns", width);
    grid.style.setProperty("--rows", Math.max(1, board.rows.length));
    grid.style.setProperty("--widest", widest(board));
    if (board.look === "queens" && board.rows.length > 0) {
      const head = element("div", { class: "line head", "aria-hidden": "true" }, element("span", { class: "label" }));
      head.append(...board.rows[0].cells.map((label) => element("span", { class: "column" }, label)));
      grid.append(head);
    }
    board.rows.forEach((row, r) => {
      const line = element("div", { class: "line", role: "row" }, element("span", { class: "label", role: "rowheader", title: row.label }, row.label));
      row.cells.forEach((_, c) => line.append(this.square(which, r, c, "square", { role: "gridcell", tabindex: -1 })));
      grid.append(line);
      lines.push(line);
    });
  }

  // A square of boxes: each holds the candidates of a row, and shows the chosen one large.
  digitGrid(grid, board, which, side) {
    const block = Math.sqrt(side);
    grid.style.setProperty("--columns", side);
    for (let top = 0; top < side; top++) {
      const line = element("div", { class: "line", role: "row" });
      for (let left = 0; left < side; left++) {
        const r = top * side + left, row = board.rows[r];
        const box = element("div", { class: "box", role: "gridcell", tabindex: -1, "data-board": which, "data-row": r });
        if (Number.isInteger(block)) {
          if (left % block === 0 && left > 0) box.classList.add("left");
          if (top % block === 0 && top > 0) box.classList.add("top");
        }
        box.style.setProperty("--candidates", Math.ceil(Math.sqrt(row.cells.length)));
        row.cells.forEach((_, c) => box.append(this.square(which, r, c, "candidate")));
        line.append(box);
      }
      grid.append(line);
    }
  }

  // What is left of each row, and who took the rest.
  domainTable(board, which) {
    const table = element("div", { class: "domains" });
    table.style.setProperty("--widest", widest(board));
    table.style.setProperty("--label", Math.max(...board.rows.map((row) => row.label.length), 1));
    if (this.player.story.boards.length > 1) table.append(element("h3", {}, board.title || `Board ${which}`));
    const sizes = [], lines = [];
    board.rows.forEach((row, r) => {
      const size = element("span", { class: "size" });
      const line = element("div", { class: "domain" }, element("span", { class: "label" }, row.label), size);
      const values = element("span", { class: "values" });
      row.cells.forEach((_, c) => values.append(this.square(which, r, c, "value")));
      line.append(values);
      table.append(line);
      sizes.push(size);
      lines.push(line);
    });
    return { element: table, sizes, lines };
  }

  square(board, row, cell, kind, attributes = {}) {
    const square = element("span", { class: kind, "data-board": board, "data-row": row, "data-cell": cell, ...attributes });
    this.squares[board][row][cell].elements.push(square);
    return square;
  }

  // Everything as it is after the player's step.
  paint() {
    const { player } = this;
    const fresh = new Set((player.step.c || []).map(([row, cell]) => `${player.board},${row},${cell}`));
    this.squares.forEach((rows, b) => rows.forEach((cells, r) => {
      let changed = false;
      cells.forEach((square, c) => {
        const state = player.state(b, r, c);
        const shown = `${state}${fresh.has(`${b},${r},${c}`) ? " fresh" : ""}`;
        if (square.shown === shown) return;
        square.shown = shown;
        changed = true;
        for (const each of square.elements) this.paintSquare(each, b, r, c, state, shown.endsWith("fresh"));
      });
      if (changed) this.paintRow(b, r);
    }));
    this.figures.forEach((figure, b) => {
      const totals = player.totals(b);
      player.counters(b).forEach((value, i) => { figure.values[i].textContent = i === 0 ? `${value} of ${totals[0]}` : value; });
      const here = b === player.board;
      figure.element.className = [
        here && this.figures.length > 1 ? "active" : "",
        here ? { solution: "solved", deadend: "stuck" }[player.step.k] || "" : "",
      ].join(" ").trim();
    });
    this.scroll();
  }

  paintSquare(square, b, r, c, state, fresh) {
    const kind = square.classList[0], row = this.player.story.boards[b].rows[r];
    const rule = this.player.rule(state), out = state >= FIRST_RULE;
    square.className = [kind, out ? "out" : STATE_NAMES[state], fresh ? "fresh" : ""].join(" ").trim();
    if (out) square.dataset.colour = rule ? rule.colour % 8 : 0;
    else delete square.dataset.colour;
    const queens = this.player.story.boards[b].look === "queens", letter = rule ? rule.letter : "×";
    if (kind === "square" && queens) {
      square.replaceChildren(...(out ? [letter] : state === FREE ? [] : [picture("queen")]));
    } else {
      square.replaceChildren(row.cells[c]);
      if (out) square.append(element(kind === "candidate" ? "b" : "sub", {}, letter));
    }
    if (square.hasAttribute("role")) square.setAttribute("aria-label", `${this.name(b, r, c)}: ${this.describe(state)}`);
  }

  // What concerns a row as a whole: the box of digits and the size of its domain.
  paintRow(b, r) {
    const states = this.player.boards[b][r], row = this.player.story.boards[b].rows[r];
    const taken = states.findIndex((state) => state !== FREE && state < FIRST_RULE);
    const left = row.cells.filter((_, c) => states[c] < FIRST_RULE);
    // A row without a square is a dead end, wherever it is shown.
    for (const line of [this.domains[b]?.lines[r], this.figures[b].lines[r]]) line?.classList.toggle("none", left.length === 0);
    if (this.domains[b]) this.domains[b].sizes[r].textContent = taken >= 0 ? "1" : left.length;
    const box = this.figures[b].grid.querySelector(`.box[data-row="${r}"]`);
    if (!box) return;
    box.classList.toggle("taken", taken >= 0);
    box.classList.toggle("given", taken >= 0 && states[taken] === GIVEN);
    box.classList.toggle("empty", left.length === 0);
    const words = taken >= 0 ? `${row.cells[taken]}${states[taken] === GIVEN ? ", given" : ""}` : left.length ? `may be ${left.join(", ")}` : "nothing is left";
    box.setAttribute("aria-label", `${row.label}: ${words}`);
  }

  name(b, r, c) {
    const board = this.player.story.boards[b], row = board.rows[r];
    return board.look === "queens" ? `${row.label}, column ${row.cells[c]}` : `${row.label} = ${row.cells[c]}`;
  }

  describe(state) {
    if (state < FIRST_RULE) return STATE_NAMES[state];
    const rule = this.player.rule(state);
    return rule ? `out, ${rule.letter}: ${rule.name}` : "out";
  }

  // Marks the squares that are asked about; null for none.
  mark(place) {
    document.querySelectorAll(".asked").forEach((square) => square.classList.remove("asked"));
    if (!place) return;
    const { board, row, cell } = place;
    if (cell === null) this.figures[board].grid.querySelector(`.box[data-row="${row}"]`)?.classList.add("asked");
    else this.squares[board][row][cell].elements.forEach((square) => square.classList.add("asked"));
  }
}

// The place an element stands for; a box of digits stands for the whole row.
function placeOf(square) {
  const { board, row, cell } = square.dataset;
  return { board: Number(board), row: Number(row), cell: cell === undefined ? null : Number(cell) };
}

// The letters of the longest label of a board's squares, with the letter of a rule.
function widest(board) {
  return 1 + board.rows.reduce((most, row) => row.cells.reduce((most, label) => Math.max(most, label.length), most), 1);
}
