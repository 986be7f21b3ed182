// What won: the row of stones, or the chain between two sides.

import { OWNER, squareName, squarePlace, squaresOf } from "./stones.js";

const DIRECTIONS = [[1, 0], [0, 1], [1, 1], [1, -1]];

/** The longest row of the winner through the last stone. */
export function row(board, last, at = squaresOf(last.move)[0]) {
  const { grid } = board;
  const place = at && squarePlace(board, at, false);
  const sign = place && grid[place.row]?.[place.file];
  if (!OWNER[sign]) return [];
  const run = ([dx, dy]) => {
    const found = [place];
    for (const side of [1, -1]) {
      for (let n = side; grid[place.row + n * dy]?.[place.file + n * dx] === sign; n += side) found.push({ file: place.file + n * dx, row: place.row + n * dy });
    }
    return found;
  };
  const best = DIRECTIONS.map(run).reduce((a, b) => (b.length > a.length ? b : a));
  return best.length > 1 ? best.map(({ file, row: line }) => squareName(board, file, line, false)) : [];
}

/** The shortest chain of the winner of Hex from one of its sides to the other. */
export function chain({ grid, ...board }, winner) {
  const sign = winner === 1 ? "x" : "o";
  const size = grid.length;
  const key = ([file, line]) => line * size + file;
  const ends = ([file, line]) => (winner === 1 ? line : file) === size - 1;
  const starts = grid.map((_, n) => (winner === 1 ? [n, 0] : [0, n])).filter(([file, line]) => grid[line][file] === sign);
  const from = new Map(starts.map((cell) => [key(cell), null]));
  for (const queue = [...starts]; queue.length;) {
    const cell = queue.shift();
    if (ends(cell)) {
      const path = [];
      for (let at = cell; at; at = from.get(key(at))) path.push(squareName(board, at[0], at[1], true));
      return path;
    }
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1], [1, -1], [-1, 1]]) {
      const next = [cell[0] + dx, cell[1] + dy];
      if (grid[next[1]]?.[next[0]] !== sign || from.has(key(next))) continue;
      from.set(key(next), cell);
      queue.push(next);
    }
  }
  return [];
}
