// Where the cells of a graph are drawn: distances on paper are like distances in steps (stress majorization; Gansner,
// Koren and North, 2004), turned so that edges run along and across.

/** Cells at most; the work grows with the square. */
const MOST = 220;
const ROUNDS = 120;

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

/** Places of cells, one unit apart for most neighbours, from 0, 0 on. `given` are the places to use where there are many cells. */
export function graphPlaces(count, edges, given) {
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
