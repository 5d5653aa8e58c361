// What the page shows, read off its elements.
(() => {
  const text = (selector) => document.querySelector(selector).textContent;
  const state = (square) => [
    ["free", "chosen", "given", "forced", "out"].find((name) => square.classList.contains(name)),
    square.textContent, square.classList.contains("fresh"),
  ];
  const rows = (squares) => {
    const made = [];
    for (const square of squares) (made[square.dataset.row] ??= [])[square.dataset.cell] = state(square);
    return made;
  };
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  return {
    position: text("#position"),
    slider: document.querySelector("#slider").value,
    kind: document.querySelector("#kind").className,
    words: [text("#sentence"), ...all("#reasons li").map((reason) => reason.lastChild.textContent)].join("\n"),
    code: all("#pseudocode .active").map((line) => line.textContent),
    current: all("#tree .current").map((item) => Number(item.dataset.node)),
    tree: all("#tree li").map((item) => [Number(item.dataset.node), item.querySelector(".node").classList[1], item.querySelector(".text").textContent]),
    boards: all("figure").map((figure) => rows(all(".square, .candidate", figure))),
    domains: all(".domains").map((table) => rows(all(".value", table))),
    queens: all(".square svg").length,
    counters: all("figure").map((figure) => all("dd", figure).map((value) => value.textContent)),
    alarm: text("#alarm"),
  };
})()
