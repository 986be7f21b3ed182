// Recorded matches and experiments: lists, scores that grow while a match runs, tables and figures.

import { download, el, put, svg } from "../dom.js";
import { fresh, rulesWith } from "../game.js";
import { parseSpec, title } from "../spec.js";
import { markdown } from "./markdown.js";

/** A record that grew within so many seconds belongs to a match that runs. */
const LIVE = 20;
const AGAIN = 2000;

const percent = (share) => (share === null || share === undefined ? "–" : `${(100 * share).toFixed(1)} %`);
const interval = (pair) => (pair ? `${(100 * pair[0]).toFixed(1)} – ${(100 * pair[1]).toFixed(1)}` : "–");
const live = (found) => found.age !== null && found.age < LIVE;

export class Experiments {
  #host;
  #catalogue;
  #has;
  #table;
  #jobs;
  #open;
  #timer = null;
  #shown = null;
  #sort = { key: "path", up: true };
  #filter = "";
  /** The match that this tab plays, and how it stands. */
  #running = null;

  /** `open(game)` puts a recorded game on the board. */
  constructor(host, catalogue, table, jobs, open) {
    this.#host = host;
    this.#catalogue = catalogue;
    this.#has = catalogue.runs;
    this.#table = table;
    this.#jobs = jobs;
    this.#open = open;
  }

