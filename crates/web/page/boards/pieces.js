// How pieces look: each a group around 0,0 in a square of 100.

import { svg } from "../dom.js";

const shape = (owner, ...parts) => svg("g", { class: `piece p${owner}` }, ...parts);

export const stone = (owner, radius = 39) =>
  shape(
    owner,
    svg("ellipse", { class: "shade", cx: 1.5, cy: 4, rx: radius, ry: radius }),
    svg("circle", { class: "body", r: radius }),
    svg("ellipse", { class: "shine", cx: -radius * 0.3, cy: -radius * 0.38, rx: radius * 0.36, ry: radius * 0.24, transform: "rotate(-30)" }),
  );

/** A disc that is flat, with a rim. */
export const disc = (owner, radius = 39) =>
  shape(
    owner,
    svg("circle", { class: "shade", cx: 1, cy: 3.5, r: radius }),
    svg("circle", { class: "body", r: radius }),
    svg("circle", { class: "rim", r: radius * 0.78 }),
  );

export const checker = (owner) => disc(owner, 41);

/** A horse's head that looks to the left. */
export const knight = (owner) =>
  shape(
    owner,
    svg("path", {
      class: "body",
      d: "M-27 38 C-27 20 -14 12 -10 -1 C-13 3 -19 5 -24 9 C-28 12 -33 11 -35 7 C-37 3 -35 -1 -31 -6 C-26 -13 -22 -22 -14 -27 L-15 -38 L-5 -31 L-1 -40 L5 -30 C22 -25 31 -6 30 38 Z",
    }),
    svg("circle", { class: "mark", cx: -12, cy: -14, r: 3.4 }),
    svg("path", { class: "line", d: "M6 -24 C17 -16 22 2 21 30" }),
    svg("path", { class: "line", d: "M-31 38 L33 38" }),
  );

/** A pawn: a head, a collar, a foot. */
export const pawn = (owner) =>
  shape(
    owner,
    svg("path", {
      class: "body",
      d: "M-26 38 L26 38 C26 26 12 22 9 4 L15 0 L15 -5 L8 -6 A17 17 0 1 0 -8 -6 L-15 -5 L-15 0 L-9 4 C-12 22 -26 26 -26 38 Z",
    }),
  );

export const cross = (owner) =>
  shape(owner, svg("path", { class: "stroke", d: "M-26 -26 L26 26 M26 -26 L-26 26" }));

export const ring = (owner) => shape(owner, svg("circle", { class: "stroke", r: 28 }));

export const tile = (owner) => shape(owner, svg("rect", { class: "body", x: -44, y: -44, width: 88, height: 88, rx: 8 }));

/** A piece that is known only by its sign: on a disc in the colour of its owner, or bare if it has none. */
export const glyph = (owner, sign) =>
  shape(
    owner,
    ...(owner ? [svg("circle", { class: "shade", cx: 1, cy: 3.5, r: 40 }), svg("circle", { class: "body", r: 40 })] : []),
    svg("text", { class: `sign${sign.length > 1 ? " long" : ""}`, y: sign.length > 1 ? 12 : 17, text: sign }),
  );

/** A shogi piece: a wedge that points at the opponent, with its sign. */
export function wedge(owner, sign, { promoted = false, turned = false, kanji = false } = {}) {
  const text = svg("text", { class: `sign${promoted ? " promoted" : ""}${kanji ? " kanji" : sign.length > 1 ? " long" : ""}`, y: kanji ? 22 : 21, text: sign });
  const group = shape(
    owner,
    svg("path", { class: "shade", d: "M1 -38 L27 -26 L36 44 L-34 44 L-25 -26 Z" }),
    svg("path", { class: "body", d: "M0 -42 L26 -30 L35 40 L-35 40 L-26 -30 Z" }),
    text,
  );
  if (turned) group.setAttribute("transform", "rotate(180)");
  // Letters are to be read from where the person sits.
  if (turned && !kanji) text.setAttribute("transform", "rotate(180) translate(0,-16)");
  return group;
}
