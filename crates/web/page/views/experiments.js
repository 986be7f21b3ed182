// Recorded matches and experiments: lists, scores that grow while a match runs, tables and figures.

import { el, put, svg } from "../dom.js";
import { fresh } from "../game.js";
import { title } from "../spec.js";
import { markdown } from "./markdown.js";

/** A record that grew within so many seconds belongs to a match that runs. */
const LIVE = 20;
const AGAIN = 2000;

const percent = (share) => (share === null || share === undefined ? "–" : `${(100 * share).toFixed(1)} %`);
const interval = (pair) => (pair ? `${(100 * pair[0]).toFixed(1)} – ${(100 * pair[1]).toFixed(1)}` : "–");
const live = (found) => found.age !== null && found.age < LIVE;

export class Experiments {
  #host;
  #has;
  #open;
  #timer = null;
  #shown = null;

  /** `open(game)` puts a recorded game on the board. */
  constructor(host, has, open) {
    this.#host = host;
    this.#has = has;
    this.#open = open;
  }

  show() {
    if (!this.#has) {
      put(this.#host, el("h2", { text: "Experiments" }),
        el("p", { text: "No folder of recorded matches was given. Start the workbench with" }),
        el("pre", { text: "plyproof serve --runs DIR" }),
        el("p", { text: "and the matches that plyproof match --out, sweep and experiment keep in DIR are listed here, with their tables and figures; a match that runs is followed live." }));
      return;
    }
    this.#again();
  }

