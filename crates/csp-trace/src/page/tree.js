// The search tree as an outline. What is shown depends on the step alone: nodes reached so far, failed
// subtrees folded once the search has left them.

class Tree {
  constructor(player, place, onGo) {
    this.player = player;
    this.place = place;
    this.unfolded = false;
    const { nodes } = player.story;
    this.children = nodes.map(() => []);
    this.depth = nodes.map(() => 0);
    this.roots = [];
    nodes.forEach((node, number) => {
      // Parents come first; a node that says otherwise is shown as a root.
      if (node.p !== undefined && node.p < number) {
        this.children[node.p].push(number);
        this.depth[number] = this.depth[node.p] + 1;
      } else this.roots.push(number);
    });
    this.times();
    // Deep trees are drawn narrower, so that what is deep stays in sight.
    const deepest = this.depth.reduce((most, depth) => Math.max(most, depth), 1);
    place.style.setProperty("--indent", `${Math.min(1, 9 / deepest)}rem`);
    place.classList.toggle("deep", deepest > 24);
    this.items = nodes.map((node, number) => this.item(node, number));
    this.painted = nodes.map(() => "");
    this.shown = [];
    place.addEventListener("click", (event) => {
      const item = event.target.closest("[role=treeitem]");
      if (item) onGo(this.player.firstStep[Number(item.dataset.node)]);
    });
    walkable(place, "[role=treeitem]", (item, arrow) => this.beside(item, arrow), (item) => onGo(this.player.firstStep[Number(item.dataset.node)]));
  }

  // When each node was decided, and how many nodes are under it.
  times() {
    const { nodes } = this.player.story, { steps } = this.player;
    this.size = nodes.map(() => 1);
    this.decided = nodes.map(() => -1);
    const latest = nodes.map(() => -1);
    steps.forEach((step, number) => {
      const node = step.n || 0;
      if (node >= nodes.length) return;
      if (step.k === "deadend" || step.k === "solution") this.decided[node] = number;
      latest[node] = number;
    });
    for (let number = nodes.length - 1; number >= 0; number--) {
      // Of a node with solutions below it is known when the search has left it for the last time.
      if (nodes[number].s === "branch" || (nodes[number].s === "failed" && this.decided[number] < 0)) this.decided[number] = latest[number];
      const parent = nodes[number].p;
      if (parent === undefined || parent >= number) continue;
      this.size[parent] += this.size[number];
      latest[parent] = Math.max(latest[parent], latest[number]);
      if (nodes[parent].s === "failed") this.decided[parent] = Math.max(this.decided[parent], this.decided[number]);
    }
  }

  item(node, number) {
    const count = element("span", { class: "count" });
    const item = element("li", { role: "treeitem", tabindex: -1, "data-node": number, "aria-level": this.depth[number] + 1 },
      element("span", { class: "node" }), element("span", { class: "text" }, node.l), count);
    item.style.setProperty("--depth", this.depth[number]);
    return item;
  }

  // Up and down the outline; left to the node above, right to the first below.
  beside(item, arrow) {
    const number = Number(item.dataset.node), at = this.shown.indexOf(item);
    if (arrow === "Left") return this.items[this.path(number)[1]];
    const next = this.shown[at + (arrow === "Up" ? -1 : 1)];
    return arrow === "Right" && this.path(Number(next?.dataset.node))[1] !== number ? null : next;
  }

  status(number) {
    const { s } = this.player.story.nodes[number];
    return this.player.at >= this.decided[number] ? s : "open";
  }

  // From a node up to its root.
  path(number) {
    const path = [];
    const { nodes } = this.player.story;
    for (let node = number; node !== undefined && node < nodes.length; node = nodes[node].p < node ? nodes[node].p : undefined) path.push(node);
    return path;
  }

  paint() {
    const { at, firstStep, step } = this.player, current = step.n || 0;
    const path = new Set(this.path(current)), visible = [], stack = this.roots.toReversed();
    while (stack.length > 0) {
      const number = stack.pop();
      if (firstStep[number] > at) continue;
      const status = this.status(number), parent = this.children[number].length > 0;
      const folded = status === "failed" && parent && !path.has(number) && !this.unfolded;
      this.paintItem(number, folded ? "folded" : status, folded, path.has(number), number === current);
      visible.push(this.items[number]);
      if (!folded) for (const child of this.children[number].toReversed()) stack.push(child);
    }
    const focused = this.place.contains(document.activeElement);
    this.show(visible);
    const item = this.items[current];
    if (!item) return;
    this.place.querySelectorAll("[tabindex='0']").forEach((each) => { each.tabIndex = -1; });
    item.tabIndex = 0;
    if (focused) item.focus({ preventScroll: true });
    centre(this.place, item);
  }

  // Shows these items; those that are shown already, before and after the ones that differ, are left alone.
  show(visible) {
    let start = 0, end = visible.length, old = this.shown.length;
    while (start < Math.min(end, old) && visible[start] === this.shown[start]) start += 1;
    while (end > start && old > start && visible[end - 1] === this.shown[old - 1]) { end -= 1; old -= 1; }
    for (const item of this.shown.slice(start, old)) item.remove();
    const added = document.createDocumentFragment();
    added.append(...visible.slice(start, end));
    this.place.insertBefore(added, this.place.children[start] || null);
    this.shown = visible;
  }

  paintItem(number, status, folded, onPath, current) {
    const painted = [status, onPath, current].join();
    if (this.painted[number] === painted) return;
    this.painted[number] = painted;
    const item = this.items[number], [shape, , count] = item.children;
    shape.className = `node ${status}`;
    item.className = [onPath ? "path" : "", current ? "current" : ""].join(" ").trim();
    count.textContent = folded ? `+${this.size[number] - 1}` : "";
    count.title = folded ? `${this.size[number] - 1} nodes folded below` : "";
    item.setAttribute("aria-label", `${this.player.story.nodes[number].l}, ${{ branch: "solutions below", solved: "solution" }[status] || status}`
      + (folded ? `, ${this.size[number] - 1} nodes under it` : ""));
    if (this.children[number].length > 0) item.setAttribute("aria-expanded", String(!folded));
    item.setAttribute("aria-current", String(current));
  }
}
