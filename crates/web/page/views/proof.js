// "Prove this position": the exact value by proof-number search, with its numbers as they change.

import { bytes, el, proofNumber, put, short, svg } from "../dom.js";
import { placeOf } from "../game.js";

/** The agent that proves. */
const PROVER = "df-pn";

export class Proof {
  #host;
  #table;
  #history = [];
  #button = el("button", { type: "button", class: "main" });
  #body = el("div");

  constructor(host, table) {
    this.#host = host;
    this.#table = table;
    this.#button.addEventListener("click", () => this.#press());
    put(host, el("p", { class: "fine", text: "Proves who wins from here, whatever the opponent does; small and late positions are proven in seconds." }), this.#button, this.#body);
  }

  forget() {
    this.#history = [];
  }

  #press() {
    const { solver, game, at } = this.#table;
    if (solver.running) {
      solver.stop();
    } else {
      this.#history = [];
      solver.look({ moves: 400, why: false, nodes: [] });
      solver.start(placeOf(game), at.to_move, { agent: PROVER });
    }
    this.paint();
  }

  paint() {
    const { solver, finished } = this.#table;
    this.#button.textContent = solver.running ? "Stop" : "Prove this position";
    this.#button.disabled = finished;
    const { head, error } = solver;
    if (finished) {
      put(this.#body, el("p", { class: "fine", text: "The game is over: there is nothing left to prove." }));
      return;
    }
    if (error) {
      put(this.#body, el("p", { class: "error", text: error }));
      return;
    }
    if (solver.id === null || head.simulations === undefined) {
      put(this.#body, solver.running ? el("p", { class: "fine", text: "Starting…" }) : null);
      return;
    }
    if (head.numbers) this.#history.push([head.seconds, head.numbers]);
    const parts = [];
    const badge = badgeText(head, solver.mover, this.#table.family.names);
    if (badge) parts.push(el("p", { class: `badge-line ${badge.kind}`, role: "status" }, el("span", { class: "seal", text: badge.sign }), badge.text));
    parts.push(el("dl", { class: "facts" },
      fact("proof number", head.numbers ? proofNumber(head.numbers.pn) : "–"),
      fact("disproof number", head.numbers ? proofNumber(head.numbers.dpn) : "–"),
      fact("positions", short(head.simulations)),
      fact("a second", short(head.simulations_per_s)),
      fact("memory", bytes(head.bytes)),
      fact("time", `${(head.seconds ?? 0).toFixed(1)} s`)));
    if (!head.stopped) parts.push(curve(this.#history));
    if (head.stopped && !badge) parts.push(el("p", { class: "fine", text: `Not proven: the search ended by ${head.stopped === "asked" ? "your stop" : head.stopped}.` }));
    const moves = head.stopped ? solver.moves().filter((row) => row.verdict) : [];
    if (moves.length) {
      const order = { win: 0, draw: 1, loss: 2 };
      moves.sort((a, b) => order[a.verdict] - order[b.verdict]);
      parts.push(el("h3", { text: "Proven moves" }), el("p", { class: "proven-moves" }, ...moves.slice(0, 60).map((row) =>
        el("button", { type: "button", class: `tag ${row.verdict}`, "data-line": row.move, disabled: !this.#table.personMoves, on: { click: () => this.#table.play(row.move) }, text: row.move }))));
    }
    put(this.#body, ...parts);
  }
}

function badgeText(head, mover, names) {
  if (head.value === "win") return { kind: "win", sign: "✓", text: `Proven: ${names[mover]}, to move, wins.` };
  if (head.value === "loss") return { kind: "loss", sign: "✕", text: `Proven: ${names[mover]}, to move, loses; ${names[3 - mover]} wins.` };
  if (head.value === "draw") return { kind: "draw", sign: "=", text: "Proven: a draw." };
  if (head.bounds?.most === "draw") return { kind: "draw", sign: "≤", text: `Proven: ${names[mover]}, to move, cannot win.` };
  return null;
}

const fact = (name, value) => [el("dt", { text: name }), el("dd", { text: value })];

/** Both numbers over time, on a logarithmic scale. */
function curve(history) {
  const [width, height] = [300, 70];
  const end = history.at(-1)?.[0] || 1;
  const value = (n) => (n === "inf" ? 1e9 : n);
  const top = Math.max(10, ...history.flatMap(([, n]) => [n.pn, n.dpn].filter((x) => x !== "inf")));
  const path = (name) => history.map(([t, n], i) => {
    const y = height - 4 - (Math.log(1 + Math.min(value(n[name]), top)) / Math.log(1 + top)) * (height - 8);
    return `${i ? "L" : "M"}${((t / end) * width).toFixed(1)} ${y.toFixed(1)}`;
  }).join("");
  return svg("svg", { class: "curve", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": "Proof and disproof number over time" },
    svg("path", { class: "pn", d: path("pn") }), svg("path", { class: "dpn", d: path("dpn") }));
}
