// What the engine thinks, drawn over the board: arrows as thick as a move is visited, badges where a stone would be placed.

import { svg } from "./dom.js";

/**
 * The moves worth drawing: the best few by visits, and proven wins. A lost move is drawn only where the search took it
 * seriously for a while: under a threat, most moves of a wide board are lost, and nobody would have thought of them.
 */
export function overlayOf(search) {
  const moves = search.moves();
  const most = Math.max(1, ...moves.map((row) => row.visits));
  const total = moves.reduce((sum, row) => sum + row.visits, 0) || 1;
  return moves
    .filter((row, index) => (row.verdict === "win" ? index < 12 : index < 5 && row.visits > most / (row.verdict === "loss" ? 10 : 50)))
    .map((row) => ({
      text: row.move,
      share: row.visits / most,
      best: row.move === search.head.best,
      verdict: row.verdict,
      label: `${Math.round((100 * row.visits) / total)}%`,
    }));
}

const MARKS = { win: "✓", loss: "✕", draw: "=" };

/** `moves`: {text, share 0..1, best, verdict: "win" | "draw" | "loss" | null, label}, the most important first. */
export function drawOverlay(moves, family, board, cells, scale) {
  const shapes = [];
  const taken = new Set();
  // The least important first, so that the best lies on top.
  for (const move of [...moves].reverse()) {
    const where = family.arrow(move.text, board);
    if (!where) continue;
    if (where.at) {
      const cell = cells.get(where.at);
      if (cell) shapes.push(badge(cell, move, scale * (cell.round ? 0.9 : 1)));
    } else {
      const [from, to] = [cells.get(where.from), cells.get(where.to)];
      if (from && to) shapes.push(arrow(from, to, move, scale, taken.has(where.to)));
      // A move of several steps, or one that also marks another square.
      [where.to, ...(where.on ?? [])].map((id) => cells.get(id)).reduce((last, next) => {
        if (last && next) shapes.push(arrow(last, next, { ...move, share: move.share / 4, verdict: null }, scale, true));
        return next;
      });
      taken.add(where.to);
    }
  }
  return shapes;
}

const classes = (kind, move) => `${kind}${move.best ? " best" : ""}${move.verdict ? ` ${move.verdict}` : ""}`;

function badge(cell, move, scale) {
  const radius = 22 + 16 * Math.sqrt(move.share);
  const group = svg("g", { class: classes("hit", move), transform: `translate(${cell.x},${cell.y}) scale(${scale})` });
  group.append(svg("circle", { r: radius, opacity: (0.35 + 0.55 * Math.sqrt(move.share)).toFixed(2) }));
  group.append(svg("text", { y: 9, text: move.verdict ? MARKS[move.verdict] : move.label }));
  return group;
}

function arrow(from, to, move, scale, crowded) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const width = (6 + 16 * Math.sqrt(move.share)) * scale;
  const head = width * 1.35 + 12 * scale;
  const [sx, sy] = [from.x + ux * 22 * scale, from.y + uy * 22 * scale];
  const [ex, ey] = [to.x - ux * 6 * scale, to.y - uy * 6 * scale];
  const [bx, by] = [ex - ux * head, ey - uy * head];
  const [nx, ny] = [-uy, ux];
  const h = width / 2;
  const w = head * 0.62;
  const p = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const d = `M${p(sx + nx * h, sy + ny * h)}L${p(bx + nx * h, by + ny * h)}L${p(bx + nx * w, by + ny * w)}L${p(ex, ey)}L${p(bx - nx * w, by - ny * w)}L${p(bx - nx * h, by - ny * h)}L${p(sx - nx * h, sy - ny * h)}Z`;
  const group = svg("g", { class: classes("way", move) }, svg("path", { d, opacity: (0.3 + 0.55 * Math.sqrt(move.share)).toFixed(2) }));
  if (move.verdict && !crowded) {
    group.append(
      svg("g", { class: "seal", transform: `translate(${p(to.x + 30 * scale, to.y - 30 * scale).replace(" ", ",")}) scale(${scale})` }, svg("circle", { r: 17 }), svg("text", { y: 8, text: MARKS[move.verdict] })),
    );
  }
  return group;
}
