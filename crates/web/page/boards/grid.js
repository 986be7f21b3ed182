// Games on squares: Lines of Action, Knightthrough, Breakthrough, Clobber, Othello, Connect Four, Domineering, tic-tac-toe.

import { svg } from "../dom.js";
import * as pieces from "./pieces.js";
import { row } from "./winning.js";
import { OWNER, counts, files, parseStones, squareName, squarePlace, squaresOf } from "./stones.js";

const CELL = 100;
const MARGIN = 34;

/** A family of board for one game: what differs is handed in. */
function gridGame({ look, won, piece, names, tone, down = false, coordinates = "margin", steps, reason, counted, extra, cellKey }) {
  return {
    look,
    names,
    parse: ({ position }) => ({ ...parseStones(position), down }),

    layout(board, flip) {
      const margin = coordinates === "none" ? 10 : MARGIN;
      const at = (file, row) => ({
        x: margin + (flip ? board.width - 1 - file : file) * CELL + CELL / 2,
        y: 10 + (flip ? board.height - 1 - row : row) * CELL + CELL / 2,
      });
      const cells = [];
      board.grid.forEach((line, row) =>
        line.forEach((_, file) => {
          const id = squareName(board, file, row, down);
          cells.push({ id, key: cellKey ? cellKey(id) : id, ...at(file, row), size: CELL, tone: tone ?? ((file + row) % 2 ? "dark" : "light") });
        }),
      );
      const labels = [];
      if (coordinates !== "none") {
        files(board.width).forEach((text, file) =>
          labels.push({ x: at(file, 0).x, y: 10 + board.height * CELL + 24, text }),
        );
        if (coordinates === "margin") {
          board.grid.forEach((_, row) => labels.push({ x: margin / 2, y: at(0, row).y, text: down ? row + 1 : board.height - row }));
        }
      }
      return { width: margin + board.width * CELL + 10, height: 10 + board.height * CELL + (coordinates === "none" ? 10 : MARGIN), cells, labels };
    },

    pieces(board, options) {
      const found = [];
      board.grid.forEach((line, row) =>
        line.forEach((sign, file) => {
          const owner = OWNER[sign] ?? (sign === "#" ? 0 : null);
          if (owner !== null) found.push({ cell: squareName(board, file, row, down), owner, draw: () => piece(owner, sign) });
        }),
      );
      return extra ? extra(board, found, options) : found;
    },

    steps: (text) => (text === "pass" ? [] : steps ? steps(text) : [squaresOf(text)]),
    marks: (last, board) => marksOf(last, board, down),
    arrow(text, board) {
      const squares = squaresOf(text);
      if (look === "connect4") return { at: landing(board, text) };
      return squares.length > 1 ? { from: squares[0], to: squares[1] } : squares.length ? { at: squares[0] } : null;
    },
    reason,
    won,
    counted,
  };
}

function marksOf(last, board) {
  const squares = squaresOf(last.move);
  if (squares.length) return squares;
  // A column: the stone that lies on top.
  if (/^[a-z]$/.test(last.move)) {
    const file = last.move.charCodeAt(0) - 97;
    const row = board.grid.findIndex((line) => line[file] !== ".");
    return row < 0 ? [] : [squareName(board, file, row, false)];
  }
  return [];
}

/** Where a stone falls to. */
function landing(board, column) {
  const file = column.charCodeAt(0) - 97;
  for (let row = board.height - 1; row >= 0; row -= 1) {
    if (board.grid[row][file] === ".") return squareName(board, file, row, false);
  }
  return squareName(board, file, 0, false);
}

const STONES = { 1: "Black", 2: "White" };
const stonesLeft = (board) => {
  const n = counts(board);
  return { 1: `${n[1]} left`, 2: `${n[2]} left` };
};

function throughReason(board, outcome) {
  const loser = 3 - outcome.winner;
  return counts(board)[loser] === 0 ? "the last enemy piece is captured" : "the far row is reached";
}

