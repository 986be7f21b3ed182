// The form for a new game: which, by which rules, who plays, how strong, and from where.

import { el, put } from "../dom.js";
import { fresh, placeOf } from "../game.js";
import { readClock } from "../clock.js";
import { LEVELS, budgetText } from "../levels.js";
import { parseSpec, title, writeSpec } from "../spec.js";

export class NewGame {
  #dialog;
  #catalogue;
  #link;
  #begin;

  constructor(dialog, catalogue, link, begin) {
    this.#dialog = dialog;
    this.#catalogue = catalogue;
    this.#link = link;
    this.#begin = begin;
    this.#build();
  }

  open(game) {
    const { name, params } = parseSpec(game.game);
    this.#paintNames();
    this.#name.value = name;
    if (!this.#described) this.#name.selectedIndex = 0;
    // A game may have older rules than those in the gallery.
    this.#own = game.rules && this.#described.name === name ? { name, rules: game.rules } : null;
    this.#paintRules(params);
    this.#level.value = game.level in LEVELS || game.level === "custom" ? game.level : "5";
    this.#other.value = "";
    this.#clock.value = "";
    this.#agent.value = game.custom.agent;
    this.#simulations.value = game.custom.simulations ?? "";
    this.#seconds.value = game.custom.seconds ?? "";
    this.#sides.value = `${game.seats[1]} ${game.seats[2]}`;
    this.#start.value = "";
    this.#error.textContent = "";
    this.#paintLevel();
    this.#dialog.showModal();
  }

  #own = null;
  #name = el("select", { id: "new-game", name: "game" });
  #summary = el("p", { class: "fine" });
  #rules = el("div", { class: "fields" });
  #sides = el("select", { id: "new-sides" });
  #level = el("select", { id: "new-level" });
  #other = el("select", { id: "new-other" });
  #otherField = null;
  #clock = el("input", { id: "new-clock", placeholder: "no clock", spellcheck: "false" });
  #custom = el("div", { class: "fields" });
  #agent = el("input", { id: "new-agent", spellcheck: "false" });
  #simulations = el("input", { id: "new-simulations", inputmode: "numeric" });
  #seconds = el("input", { id: "new-seconds", inputmode: "decimal" });
  #start = el("textarea", { id: "new-start", rows: 2, spellcheck: "false", placeholder: "The usual start" });
  #error = el("p", { class: "error", role: "alert" });

  /** The games to choose from: the gallery may have others now. */
  #paintNames() {
    put(this.#name, ...this.#catalogue.games.map((game) => el("option", { value: game.name, text: title(game.name) })));
  }

  #build() {
    this.#paintNames();
    put(this.#sides,
      el("option", { value: "human engine", text: "You move first, the engine second" }),
      el("option", { value: "engine human", text: "The engine first, you second" }),
      el("option", { value: "human human", text: "Two players, one device" }),
      el("option", { value: "engine engine", text: "Engine against engine" }));
    put(this.#level, ...Object.entries(LEVELS).map(([value, level]) => el("option", { value, text: level.title, title: budgetText(level) })), el("option", { value: "custom", text: "Custom…" }));
    put(this.#other, el("option", { value: "", text: "the same" }), ...Object.entries(LEVELS).map(([value, level]) => el("option", { value, text: level.title })));
    put(this.#custom, field("new-agent", "Agent", this.#agent), field("new-simulations", "Simulations", this.#simulations), field("new-seconds", "Seconds", this.#seconds));
    this.#name.addEventListener("change", () => this.#paintRules({}));
    this.#level.addEventListener("change", () => this.#paintLevel());
    this.#sides.addEventListener("change", () => this.#paintLevel());
    const form = el("form", { on: { submit: (event) => this.#submit(event) } },
      el("h2", { id: "new-title", text: "New game" }),
      field("new-game", "Game", this.#name), this.#summary, this.#rules,
      field("new-sides", "Who plays", this.#sides),
      field("new-level", "Level", this.#level, "Each level wins about three games of four against the one below."), this.#custom,
      (this.#otherField = field("new-other", "Level of the second engine", this.#other)),
      field("new-clock", "Clock: minutes + seconds per move", this.#clock),
      field("new-start", "Position to start from", this.#start), this.#error,
      el("div", { class: "buttons" },
        el("button", { type: "button", on: { click: () => this.#dialog.close() }, text: "Cancel" }),
        el("button", { type: "submit", class: "main", text: "Start" })));
    put(this.#dialog, form);
  }

  get #described() {
    return this.#catalogue.games.find((game) => game.name === this.#name.value);
  }

  #paintRules(params) {
    const described = this.#described;
    this.#summary.textContent = described.summary;
    put(this.#rules, ...described.parameters.map((parameter) => {
      const id = `new-rule-${parameter.name}`;
      const value = params[parameter.name] ?? parameter.default;
      const input = parameter.choices.length
        ? el("select", { id, "data-rule": parameter.name }, ...parameter.choices.map((word) => el("option", { value: word, text: word })))
        : el("input", { id, "data-rule": parameter.name, spellcheck: "false", title: parameter.allowed });
      input.value = value;
      const { name, help, allowed, choices } = parameter;
      const brief = help.length < 50 ? help[0].toUpperCase() + help.slice(1) : name;
      return field(id, brief, input, choices.length ? (brief === name ? help : null) : allowed);
    }));
  }

  #paintLevel() {
    this.#custom.hidden = this.#level.value !== "custom";
    this.#otherField.hidden = this.#sides.value !== "engine engine";
  }

  /** Throws what is wrong with the simulations or the seconds of an agent. */
  #checkBudget() {
    const [simulations, seconds] = [this.#simulations.value.trim(), this.#seconds.value.trim()];
    if (simulations && !/^[1-9][0-9]{0,14}$/.test(simulations)) throw new Error(`Simulations: "${simulations}" is not a whole number from 1.`);
    if (seconds && !(Number(seconds) > 0 && Number.isFinite(Number(seconds)))) throw new Error(`Seconds: "${seconds}" is not a number above 0.`);
  }

  async #submit(event) {
    event.preventDefault();
    const params = {};
    for (const input of this.#rules.querySelectorAll("[data-rule]")) params[input.dataset.rule] = input.value.trim();
    const start = this.#start.value.trim() || null;
    const rules = this.#own?.name === this.#described.name ? this.#own.rules : (this.#described.rules ?? null);
    const game = fresh(writeSpec(this.#described, params), start, rules);
    const [first, second] = this.#sides.value.split(" ");
    game.seats = { 1: first, 2: second };
    game.level = this.#level.value;
    if (this.#other.value && this.#sides.value === "engine engine") game.engines = { 2: { level: this.#other.value, custom: game.custom } };
    // Sit at the bottom.
    game.flipped = first === "engine" && second === "human";
    const whole = Number(this.#simulations.value) || null;
    game.custom = { agent: this.#agent.value.trim(), simulations: whole, seconds: Number(this.#seconds.value) || (whole ? null : 1) };
    const agent = game.level === "custom" ? game.custom.agent : null;
    try {
      if (agent !== null) this.#checkBudget();
      game.clock = readClock(this.#clock.value);
      await this.#link.ask({ do: "position", at: placeOf(game), agent });
    } catch (wrong) {
      this.#error.textContent = wrong.message;
      return;
    }
    this.#dialog.close();
    // On a small screen the button is far below the board.
    window.scrollTo({ top: 0 });
    this.#begin(game);
  }
}

const field = (id, label, input, help = null) =>
  el("p", { class: "field" }, el("label", { for: id, text: label }), input, help ? el("small", { text: help }) : null);
