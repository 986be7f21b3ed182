// What is asked of the server, or of the engine in its place, besides the searches.

import { placeOf } from "./game.js";
import { gallery } from "./rulefiles/gallery.js";

export class Questions {
  /** Who is told that a match or a measurement was refused, by its id. */
  #refused = new Map();

  constructor(link) {
    this.link = link;
  }

  /** The answer to a question about a place. */
  ask(at) {
    return this.link.ask({ do: "position", at });
  }

  /** What is at a place: who is to move, what is legal, how it ended. */
  async describe(at) {
    return (await this.ask(at)).position;
  }

  /** Begins a match or a measurement; `failed(why)` is called if the server refuses it. Returns its id. */
  sendJob(message, failed) {
    const id = this.link.id();
    this.link.send({ ...message, id });
    this.#refused.set(id, failed);
    return id;
  }

  /** Ends one. */
  endJob(id) {
    this.link.send({ do: "end-job", id });
  }

  /** Why an agent cannot be used here; null if it can. */
  async refusal(agent) {
    try {
      await this.link.ask({ do: "position", at: placeOf(this.game), agent });
      return null;
    } catch (error) {
      return error.message;
    }
  }

  /** The whole tree of a small search of a place. */
  async smallTree(at, agent, simulations, seed = 1) {
    return (await this.link.ask({ do: "step", at, agent, simulations, seed })).tree;
  }

  /** What a text of rules is, {game}, or what is wrong with it, {problem}. */
  async checkRules(name, text) {
    return (await this.link.ask({ do: "rules", name, text })).rules;
  }

  /** The same rules, laid out. */
  async formatRules(name, text) {
    return (await this.link.ask({ do: "format", name, text })).text;
  }

  /** The games of a file, and a file of games. */
  async readFile(text) {
    const names = gallery().filter(({ name }) => text.includes(name));
    const rules = Object.fromEntries(names.map(({ name, rules }) => [name, rules]));
    return (await this.link.ask({ do: "read", text, rules })).games;
  }

  async writeFile(games, format) {
    return (await this.link.ask({ do: "write", games, format })).text;
  }

  /** Tells who began a match or a measurement that it was refused; whether there is somebody. */
  refuse(id, why) {
    const told = this.#refused.get(id);
    told?.(why);
    return Boolean(told);
  }
}
