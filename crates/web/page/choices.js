// A list of moves to choose from, for those that cannot be picked on the board.

import { el, put } from "./dom.js";

/** With more moves than this there is a field to search them. */
const MANY = 24;
/** Moves shown at once; a search finds the others. */
const MOST = 200;
const MARKS = { win: "✓", loss: "✕", draw: "=" };

export class Choices {
  #host;
  #play;
  #texts = [];
  #open = false;
  /** What an analysis says of each move, by its text. */
  #notes = new Map();
  #buttons = new Map();
  #filter;
  #find;
  #list = el("ul", { class: "choice-list" });
  #note;

  /** `play(text)` is called with the move that is chosen; `id` begins the ids of the parts. */
  constructor(host, play, id = "choices") {
    this.#note = el("p", { class: "fine", id: `${id}-note`, role: "status" });
    this.#filter = el("input", { type: "search", id: `${id}-filter`, spellcheck: "false", autocomplete: "off", placeholder: "for example a1", "aria-describedby": `${id}-note` });
    this.#find = el("p", { class: "find", hidden: true }, el("label", { for: `${id}-filter`, text: "Find a move" }), this.#filter);
    this.#host = host;
    this.#play = play;
    put(host, this.#find, this.#list, this.#note);
    this.#filter.addEventListener("input", () => this.#paint());
    this.#filter.addEventListener("keydown", (event) => this.#inFilter(event));
    this.#list.addEventListener("keydown", (event) => this.#inList(event));
    this.#list.addEventListener("click", (event) => this.#choose(event.target.closest("button")?.dataset.move));
  }

  /** Other moves. They are shown, but cannot be chosen, while they are not `open`. */
  offer(texts, open) {
    const held = this.#host.contains(document.activeElement) ? document.activeElement : null;
    this.#open = open;
    this.#host.hidden = texts.length === 0;
    if (texts.join(" ") !== this.#texts.join(" ")) {
      this.#texts = texts;
      this.#filter.value = "";
      this.#paint();
      // Whoever moves by the keyboard stays where the moves are.
      if (held) (held === this.#filter && !this.#find.hidden ? held : this.#first())?.focus();
    }
    this.#host.classList.toggle("closed", !this.#open);
    for (const button of this.#buttons.values()) button.setAttribute("aria-disabled", String(!this.#open));
  }

  /** Moves with shares and verdicts, as they are drawn over a board. */
  overlay(moves) {
    this.#notes = new Map(moves.map((move) => [move.text, move]));
    for (const [text, button] of this.#buttons) this.#mark(text, button);
  }

  focus() {
    (this.#find.hidden ? this.#first() : this.#filter)?.focus();
  }

  #first() {
    return this.#list.querySelector("button");
  }

  #found() {
    const wanted = this.#filter.value.trim().toLowerCase();
    if (!wanted) return this.#texts;
    const begins = (text) => text.toLowerCase().startsWith(wanted);
    const has = this.#texts.filter((text) => text.toLowerCase().includes(wanted));
    return [...has.filter(begins), ...has.filter((text) => !begins(text))];
  }

  #paint() {
    const found = this.#found();
    const shown = found.slice(0, MOST);
    this.#find.hidden = this.#texts.length <= MANY;
    this.#buttons = new Map(shown.map((text, index) => [text, el("button", {
      type: "button", class: "choice", "data-move": text, tabindex: index ? "-1" : "0", "aria-disabled": String(!this.#open),
    }, el("span", { text }), el("small"))]));
    put(this.#list, ...[...this.#buttons.values()].map((button) => el("li", {}, button)));
    for (const [text, button] of this.#buttons) this.#mark(text, button);
    const all = this.#texts.length.toLocaleString("en");
    const some = found.length.toLocaleString("en");
    if (this.#find.hidden) this.#note.textContent = "";
    else if (!found.length) this.#note.textContent = `None of the ${all} moves has “${this.#filter.value.trim()}” in it.`;
    else if (shown.length < found.length) this.#note.textContent = `The first ${MOST} of ${some} moves are listed; type to find others.`;
    else this.#note.textContent = found.length < this.#texts.length ? `${some} of ${all} moves.` : `${all} moves.`;
  }

  #mark(text, button) {
    const note = this.#notes.get(text);
    const kinds = note ? [note.best ? "best" : "", note.verdict ?? ""].filter(Boolean) : [];
    button.className = ["choice", ...kinds].join(" ");
    const said = !note ? "" : note.verdict ? MARKS[note.verdict] : note.label;
    const small = button.lastChild;
    if (small.textContent !== said) small.textContent = said;
    button.title = note ? (note.verdict ? `proven ${note.verdict}` : `${note.label} of the visits`) : "";
  }

  #choose(text) {
    if (text && this.#open) this.#play(text);
  }

  /** Enter plays the only move found, or the one that is spelled out; the arrow leads into the list. */
  #inFilter(event) {
    const found = this.#found();
    if (event.key === "Enter") {
      event.preventDefault();
      const typed = this.#filter.value.trim();
      const meant = found.length === 1 ? found[0] : found.find((text) => text === typed);
      if (meant && typed) this.#choose(meant);
    } else if (event.key === "ArrowDown") {
      event.preventDefault();
      this.#first()?.focus();
    }
  }

  /** The list is one stop of the tabulator key; arrows go through it. */
  #inList(event) {
    const buttons = [...this.#buttons.values()];
    const at = buttons.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (at < 0 || to === undefined || event.altKey || event.ctrlKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (to < 0 && !this.#find.hidden) this.#filter.focus();
    const next = buttons[to];
    if (!next) return;
    buttons[at].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}
