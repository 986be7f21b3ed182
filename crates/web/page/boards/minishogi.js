// MiniShogi: wedges that point at the opponent, hands beside the board, drops from the hand.
//
// Where the window is wide, the hands stand left and right of the board, which is then as high as others are; on a phone
// they stand above and below.

import { wedge } from "./pieces.js";

const CELL = 100;
const LEFT = 34;
const TOP = 88;
/** The width of a hand beside the board. */
const BESIDE = 96;
const KINDS = ["R", "B", "G", "S", "P"];
const NAMES = { K: "king", G: "gold", S: "silver", B: "bishop", R: "rook", P: "pawn" };
const KANJI = { K: "王", G: "金", S: "銀", B: "角", R: "飛", P: "歩", "+S": "全", "+B": "馬", "+R": "竜", "+P": "と" };

const square = (file, row) => `${String.fromCharCode(97 + file)}${5 - row}`;
const hand = (player, kind) => `hand:${player}:${kind}`;

function parseHand(text) {
  const held = {};
  for (const [, count, kind] of text.matchAll(/(\d*)([A-Za-z])/g)) held[kind.toUpperCase()] = Number(count || 1);
  return held;
}

/** Five lines of the drawing, the letters of the files, the hands. */
function parse({ board, to_move: mover }) {
  const lines = board.split("\n");
  const men = [];
  for (let row = 0; row < 5; row += 1) {
    for (let file = 0; file < 5; file += 1) {
      const text = lines[row].slice(3 + file * 3, 5 + file * 3).trim();
      if (text === ".") continue;
      const kind = text.at(-1);
      men.push({ cell: square(file, row), owner: kind === kind.toUpperCase() ? 1 : 2, kind: text.toUpperCase() });
    }
  }
  const [, first, second] = /first player (\S+), second player (\S+)/.exec(lines[6]);
  return { men, hands: { 1: first === "-" ? {} : parseHand(first), 2: second === "-" ? {} : parseHand(second) }, mover: mover ?? 1 };
}

const nameOf = (kind) => (kind.startsWith("+") ? `promoted ${NAMES[kind[1]]}` : NAMES[kind]);

const wide = globalThis.matchMedia?.("(min-width: 981px)");

/** Where the board is in the picture, how large that is, and where a kind of piece in hand lies. */
const lyingWide = { left: LEFT + BESIDE, top: 10, width: LEFT + 2 * BESIDE + 5 * CELL + 10, height: 5 * CELL + 44, hand: (bottom, index) => ({ x: bottom ? LEFT + BESIDE + 5 * CELL + 56 : 44, y: 60 + (bottom ? 4 - index : index) * CELL }) };
const standingUp = { left: LEFT, top: TOP, width: LEFT + 5 * CELL + 10, height: TOP + 5 * CELL + 110, hand: (bottom, index) => ({ x: LEFT + (bottom ? index : 4 - index) * CELL + 50, y: bottom ? TOP + 5 * CELL + 68 : 42 }) };

export const minishogi = {
  look: "minishogi",
  names: { 1: "Sente", 2: "Gote" },
  parse,
  outline: () => Boolean(wide?.matches),

  layout(board, flip) {
    const { left, top, width, height, hand: placeOf } = wide?.matches ? lyingWide : standingUp;
    const cells = [];
    for (let row = 0; row < 5; row += 1) {
      for (let file = 0; file < 5; file += 1) {
        const id = square(file, row);
        const [c, r] = flip ? [4 - file, 4 - row] : [file, row];
        cells.push({ id, key: id, x: left + c * CELL + 50, y: top + r * CELL + 50, size: CELL, tone: "plain" });
      }
    }
    for (const player of [2, 1]) {
      const bottom = (player === 1) !== flip;
      KINDS.forEach((kind, index) => {
        const id = hand(player, kind);
        cells.push({
          id,
          key: id,
          ...placeOf(bottom, index),
          size: 74,
          tone: "hand",
          title: `${NAMES[kind]} in hand of ${this.names[player]}`,
        });
      });
    }
    const labels = [0, 1, 2, 3, 4].flatMap((i) => [
      { x: left + (flip ? 4 - i : i) * CELL + 50, y: top + 5 * CELL + 18, text: String.fromCharCode(97 + i) },
      { x: left - LEFT / 2, y: top + (flip ? 4 - i : i) * CELL + 50, text: 5 - i },
    ]);
    return { width, height, cells, labels };
  },

  pieces(board, { kanji = false } = {}) {
    const sign = (kind) => (kanji ? KANJI[kind] : kind);
    const draw = (owner, kind) => ({ flip }) =>
      wedge(owner, sign(kind), { promoted: kind.startsWith("+"), turned: (owner === 2) !== flip, kanji });
    const men = board.men.map(({ cell, owner, kind }) => ({ cell, owner, title: nameOf(kind), draw: draw(owner, kind) }));
    for (const player of [1, 2]) {
      for (const [kind, count] of Object.entries(board.hands[player])) {
        men.push({ cell: hand(player, kind), owner: player, title: `${count} ${nameOf(kind)} to drop`, count: count > 1 ? count : null, small: true, draw: draw(player, kind) });
      }
    }
    return men;
  },

  steps(text, board) {
    if (text.includes("*")) return [[hand(board.mover, text[0]), text.slice(2)]];
    return [[text.slice(0, 2), text.slice(2, 4)]];
  },
  /** Two moves with the same squares differ in the promotion. */
  choice: (text) => (text.endsWith("+") ? "Promote" : "Don’t promote"),
  ordered: (texts) => [...texts].sort((a, b) => Number(b.endsWith("+")) - Number(a.endsWith("+"))),
  marks: (last) => (last.move.includes("*") ? [last.move.slice(2)] : [last.move.slice(0, 2), last.move.slice(2, 4)]),
  arrow(text, board) {
    const [from, to] = this.steps(text, board)[0];
    return { from, to };
  },
  reason: () => "the opponent has no legal move",
};
