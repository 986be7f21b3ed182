// The panel beside the board: the engine's switch and numbers, its lines, and the tabs.

import { agentForm, agentName } from "./agents.js";
import { byId, bytes, el, proofNumber, put, short, valueText } from "./dom.js";
import { set, settings } from "./settings.js";
import { title } from "./spec.js";
import { Advice } from "./views/advice.js";
import { MovesView } from "./views/moves.js";
import { MoveTable } from "./views/table.js";
import { Proof } from "./views/proof.js";
import { TreeView } from "./views/tree.js";
import { WhyTable } from "./views/why.js";
import { WORDS } from "./words.js";

const TABS = ["moves", "table", "why", "tree", "proof"];
/** Moves of a line that are shown. */
const LONGEST = 12;

export class Panel {
  #table;
  #tree;
  #proof;
  #moves;
  #moveTable;
  #why;
  #lines = "";
  #fewLines;
  #watched = "";

  constructor(table) {
    this.#table = table;
    this.#moves = new MovesView(byId("view-moves"), table);
    this.#moveTable = new MoveTable(byId("view-table"), table);
    this.#why = new WhyTable(byId("view-why"), table);
    this.#tree = new TreeView(byId("view-tree"), table);
    this.#proof = new Proof(byId("view-proof"), table);
    this.#fewLines = new Advice(table, "lines");
    this.#listen();
    this.tab(TABS.includes(settings.tab) ? settings.tab : "moves", false);
  }

