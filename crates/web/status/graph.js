// Lines over time, as SVG.

import { el, short, svg } from "./dom.js";

const WIDTH = 900;
const HEIGHT = 190;
const LEFT = 46;
const BOTTOM = 22;
const TOP = 10;
const NAMES = ["a", "b", "c"];

/** A time in seconds for people. */
export function time(seconds) {
  if (seconds < 100) return `${seconds.toFixed(1)} s`;
  if (seconds < 6000) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** Values that the axis names: powers of ten, or four steps. */
function marks(most, logarithmic) {
  if (!logarithmic) return [0, 0.25, 0.5, 0.75, 1].map((share) => share * most);
  const powers = [];
  for (let power = 1; power <= most; power *= 10) powers.push(power);
  return powers;
}

/**
 * A graph with up to three lines. `moments` have `seconds`; each line has a `name` and `value(moment)`, a number or null
 * where the line has a gap. `label` says for screen readers what there is to see.
 */
export function graph(moments, lines, { logarithmic = false, label }) {
  const shown = lines.map((line) => ({ ...line, points: moments.map((moment) => [moment.seconds, line.value(moment)]) }));
  const values = shown.flatMap(({ points }) => points.map(([, value]) => value)).filter((value) => value !== null);
  const most = Math.max(logarithmic ? 10 : 1, ...values);
  const begins = moments[0]?.seconds ?? 0;
  const ends = Math.max(moments.at(-1)?.seconds ?? 0, begins + 0.1);
  const x = (seconds) => LEFT + ((seconds - begins) / (ends - begins)) * (WIDTH - LEFT - 8);
  const part = (value) => (logarithmic ? Math.log10(Math.max(1, value)) / Math.log10(most) : value / most);
  const y = (value) => HEIGHT - BOTTOM - part(value) * (HEIGHT - BOTTOM - TOP);
  const way = (points) => {
    let pen = "M";
    return points.map(([seconds, value]) => {
      if (value === null) {
        pen = "M";
        return "";
      }
      const step = `${pen}${x(seconds).toFixed(1)} ${y(value).toFixed(1)}`;
      pen = "L";
      return step;
    }).join("");
  };
  const grid = marks(most, logarithmic).map((value) => svg("g", {},
    svg("line", { class: "grid", x1: LEFT, x2: WIDTH - 8, y1: y(value), y2: y(value) }),
    svg("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end", text: short(value) })));
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => svg("text", {
    x: LEFT + share * (WIDTH - LEFT - 8), y: HEIGHT - 6, "text-anchor": share === 1 ? "end" : share ? "middle" : "start",
    text: time(begins + share * (ends - begins)),
  }));
  const paths = shown.map(({ points }, place) => svg("path", { class: NAMES[place], d: way(points) }));
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label }, ...grid, ...ticks, ...paths);
  const key = ({ name }, place) => el("li", {},
    svg("svg", { viewBox: "0 0 28 8", "aria-hidden": "true" }, svg("path", { class: NAMES[place], d: "M0 4H28" })), name);
  return el("div", { class: "graph-of" }, picture, el("ul", { class: "keys" }, ...lines.map(key)));
}
