// The board on the page: draws any family of board, takes clicks, drags and keys, and says which move is meant.

import { el, put, svg } from "./dom.js";
import { say } from "./notice.js";
import { Picker } from "./picker.js";
import { drawOverlay } from "./overlay.js";

const LAYERS = ["decor", "cells", "marks", "labels", "pieces", "dots", "overlay"];
/** Boards on which stones are placed: the last one has a dot on it. */
const DOTTED = new Set(["points", "hex", "connect4", "othello"]);
/** Two clicks on the same place within this time are a double click, in milliseconds. */
const DOUBLE = 400;
/** A square that is narrower than this cannot be hit with a finger for certain, in pixels. */
const FINGER = 30;

export class Board {
  #host;
  #svg = null;
  #layers = {};
  #cells = new Map();
  #nodes = new Map();
  #pieces = new Map();
  #drawn = "";
  #shown = null;
  #layout = null;
  #overlay = [];
  #playing = 0;
  #cursor = null;
  /** The last press, and the last one that made a move: what was pressed, and when. */
  #pressed = null;
  #made = null;

  #choices;
  /** Moves that cannot be picked by squares. */
  #listed = [];
  /** Whether somebody may move. */
  #open = false;

  /** `play(text)` is called with every move that is made on the board; `choices` lists those that cannot be. */
  constructor(host, choices, play) {
    this.#host = host;
    this.#choices = choices;
    this.#picker = new Picker(
      (text) => {
        this.#made = this.#pressed;
        play(text);
      },
      (texts) => this.#ask(texts),
      () => this.#paintTargets(),
    );
  }
  #picker;

  /**
   * Shows a position: `family` and the parsed `board`; `legal` moves that may be made here (none if it is not the
   * person's turn), `all` that are legal; `last` the move that led here; `arrives` whether it was just made, and so is animated.
   */
  show(next) {
    const { family, board, flip, last } = next;
    this.#playing += 1;
    const outline = JSON.stringify([family.look, next.key, flip, family.outline?.(board)]);
    this.#layout = family.layout(board, flip);
    if (outline !== this.#drawn) this.#build(family, next.label, outline);
    const before = this.#shown;
    this.#shown = next;
    const frames = next.arrives && before && last && family.animation ? family.animation(next.before, last) : [];
    if (frames.length) this.#playFrames(frames, this.#playing);
    else this.#paintPieces(board, next.arrives && last ? family.arrow(last.move, next.before) : null);
    this.#paintMarks(last ? family.marks(last, board) : []);
    this.#paintWon(last && next.winner ? (family.won?.(board, last, next.winner) ?? []) : []);
    this.#paintText();
    this.offer(next.legal, next.all);
    this.#paintOverlay();
  }

  /** The moves that may be made from now on, none while nobody may move, and `all` that are legal. What was picked is let go. */
  offer(legal, all) {
    const { family, board } = this.#shown;
    const moves = all.map((text) => ({ text, ways: family.steps(text, board).filter((way) => way.length) }));
    this.#listed = moves.filter(({ ways }) => !ways.length).map(({ text }) => text);
    this.#open = legal.length > 0;
    this.#picker.offer(this.#open ? moves : []);
    this.#question.hidden = true;
    for (const node of this.#nodes.values()) node.classList.remove("aimed");
    this.#paintTargets();
  }

  /** Moves with shares, marks and words, drawn over the board. */
  overlay(moves) {
    this.#overlay = moves;
    this.#choices.overlay(moves);
    this.#paintOverlay();
  }

  /** Squares are clicked to change what stands on them: `clicked(cell)` is called in place of moves; null ends this. */
  edit(clicked) {
    this.#edited = clicked;
    this.#host.classList.toggle("editing", Boolean(clicked));
  }
  #edited = null;

  /** Puts the keyboard on the board. */
  focus() {
    if (!this.#layout?.cells.length) this.#choices.focus();
    else this.#node(this.#cursor ?? this.#layout.cells[0].id)?.focus();
  }

  #node(id) {
    return this.#nodes.get(id);
  }

  #build(family, label, outline) {
    this.#drawn = outline;
    this.#made = null;
    this.#pieces.clear();
    this.#nodes.clear();
    this.#cells.clear();
    const { width, height, cells, labels, decor = [] } = this.#layout;
    this.#host.classList.toggle("plain", !cells.length);
    for (const layer of LAYERS) this.#layers[layer] = svg("g", { class: layer });
    if (!cells.length) {
      this.#cursor = null;
      this.#textBoard.setAttribute("aria-label", label);
      put(this.#host, this.#textBoard, this.#question);
      return;
    }
    this.#svg = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: `board look-${family.look}`, role: "group", "aria-label": label });
    this.#svg.append(...LAYERS.map((name) => this.#layers[name]));
    this.#layers.decor.append(...decor);
    for (const cell of cells) {
      this.#cells.set(cell.id, cell);
      const node = svg("g", { class: `cell ${cell.tone}`, "data-cell": cell.id, role: cell.key ? "button" : "img", tabindex: "-1" }, cellShape(cell));
      this.#nodes.set(cell.id, node);
      this.#layers.cells.append(node);
    }
    for (const { x, y, text } of labels) this.#layers.labels.append(svg("text", { x, y, text }));
    this.#cursor = cells[0].id;
    this.#listen();
    put(this.#host, this.#svg, this.#caption, this.#question);
    this.#host.style.setProperty("--ratio", String(width / height));
  }

  /** A board without squares, as text; and the text beside a board with squares. */
  #textBoard = el("pre", { class: "textboard", role: "group", tabindex: "0" });
  #caption = el("pre", { class: "caption", hidden: true });
  #question = el("div", { class: "question", hidden: true, role: "dialog", "aria-label": "Which move?" });

  /** Several moves fit the same squares: lets the person say which. */
  #ask(texts) {
    const { family } = this.#shown;
    const close = () => (this.#question.hidden = true);
    const answer = (text) => () => {
      close();
      this.#picker.answer(text);
    };
    const buttons = (family.ordered?.(texts) ?? texts).map((text) => el("button", { type: "button", on: { click: answer(text) }, text: family.choice?.(text) ?? text }));
    put(this.#question, ...buttons, el("button", { type: "button", class: "plain", on: { click: answer(null) }, text: "Cancel" }));
    this.#question.hidden = false;
    buttons[0].focus();
  }

  #listen() {
    const root = this.#svg;
    const cellAt = (event) => event.target.closest?.("[data-cell]")?.dataset.cell ?? null;
    let held = null;
    // A drag begins where a first step of several is possible; elsewhere it is a click, which counts when the pointer is lifted.
    const drags = (key) => this.#picker.begins(key) && !this.#picker.finishes(key);
    // A finger that drags a piece does not scroll the page. (Not every browser heeds touch-action on parts of an SVG.)
    root.addEventListener("touchstart", (event) => {
      const id = cellAt(event);
      if (id && event.touches.length === 1 && drags(this.#cells.get(id).key)) event.preventDefault();
    }, { passive: false });
    // A cell that the mouse had given the focus to would take the arrow keys, which go through the game.
    root.addEventListener("mousedown", (event) => event.preventDefault());
    root.addEventListener("pointerdown", (event) => {
      document.activeElement?.blur();
      const id = cellAt(event);
      if (!id || event.button) return;
      held = { id, x: event.clientX, y: event.clientY, time: event.timeStamp, dragging: false, pointer: event.pointerId };
    });
    root.addEventListener("pointermove", (event) => {
      if (!held || held.pointer !== event.pointerId) return;
      const far = Math.hypot(event.clientX - held.x, event.clientY - held.y) > 6;
      const key = this.#cells.get(held.id)?.key;
      if (!held.dragging && far && drags(key)) {
        held.dragging = true;
        this.#picker.restart(key);
        root.setPointerCapture(event.pointerId);
        this.#pieces.get(held.id)?.node.classList.add("dragged");
      }
      if (held.dragging) this.#drag(held.id, event);
    });
    const drop = (event) => {
      if (!held || held.pointer !== event.pointerId) return;
      const { id, dragging, time } = held;
      held = null;
      if (!dragging) {
        if (event.type === "pointerup" && cellAt(event) === id) this.#click(id, time, event.pointerType === "touch");
        return;
      }
      this.#release(id);
      const under = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-cell]")?.dataset.cell;
      if (event.type === "pointerup" && under && under !== id) this.#picker.step(this.#cells.get(under).key);
      else if (under !== id) this.#picker.reset();
    };
    root.addEventListener("pointerup", drop);
    root.addEventListener("pointercancel", drop);
    root.addEventListener("keydown", (event) => this.#key(event));
    root.addEventListener("focusin", (event) => {
      const id = cellAt(event);
      if (id) this.#setCursor(id);
    });
  }

  /**
   * A press at a time, in milliseconds. The second half of the double click that made a move does not make another. Where
   * squares are smaller than a finger, the first tap aims and the second one on the same square moves.
   */
  #click(id, time, finger = false) {
    this.#setCursor(id);
    if (finger && !this.#edited && this.#picker.finishes(this.#cells.get(id).key) && this.#node(id).getBoundingClientRect().width < FINGER) {
      const aimed = this.#node(id).classList.contains("aimed");
      this.#aim(aimed ? null : id);
      if (!aimed) return;
    }
    if (this.#edited) {
      this.#edited(id);
      return;
    }
    const { key } = this.#cells.get(id);
    const again = key === this.#made?.key && time - this.#made.time < DOUBLE;
    this.#pressed = { key, time };
    if (again && this.#picker.finishes(key)) this.#made = this.#pressed;
    else this.#picker.step(key);
  }

  #aim(id) {
    for (const [other, node] of this.#nodes) node.classList.toggle("aimed", other === id);
    if (id) say("Tap the same square again to play there.");
  }

  #drag(id, event) {
    const piece = this.#pieces.get(id);
    if (!piece) return;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.#svg.getScreenCTM().inverse());
    place(piece.node, point, this.#scale(piece.piece));
  }

  #release(id) {
    const piece = this.#pieces.get(id);
    if (!piece) return;
    piece.node.classList.remove("dragged");
    place(piece.node, this.#cells.get(id), this.#scale(piece.piece));
  }

  /** Arrows go to the nearest cell in their direction; Enter and space are a click. */
  #key(event) {
    const here = this.#cells.get(this.#cursor);
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) this.#click(this.#cursor, event.timeStamp);
    } else if (event.key === "Escape") {
      this.#picker.reset();
    } else if (direction && here && !event.altKey && !event.ctrlKey) {
      event.preventDefault();
      event.stopPropagation();
      const [dx, dy] = direction;
      let best = null;
      for (const cell of this.#cells.values()) {
        const [x, y] = [cell.x - here.x, cell.y - here.y];
        const ahead = x * dx + y * dy;
        const aside = Math.abs(x * dy) + Math.abs(y * dx);
        if (ahead < 10 || cell.key === null) continue;
        const far = ahead + 2.5 * aside;
        if (!best || far < best.far) best = { far, id: cell.id };
      }
      if (best) this.#node(best.id).focus();
    }
  }

  #setCursor(id) {
    if (this.#cursor) this.#node(this.#cursor)?.setAttribute("tabindex", "-1");
    this.#cursor = id;
    this.#node(id)?.setAttribute("tabindex", "0");
  }

  #scale(piece) {
    return (this.#layout.scale ?? 1) * (piece.small ? 0.66 : 1);
  }

  /** Draws the pieces of a board, keeping those that did not change; one may glide in. */
  #paintPieces(board, arrow) {
    const { family, options, flip } = this.#shown;
    const wanted = new Map(family.pieces(board, options).map((piece) => [piece.cell, piece]));
    for (const [cell, { node, sign }] of [...this.#pieces]) {
      const next = wanted.get(cell);
      if (next && signOf(next, options, arrow) === sign) continue;
      node.remove();
      this.#pieces.delete(cell);
    }
    for (const [cell, piece] of wanted) {
      if (this.#pieces.has(cell)) continue;
      const node = piece.draw({ flip });
      const holder = svg("g", { class: "man" }, node);
      if (piece.count && !piece.fixed) holder.append(countBadge(piece.count));
      const target = this.#cells.get(cell);
      const from = arrow?.to === cell ? this.#cells.get(arrow.from) : null;
      place(holder, from ?? target, this.#scale(piece));
      this.#layers.pieces.append(holder);
      if (from) {
        holder.getBoundingClientRect();
        holder.classList.add("glide");
        place(holder, target, this.#scale(piece));
      }
      this.#pieces.set(cell, { node: holder, piece, sign: signOf(piece, options, null) });
    }
  }

  /** Plays a move seed by seed, and ends with the position as it is. */
  #playFrames(frames, playing) {
    const pause = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : Math.max(45, Math.min(130, 900 / frames.length));
    const next = (index) => {
      if (playing !== this.#playing) return;
      this.#layers.pieces.querySelector(".landing")?.classList.remove("landing");
      if (index === frames.length) {
        this.#paintPieces(this.#shown.board, null);
        return;
      }
      this.#paintPieces(frames[index].board, null);
      this.#pieces.get(frames[index].cell)?.node.classList.add("landing");
      setTimeout(next, pause, index + 1);
    };
    if (pause) next(0);
    else this.#paintPieces(this.#shown.board, null);
  }

  #paintText() {
    const { family, board } = this.#shown;
    const caption = family.caption?.(board) ?? "";
    this.#caption.hidden = !caption;
    this.#caption.textContent = caption;
    const { text, cells } = this.#layout;
    if (cells.length) return;
    const lines = text.trim() ? text.split("\n") : ["The board is empty."];
    this.#textBoard.textContent = lines.join("\n");
    this.#textBoard.style.setProperty("--columns", String(Math.max(12, ...lines.map((line) => line.length))));
  }

  #paintMarks(ids) {
    const { look } = this.#shown.family;
    const cells = ids.map((id) => this.#cells.get(id)).filter(Boolean);
    if (DOTTED.has(look)) {
      const r = 11 * (this.#layout.scale ?? 1);
      put(this.#layers.marks);
      put(this.#layers.dots, ...cells.map(({ x, y }) => svg("circle", { class: "dot", cx: x, cy: y, r })));
      return;
    }
    put(this.#layers.dots);
    const marks = cells.map((cell) => {
      const shape = cellShape(cell);
      shape.setAttribute("class", "last");
      return shape;
    });
    put(this.#layers.marks, ...marks);
  }

  /** Marks what won the game. */
  #paintWon(ids) {
    const r = 26 * (this.#layout.scale ?? 1);
    this.#layers.dots.append(...ids.map((id) => this.#cells.get(id)).filter(Boolean).map(({ x, y }) => svg("circle", { class: "won", cx: x, cy: y, r })));
  }

  /** Marks what was picked and where it may go. */
  #paintTargets() {
    const { first, next, path } = this.#picker.targets();
    this.#choices.offer([...this.#picker.stops(), ...this.#listed], this.#open);
    const quiet = ["points", "hex", "marks"].includes(this.#shown?.family.look);
    for (const [id, cell] of this.#cells) {
      const classes = this.#node(id).classList;
      classes.toggle("picked", path.includes(cell.key));
      classes.toggle("target", path.length > 0 && next.has(cell.key));
      classes.toggle("taken", this.#pieces.has(id));
      classes.toggle("movable", first.has(cell.key));
      classes.toggle("hint", path.length === 0 && !quiet && this.#picker.finishes(cell.key));
    }
    this.#name();
  }

  #paintOverlay() {
    if (!this.#shown) return;
    const { family, board } = this.#shown;
    put(this.#layers.overlay, ...drawOverlay(this.#overlay, family, board, this.#cells, this.#layout.scale ?? 1));
  }

  /** Says in words what is on each cell. */
  #name() {
    if (!this.#shown) return;
    const { family } = this.#shown;
    const { first, next, path } = this.#picker.targets();
    for (const [id, cell] of this.#cells) {
      const piece = this.#pieces.get(id)?.piece;
      const words = [cell.title ?? id];
      if (piece?.fixed) words.push(`${piece.count} seeds`);
      else if (piece) words.push([piece.owner ? family.names[piece.owner] : "taken", piece.title].filter(Boolean).join(" "));
      else if (cell.tone !== "store") words.push("empty");
      if (path.includes(cell.key)) words.push("picked");
      else if (path.length ? next.has(cell.key) : first.has(cell.key)) words.push(path.length ? "legal target" : "can move");
      const label = words.join(", ");
      const node = this.#node(id);
      if (node.getAttribute("aria-label") !== label) node.setAttribute("aria-label", label);
    }
    if (this.#cursor) this.#node(this.#cursor)?.setAttribute("tabindex", "0");
  }
}

/** A still picture of a position: for lists and explanations. `label` says what it shows. */
export function picture(family, at, label, { overlay = [] } = {}) {
  const board = family.parse(at);
  const layout = family.layout(board, false);
  if (!layout.cells.length) return el("pre", { class: "textpicture", "aria-label": label, text: layout.text });
  const scale = layout.scale ?? 1;
  const cells = new Map(layout.cells.map((cell) => [cell.id, cell]));
  const layer = (name, ...nodes) => svg("g", { class: name }, ...nodes);
  const men = family.pieces(board, { kanji: true, moves: at.moves ?? [], firstMover: 1 }).map((piece) => {
    const holder = svg("g", { class: "man" }, piece.draw({ flip: false }));
    place(holder, cells.get(piece.cell), scale * (piece.small ? 0.66 : 1));
    return holder;
  });
  return svg("svg", { viewBox: `0 0 ${layout.width} ${layout.height}`, class: `picture look-${family.look}`, role: "img", "aria-label": label },
    layer("decor", ...(layout.decor ?? [])),
    layer("cells", ...layout.cells.map((cell) => svg("g", { class: `cell ${cell.tone}` }, cellShape(cell)))),
    layer("labels", ...layout.labels.map(({ x, y, text }) => svg("text", { x, y, text }))),
    layer("men", ...men),
    layer("overlay", ...drawOverlay(overlay, family, board, cells, scale)));
}

const signOf = (piece, options, arrow) =>
  arrow?.to === piece.cell ? "arriving" : [piece.owner, piece.title ?? "", piece.count ?? "", options?.kanji ? "k" : ""].join(":");

function place(node, { x, y }, scale) {
  node.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
}

function countBadge(count) {
  return svg("g", { class: "badge", transform: "translate(34,34)" }, svg("circle", { r: 19 }), svg("text", { y: 9, text: count }));
}

function cellShape(cell) {
  if (cell.tone === "hole") {
    const [x, y, h, r] = [cell.x, cell.y, cell.size / 2, 39];
    const hole = `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
    return svg("path", { class: "shape", "fill-rule": "evenodd", d: `M${x - h} ${y - h}H${x + h}V${y + h}H${x - h}Z${hole}` });
  }
  if (cell.outline) return svg("path", { class: "shape", d: cell.outline });
  if (cell.round) return svg("circle", { class: "shape", cx: cell.x, cy: cell.y, r: cell.round });
  if (cell.tall) return svg("rect", { class: "shape", x: cell.x - 44, y: cell.y - 118, width: 88, height: 236, rx: 44 });
  return svg("rect", { class: "shape", x: cell.x - cell.size / 2, y: cell.y - cell.size / 2, width: cell.size, height: cell.size, rx: cell.tone === "hand" ? 10 : 0 });
}
