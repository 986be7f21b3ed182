// "Why this move": the terms that the search itself adds up to choose where to go next, for each move.

import { el, put, short, svg } from "../dom.js";
import { Advice } from "./advice.js";

/** The terms by the names that the engine gives them: how they are called at the head of a column, in words, and their colour. */
const TERMS = new Map([
  ["mean", ["mean", "mean value", "mean"]],
  ["rave", ["RAVE", "moves of play-outs (RAVE)", "rave"]],
  ["exploration", ["explore", "exploration", "exploration"]],
  ["rank", ["rank", "rank of proof numbers", "bonus"]],
  ["numbers", ["bonus", "bonus by proof numbers", "bonus"]],
  ["bonus", ["bonus", "bonus of the agent's own", "bonus"]],
]);
const MOST_ROWS = 40;
/** Rows that set the scale of the bars. */
const SCALING = 8;

export class WhyTable {
  #host;
  #table;
  #advice;

  constructor(host, table) {
    this.#host = host;
    this.#table = table;
    this.#advice = new Advice(table, "why");
  }

  paint() {
    const { analysis, analysing } = this.#table;
    const { head } = analysis;
    if (head.adds_up === false) {
      this.#advice.show(analysis.agent);
      if (this.#host.firstChild !== this.#advice.node) put(this.#host, this.#advice.node);
      return;
    }
    const moves = analysis.moves();
    if (!moves.length || !head.next) {
      this.#say(analysing ? "Waiting for the first simulations…" : "Switch the engine on to see by what it chooses.");
      return;
    }
    const known = moves.filter((row) => row.terms);
    if (!head.terms || !known.length) {
      const { count, move } = head.next;
      const left = move ? `Only ${move} is left.` : `${count} are left.`;
      this.#say(count ? `Every move is visited once, in random order, before any is chosen. ${left}` : "Everything is decided here: no simulation is left to choose.");
      return;
    }
    const terms = head.terms.map((name) => TERMS.get(name) ?? [name, name, "bonus"]);
    const next = known.find((row) => row.move === head.next.move);
    const shown = known.slice(0, MOST_ROWS);
    if (next && !shown.includes(next)) shown.push(next);
    // The moves at the top and the next one set the scale. Bars of others, which few simulations have made extreme, are cut off.
    const scaling = shown.filter((row, index) => index < SCALING || row === next);
    const reach = (sign) => Math.max(0, ...scaling.map((row) => row.terms.reduce((sum, term) => sum + Math.max(0, sign * term), 0)));
    const [low, high] = [-reach(-1), Math.max(reach(1), 0.001)];
    const legend = el("p", { class: "legend" }, ...terms.map(([, text, colour]) => el("span", {}, el("i", { class: `key ${colour}` }), text)));
    const heads = ["Move", "Visits", ...terms.map(([short]) => short), "sum", ""];
    const columns = el("tr", {}, ...heads.map((text, i) => el("th", { scope: "col", class: !text ? "bars" : i ? "n" : "" }, text || el("span", { class: "unseen", text: "Terms as a bar" }))));
    const rows = shown.map((row) =>
      el("tr", { class: row === next ? "best" : "" },
        el("th", { scope: "row", text: row.move }),
        el("td", { class: "n", text: short(row.visits) }),
        ...row.terms.map((term) => el("td", { class: "n", text: term.toFixed(3) })),
        el("td", { class: "n strong", text: row.score.toFixed(3) }),
        el("td", { class: "bars" }, bar(row.terms, terms, low, high))));
    put(this.#host,
      legend,
      el("p", { class: "fine", text: whereNext(head) }),
      el("table", { class: "data", title: "All terms are for the player to move." }, el("thead", {}, columns), el("tbody", {}, ...rows)));
  }

  #say(text) {
    put(this.#host, el("p", { class: "fine", text }));
  }
}

/** Where the next simulation goes, as selection says. */
function whereNext({ next, stopped }) {
  const goes = stopped ? "would go" : "goes";
  if (next.move) return `The next simulation ${goes} to ${next.move}: its sum is the largest.`;
  if (next.count) return `The next simulation ${goes} to one of ${next.count} moves without any, drawn at random: their sums are equal, and the largest.`;
  return "The value is proven: there is no next simulation.";
}

/** The terms side by side; negative ones reach to the left of the line. */
function bar(values, terms, low, high) {
  const width = 120;
  const x = (value) => ((value - low) / (high - low)) * width;
  const ends = { [-1]: 0, [1]: 0 };
  const parts = values.map((value, i) => {
    const side = value < 0 ? -1 : 1;
    const from = ends[side];
    ends[side] += value;
    return svg("rect", { class: terms[i][2], x: x(Math.min(from, ends[side])).toFixed(1), y: 1, width: (x(Math.abs(value)) - x(0)).toFixed(1), height: 10 });
  });
  return svg("svg", { viewBox: `0 0 ${width} 12`, class: "terms", "aria-hidden": "true", preserveAspectRatio: "none" },
    ...parts,
    svg("path", { class: "zero", d: `M${x(0).toFixed(1)} 0V12` }));
}