  tab(name, focus = false) {
    this.current = name;
    set("tab", name);
    for (const other of TABS) {
      const button = byId(`tab-${other}`);
      button.setAttribute("aria-selected", String(other === name));
      button.tabIndex = other === name ? 0 : -1;
      byId(`view-${other}`).hidden = other !== name;
    }
    if (focus) byId(`tab-${name}`).focus();
    this.look();
    if (this.#table.at) this.paint();
  }

  /** Tells the server what is visible. */
  look() {
    const { analysis, compare } = this.#table;
    const nodes = [...(this.current === "tree" ? this.#tree.wanted() : []), ...this.#lineNodes()];
    const moves = this.current === "table" || this.current === "why" ? 400 : 12;
    const view = { moves, why: this.current === "why", nodes };
    const signature = JSON.stringify(view);
    if (signature !== this.#watched) {
      analysis.look(view);
      compare.look({ moves: this.current === "table" ? 400 : 12 });
    }
    this.#watched = signature;
  }

  /** The nodes from which the lines after the second and the third move are read, as far as they are known. */
  #lineNodes() {
    if (settings.lines < 2) return [];
    const { nodes } = this.#table.analysis;
    const best = (nodes.get("")?.children ?? []).slice(1, settings.lines);
    const paths = [[]];
    for (const { move, opened } of best) {
      const path = [move];
      for (let known = opened; known && path.length < 8;) {
        paths.push([...path]);
        const [next] = nodes.get(path.join(" "))?.children ?? [];
        known = next?.opened;
        if (next) path.push(next.move);
      }
    }
    return paths;
  }

  /** Another position: what was expanded is of no use there. */
  forget() {
    this.#tree.forget();
    this.#proof.forget();
    this.#watched = "";
    this.look();
  }

  /** What changes with the game. */
  paint() {
    const { game, at, atEnd, family, finished, replaced } = this.#table;
    const engines = Object.values(game.seats).filter((who) => who === "engine").length;
    byId("pause").hidden = finished || (engines === 0 && !game.clock);
    byId("pause").textContent = game.paused ? "Resume" : "Pause";
    byId("kanji").hidden = family.look !== "minishogi";
    byId("kanji").textContent = settings.kanji ? "Letters" : "Kanji";
    byId("resign").hidden = finished || !atEnd || engines === 2 || !game.moves.length;
    for (const [id, off] of [["first", !game.ply], ["back", !game.ply], ["take-back", !game.ply], ["forward", game.ply === game.moves.length], ["last", game.ply === game.moves.length]]) {
      byId(id).disabled = off;
    }
    for (const [id, kept, keys] of [["undo", replaced.back, "Ctrl+Z"], ["redo", replaced.forth, "Ctrl+Y"]]) {
      byId(id).hidden = !kept;
      if (kept) byId(id).title = `Bring back ${title(kept.game)} with ${kept.moves.length} ${kept.moves.length === 1 ? "move" : "moves"} (${keys})`;
    }
    this.paintHint();
    if (this.current === "moves") this.#moves.paint();
    if (at) this.paintSearch();
  }

  paintHint(running = this.#table.hint.running) {
    const { mayMove } = this.#table;
    byId("hint").disabled = !mayMove || running;
    byId("hint").textContent = running ? "Thinking…" : "Hint";
  }

  paintReview() {
    if (this.current === "moves") this.#moves.paintReview();
  }

  /** What changes with every update of a search. */
  paintSearch() {
    const { analysis, analysing, compare } = this.#table;
    byId("engine-on").checked = analysing;
    byId("engine-agent").value = agentName(settings.agent);
    this.#paintHead(analysis, analysing);
    this.#paintSecond(compare);
    this.#paintLines(analysis, compare);
    if (settings.lines > 1 || this.current === "tree") this.look();
    if (this.current === "table") this.#moveTable.paint();
    if (this.current === "why") this.#why.paint();
    if (this.current === "tree") this.#tree.paint();
    if (this.current === "proof") this.#proof.paint();
  }

  #paintHead(search, analysing) {
    const { names } = this.#table.family;
    const first = search.firstValue();
    const value = byId("engine-value");
    value.textContent = valueText(first, names);
    value.title = WORDS.value;
    value.classList.toggle("proven", Boolean(first?.proven));
    let text = analysing ? "starting…" : "off";
    if (search.error) text = search.error;
    else if (search.head.simulations !== undefined) text = numbersOf(search.head).join("\n");
    else if (this.#table.finished) text = "the game is over";
    byId("engine-numbers").textContent = text;
    byId("engine-numbers").classList.toggle("error", Boolean(search.error));
  }

  #paintSecond(search) {
    const { names } = this.#table.family;
    byId("second").hidden = !settings.second;
    if (!settings.second) return;
    byId("second-value").textContent = valueText(search.firstValue(), names);
    const best = search.head.best ? `best ${search.head.best}` : "";
    byId("second-numbers").textContent = search.error ?? [settings.second, best, search.head.simulations === undefined ? "off" : `${short(search.head.simulations)} simulations`].filter(Boolean).join(" · ");
  }

  /** The lines of play: {label, value, moves} from the best one on. */
  #linesOf(search, compare) {
    const { names } = this.#table.family;
    const lines = [{ moves: search.head.line ?? [], value: settings.lines > 1 && search.head.line?.length ? valueText(search.firstValue(), names) : null }];
    const { nodes, mover } = search;
    for (const child of (nodes.get("")?.children ?? []).filter(({ move }) => move !== lines[0].moves[0]).slice(0, settings.lines - 1)) {
      if (!child.visits) continue;
      const moves = [child.move];
      for (let next = nodes.get(child.move)?.children[0]; next?.visits && moves.length < LONGEST; next = nodes.get(moves.join(" "))?.children[0]) moves.push(next.move);
      lines.push({ moves, value: valueText({ value: mover === 2 ? -child.mean : child.mean, proven: false }, names) });
    }
    if (settings.second && compare.head.line?.length) lines.push({ moves: compare.head.line, value: agentName(settings.second) });
    return lines;
  }

  #paintLines(search, compare) {
    this.#fewLines.show(settings.lines > 1 && search.head.tree === false ? search.agent : null);
    const lines = this.#linesOf(search, compare);
    const signature = JSON.stringify(lines.map(({ moves, value }) => [moves.slice(0, LONGEST), value]));
    if (signature === this.#lines) return;
    this.#lines = signature;
    const button = (line, text, index) => {
      const ahead = line.slice(0, index + 1);
      const hover = (on) => () => this.#table.preview(on ? ahead : null);
      return el("button", { type: "button", class: "pv-move", on: { mouseenter: hover(true), mouseleave: hover(false), focus: hover(true), blur: hover(false), click: hover(true) }, text });
    };
    put(byId("pv"), ...lines.map(({ moves, value }) => el("p", { class: "pv-line" },
      value ? el("span", { class: "pv-value", text: value }) : null, ...moves.slice(0, LONGEST).map((text, index) => button(moves, text, index)))));
  }

