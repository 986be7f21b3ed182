// The design studio: how balanced a game is, measured by self-play, and variants side by side.

import { download, el, put, svg } from "../dom.js";
import { rulesWith } from "../game.js";
import { title, writeSpec } from "../spec.js";

const percent = (share) => (share === null || share === undefined ? "–" : `${(100 * share).toFixed(0)} %`);
const decimal = (value) => (value === null || value === undefined ? "–" : value.toFixed(1));

export class Studio {
  #host;
  #catalogue;
  #table;
  #jobs;
  #local;
  #painted = false;
  /** What was measured: {game, balance, over, id} for each variant. */
  #variants = [];
  #results = el("div", { class: "variants" });
  #rules = el("div", { class: "fields" });
  #error = el("p", { class: "error", role: "alert" });
  #name;

  constructor(host, catalogue, table, jobs, local) {
    this.#host = host;
    this.#catalogue = catalogue;
    this.#table = table;
    this.#jobs = jobs;
    this.#local = local;
  }

  show() {
    if (this.#painted) {
      if (!this.#local) this.#paintGames();
      return;
    }
    this.#painted = true;
    if (this.#local) {
      put(this.#host, el("h2", { text: "Design studio" }), el("p", { text: "Measurements of a game's balance need the program: start plyproof serve, or run plyproof balance." }));
      return;
    }
    this.#name = el("select", { id: "studio-game", on: { change: () => this.#paintRules() } });
    this.#name.value = "hex";
    const agent = input("studio-agent", "plyproof");
    const simulations = input("studio-sims", "50, 400");
    const games = input("studio-games", "20");
    const begin = (event) => {
      event.preventDefault();
      this.#begin(agent.value.trim(), simulations.value.split(/[\s,]+/).filter(Boolean).map(Number), Number(games.value));
    };
    put(this.#host,
      el("h2", { text: "Design studio" }),
      el("p", { class: "fine", text: "Is a game fair, how long is it, how drawish, how wide? The game is played at random and by an agent against itself, from weak to strong, and a solver looks for the value of its start position." }),
      el("form", { class: "panel-form", on: { submit: begin } },
        el("div", { class: "fields" }, field("studio-game", "Game", this.#name), field("studio-agent", "Agent", agent), field("studio-sims", "Simulations per move", simulations), field("studio-games", "Games at each strength", games)),
        this.#rules,
        el("p", { class: "buttons left" }, el("button", { type: "submit", class: "main", id: "studio-start", text: "Measure this variant" }))),
      this.#error, this.#results);
    this.#paintGames("hex");
    this.#paint();
  }

  /** The games to choose from: the gallery may have others now. */
  #paintGames(chosen = this.#name.value) {
    put(this.#name, ...this.#catalogue.games.map(({ name }) => el("option", { value: name, text: title(name) })));
    this.#name.value = chosen;
    if (!this.#described) this.#name.selectedIndex = 0;
    this.#paintRules();
  }

  get #described() {
    return this.#catalogue.games.find((game) => game.name === this.#name.value);
  }

  #paintRules() {
    put(this.#rules, ...this.#described.parameters.map((parameter) => {
      const id = `studio-rule-${parameter.name}`;
      const node = parameter.choices.length
        ? el("select", { id, "data-rule": parameter.name }, ...parameter.choices.map((word) => el("option", { value: word, text: word })))
        : el("input", { id, "data-rule": parameter.name, title: parameter.allowed, spellcheck: "false" });
      node.value = parameter.default;
      return field(id, parameter.name, node);
    }));
  }

  #begin(agent, simulations, games) {
    const params = {};
    for (const node of this.#rules.querySelectorAll("[data-rule]")) params[node.dataset.rule] = node.value.trim();
    const game = writeSpec(this.#described, params);
    this.#error.textContent = "";
    if (!simulations.every((n) => Number.isInteger(n) && n > 0)) {
      this.#error.textContent = "Simulations per move: expected whole numbers, as in 50, 400.";
      return;
    }
    const { rules } = this.#described;
    const variant = { game, agent, balance: null, over: false, id: null };
    const fail = (why) => {
      this.#error.textContent = why;
      this.#variants = this.#variants.filter((other) => other !== variant);
      this.#paint();
    };
    variant.id = this.#table.sendJob({ do: "balance", ...rulesWith({ game, rules }), agent, simulations, games }, fail);
    this.#variants.push(variant);
    this.#jobs.set(variant.id, (news) => {
      if (news.error) fail(news.error);
      if (news.balance) variant.balance = news.balance;
      variant.over = Boolean(news.over);
      if (news.over) this.#jobs.delete(variant.id);
      this.#paint();
    });
    this.#paint();
  }

  #paint() {
    put(this.#results, ...this.#variants.map((variant) => this.#column(variant)));
  }

  #column(variant) {
    const { game, agent, balance, over, id } = variant;
    const close = () => {
      this.#table.endJob(id);
      this.#variants = this.#variants.filter((other) => other !== variant);
      this.#paint();
    };
    return el("section", { class: "variant", "aria-label": title(game) },
      el("h3", { text: title(game) }),
      ...measured(title(game), agent, balance),
      el("p", { class: "buttons left" },
        over ? null : el("button", { type: "button", on: { click: () => this.#table.endJob(id) }, text: "Stop" }),
        el("button", { type: "button", on: { click: close }, text: "Remove" }),
        balance ? el("button", { type: "button", on: { click: () => download(`balance-${game.replace(/[^A-Za-z0-9]+/g, "-")}.json`, JSON.stringify(balance, null, 2), "application/json") }, text: "Save as JSON" }) : null));
  }
}

/** What a measurement says so far: a sentence, the bars and the numbers. */
export function measured(name, agent, balance) {
  const value = balance?.value ? `The first player's value is proven: ${balance.value}.` : balance ? "The value was not found by the solver." : "";
  const heads = [["", ""], ["First wins", "Share of games that the first player wins"], ["Draws", "Share of draws"], ["Second wins", "Share of games that the second player wins"], ["Plies", "Moves of a game on average"], ["Branching", "Legal moves of a position on average"], ["Decisive", "Share of positions in which the player to move can win at once"]];
  const rows = (balance?.play ?? []).map((play) => el("tr", {},
    el("th", { scope: "row", text: play.simulations === null ? "random" : String(play.simulations) }),
    ...[percent(play.first_wins / play.games), percent(play.draw_share), percent(play.second_wins / play.games), decimal(play.mean_plies), decimal(play.branching), percent(play.decisive_share)].map((text) => el("td", { class: "n", text }))));
  return [
    el("p", { class: "fine", text: `${agent} against itself. ${value}` }),
    balance ? bars(balance, name) : el("p", { role: "status", text: "Measuring…" }),
    rows.length ? el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": `Numbers of ${name}` }, el("table", { class: "data" }, el("thead", {}, el("tr", {}, ...heads.map(([text, tip], i) => el("th", { scope: "col", class: i ? "n" : null, title: tip || null }, text || el("span", { class: "unseen", text: "Simulations" }))))), el("tbody", {}, ...rows))) : null,
  ];
}

/** One bar for each strength: wins of the first player, draws, wins of the second. */
function bars({ play }, name) {
  const [width, height, left] = [320, 26, 64];
  const rows = play.map(({ simulations, games, first_wins: first, draws, second_wins: second }, index) => {
    const y = index * (height + 6);
    const share = (n) => (games ? (n / games) * (width - left) : 0);
    const parts = [["first", first], ["drawn", draws], ["second", second]];
    let x = left;
    const shapes = parts.map(([name, n]) => {
      const shape = svg("rect", { class: name, x: x.toFixed(1), y, width: share(n).toFixed(1), height });
      x += share(n);
      return shape;
    });
    return svg("g", {}, svg("text", { x: left - 6, y: y + 18, text: simulations === null ? "random" : simulations }), ...shapes);
  });
  const whole = play.length * (height + 6) + 4;
  const legend = el("p", { class: "legend" }, ...[["first", "first player wins"], ["drawn", "draw"], ["second", "second player wins"]].map(([name, text]) => el("span", {}, el("i", { class: `key ${name}` }), text)));
  return el("div", {}, svg("svg", { class: "balance", viewBox: `0 0 ${width} ${whole}`, role: "img", "aria-label": `Results of self-play of ${name} by simulations per move` },
    ...rows, svg("path", { class: "axis", d: `M${left + (width - left) / 2} 0V${whole - 6}` })), legend);
}

function input(id, value) {
  const node = el("input", { id, spellcheck: "false" });
  node.value = value;
  return node;
}

const field = (id, label, node) => el("p", { class: "field" }, el("label", { for: id, text: label }), node);
