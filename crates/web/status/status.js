// The status page of a proof by jobs: asks the server what has happened, and shows it.

import { byId, el, proofNumber, put } from "./dom.js";
import { graph, time } from "./graph.js";

const whole = new Intl.NumberFormat("en");
/** The server waits at its end until this page has the last figures. */
const name = [...crypto.getRandomValues(new Uint32Array(4))].map((word) => word.toString(16)).join("");

const dark = matchMedia("(prefers-color-scheme: dark)");
const colour = () => (document.documentElement.dataset.theme = dark.matches ? "dark" : "light");
dark.addEventListener("change", colour);
colour();

const bytes = (n) => (n < 1e6 ? `${(n / 1e3).toFixed(0)} kB` : n < 1e9 ? `${(n / 1e6).toFixed(1)} MB` : `${(n / 1e9).toFixed(2)} GB`);
const number = (numbers, key) => (numbers ? proofNumber(numbers[key]) : "–");

/** What is shown under "Now": an id, a name, and the text; null leaves it out. */
const FIGURES = [
  ["elapsed", "time", (s, all) => time(all.seconds)],
  ["player", "question", (s) => (s.player ? `player ${s.player} wins?` : null)],
  ["pn", "proof number", (s) => number(s.numbers, "pn")],
  ["dpn", "disproof number", (s) => number(s.numbers, "dpn")],
  ["busy", "workers busy", (s) => `${whole.format(s.busy)} of ${whole.format(s.workers)}`],
  ["done", "jobs done", (s) => whole.format(s.done)],
  ["flying", "jobs in flight", (s) => whole.format(s.flying)],
  ["lost", "jobs lost", (s) => whole.format(s.lost)],
  ["retried", "jobs retried", (s) => whole.format(s.retried)],
  ["stale", "results too late", (s) => whole.format(s.stale)],
  ["refused", "results refused", (s) => (s.refused ? whole.format(s.refused) : null)],
  ["nodes", "positions opened", (s) => whole.format(s.nodes)],
  ["rate", "positions a second", (s, all) => whole.format(rate(all))],
  ["positions", "positions in the tree", (s) => whole.format(s.positions)],
  ["bytes", "size of the tree", (s) => bytes(s.bytes)],
  ["shared", "answered by other jobs", (s) => whole.format(s.shared)],
  ["saved", "last checkpoint", (s) => (s.saved === null ? null : `${time(s.saved)} ago`)],
  ["restarts", "restarts", (s) => (s.restarts ? whole.format(s.restarts) : null)],
];

/** Positions opened a second, over the last part of the history. */
function rate({ history, seconds, standing }) {
  const from = history.findLast((moment) => moment.seconds < seconds - 2) ?? history[0];
  const passed = from ? seconds - from.seconds : 0;
  return passed > 0 ? Math.round((standing.nodes - from.nodes) / passed) : 0;
}

function show(all) {
  const { standing, history, workers, losses, ended } = all;
  byId("game").textContent = all.game;
  byId("position").textContent = all.position;
  const known = standing.value ? `a ${standing.value} for the player to move` : "";
  say(ended ? (known ? `solved: ${known}` : "ended without an answer") : known ? `${known}; writing it down` : "running", ended ? "done" : "");
  document.title = `${known || (ended ? "ended" : "running")}: ${all.game} – plyproof`;
  const figures = FIGURES.map(([id, text, figure]) => [id, text, figure(standing, all)]).filter(([, , text]) => text !== null);
  put(byId("figures"), ...figures.map(([id, text, figure]) => el("div", {}, el("dt", { text }), el("dd", { id, text: figure }))));
  const leaves = (key) => ({ numbers }) => (numbers && numbers[key] !== "inf" ? numbers[key] : null);
  const now = `proof number ${number(standing.numbers, "pn")}, disproof number ${number(standing.numbers, "dpn")}`;
  put(byId("root-graph"), graph(history, [{ name: "proof number", value: leaves("pn") }, { name: "disproof number", value: leaves("dpn") }],
    { logarithmic: true, label: `Both numbers over ${time(all.seconds)}; now ${now}` }));
  put(byId("work-graph"), graph(history, [
    { name: "workers", value: (moment) => moment.workers },
    { name: "workers busy", value: (moment) => moment.busy },
    { name: "jobs lost", value: (moment) => moment.lost },
  ], { label: `Workers and lost jobs over ${time(all.seconds)}; now ${standing.workers} workers, ${standing.lost} jobs lost` }));
  put(byId("worker-rows"), ...workers.map((worker, place) => el("tr", {},
    el("th", { scope: "row", text: String(place) }),
    ...[worker.job === null ? "–" : whole.format(worker.job), worker.since === null ? "–" : time(Math.max(0, all.seconds - worker.since)),
      whole.format(worker.results), whole.format(worker.nodes), whole.format(worker.lost)].map((text) => el("td", { class: "n", text })))));
  byId("losses-part").hidden = !losses.length;
  put(byId("loss-rows"), ...losses.map((loss) => el("tr", {},
    ...[time(loss.seconds), loss.job ?? "–", loss.worker ?? "–"].map((text) => el("td", { class: "n", text: String(text) })))));
}

function say(text, kind) {
  const state = byId("state");
  if (state.textContent !== text) state.textContent = text;
  state.className = kind;
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Asks again and again, until the proof has ended. */
async function watch() {
  let after = null;
  for (;;) {
    try {
      const response = await fetch(`status.json?page=${name}${after === null ? "" : `&after=${after}`}`);
      if (!response.ok) throw new Error(await response.text());
      const all = await response.json();
      show(all);
      after = all.sequence;
      document.documentElement.dataset.ready = "";
      if (all.ended) return;
    } catch {
      say("the search does not answer; it may have been ended", "lost");
      document.documentElement.dataset.ready = "";
      await pause(2000);
      // Another search may be there by now, which counts from the beginning.
      after = null;
    }
  }
}

watch();
