// The search tree: nodes as squares (OR, the prover chooses) and circles (AND, the opponent does) with their numbers.

import { download, el, proofNumber, put, short, signed, svg } from "../dom.js";
import { say } from "../notice.js";
import { set, settings } from "../settings.js";
import { TreePicture, visiblePart, wantedPaths } from "../treepicture.js";
import { Advice } from "./advice.js";
import { previewOnHover } from "./hover.js";

const SHOWN = 6;
const MOST_OPEN = 150;

export class TreeView {
  #host;
  #table;
  /** Paths of the nodes that are expanded, and of those that show all their children. */
  #open = new Set([""]);
  #all = new Set();
  #list = el("ul", { class: "tree", role: "tree", "aria-label": "Search tree" });
  #hint = el("p", { class: "fine" });
  #legend;
  #advice;
  /** Rows by path, and the search they belong to. */
  #kept = new Map();
  #search = null;

  constructor(host, table) {
    this.#host = host;
    this.#table = table;
    const key = (kind, text) => el("span", {}, svg("svg", { viewBox: "-12 -12 24 24", class: "shape-key", "aria-hidden": "true" }, shape(kind, "")), text);
    this.#legend = el("p", { class: "legend" }, key("or", "OR: one move is enough"), key("and", "AND: every reply counts"),
      el("span", {}, el("i", { class: "key visited" }), "most visited"), el("span", {}, el("i", { class: "key proving" }), "most proving"));
    this.#advice = new Advice(table, "tree");
    put(host, this.#bar(), this.#hint, this.#advice.node, this.#legend, this.#list, this.#picture.node);
    previewOnHover(this.#picture.node, table);
    previewOnHover(this.#list, table);
    this.#list.addEventListener("click", (event) => this.#click(event));
    this.#list.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Paths of the nodes of the picture that show all their children. */
  #expanded = new Set();
  #picture = new TreePicture({
    clicked: (path) => {
      if (!this.#expanded.delete(path)) this.#expanded.add(path);
      this.#table.panel.look();
      this.paint();
    },
  });
  #save = el("button", { type: "button", id: "tree-save", on: { click: () => download("tree.svg", this.#picture.file(), "image/svg+xml") }, text: "Save SVG" });
  #size = el("select", { id: "tree-size", "aria-label": "Nodes in the picture" }, ...[30, 60, 120, 200].map((n) => el("option", { value: n, text: `${n} nodes` })));

  /** List or picture, and how large it is. */
  #bar() {
    const box = el("input", { type: "checkbox", id: "tree-picture", on: { change: ({ target }) => {
      set("picture", target.checked);
      this.#table.panel.look();
      this.paint();
    } } });
    box.checked = settings.picture;
    this.#size.value = String(settings.treeSize);
    this.#size.addEventListener("change", () => {
      set("treeSize", Number(this.#size.value));
      this.#table.panel.look();
      this.paint();
    });
    return el("p", { class: "row" }, el("label", { class: "tick" }, box, " as a picture"), this.#size, this.#save);
  }

  /** The nodes the server should tell about. */
  wanted() {
    if (settings.picture) return wantedPaths(visiblePart(this.#table.analysis.nodes, settings.treeSize, { expanded: this.#expanded }), MOST_OPEN);
    return [...this.#open].slice(0, MOST_OPEN).map((path) => (path ? path.split(" ") : []));
  }

  forget() {
    this.#kept.clear();
    this.#open = new Set([""]);
    this.#expanded.clear();
    this.#all.clear();
  }

  paint() {
    const { analysis, analysing } = this.#table;
    const root = analysis.nodes.get("");
    this.#legend.hidden = !root?.kind;
    const drawn = Boolean(root && settings.picture);
    this.#list.hidden = !root || drawn;
    this.#picture.node.hidden = this.#save.hidden = !drawn;
    this.#size.hidden = !settings.picture;
    const without = !root && analysis.head.tree === false;
    this.#hint.hidden = Boolean(root || without);
    this.#advice.show(without ? analysis.agent : null);
    if (!root) {
      this.#hint.textContent = analysing ? "Waiting for the tree…" : "Switch the engine on to look into its tree.";
      return;
    }
    if (analysis.id !== this.#search) {
      this.#search = analysis.id;
      this.#kept.clear();
    }
    if (drawn) {
      const part = visiblePart(analysis.nodes, settings.treeSize, { expanded: this.#expanded });
      this.#picture.show(part, `Search tree, ${analysis.nodes.get("").visits} simulations`);
      return;
    }
    const rows = [];
    const top = { move: "position", visits: root.visits, pn: root.pn, dpn: root.dpn, kind: root.kind, opened: true, mean: null };
    this.#rows(top, "", 0, true, true, rows);
    // Rows stay where they are while they can: one that is taken out loses the pointer and the keyboard.
    rows.forEach((row, index) => {
      if (this.#list.children[index] !== row) this.#list.insertBefore(row, this.#list.children[index] ?? null);
    });
    while (this.#list.children.length > rows.length) this.#list.lastChild.remove();
    if (!this.#list.querySelector('[tabindex="0"]')) this.#list.firstChild.tabIndex = 0;
  }

  /** A node and, if it is expanded, what is below it. */
  #rows(child, path, depth, visited, proving, rows) {
    const node = this.#table.analysis.nodes.get(path);
    const open = this.#open.has(path) && child.opened;
    rows.push(this.#row(child, path, depth, open, visited, proving));
    if (!open || !node) return;
    const key = (c) => number(node.kind === "or" ? c.pn : c.dpn);
    const least = node.kind ? Math.min(...node.children.map(key)) : null;
    const best = node.children.find((c) => node.kind && key(c) === least);
    const shown = this.#all.has(path) ? node.children : node.children.filter((c, index) => index < SHOWN || c === best);
    shown.forEach((c) =>
      this.#rows(c, path ? `${path} ${c.move}` : c.move, depth + 1, visited && c === node.children[0] && c.visits > 0, proving && c === best, rows));
    const hidden = node.children.length - shown.length;
    if (hidden > 0) {
      const key = `${path} …`;
      if (!this.#kept.has(key)) {
        this.#kept.set(key, el("li", { class: "more", role: "treeitem", tabindex: "-1", "data-all": path, "aria-level": depth + 2 }, indent(depth + 1), el("span")));
      }
      const row = this.#kept.get(key);
      row.lastChild.textContent = `${hidden} more`;
      rows.push(row);
    }
  }

  #row(child, path, depth, open, visited, proving) {
    const decided = verdict(child);
    const numbers = child.kind ? `${proofNumber(child.pn)} / ${proofNumber(child.dpn)}` : "";
    const said = ["", child.kind ? `${child.kind} node, proof number ${proofNumber(child.pn)}, disproof number ${proofNumber(child.dpn)}` : null, `${child.visits} visits`, decided || null].filter((part) => part !== null).join(", ");
    let row = this.#kept.get(path);
    if (!row) {
      row = el("li", { role: "treeitem", tabindex: "-1", "data-path": path, "data-line": path || null, "aria-level": depth + 1 },
        indent(depth), el("span", { class: "twist", "aria-hidden": "true" }), svg("svg", { viewBox: "-12 -12 24 24", class: "node", "aria-hidden": "true" }),
        el("b", { text: child.move }), el("span", { class: "unseen" }), ...["pair", "grow", "n mean", "n visits"].map((looks) => el("span", { class: looks, "aria-hidden": "true" })));
      this.#kept.set(path, row);
    }
    const [, twist, node, , words, pair, , mean, visits] = row.children;
    row.className = [visited ? "visited" : "", proving ? "proving" : "", decided].join(" ").trim();
    words.textContent = said;
    if (child.opened) row.setAttribute("aria-expanded", String(open));
    twist.textContent = child.opened ? (open ? "▾" : "▸") : "";
    const looks = `${child.kind} ${decided}`;
    if (node.dataset.looks !== looks) {
      node.dataset.looks = looks;
      put(node, shape(child.kind, decided));
    }
    pair.textContent = numbers;
    mean.textContent = child.mean === null ? "" : child.visits ? signed(child.mean) : "–";
    visits.textContent = short(child.visits);
    return row;
  }

  #click(event) {
    const all = event.target.closest("[data-all]")?.dataset.all;
    if (all !== undefined) {
      this.#showAll(all);
      return;
    }
    const item = event.target.closest("[data-path]");
    if (item?.hasAttribute("aria-expanded")) this.#toggle(item.dataset.path);
  }

  #showAll(path) {
    this.#all.add(path);
    this.paint();
  }

  #toggle(path, on = !this.#open.has(path)) {
    if (on && this.#open.size >= MOST_OPEN) {
      say(`At most ${MOST_OPEN} nodes can be open at once; close some.`);
      return;
    }
    if (on) this.#open.add(path);
    else for (const other of [...this.#open]) if (other === path || other.startsWith(path ? `${path} ` : "")) this.#open.delete(other);
    this.#table.panel.look();
    this.paint();
  }

  /** Puts the keyboard on a row. One row alone is reached by the Tab key. */
  #focus(item) {
    for (const other of this.#list.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
    item.tabIndex = 0;
    item.focus();
  }

  #key(event) {
    const item = event.target.closest("[role=treeitem]");
    if (!item) return;
    const items = [...this.#list.children];
    const at = items.indexOf(item);
    const move = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    const expanded = item.getAttribute("aria-expanded");
    if (move !== undefined && items[move]) this.#focus(items[move]);
    if (move !== undefined) event.preventDefault();
    else if (event.key === "ArrowRight" && expanded === "false") this.#toggle(item.dataset.path, true);
    else if (event.key === "ArrowLeft" && expanded === "true") this.#toggle(item.dataset.path, false);
    else if ((event.key === "Enter" || event.key === " ") && item.dataset.all !== undefined) {
      // What takes its place in the list takes the keyboard as well.
      this.#showAll(item.dataset.all);
      this.#focus(this.#list.children[at] ?? this.#list.lastChild);
    } else if ((event.key === "Enter" || event.key === " ") && expanded) this.#toggle(item.dataset.path);
    else return;
    event.preventDefault();
  }
}

const number = (n) => (n === "inf" ? Infinity : (n ?? 1));

/** What is decided of a node for the player who wants to win. */
function verdict(child) {
  if (child.result !== null && child.result !== undefined) return { 1: "win", 0: "draw", "-1": "loss" }[child.result];
  if (child.pn === 0) return "win";
  if (child.dpn === 0) return "no-win";
  return "";
}

function shape(kind, decided) {
  const looks = `body ${decided}`;
  return kind === "or" ? svg("rect", { class: looks, x: -8, y: -8, width: 16, height: 16, rx: 1.5 }) : svg("circle", { class: looks, r: kind ? 9 : 6 });
}

const indent = (depth) => el("span", { class: `indent d${Math.min(depth, 12)}`, "aria-hidden": "true" });
