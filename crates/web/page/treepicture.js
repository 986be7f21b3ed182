// A search tree as a picture, as papers draw it: squares for OR nodes, circles for AND nodes, numbers beside them.

import { el, proofNumber, put, short, svg } from "./dom.js";

const [DOWN, SIZE] = [64, 11];
/** Of siblings without children every other one stands so much lower, so that they need little more than half the width. */
const LOWER = 44;
const CLOSER = 0.56;

/**
 * Places nodes ({children}) so that parents stand in the middle above their children and subtrees do not overlap: each gets
 * `x` and `y`. After Reingold and Tilford (1981): subtrees are pushed together until their outlines touch.
 */
export function layout(root, across = 72) {
  const place = (node, depth) => {
    node.y = depth * DOWN;
    if (!node.children.length) {
      node.shift = 0;
      return { left: [0], right: [0] };
    }
    let outline = null;
    let at = 0;
    const offsets = [];
    const leaves = node.children.length > 1 && node.children.every((child) => !child.children.length);
    node.children.forEach((child, index) => {
      const next = place(child, depth + 1);
      if (leaves) {
        const step = across * CLOSER;
        child.y += index % 2 ? LOWER : 0;
        // The lower ones reach into the next level.
        const [upper, lower] = [index - (index % 2), index - 1 + (index % 2)];
        offsets.push(index * step);
        outline = { left: index ? [0, step] : [0], right: index ? [upper * step, lower * step] : [0] };
        return;
      }
      if (outline) {
        at = 0;
        for (let level = 0; level < Math.min(outline.right.length, next.left.length); level += 1) {
          at = Math.max(at, outline.right[level] - next.left[level] + across);
        }
        const [longer, moved] = [outline, { left: next.left.map((x) => x + at), right: next.right.map((x) => x + at) }];
        outline = {
          left: [...longer.left, ...moved.left.slice(longer.left.length)],
          right: [...moved.right, ...longer.right.slice(moved.right.length)],
        };
      } else {
        outline = next;
      }
      offsets.push(at);
    });
    const middle = (offsets[0] + offsets.at(-1)) / 2;
    node.children.forEach((child, index) => (child.shift = offsets[index] - middle));
    return { left: [0, ...outline.left.map((x) => x - middle)], right: [0, ...outline.right.map((x) => x - middle)] };
  };
  const { left, right } = place(root, 0);
  const settle = (node, x) => {
    node.x = x;
    for (const child of node.children) settle(child, x + child.shift);
  };
  settle(root, 0);
  const lowest = Math.max(...allOf(root).map((node) => node.y));
  return { x: Math.min(...left) - 44, y: -26, width: Math.max(...right) - Math.min(...left) + 130, height: lowest + 62 };
}

const number = (n) => (n === "inf" ? Infinity : (n ?? 1));

/** What is decided of a node for the player to move at the root. */
export function verdict(node) {
  if (node.result !== null && node.result !== undefined) return { 1: "win", 0: "draw", "-1": "loss" }[node.result];
  if (node.pn === 0) return "win";
  if (node.dpn === 0) return "no-win";
  return "";
}

/**
 * The most visited part of a tree, `most` nodes of it, as the picture wants it. `nodes` are those that the server told of,
 * by their paths. All children are shown below the nodes that are `expanded`, and everywhere if `wide`.
 */
export function visiblePart(nodes, most, { wide = false, expanded = new Set() } = {}) {
  const top = nodes.get("");
  if (!top) return null;
  const root = { path: "", move: "", visits: top.visits, pn: top.pn, dpn: top.dpn, kind: top.kind, mean: null, children: [], visited: true, proving: true };
  const open = [root];
  for (let count = 1; count < most && open.length;) {
    let best = 0;
    open.forEach((node, index) => {
      const [first, chosen] = [expanded.has(node.path), expanded.has(open[best].path)];
      if (first === chosen ? node.visits > open[best].visits : first) best = index;
    });
    const [node] = open.splice(best, 1);
    const known = nodes.get(node.path);
    if (!known) continue;
    const key = (child) => number(known.kind === "or" ? child.pn : child.dpn);
    const proving = known.kind ? known.children.reduce((a, b) => (key(b) < key(a) ? b : a), known.children[0]) : null;
    // Proof-number search counts no visits: there the children that are easiest to decide stand for the node.
    const counted = known.children.some((child) => child.visits > 0);
    const children = counted ? known.children : [...known.children].sort((a, b) => key(a) - key(b));
    const shown = children.filter((child, index) => (child.visits > 0 || !counted) && (wide || (expanded.has(node.path) && index < 24) || index < (node.path ? 2 : 4) || child === proving));
    for (const child of shown) {
      const below = { ...child, path: node.path ? `${node.path} ${child.move}` : child.move, children: [], visited: node.visited && child === known.children[0], proving: node.proving && child === proving };
      node.children.push(below);
      if (child.opened) open.push(below);
      count += 1;
    }
  }
  return root;
}

