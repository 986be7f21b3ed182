// Boards of stones as text, "x.o/.x./... o": what most games share.

/** Rows from the top of the picture; "x" is player 1, "o" player 2, "#" a taken square. */
export function parseStones(text) {
  const [rows, side] = text.split(" ");
  const grid = rows.split("/").map((row) =>
    row.replace(/\d+/g, (count) => ".".repeat(Number(count))).split(""),
  );
  return { grid, width: grid[0].length, height: grid.length, mover: side === "o" || side === "2" ? 2 : 1 };
}

export const OWNER = { x: 1, o: 2 };

const letter = (file) => String.fromCharCode(97 + file);

/** The name of a square: rank 1 is at the bottom of the picture, or at the top where `down` is set. */
export const squareName = (board, file, row, down) => `${letter(file)}${down ? row + 1 : board.height - row}`;

/** File and row of a square in the picture. */
export function squarePlace(board, name, down) {
  const rank = Number(name.slice(1));
  return { file: name.charCodeAt(0) - 97, row: down ? rank - 1 : board.height - rank };
}

/** The squares of a move: "b1d3" is b1 and d3. */
export const squaresOf = (text) => text.match(/[a-z]\d+/g) ?? [];

export const files = (count) => Array.from({ length: count }, (_, file) => letter(file));

/** Counts pieces of each player. */
export function counts(board) {
  const flat = board.grid.flat();
  return { 1: flat.filter((c) => c === "x").length, 2: flat.filter((c) => c === "o").length };
}
