// "Why this move": the three terms by which the search chooses where to go next, for each move.

import { el, put, short, svg } from "../dom.js";

const TERMS = [
  ["mean", "mean value"],
  ["explore", "exploration"],
  ["rank", "rank of proof numbers"],
];

/** The agent plyproof, but going by the three terms alone among many moves as well. */
export const WITHOUT_RAVE = "plyproof(rave=off)";
/** Agents that go by the three terms alone, wherever they search. */
const BY_TERMS = [WITHOUT_RAVE, "pn-mcts", "mcts"];

export class WhyTable {
  #host;
  #table;

  constructor(host, table) {
    this.#host = host;
    this.#table = table;
  }

  paint() {
    const { analysis, analysing } = this.#table;
    const moves = analysis.moves();
    if (analysis.head.formula === false) {
      this.#advise(analysis.agent);
      return;
    }
    this.#advised = null;
    if (!moves.length) {
      put(this.#host, el("p", { class: "fine", text: analysing ? "Waiting for the first simulations…" : "Switch the engine on to see by what it chooses." }));
      return;
    }
    const known = moves.filter((row) => row.terms);
    if (!known.length) {
      put(this.#host, el("p", { class: "fine", text: "Every move is visited once, in random order, before the formula applies. Some are still waiting." }));
      return;
    }
    const sum = (row) => row.terms.reduce((a, b) => a + b, 0);
    const next = known.reduce((best, row) => (sum(row) > sum(best) ? row : best));
    const scale = Math.max(...known.map((row) => Math.max(0, row.terms[0]) + row.terms[1] + row.terms[2]), 0.001);
    const low = Math.min(0, ...known.map((row) => row.terms[0]));
    const legend = el("p", { class: "legend" }, ...TERMS.map(([name, text]) => el("span", {}, el("i", { class: `key ${name}` }), text)));
    const formula = el("p", { class: "formula", text: "v + C·√(ln n / nᵢ) + Cₚₙ·(1 − rankᵢ / max rank)" });
    const head = el("tr", {}, ...["Move", "Visits", "v", "explore", "rank", "sum", ""].map((text, i) => el("th", { scope: "col", class: i === 6 ? "bars" : i ? "n" : "" }, text || el("span", { class: "unseen", text: "Terms as a bar" }))));
    const rows = known.slice(0, 40).map((row) =>
      el("tr", { class: row === next ? "best" : "" },
        el("th", { scope: "row", text: row.move }),
        el("td", { class: "n", text: short(row.visits) }),
        ...row.terms.map((term) => el("td", { class: "n", text: term.toFixed(3) })),
        el("td", { class: "n strong", text: sum(row).toFixed(3) }),
        el("td", { class: "bars" }, bar(row.terms, low, scale))));
    put(this.#host,
      formula, legend,
      el("p", { class: "fine", text: `The next simulation goes to ${next.move}: its sum is the largest.` }),
      el("table", { class: "data" }, el("thead", {}, head), el("tbody", {}, ...rows)));
  }

  /** There are no terms to show: says why, and offers agents that have them. */
  #advise(agent) {
    // The buttons stay where they are while the search goes on, or nobody could press them.
    if (this.#advised === agent) return;
    this.#advised = agent;
    const why = agent === "plyproof"
      ? "Among more than 100 moves plyproof also learns from the moves of its play-outs (RAVE), a fourth term that is not shown here. By the three terms alone choose"
      : `${agent} does not choose by the three terms that are shown here. By them choose`;
    const choose = (name) => () => {
      this.#table.chooseAgent(name);
      this.#table.toggleEngine(true);
    };
    put(this.#host,
      el("p", { class: "fine", text: `${why}:` }),
      el("p", { class: "buttons left" }, ...BY_TERMS.map((name) => el("button", { type: "button", class: "advice", on: { click: choose(name) }, text: name }))));
  }
  #advised = null;
}

/** The terms side by side; a negative mean reaches to the left of the line. */
function bar(terms, low, high) {
  const width = 120;
  const x = (value) => ((value - low) / (high - low)) * width;
  const [mean, explore, rank] = terms;
  const from = Math.max(mean, 0);
  const parts = [["mean", Math.min(mean, 0), Math.max(mean, 0)], ["explore", from, from + explore], ["rank", from + explore, from + explore + rank]];
  return svg("svg", { viewBox: `0 0 ${width} 12`, class: "terms", "aria-hidden": "true", preserveAspectRatio: "none" },
    ...parts.map(([name, a, b]) => svg("rect", { class: name, x: x(a).toFixed(1), y: 1, width: Math.max(0, x(b) - x(a)).toFixed(1), height: 10 })),
    svg("path", { class: "zero", d: `M${x(0).toFixed(1)} 0V12` }));
}
