// The value of the game: a bar beside the board, and a graph over its moves.

import { byId, el, put, svg, valueText } from "../dom.js";

/** The bar beside the board: full at the bottom means the player at the bottom is winning. */
export function paintBar(found, family, flipped) {
  const { names } = family;
  const bar = byId("bar");
  const share = found ? (found.value + 1) / 2 : 0.5;
  bar.style.setProperty("--first", `${(100 * share).toFixed(1)}%`);
  bar.classList.toggle("flipped", flipped);
  bar.classList.toggle("unknown", !found);
  if (bar.dataset.look !== family.look) {
    bar.dataset.look = family.look;
    bar.className = `${bar.className.replace(/\blook-\S+/g, "")} look-${family.look}`;
  }
  const text = !found ? "" : found.proven ? (found.value > 0 ? "1–0" : found.value < 0 ? "0–1" : "½") : Math.abs(found.value).toFixed(2).replace("0.", ".");
  byId("bar-text").textContent = text;
  bar.setAttribute("aria-label", found ? `Value: ${valueText(found, names)}` : "No value yet");
}

const HEIGHT = 90;
const MARKED = new Set(["?!", "?", "??"]);
let drawn = "";

/** `values` of all positions of the line that were looked at, by ply; `ids` are its nodes. A click goes there. */
export function paintGraph(host, game, names, values, ids, go) {
  const count = game.moves.length;
  const marks = ids.map((id) => game.tree[id].mark ?? "");
  const signature = JSON.stringify([count, game.ply, names, marks, Object.entries(values).map(([ply, v]) => [ply, v.value.toFixed(2), v.proven])]);
  if (signature === drawn) return;
  drawn = signature;
  host.hidden = Object.keys(values).length === 0;
  const width = 600;
  const x = (ply) => (count ? (ply / count) * (width - 12) + 6 : width / 2);
  const y = (value) => HEIGHT / 2 - value * (HEIGHT / 2 - 6);
  const points = Object.entries(values).map(([ply, found]) => [Number(ply), found]).filter(([ply]) => ply <= count).sort((a, b) => a[0] - b[0]);
  const line = points.map(([ply, found], i) => `${i ? "L" : "M"}${x(ply).toFixed(1)} ${y(found.value).toFixed(1)}`).join("");
  const area = points.length > 1 ? `${line}L${x(points.at(-1)[0]).toFixed(1)} ${HEIGHT / 2}L${x(points[0][0]).toFixed(1)} ${HEIGHT / 2}Z` : "";
  const label = points.length ? `Values of ${points.length} positions of the game; up is good for ${names[1]}` : "No values yet";
  const picture = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label },
    svg("path", { class: "axis", d: `M0 ${HEIGHT / 2}H${width}` }),
    svg("path", { class: "area", d: area }),
    svg("path", { class: "curve", d: line }),
    count ? svg("path", { class: "now", d: `M${x(game.ply).toFixed(1)} 0V${HEIGHT}` }) : null,
    ...points.filter(([ply, found]) => !found.proven && (ply === game.ply || points.length === 1)).map(([ply, found]) => svg("ellipse", { class: "known", cx: x(ply).toFixed(1), cy: y(found.value).toFixed(1), rx: 3, ry: 4.6 })),
    ...points.filter(([, found]) => found.proven).map(([ply, found]) => svg("ellipse", { class: "proven", cx: x(ply).toFixed(1), cy: y(found.value).toFixed(1), rx: 3, ry: 4.6 })),
    ...points.filter(([ply]) => MARKED.has(marks[ply])).map(([ply, found]) => svg("ellipse", { class: `wrong m${marks[ply].length}${marks[ply] === "?!" ? " dubious" : ""}`, cx: x(ply).toFixed(1), cy: y(found.value).toFixed(1), rx: 4, ry: 6 })));
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    if (count) go(Math.round(((event.clientX - box.left) / box.width) * count));
  });
  put(host, picture, el("span", { class: "up", "aria-hidden": "true", text: names[1] }), el("span", { class: "down", "aria-hidden": "true", text: names[2] }));
}
