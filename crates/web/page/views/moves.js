// The moves of the game with their variations, to jump by; what is said about them; and the review.

import { el, put, signed } from "../dom.js";
import { lineOf, nodeOf } from "../game.js";
import { movesTo } from "../gametree.js";
import { reviewedLine, summaryOf } from "../review.js";

const MARKS = ["!", "!!", "!?", "?!", "?", "??"];

export class MovesView {
  #host;
  #table;
  #list = el("div", { class: "tree-moves" });
  #notes = el("div", { class: "notes" });
  #review = el("div", { class: "review" });
  #comment = el("textarea", { id: "comment", rows: 2, placeholder: "A comment on this move", "aria-label": "Comment on this move" });
  #mark = el("select", { id: "mark", "aria-label": "Mark of this move" }, el("option", { value: "", text: "no mark" }), ...MARKS.map((mark) => el("option", { value: mark, text: mark })));
  #promote = el("button", { type: "button", id: "promote", text: "Promote variation" });
  #delete = el("button", { type: "button", id: "delete-move", text: "Delete from here" });
  #files = el("p", { class: "buttons left" });

  constructor(host, table) {
    this.#host = host;
    this.#table = table;
    this.#comment.addEventListener("change", () => table.annotate({ comment: this.#comment.value.trim() || undefined }));
    this.#mark.addEventListener("change", () => table.annotate({ mark: this.#mark.value || undefined, marked: undefined }));
    this.#promote.addEventListener("click", () => table.promote());
    this.#delete.addEventListener("click", () => table.remove());
    this.#list.addEventListener("click", (event) => {
      const node = event.target.closest("[data-node]")?.dataset.node;
      if (node !== undefined) table.goTo(Number(node));
    });
    put(this.#notes, this.#comment, el("p", { class: "buttons left" }, this.#mark, this.#promote, this.#delete));
    const save = (format, text) => el("button", { type: "button", "data-format": format, on: { click: () => table.exportGame(format) }, text });
    put(this.#files, save("games", "Save as file"), save("sgf", "Save as SGF"));
    put(host, this.#list, this.#notes, this.#review, this.#files);
  }

  paint() {
    const { game, at, catalogue } = this.#table;
    const current = nodeOf(game);
    const line = new Set(lineOf(game));
    const said = game.tree[0].comment ? [el("p", { class: "said", text: game.tree[0].comment })] : [];
    if (game.tree.length < 2) {
      const described = catalogue.games.find((listed) => at && listed.name === at.game.split("(")[0]);
      put(this.#list, ...said, el("p", { class: "fine", text: described?.summary ?? "" }), el("p", { class: "fine", text: "No moves yet." }));
    } else {
      put(this.#list, ...said, this.#lineOf(0, current, line));
    }
    this.#notes.hidden = game.tree.length < 2;
    if (document.activeElement !== this.#comment) this.#comment.value = game.tree[current]?.comment ?? "";
    this.#mark.value = game.tree[current]?.mark ?? "";
    this.#mark.disabled = !current;
    this.#promote.hidden = !this.#table.inVariation;
    this.#delete.hidden = !current;
    const shogi = at?.game.startsWith("minishogi");
    const [own, other] = this.#files.children;
    own.hidden = game.tree.length < 2;
    other.hidden = own.hidden || !(shogi || /^(gomoku|hex)\b/.test(at?.game ?? ""));
    other.dataset.format = shogi ? "kif" : "sgf";
    other.textContent = shogi ? "Save as KIF" : "Save as SGF";
    this.paintReview();
    this.#scroll();
  }

  /** The main line from a node on, in two columns; variations stand below the move that they replace. */
  #lineOf(from, current, line) {
    const { tree } = this.#table.game;
    const items = [];
    let ply = 0;
    for (let at = from; tree[at].children.length; at = tree[at].children[0]) {
      const [next, ...others] = tree[at].children;
      ply += 1;
      items.push(el("li", {}, this.#button(next, ply, current, line)));
      const notes = [];
      if (tree[next].comment) notes.push(el("p", { class: "said", text: tree[next].comment }));
      for (const other of others) notes.push(el("p", { class: "variation" }, ...this.#inline(other, ply, current, line)));
      if (notes.length) items.push(el("li", { class: "whole" }, ...notes));
    }
    return el("ol", { class: "moves" }, ...items);
  }

  /** A variation as running text, its own variations in parentheses. */
  #inline(first, ply, current, line) {
    const { tree } = this.#table.game;
    const parts = [];
    const open = [{ id: first, ply, own: true }];
    while (open.length) {
      const step = open.pop();
      if (step.text) {
        parts.push(step.text);
        continue;
      }
      const { id, ply: at } = step;
      parts.push(this.#button(id, at, current, line, true));
      if (tree[id].comment) parts.push(el("span", { class: "said", text: tree[id].comment }));
      const siblings = tree[tree[id].parent].children;
      const [next] = tree[id].children;
      if (next !== undefined) open.push({ id: next, ply: at + 1 });
      // Siblings of a move that is itself within the variation.
      if (!step.own && siblings[0] === id) {
        for (const other of siblings.slice(1).reverse()) open.push({ text: ")" }, { id: other, ply: at }, { text: "(" });
      }
    }
    return parts;
  }

  #button(id, ply, current, line, small = false) {
    const node = this.#table.game.tree[id];
    const { mark, value } = node;
    const won = value?.proven && value.value ? (value.value > 0 ? " first" : " second") : "";
    const bad = { "?!": " dubious", "?": " mistake", "??": " blunder" }[mark] ?? "";
    return el("button", {
      type: "button",
      class: `${small ? "move small" : "move"}${won}${line.has(id) ? " on-line" : ""}${bad}`,
      "data-node": id,
      "aria-current": id === current ? "true" : null,
    }, el("span", { class: "ply", text: `${ply}` }), node.move, mark ? el("span", { class: "mark", text: mark }) : null);
  }

  /** Scrolls the list alone: scrollIntoView would scroll the page as well. */
  #scroll() {
    const current = this.#list.querySelector("[aria-current]");
    const box = this.#host.parentElement;
    if (!current) {
      box.scrollTop = 0;
      return;
    }
    const top = current.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
    if (top < box.scrollTop || top + current.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 2;
  }

  paintReview() {
    const { game, review, family } = this.#table;
    const reviewed = reviewedLine(game).some((id) => game.tree[id].review);
    const start = (depth) => () => {
      review.start(depth);
      this.paintReview();
    };
    const parts = [];
    if (review.running) {
      parts.push(el("p", { class: "row" }, el("progress", { value: review.share, max: 1, "aria-label": "Positions reviewed" }), el("button", { type: "button", on: { click: () => review.stop() }, text: "Stop" })));
    } else if (game.moves.length) {
      parts.push(el("p", { class: "buttons left" },
        el("button", { type: "button", id: "review", class: reviewed ? null : "main", on: { click: start("quick") }, text: reviewed ? "Review again" : "Review this game" }),
        el("button", { type: "button", id: "review-long", on: { click: start("thorough") }, text: "Thorough review" })));
    }
    if (reviewed) parts.push(this.#summary(game, family.names), this.#mistakes(game));
    put(this.#review, ...parts);
  }

  #summary(game, names) {
    const heads = ["", "Best moves", "Mean loss", "?!", "?", "??", "Thrown away"];
    const tips = ["", "Moves that the search would have played", "What a move cost on average, of a value from −1 to +1", "dubious moves", "mistakes", "blunders", "Moves that gave away a proven result"];
    return el("table", { class: "data summary" },
      el("thead", {}, el("tr", {}, ...heads.map((text, i) => el("th", { scope: "col", class: i ? "n" : null, title: tips[i] || null }, text || el("span", { class: "unseen", text: "Player" }))))),
      el("tbody", {}, ...summaryOf(game).map(({ player, moves, best, mean, dubious, mistakes, blunders, thrown }) =>
        el("tr", {}, el("th", { scope: "row", text: names[player] }), ...[`${best} of ${moves}`, mean.toFixed(3), dubious, mistakes, blunders, thrown].map((text) => el("td", { class: "n", text }))))));
  }

  /** The marked moves of the line with what would have been better. */
  #mistakes(game) {
    const found = reviewedLine(game).map((id, ply) => ({ id, ply, node: game.tree[id] })).filter(({ node }) => node.review?.mark);
    if (!found.length) return el("p", { class: "fine", text: "No mistakes were found." });
    return el("ol", { class: "mistakes" }, ...found.map(({ id, ply, node }) => {
      const { best, before, after, thrown, line } = node.review;
      const better = best && best !== node.move ? `${best} was better: ${signed(before)} instead of ${signed(after)}` : `${signed(before)} became ${signed(after)}`;
      const show = () => this.#table.showLine(movesTo(game.tree, game.tree[id].parent), line);
      return el("li", {},
        el("button", { type: "button", class: "link", on: { click: () => this.#table.goTo(id) }, text: `${ply}. ${node.move}${node.review.mark}` }),
        ` ${thrown ? "threw away a proven result; " : ""}${better} `,
        line.length ? el("button", { type: "button", class: "link best-line", on: { click: show }, text: `Show ${line.slice(0, 4).join(" ")}…` }) : null);
    }));
  }
}