  show(shown = null) {
    this.#shown = shown;
    this.#kept = "";
    if (!this.#has) {
      put(this.#host, el("h2", { text: "Experiments" }),
        el("p", { text: "No folder of recorded matches was given. Start the workbench with" }),
        el("pre", { text: "plyproof serve --runs DIR" }),
        el("p", { text: "and the matches that plyproof match --out, sweep and experiment keep in DIR are listed here, with their tables and figures; a match that runs is followed live. Matches can then be played from this page as well." }));
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
    const address = shown?.match ? `#match=${encodeURIComponent(shown.match)}` : shown ? `#results=${encodeURIComponent(shown.experiment)}` : "#experiments";
    history.pushState(null, "", address);
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
    const head = [["path", "Match"], ["game", "Game"], ["a", "A"], ["b", "B"], ["games", "Games"], ["wins", "A wins"], ["draws", "Draws"], ["losses", "Losses"], ["win_rate", "Win rate of A"], [null, "95 % interval"]];
    const body = el("tbody");
    const fill = () => {
      const wanted = this.#filter.toLowerCase().split(/\s+/).filter(Boolean);
      const matches = list.matches.filter((found) => wanted.every((word) => [found.path, found.game, found.a, found.b].join(" ").toLowerCase().includes(word)));
      const { key, up } = this.#sort;
      const order = (a, b) => (typeof a === "number" || typeof b === "number" ? (a ?? -1) - (b ?? -1) : String(a ?? "").localeCompare(String(b ?? "")));
      matches.sort((a, b) => Number(live(b)) - Number(live(a)) || (up ? 1 : -1) * order(a[key], b[key]));
      put(body, ...matches.map((found) => this.#matchRow(found)));
    };
    const sortBy = (key) => () => {
      this.#sort = { key, up: this.#sort.key === key ? !this.#sort.up : true };
      heads.forEach((cell, index) => cell.setAttribute("aria-sort", head[index][0] === key ? (this.#sort.up ? "ascending" : "descending") : "none"));
      fill();
    };
    const heads = head.map(([key, text], i) => el("th", { scope: "col", class: i > 3 ? "n" : null, "aria-sort": key === this.#sort.key ? (this.#sort.up ? "ascending" : "descending") : null },
      key ? el("button", { type: "button", class: "sort", on: { click: sortBy(key) }, text }) : text));
    const filter = el("input", { type: "search", id: "match-filter", placeholder: "game, agent or name", on: { input: ({ target }) => {
      this.#filter = target.value;
      fill();
    } } });
    filter.value = this.#filter;
    fill();
    put(this.#host,
      el("h2", { text: "Experiments" }),
      el("p", { class: "fine", text: `${list.folder}${list.cut ? " (more files than are looked at)" : ""}` }),
      this.#form(),
      list.experiments.length ? el("h3", { text: "Tables and figures" }) : null,
      el("ul", { class: "cards" }, ...list.experiments.map((found) => el("li", {},
        el("button", { type: "button", class: "card", on: { click: () => this.#go({ experiment: found.path }) } },
          found.figures.length ? el("img", { src: file(found.figures[0]), alt: "", loading: "lazy" }) : el("span", { class: "no-figure" }),
          el("b", { text: found.path || "this folder" }),
          el("small", { text: [count(found.tables.length, "table"), count(found.figures.length, "figure")].join(", ") }))))),
      el("h3", { text: count(list.matches.length, "recorded match", "recorded matches") }),
      el("p", { class: "find" }, el("label", { for: "match-filter", text: "Show only" }), filter),
      el("div", { class: "scroll" }, el("table", { class: "data matches" }, el("thead", {}, el("tr", {}, ...heads)), body)));
  }

  /** The form that begins a match, kept while the list is drawn anew. */
  #form() {
    if (this.#made) return this.#made;
    const games = this.#catalogue.games.map(({ name }) => el("option", { value: name }));
    const agents = [...this.#catalogue.engines, ...this.#catalogue.agents.map(({ name }) => name)].map((name) => el("option", { value: name }));
    const input = (id, value, list = null) => {
      const node = el("input", { id, spellcheck: "false", list, required: true });
      node.value = value;
      return node;
    };
    const fields = { game: input("match-game", "loa(size=6)", "match-games"), a: input("match-a", "pn-mcts", "match-agents"), simsA: input("match-sims-a", "500"), b: input("match-b", "mcts", "match-agents"), simsB: input("match-sims-b", "500"), games: input("match-count", "20"), name: input("match-name", "match-1") };
    const error = el("p", { class: "error", role: "alert" });
    const stand = el("p", { class: "row", role: "status", id: "match-stand" });
    const labels = { game: "Game", a: "Agent A", simsA: "Simulations of A", b: "Agent B", simsB: "Simulations of B", games: "Games", name: "Name of the record" };
    const begin = (event) => {
      event.preventDefault();
      error.textContent = "";
      const value = (key) => fields[key].value.trim();
      const { rules } = this.#catalogue.games.find(({ name }) => name === parseSpec(value("game")).name) ?? {};
      const id = this.#table.sendJob({ do: "match", name: value("name"), ...rulesWith({ game: value("game"), rules }), a: { agent: value("a"), simulations: Number(value("simsA")) }, b: { agent: value("b"), simulations: Number(value("simsB")) }, games: Number(value("games")) }, (failed) => (error.textContent = failed));
      this.#jobs.set(id, (news) => {
        if (news.error) error.textContent = news.error;
        const { summary } = news;
        const stop = el("button", { type: "button", on: { click: () => this.#table.endJob(id) }, text: "Stop" });
        const opened = news.match ? el("button", { type: "button", class: "link", on: { click: () => this.#go({ match: news.match }) }, text: news.match }) : null;
        put(stand, opened, summary ? ` ${summary.games} of ${summary.planned} games: A ${summary.wins} wins, ${summary.draws} draws, ${summary.losses} losses ` : "", news.over ? null : stop);
        if (news.over) {
          this.#jobs.delete(id);
          this.#kept = "";
        }
      });
    };
    this.#made = el("details", { class: "new-match" }, el("summary", { text: "Play a match" }),
      el("datalist", { id: "match-games" }, ...games), el("datalist", { id: "match-agents" }, ...agents),
      el("form", { on: { submit: begin } }, el("div", { class: "fields" }, ...Object.entries(fields).map(([key, node]) => el("p", { class: "field" }, el("label", { for: node.id, text: labels[key] }), node))),
        el("p", { class: "buttons left" }, el("button", { type: "submit", class: "main", id: "match-start", text: "Start" }))),
      error, stand);
    return this.#made;
  }
  #made = null;

  #matchRow(found) {
    const name = el("th", { scope: "row" }, el("button", { type: "button", class: "link", on: { click: () => this.#go({ match: found.path }) }, title: found.path, text: nameOf(found.path) }),
      live(found) ? el("span", { class: "tag live", text: "running" }) : null);
    if (found.error) return el("tr", {}, name, el("td", { colspan: 9, class: "error", text: found.error }));
    const number = (text) => el("td", { class: "n", text });
    const long = (text) => el("td", {}, el("span", { class: "clip", title: text, text }));
    return el("tr", {}, name, long(found.game), long(found.a), long(found.b),
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
        fact("plies per game", mean(summary.mean_plies)),
        fact("simulations per move", `A ${mean(summary.side_a.sims_per_move)}, B ${mean(summary.side_b.sims_per_move)}`),
        fact("seed", String(summary.seed))),
      scoreCurve(found.results),
      el("h3", { text: "Games" }),
      el("ol", { class: "games" }, ...found.games.map((game) => el("li", {}, el("button", {
        type: "button", class: `game ${game.result}`,
        on: { click: () => this.#open(this.#recorded(found, game)) },
      },
        el("span", { "aria-hidden": "true", text: `${game.pair + 1}${game.game ? "b" : "a"} ${game.result} ${game.plies}` }),
        el("span", { class: "unseen", text: `Pair ${game.pair + 1} game ${game.game + 1}: A ${game.result}, ${game.plies} plies` }))))));
  }

  /** A recorded game as one to look at, with the agents' names in their seats. */
  #recorded({ summary, side_a: a, side_b: b, path }, game) {
    const [first, second] = game.first === "a" ? [a, b] : [b, a];
    const headers = [["First", first], ["Second", second], ["Event", `${path}, pair ${game.pair + 1}`]];
    return { ...fresh(summary.game), moves: game.moves.split(" ").filter(Boolean), ply: 0, seats: { 1: "human", 2: "human" }, headers };
  }

  async #paintExperiment(path) {
    const list = await ask("api/runs");
    const found = list.experiments.find((experiment) => experiment.path === path);
    if (!found) throw new Error("this folder is no longer there");
    if (!this.#isNew(found)) return;
    const tables = await Promise.all(found.tables.map((name) => fetch(file(name)).then((answer) => answer.text())));
    put(this.#host, this.#back(), el("h2", { text: path || "Results" }),
      ...found.figures.map((name) => el("figure", {}, el("img", { class: "figure", src: file(name), alt: `Figure ${name}` }), el("figcaption", {}, el("a", { href: file(name), download: name.split("/").at(-1), text: `Download ${name.split("/").at(-1)}` })))),
      ...tables.flatMap((text, index) => [...markdown(text), el("p", {}, el("button", { type: "button", on: { click: () => download(found.tables[index].split("/").at(-1), text) }, text: `Download ${found.tables[index].split("/").at(-1)}` }))]));
  }
}

/** A record in few words: its folder and its name, without the endings. */
const nameOf = (path) => path.replace(/\.jsonl(\.gz)?$/, "").split("/").slice(-2).join(" / ").replace("records / ", "");
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
  return el("figure", { class: "score-figure" }, svg("svg", { class: "score", viewBox: `0 -4 ${width} ${height + 8}`, preserveAspectRatio: "none", role: "img", "aria-label": "Score of A after each game" },
    svg("path", { class: "axis", d: `M0 ${height / 2}H${width}` }), svg("path", { class: "curve", d: line.join("") })),
    el("figcaption", { class: "fine", text: `Score of A after each of ${results.length} games; the line in the middle is 50 %, the top 100 %.` }));
}
