// Draws positions with the modules of the workbench, and prints what they draw as JSON: for test_drawings.py.

import { readFileSync } from "node:fs";

/** As much of an element as the modules use. */
class Element {
  constructor(tag) {
    this.tag = tag;
    this.attributes = {};
    this.children = [];
  }
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  append(...children) {
    this.children.push(...children);
  }
  toJSON() {
    return { tag: this.tag, attributes: this.attributes, text: this.textContent, children: this.children };
  }
}

globalThis.document = { createElementNS: (_, tag) => new Element(tag) };
globalThis.location = { search: "" };
const { familyOf } = await import("../../web/page/boards/index.js");

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const { game, last, flip, kanji, ...place } = JSON.parse(line);
  const family = familyOf(game);
  const board = family.parse({ game, ...place });
  const { width, height, cells, labels, decor = [], scale = 1 } = family.layout(board, flip);
  const pieces = family.pieces(board, { kanji }).map((piece) => ({
    cell: piece.cell,
    drawn: piece.draw({ flip }),
    count: piece.fixed ? null : (piece.count ?? null),
    small: Boolean(piece.small),
  }));
  const marks = last ? family.marks(last, board) : [];
  console.log(JSON.stringify({ look: family.look, width, height, cells, labels, decor, scale, pieces, marks }));
}
