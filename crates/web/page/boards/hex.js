// Hex: a rhombus of hexagons. Player 1 connects top and bottom, player 2 left and right.

import { svg } from "../dom.js";
import { chain } from "./winning.js";
import { OWNER, files, parseStones, squareName, squaresOf } from "./stones.js";

const W = 80;
const SIDE = W / Math.sqrt(3);
const ROW = SIDE * 1.5;

const corners = (x, y, r = SIDE) =>
  [0, 1, 2, 3, 4, 5].map((k) => {
    const angle = (Math.PI / 180) * (60 * k - 90);
    return [x + r * Math.cos(angle), y + r * Math.sin(angle)];
  });
const path = (points) => `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;

export const hex = {
  look: "hex",
  names: { 1: "Black", 2: "White" },
  parse: ({ position }) => parseStones(position),

  layout(board, flip) {
    const n = board.width;
    const left = 62;
    const top = 74;
    const plain = (file, row) => ({ x: left + W / 2 + file * W + (row * W) / 2, y: top + row * ROW });
    const at = (file, row) => (flip ? plain(n - 1 - file, n - 1 - row) : plain(file, row));
    const cells = board.grid.flatMap((line, row) =>
      line.map((_, file) => {
        const id = squareName(board, file, row, true);
        const place = at(file, row);
        return { id, key: id, ...place, size: W, tone: "hexagon", outline: `${path(corners(place.x, place.y))}Z` };
      }),
    );
    // The goals: bands along the four sides, in the colours of those who connect them.
    const sides = { top: [], bottom: [], left: [], right: [] };
    for (let i = 0; i < n; i += 1) {
      const [t, b, l, r] = [plain(i, 0), plain(i, n - 1), plain(0, i), plain(n - 1, i)];
      const c = (p) => corners(p.x, p.y);
      sides.top.push(c(t)[5], c(t)[0], c(t)[1]);
      sides.bottom.push(c(b)[4], c(b)[3], c(b)[2]);
      sides.left.push(c(l)[5], c(l)[4], c(l)[3]);
      sides.right.push(c(r)[1], c(r)[2]);
    }
    sides.left = sides.left.slice(0, -1);
    const decor = Object.entries(sides).map(([name, points]) =>
      svg("path", { class: `goal p${name === "top" || name === "bottom" ? 1 : 2}`, d: path(points) }),
    );
    const labels = [];
    files(n).forEach((text, file) => {
      const p = at(file, 0);
      labels.push({ x: flip ? p.x + W / 3 : p.x - W / 3, y: flip ? p.y + SIDE + 26 : p.y - SIDE - 12, text });
    });
    board.grid.forEach((_, row) => {
      const p = at(0, row);
      labels.push({ x: flip ? p.x + W / 2 + 30 : p.x - W / 2 - 30, y: p.y + (flip ? 16 : -10), text: row + 1 });
    });
    return { width: left + W * n + (W * (n - 1)) / 2 + 56, height: top + ROW * (n - 1) + SIDE + 44, cells, labels, decor, scale: W / 100 };
  },

  pieces: (board) =>
    board.grid.flatMap((line, row) =>
      line.flatMap((sign, file) => {
        const owner = OWNER[sign];
        const draw = () => svg("g", { class: `piece p${owner}` }, svg("path", { class: "body", d: `${path(corners(0, 0, 52))}Z` }));
        return owner ? [{ cell: squareName(board, file, row, true), owner, draw }] : [];
      }),
    ),
  steps: (text) => [squaresOf(text)],
  marks: (last) => squaresOf(last.move),
  won: (board, last, winner) => chain(board, winner),
  arrow: (text) => ({ at: text }),
  reason: (board, outcome) => (outcome.winner === 1 ? "top and bottom are connected" : "left and right are connected"),
};
