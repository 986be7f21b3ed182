// The front door: every game with a picture and a sentence, its rules, and three ways in.

import { picture } from "../board.js";
import { familyOf } from "../boards/index.js";
import { el, put } from "../dom.js";
import { fresh, placeOf } from "../game.js";
import { gallery, removeRules, watchGallery } from "../rulefiles/gallery.js";
import { said } from "../rulefiles/known.js";
import { RULES } from "../rules.js";
import { title } from "../spec.js";

export class Home {
  #host;
  #table;
  #go;
  #painted = false;

  #take;

  /** `go(name, game)` begins: "play", "analyse" or "prove"; `take(file)` is given rules files. */
  constructor(host, table, go, take) {
    this.#host = host;
    this.#table = table;
    this.#go = go;
    this.#take = take;
    watchGallery(() => {
      if (this.#mine) this.#paintMine();
    });
  }

  show() {
    if (this.#painted) return;
    this.#painted = true;
    const games = this.#table.catalogue.games.filter(({ rules }) => !rules);
    this.#mine = el("div", { class: "mine" });
    this.#paintMine();
    // The games that people know best stand first; others of the registry follow.
    const order = [...Object.keys(RULES), ...games.map(({ name }) => name)];
    const sorted = [...games].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
    put(this.#host,
      el("h2", { class: "lead", text: "Play, study and prove board games" }),
      el("p", { class: "fine lead", text: "Play against ten levels, watch how a search decides, and prove who wins. Nothing that you play leaves this machine." }),
      el("ul", { class: "gallery" }, ...sorted.map((game) => this.#card(game))),
      this.#mine);
  }
  #mine = null;

  /** Games from rules files of one's own. */
  #paintMine() {
    const file = el("input", { type: "file", id: "rules-file", class: "unseen", accept: ".rbg,.kif,.gdl", multiple: true, on: { change: async ({ target }) => {
      for (const chosen of [...target.files]) await this.#take(chosen);
      target.value = "";
    } } });
    const mine = gallery();
    put(this.#mine,
      el("h2", { text: "Games from your rules" }),
      el("p", { class: "fine", text: "A file of rules in RBG or KIF is a game: drop it anywhere on this page, or write one. It stays in this browser until you remove it." }),
      el("p", { class: "buttons left" },
        el("label", { class: "button pick", for: "rules-file" }, "Open a rules file…", file),
        el("a", { class: "button", href: "#rules-editor", text: "Write rules" })),
      mine.length ? el("ul", { class: "gallery", id: "my-rules" }, ...mine.map((game) => this.#card(game))) : null);
  }

  #card(game) {
    const rules = RULES[game.name];
    const frame = el("div", { class: "thumb", "aria-hidden": "true" });
    this.#paint(frame, game, false);
    const way = (name, text, main = false) => el("button", { type: "button", class: main ? "main" : null, "data-way": name, on: { click: () => this.#go(name, fresh(game.name, null, game.rules)) }, text, "aria-label": `${text} ${game.title}` });
    return el("li", { class: "tile", "data-game": game.name },
      el("a", { href: `#rules=${game.name}`, class: "tile-head" }, frame, el("h3", { text: game.title })),
      el("p", { class: "fine", text: rules?.text ?? ((game.rules && said(game.rules)) || game.summary) }),
      el("p", { class: "buttons left" }, way("play", "Play", true), way("analyse", "Analyse"), way("prove", "Prove"),
        ...(game.rules ? [
          el("a", { class: "button", href: `#rules-editor=${encodeURIComponent(game.name)}`, text: "Edit", "aria-label": `Edit the rules of ${game.title}` }),
          el("button", { type: "button", class: "remove", on: { click: () => removeRules(game.name) }, text: "Remove", "aria-label": `Remove ${game.title}` })] : [])));
  }

  /** Draws the position that shows a game, with the moves that explain it if `arrows`. */
  async #paint(frame, { name, rules: text }, arrows) {
    const rules = RULES[name];
    const place = placeOf(fresh(name, null, text));
    const at = await this.#table.describe({ ...place, moves: rules?.moves ?? [] }).catch(() => this.#table.describe(place)).catch(() => null);
    if (!at) return;
    const shown = (arrows ? (rules?.shown ?? []) : []).filter((move) => at.legal.includes(move)).map((text, index) => ({ text, share: 0.5, best: index === 0, verdict: null, label: "" }));
    put(frame, picture(familyOf(name, text), { ...at, moves: rules?.moves ?? [] }, `A position of ${title(name)}`, { overlay: shown }));
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
    this.#paint(frame, game, true);
    const way = (kind, text, main) => el("button", { type: "button", class: main ? "main" : null, "data-way": kind, on: { click: () => this.#go(kind, fresh(name, null, game.rules)) }, text });
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