  #listen() {
    const agents = this.#table.catalogue.agents.filter((agent) => agent.name !== "random");
    const option = (agent) => el("option", { value: agent.name, text: agent.name, title: agent.summary });
    const choose = byId("engine-agent");
    put(choose, ...agents.map(option));
    if (!agents.some((agent) => agent.name === agentName(settings.agent))) settings.agent = agents[0].name;
    const known = (name) => settings.tuned[name] ?? name;
    const form = agentForm("tune", agents, (spec) => this.#tuned(spec, "agent"));
    const second = el("select", { id: "engine-second" }, el("option", { value: "", text: "none" }), ...agents.map(option));
    const secondForm = agentForm("second", agents, (spec) => this.#tuned(spec, "second"));
    const lines = el("select", { id: "engine-lines" }, ...[1, 2, 3, 4].map((n) => el("option", { value: n, text: String(n) })));
    this.#show = () => {
      form.show(settings.agent);
      secondForm.show(settings.second);
      choose.value = agentName(settings.agent);
      second.value = agentName(settings.second);
      lines.value = String(settings.lines);
      const own = settings.agent === agentName(settings.agent) ? "" : `${settings.agent} · `;
      byId("tune").firstElementChild.textContent = `${own}Parameters, lines and a second agent`;
    };
    put(byId("tune-form"),
      form.node,
      el("p", { class: "field row" }, el("label", { for: "engine-lines", text: "Lines of play" }), lines),
      this.#fewLines.node,
      el("p", { class: "field row" }, el("label", { for: "engine-second", text: "Second agent on the same position" }), second),
      secondForm.node,
      el("p", { class: "error", id: "tune-error", role: "alert" }));
    this.#show();
    choose.addEventListener("change", () => this.choose(known(choose.value)));
    second.addEventListener("change", () => this.choose(known(second.value), "second"));
    lines.addEventListener("change", () => {
      set("lines", Number(lines.value));
      this.look();
      this.paintSearch();
    });
    byId("engine-on").addEventListener("change", (event) => this.#table.toggleEngine(event.target.checked));
    byId("overlay-on").checked = settings.overlay;
    byId("overlay-on").addEventListener("change", (event) => {
      set("overlay", event.target.checked);
      this.#table.scene.repaint();
    });
    TABS.forEach((name, index) => {
      const button = byId(`tab-${name}`);
      button.addEventListener("click", () => this.tab(name));
      button.addEventListener("keydown", (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (step) this.tab(TABS[(index + step + TABS.length) % TABS.length], true);
      });
    });
  }
  #show = () => {};

  /** Another agent for the analysis. */
  choose(spec, which = "agent") {
    this.#table.chooseAgent(spec, which);
    this.#show();
  }

  /** An agent with other parameters, if the server knows them. */
  async #tuned(spec, which) {
    const error = await this.#table.refusal(spec);
    byId("tune-error").textContent = error ?? "";
    if (error) return;
    set("tuned", { ...settings.tuned, [agentName(spec)]: spec });
    this.choose(spec, which);
  }
}

/** What a search has done so far, in two lines. */
function numbersOf({ simulations, simulations_per_s: rate, nodes, bytes: memory, numbers, seconds, stopped, full_after: full }) {
  // df-pn says how much memory it took when it is done.
  const parts = [`${short(simulations)} simulations`, `${short(rate)}/s`, `${short(nodes)} nodes`, memory ? bytes(memory) : null, `${(seconds ?? 0).toFixed(1)} s`].filter(Boolean);
  const more = numbers ? [`pn ${proofNumber(numbers.pn)} dpn ${proofNumber(numbers.dpn)}`] : [];
  if (full) more.push("memory full");
  if (stopped && stopped !== "cancelled") more.push({ proven: "proven", time: "time is up", simulations: "done" }[stopped] ?? stopped);
  return [parts.join(" · "), more.join(" · ")];
}