/** Dominoes are drawn whole where the game tells who placed them. */
function dominoes(board, found, { moves = [], firstMover = 1 } = {}) {
  const placed = new Map();
  moves.forEach((move, index) => {
    const [a, b] = squaresOf(move);
    const owner = index % 2 ? 3 - firstMover : firstMover;
    placed.set(a, { owner, other: b });
    placed.set(b, { owner, other: a, hidden: true });
  });
  return found.flatMap((piece) => {
    const domino = placed.get(piece.cell);
    if (!domino) return [piece];
    if (domino.hidden) return [{ ...piece, owner: domino.owner, draw: () => svg("g", {}) }];
    const here = squarePlace(board, piece.cell, false);
    const there = squarePlace(board, domino.other, false);
    const upright = here.file === there.file;
    const draw = ({ flip }) => {
      const sign = flip ? -1 : 1;
      const box = upright ? { x: -42, y: sign > 0 ? -142 : -42, width: 84, height: 184 } : { x: sign > 0 ? -42 : -142, y: -42, width: 184, height: 84 };
      return svg("g", { class: `piece p${domino.owner}` }, svg("rect", { class: "body", ...box, rx: 12 }), svg("rect", { class: "rim", x: box.x + 10, y: box.y + 10, width: box.width - 20, height: box.height - 20, rx: 7 }));
    };
    return [{ ...piece, owner: domino.owner, draw }];
  });
}

export const loa = gridGame({
  look: "loa",
  names: STONES,
  piece: (owner) => pieces.stone(owner),
  counted: stonesLeft,
  reason: (board, outcome) => (outcome.winner ? "all its stones are connected" : "both sides are connected at once"),
});

export const knightthrough = gridGame({
  look: "through",
  names: { 1: "White", 2: "Black" },
  piece: (owner) => pieces.knight(owner),
  counted: stonesLeft,
  reason: throughReason,
});

export const breakthrough = gridGame({
  look: "through",
  names: { 1: "White", 2: "Black" },
  piece: (owner) => pieces.pawn(owner),
  counted: stonesLeft,
  reason: throughReason,
});

export const clobber = gridGame({
  look: "clobber",
  names: { 1: "Black", 2: "White" },
  piece: (owner) => pieces.checker(owner),
  counted: stonesLeft,
  reason: () => "the opponent cannot move",
});

export const othello = gridGame({
  look: "othello",
  names: STONES,
  down: true,
  piece: (owner) => pieces.disc(owner, 40),
  counted: (board) => {
    const n = counts(board);
    return { 1: `${n[1]} discs`, 2: `${n[2]} discs` };
  },
  reason: (board) => {
    const n = counts(board);
    return `${Math.max(n[1], n[2])} discs to ${Math.min(n[1], n[2])}`;
  },
});

export const connect4 = gridGame({
  look: "connect4",
  names: { 1: "Yellow", 2: "Red" },
  coordinates: "files",
  tone: "hole",
  cellKey: (id) => id[0],
  piece: (owner) => pieces.disc(owner, 36),
  steps: (text) => [[text]],
  won: (board, last) => row(board, last, marksOf(last, board, false)[0]),
  reason: (board, outcome) => (outcome.winner ? "four in a row" : "the board is full"),
});

export const domineering = gridGame({
  look: "domineering",
  names: { 1: "Vertical", 2: "Horizontal" },
  piece: (owner) => pieces.tile(owner),
  extra: dominoes,
  steps: (text) => {
    const [a, b] = squaresOf(text);
    return [[a, b], [b, a]];
  },
  reason: () => "the opponent cannot place a domino",
});

export const inARow = gridGame({
  look: "marks",
  names: { 1: "Crosses", 2: "Noughts" },
  piece: (owner) => (owner === 1 ? pieces.cross(owner) : pieces.ring(owner)),
  won: (board, last) => row(board, last),
  reason: (board, outcome) => (outcome.winner ? "its row is complete" : "the board is full"),
});
