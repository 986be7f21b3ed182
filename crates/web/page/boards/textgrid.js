// Finds a grid of squares with files and ranks in the board that the server draws as text.

/** Signs of a square on which there is nothing. */
const EMPTY = new Set([".", "-", "_", "·", "+"]);
/** Lines and bars that only frame the squares. */
const FRAME = /^[-+|=_ ]+$/;
/** A board larger than this would be drawn too small to be clicked. */
const MOST = 26;

/** The words of a line, each with the column after its last character. Bars between them are not part of any. */
const wordsOf = (line) => [...line.matchAll(/[^\s|]+/g)].map((found) => ({ text: found[0], end: found.index + found[0].length }));

/** The letters of a line that names the files, in order and from the first letter of the alphabet; null for other lines. */
function filesOf(line) {
  const letters = wordsOf(line).map(({ text }) => text);
  const rises = letters.every((text, index) => /^[A-Za-z]$/.test(text) && (index === 0 || text > letters[index - 1]));
  return letters.length > 0 && letters.length <= MOST && rises && letters[0].toLowerCase() === "a" ? letters : null;
}

/** Rank and squares of a line; null if it is not a row of `width` squares. */
function rowOf(line, width) {
  const words = wordsOf(line);
  const number = ({ text } = { text: "" }) => (/^\d{1,2}$/.test(text) ? Number(text) : null);
  const rank = number(words[0]);
  if (rank === null) return null;
  let cells = words.slice(1);
  // The rank may be repeated at the right.
  if (cells.length === width + 1 && number(cells.at(-1)) === rank) cells = cells.slice(0, -1);
  // Squares may be written without spaces between them.
  if (cells.length === 1 && width > 1 && cells[0].text.length === width) {
    const first = cells[0].end - width + 1;
    cells = [...cells[0].text].map((text, index) => ({ text, end: first + index }));
  }
  return cells.length === width ? { rank, cells } : null;
}

/** By how many squares each row lies to the right of the row above it, as in Hex; 0 if the rows do not all agree. */
function slantOf(rows) {
  const [first, second] = rows;
  const spacing = first.cells.length > 1 ? first.cells[1].end - first.cells[0].end : 0;
  if (!second || spacing <= 0) return 0;
  const step = second.cells[0].end - first.cells[0].end;
  const agree = rows.every(({ cells }, index) => cells[0].end - first.cells[0].end === index * step);
  return agree && Math.abs(step) <= spacing ? step / spacing : 0;
}

/**
 * The grid in a text board: {files, ranks, rows, slant, extra}. `rows` holds the signs, from the top of the picture,
 * null for an empty square; `extra` is the text beside the grid, such as pieces in hand. Null if there is no grid.
 */
export function readGrid(text) {
  const lines = text.split("\n").map((line) => line.trimEnd());
  const files = lines.map(filesOf).find(Boolean);
  if (!files) return null;
  const rows = [];
  const extra = [];
  let ended = false;
  for (const line of lines) {
    const row = rowOf(line, files.length);
    if (row && !ended) {
      rows.push(row);
    } else if (line.trim() && !FRAME.test(line)) {
      // Once the rows have begun, the letters of the files or other text end them.
      ended ||= rows.length > 0;
      if (filesOf(line)?.join() !== files.join()) extra.push(line);
    }
  }
  const ranks = rows.map(({ rank }) => rank);
  const step = rows.length > 1 ? ranks[1] - ranks[0] : 1;
  const inOrder = Math.abs(step) === 1 && ranks.every((rank, index) => rank === ranks[0] + index * step);
  if (!rows.length || rows.length > MOST || !inOrder) return null;
  // A row of another length than the others: the board is no rectangle.
  const beyond = rows.length > 1 ? [ranks[0] - step, ranks.at(-1) + step] : [ranks[0] - 1, ranks[0] + 1];
  if (extra.some((line) => beyond.some((rank) => wordsOf(line)[0]?.text === String(rank)))) return null;
  const sign = ({ text }) => (EMPTY.has(text) ? null : text);
  return { files, ranks, rows: rows.map(({ cells }) => cells.map(sign)), slant: slantOf(rows), extra: extra.join("\n") };
}

/**
 * The squares that a move names, in order: "d1d7g7" is d1, d7 and g7. None if one of them is not on the board, because
 * then the text means something else. Other letters ("Nf3", "e7e8q") are passed over.
 */
export function squaresIn(text, { files, ranks }) {
  const named = [...text.matchAll(/([A-Za-z])(\d+)/g)].filter(([, file]) => files.includes(file));
  const known = named.every(([, , rank]) => ranks.includes(Number(rank)) && !rank.startsWith("0"));
  return known ? named.map(([square]) => square) : [];
}
