// The editor of rules: the text, what is wrong with it, the board and a measure of the game's balance on one screen. The
// text is checked as it is typed.

import { download, el, put } from "../dom.js";
import { fresh } from "../game.js";
import { say } from "../notice.js";
import { measured } from "../views/studio.js";
import { isTaken, keepRules, textOf } from "./gallery.js";
import { LONGEST, learnDrawing, nameOfFile } from "./known.js";
import { Source } from "./source.js";
import { Trial } from "./trial.js";

const DRAFT = "plyproof.rules";
/** A text is checked when nothing was typed for so long, in milliseconds. */
const PAUSE = 300;
/** Rules to begin with: file and what it shows. */
const STARTERS = { "tic-tac-toe.rbg": "Tic-tac-toe: a rectangle", "pawns.rbg": "Pawn race: moves and captures", "hex.rbg": "Hex: hexagons", "ring.rbg": "Ring of seven: a graph" };
/** What the measure of balance plays. */
const BALANCE = { agent: "plyproof", simulations: [20, 200], games: 10 };

const starter = async (name) => (await fetch(`rulefiles/starters/${name}`)).text();
const percent = (part, whole) => `${Math.round((100 * part) / whole)} %`;

export class RulesEditor {
  #host;
  #table;
  #jobs;
  #local;
  #go;
  #painted = false;
  #timer = null;
  #checking = false;
  #waiting = false;
  /** The last text without an error: {name, text, game}. */
  #good = null;
  #job = null;
  #source = new Source(() => this.#changed());
  #trial;
  #name = el("input", { id: "rules-name", spellcheck: "false", autocomplete: "off" });
  #starter = el("select", { id: "rules-starter" }, el("option", { value: "", text: "Begin with…" }), ...Object.entries(STARTERS).map(([value, text]) => el("option", { value, text })));
  #status = el("div", { id: "rules-status", class: "rules-status", role: "status", "aria-live": "polite" });
  #about = el("div", { class: "rules-about" });
  #balance = el("div", { class: "rules-balance" });
  #buttons = {};

  /** `go(way, game)` begins a game on the board: "play", "analyse" or "prove". */
  constructor(host, table, jobs, local, go) {
    this.#host = host;
    this.#table = table;
    this.#jobs = jobs;
    this.#local = local;
    this.#go = go;
    this.#trial = new Trial(table);
  }

