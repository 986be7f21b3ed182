// "Prove this position": its exact value, with the numbers as they change, the line of best play, and certificates.

import { bytes, el, proofNumber, put, short, svg } from "../dom.js";
import { certificateAddress, certificateFile, checkCertificate } from "../backend.js";
import { placeOf } from "../game.js";
import { previewOnHover } from "./hover.js";
import { parseSpec } from "../spec.js";

/** The agent that proves. */
const PROVER = "portfolio";

export class Proof {
  #table;
  #history = [];
  #checked = new Map();
  #painted = "";
  #button = el("button", { type: "button", class: "main", id: "prove" });
  #body = el("div", { class: "proof" });

  constructor(host, table) {
    this.#table = table;
    this.#button.addEventListener("click", () => this.#press());
    const picker = el("input", { type: "file", id: "certificate-file", on: { change: (event) => this.#checkFile(event.target) } });
    put(host,
      el("p", { class: "fine", text: "Finds out who wins from here, whatever the opponent does, and writes the proof down. Small and late positions take seconds." }),
      this.#button, this.#body,
      el("details", {}, el("summary", { text: "Check a certificate from a file" }), el("p", { class: "field" }, el("label", { for: "certificate-file", text: "Certificate, plain or .gz" }), picker), this.#fileResult));
    previewOnHover(this.#body, table);
  }
  #fileResult = el("p", { role: "status" });

  forget() {
    this.#history = [];
    this.#checked.clear();
    this.#painted = "";
  }

  #press() {
    const { solver, game, at } = this.#table;
    if (solver.running) {
      solver.stop();
    } else {
      this.forget();
      solver.start(placeOf(game), at.to_move, { agent: PROVER });
    }
    this.paint();
  }

  paint() {
    const { solver, finished } = this.#table;
    this.#button.textContent = solver.running ? "Stop" : "Prove this position";
    this.#button.disabled = finished;
    const { head } = solver;
    if (head.numbers && !head.stopped) this.#history.push([head.seconds, head.numbers]);
    // What stands still is left alone, so that the keyboard stays where it is.
    const signature = JSON.stringify([solver.id, head, solver.error, finished, [...this.#checked]]);
    if (signature === this.#painted) return;
    this.#painted = signature;
    put(this.#body, ...this.#parts(solver, finished));
  }

  #parts(solver, finished) {
    const { head, error } = solver;
    if (finished) return [el("p", { class: "fine", text: "The game is over: there is nothing left to prove." })];
    if (error) return [el("p", { class: "error", text: error })];
    if (solver.id === null || head.simulations === undefined) return solver.running ? [el("p", { class: "fine", text: "Starting…" })] : [];
    const { names } = this.#table.family;
    const badge = badgeOf(head, solver.mover, names);
    const parts = [];
    if (badge) parts.push(el("p", { class: `badge-line ${badge.kind}`, role: "status" }, el("span", { class: "seal", text: badge.sign }), badge.text));
    else if (head.stopped) parts.push(el("p", { class: "fine", text: `Not proven: ${{ asked: "you stopped it", time: "the time was up", memory: "the memory was full" }[head.stopped] ?? head.stopped}.` }));
    parts.push(el("dl", { class: "facts" },
      fact("proof number", head.numbers ? proofNumber(head.numbers.pn) : "–"),
      fact("disproof number", head.numbers ? proofNumber(head.numbers.dpn) : "–"),
      fact("positions", short(head.simulations)),
      fact("positions/s", short(head.simulations_per_s)),
      fact("time", `${(head.seconds ?? 0).toFixed(1)} s`),
      head.bytes ? fact("memory", bytes(head.bytes)) : [],
      !head.stopped && head.prover ? fact("question", `does ${names[head.prover]} win?`) : []));
    if (!head.stopped) parts.push(curve(this.#history));
    if (head.stopped && head.line?.length) parts.push(...this.#line(head.line));
    for (const certificate of head.certificates ?? []) parts.push(this.#certificate(certificate, names));
    for (const { error: why } of (head.proofs ?? []).filter((proof) => proof.error)) parts.push(el("p", { class: "error", text: `No certificate: ${why}.` }));
    return parts;
  }

  /** Best play of both sides: each move shows the board there, the button puts the line into the game. */
  #line(line) {
    const ahead = (index) => line.slice(0, index + 1).join(" ");
    return [
      el("h2", { text: "Best play" }),
      el("p", { class: "proven-moves" }, ...line.slice(0, 60).map((move, index) => el("span", { class: "pv-move", "data-line": ahead(index), text: move }))),
      el("button", { type: "button", id: "step-line", on: { click: () => this.#table.follow(line) }, text: "Step through it" }),
    ];
  }

  #certificate({ key, name, player, goal, entries, bytes: size }, names) {
    const claim = goal === "win" ? `${names[player]} wins` : goal === "draw" ? `${names[player]} does not lose` : `${names[player]}: ${goal}`;
    const result = this.#checked.get(key);
    const check = async () => {
      this.#checked.set(key, { text: "checking…" });
      this.paint();
      this.#checked.set(key, await this.#verify(await certificateFile(key)));
      this.paint();
    };
    const link = el("a", { class: "button", download: name, text: "Download certificate" });
    certificateAddress(key).then((address) => link.setAttribute("href", address));
    return el("div", { class: "certificate" },
      el("p", {}, el("b", { text: claim }), ` · ${short(entries)} positions · ${bytes(size)}`),
      el("p", { class: "buttons left" },
        link,
        el("button", { type: "button", class: "check", on: { click: check }, text: "Verify" })),
      result ? el("p", { class: result.holds === undefined ? "fine" : result.holds ? "holds" : "error", role: "status", text: result.text }) : null);
  }

  /** A certificate is checked by the rules of the game on the board, if that is one from a text. */
  #verify(file) {
    const { game, rules } = this.#table.game;
    return verify(file, parseSpec(game).name, rules);
  }

  async #checkFile(picker) {
    const [file] = picker.files;
    if (!file) return;
    this.#fileResult.className = "fine";
    this.#fileResult.textContent = "checking…";
    const { holds, text } = await this.#verify(file);
    this.#fileResult.className = holds ? "holds" : "error";
    this.#fileResult.textContent = text;
  }
}

/** Has a certificate checked, by a program that shares nothing with the searches but the rules. */
async function verify(packed, game, rules) {
  try {
    const { claim, entries, seconds, error, refused } = await checkCertificate(packed, game, rules);
    if (refused) return { holds: false, text: error };
    return error ? { holds: false, text: `Does not hold: ${error}` } : { holds: true, text: `Verified: ${claim} (${entries} entries, ${seconds.toFixed(2)} s).` };
  } catch (error) {
    return { holds: false, text: `It could not be checked: ${error.message}` };
  }
}

function badgeOf(head, mover, names) {
  if (head.value === "win") return { kind: "win", sign: "✓", text: `Proven: ${names[mover]} wins.` };
  if (head.value === "loss") return { kind: "other", sign: "✓", text: `Proven: ${names[3 - mover]} wins.` };
  if (head.value === "draw") return { kind: "draw", sign: "=", text: "Proven: a draw." };
  if (head.bounds?.most === "draw") return { kind: "draw", sign: "≤", text: `Proven: ${names[mover]} cannot win.` };
  return null;
}

const fact = (name, value) => [el("dt", { text: name }), el("dd", { text: value })];

/** Both numbers over time, on a logarithmic scale. */
function curve(history) {
  const [width, height] = [300, 70];
  const end = history.at(-1)?.[0] || 1;
  const top = Math.max(10, ...history.flatMap(([, n]) => [n.pn, n.dpn].filter((x) => x !== "inf")));
  const path = (name) => history.map(([t, n], i) => {
    const value = n[name] === "inf" ? top : n[name];
    const y = height - 4 - (Math.log(1 + value) / Math.log(1 + top)) * (height - 8);
    return `${i ? "L" : "M"}${((t / end) * width).toFixed(1)} ${y.toFixed(1)}`;
  }).join("");
  return svg("svg", { class: "curve", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": "Proof and disproof number over time" },
    svg("path", { class: "pn", d: path("pn") }), svg("path", { class: "dpn", d: path("dpn") }));
}
