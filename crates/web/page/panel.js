// The panel beside the board: the engine's switch and numbers, its line, and the tabs.

import { byId, bytes, el, proofNumber, put, short, signed } from "./dom.js";
import { set, settings } from "./settings.js";
import { title } from "./spec.js";
import { paintMoves } from "./views/moves.js";
import { MoveTable } from "./views/table.js";
import { Proof } from "./views/proof.js";
import { TreeView } from "./views/tree.js";
import { WhyTable } from "./views/why.js";

const TABS = ["moves", "table", "why", "tree", "proof"];

export class Panel {
  #table;
  #tree;
  #proof;
  #moveTable;
  #why;
  #line = "";

  constructor(table) {
    this.#table = table;
    this.#moveTable = new MoveTable(byId("view-table"), table);
    this.#why = new WhyTable(byId("view-why"), table);
    this.#tree = new TreeView(byId("view-tree"), table);
    this.#proof = new Proof(byId("view-proof"), table);
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
    this.#look();
    if (this.#table.at) this.paint();
  }

  /** Tells the server what is visible. */
  #look() {
    const { analysis } = this.#table;
    const nodes = this.current === "tree" ? this.#tree.wanted() : [];
    const moves = this.current === "table" || this.current === "why" ? 400 : 12;
    analysis.look({ moves, why: this.current === "why", nodes });
  }

  look() {
    this.#look();
  }

  /** Another position: what was expanded is of no use there. */
  forget() {
    this.#tree.forget();
    this.#proof.forget();
    this.#look();
  }

  /** What changes with the game. */
  paint() {
    const { game, at, family, replaced } = this.#table;
    const engines = Object.values(game.seats).filter((who) => who === "engine").length;
    byId("pause").hidden = engines === 0 || this.#table.finished;
    byId("pause").textContent = game.paused ? "Go on" : "Pause";
    byId("kanji").hidden = family.look !== "minishogi";
    byId("kanji").textContent = settings.kanji ? "Letters" : "Kanji";
    for (const [id, off] of [["first", !game.ply], ["back", !game.ply], ["take-back", !game.ply], ["forward", game.ply === game.moves.length], ["last", game.ply === game.moves.length]]) {
      byId(id).disabled = off;
    }
    for (const [id, kept, keys] of [["undo", replaced.back, "Ctrl+Z"], ["redo", replaced.forth, "Ctrl+Y"]]) {
      byId(id).hidden = !kept;
      if (kept) byId(id).title = `Bring back ${title(kept.game)} with ${kept.moves.length} ${kept.moves.length === 1 ? "move" : "moves"} (${keys})`;
    }
    if (this.current === "moves") paintMoves(byId("view-moves"), this.#table);
    if (at) this.paintSearch();
  }

  /** What changes with every update of a search. */
  paintSearch() {
    const { analysis, analysing } = this.#table;
    byId("engine-on").checked = analysing;
    byId("engine-agent").value = settings.agent;
    this.#paintHead(analysis, analysing);
    this.#paintLine(analysis);
    if (this.current === "table") this.#moveTable.paint();
    if (this.current === "why") this.#why.paint();
    if (this.current === "tree") this.#tree.paint();
    if (this.current === "proof") this.#proof.paint();
  }

  #paintHead(search, analysing) {
    const found = search.value();
    const value = byId("engine-value");
    const first = search.firstValue();
    value.textContent = !found ? "–" : found.proven ? `proven ${search.head.value}` : signed(first.value);
    value.title = "Value for the first player, from −1 to +1";
    value.classList.toggle("proven", Boolean(found?.proven));
    const { simulations, simulations_per_s: rate, nodes, bytes: memory, numbers, seconds, stopped, full_after: full } = search.head;
    let text = analysing ? "starting…" : "off";
    if (search.error) text = search.error;
    else if (simulations !== undefined) {
      // df-pn says how much memory it took when it is done.
      const parts = [`${short(simulations)} sims`, `${short(rate)}/s`, `${short(nodes)} nodes`, memory ? bytes(memory) : null, `${seconds.toFixed(1)} s`].filter(Boolean);
      const more = numbers ? [`pn ${proofNumber(numbers.pn)} dpn ${proofNumber(numbers.dpn)}`] : [];
      if (full) more.push("memory full");
      if (stopped && stopped !== "cancelled") more.push({ proven: "proven", time: "time is up", simulations: "done" }[stopped] ?? stopped);
      text = `${parts.join(" · ")}\n${more.join(" · ")}`;
    } else if (this.#table.finished) {
      text = "the game is over";
    }
    byId("engine-numbers").textContent = text;
    byId("engine-numbers").classList.toggle("error", Boolean(search.error));
  }

  #paintLine(search) {
    const line = search.head.line ?? [];
    const shown = line.slice(0, 12);
    const signature = shown.join(" ");
    if (signature === this.#line) return;
    this.#line = signature;
    const moves = shown.map((text, index) => {
      const ahead = line.slice(0, index + 1);
      const hover = (on) => () => this.#table.preview(on ? ahead : null);
      const on = { mouseenter: hover(true), mouseleave: hover(false), focus: hover(true), blur: hover(false), click: hover(true) };
      return el("button", { type: "button", class: "pv-move", on, text });
    });
    put(byId("pv"), ...moves);
  }

  #listen() {
    const agents = this.#table.catalogue.agents.filter((agent) => agent.name !== "random");
    const choose = byId("engine-agent");
    put(choose, ...agents.map((agent) => el("option", { value: agent.name, text: agent.name, title: agent.summary })));
    choose.value = agents.some((agent) => agent.name === settings.agent) ? settings.agent : agents[0].name;
    settings.agent = choose.value;
    choose.addEventListener("change", () => this.#table.chooseAgent(choose.value));
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
}
