// Games from rules in KIF: positions are facts. Facts that look like (cell x y piece) are drawn as a grid, all others are
// listed below it.

import { lookOf, namesOf, commentsOf, pieceStyles } from "./owners.js";

const CELL = 100;
const MARGIN = 30;
const MOST = 40;
/** Signs of grids with fewer cells are too likely to mean something else. */
const FEWEST = 4;

/** The facts of a position, "cell(1,1,b) control(x)" or "(cell 1 1 b)": lists of words. Terms within terms stay text. */
export function factsIn(text) {
  const facts = [];
  let [depth, word] = [0, ""];
  let words = [];
  const end = () => {
    if (word) words.push(word);
    word = "";
  };
  for (const sign of text) {
    if (sign === "(") {
      if (depth > 0) word += sign;
      else if (!word) words = [];
      else end();
      depth += 1;
    } else if (sign === ")") {
      depth -= 1;
      if (depth > 0) word += sign;
      else {
        end();
        if (words.length) facts.push(words);
        words = [];
      }
    } else if (depth <= 1 && /[\s,]/.test(sign)) {
      end();
      if (depth === 0) {
        if (words.length) facts.push(words);
        words = [];
      }
    } else {
      word += sign;
    }
  }
  end();
  if (words.length) facts.push(words);
  return facts;
}

const isPlace = (word) => /^(\d{1,2}|[a-z]|[a-z]\d{1,2})$/i.test(word);
const order = (a, b) => (Number(a) - Number(b) || a.length - b.length || (a < b ? -1 : a > b ? 1 : 0));

/** The functor of the facts that make a grid; null if none do. */
function gridOf(facts) {
  const counts = new Map();
  for (const [name, x, y, piece, ...more] of facts) {
    if (piece !== undefined && !more.length && isPlace(x) && isPlace(y)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const [name, count] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [null, 0];
  return count >= FEWEST ? name : null;
}

/** The family of a game without a board of its own; `text` are its rules, if the page has them. */
export function fromFacts({ players }, text) {
  const comments = commentsOf(text);
  // Cells that were seen so far: a cell on which nothing is may have no fact.
  const seen = { functor: null, xs: new Set(), ys: new Set() };
  const learn = (facts) => {
    seen.functor ??= gridOf(facts);
    for (const [name, x, y] of facts.filter(([name, , , piece]) => name === seen.functor && piece !== undefined)) {
      seen.xs.add(x);
      seen.ys.add(y);
    }
  };
  const id = (x, y) => `${x} ${y}`;
  const cellsOf = (move) => {
    const [, ...words] = factsIn(move)[0] ?? [];
    const cells = [];
    for (let i = 0; i + 1 < words.length; i += 1) {
      if (seen.xs.has(words[i]) && seen.ys.has(words[i + 1])) {
        cells.push(id(words[i], words[i + 1]));
        i += 1;
      }
    }
    return cells;
  };
  const others = (facts) => facts.filter(([name]) => name !== seen.functor);
  return {
    look: lookOf(players),
    names: namesOf(players),
    outline: ({ xs, ys }) => [xs, ys],
    parse: ({ position }) => {
      const facts = factsIn(position);
      learn(facts);
      const grid = seen.functor !== null && seen.xs.size <= MOST && seen.ys.size <= MOST;
      return { facts, xs: grid ? [...seen.xs].sort(order) : [], ys: grid ? [...seen.ys].sort(order).reverse() : [] };
    },
    layout: ({ facts, xs, ys }, flip) => {
      if (!xs.length) return { text: grouped(facts), cells: [] };
      const at = (column, row) => ({ x: MARGIN + (flip ? xs.length - 1 - column : column) * CELL + CELL / 2, y: 8 + (flip ? ys.length - 1 - row : row) * CELL + CELL / 2 });
      const cells = ys.flatMap((y, row) => xs.map((x, column) => ({ id: id(x, y), key: id(x, y), ...at(column, row), size: CELL, tone: (column + row) % 2 ? "dark" : "light" })));
      const labels = [...xs.map((x, column) => ({ x: at(column, 0).x, y: 8 + ys.length * CELL + 15, text: x })), ...ys.map((y, row) => ({ x: MARGIN / 2, y: at(0, row).y, text: y }))];
      return { width: MARGIN + xs.length * CELL + 8, height: 8 + ys.length * CELL + MARGIN, cells, labels };
    },
    pieces: ({ facts, xs }) => {
      if (!xs.length) return [];
      const cells = facts.filter(([name, , , piece]) => name === seen.functor && piece !== undefined);
      const styles = pieceStyles([...new Set(cells.map((fact) => fact[3]))].sort(), players, comments);
      return cells.flatMap(([, x, y, piece]) => (styles.get(piece) ? [{ cell: id(x, y), ...styles.get(piece) }] : []));
    },
    steps: (move) => {
      const cells = cellsOf(move);
      return cells.length ? [cells] : [];
    },
    marks: (last) => cellsOf(last.move),
    arrow: (move) => {
      const [from, to, ...on] = cellsOf(move);
      return to ? { from, to, on } : from ? { at: from } : null;
    },
    caption: ({ facts, xs }) => (xs.length ? grouped(others(facts)) : ""),
  };
}

/** Facts by their functors, a line for each: "control: x". */
function grouped(facts) {
  const lines = new Map();
  for (const [name, ...words] of facts) {
    const line = lines.get(name) ?? [];
    line.push(words.join(" "));
    lines.set(name, line);
  }
  return [...lines].map(([name, all]) => (all.length === 1 && !all[0] ? name : `${name}: ${all.join(", ")}`)).join("\n");
}
