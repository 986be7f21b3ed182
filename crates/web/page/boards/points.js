// Gomoku: stones on the crossings of lines.

import { svg } from "../dom.js";
import { stone } from "./pieces.js";
import { row } from "./winning.js";
import { OWNER, files, parseStones, squareName, squaresOf } from "./stones.js";

const STEP = 60;
const EDGE = 66;

/** Star points: the middle, and on large boards the four around it. */
function stars(size) {
  const middle = (size - 1) / 2;
  const near = size >= 13 ? 3 : 2;
  const points = Number.isInteger(middle) ? [[middle, middle]] : [];
  if (size >= 9) {
    for (const x of [near, size - 1 - near]) for (const y of [near, size - 1 - near]) points.push([x, y]);
  }
  return points;
}

export const gomoku = {
  look: "points",
  names: { 1: "Black", 2: "White" },
  parse: ({ position }) => parseStones(position),

  layout(board, flip) {
    const { width, height } = board;
    const at = (file, row) => ({
      x: EDGE + (flip ? width - 1 - file : file) * STEP,
      y: EDGE - 22 + (flip ? height - 1 - row : row) * STEP,
    });
    const [right, bottom] = [EDGE + (width - 1) * STEP, EDGE - 22 + (height - 1) * STEP];
    const lines = [];
    for (let file = 0; file < width; file += 1) lines.push(`M${EDGE + file * STEP} ${EDGE - 22}V${bottom}`);
    for (let row = 0; row < height; row += 1) lines.push(`M${EDGE} ${EDGE - 22 + row * STEP}H${right}`);
    const decor = [
      svg("rect", { class: "wood", x: 30, y: 8, width: right + 2, height: bottom + 28, rx: 4 }),
      svg("path", { class: "lines", d: lines.join("") }),
      ...(width === height ? stars(width).map(([x, y]) => svg("circle", { class: "star", cx: EDGE + x * STEP, cy: EDGE - 22 + y * STEP, r: 5 })) : []),
    ];
    const cells = board.grid.flatMap((line, row) =>
      line.map((_, file) => {
        const id = squareName(board, file, row, false);
        return { id, key: id, ...at(file, row), size: STEP, tone: "bare" };
      }),
    );
    const labels = [
      ...files(width).map((text, file) => ({ x: at(file, 0).x, y: bottom + 54, text })),
      ...board.grid.map((_, row) => ({ x: 14, y: at(0, row).y, text: height - row })),
    ];
    return { width: right + 40, height: bottom + 68, cells, labels, decor, scale: STEP / 100 };
  },

  pieces: (board) =>
    board.grid.flatMap((line, row) =>
      line.flatMap((sign, file) => {
        const owner = OWNER[sign];
        return owner ? [{ cell: squareName(board, file, row, false), owner, draw: () => stone(owner, 45) }] : [];
      }),
    ),
  steps: (text) => [squaresOf(text)],
  marks: (last) => squaresOf(last.move),
  won: (board, last) => row(board, last),
  arrow: (text) => ({ at: text }),
  reason: (board, outcome) => (outcome.winner ? "five in a row" : "the board is full"),
};
