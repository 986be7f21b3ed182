// Awari: two rows of six pits and two stores. Player 1 sits at the bottom and sows from left to right.

import { svg } from "../dom.js";

const STEP = 118;
const RADIUS = 51;
const LEFT = 190;
const ROWS = { 1: 292, 2: 118 };

const pit = (player, hole) => `${player}:${hole}`;

/** A number of seeds in a circle, always in the same places: a spiral like that of a sunflower. */
function seeds(count, radius) {
  const shown = Math.min(count, 40);
  const spread = Math.min(radius, 9 + 8.2 * Math.sqrt(shown));
  return Array.from({ length: shown }, (_, i) => {
    const r = shown === 1 ? 0 : spread * Math.sqrt((i + 0.5) / shown);
    const angle = i * 2.39996 + count;
    return svg("circle", { class: `seed s${i % 3}`, cx: (r * Math.cos(angle)).toFixed(1), cy: (r * Math.sin(angle)).toFixed(1), r: 8.5 });
  });
}

/** The four lines of the drawing: labels, the second player's row with its store, the first player's, labels. */
function parse({ board, to_move: mover }) {
  const lines = board.split("\n");
  const numbers = (line) => (line.replace(/\[\s*\d+\]/g, "").match(/\d+/g) ?? []).map(Number);
  const upper = numbers(lines[1]).slice(1);
  const lower = numbers(lines[2]).slice(0, 6);
  const store = (line) => Number(/\[\s*(\d+)\]/.exec(line)[1]);
  return { seeds: { 1: lower, 2: upper.reverse() }, stores: { 1: store(lines[2]), 2: store(lines[1]) }, mover: mover ?? 1 };
}

/** Where each seed of a move falls: pits one after the other, round the ring, past the pit of origin. */
function sowing(board, player, hole) {
  const ring = [];
  let [p, h] = [player, hole];
  for (let left = board.seeds[player][hole - 1]; left > 0;) {
    h += 1;
    if (h > 6) [p, h] = [3 - p, 1];
    if (p === player && h === hole) continue;
    ring.push(pit(p, h));
    left -= 1;
  }
  return ring;
}

export const awari = {
  look: "awari",
  names: { 1: "South", 2: "North" },
  parse,

  layout(board, flip) {
    const cells = [];
    const labels = [];
    const place = (player, hole) => {
      const bottom = (player === 1) !== flip;
      const column = bottom ? hole - 1 : 6 - hole;
      return { x: LEFT + column * STEP, y: ROWS[bottom ? 1 : 2], bottom };
    };
    for (const player of [2, 1]) {
      for (let hole = 1; hole <= 6; hole += 1) {
        const { x, y, bottom } = place(player, hole);
        const id = pit(player, hole);
        cells.push({ id, key: id, x, y, size: RADIUS * 2, tone: "pit", round: RADIUS, title: `pit ${hole} of ${player === 1 ? "South" : "North"}` });
        labels.push({ x, y: bottom ? y + 97 : y - 97, text: hole });
      }
    }
    // The store stands at the end of the own row.
    const right = LEFT + 5 * STEP + 122;
    for (const player of [1, 2]) {
      const atRight = (player === 1) !== flip;
      cells.push({ id: `store:${player}`, key: null, x: atRight ? right : LEFT - 122, y: 205, size: 100, tone: "store", tall: true, title: `store of ${player === 1 ? "South" : "North"}` });
    }
    const decor = [svg("rect", { class: "wood", x: 6, y: 38, width: right + 62, height: 334, rx: 62 })];
    return { width: right + 74, height: 410, cells, labels, decor };
  },

  pieces(board) {
    const found = [];
    for (const player of [1, 2]) {
      board.seeds[player].forEach((count, index) => {
        found.push({
          cell: pit(player, index + 1),
          owner: player,
          count,
          fixed: true,
          draw: ({ flip }) => {
            const below = (player === 1) !== flip;
            return svg("g", { class: "piece seeds" }, ...seeds(count, 40), svg("text", { class: "count", y: below ? 72 : -56, text: count }));
          },
        });
      });
      found.push({
        cell: `store:${player}`,
        owner: player,
        count: board.stores[player],
        fixed: true,
        draw: () => svg("g", { class: "piece seeds" }, ...seeds(board.stores[player], 38), svg("text", { class: "count store", y: 98, text: board.stores[player] })),
      });
    }
    return found;
  },

  steps: (text, board) => (text === "pass" ? [] : [[pit(board.mover, Number(text))]]),
  marks: (last) => (last.move === "pass" ? [] : [pit(last.mover, Number(last.move))]),
  arrow: (text, board) => (text === "pass" ? null : { at: pit(board.mover, Number(text)) }),

  /** The board after each seed of the last move, for the animation. */
  animation(before, last) {
    if (last.move === "pass") return [];
    const frame = structuredClone(before);
    const hole = Number(last.move);
    const frames = [];
    const ring = sowing(before, last.mover, hole);
    frame.seeds[last.mover][hole - 1] = 0;
    for (const id of ring) {
      const [player, at] = id.split(":").map(Number);
      frame.seeds[player][at - 1] += 1;
      frames.push({ board: structuredClone(frame), cell: id });
    }
    return frames;
  },

  counted: (board) => ({ 1: `${board.stores[1]} seeds`, 2: `${board.stores[2]} seeds` }),
  reason: (board, outcome) =>
    outcome.winner ? `${board.stores[outcome.winner]} seeds to ${board.stores[3 - outcome.winner]}` : `${board.stores[1]} seeds each or two passes`,
};
