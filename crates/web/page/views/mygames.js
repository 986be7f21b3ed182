// The games that the browser keeps: opened, named, deleted, written to files and read from them.

import { download, el, put } from "../dom.js";
import { fileGame, fileName, pageGame } from "../files.js";
import { isGame, rulesWith } from "../game.js";
import { forgetGame, keepGame, keptGames, restoreGame } from "../library.js";
import { say } from "../notice.js";
import { title } from "../spec.js";

/** The server takes no larger message than this, in characters. */
const LARGEST = 120_000;
const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

export class MyGames {
  #host;
  #table;
  #open;
  #deleted = null;
  #error = el("p", { class: "error", role: "alert" });

  /** `open(game)` puts a game on the board. */
  constructor(host, table, open) {
    this.#host = host;
    this.#table = table;
    this.#open = open;
  }

  async show() {
    let entries = [];
    try {
      entries = (await keptGames()).filter(({ game }) => isGame(game));
    } catch {
      this.#error.textContent = "This browser keeps no games, as in a private window. A game stays in its tab, and can be saved as a file.";
    }
    const file = el("input", { type: "file", id: "import-file", class: "unseen", accept: ".games,.sgf,.usi,.kif,.txt", on: { change: ({ target }) => this.#import(target) } });
    put(this.#host,
      el("h2", { text: "My games" }),
      el("p", { class: "fine", text: "Every game with a move in it is kept in this browser, with its variations and comments, until you delete it." }),
      el("p", { class: "buttons left" },
        el("label", { class: "button pick", for: "import-file" }, "Open a file…", file),
        el("button", { type: "button", id: "export-all", disabled: !entries.length, on: { click: () => this.#export(entries) }, text: "Save all as one file" }),
        this.#deleted ? el("button", { type: "button", id: "undelete", on: { click: () => this.#restore() }, text: "Undo delete" }) : null),
      this.#error,
      entries.length
        ? el("div", { class: "scroll" }, el("table", { class: "data kept" },
          el("thead", {}, el("tr", {}, ...["Game", "Name", "Moves", "Last played", ""].map((text) => el("th", { scope: "col" }, text || el("span", { class: "unseen", text: "Actions" }))))),
          el("tbody", {}, ...entries.map((entry) => this.#row(entry)))))
        : el("p", { text: "No games yet. A game is kept as soon as it has a move." }));
  }

  #row(entry) {
    const { game, name, saved, id } = entry;
    const field = el("input", { value: name, placeholder: playersOf(game), "aria-label": "Name of the game", on: { change: ({ target }) => keepGame(game, target.value.trim()) } });
    field.value = name;
    const remove = async () => {
      this.#deleted = entry;
      await forgetGame(id);
      this.show();
    };
    return el("tr", { "data-id": id },
      el("th", { scope: "row" }, el("button", { type: "button", class: "link open", on: { click: () => this.#open({ ...game, paused: true }) }, text: title(game.game) })),
      el("td", {}, field),
      el("td", { text: `${game.moves.length}${game.tree && game.tree.length - 1 > game.moves.length ? ` + ${game.tree.length - 1 - game.moves.length}` : ""}` }),
      el("td", { text: new Date(saved).toLocaleString() }),
      el("td", {}, el("span", { class: "buttons left" },
        el("button", { type: "button", class: "save", on: { click: () => this.#export([entry]) }, text: "Save" }),
        el("button", { type: "button", class: "delete", on: { click: remove }, text: "Delete" }))));
  }

  async #restore() {
    await restoreGame(this.#deleted);
    this.#deleted = null;
    this.show();
  }

  async #export(entries) {
    this.#error.textContent = "";
    try {
      const texts = [];
      // One by one: a message has a size.
      for (const { game, name } of entries) {
        const named = name ? { ...game, headers: [...new Map([...game.headers ?? [], ["Event", name]])] } : game;
        const over = await this.#table.describe({ ...rulesWith(game), start: game.start, moves: mainLine(game) });
        const { winner } = over.outcome ?? game.ended ?? {};
        const result = !over.outcome && !game.ended ? "*" : ({ 1: "1-0", 2: "0-1" }[winner] ?? "1/2-1/2");
        texts.push(await this.#table.writeFile([fileGame(named, result)], "games"));
      }
      download(entries.length === 1 ? fileName(entries[0].game, "games") : "my-games.games", texts.join(""));
    } catch (error) {
      this.#error.textContent = error.message;
    }
  }

  async #import(picker) {
    const [file] = picker.files;
    if (!file) return;
    this.#error.textContent = "";
    try {
      if (file.size > LARGEST) throw new Error(`${file.name} is larger than ${LARGEST / 1000} kB; split it, or use plyproof convert.`);
      const games = (await this.#table.readFile(await file.text())).map(pageGame);
      for (const game of games) await keepGame(game, new Map(game.headers).get("Event") ?? file.name.replace(/\.[^.]*$/, ""));
      if (games.length === 1) this.#open(games[0]);
      else say(`${plural(games.length, "game")} read.`);
      this.show();
    } catch (error) {
      this.#error.textContent = `${file.name}: ${error.message}`;
    }
    picker.value = "";
  }
}

/** The moves of the game itself, without variations. */
function mainLine({ tree }) {
  const moves = [];
  for (let at = 0; tree[at].children.length; at = tree[at].children[0]) moves.push(tree[tree[at].children[0]].move);
  return moves;
}

function playersOf(game) {
  const headers = new Map(game.headers ?? []);
  const names = [headers.get("First"), headers.get("Second")].filter(Boolean);
  return names.length ? names.join(" – ") : "no name";
}
