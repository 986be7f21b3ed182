// How a search works, simulation by simulation, on a tree that is small enough to be seen whole.

import { picture } from "../board.js";
import { familyOf } from "../boards/index.js";
import { download, el, proofNumber, put, signed } from "../dom.js";
import { placeOf } from "../game.js";
import { TreePicture, visiblePart } from "../treepicture.js";

/** Positions that are small enough, and what they show. */
const EXAMPLES = [
  ["tictactoe", ["b2", "a1", "c1", "a3"], "Tic-tac-toe: Crosses must stop a row"],
  ["tictactoe", ["a1", "b1"], "Tic-tac-toe: Crosses can win by force"],
  ["connect4(width=4,height=4)", ["b", "c", "b"], "Connect Four, 4×4"],
  ["breakthrough(size=3x4)", [], "Breakthrough, 3×4"],
  ["hex(size=3)", [], "Hex, 3×3"],
  ["domineering(size=3x3)", [], "Domineering, 3×3"],
];
const AGENTS = ["mcts", "pn-mcts", "pns"];
/** Simulations of the longest run, and nodes in the picture. */
const [MOST, NODES] = [300, 90];
const PHASES = {
  mcts: [
    ["Select", "From the root down, the child with the largest sum of mean and exploration is taken, until a leaf is reached."],
    ["Expand", "A new node is added to the tree."],
    ["Play out", "The game is played to its end at random from there."],
    ["Back up", "The result is added to every node on the path: visits and means change."],
  ],
  "pn-mcts": [
    ["Select", "As in MCTS, but the rank of a child by its proof numbers adds to its sum: children that are easy to prove are preferred."],
    ["Expand", "A new node is added, with proof and disproof number 1, or 0 and ∞ if the game is over there."],
    ["Play out", "The game is played to its end at random from there."],
    ["Back up", "Visits, means, and proof and disproof numbers change along the path."],
  ],
  pns: [
    ["Select", "At an OR node the child with the least proof number is taken, at an AND node that with the least disproof number: the leaf at the end is the most-proving node."],
    ["Expand", "All children of this leaf are added."],
    ["Evaluate", "Each new child counts 1 and 1, or 0 and ∞ if the game is over there."],
    ["Back up", "An OR node takes the least proof number and the sum of the disproof numbers of its children; an AND node the other way round."],
  ],
};

export class Learn {
  #host;
  #table;
  #painted = false;
  #tree = new TreePicture({ across: 92 });
  #step = 1;
  #phase = 3;
  #timer = null;
  #known = new Map();
  #asked = 0;
  #example = el("select", { id: "learn-example" }, ...EXAMPLES.map(([, , text], index) => el("option", { value: index, text })), el("option", { value: "board", text: "The position on the board" }));
  #agent = el("select", { id: "learn-agent" }, ...AGENTS.map((name) => el("option", { value: name, text: name })));
  #slider = el("input", { type: "range", id: "learn-step", min: 1, max: MOST, value: 1 });
  #count = el("output", { for: "learn-step" });
  #play = el("button", { type: "button", class: "main", id: "learn-play", text: "Play" });
  #phases = el("ol", { class: "phases" });
  #said = el("p", { class: "fine", role: "status", id: "learn-said" });
  #board = el("div", { class: "thumb" });
  #error = el("p", { class: "error", role: "alert" });

