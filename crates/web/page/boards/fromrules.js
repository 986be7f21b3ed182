// Games from rules in RBG: the board that the rules describe, as squares, hexagons or a graph, with pieces by their names.

import { svg } from "../dom.js";
import { graphPlaces } from "./graph.js";
import { commentsOf, lookOf, namesOf, pieceStyles } from "./owners.js";

const CELL = 100;
const MARGIN = 30;
/** Where there are more columns or rows than this, every fifth has a number. */
const FEW = 20;
/** Variables that are told below the board at most. */
const MOST_VARIABLES = 24;

const corners = (x, y) => {
  const r = CELL / Math.sqrt(3);
  const point = (k) => [x + r * Math.cos((Math.PI / 180) * (60 * k - 90)), y + r * Math.sin((Math.PI / 180) * (60 * k - 90))];
  return `M${[0, 1, 2, 3, 4, 5].map((k) => point(k).map((n) => n.toFixed(1)).join(" ")).join("L")}Z`;
};

/** One of three shades for a hexagon, so that neighbours have different ones: along a row they take turns. */
const shadeOf = (x, y) => (((Math.round(x - y / 2 + 2 * y) % 3) + 3) % 3);

/** A board whose cells are at `places`, in units of cells: with `shape` "square", "hexagon" or "round". */
function boardOf(names, places, shape, edges) {
  const across = Math.max(...places.map(([x]) => x));
  const down = Math.max(...places.map(([, y]) => y));
  const rise = shape === "hexagon" ? Math.sqrt(3) / 2 : 1;
  const [left, top] = shape === "square" ? [MARGIN, 8] : [16, 16];
  const at = (index, flip) => {
    const [x, y] = places[index];
    return { x: left + (flip ? across - x : x) * CELL + CELL / 2, y: top + (flip ? down - y : y) * rise * CELL + CELL / 2 };
  };
  return (flip) => {
    const cells = names.map((name, index) => {
      const place = at(index, flip);
      const [x, y] = places[index];
      const kind = shape === "square" ? { size: CELL, tone: (x + y) % 2 ? "dark" : "light" }
        : shape === "hexagon" ? { size: CELL, tone: `hexagon shade${shadeOf(x, y)}`, outline: corners(place.x, place.y) }
          : { size: 76, tone: "node", round: 38 };
      return { id: name, key: name, ...place, ...kind };
    });
    const labels = [];
    if (shape === "square") {
      const shown = (n, most) => most < FEW || n % 5 === 0;
      for (let x = 0; x <= across; x += 1) if (shown(x, across)) labels.push({ x: left + (flip ? across - x : x) * CELL + CELL / 2, y: top + (down + 1) * CELL + 15, text: x });
      for (let y = 0; y <= down; y += 1) if (shown(y, down)) labels.push({ x: MARGIN / 2, y: top + (flip ? down - y : y) * CELL + CELL / 2, text: y });
    }
    const decor = edges.map(([a, b]) => {
      const [from, to] = [at(a, flip), at(b, flip)];
      return svg("line", { class: "edge", x1: from.x.toFixed(1), y1: from.y.toFixed(1), x2: to.x.toFixed(1), y2: to.y.toFixed(1) });
    });
    const height = top + down * rise * CELL + CELL + (shape === "square" ? MARGIN : 16);
    return { width: left + (across + 1) * CELL + (shape === "square" ? 8 : 16), height, cells, labels, decor, scale: shape === "square" ? 1 : 0.86 };
  };
}

let count = 0;

/** The family of a game with a board; `text` are its rules, if the page has them. */
export function fromRules({ players, board }, text) {
  const names = board.cells.map(([name]) => name);
  const known = new Set(names);
  const comments = commentsOf(text);
  const styles = pieceStyles(board.pieces.map(([name]) => name), players, comments);
  const signs = new Map(board.pieces.map(([name, sign]) => [sign, name]));
  const given = board.cells.map(([, x, y]) => [x, y]);
  const round = board.layout === "graph";
  const placed = names.every((name) => comments.place.has(name)) ? names.map((name) => comments.place.get(name)) : null;
  const places = placed ?? (round ? graphPlaces(names.length, board.edges, given, board.directions) : given);
  const layout = boardOf(names, fromZero(places), round ? "round" : board.layout === "hexagon" ? "hexagon" : "square", board.edges);
  // The cells of a move, in order; a cell that is named twice in a row is clicked once.
  const cellsOf = (move) => {
    const cells = move.split("-").map((part) => part.split(":")[0]);
    return cells.every((cell) => known.has(cell)) ? cells.filter((cell, index) => cell !== cells[index - 1]) : [];
  };
  count += 1;
  const mine = count;
  return {
    look: lookOf(players),
    names: namesOf(players),
    outline: () => mine,
    parse: ({ position }) => {
      const [stones, ...rest] = position.split(" ");
      const pieces = [...stones].filter((sign) => sign !== "/").map((sign) => signs.get(sign) ?? null);
      return { pieces, rest: rest.join(" ") };
    },
    layout: (_, flip) => layout(flip),
    pieces: ({ pieces }) => pieces.flatMap((name, index) => {
      const style = styles.get(name);
      return style && names[index] !== undefined ? [{ cell: names[index], ...style }] : [];
    }),
    steps: (move) => {
      const cells = cellsOf(move);
      return cells.length ? [cells] : [];
    },
    marks: (last) => cellsOf(last.move),
    arrow: (move) => {
      const [from, to, ...on] = cellsOf(move);
      return to ? { from, to, on } : from ? { at: from } : null;
    },
    /** What tells moves apart that have the same cells: what they do, by its number. */
    choice: (move) => move.replace(/:(\d+)/g, (whole, number) => (board.modifiers[number - 1] ? ` ${board.modifiers[number - 1]}` : whole)),
    caption: ({ rest }) => {
      const values = [...rest.matchAll(/([A-Za-z_]\w*)=(\d+)/g)].map(([, name, value]) => `${name} ${value}`);
      const scored = values.some((value) => !value.endsWith(" 0"));
      return scored ? values.slice(0, MOST_VARIABLES).join(" · ") : "";
    },
  };
}

/** Places moved so that the least column and row are 0. */
function fromZero(places) {
  const [left, top] = [0, 1].map((axis) => Math.min(...places.map((place) => place[axis])));
  return places.map(([x, y]) => [x - left, y - top]);
}