  hide() {
    clearTimeout(this.#timer);
  }

  async #again() {
    clearTimeout(this.#timer);
    const wanted = this.#shown;
    try {
      if (wanted?.match) await this.#paintMatch(wanted.match);
      else if (wanted?.experiment !== undefined) await this.#paintExperiment(wanted.experiment);
      else await this.#paintList();
    } catch (error) {
      put(this.#host, this.#back(), el("p", { class: "error", role: "alert", text: error.message }));
    }
    if (!this.#host.hidden) this.#timer = setTimeout(() => this.#again(), AGAIN);
  }

  /** Opens a match or an experiment at its top, or the list where it was left. */
  async #go(shown) {
    if (!this.#shown) this.#top = window.scrollY;
    this.#shown = shown;
    this.#kept = "";
    await this.#again();
    if (this.#shown === shown) window.scrollTo({ top: shown ? 0 : this.#top });
  }
  /** How far the list was scrolled. */
  #top = 0;
  #kept = "";

  #back() {
    return el("button", { type: "button", class: "link", on: { click: () => this.#go(null) }, text: "← all matches and experiments" });
  }

  /** Whether this is news: what did not change is not drawn again. */
  #isNew(data) {
    const text = JSON.stringify(data, (name, value) => (name === "age" ? (value < LIVE ? "live" : "old") : value));
    if (text === this.#kept) return false;
    this.#kept = text;
    return true;
  }

  async #paintList() {
    const list = await ask("api/runs");
    if (!this.#isNew(list)) return;
    const matches = [...list.matches].sort((a, b) => Number(live(b)) - Number(live(a)) || a.path.localeCompare(b.path));
    const head = ["Match", "Game", "A", "B", "Games", "A wins", "Draws", "Losses", "Win rate of A", "95 % interval"];
    put(this.#host,
      el("h2", { text: "Experiments" }),
      el("p", { class: "fine", text: `${list.folder}${list.cut ? " (more files than are looked at)" : ""}` }),
      list.experiments.length ? el("h3", { text: "Tables and figures" }) : null,
      el("ul", { class: "cards" }, ...list.experiments.map((found) => el("li", {},
        el("button", { type: "button", class: "card", on: { click: () => this.#go({ experiment: found.path }) } },
          found.figures.length ? el("img", { src: file(found.figures[0]), alt: "", loading: "lazy" }) : el("span", { class: "no-figure" }),
          el("b", { text: found.path || "this folder" }),
          el("small", { text: [count(found.tables.length, "table"), count(found.figures.length, "figure")].join(", ") }))))),
      el("h3", { text: count(matches.length, "recorded match", "recorded matches") }),
      el("div", { class: "scroll" }, el("table", { class: "data matches" },
        el("thead", {}, el("tr", {}, ...head.map((text, i) => el("th", { scope: "col", class: i > 3 ? "n" : null, text })))),
        el("tbody", {}, ...matches.map((found) => this.#matchRow(found))))));
  }

  #matchRow(found) {
    const name = el("th", { scope: "row" }, el("button", { type: "button", class: "link", on: { click: () => this.#go({ match: found.path }) }, text: found.path }),
      live(found) ? el("span", { class: "tag live", text: "running" }) : null);
    if (found.error) return el("tr", {}, name, el("td", { colspan: 9, class: "error", text: found.error }));
    const number = (text) => el("td", { class: "n", text });
    return el("tr", {}, name, el("td", { text: found.game }), el("td", { text: found.a }), el("td", { text: found.b }),
      number(found.games), number(found.wins), number(found.draws), number(found.losses), number(percent(found.win_rate)), number(interval(found.wilson95)));
  }

  async #paintMatch(path) {
    const found = await ask(`api/runs/match?path=${encodeURIComponent(path)}`);
    if (!this.#isNew(found)) return;
    const { summary } = found;
    const fact = (name, value) => [el("dt", { text: name }), el("dd", { text: value })];
    const mean = (value, unit = "") => (value === null || value === undefined ? "–" : `${value.toFixed(1)}${unit}`);
    put(this.#host, this.#back(),
      el("h2", {}, `${title(summary.game)}: A against B `, live(found) ? el("span", { class: "tag live", text: "running" }) : null),
      el("p", { class: "fine", text: path }),
      el("dl", { class: "facts wide" },
        fact("A", found.side_a), fact("B", found.side_b),
        fact("score of A", `${summary.wins} wins, ${summary.draws} draws, ${summary.losses} losses in ${summary.games} games`),
        fact("win rate without draws", `${percent(summary.win_rate_without_draws)} (95 % ${interval(summary.wilson95)})`),
        fact("Elo", summary.elo === null ? "–" : `${summary.elo.toFixed(0)} ± ${mean(summary.elo_error)}`),
        fact("A first / second", `${summary.a_first.wins}–${summary.a_first.draws}–${summary.a_first.losses} / ${summary.a_second.wins}–${summary.a_second.draws}–${summary.a_second.losses}`),
        fact("plies a game", mean(summary.mean_plies)),
        fact("simulations a move", `A ${mean(summary.side_a.sims_per_move)}, B ${mean(summary.side_b.sims_per_move)}`),
        fact("seed", String(summary.seed))),
      scoreCurve(found.results),
      el("h3", { text: "Games" }),
      el("ol", { class: "games" }, ...found.games.map((game) => el("li", {}, el("button", {
        type: "button", class: `game ${game.result}`,
        on: { click: () => this.#open({ ...fresh(summary.game), moves: game.moves.split(" ").filter(Boolean), ply: 0, seats: { 1: "human", 2: "human" } }) },
      },
        el("span", { "aria-hidden": "true", text: `${game.pair + 1}${game.game ? "b" : "a"} ${game.result} ${game.plies}` }),
        el("span", { class: "unseen", text: `Pair ${game.pair + 1} game ${game.game + 1}: A ${game.result}, ${game.plies} plies` }))))));
  }

  async #paintExperiment(path) {
    const list = await ask("api/runs");
    const found = list.experiments.find((experiment) => experiment.path === path);
    if (!found) throw new Error("this folder is no longer there");
    if (!this.#isNew(found)) return;
    const tables = await Promise.all(found.tables.map((name) => fetch(file(name)).then((answer) => answer.text())));
    put(this.#host, this.#back(), el("h2", { text: path || "Results" }),
      ...found.figures.map((name) => el("img", { class: "figure", src: file(name), alt: `Figure ${name}` })),
      ...tables.flatMap((text) => markdown(text)));
  }
}

const file = (path) => `api/runs/file?path=${encodeURIComponent(path)}`;
const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

async function ask(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return answer.json();
}

/** The score of A after each game. */
function scoreCurve(results) {
  const [width, height] = [600, 120];
  let points = 0;
  const line = [...results].map((letter, index) => {
    points += { w: 1, d: 0.5, l: 0 }[letter];
    const x = results.length > 1 ? (index / (results.length - 1)) * width : 0;
    return `${index ? "L" : "M"}${x.toFixed(1)} ${(height - (points / (index + 1)) * height).toFixed(1)}`;
  });
  return svg("svg", { class: "score", viewBox: `0 -4 ${width} ${height + 8}`, preserveAspectRatio: "none", role: "img", "aria-label": "Score of A after each game" },
    svg("path", { class: "axis", d: `M0 ${height / 2}H${width}` }), svg("path", { class: "curve", d: line.join("") }));
}