  /** Shows the rules in the gallery that have this name, or else what was written last. */
  async show(name) {
    this.#paint();
    if (name !== null) {
      const text = await textOf(name);
      if (text === null) say(`There are no rules ${name} in this browser.`);
      else if (name !== this.#fileName || text !== this.#source.text) this.open({ name, text });
    }
    if (!this.#source.text) this.open(readDraft() ?? { name: "my-game.rbg", text: await starter("tic-tac-toe.rbg") });
  }

  /** Puts rules into the editor. */
  open({ name, text }) {
    this.#paint();
    this.#name.value = name;
    this.#source.set(name, text);
    this.#changed(0);
  }

  hide() {
    this.#stopBalance();
  }

  get #fileName() {
    return nameOfFile(this.#name.value.trim());
  }

  #paint() {
    if (this.#painted) return;
    this.#painted = true;
    const button = (key, text, work, main = false) => (this.#buttons[key] = el("button", { type: "button", id: `rules-${key}`, class: main ? "main" : null, on: { click: work }, text }));
    const game = () => fresh(this.#good.name, null, this.#good.text);
    this.#name.addEventListener("change", () => {
      this.#name.value = this.#fileName;
      this.#source.rename(this.#fileName);
      this.#changed(0);
    });
    this.#starter.addEventListener("change", async () => {
      const name = this.#starter.value;
      this.#starter.value = "";
      if (!name) return;
      this.#name.value = name;
      this.#source.set(name, await starter(name), true);
      this.#changed(0);
    });
    put(this.#host,
      el("h2", { text: "Rules" }),
      el("p", { class: "fine", text: "Write the rules of a game, and play it beside the text. The text is checked as you type." }),
      el("div", { class: "rules-tools" },
        el("label", { for: "rules-name", text: "File" }), this.#name,
        el("label", { for: "rules-starter", class: "unseen", text: "Begin with a file" }), this.#starter,
        button("format", "Format", () => this.#format()),
        button("keep", "Keep in the gallery", () => this.#keep()),
        button("file", "Save as file", () => download(this.#fileName, this.#source.text))),
      el("div", { class: "rules-desk" },
        el("div", { class: "rules-left" }, this.#source.node, this.#status, this.#about),
        el("div", { class: "rules-right" }, this.#trial.node,
          el("p", { class: "buttons left" },
            button("play", "Play on the board", () => this.#go("play", game()), true),
            button("prove", "Prove", () => this.#go("prove", game())),
            button("balance", "Balance", () => this.#measure())),
          this.#balance)));
    this.#paintButtons();
  }

  #paintButtons() {
    const good = this.#good && this.#good.text === this.#source.text && this.#good.name === this.#fileName;
    for (const key of ["keep", "play", "prove", "balance"]) this.#buttons[key].disabled = !good;
  }

  #changed(pause = PAUSE) {
    writeDraft(this.#fileName, this.#source.text);
    this.#paintButtons();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), pause);
  }

  /** One check at a time: a text that changes meanwhile is checked after it. */
  async #check() {
    if (this.#checking) {
      this.#waiting = true;
      return;
    }
    const [name, text] = [this.#fileName, this.#source.text];
    this.#checking = true;
    try {
      if (isTaken(name)) throw new Error(`The program was started with a game ${name}: choose another name for the file.`);
      if (JSON.stringify(text).length > LONGEST) throw new Error(`The text is larger than ${LONGEST / 1000} kB, which is too much for the page.`);
      const { game, problem } = await this.#table.checkRules(name, text);
      if (text === this.#source.text && name === this.#fileName) {
        if (problem) this.#refused(problem);
        else this.#accepted(name, text, game);
      }
    } catch (error) {
      this.#refused({ line: 0, column: 0, message: error.message });
    }
    this.#checking = false;
    if (this.#waiting) {
      this.#waiting = false;
      this.#check();
    }
  }

  #refused(problem) {
    const { line, column, message } = problem;
    this.#source.mark(problem);
    this.#status.className = "rules-status wrong";
    const text = `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? "" : "."}`;
    put(this.#status,
      line ? el("button", { type: "button", class: "link place", on: { click: () => this.#source.go(problem) }, text: `Line ${line}, column ${column}` }) : null,
      el("span", { text: line ? `: ${text}` : text }));
    put(this.#about);
    this.#paintButtons();
  }

  #accepted(name, text, found) {
    const { game, report, drawing, position } = found;
    const warnings = [report.violation, ...report.warnings.map(({ message }) => message)].filter(Boolean);
    this.#source.mark(null);
    this.#good = { name, text, game };
    learnDrawing(name, text, drawing);
    this.#status.className = "rules-status right";
    put(this.#status, el("span", { text: `No errors. ${game.title}` }));
    const { played, wins, draws, cut, mean_plies: plies, mean_moves: width } = report.games;
    const [one, two] = drawing.players;
    const facts = [["Language", report.language], ["Players", drawing.players.join(", ")], ["Cells", drawing.board?.cells.length], ["Pieces", drawing.board?.pieces.map(([piece]) => piece).slice(0, 20).join(", ")], ["Moves", `${report.start.legal_moves} at the start, ${width.toFixed(1)} in the mean`]];
    if (played) facts.push(["Random games", `${played}: ${one} wins ${percent(wins[0], played)}, ${two} ${percent(wins[1], played)}, draws ${percent(draws, played)}${cut ? `, ${cut} given up` : ""}; ${plies.toFixed(1)} plies`]);
    if (game.parameters.length) facts.push(["Parameters", game.parameters.map((parameter) => `${parameter.name}=${parameter.default}`).slice(0, 8).join(", ")]);
    put(this.#about,
      warnings.length ? el("ul", { class: "rules-warnings", "aria-label": "Warnings" }, ...warnings.map((text) => el("li", { text }))) : null,
      el("dl", { class: "rules-facts" }, ...facts.filter(([, value]) => value !== undefined && value !== "").flatMap(([term, value]) => [el("dt", { text: term }), el("dd", { text: value })])));
    this.#paintButtons();
    this.#trial.open({ game: name, rules: text }, position);
  }

  async #keep() {
    const { name, text, game } = this.#good;
    try {
      await keepRules(name, text, game);
      say(`${game.title} is in your gallery.`);
    } catch (error) {
      say(`This browser keeps nothing (${error.message}); save the rules as a file.`);
    }
  }

  async #format() {
    const text = this.#source.text;
    try {
      const formatted = await this.#table.formatRules(this.#fileName, text);
      if (text !== this.#source.text) return;
      if (formatted === text) say("The text is formatted already.");
      else this.#source.set(this.#fileName, formatted, true);
      this.#changed(0);
    } catch (error) {
      say(error.message);
    }
  }

  #stopBalance() {
    if (this.#job !== null) this.#table.endJob(this.#job);
    this.#job = null;
  }

  #measure() {
    this.#stopBalance();
    if (this.#local) {
      put(this.#balance, el("p", { class: "fine", role: "status", text: "Measurements by self-play need the program: plyproof serve, or plyproof balance. The random games at the left are played here." }));
      return;
    }
    const { name, text, game } = this.#good;
    const show = (balance, over) => put(this.#balance, el("h3", { text: "Balance" }), ...measured(game.title, BALANCE.agent, balance),
      over ? null : el("p", { class: "buttons left" }, el("button", { type: "button", id: "rules-stop", on: { click: () => this.#table.endJob(id) }, text: "Stop" })));
    const fail = (why) => put(this.#balance, el("p", { class: "error", role: "alert", text: why }));
    const id = this.#table.sendJob({ do: "balance", game: name, rules: text, ...BALANCE }, fail);
    this.#job = id;
    this.#jobs.set(id, (news) => {
      if (news.over) this.#jobs.delete(id);
      if (this.#job !== id) return;
      if (news.error) fail(news.error);
      else show(news.balance ?? null, news.over);
    });
    show(null, false);
  }
}

function readDraft() {
  try {
    const { name, text } = JSON.parse(localStorage.getItem(DRAFT));
    return typeof name === "string" && typeof text === "string" && text ? { name, text } : null;
  } catch {
    return null;
  }
}

function writeDraft(name, text) {
  try {
    localStorage.setItem(DRAFT, JSON.stringify({ name, text }));
  } catch {
    // No room: the text is lost by a reload, and can be saved as a file.
  }
}
