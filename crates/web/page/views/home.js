// The front door: every game with a picture and a sentence, its rules, and three ways in.

import { picture } from "../board.js";
import { familyOf } from "../boards/index.js";
import { el, put } from "../dom.js";
import { fresh } from "../game.js";
import { RULES } from "../rules.js";
import { title } from "../spec.js";

export class Home {
  #host;
  #table;
  #go;
  #painted = false;

  /** `go(name, game)` begins: "play", "analyse" or "prove". */
  constructor(host, table, go) {
    this.#host = host;
    this.#table = table;
    this.#go = go;
  }

  show() {
    if (this.#painted) return;
    this.#painted = true;
    const games = this.#table.catalogue.games;
    // The games that people know best stand first; others of the registry follow.
    const order = [...Object.keys(RULES), ...games.map(({ name }) => name)];
    const sorted = [...games].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
    put(this.#host,
      el("h2", { class: "lead", text: "Play, study and prove board games" }),
      el("p", { class: "fine lead", text: "Play against ten levels, watch how a search decides, and prove who wins. Nothing that you play leaves this machine." }),
      el("ul", { class: "gallery" }, ...sorted.map((game) => this.#card(game))));
  }

  #card(game) {
    const rules = RULES[game.name];
    const frame = el("div", { class: "thumb", "aria-hidden": "true" });
    this.#paint(frame, game.name, false);
    const way = (name, text, main = false) => el("button", { type: "button", class: main ? "main" : null, "data-way": name, on: { click: () => this.#go(name, fresh(game.name)) }, text, "aria-label": `${text} ${game.title}` });
    return el("li", { class: "tile", "data-game": game.name },
      el("a", { href: `#rules=${game.name}`, class: "tile-head" }, frame, el("h3", { text: game.title })),
      el("p", { class: "fine", text: rules?.text ?? game.summary }),
      el("p", { class: "buttons left" }, way("play", "Play", true), way("analyse", "Analyse"), way("prove", "Prove")));
  }

  /** Draws the position that shows a game, with the moves that explain it if `arrows`. */
  async #paint(frame, name, arrows) {
    const rules = RULES[name];
    const at = await this.#table.describe({ game: name, start: null, moves: rules?.moves ?? [] })
      .catch(() => this.#table.describe({ game: name, start: null, moves: [] })).catch(() => null);
    if (!at) return;
    const shown = (arrows ? (rules?.shown ?? []) : []).filter((move) => at.legal.includes(move)).map((text, index) => ({ text, share: 0.5, best: index === 0, verdict: null, label: "" }));
    put(frame, picture(familyOf(name), { ...at, moves: rules?.moves ?? [] }, `A position of ${title(name)}`, { overlay: shown }));
  }

  /** The rules of one game. */
  showRules(name) {
    const game = this.#table.catalogue.games.find((listed) => listed.name === name);
    this.#painted = false;
    if (!game) {
      put(this.#host, el("p", { class: "error", role: "alert", text: `There is no game ${name}.` }));
      return;
    }
    const rules = RULES[name];
    const frame = el("div", { class: "thumb large" });
    this.#paint(frame, name, true);
    const way = (kind, text, main) => el("button", { type: "button", class: main ? "main" : null, "data-way": kind, on: { click: () => this.#go(kind, fresh(name)) }, text });
    put(this.#host,
      el("p", {}, el("a", { href: "#home", text: "← all games" })),
      el("article", { class: "rules" }, frame,
        el("div", { class: "rules-text" },
          el("h2", { text: game.title }),
          el("p", { text: game.summary }),
          rules ? el("ul", {}, ...rules.rules.map((text) => el("li", { text }))) : null,
          game.parameters.length ? el("h3", { text: "Variants" }) : null,
          el("dl", { class: "words" }, ...game.parameters.flatMap((parameter) => [el("dt", { text: parameter.name }), el("dd", { text: `${parameter.help}: ${parameter.allowed}; usually ${parameter.default}` })])),
          el("p", { class: "buttons left" }, way("play", "Play", true), way("analyse", "Analyse", false), way("prove", "Prove", false)))));
  }
}
