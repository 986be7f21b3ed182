// Where the cells of a graph are drawn. Where directions have names such as up and left, cells stand in columns and rows by
// them. Otherwise distances on paper are like distances in steps (stress majorization; Gansner, Koren and North, 2004),
// turned so that edges run along and across.

/** Cells at most; the work grows with the square. */
const MOST = 220;
const ROUNDS = 120;

/** Words for directions: columns to the right and rows down. */
const COMPASS = { up: [0, -1], north: [0, -1], n: [0, -1], u: [0, -1], top: [0, -1], down: [0, 1], south: [0, 1], s: [0, 1], d: [0, 1], bottom: [0, 1], left: [-1, 0], west: [-1, 0], w: [-1, 0], l: [-1, 0], right: [1, 0], east: [1, 0], e: [1, 0], r: [1, 0] };
const DIAGONALS = { ne: [1, -1], nw: [-1, -1], se: [1, 1], sw: [-1, 1] };

/** The way that the name of a direction says, as in upLeft or north_east; null if it says none. */
function wayOf(name) {
  const plain = name.toLowerCase();
  const known = Object.hasOwn(COMPASS, plain) ? COMPASS[plain] : Object.hasOwn(DIAGONALS, plain) ? DIAGONALS[plain] : null;
  if (known) return known;
  const parts = /^(up|down|north|south)[_-]?(left|right|east|west)$/.exec(plain);
  return parts ? [COMPASS[parts[2]][0], COMPASS[parts[1]][1]] : null;
}

/** Columns or rows, from 0 on: as few as possible, so that every step leads on. Null if steps lead in a circle. */
function ranksOf(count, steps) {
  // Cells that are side by side have one rank.
  const group = Array.from({ length: count }, (_, index) => index);
  const find = (index) => (group[index] === index ? index : (group[index] = find(group[index])));
  for (const [a, b, by] of steps) if (by === 0) group[find(a)] = find(b);
  const rank = new Array(count).fill(0);
  const ahead = steps.filter(([, , by]) => by !== 0).map(([a, b, by]) => (by > 0 ? [find(a), find(b)] : [find(b), find(a)]));
  for (let round = 0; round <= count; round += 1) {
    let changed = false;
    for (const [a, b] of ahead) {
      if (rank[b] > rank[a]) continue;
      rank[b] = rank[a] + 1;
      changed = true;
    }
    if (!changed) return rank.map((_, index) => rank[find(index)]);
  }
  return null;
}

/** Places by the names of directions; null if these do not say where every cell is. */
function byCompass(count, edges, directions) {
  const ways = directions.map(wayOf);
  const known = edges.filter(([, , direction]) => ways[direction]);
  if (count > 1300 || known.length < edges.length) return null;
  const axes = [0, 1].map((axis) => ranksOf(count, known.map(([a, b, direction]) => [a, b, ways[direction][axis]])));
  if (!axes[0] || !axes[1]) return null;
  const places = Array.from({ length: count }, (_, index) => [axes[0][index], axes[1][index]]);
  return new Set(places.map(String)).size === count ? places : null;
}

/** Steps between all pairs of cells. */
function distances(count, edges) {
  const near = Array.from({ length: count }, () => []);
  for (const [a, b] of edges) {
    near[a].push(b);
    near[b].push(a);
  }
  return near.map((_, start) => {
    const steps = new Array(count).fill(-1);
    steps[start] = 0;
    const open = [start];
    for (const at of open) {
      for (const next of near[at]) {
        if (steps[next] >= 0) continue;
        steps[next] = steps[at] + 1;
        open.push(next);
      }
    }
    const far = Math.max(...steps) + 1;
    return steps.map((n) => (n < 0 ? Math.max(far, 3) : n));
  });
}

/** Turned so that most edges run along an axis, and so that the first cells are at the top left. */
function turned(places, edges) {
  const angles = edges.map(([a, b]) => Math.atan2(places[b][1] - places[a][1], places[b][0] - places[a][0]));
  const sum = (f) => angles.reduce((total, angle) => total + f(4 * angle), 0);
  const by = -Math.atan2(sum(Math.sin), sum(Math.cos)) / 4;
  const middle = (places.length - 1) / 2;
  let best = null;
  for (const quarter of [0, 1, 2, 3]) {
    for (const mirror of [1, -1]) {
      const angle = by + (quarter * Math.PI) / 2;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const now = places.map(([x, y]) => [mirror * (x * c - y * s), x * s + y * c]);
      const order = now.reduce((total, [x, y], index) => total + (index - middle) * (3 * y + x), 0);
      if (!best || order > best.order + 1e-6) best = { order, now };
    }
  }
  return best.now;
}

/**
 * Places of cells, one unit apart for most neighbours, from 0, 0 on. `edges` are pairs of neighbours with the number of the
 * direction, `given` the places to use where there are many cells.
 */
export function graphPlaces(count, edges, given, directions = []) {
  const told = byCompass(count, edges, directions);
  if (told) return told;
  if (count > MOST || count < 2 || !edges.length) return given;
  const steps = distances(count, edges);
  let places = Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count - Math.PI / 2;
    return [(Math.cos(angle) * count) / 6, (Math.sin(angle) * count) / 6];
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let i = 0; i < count; i += 1) {
      let [x, y, all] = [0, 0, 0];
      for (let j = 0; j < count; j += 1) {
        if (j === i) continue;
        const wanted = steps[i][j];
        const [dx, dy] = [places[i][0] - places[j][0], places[i][1] - places[j][1]];
        const far = Math.hypot(dx, dy) || 1e-3;
        const weight = 1 / (wanted * wanted);
        x += weight * (places[j][0] + (wanted * dx) / far);
        y += weight * (places[j][1] + (wanted * dy) / far);
        all += weight;
      }
      places[i] = [x / all, y / all];
    }
  }
  places = turned(places, edges);
  const [left, top] = [0, 1].map((axis) => Math.min(...places.map((place) => place[axis])));
  return places.map(([x, y]) => [x - left, y - top]);
}