/** All nodes of a tree, from the root on. */
export const allOf = (root) => [root, ...root.children.flatMap(allOf)];

/** The paths of the nodes whose children the picture needs, the most visited first. */
export const wantedPaths = (root, most) => (root ? allOf(root).filter((node) => node.path === "" || node.opened).sort((a, b) => b.visits - a.visits).slice(0, most).map((node) => (node.path ? node.path.split(" ") : [])) : [[]]);

export class TreePicture {
  #svg = svg("svg", { class: "treepicture", role: "img", tabindex: "0", preserveAspectRatio: "xMidYMin meet" });
  #edges = svg("g", { class: "edges" });
  #marks = svg("g", { class: "nodes" });
  #box = null;
  #whole = null;
  /** Whether somebody has chosen what part is shown, and whether that was all of it: then it stays so when the tree grows. */
  #own = false;
  #all = false;
  #middle = 0;
  #kept = new Map();
  #clicked;
  #across;
  node;

  /** `clicked(path)` hears of clicks on nodes; siblings stand `across` apart. */
  constructor({ clicked = () => {}, across = 72 } = {}) {
    this.#clicked = clicked;
    this.#across = across;
    this.#svg.append(this.#edges, this.#marks);
    const button = (text, label, work) => el("button", { type: "button", class: "icon", "aria-label": label, title: label, on: { click: work }, text });
    this.node = el("div", { class: "picture-host" }, this.#svg,
      el("p", { class: "zoom" }, button("+", "Larger", () => this.#zoom(0.8)), button("−", "Smaller", () => this.#zoom(1.25)), button("⊡", "All of it", () => this.#fit(true)), button("⤢", "Full window", () => this.#full())));
    this.#listen();
  }

  /** Draws a tree; `look(node)` says more about a node: {classes, text}. Where there is no room for all of it, the node at the path `focus` is in the middle. */
  show(root, label, look = () => ({}), focus = "") {
    this.#svg.setAttribute("aria-label", label);
    this.#whole = layout(root, this.#across);
    const all = allOf(root);
    this.#middle = all.find((node) => node.path === focus)?.x ?? 0;
    const seen = new Set();
    const edges = [];
    for (const node of all) {
      seen.add(node.path);
      for (const child of node.children) {
        const added = look(child).classes ?? "";
        edges.push(svg("path", { class: `edge${child.visited ? " visited" : ""}${child.proving ? " proving" : ""} ${added}`, d: `M${node.x.toFixed(1)} ${node.y + SIZE}L${child.x.toFixed(1)} ${child.y - SIZE}` }));
      }
      this.#draw(node, look(node));
    }
    put(this.#edges, ...edges);
    for (const [path, shape] of [...this.#kept]) {
      if (seen.has(path)) continue;
      shape.remove();
      this.#kept.delete(path);
    }
    if (!this.#own || this.#all) this.#fit(this.#all);
  }

  #draw(node, { classes = "", text = null, as = node }) {
    let group = this.#kept.get(node.path);
    if (!group) {
      group = svg("g", { "data-line": node.path || null }, svg("text", { class: "move", y: -15 }), svg("text", { class: "numbers", x: 15, y: 0 }), svg("text", { class: "numbers", x: 15, y: 12 }));
      this.#kept.set(node.path, group);
      this.#marks.append(group);
    }
    const decided = verdict(as);
    const looks = `${node.kind ?? ""} ${decided}`;
    if (group.dataset.looks !== looks) {
      group.dataset.looks = looks;
      group.querySelector(".body")?.remove();
      group.prepend(node.kind === "or" ? svg("rect", { class: `body ${decided}`, x: -SIZE, y: -SIZE, width: 2 * SIZE, height: 2 * SIZE }) : svg("circle", { class: `body ${decided}`, r: SIZE }));
    }
    group.setAttribute("class", `treenode ${node.visited ? "visited" : ""} ${node.proving ? "proving" : ""} ${classes}`);
    group.setAttribute("transform", `translate(${node.x.toFixed(1)},${node.y})`);
    const [move, first, second] = group.querySelectorAll("text");
    move.textContent = node.move;
    const [above, below] = text ?? [node.kind ? `${proofNumber(node.pn)} / ${proofNumber(node.dpn)}` : (node.mean ?? 0).toFixed(2), short(node.visits)];
    first.textContent = above;
    second.textContent = below;
  }

  /** The picture as a file of its own, with its colours. */
  file() {
    const { x, y, width, height } = this.#whole;
    const copy = this.#svg.cloneNode(true);
    const originals = [...this.#svg.querySelectorAll("*")];
    [...copy.querySelectorAll("*")].forEach((node, index) => {
      const style = getComputedStyle(originals[index]);
      for (const name of ["fill", "stroke", "stroke-width", "font-size", "font-weight", "text-anchor"]) node.setAttribute(name, style.getPropertyValue(name));
      node.removeAttribute("class");
      node.removeAttribute("data-line");
      node.removeAttribute("data-looks");
    });
    copy.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    copy.setAttribute("width", width);
    copy.setAttribute("height", height);
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("font-family", "sans-serif");
    for (const name of ["class", "tabindex", "role"]) copy.removeAttribute(name);
    return new XMLSerializer().serializeToString(copy);
  }

  #look(box, all = false) {
    this.#box = box;
    this.#all = all;
    this.#svg.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
  }

  /** Shows the whole tree, or, where its numbers could not be read and it was not asked for, what is below the root. */
  #fit(all = false) {
    this.#own = all;
    if (!this.#whole) return;
    const { y, width, height } = this.#whole;
    const legible = 1.5 * (this.#svg.clientWidth || 400);
    if (all || width <= legible) this.#look({ ...this.#whole }, all);
    else this.#look({ x: this.#middle - legible / 2, y, width: legible, height: Math.min(height, legible * ((this.#svg.clientHeight || 400) / (this.#svg.clientWidth || 400))) });
  }

  /** Takes the whole window, or gives it back. */
  #full(on = !this.node.classList.contains("full")) {
    this.node.classList.toggle("full", on);
    this.#fit();
  }

  #zoom(factor, at = null) {
    if (!this.#box) return;
    const { x, y, width, height } = this.#box;
    const [cx, cy] = at ?? [x + width / 2, y + height / 2];
    this.#own = true;
    this.#look({ x: cx - (cx - x) * factor, y: cy - (cy - y) * factor, width: width * factor, height: height * factor });
  }

  #point(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.#svg.getScreenCTM().inverse());
    return [point.x, point.y];
  }

  #listen() {
    let held = null;
    this.#svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.#zoom(event.deltaY > 0 ? 1.15 : 0.87, this.#point(event));
    }, { passive: false });
    this.#svg.addEventListener("pointerdown", (event) => {
      held = { at: this.#point(event), moved: false, pointer: event.pointerId };
    });
    this.#svg.addEventListener("pointermove", (event) => {
      if (held?.pointer !== event.pointerId) return;
      const [x, y] = this.#point(event);
      if (!held.moved && Math.hypot(x - held.at[0], y - held.at[1]) < 4) return;
      if (!held.moved) this.#svg.setPointerCapture(event.pointerId);
      held.moved = true;
      this.#own = true;
      this.#look({ ...this.#box, x: this.#box.x - (x - held.at[0]), y: this.#box.y - (y - held.at[1]) });
    });
    const drop = (event) => {
      const path = event.target.closest?.(".treenode")?.dataset.line;
      if (held && !held.moved && event.type === "pointerup" && path !== undefined) this.#clicked(path);
      held = null;
    };
    this.#svg.addEventListener("pointerup", drop);
    this.#svg.addEventListener("pointercancel", drop);
    this.#svg.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[event.key];
      const zoom = { "+": 0.8, "-": 1.25 }[event.key];
      if (event.key === "Escape") this.#full(false);
      if (!step && !zoom) return;
      event.preventDefault();
      event.stopPropagation();
      if (zoom) this.#zoom(zoom);
      else if (this.#box) {
        this.#own = true;
        this.#look({ ...this.#box, x: this.#box.x + step[0] * this.#box.width, y: this.#box.y + step[1] * this.#box.height });
      }
    });
  }
}
