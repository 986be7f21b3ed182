// The editor of positions: squares are clicked to change what stands on them, and the position is set up when it is legal.

import { byId } from "./dom.js";
import { say } from "./notice.js";

/** Signs in the order in which clicks go through them, for games whose positions are rows of stones. */
const SIGNS = { ".": "x", x: "o", o: "." };
const WITH_BLOCKS = { ".": "x", x: "o", o: "#", "#": "." };

export class Editor {
  #table;
  /** The position as it is edited: {rows, side, rest}; null while nothing is. */
  #draft = null;

  constructor(table) {
    this.#table = table;
    byId("position").addEventListener("input", () => this.stop());
  }

  toggle() {
    if (this.#draft) this.#finish();
    else this.#begin();
  }

  /** Ends the editing; what was changed and not set up is gone. */
  stop() {
    if (!this.#draft) return;
    this.#draft = null;
    this.#table.scene.edit(null);
    this.#paint();
  }

  #begin() {
    const { at } = this.#table;
    const [rows, side, ...rest] = at?.position.split(" ") ?? [];
    const plain = rows?.split("/").map((row) => row.replace(/\d+/g, (count) => ".".repeat(Number(count))));
    if (!plain || !side || !plain.every((row) => /^[.xo#]+$/.test(row))) {
      say("Positions of this game are edited as text, in the field “Position”.");
      return;
    }
    this.#draft = { rows: plain.map((row) => [...row]), side, rest };
    this.#table.scene.edit((id) => this.#click(id));
    say("Click a square to change what stands on it; “Set up” takes the position.");
    this.#paint();
  }

  #click(id) {
    const { family, at } = this.#table;
    const { rows, side, rest } = this.#draft;
    const board = family.parse(at);
    const column = id.charCodeAt(0) - 97;
    const rank = Number(id.slice(1));
    const row = board.down || family.look === "hex" ? rank - 1 : rows.length - rank;
    if (!rows[row]?.[column]) return;
    const signs = rows.some((line) => line.includes("#")) || family.look === "domineering" ? WITH_BLOCKS : SIGNS;
    rows[row][column] = signs[rows[row][column]] ?? ".";
    const text = [rows.map((line) => line.join("")).join("/"), side, ...rest].join(" ");
    byId("position").value = text;
    this.#table.scene.show({ draft: text });
  }

  async #finish() {
    const text = byId("position").value;
    this.stop();
    await this.#table.setUp(text);
    this.#table.scene.show();
  }

  #paint() {
    const editing = Boolean(this.#draft);
    byId("edit").setAttribute("aria-pressed", String(editing));
    byId("edit").textContent = editing ? "Set up" : "Edit";
  }
}
