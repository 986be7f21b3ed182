// A field for the text of rules: with line numbers, colours below the letters, and a mark where something is wrong. The
// field itself is an ordinary one, so that keys, undo and screen readers work as in any other.

import { el, put } from "../dom.js";
import { languageOf, macrosOf, partsOf } from "./highlight.js";

/** A longer text is not put into the field by its own undo, which takes seconds for it. */
const UNDOABLE = 2500;
/** Columns between two tab stops. */
const TAB = 4;

export class Source {
  #field = el("textarea", { id: "rules-text", class: "source-text", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", "aria-label": "Rules", "aria-describedby": "rules-status" });
  #paper = el("div", { class: "source-paper", "aria-hidden": "true" });
  #numbers = el("div", { class: "source-numbers", "aria-hidden": "true" });
  #mark = el("div", { class: "source-mark", hidden: true });
  /** What is painted of each line: {line, before, open, node}; `before` says whether it begins within a comment. */
  #lines = [];
  #painted = "";
  #name = "";
  #wrong = null;

  /** `changed()` is called whenever the text is another. */
  constructor(changed) {
    this.node = el("div", { class: "source" }, this.#numbers, el("div", { class: "source-field" }, this.#paper, this.#field));
    this.#field.addEventListener("input", () => {
      this.mark(null);
      this.#paint();
      changed();
    });
    this.#field.addEventListener("scroll", () => this.#scroll());
  }

  get text() {
    return this.#field.value;
  }

  /** Another text, under a name that says the language. With `undoable` the field's own undo brings the old one back. */
  set(name, text, undoable = false) {
    this.#name = name;
    this.mark(null);
    if (undoable && text.length <= UNDOABLE && document.contains(this.#field)) {
      this.#field.focus();
      this.#field.select();
      // The only way to change a field that its undo knows of.
      if (!document.execCommand("insertText", false, text)) this.#field.value = text;
      this.#field.setSelectionRange(0, 0);
      this.#field.scrollTop = 0;
    } else {
      this.#field.value = text;
    }
    this.#paint();
  }

  rename(name) {
    this.#name = name;
    this.#paint();
  }

  /** Marks a place, {line, column} counted from 1; null marks none. */
  mark(place) {
    this.#wrong = place?.line ? place : null;
    this.#field.setAttribute("aria-invalid", String(Boolean(place)));
    this.#paintMark();
  }

  /** Puts the keyboard at a place. */
  go({ line, column }) {
    const lines = this.text.split("\n");
    const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    const at = before + [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
    this.#field.focus();
    this.#field.setSelectionRange(at, Math.min(at + 1, before + (lines[line - 1] ?? "").length));
    const height = parseFloat(getComputedStyle(this.#field).lineHeight);
    this.#field.scrollTop = Math.max(0, (line - 4) * height);
    this.#scroll();
  }

  #scroll() {
    const { scrollTop, scrollLeft } = this.#field;
    this.#paper.style.transform = `translate(${-scrollLeft}px, ${-scrollTop}px)`;
    this.#numbers.style.setProperty("--up", `${-scrollTop}px`);
  }

  /** Paints the lines that changed. */
  #paint() {
    const { text } = this;
    const language = languageOf(this.#name, text);
    const macros = macrosOf(text);
    const signature = `${language} ${[...macros].join(" ")}`;
    const known = signature === this.#painted ? this.#lines : [];
    this.#painted = signature;
    const lines = text.split("\n");
    // Lines are moved by what is typed above them: those after the change are found from the end.
    const moved = lines.length - known.length;
    let open = false;
    this.#lines = lines.map((line, index) => {
      const fits = (old) => old && old.line === line && old.before === open;
      const old = fits(known[index]) ? known[index] : fits(known[index - moved]) ? known[index - moved] : null;
      const mine = old && !old.taken ? old : this.#lineOf(line, language, macros, open);
      mine.taken = true;
      open = mine.open;
      return mine;
    });
    for (const line of this.#lines) line.taken = false;
    this.#place(this.#lines.map(({ node }) => node));
    if (this.#numbers.childElementCount !== lines.length) {
      put(this.#numbers, ...lines.map((_, index) => el("span", { text: index + 1 })));
    }
    this.#paintMark();
    this.#scroll();
  }

  /** Puts the nodes of the lines on the paper, and touches only those between the first and the last that changed. */
  #place(nodes) {
    const old = this.#placed;
    let [first, same] = [0, 0];
    while (first < Math.min(old.length, nodes.length) && old[first] === nodes[first]) first += 1;
    while (same < Math.min(old.length, nodes.length) - first && old.at(-1 - same) === nodes.at(-1 - same)) same += 1;
    for (const node of old.slice(first, old.length - same)) node.remove();
    const after = same ? nodes[nodes.length - same] : null;
    if (!this.#mark.parentNode) this.#paper.append(this.#mark);
    const added = document.createDocumentFragment();
    added.append(...nodes.slice(first, nodes.length - same));
    this.#paper.insertBefore(added, after);
    this.#placed = nodes;
  }
  #placed = [];

  #lineOf(line, language, macros, before) {
    const { parts, open } = partsOf(line, language, macros, before);
    const node = el("div", {}, ...parts.map(([kind, text]) => (kind === "plain" || kind === "word" ? text : el("span", { class: `part-${kind}`, text }))));
    return { line, before, open, node };
  }

  #paintMark() {
    const place = this.#wrong;
    this.#mark.hidden = !place;
    this.#numbers.querySelector(".wrong")?.classList.remove("wrong");
    if (!place) return;
    this.#numbers.children[place.line - 1]?.classList.add("wrong");
    const line = [...(this.text.split("\n")[place.line - 1] ?? "")];
    let column = 0;
    for (const sign of line.slice(0, place.column - 1)) column += sign === "\t" ? TAB - (column % TAB) : 1;
    const word = /^\w+/.exec(line.slice(place.column - 1).join(""))?.[0].length ?? 1;
    this.#mark.style.setProperty("--line", String(place.line - 1));
    this.#mark.style.setProperty("--column", String(column));
    this.#mark.style.setProperty("--length", String(word));
  }
}
