// Where an agent has nothing to show because it searches without a tree: says so, and offers to go on with one that has a tree.

import { agentName } from "../agents.js";
import { el, put } from "../dom.js";
import { parseSpec, writeSpec } from "../spec.js";

/** What is missing, in words: after the name of the agent, and where its evaluation is the reason. */
const MISSING = {
  tree: ["keeps no tree that could be shown.", "and keeps no tree."],
  why: ["does not choose by a sum of terms.", "and adds up no terms."],
  lines: ["tells one line of play.", "and tells one line of play."],
};
/** Agents that prove, and keep no tree: proof-number search does the same with one. */
const PROVERS = ["df-pn", "pn2", "portfolio"];
/** Others that have everything. */
const OTHERS = ["pn-mcts", "mcts"];

/** Whether an agent has a parameter by which it searches with a tree. */
const hasForms = (described) => Boolean(described?.parameters.some(({ name }) => name === "search"));

/** The agent itself with a tree, or else the one that is most like it; in `why` one that adds up terms. */
export function withTree(spec, kind, agents) {
  const { name, params } = parseSpec(spec);
  const find = (wanted) => agents.find((agent) => agent.name === wanted);
  if (hasForms(find(name))) return writeSpec(find(name), { ...params, search: "tree" });
  if (PROVERS.includes(name) && kind === "tree" && find("pns")) return "pns";
  return hasForms(find("plyproof")) ? "plyproof(search=tree)" : "pn-mcts";
}

export class Advice {
  #table;
  #kind;
  #shown = null;
  node = el("div", { class: "advice-card", hidden: true });

  /** `kind` is what is missing: "tree", "why" or "lines". */
  constructor(table, kind) {
    this.#table = table;
    this.#kind = kind;
  }

  /** Says it of an agent; of none, says nothing. The buttons stay where they are while the search goes on. */
  show(spec) {
    this.node.hidden = !spec;
    if (!spec || spec === this.#shown) return;
    this.#shown = spec;
    const { agents } = this.#table.catalogue;
    const name = agentName(spec);
    const judges = hasForms(agents.find((agent) => agent.name === name));
    const [always, judging] = MISSING[this.#kind];
    const chosen = withTree(spec, this.#kind, agents);
    const go = (agent, text, looks) => el("button", { type: "button", class: `advice ${looks}`, "data-agent": agent, on: { click: () => {
      this.#table.panel.choose(agent);
      this.#table.toggleEngine(true);
    } }, text });
    const others = OTHERS.filter((other) => other !== name && other !== chosen);
    put(this.node,
      el("p", { text: judges ? `${name} searches this game by alpha-beta with its evaluation, ${judging}` : `${name} ${always}` }),
      el("p", { class: "buttons left" }, go(chosen, `Go on with ${chosen}`, "main"), ...(this.#kind === "lines" ? [] : others.map((other) => go(other, other, "")))));
  }
}
