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
    this.items = nodes.map((node, number) => this.item(node, number));
    place.addEventListener("click", (event) => {
      const item = event.target.closest("[role=treeitem]");
      if (item) onGo(this.player.firstStep[Number(item.dataset.node)]);
    });
    walkable(place, "[role=treeitem]", (item) => onGo(this.player.firstStep[Number(item.dataset.node)]));
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
      if (nodes[number].s === "failed" && this.decided[number] < 0) this.decided[number] = latest[number];
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
    item.style.setProperty("--depth", Math.min(this.depth[number], 24));
    return item;
  }

  status(number) {
    const { s } = this.player.story.nodes[number];
    return (s === "failed" || s === "solved") && this.player.at >= this.decided[number] ? s : "branch";
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
    this.place.replaceChildren(...visible);
    const item = this.items[current];
    if (!item) return;
    this.items.forEach((each) => { each.tabIndex = each === item ? 0 : -1; });
    if (focused) item.focus({ preventScroll: true });
    centre(this.place, item);
  }

  paintItem(number, status, folded, onPath, current) {
    const item = this.items[number], [shape, , count] = item.children;
    shape.className = `node ${status}`;
    item.className = [onPath ? "path" : "", current ? "current" : ""].join(" ").trim();
    count.textContent = folded ? `+${this.size[number] - 1}` : "";
    item.setAttribute("aria-label", `${this.player.story.nodes[number].l}, ${{ branch: "open", solved: "solution" }[status] || status}`
      + (folded ? `, ${this.size[number] - 1} nodes under it` : ""));
    if (this.children[number].length > 0) item.setAttribute("aria-expanded", String(!folded));
    item.setAttribute("aria-current", String(current));
  }
}