  constructor(host, catalogue, table) {
    this.#host = host;
    this.#table = table;
    for (const select of [this.#example, this.#agent]) select.addEventListener("change", () => this.#restart());
    this.#slider.addEventListener("input", () => this.#go(Number(this.#slider.value), 3));
    this.#play.addEventListener("click", () => (this.#timer ? this.#stop() : this.#run()));
  }

  show() {
    if (!this.#painted) {
      this.#painted = true;
      this.#agent.value = "pn-mcts";
      const button = (id, text, work) => el("button", { type: "button", id, on: { click: () => {
        this.#stop();
        work();
      } }, text });
      const save = () => download(`tree-${this.#agent.value}-${this.#step}.svg`, this.#tree.file(), "image/svg+xml");
      put(this.#host,
        el("h2", { text: "How a search works" }),
        el("p", { class: "fine", text: "One simulation after the other: the path that was selected, the node that was added, and the numbers that changed. Squares are OR nodes, circles AND nodes." }),
        el("div", { class: "learn" },
          el("div", { class: "learn-side" },
            el("p", { class: "field" }, el("label", { for: "learn-example", text: "Position" }), this.#example),
            el("p", { class: "field" }, el("label", { for: "learn-agent", text: "Search" }), this.#agent),
            this.#board, this.#phases),
          el("div", { class: "learn-main" },
            el("div", { class: "row" },
              button("learn-back", "◀ Back", () => this.#back()), this.#play, button("learn-next", "Step ▶", () => this.#next()),
              el("label", { class: "row grow", for: "learn-step" }, el("span", { text: "Simulation" }), this.#slider), this.#count,
              button("learn-save", "Save SVG", save)),
            this.#said, this.#tree.node, this.#error)));
    }
    this.#restart();
  }

  hide() {
    this.#stop();
  }

  get #place() {
    if (this.#example.value === "board") return placeOf(this.#table.game);
    const [game, moves] = EXAMPLES[Number(this.#example.value)];
    return { game, start: null, moves };
  }

  async #restart() {
    this.#stop();
    this.#known.clear();
    const place = this.#place;
    put(this.#phases, ...PHASES[this.#agent.value].map(([name, text]) => el("li", {}, el("b", { text: name }), ` ${text}`)));
    const at = await this.#table.describe(place).catch(() => null);
    this.#board.hidden = !at;
    if (at) put(this.#board, picture(familyOf(place.game, place.rules), { ...at, moves: place.moves }, "The position at the root"));
    this.#go(1, 3);
  }

  #run() {
    this.#play.textContent = "Pause";
    this.#timer = setInterval(() => this.#next(), matchMedia("(prefers-reduced-motion: reduce)").matches ? 300 : 700);
  }

  #stop() {
    clearInterval(this.#timer);
    this.#timer = null;
    this.#play.textContent = "Play";
  }

  #next() {
    if (this.#phase < 3) this.#go(this.#step, this.#phase + 1);
    else if (this.#step < MOST) this.#go(this.#step + 1, 0);
    else this.#stop();
  }

  #back() {
    if (this.#phase > 0) this.#go(this.#step, this.#phase - 1);
    else if (this.#step > 1) this.#go(this.#step - 1, 3);
  }

  /** The tree after so many simulations. */
  async #after(count) {
    if (count < 1) return { nodes: new Map(), report: null };
    if (!this.#known.has(count)) {
      const { nodes, report } = await this.#table.smallTree(this.#place, this.#agent.value, count);
      this.#known.set(count, { nodes: new Map(nodes.map((node) => [node.path.join(" "), node])), report });
    }
    return this.#known.get(count);
  }

  /** Shows a simulation up to a phase: 0 select, 1 expand, 2 play out, 3 back up. */
  async #go(step, phase) {
    [this.#step, this.#phase] = [step, phase];
    this.#slider.value = step;
    this.#count.textContent = String(step);
    const mine = ++this.#asked;
    try {
      const [before, after] = await Promise.all([this.#after(step - 1), this.#after(step)]);
      if (mine === this.#asked) this.#paint(before, after);
    } catch (error) {
      this.#stop();
      if (mine === this.#asked) this.#error.textContent = error.message;
    }
  }

  #paint(before, after) {
    this.#error.textContent = "";
    const root = visiblePart(after.nodes, NODES, { wide: true });
    if (!root) {
      this.#said.textContent = "This search keeps no tree here.";
      return;
    }
    const old = flat(before.nodes);
    const now = flat(after.nodes);
    const path = changedPath(old, now, before.nodes, after.nodes);
    const on = new Set(path);
    const last = path.at(-1) ?? "";
    const fresh = (node) => node.path && (!old.has(node.path) || (old.get(node.path).visits === 0 && node.visits > 0));
    const whole = this.#phase === 3;
    const look = (node) => {
      const isNew = fresh(node) && step(on, node.path, last);
      const was = old.get(node.path);
      const shown = whole || !was ? node : { ...node, ...was };
      const numbers = node.kind ? `${proofNumber(shown.pn)} / ${proofNumber(shown.dpn)}` : "";
      const mean = shown.mean === null || shown.mean === undefined || !shown.visits ? "" : signed(shown.mean);
      const classes = [on.has(node.path) ? "on-path" : "", isNew && this.#phase > 0 ? "new" : "", isNew && this.#phase === 0 ? "coming" : "", whole && was && on.has(node.path) ? "changed" : ""].join(" ");
      return { classes, as: { ...shown, result: whole || !was ? node.result : null }, text: [numbers || mean, shown.visits ? `${shown.visits}${numbers && mean ? ` · ${mean}` : ""}` : ""] };
    };
    this.#tree.show(root, `The tree after ${this.#step} simulations`, look, last);
    [...this.#phases.children].forEach((item, index) => item.classList.toggle("now", index === this.#phase));
    this.#said.textContent = this.#sentence(path, old, now);
  }

  #sentence(path, old, now) {
    const { report } = this.#known.get(this.#step);
    if (report.simulations < this.#step) return `The value is proven after ${report.simulations} simulations: ${report.value ?? "decided"}. There is nothing left to search.`;
    const last = path.at(-1);
    const way = last ? last.split(" ").join(" → ") : "the root";
    if (this.#phase === 0) return `Selected: ${way}.`;
    const { nodes } = this.#known.get(this.#step);
    const pns = this.#agent.value === "pns";
    if (this.#phase === 1 && pns) return `${nodes.get(last ?? "")?.children.length ?? 0} children of ${way} are added.`;
    if (this.#phase === 1) return last && !old.has(last) ? `${last.split(" ").at(-1)} is added below ${last.split(" ").slice(0, -1).join(" → ") || "the root"}.` : `${way} is expanded.`;
    const [was, is] = [old.get(last), now.get(last)];
    const result = is && is.mean !== null && is.mean !== undefined ? is.mean * is.visits - (was?.mean ?? 0) * (was?.visits ?? 0) : null;
    if (this.#phase === 2) return pns || result === null ? "The new nodes are given their numbers." : `The result is ${Math.round(result) > 0 ? "a win" : Math.round(result) < 0 ? "a loss" : "a draw"} for the player who moved to ${way}.`;
    return `${path.length + 1} node${path.length ? "s" : ""} on the path ${path.length ? "are" : "is"} updated. Best so far: ${report.best ?? "–"}.`;
  }
}

/** Whether a node is on the selected path or right below its end. */
const step = (on, path, last) => on.has(path) || path.startsWith(last ? `${last} ` : "");

/** All nodes and children of a tree by their paths: {visits, mean, pn, dpn}. */
function flat(nodes) {
  const found = new Map();
  for (const [path, node] of nodes) {
    if (!found.has(path)) found.set(path, { visits: node.visits, mean: null, pn: node.pn, dpn: node.dpn });
    for (const { move, visits, mean, pn, dpn } of node.children) found.set(path ? `${path} ${move}` : move, { visits, mean, pn, dpn });
  }
  return found;
}

/** The nodes below the root that the last simulation went through, from the top. */
function changedPath(old, now, before, after) {
  if ((now.get("")?.visits ?? 0) === 0 || [...now].every(([path, node]) => !path || !node.visits)) {
    // Without visits: the way to the node that has children now.
    const [expanded = ""] = [...after.keys()].filter((path) => path && !before.has(path)).sort((a, b) => b.length - a.length);
    const moves = expanded.split(" ").filter(Boolean);
    return moves.map((_, index) => moves.slice(0, index + 1).join(" "));
  }
  return [...now].filter(([path, node]) => path && node.visits > (old.get(path)?.visits ?? 0)).map(([path]) => path).sort((a, b) => a.split(" ").length - b.split(" ").length);
}
