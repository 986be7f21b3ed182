// The table of moves: what the search found out about each.

import { el, proofNumber, put, short, signed } from "../dom.js";
import { settings } from "../settings.js";
import { WORDS } from "../words.js";
import { previewOnHover } from "./hover.js";

const COLUMNS = ["Move", "Visits", "", "Mean", "pn", "dpn", "Rank", "", "2nd visits", "2nd mean"];
const TIPS = [null, WORDS.visits, "Share of the most visited move", WORDS.mean, WORDS.pn, WORDS.dpn, WORDS.rank, WORDS.proven, "Visits by the second agent", "Mean of the second agent"];
const MOST = 60;

/** A search that only finds out that a move is no better than another one knows a bound. */
const meanOf = (row) => row.visits ? `${row.atMost ? "≤ " : ""}${signed(row.mean)}` : "–";

export class MoveTable {
  #table;
  #body = el("tbody");
  #whole;
  #hint = el("p", { class: "fine" });
  /** Rows by move: they stay while the search goes on, so that the pointer and the keyboard stay with them. */
  #rows = new Map();
  #search = null;

  constructor(host, table) {
    this.#table = table;
    const label = { 2: "Share of visits", 7: "Proven" };
    const words = (text, index) => text || el("span", { class: "unseen", text: label[index] });
    const head = COLUMNS.map((text, index) => el("th", { scope: "col", title: TIPS[index], class: index === 2 ? "share" : index > 7 ? "n other" : index ? "n" : null }, words(text, index)));
    this.#whole = el("table", { class: "data" }, el("thead", {}, el("tr", {}, ...head)), this.#body);
    put(host, this.#hint, this.#whole);
    previewOnHover(this.#body, table);
  }

  paint() {
    const { analysis } = this.#table;
    if (analysis.id !== this.#search) {
      this.#search = analysis.id;
      this.#rows.clear();
    }
    const moves = analysis.moves().slice(0, MOST);
    this.#hint.hidden = moves.length > 0;
    this.#hint.textContent = this.#why();
    this.#whole.hidden = moves.length === 0;
    this.#whole.classList.toggle("two", Boolean(settings.second));
    const most = Math.max(1, ...moves.map((row) => row.visits));
    const wanted = moves.map((row) => this.#row(row, most, analysis.head.best));
    // Rows are moved only where the order is another: a row that is taken out loses the focus.
    wanted.forEach((node, index) => {
      if (this.#body.children[index] !== node) this.#body.insertBefore(node, this.#body.children[index] ?? null);
    });
    while (this.#body.children.length > wanted.length) this.#body.lastChild.remove();
  }

  /** Why no move is listed. */
  #why() {
    const { analysis, analysing, finished } = this.#table;
    if (finished) return "The game is over: there are no moves.";
    if (analysis.error) return "The search has failed; the reason is above.";
    if (!analysing && analysis.id === null) return "Switch the engine on to see what it thinks of each move.";
    if (analysis.head.simulations === undefined) return "Waiting for the first simulations…";
    return `${analysis.agent} proves the position as a whole and does not value single moves. Its proof numbers are above; for a table of moves choose another agent there.`;
  }

  #row(row, most, best) {
    let node = this.#rows.get(row.move);
    if (!node) {
      node = this.#build(row.move);
      this.#rows.set(row.move, node);
    }
    const { mayMove } = this.#table;
    const [move, visits, share, mean, pn, dpn, rank, verdict, otherVisits, otherMean] = node.children;
    const other = settings.second ? this.#table.compare.rows.get(row.move) : null;
    otherVisits.textContent = other ? short(other.visits) : "";
    otherMean.textContent = other?.visits ? meanOf(other) : "";
    node.className = [row.move === best ? "best" : "", row.verdict ?? ""].join(" ").trim();
    move.firstChild.disabled = !mayMove;
    visits.textContent = short(row.visits);
    share.firstChild.max = most;
    share.firstChild.value = row.visits;
    mean.textContent = meanOf(row);
    pn.textContent = proofNumber(row.pn);
    dpn.textContent = proofNumber(row.dpn);
    rank.textContent = row.rank ?? "–";
    const word = row.verdict ?? (row.most < 1 ? "no win" : "");
    if (verdict.textContent !== word) put(verdict, word ? el("span", { class: `tag ${word.replace(" ", "-")}`, text: word }) : null);
    return node;
  }

  #build(move) {
    const play = el("button", { type: "button", class: "link", on: { click: () => this.#table.play(move) }, text: move, "aria-label": `Play ${move}` });
    const meter = el("meter", { min: 0, max: 1, value: 0, "aria-hidden": "true" });
    const number = () => el("td", { class: "n" });
    return el("tr", { "data-line": move }, el("th", { scope: "row" }, play), number(), el("td", { class: "share" }, meter), number(), number(), number(), number(), el("td", { class: "verdict" }), ...[0, 1].map(() => el("td", { class: "n other" })));
  }
}
