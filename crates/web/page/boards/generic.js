// Any game, also one the page has never heard of: drawn from the board that the server writes as text. A grid with
// files and ranks becomes squares to click; other text is shown as it is, and its moves are picked from a list.

import { glyph, stone, tile } from "./pieces.js";
import { readGrid, squaresIn } from "./textgrid.js";

const CELL = 100;
const MARGIN = 34;

/** What stands on a square: x and o are stones, # a square that is out of play, other signs are written as they are. */
function pieceOf(sign, rows) {
  const lower = sign.toLowerCase();
  if (lower === "x" || lower === "o") {
    const owner = lower === "x" ? 1 : 2;
    // Where both x and X are there, the capital is another kind of piece.
    const special = sign !== lower && rows.some((row) => row.includes(lower));
    return { owner, title: special ? sign : lower, draw: () => (special ? glyph(owner, sign) : stone(owner)) };
  }
  if (sign === "#") return { owner: 0, draw: () => tile(0) };
  const letter = /[A-Za-z]/.exec(sign)?.[0];
  const owner = letter ? (letter === letter.toUpperCase() ? 1 : 2) : 0;
  return { owner, title: sign, draw: () => glyph(owner, sign) };
}

export const generic = {
  look: "generic",
  names: { 1: "Player 1", 2: "Player 2" },
  parse: ({ board }) => ({ text: board, grid: readGrid(board) }),

  /** What the picture depends on besides the game: the text may change its form during a game. */
  outline: ({ grid }) => (grid ? [grid.files, grid.ranks, grid.slant] : "text"),

  layout({ grid, text }, flip) {
    if (!grid) return { text, cells: [] };
    const { files, ranks, slant } = grid;
    // Where the rows lean, the letters below the last row say little about the first one.
    const top = slant ? MARGIN : 10;
    const lean = (row) => (slant < 0 ? (row - ranks.length + 1) * slant : row * slant) * CELL;
    const at = (file, row) => {
      const [f, r] = flip ? [files.length - 1 - file, ranks.length - 1 - row] : [file, row];
      return { x: MARGIN + f * CELL + lean(r) + CELL / 2, y: top + r * CELL + CELL / 2 };
    };
    const cells = ranks.flatMap((rank, row) =>
      files.map((letter, file) => {
        const id = `${letter}${rank}`;
        return { id, key: id, ...at(file, row), size: CELL, tone: !slant && (file + row) % 2 ? "dark" : "light" };
      }),
    );
    const [high, bottom, left] = flip ? [ranks.length - 1, 0, files.length - 1] : [0, ranks.length - 1, 0];
    const labels = [
      ...files.map((text, file) => ({ x: at(file, bottom).x, y: top + ranks.length * CELL + 18, text })),
      ...(slant ? files.map((text, file) => ({ x: at(file, high).x, y: top - 17, text })) : []),
      ...ranks.map((text, row) => ({ x: at(left, row).x - CELL / 2 - MARGIN / 2, y: at(left, row).y, text })),
    ];
    const width = MARGIN + (files.length + Math.abs(slant) * (ranks.length - 1)) * CELL + 10;
    return { width, height: top + ranks.length * CELL + MARGIN, cells, labels };
  },

  pieces({ grid }) {
    if (!grid) return [];
    const { files, ranks, rows } = grid;
    return rows.flatMap((row, r) =>
      row.flatMap((sign, f) => (sign === null ? [] : [{ cell: `${files[f]}${ranks[r]}`, ...pieceOf(sign, rows) }])),
    );
  },

  /** A move is picked by the squares it names; one that is the letter of a file, by any square of that file. */
  steps(text, { grid }) {
    if (!grid) return [];
    if (grid.files.includes(text)) return grid.ranks.map((rank) => [`${text}${rank}`]);
    const squares = squaresIn(text, grid);
    return squares.length ? [squares] : [];
  },
  marks: (last, { grid }) => (grid ? squaresIn(last.move, grid) : []),
  arrow(text, { grid }) {
    if (!grid) return null;
    if (grid.files.includes(text)) return { at: `${text}${grid.ranks[0]}` };
    const [from, to, ...on] = squaresIn(text, grid);
    return to ? { from, to, on } : from ? { at: from } : null;
  },
  /** Text beside the grid, such as pieces in hand. */
  caption: ({ grid }) => grid?.extra ?? "",
};
